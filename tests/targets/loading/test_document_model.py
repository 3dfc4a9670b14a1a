"""Checkpoints from disk through `convert`: the answer is the model's own, and every token of it has an origin."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pymupdf
import pytest
import torch
from dots_models import save_checkpoint, small_model
from PIL import Image
from qwen_folder import save_qwen3_vl
from recorded_drafts import RecordedDrafter
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit
from transformers import PreTrainedTokenizerFast
from transformers.models.qwen3_vl.modeling_qwen3_vl import Qwen3VLVisionModel

from docparse_fast.cli import run
from docparse_fast.document import Box, Category, Draft, PageDraft, Region
from docparse_fast.errors import ModelError
from docparse_fast.opening import open_pipeline
from docparse_fast.options import DraftOptions, ParseOptions, RasterOptions, SpeculationOptions, TargetOptions
from docparse_fast.pages import open_pages
from docparse_fast.pipeline import Pipeline
from docparse_fast.targets import open_target
from docparse_fast.targets.loading.processing import decoder_of, encoder_of

pytestmark = pytest.mark.usefixtures("pass_costs")
TOKENS = 48


@pytest.fixture(scope="module")
def qwen_folder(tmp_path_factory) -> Path:
    return save_qwen3_vl(tmp_path_factory.mktemp("weights") / "tiny-qwen")


@pytest.fixture(scope="module")
def dots_folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("weights") / "tiny-dots"
    save_checkpoint(small_model(), folder)
    return folder


@pytest.fixture(scope="module", params=["qwen_folder", "dots_folder"])
def weights(request) -> Path:
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def documents(tmp_path_factory) -> list[str]:
    """Two documents of three pages in all, each of several regions."""
    folder = tmp_path_factory.mktemp("documents")
    paths = []
    for name, pages in (("one", 1), ("two", 2)):
        with pymupdf.open() as document:
            for n in range(pages):
                page = document.new_page(width=220, height=120)
                page.insert_text((20, 30), f"Heading {n}", fontsize=14)
                page.insert_textbox((20, 45, 200, 110), f"Some words of {name} that stand below it. " * 2, fontsize=8)
            document.save(folder / f"{name}.pdf")
        paths.append(str(folder / f"{name}.pdf"))
    return paths


@dataclass
class Converted:
    code: int
    pages: list[dict]
    target: str


def convert(documents: list[str], out: Path, weights: Path, *more: str) -> Converted:
    arguments = ["--target", str(weights), "--drafter", "text-layer", "--dpi", "72", "--device", "cpu", "--tau", "1"]
    arguments += ["--max-new-tokens", str(TOKENS), "--stages", "both", "-q", *more]
    code = run(["convert", *documents, "-o", str(out), *arguments])
    found = [json.loads(path.read_text()) for path in sorted(out.glob("*/document.json"))]
    return Converted(code, [page for document in found for page in document["pages"]], found[0]["models"]["target"])


@pytest.fixture(scope="module")
def converted(weights, documents, tmp_path_factory) -> Converted:
    return convert(documents, tmp_path_factory.mktemp("out"), weights, "--check-exact")


def test_every_page_is_exactly_the_models_own_answer(converted):
    assert [page["exact"] for page in converted.pages] == [True] * 3
    for page in converted.pages:
        checked = page["stats"]["check_exact"]
        assert (checked["difference"], checked["tokens"]) == (None, page["stats"]["stage_2"]["tokens"]["written"])
        assert min(checked["plain_seconds"], checked["speculative_seconds"], checked["generate_seconds"]) > 0


def test_every_token_is_accounted_for_in_both_stages(converted):
    for page in converted.pages:
        for stage in ("stage_1", "stage_2"):
            tokens = page["stats"][stage]["tokens"]
            assert tokens["accepted"] + tokens["tolerated"] + tokens["own"] == tokens["written"] > 0
            assert page["stats"][stage]["target_forwards"] > 0
        assert {"plan", "agreement", "corrections", "omissions", "inventions", "lost"} <= page["stats"].keys()


def test_an_answer_that_is_cut_off_loses_no_draft(converted):
    """Random weights rarely end an answer."""
    assert converted.code == 3
    assert {(page["status"], page["error"]["code"]) for page in converted.pages} == {("partial", "truncated")}
    for page in converted.pages:
        assert any("Some words of" in block["text"] for block in page["blocks"])


@pytest.mark.parametrize(
    ("error", "codes", "times"),
    [
        (torch.OutOfMemoryError("CUDA out of memory"), ["truncated", "out_of_memory", "truncated"], 0),
        (RuntimeError("CUDA error: an illegal memory access\nCompile with"), ["truncated", *["worker_crashed"] * 2], 1),
    ],
    ids=["memory", "device"],
)
def test_an_image_that_breaks_the_model_costs_its_page_or_the_device(
    qwen_folder, documents, tmp_path, monkeypatch, capsys, error, codes, times
):
    """Of three pages the second breaks; a device's error ends its use, and the user is told once."""
    looks = count(1)
    look = Qwen3VLVisionModel.forward

    def forward(*arguments, **options):
        if next(looks) == 2:
            raise error
        return look(*arguments, **options)

    monkeypatch.setattr(Qwen3VLVisionModel, "forward", forward)
    found = convert(documents, tmp_path, qwen_folder, "--stages", "2")
    assert found.code == 3
    assert [page["error"]["code"] for page in found.pages] == codes
    assert capsys.readouterr().err.count("the pages from here on are drafts only") == times
    assert all(any("Some words of" in block["text"] for block in page["blocks"]) for page in found.pages)


def test_the_record_says_which_model_it_was(converted, weights):
    assert converted.target.startswith(f"{weights.name}@local-")
    assert converted.target.endswith(" in float32")


def test_the_same_input_gives_the_same_pages(converted, documents, weights, tmp_path):
    again = convert(documents, tmp_path, weights)
    assert [page["blocks"] for page in again.pages] == [page["blocks"] for page in converted.pages]


def test_a_draft_that_is_the_models_answer_is_taken_in_few_steps(qwen_folder, tmp_path):
    """Its own words byte for byte, except for one letter."""
    image = Image.effect_noise((96, 64), 60).convert("RGB")
    image.save(tmp_path / "page.png")
    target = open_target(str(qwen_folder), device="cpu", dtype="float32")
    answer = target.decode(target.generate(target.page_view(image), TOKENS))
    assert target.encode(answer) == target.generate(target.page_view(image), TOKENS)[: len(answer)]
    drafted = answer[:30] + "~" + answer[31:]
    region = Region(Box(0, 0, 96, 64), Category.TEXT, (Draft(drafted, "recorded"),))
    options = SpeculationOptions(tau=1.0, max_new_tokens=TOKENS, check_exact=True)
    with open_pages(tmp_path / "page.png", RasterOptions()) as document:
        drafter = RecordedDrafter([PageDraft(1, 96, 64, (region,))])
        (page,) = Pipeline(drafter, target, options).pages(document)
    assert page.exact is True
    assert page.evidence.stage_2.tokens["accepted"] > TOKENS / 2
    assert page.evidence.stage_2.target_forwards < TOKENS / 2


def test_a_repetition_penalty_reaches_the_model_and_the_check_against_its_generate(qwen_folder, tmp_path):
    Image.effect_noise((96, 64), 60).convert("RGB").save(tmp_path / "page.png")
    answers = []
    for penalty in (1.0, 1.5):
        speculation = SpeculationOptions(
            tau=1.0, repetition_penalty=penalty, max_new_tokens=TOKENS, check_exact=True, stages="2"
        )
        chosen = TargetOptions(str(qwen_folder), "cpu", "float32")
        pipeline = open_pipeline(ParseOptions(drafting=DraftOptions("none"), target=chosen, speculation=speculation))
        with open_pages(tmp_path / "page.png", RasterOptions()) as document:
            (page,) = pipeline.pages(document)
        assert page.exact is True
        answers.append([block.text for block in page.blocks])
    assert answers[0] != answers[1]


def test_what_a_token_is_ahead_by_is_said_with_the_penalty_on(qwen_folder):
    image = Image.effect_noise((96, 64), 60).convert("RGB")
    plain, penal = (open_target(str(qwen_folder), device="cpu", repetition_penalty=penalty) for penalty in (1.0, 1.5))
    written = penal.generate(penal.page_view(image), 24)
    bests = [target.tie_break(target.page_view(image), written[:-1], 0).best for target in (plain, penal)]
    assert bests[1] == written[-1]
    assert plain.generate(plain.page_view(image), 24) != written


def test_cuda_graphs_can_be_left_out(qwen_folder):
    for given, allowed in (("auto", True), ("never", False)):
        chosen = TargetOptions(str(qwen_folder), "cpu", "float32", cuda_graphs=given)
        assert open_pipeline(ParseOptions(target=chosen)).target.decoder.recording.allowed is allowed


def test_text_becomes_the_models_own_tokens_and_back(weights):
    target = open_target(str(weights), device="cpu")
    assert target.decode((*target.encode("# A title\n\n"), target.end)) == "# A title\n\n"
    assert target.end in target.decoder.eos


def test_a_device_that_is_not_here_is_named(qwen_folder):
    with pytest.raises(ModelError) as caught:
        open_target(str(qwen_folder), device="abacus")
    assert (caught.value.code, str(caught.value)) == (
        "device_missing",
        "--device abacus is no device; cpu, cuda or cuda:N",
    )


def test_weights_that_break_off_are_named(qwen_folder, tmp_path):
    broken = tmp_path / "broken"
    broken.mkdir()
    for path in qwen_folder.iterdir():
        (broken / path.name).write_bytes(path.read_bytes()[: 5000 if path.suffix == ".safetensors" else None])
    with pytest.raises(ModelError) as caught:
        open_target(str(broken), device="cpu")
    assert caught.value.code == "model_missing"
    assert "\n" not in str(caught.value)


def test_a_folder_without_a_processor_says_so(qwen_folder, tmp_path):
    bare = tmp_path / "bare"
    bare.mkdir()
    for path in qwen_folder.iterdir():
        if path.name != "preprocessor_config.json":
            (bare / path.name).write_bytes(path.read_bytes())
    with pytest.raises(ModelError, match="has no usable processor") as caught:
        open_target(str(bare), device="cpu")
    assert caught.value.code == "model_missing"


@pytest.mark.parametrize(
    ("missing", "what"), [("tokenizer.json", "vocabulary"), ("chat_template.jinja", "chat template")]
)
def test_a_folder_whose_tokenizer_is_not_whole_says_so(qwen_folder, tmp_path, missing, what):
    """transformers makes an empty tokenizer then, and each page failed with the draft kept as if it had been read."""
    part = tmp_path / "part"
    part.mkdir()
    left_out = {missing, "tokenizer_config.json"}
    for path in qwen_folder.iterdir():
        if path.name not in left_out:
            (part / path.name).write_bytes(path.read_bytes())
    with pytest.raises(ModelError, match=f"has a tokenizer without a {what}") as caught:
        open_target(str(part), device="cpu")
    assert caught.value.code == "model_missing"


def test_a_text_is_encoded_as_transformers_does_it():
    """Whatever length the tokenizer's file asks for."""
    words = Tokenizer(WordLevel({"a": 0, "b": 1, "?": 2}, unk_token="?"))
    words.pre_tokenizer = WhitespaceSplit()
    words.enable_truncation(2)
    words.enable_padding(length=8)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, unk_token="?")
    encoded = encoder_of(tokenizer)
    for text in ("", "a", "a b a b", "b c"):
        assert encoded(text) == tuple(tokenizer(text, add_special_tokens=False)["input_ids"])
        assert len(encoded(text)) == len(text.split())


def test_tokens_are_decoded_as_transformers_does_it():
    """A pair's text is kept, which is what a page asks for again and again."""
    words = Tokenizer(WordLevel({"a": 0, ".": 1, "n't": 2, "<end>": 3}, unk_token="a"))
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, eos_token="<end>", clean_up_tokenization_spaces=True)
    decoded = decoder_of(tokenizer)
    for tokens in ((), (0,), (0, 1), (0, 2), (0, 1), [0, 3], (0, 1, 2, 3)):
        said = tokenizer.decode(list(tokens), skip_special_tokens=False, clean_up_tokenization_spaces=False)
        assert decoded(tokens) == said
