"""SmolDocling and granite-docling as a folder: who is asked in DocTags, and how."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from known import needs_images
from PIL import Image
from qwen_folder import SPECIAL, small_tokenizer
from small_models import ARCHITECTURES

from docparse_fast.errors import ModelError
from docparse_fast.speculative.decoding import Speculation
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.targets import open_target
from docparse_fast.targets.loading.checkpoint import find
from docparse_fast.timing import Timer

pytestmark = needs_images
RENAMED = {
    "<|im_end|>": "<end_of_utterance>",
    "<|image_pad|>": "<image>",
    "<|vision_start|>": "<fake_token_around_image>",
    "<|vision_end|>": "<global-img>",
}
IMAGES = {
    "image_processor_type": "Idefics3ImageProcessor",
    "processor_class": "Idefics3Processor",
    "size": {"longest_edge": 64},
    "max_image_size": {"longest_edge": 32},
    "do_image_splitting": True,
}


@pytest.fixture(scope="module")
def weights(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("weights") / "smoldocling"
    model = ARCHITECTURES["idefics3"].model()
    model.generation_config.eos_token_id = SPECIAL.index("<|im_end|>")
    model.save_pretrained(folder)
    small_tokenizer().save_pretrained(folder)
    (folder / "preprocessor_config.json").write_text(json.dumps(IMAGES))
    (folder / "processor_config.json").write_text(
        json.dumps({"image_seq_len": 4, "processor_class": "Idefics3Processor"})
    )
    for name in ("tokenizer.json", "tokenizer_config.json"):
        text = (folder / name).read_text("utf-8")
        for old, new in RENAMED.items():
            text = text.replace(old, new)
        (folder / name).write_text(text)
    return folder


def test_a_page_is_asked_for_as_its_card_says_and_answered_as_generate_does(weights):
    target = open_target(str(weights), device="cpu")
    view = target.page_view(Image.effect_noise((300, 200), 60).convert("RGB"))
    asked = target.decode(view.ids.tolist())
    assert asked.startswith("<|im_start|>User:<fake_token_around_image>")
    assert asked.endswith("Convert this page to docling.<end_of_utterance>\nAssistant:")
    assert view.inputs["pixel_values"].shape[1] > 1, "a large page is seen in tiles"
    wanted = target.generate(view, 40)
    (one,) = target.decode_rows([Row(view, max_tokens=40)], Speculation(tau=1.0), Timer())
    assert one.tokens == wanted
    assert target.tie_break(view, wanted[:30], 0).best == wanted[30]


def test_another_model_of_the_architecture_is_not_asked_in_doctags(weights, tmp_path):
    other = tmp_path / "my-model"
    other.mkdir()
    (other / "config.json").write_text((weights / "config.json").read_text("utf-8"))
    (other / "model.safetensors").touch()
    with pytest.raises(ModelError, match="can't be a target"):
        find(str(other))
    assert find(str(weights)).recipe.name == "smoldocling"
