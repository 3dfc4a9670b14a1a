"""Unlimited-OCR as a folder, as it was first published: config, names and files of its own code's form."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest
import torch
import transformers
from PIL import Image
from qwen_folder import SPECIAL, small_tokenizer
from small_models import ARCHITECTURES, IMAGE

from docparse_fast.errors import ModelError
from docparse_fast.speculative.decoding import Speculation
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.targets import open_target
from docparse_fast.targets.decoder.repeats import NoRepeats
from docparse_fast.targets.loading.checkpoint import find
from docparse_fast.targets.loading.weights import no_repeats_of
from docparse_fast.timing import Timer

pytestmark = pytest.mark.skipif(not hasattr(transformers, "UnlimitedOcrConfig"), reason="this transformers lacks it")
TORCHVISION = importlib.util.find_spec("torchvision") is not None
PUBLISHED = {"model_type": "unlimited-ocr", "architectures": ["UnlimitedOCRForCausalLM"]}
CONFIG = {
    **PUBLISHED,
    "language_config": {
        "bos_token_id": 0, "eos_token_id": 1, "first_k_dense_replace": 1, "hidden_size": 1280,
        "intermediate_size": 6848, "kv_lora_rank": None, "max_position_embeddings": 32768,
        "moe_intermediate_size": 896, "n_routed_experts": 64, "n_shared_experts": 2, "num_attention_heads": 10,
        "num_experts_per_tok": 6, "num_hidden_layers": 12, "num_key_value_heads": 10, "use_mla": False,
        "vocab_size": 129280,
    },
    "projector_config": {"input_dim": 2048, "n_embed": 1280, "projector_type": "linear"},
    "vision_config": {"image_size": 1024, "model_name": "deeplip_b_l", "model_type": "vision"},
    "sliding_window": 128,
}  # fmt: skip
BYTES = 6_672_547_120  # of the published weights, 16 bits a number


@pytest.fixture(scope="module")
def weights(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("weights") / "tiny-unlimited"
    model = ARCHITECTURES["unlimited_ocr"].model()
    model.config.text_config.max_position_embeddings = 4096
    model.generation_config.eos_token_id = SPECIAL.index("<|im_end|>")
    model.save_pretrained(folder)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, **PUBLISHED}))
    tokenizer = small_tokenizer()
    tokenizer.save_pretrained(folder)
    renamed = (folder / "tokenizer.json").read_text("utf-8").replace(SPECIAL[IMAGE], "<image>")
    (folder / "tokenizer.json").write_text(renamed)
    return folder


def test_the_published_config_makes_a_model_of_the_published_size(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    config = transformers.UnlimitedOcrConfig.from_pretrained(tmp_path)
    assert (config.text_config.sliding_window, set(config.text_config.layer_types)) == (
        128,
        {"reference_sliding_attention"},
    )
    with torch.device("meta"):
        numbers = sum(part.numel() for part in transformers.UnlimitedOcrForConditionalGeneration(config).parameters())
    assert 0 < BYTES - 2 * numbers < 2_000_000, "the rest is the file's header"


def test_the_makers_rule_against_repeats_is_the_default_and_a_checkpoints_own_comes_first(weights):
    assert find(str(weights)).recipe.name == "unlimited-ocr"
    assert no_repeats_of(find(str(weights))) == NoRepeats(35, window=128)
    settings = weights / "generation_config.json"
    before = settings.read_text("utf-8")
    own = {"no_repeat_ngram_size": 20, "no_repeat_ngram_window_size": 90}
    settings.write_text(json.dumps({**json.loads(before), **own}))
    assert no_repeats_of(find(str(weights))) == NoRepeats(20, window=90)
    settings.write_text(before)


@pytest.mark.skipif(TORCHVISION, reason="torchvision is here")
def test_without_torchvision_the_package_is_named(weights):
    with pytest.raises(ModelError) as caught:
        open_target(str(weights), device="cpu")
    assert caught.value.remedy == "pip install torchvision"


@pytest.mark.skipif(not TORCHVISION, reason="its images are read with torchvision")
def test_a_page_is_asked_for_as_its_makers_do_and_answered_as_generate_does(weights):
    target = open_target(str(weights), device="cpu")
    view = target.page_view(Image.effect_noise((300, 200), 60).convert("RGB"))
    text = target.decode(view.ids.tolist())
    assert text.replace("<image>", "") == "document parsing." and text.startswith("<image>")
    wanted = target.generate(view, 40)
    (one,) = target.decode_rows([Row(view, max_tokens=40)], Speculation(tau=1.0), Timer())
    assert one.tokens == wanted
    assert target.tie_break(view, wanted[:30], 0).best == wanted[30]
