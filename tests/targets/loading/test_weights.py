"""A checkpoint is loaded whole or not at all: every tensor has its place, and every place its tensor."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import torch
from dots_models import save_checkpoint, small_model
from safetensors.torch import load_file, save_file
from small_models import ARCHITECTURES
from transformers import (
    Qwen2_5_VLConfig,
    Qwen2_5_VLForConditionalGeneration,
    Qwen3VLConfig,
    Qwen3VLForConditionalGeneration,
)

from docparse_fast.errors import ModelError
from docparse_fast.targets.loading import weights
from docparse_fast.targets.loading.checkpoint import find
from docparse_fast.targets.loading.devices import choose
from docparse_fast.targets.loading.weights import load, penalty_of

CPU = choose("cpu", "float32")


def saved(name: str, folder: Path) -> Path:
    if name == "dots_ocr":
        save_checkpoint(small_model(), folder)
    else:
        ARCHITECTURES[name].model().save_pretrained(folder)
    return folder


@pytest.fixture(scope="module", params=[*ARCHITECTURES, "dots_ocr"])
def whole(request, tmp_path_factory) -> Path:
    name = "smoldocling" if request.param == "idefics3" else "tiny"  # which is asked only by its name
    return saved(request.param, tmp_path_factory.mktemp("weights") / name)


def changed(whole: Path, folder: Path, change) -> Path:
    folder = folder / whole.name
    folder.mkdir(parents=True)
    for path in whole.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def refusal(folder: Path) -> str:
    with pytest.raises(ModelError) as caught:
        load(find(str(folder)), CPU)
    assert caught.value.code == "model_missing"
    assert "\n" not in str(caught.value)
    return str(caught.value)


def weighed(tensors: dict[str, torch.Tensor]) -> tuple[int, float]:
    """How many numbers, and their squares' sum: experts are stored one by one and held together."""
    numbers = torch.cat([tensor.double().flatten() for tensor in tensors.values()])
    return len(numbers), float(numbers.square().sum())


def a_matrix(tensors: dict[str, torch.Tensor]) -> str:
    return max((name for name in tensors if tensors[name].dim() == 2), key=lambda name: ("proj" in name, name))


def test_a_whole_checkpoint_is_loaded_as_it_was_saved(whole):
    stored = load_file(whole / "model.safetensors")
    assert weighed(load(find(str(whole)), CPU).state_dict()) == pytest.approx(weighed(stored))


def test_a_missing_tensor_is_refused(whole, tmp_path):
    """transformers would draw it at random."""
    told = refusal(changed(whole, tmp_path / "less", lambda tensors: tensors.pop(a_matrix(tensors))))
    assert re.search(r"\d missing: ", told) and "unexpected" not in told  # one on disk may be three in the model


def test_an_unknown_tensor_is_refused(whole, tmp_path):
    told = refusal(changed(whole, tmp_path / "more", lambda tensors: tensors.update(adapter=torch.zeros(2))))
    assert "1 unexpected: adapter" in told and "missing" not in told


def test_a_tensor_of_another_shape_is_refused_and_nothing_else_is_said(whole, tmp_path, capfd, caplog):
    def cut(tensors: dict[str, torch.Tensor]) -> None:
        name = a_matrix(tensors)
        tensors[name] = tensors[name][:-1].clone()

    assert "shape" in refusal(changed(whole, tmp_path / "cut", cut))
    assert capfd.readouterr().err == ""
    assert caplog.text == ""  # of its own too, whose stream may have been opened before this test


@pytest.mark.parametrize(
    "error",
    [torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 9 GiB"), RuntimeError("CUDA error: no device\nSee")],
)
def test_a_device_that_cannot_hold_the_weights_is_named_and_they_are_not_blamed(tmp_path, monkeypatch, error):
    def fail(*_: object, **__: object) -> None:
        raise error

    folder = saved("qwen3_vl", tmp_path / "tiny")
    monkeypatch.setattr(torch.nn.Module, "to", fail)
    with pytest.raises(ModelError) as caught:
        load(find(str(folder)), CPU)
    assert caught.value.code == "device_missing"
    assert str(caught.value).startswith("cpu can't hold tiny (CUDA ") and "download" not in str(caught.value)


def test_lightonocr_published_as_another_type_is_loaded_as_what_it_is(tmp_path):
    folder = saved("lighton_ocr", tmp_path / "published")
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "mistral3", "architectures": ["LightOnOCRForConditionalGeneration"]}
    (folder / "config.json").write_text(json.dumps(config))
    model = load(find(str(folder)), CPU)
    assert type(model).__name__ == "LightOnOcrForConditionalGeneration"
    kept = ARCHITECTURES["lighton_ocr"].model().state_dict()
    assert all(torch.equal(tensor, kept[name]) for name, tensor in model.state_dict().items())


# Some names from the published indexes, of the first layer of each kind.
PUBLISHED = {
    "qwen2_5_vl": {
        "model.embed_tokens.weight",
        "model.layers.0.self_attn.q_proj.bias",
        "visual.blocks.0.attn.qkv.weight",
        "visual.blocks.0.mlp.gate_proj.weight",
        "visual.merger.ln_q.weight",
        "visual.patch_embed.proj.weight",
        "lm_head.weight",
    },
    "qwen3_vl": {
        "model.visual.patch_embed.proj.weight",
        "model.visual.patch_embed.proj.bias",
        "model.visual.pos_embed.weight",
        "model.visual.blocks.0.attn.qkv.bias",
        "model.visual.blocks.0.mlp.linear_fc2.weight",
        "model.language_model.layers.0.self_attn.q_norm.weight",
        "model.language_model.layers.0.mlp.gate_proj.weight",
        "model.language_model.norm.weight",
        "lm_head.weight",
    },
    "deepseek_ocr2": {
        "model.sam_model.pos_embed",
        "model.sam_model.patch_embed.proj.weight",
        "model.sam_model.blocks.0.attn.rel_pos_h",
        "model.sam_model.blocks.0.mlp.lin1.weight",
        "model.sam_model.neck.0.weight",
        "model.sam_model.neck.3.bias",
        "model.sam_model.net_2.weight",
        "model.qwen2_model.model.model.layers.0.self_attn.q_proj.bias",
        "model.qwen2_model.model.model.layers.0.mlp.down_proj.weight",
        "model.layers.2.mlp.experts.3.gate_proj.weight",
        "model.layers.2.mlp.experts.3.down_proj.weight",
        "model.layers.2.post_attention_layernorm.weight",
    },
    "unlimited_ocr": {
        "model.sam_model.blocks.0.attn.qkv.weight",
        "model.vision_model.transformer.layers.0.self_attn.qkv_proj.weight",
        "model.projector.layers.weight",
        "model.view_seperator",
        "model.embed_tokens.weight",
        "model.layers.0.self_attn.q_proj.weight",
    },
    "qwen3_5": {
        "model.language_model.layers.0.linear_attn.in_proj_qkv.weight",
        "model.language_model.layers.0.linear_attn.A_log",
        "model.language_model.layers.3.self_attn.q_proj.weight",
        "model.language_model.norm.weight",
        "model.visual.blocks.0.attn.qkv.weight",
        "model.visual.blocks.0.mlp.linear_fc1.weight",
        "model.visual.patch_embed.proj.weight",
        "lm_head.weight",
    },
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_tensors_are_stored_by_their_published_names(name, tmp_path):
    """`test_a_whole_checkpoint_is_loaded_as_it_was_saved` reads them back."""
    assert load_file(saved(name, tmp_path / "tiny") / "model.safetensors").keys() >= PUBLISHED[name]


def test_qwen2_5_vl_has_as_many_tensors_and_numbers_as_its_published_index():
    """The index of Qwen2.5-VL-7B, olmOCR's base, has 729 names and says 16,584,333,312 bytes."""
    text = {"vocab_size": 152064, "hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": 28}
    text |= {"num_attention_heads": 28, "num_key_value_heads": 4}
    vision = {"hidden_size": 1280, "intermediate_size": 3420, "out_hidden_size": 3584}
    with torch.device("meta"):
        model = Qwen2_5_VLForConditionalGeneration(Qwen2_5_VLConfig(text_config=text, vision_config=vision))
    tensors = model.state_dict()
    assert (len(tensors), 2 * sum(tensor.numel() for tensor in tensors.values())) == (729, 16_584_333_312)


def test_qwen3_vl_has_as_many_numbers_as_its_published_index():
    """The index of Qwen3-VL-8B says 17,534,247,392 bytes."""
    text = {"vocab_size": 151936, "hidden_size": 4096, "intermediate_size": 12288, "num_hidden_layers": 36}
    text |= {"num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128}
    vision = {"depth": 27, "hidden_size": 1152, "intermediate_size": 4304, "num_heads": 16, "out_hidden_size": 4096}
    vision |= {"num_position_embeddings": 2304, "deepstack_visual_indexes": [8, 16, 24], "patch_size": 16}
    with torch.device("meta"):
        model = Qwen3VLForConditionalGeneration(
            Qwen3VLConfig(text_config=text, vision_config=vision, tie_word_embeddings=False)
        )
    assert 2 * sum(tensor.numel() for tensor in model.state_dict().values()) == 17_534_247_392


def test_an_architecture_that_this_transformers_lacks_is_named(tmp_path, monkeypatch):
    """Its KeyError was said to be the weights' fault."""
    folder = saved("unlimited_ocr", tmp_path / "tiny")
    monkeypatch.setattr(weights, "CLASSES", {})
    with pytest.raises(ModelError) as caught:
        load(find(str(folder)), CPU)
    assert "has no unlimited_ocr, the architecture of tiny" in str(caught.value)
    assert caught.value.remedy == "pip install 'transformers>=5.23'"


def test_a_hybrids_own_draft_head_is_left_alone(tmp_path):
    """Published checkpoints of Qwen3.5 have one, which transformers does not build."""
    own = changed(
        saved("qwen3_5", tmp_path / "tiny"),
        tmp_path / "published",
        lambda tensors: tensors.update({"mtp.fc.weight": torch.zeros(2, 2), "mtp.norm.weight": torch.zeros(2)}),
    )
    assert type(load(find(str(own)), CPU)).__name__ == "Qwen3_5ForConditionalGeneration"


def test_the_penalty_is_the_checkpoints_own_or_its_makers(tmp_path):
    for name, settings, penalty in (("a", {}, 1.08), ("b", {"repetition_penalty": 1.03}, 1.03)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "config.json").write_text(json.dumps({"model_type": "hunyuan_vl"}))
        (folder / "model.safetensors").write_bytes(b"")
        (folder / "generation_config.json").write_text(json.dumps(settings))
        assert penalty_of(find(str(folder))) == penalty
