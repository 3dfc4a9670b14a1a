"""The small model that ships, and the generator it was trained on. Knows nothing of the engine."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

ROOT = Path(__file__).parent.parent
MODEL = ROOT / "docparse_fast" / "data" / "nano"
SAMPLES = ROOT / "samples" / "nano"
sys.path.insert(0, str(ROOT / "scripts" / "training" / "nano"))  # the scripts are no package

import evaluate  # noqa: E402
import glyphs  # noqa: E402
import held_out  # noqa: E402
import lexicon  # noqa: E402
import pages  # noqa: E402
import reader  # noqa: E402
from tokens import PROMPT, Tokens  # noqa: E402

needs_fonts = pytest.mark.skipif(
    not all(family.regular.exists() for family in glyphs.FAMILIES.values()),
    reason="the generator sets type in Debian's fonts-liberation, fonts-dejavu-core and fonts-dejavu-extra",
)


# --------------------------------------------------------------------------------------------- the generator


@needs_fonts
def test_the_same_seed_sets_the_same_page() -> None:
    first, again, other = (pages.press(seed).page() for seed in (3, 3, 4))
    assert first.text == again.text
    assert np.array_equal(first.image, again.image)
    assert first.text != other.text


@needs_fonts
@pytest.mark.parametrize("kind", ["line", "block", "page"])
def test_every_letter_has_ink_in_its_cell(kind: str) -> None:
    maker = pages.press(5)
    for _ in range(5):
        sample = getattr(maker, kind)()
        paper = float(np.median(sample.image))
        columns = sample.image.shape[1] // pages.CELL
        for letter, cell in zip(sample.text, sample.cells, strict=True):
            if cell >= 0 and letter.isalpha():
                y, x = cell // columns * pages.CELL, cell % columns * pages.CELL
                assert sample.image[y : y + pages.CELL, x : x + pages.CELL].min() < paper - 30


@needs_fonts
def test_what_is_not_markup_is_drawn() -> None:
    sample = pages.press(6).page("table")
    shown = "".join(letter for letter, cell in zip(sample.text, sample.cells, strict=True) if cell >= 0)
    assert "<td>" in sample.text
    assert "<" not in shown
    assert "#" not in shown


@needs_fonts
def test_a_region_is_a_part_of_its_page_and_nothing_else() -> None:
    maker = pages.press(7)
    sheet = maker.sheet()
    whole = maker._whole(sheet).text
    for block in sheet.blocks:
        assert maker._cut(sheet, block).text in whole


@needs_fonts
def test_training_and_examination_share_no_layout() -> None:
    assert not any(pages.is_held_out(pages.press(seed).sheet()) for seed in range(6))
    assert all(pages.is_held_out(pages.press(seed, held_out=True).sheet()) for seed in range(3))


def test_held_out_words_are_unknown_to_training() -> None:
    training, held_out = lexicon.load(False), lexicon.load(True)
    seen = {word.lower() for word in [*training.words, *training.names, *training.chain.words]}
    assert not seen & {word.lower() for word in [*held_out.words, *held_out.names]}


def test_padding_adds_paper_until_cells_are_whole() -> None:
    image = np.full((20, 33), 200, np.uint8)
    image[5, 5] = 0
    grown = pages.padded(image)
    assert grown.shape == (32, 48)
    assert np.array_equal(grown[:20, :33], image)
    assert grown[20:].min() == 200


# ----------------------------------------------------------------------------------------------- the lessons


@needs_fonts
def test_patches_of_a_cell_stand_together() -> None:
    """Four patches in a row are one visual token: the model's merger takes them so."""
    tokens = Tokens(MODEL / "tokenizer.json")
    sample = pages.press(8).line()
    lesson = reader.lesson(sample, tokens)
    cell = lesson.patches[4:8].reshape(2, 2, 8, 8).transpose(0, 2, 1, 3).reshape(16, 16)
    assert np.array_equal(cell, sample.image[:16, 16:32])


@needs_fonts
def test_a_token_is_told_where_its_letters_stand() -> None:
    tokens = Tokens(MODEL / "tokenizer.json")
    sample = pages.press(9).block()
    places = reader.lesson(sample, tokens).places
    _, spans = tokens.encode(sample.text)
    for i, (start, end) in enumerate(spans):
        drawn = [cell for cell in sample.cells[start:end] if cell >= 0]
        if drawn:
            assert places[reader.NEXT, i] == drawn[0]
            assert places[reader.NEXT_END, i] == drawn[-1]
            assert places[reader.HERE, i + 1] == drawn[-1]


def test_edits_are_levenshteins() -> None:
    def naive(a: str, b: str) -> int:
        if not a or not b:
            return len(a) + len(b)
        return min(naive(a[1:], b) + 1, naive(a, b[1:]) + 1, naive(a[1:], b[1:]) + (a[0] != b[0]))

    r = random.Random(0)
    for _ in range(60):
        a, b = ("".join(r.choices("ab", k=r.randint(0, 5))) for _ in range(2))
        assert evaluate.edits(a, b) == naive(a, b)


# ---------------------------------------------------------------------------------------------- the training


def run(script: str, *arguments: str | Path) -> None:
    command = [sys.executable, ROOT / "scripts" / "training" / "nano" / script, *arguments]
    subprocess.run([str(part) for part in command], check=True, timeout=600)


@needs_fonts
@pytest.mark.slow
def test_training_starts_from_nothing_goes_on_and_ends_in_a_model(tmp_path: Path) -> None:
    shutil.copy(MODEL / "tokenizer.json", tmp_path)
    eyes = {"core_seconds": 20, "mix": [1, 0, 0, 0], "write": False}
    plan = {"seed": 1, "learning_rate": 0.003, "warm_core_seconds": 2, "decay_core_seconds": 10, "stages": [eyes]}
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    run("train.py", tmp_path / "plan.json", "--out", tmp_path)
    plan["stages"] = [eyes, {"core_seconds": 20, "mix": [1, 1, 0, 0]}]
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    run("train.py", tmp_path / "plan.json", "--out", tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert lines[-1]["core_seconds"] > 40 > lines[0]["core_seconds"]
    assert lines[-1]["letters"] < lines[0]["letters"]
    assert lines[-1]["text_tokens"] > 0
    run("export.py", tmp_path, tmp_path / "model")
    assert held_out.Examined(tmp_path / "model").read(pages.press(1, held_out=True).regions()[0]) is not None


@needs_fonts
def test_training_goes_on_from_what_ships() -> None:
    tokens = Tokens(MODEL / "tokenizer.json")
    batch = reader.Batch.of([reader.lesson(pages.press(3, held_out=True).regions()[0], tokens)], tokens)
    one = reader.Reader(reader.configuration(tokens)).eval()
    reader.take_weights(one, MODEL, tokens)
    with torch.no_grad():
        mark = one(batch)
    assert mark.right > 0.9 * mark.tokens > 5


# ------------------------------------------------------------------------------------------ the shipped model


@pytest.fixture(scope="module")
def examined() -> held_out.Examined:
    return held_out.Examined(MODEL)


def sample_page(number: int) -> tuple[np.ndarray[Any, Any], str]:
    image = np.asarray(Image.open(SAMPLES / f"page-{number:02}.png"))
    return image, (SAMPLES / f"page-{number:02}.md").read_text().rstrip("\n")


def as_sample(number: int) -> pages.Sample:
    image, text = sample_page(number)
    return pages.Sample(image, text, [-1] * len(text), [], "page", False)


def test_the_model_is_small_enough_to_ship() -> None:
    assert (MODEL / "model.safetensors").stat().st_size < 20e6


def test_library_and_generator_prepare_the_same_inputs(examined: held_out.Examined) -> None:
    """The chat template, tokenizer and image processor that ship give what the model was trained on."""
    from transformers import AutoImageProcessor, AutoTokenizer

    sample = as_sample(1)
    tokenizer = AutoTokenizer.from_pretrained(MODEL)
    shown = AutoImageProcessor.from_pretrained(MODEL)(images=[Image.fromarray(sample.image)], return_tensors="pt")
    content = [{"type": "image"}, {"type": "text", "text": PROMPT}]
    text = tokenizer.apply_chat_template(
        [{"role": "user", "content": content}], tokenize=False, add_generation_prompt=True
    )
    cells = int(shown["image_grid_thw"].prod()) // 4
    ids = tokenizer(text.replace("<|image_pad|>", "<|image_pad|>" * cells))["input_ids"]
    ours = examined.inputs(sample)
    assert ids == ours["input_ids"][0].tolist()
    torch.testing.assert_close(shown["pixel_values"], ours["pixel_values"])
    assert shown["image_grid_thw"].tolist() == ours["image_grid_thw"].tolist()


def test_the_tokenizer_loses_nothing_of_a_page() -> None:
    tokens = Tokens(MODEL / "tokenizer.json")
    for number in range(1, 13):
        _, text = sample_page(number)
        assert tokens.decode(tokens.encode(text)[0]) == text


def test_a_crop_is_given_paper_and_not_stretched() -> None:
    """A line 20 pixels high would be squeezed to 16 by the image processor, and hardly be read."""
    from docparse_fast.document import Category
    from docparse_fast.targets import open_target

    image, _ = sample_page(1)
    view: Any = open_target("nano", device="cpu").region_view(
        Image.fromarray(image[:20, :100]).convert("RGB"), Category.TEXT
    )
    assert view.inputs["image_grid_thw"].tolist() == [[1, 4, 14]]
    first = view.inputs["pixel_values"][0].reshape(3, 2, 8, 8)[0, 0]
    torch.testing.assert_close(first, torch.from_numpy(image[:8, :8] / 127.5 - 1).float())


MOST_ERRORS = 0.02  # of two pages 0.4 % when the weights were made; a broken model or processor makes 70 and more


def test_the_shipped_model_reads_pages_it_never_saw(examined: held_out.Examined) -> None:
    sample = as_sample(1)
    assert evaluate.edits(examined.read(sample), sample.text) / len(sample.text) < MOST_ERRORS


def test_it_reads_the_image_and_recites_nothing(examined: held_out.Examined) -> None:
    image, text = sample_page(1)
    _, other = sample_page(2)
    other = other[:150]
    read = examined.read(pages.Sample(image[: image.shape[0] // 4 // 16 * 16], other, [-1] * 150, [], "page", False))
    assert evaluate.edits(read, other) / len(other) > 0.7
    assert evaluate.edits(read, text[: len(read)]) / len(read) < 0.3


def test_starting_where_the_model_disagrees_changes_no_answer(examined: held_out.Examined) -> None:
    """The shortcut of the examination, against plain generation from nothing."""
    image, text = sample_page(2)
    sample = pages.Sample(image[:112], text[:100], [-1] * 100, [], "page", False)
    spoilt = sample.text[: len(sample.text) // 2] + "zz" + sample.text[len(sample.text) // 2 :]
    inputs = examined.inputs(sample)
    examined.model.model.rope_deltas = None
    output = examined.model.generate(**inputs, max_new_tokens=800, do_sample=False)[0, inputs["input_ids"].shape[1] :]
    plain = examined.tokens.decode(output.tolist())
    shortcut = examined.read(pages.Sample(sample.image, spoilt, [-1] * len(spoilt), [], "page", False))
    assert shortcut == plain
