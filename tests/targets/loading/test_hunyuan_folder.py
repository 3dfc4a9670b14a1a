"""HunyuanOCR as a folder: asked as its makers ask it, also where its tokenizer doesn't name the image's tokens."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from drawn_heads import save_dflash
from known import needs_images
from PIL import Image
from qwen_folder import SPECIAL, small_tokenizer
from small_models import ARCHITECTURES, BEGIN, END, IMAGE
from transformers import AutoProcessor

from docparse_fast.errors import ModelError
from docparse_fast.opening import open_target_of
from docparse_fast.options import ParseOptions, TargetOptions
from docparse_fast.speculative.decoding import Speculation
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.targets import open_target
from docparse_fast.targets.loading import processing
from docparse_fast.timing import Timer

pytestmark = needs_images
CHAT = (
    "{% for message in messages %}[{{ message.role }}]{% if message.content is string %}{{ message.content }}{% else %}"
    "{% for part in message.content %}{% if part.type == 'image' %}"
    f"{SPECIAL[BEGIN]}{SPECIAL[IMAGE]}{SPECIAL[END]}"
    "{% else %}{{ part.text }}{% endif %}{% endfor %}{% endif %}{% endfor %}"
)
NAMES = {"image_token": SPECIAL[IMAGE], "image_start_token": SPECIAL[BEGIN], "image_end_token": SPECIAL[END]}


def saved(folder: Path, names: dict[str, str]) -> Path:
    model = ARCHITECTURES["hunyuan_vl"].model()
    model.generation_config.eos_token_id = SPECIAL.index("<|im_end|>")
    model.config.text_config.max_position_embeddings = 2048
    model.save_pretrained(folder)
    tokenizer = small_tokenizer(extra_special_tokens=names)
    tokenizer.chat_template = CHAT
    tokenizer.save_pretrained(folder)
    image = {
        "image_processor_type": "HunYuanVLImageProcessor",
        "processor_class": "HunYuanVLProcessor",
        "patch_size": 8,
        "merge_size": 2,
        "temporal_patch_size": 1,
        "min_pixels": 256,
        "max_pixels": 16384,
    }
    (folder / "preprocessor_config.json").write_text(json.dumps(image))
    return folder


@pytest.fixture(params=["named", "unnamed"])
def weights(request, tmp_path) -> Path:
    return saved(tmp_path / "tiny-hunyuan", NAMES if request.param == "named" else {})


def test_without_the_names_transformers_alone_reads_no_image(tmp_path):
    with pytest.raises(ValueError, match="missing required attribute 'image_token'"):
        AutoProcessor.from_pretrained(saved(tmp_path / "unnamed", {}))


def test_a_transformers_that_reads_images_with_torchvision_only_is_named(tmp_path, monkeypatch):
    """5.17 does; its message began with an empty line, and told to download the model again."""

    def refuse(*_: object, **__: object) -> None:
        raise ImportError("\nAutoImageProcessor requires the Torchvision library but it was not found")

    for kind in (processing.AutoProcessor, processing.AutoImageProcessor):
        monkeypatch.setattr(kind, "from_pretrained", refuse)
    with pytest.raises(ModelError) as caught:
        processing.open_processor(saved(tmp_path / "mine", NAMES), "hunyuan_vl")
    assert caught.value.remedy == "pip install torchvision, or 'transformers>=5.23'"


def test_its_question_follows_an_empty_system_message(weights):
    target = open_target(str(weights), device="cpu")
    view = target.page_view(Image.new("RGB", (96, 64), "white"))
    prompt = target.decode(view.ids.tolist())
    assert prompt.startswith("[system][user]<|vision_start|><|image_pad|>")
    assert len(target.generate(view, 4)) == 4


def test_it_decodes_with_its_makers_settings_unless_told_otherwise(weights):
    by_default, by_hand = (open_target(str(weights), device="cpu", repetition_penalty=each) for each in (None, 1.0))
    assert (by_default.decoder.decoding.repetition_penalty, by_hand.decoder.decoding.repetition_penalty) == (1.08, 1.0)
    assert by_default.longest == 16_384


def test_its_drafter_is_opened_with_it_and_changes_no_answer(tmp_path):
    """Its folder has a program beside the weights, which is not run."""
    folder = save_dflash(saved(tmp_path / "tiny-hunyuan", NAMES))
    target, alone = (
        open_target_of(ParseOptions(target=TargetOptions(str(folder), "cpu", "float32", draft_model=model)))[0]
        for model in ("", "none")
    )
    page = Image.effect_noise((96, 64), 90).convert("RGB")
    found = []
    for model in (target, alone):
        view = model.page_view(page)
        row = Row(view, max_tokens=40, drafting=model.page_drafting(page, view))
        found += model.decode_rows([row], Speculation(1.0), Timer())
    assert found[0].tokens == found[1].tokens
    assert found[0].model is not None and not found[0].model.failure
    assert found[1].model is None
