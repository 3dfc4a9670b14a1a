"""Folders of fine-tunes: asked in their makers' order, shown as many pixels as they are, and exact in our decoder."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from known import FLAT, needs_images
from PIL import Image
from qwen_folder import CHAT, SPECIAL, small_tokenizer
from small_models import ARCHITECTURES, IMAGE

from docparse_fast.speculative.candidates import TokenDraft
from docparse_fast.speculative.decoding import Speculation
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.targets import open_target
from docparse_fast.targets.loading.checkpoint import NAME_KEY
from docparse_fast.targets.loading.document_model import DocumentModel
from docparse_fast.timing import Timer

pytestmark = needs_images
PROCESSORS = {"qwen3_5": "Qwen3VLProcessor", "qwen2_5_vl": "Qwen2_5_VLProcessor"}
UNTHINKING = "{% if enable_thinking is defined and not enable_thinking %}<no thoughts>{% endif %}"
PATCH, MERGED = 8, 4
TOKENS = 24


def saved(folder: Path, architecture: str, target: str) -> Path:
    model = ARCHITECTURES[architecture].model()
    model.generation_config.eos_token_id = SPECIAL.index("<|im_end|>")
    model.config.text_config.max_position_embeddings = 8192
    model.save_pretrained(folder)
    tokenizer = small_tokenizer()
    tokenizer.chat_template = CHAT + UNTHINKING
    tokenizer.save_pretrained(folder)
    image = {
        "image_processor_type": "Qwen2VLImageProcessor",
        "processor_class": PROCESSORS[architecture],
        "patch_size": PATCH,
        "merge_size": 2,
        "temporal_patch_size": 2,
        "size": {"shortest_edge": 256, "longest_edge": 16384},
    }
    (folder / "preprocessor_config.json").write_text(json.dumps(image))
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, NAME_KEY: target}))
    return folder


def opened(tmp_path: Path, architecture: str, target: str) -> DocumentModel:
    return open_target(str(saved(tmp_path / "tiny", architecture, target)), device="cpu", dtype="float32")


def asked(target: DocumentModel, size: tuple[int, int]) -> tuple[str, int]:
    """The conversation with one mark for the image, and the pixels of the image."""
    inputs = target.page_view(Image.new("RGB", size, "white")).inputs
    text = target.decode(inputs["input_ids"][0].tolist())
    pixels = int(math.prod(inputs["image_grid_thw"][0].tolist())) * PATCH**2
    pad = SPECIAL[IMAGE]
    assert text.count(pad) == pixels // PATCH**2 // MERGED
    return text.replace(pad * text.count(pad), pad), pixels


def test_olmocr_is_asked_before_its_image(tmp_path):
    text, _ = asked(opened(tmp_path, "qwen2_5_vl", "olmocr-2"), (96, 64))
    assert text.index("Attached is one page") < text.index("<|image_pad|>")
    assert "<|im_start|>user\n" in text and "<no thoughts>" not in text


def test_nanonets_has_its_system_message(tmp_path):
    target = opened(tmp_path, "qwen2_5_vl", "nanonets-ocr2")
    target._tokenizer.chat_template = "{% for message in messages %}[{{ message.role }}]{% endfor %}<|image_pad|>"
    assert asked(target, (96, 64))[0] == "[system][user]<|image_pad|>"


@pytest.mark.parametrize(("size", "pixels"), [((96, 64), 448**2), ((640, 480), 640 * 480)])
def test_ovis_does_not_think_and_sees_as_many_pixels_as_its_makers_show_it(tmp_path, size, pixels):
    text, seen = asked(opened(tmp_path, "qwen3_5", "ovis-ocr2"), size)
    assert text.endswith("<|im_start|>assistant\n<no thoughts>")
    assert seen == pytest.approx(pixels, rel=0.1)


@pytest.mark.parametrize(("architecture", "target"), [("qwen2_5_vl", "olmocr-2"), ("qwen3_5", "ovis-ocr2")])
def test_a_folders_answers_are_those_of_its_own_generate(tmp_path, architecture, target):
    model = opened(tmp_path, architecture, target)
    model.decoder._costs = FLAT
    view = model.page_view(Image.effect_noise((96, 64), 60).convert("RGB"))
    expected = model.generate(view, TOKENS)
    spoilt = (*expected[:7], 9, *expected[8:])
    (one,) = model.decode_rows(
        [Row(view, [TokenDraft(spoilt, 0)], max_tokens=TOKENS)], Speculation(tau=1.0, widest=16), Timer()
    )
    assert one.tokens == expected
    assert len(one.steps) < len(expected) / 2
