"""dots.ocr's architecture, compared with other implementations and with the published names."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from PIL import Image
from safetensors.torch import load_file, save_file
from transformers import Qwen2Config, Qwen2ForCausalLM
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil, smart_resize

from docparse_fast.document import Category
from docparse_fast.errors import ModelError
from docparse_fast.speculative.candidates import TokenDraft
from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.targets import open_target
from docparse_fast.targets.decoder.vlm import View, VisionLanguageTarget
from docparse_fast.targets.dialects.dots_ocr import FACTOR, MAX_PIXELS, MIN_PIXELS, DotsOcrDialect, resized_size
from docparse_fast.targets.models.dots_ocr import (
    DotsOcrConfig,
    DotsOcrForConditionalGeneration,
    DotsOcrProcessor,
    image_patches,
    load_model,
    published_name,
)
from docparse_fast.targets.models.dots_ocr_vision import DotsVisionConfig, VisionTower
from tests.targets import record_dots_vision as recording
from tests.targets.dots_models import CONFIG, published_tensors, save_checkpoint, small_model

RECORDED = Path(__file__).parents[1] / "data" / "dots_vision.json"
ROUNDING = 2e-5  # float32 in another order of operations, and six recorded digits


@pytest.fixture(scope="module")
def model():
    return small_model()


@pytest.fixture
def page():
    gradient = Image.linear_gradient("L").resize((150, 90))
    return Image.merge("RGB", [gradient, gradient.rotate(180), gradient.transpose(Image.Transpose.FLIP_LEFT_RIGHT)])


# ------------------------------------------------------------------------------------ against other implementations


def test_the_text_part_is_qwen2(model):
    qwen = Qwen2ForCausalLM(Qwen2Config.from_dict({**CONFIG, "model_type": "qwen2"})).eval()
    names = {name: tensor for name, tensor in published_tensors(model).items() if not name.startswith("vision_tower")}
    qwen.load_state_dict(names)
    ids = torch.randint(0, 250, (2, 40), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        assert torch.allclose(model(input_ids=ids).logits, qwen(input_ids=ids).logits, atol=1e-5)


def _tower_as_recorded():
    tower = VisionTower(DotsVisionConfig(**recording.VISION))
    drawn = {name: recording.drawn(name, tuple(tensor.shape)) for name, tensor in tower.state_dict().items()}
    tower.load_state_dict({name: torch.from_numpy(value) for name, value in drawn.items()})
    with torch.no_grad():
        return tower, tower(torch.from_numpy(recording.patches()).float(), torch.tensor(recording.GRIDS))


def test_the_vision_tower_sees_what_mlx_vlm_saw():
    recorded = json.loads(RECORDED.read_text())
    tower, seen = _tower_as_recorded()
    assert sorted(tower.state_dict()) == recorded["names"]
    assert torch.allclose(seen, torch.tensor(recorded["tokens"]), atol=ROUNDING)


@pytest.mark.independent
def test_mlx_vlm_still_sees_it(tmp_path):
    """pip install 'mlx[cpu]' mlx-vlm numpy, here or in an environment whose Python DOCPARSE_MLX_PYTHON names."""
    python = os.environ.get("DOCPARSE_MLX_PYTHON", sys.executable)
    if subprocess.run([python, "-c", "import mlx_vlm"], capture_output=True).returncode:
        pytest.skip("needs mlx-vlm: pip install 'mlx[cpu]' mlx-vlm, or DOCPARSE_MLX_PYTHON=/path/to/such/a/python")
    subprocess.run([python, recording.__file__, tmp_path / "seen.json"], check=True)
    fresh = json.loads((tmp_path / "seen.json").read_text())
    assert torch.allclose(_tower_as_recorded()[1], torch.tensor(fresh["tokens"]), atol=ROUNDING)


@pytest.mark.parametrize("size", [(150, 90), (28, 28), (61, 400), (1000, 33)])
def test_patches_are_those_of_the_qwen2_vl_image_processor(size):
    image = Image.effect_noise(size, 80).convert("RGB")
    theirs = Qwen2VLImageProcessorPil(min_pixels=MIN_PIXELS, max_pixels=MAX_PIXELS, temporal_patch_size=1)
    expected = theirs(images=[image], return_tensors="pt")
    patches, grid = image_patches(image, resized_size(*size), 14, 2)
    assert (1, *grid) == tuple(expected["image_grid_thw"][0].tolist())
    assert torch.allclose(patches, expected["pixel_values"], atol=1e-5)


def test_resized_sizes_are_those_of_smart_resize():
    sides = [28, 41, 57, 300, 999, 1654, 2339, 5000, 9999]
    for width in sides:
        for height in sides:
            if max(width, height) < 200 * min(width, height):
                rows, columns = smart_resize(height, width, FACTOR, MIN_PIXELS, MAX_PIXELS)
                assert resized_size(width, height) == (columns, rows)


@pytest.mark.parametrize("size", [(1, 1), (5, 900), (12, 12), (20000, 30000)])
def test_any_image_becomes_whole_tokens_within_the_limits(size):
    columns, rows = resized_size(*size)
    assert columns % FACTOR == rows % FACTOR == 0
    assert min(columns, rows) >= FACTOR
    assert MIN_PIXELS <= columns * rows <= MAX_PIXELS


def test_transparent_images_stand_on_white():
    clear = Image.new("RGBA", (56, 56), (0, 0, 0, 0))
    white = Image.new("RGB", (56, 56), "white")
    assert torch.equal(image_patches(clear, (56, 56), 14, 2)[0], image_patches(white, (56, 56), 14, 2)[0])


# ------------------------------------------------------------------------------------------------ published names


def _published():
    """The 643 tensors of rednote-hilab/dots.ocr: names and shapes as public ports list them from its index."""
    wide, kv, inner, vocabulary, tower, merged = 1536, 256, 8960, 151936, 4224, 6144
    names = {
        "model.embed_tokens.weight": (vocabulary, wide),
        "model.norm.weight": (wide,),
        "lm_head.weight": (vocabulary, wide),
        "vision_tower.patch_embed.patchifier.proj.weight": (wide, 3, 14, 14),
        "vision_tower.patch_embed.patchifier.proj.bias": (wide,),
        "vision_tower.patch_embed.patchifier.norm.weight": (wide,),
        "vision_tower.post_trunk_norm.weight": (wide,),
        "vision_tower.merger.ln_q.weight": (wide,),
        "vision_tower.merger.ln_q.bias": (wide,),
        "vision_tower.merger.mlp.0.weight": (merged, merged),
        "vision_tower.merger.mlp.0.bias": (merged,),
        "vision_tower.merger.mlp.2.weight": (wide, merged),
        "vision_tower.merger.mlp.2.bias": (wide,),
    }
    text = {
        "self_attn.q_proj.weight": (wide, wide),
        "self_attn.q_proj.bias": (wide,),
        "self_attn.k_proj.weight": (kv, wide),
        "self_attn.k_proj.bias": (kv,),
        "self_attn.v_proj.weight": (kv, wide),
        "self_attn.v_proj.bias": (kv,),
        "self_attn.o_proj.weight": (wide, wide),
        "mlp.gate_proj.weight": (inner, wide),
        "mlp.up_proj.weight": (inner, wide),
        "mlp.down_proj.weight": (wide, inner),
        "input_layernorm.weight": (wide,),
        "post_attention_layernorm.weight": (wide,),
    }
    vision = {
        "attn.qkv.weight": (3 * wide, wide),
        "attn.proj.weight": (wide, wide),
        "mlp.fc1.weight": (tower, wide),
        "mlp.fc2.weight": (wide, tower),
        "mlp.fc3.weight": (tower, wide),
        "norm1.weight": (wide,),
        "norm2.weight": (wide,),
    }
    names |= {f"model.layers.{n}.{name}": shape for n in range(28) for name, shape in text.items()}
    names |= {f"vision_tower.blocks.{n}.{name}": shape for n in range(42) for name, shape in vision.items()}
    return names


def test_at_full_size_the_tensors_are_the_published_ones():
    full = {
        **CONFIG,
        "hidden_size": 1536,
        "intermediate_size": 8960,
        "num_attention_heads": 12,
        "num_hidden_layers": 28,
        "vocab_size": 151936,
        "vision_config": {
            **CONFIG["vision_config"],
            "embed_dim": 1536,
            "hidden_size": 1536,
            "intermediate_size": 4224,
            "num_hidden_layers": 42,
            "num_attention_heads": 12,
        },
    }
    with torch.device("meta"):
        model = DotsOcrForConditionalGeneration(DotsOcrConfig.from_dict(full))
    ours = {published_name(name): tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    assert len(_published()) == 643
    assert ours == _published()


# ------------------------------------------------------------------------------------------------------- writing


def _inputs(model, page):
    patches, (rows, columns) = image_patches(page, resized_size(*page.size), 14, 2)
    pad = model.config.image_token_id
    ids = torch.tensor([[3, 4, *[pad] * (rows * columns // 4), 5, 6, 7]])
    return {
        "input_ids": ids,
        "attention_mask": torch.ones_like(ids),
        "pixel_values": patches,
        "image_grid_thw": torch.tensor([[1, rows, columns]]),
    }


def test_generate_writes_what_whole_passes_write(model, page):
    """Greedy with a cache, against a fresh pass over everything for each token; diverse, or it would prove nothing."""
    inputs = _inputs(model, page)
    with torch.no_grad():
        written = model.generate(**inputs, max_new_tokens=24, do_sample=False)
        ids = inputs["input_ids"]
        for _ in range(24):
            step = {**inputs, "input_ids": ids, "attention_mask": torch.ones_like(ids)}
            ids = torch.cat([ids, model(**step).logits[:, -1:].argmax(-1)], dim=1)
    assert written.tolist() == ids.tolist()
    assert len(set(written[0, inputs["input_ids"].shape[1] :].tolist())) > 12


def test_the_image_decides_what_is_written(model, page):
    inputs = _inputs(model, page)
    blank = {**inputs, "pixel_values": torch.zeros_like(inputs["pixel_values"])}
    answers = [model.generate(**view, max_new_tokens=12, do_sample=False).tolist() for view in (inputs, blank)]
    assert answers[0] != answers[1]


def test_two_images_side_by_side_are_seen_as_each_alone(model, page):
    one, other = _inputs(model, page), _inputs(model, page.transpose(Image.Transpose.FLIP_LEFT_RIGHT))
    both = {name: torch.cat([one[name], other[name]]) for name in one}
    with torch.no_grad():
        together = model(**both).logits
        for n, alone in enumerate((one, other)):
            assert torch.allclose(together[n], model(**alone).logits[0], atol=1e-4)


def test_only_the_last_logits_are_made_when_only_they_are_asked_for(model, page):
    inputs = _inputs(model, page)
    with torch.no_grad():
        whole, last = model(**inputs).logits, model(**inputs, logits_to_keep=1).logits
    assert last.shape[1] == 1
    assert torch.allclose(whole[:, -1:], last, atol=1e-5)


def test_image_tokens_that_do_not_fit_the_image_are_refused(model, page):
    inputs = _inputs(model, page)
    with pytest.raises(ValueError, match="image tokens"):
        model(**{**inputs, "input_ids": inputs["input_ids"][:, :-4], "attention_mask": None})


def test_the_parts_have_the_names_that_the_engine_uses(model):
    assert model.model.language_model.layers[0].self_attn is not None
    assert model.lm_head.out_features == model.config.get_text_config().vocab_size
    assert model.get_input_embeddings() is model.model.language_model.embed_tokens


@pytest.mark.parametrize("wrong", [0.0, 0.2])
def test_the_engine_writes_what_generate_writes(page, wrong):
    """Two rows of different lengths, each with its own answer as draft, in which some tokens were changed."""
    model = small_model()  # its own: the engine gives the text part another attention
    views = [_inputs(model, page), _inputs(model, page.rotate(90, expand=True))]
    answers = [
        model.generate(**view, max_new_tokens=40, do_sample=False)[0, view["input_ids"].shape[1] :] for view in views
    ]
    noise = random.Random(0)
    drafts = [
        [noise.randrange(250) if noise.random() < wrong else token for token in answer.tolist()] for answer in answers
    ]
    costs = CostTable(rows=(1, 2), widths=(1, 64), costs=((1.0, 1.0), (1.0, 1.0)))  # width is free: trees are used
    target = VisionLanguageTarget(model, slots=2, eos=frozenset(), costs=costs)
    rows = [
        Row(View(view), [TokenDraft(draft, 0)], max_tokens=40, name=n)
        for n, (view, draft) in enumerate(zip(views, drafts, strict=True))
    ]
    for decoded in spec_decode(target, rows, Speculation(tau=1)):
        assert list(decoded.tokens) == answers[decoded.row.name].tolist()
        assert len(decoded.steps) < 30


# ------------------------------------------------------------------------------------------------------- loading


@pytest.fixture
def folder(tmp_path, model):
    save_checkpoint(model, tmp_path / "dots")
    return tmp_path / "dots"


def test_a_checkpoint_comes_back_as_it_was_saved(folder, model, page):
    loaded = load_model(folder)
    inputs = _inputs(model, page)
    with torch.no_grad():
        assert torch.equal(loaded(**inputs).logits, model(**inputs).logits)
    assert loaded.generation_config.eos_token_id == [256, 263]


def test_rope_and_tower_settings_come_from_the_checkpoints_config(folder):
    config = load_model(folder).config
    assert config.rope_parameters["rope_theta"] == 1_000_000
    assert config.vision_config.num_hidden_layers == 2


def test_weights_in_several_files_are_one_checkpoint(folder, model, page):
    tensors = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = sorted(tensors)
    save_file({name: tensors[name] for name in names[::2]}, folder / "model-00001-of-00002.safetensors")
    save_file({name: tensors[name] for name in names[1::2]}, folder / "model-00002-of-00002.safetensors")
    with torch.no_grad():
        assert torch.equal(load_model(folder)(**_inputs(model, page)).logits, model(**_inputs(model, page)).logits)


def test_weights_load_in_the_width_asked_for(folder, model, page):
    """And the answer is near that of full width: rotary angles and norms are not computed in eight bits."""
    loaded = load_model(folder, dtype=torch.bfloat16)
    assert {parameter.dtype for parameter in loaded.parameters()} == {torch.bfloat16}
    inputs = _inputs(model, page)
    with torch.no_grad():
        seen, exact = (
            part.model.vision_tower(inputs["pixel_values"], inputs["image_grid_thw"]).float()
            for part in (loaded, model)
        )
    assert torch.nn.functional.cosine_similarity(seen.flatten(), exact.flatten(), dim=0) > 0.999


def test_tied_embeddings_need_no_head_of_their_own(tmp_path, page):
    tied = small_model(tie_word_embeddings=True)
    tied.lm_head.weight = tied.get_input_embeddings().weight
    save_checkpoint(tied, tmp_path)
    loaded = load_model(tmp_path)
    assert loaded.lm_head.weight is loaded.get_input_embeddings().weight
    with torch.no_grad():
        assert torch.equal(loaded(**_inputs(tied, page)).logits, tied(**_inputs(tied, page)).logits)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda tensors: tensors.pop("vision_tower.merger.mlp.2.bias"),
            r"1 missing: vision_tower\.merger\.mlp\.2\.bias",
        ),
        (lambda tensors: tensors.update(extra=torch.ones(1)), "1 unexpected: extra"),
        (
            lambda tensors: tensors.update({"model.norm.weight": torch.ones(3)}),
            r"model\.norm\.weight .* \(3,\).*\(64,\)",
        ),
    ],
    ids=["missing", "unexpected", "misshapen"],
)
def test_every_tensor_is_accounted_for(folder, change, said):
    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors")
    with pytest.raises(ModelError, match=said) as raised:
        load_model(folder)
    assert raised.value.code == "model_missing"


def test_a_folder_without_weights_is_said_to_be_so(folder):
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"no \.safetensors file"):
        load_model(folder)


def test_a_tower_of_another_kind_is_refused(folder):
    config = json.loads((folder / "config.json").read_text())
    config["vision_config"]["temporal_patch_size"] = 2
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelError, match="temporal_patch_size = 2"):
        load_model(folder)


def test_code_that_comes_with_a_checkpoint_is_never_run(folder):
    (folder / "modeling_dots_ocr.py").write_text("raise SystemExit('remote code ran')")
    load_model(folder)
    DotsOcrProcessor.from_folder(folder)


# -------------------------------------------------------------------------------------------------------- inputs


def test_the_prompt_holds_one_token_for_each_four_patches(folder, page):
    inputs = DotsOcrProcessor.from_folder(folder)(page, DotsOcrDialect().conversation.format(prompt="Go."))
    rows, columns = inputs["image_grid_thw"][0, 1:].tolist()
    special = {name: 256 + n for n, name in enumerate(["end", "img", "pad", "endimg", "user", "enduser", "assistant"])}
    ids = inputs["input_ids"][0].tolist()
    tokens = rows * columns // 4
    assert ids[: tokens + 3] == [special["user"], special["img"], *[special["pad"]] * tokens, special["endimg"]]
    assert ids[tokens + 3 :][3:] == [special["enduser"], special["assistant"]]
    assert inputs["pixel_values"].shape == (rows * columns, 588)


def test_a_folder_of_dots_ocr_opens_as_a_target(folder, page):
    """By its path alone; the answer is expected to end as the chat template ends one, not as the tokenizer says."""
    target = open_target(str(folder), device="cpu", dtype="float32")
    assert isinstance(target.dialect, DotsOcrDialect)
    assert target.decoder.eos == {256, 263}
    assert target.decode([target.end]) == ""
    assert target.end == 263  # <|endofassistant|>
    assert target.region_view(page, Category.FIGURE) is None
    view = target.page_view(page)
    assert target.generate(view, 8) == tuple(
        load_model(folder).generate(**view.inputs, max_new_tokens=8, do_sample=False)[0, len(view.ids) :].tolist()
    )


def test_what_the_processor_makes_the_model_takes(folder, page):
    inputs = DotsOcrProcessor.from_folder(folder)(page, DotsOcrDialect().conversation.format(prompt="Go."))
    written = load_model(folder).generate(**inputs, max_new_tokens=5, do_sample=False)
    assert written.shape[1] > inputs["input_ids"].shape[1]
