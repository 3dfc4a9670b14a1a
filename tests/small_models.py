"""Random small models of the real architectures, and views for them. Knows transformers' classes, not our engine.

Weights are drawn so that greedy answers are diverse: a model with default initialisation falls into a loop of one or
two tokens, and then a wrong cache or mask changes nothing that a test could see.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import pytest
import torch
import transformers

from docparse_fast.targets.decoder.vlm import View

VOCABULARY = 320
IMAGE, BEGIN, END = 3, 4, 5  # placeholder, and what stands around it
TEXT = range(8, VOCABULARY)  # ids that prompts are made of

_TEXT = {
    "vocab_size": VOCABULARY,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 1024,
    "pad_token_id": 0,
    "eos_token_id": None,
    "bos_token_id": None,
}
_MROPE = {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [4, 2, 2]}


@dataclass(frozen=True)
class Architecture:
    name: str
    build: Callable[[], torch.nn.Module]
    image: Callable[[torch.Generator], tuple[int, dict[str, torch.Tensor]]]  # placeholders, inputs

    def model(self, seed: int = 0) -> torch.nn.Module:
        torch.manual_seed(seed)
        model = self.build().eval()
        _draw_weights(model, seed)
        model.generation_config.eos_token_id = None
        model.generation_config.pad_token_id = 0
        return model

    def view(self, length: int, seed: int) -> View:
        """An image within `length` ids of text."""
        random = torch.Generator().manual_seed(seed)
        placeholders, inputs = self.image(random)
        text = torch.randint(TEXT.start, TEXT.stop, (length,), generator=random).tolist()
        ids = [*text[:3], BEGIN, *[IMAGE] * placeholders, END, *text[3:]]
        ids = torch.tensor([ids])
        kinds = {"mm_token_type_ids": (ids == IMAGE).int()} if "image_grid_thw" in inputs else {}
        return View({"input_ids": ids, "attention_mask": torch.ones_like(ids), **kinds, **inputs}, seed=seed)


def _draw_weights(model: torch.nn.Module, seed: int) -> None:
    torch.manual_seed(seed)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if not any(part in name for part in ("language_model", "text_model", "lm_head")):
                weight.normal_(0, 0.5 / math.sqrt(weight[0].numel()) if weight.dim() > 1 else 0.3)
            elif "norm" in name:
                weight.normal_(2.5 if "q_norm" in name or "k_norm" in name else 1.0, 0.1)
            elif "embed_tokens" in name:
                weight.normal_()
            elif "A_log" in name:
                weight.normal_(-3.0, 0.5)  # states last for tens of tokens
            elif weight.dim() == 1:
                weight.normal_(0, 0.1)
            else:
                weight.normal_(0, _gain(name) / math.sqrt(weight.shape[-1]))


def _gain(name: str) -> float:
    if "lm_head" in name:
        return 3.0
    if "q_proj" in name or "k_proj" in name:
        return 1.6
    if "v_proj" in name or "o_proj" in name:
        return 0.7
    return 1.7


def _patches(random: torch.Generator, grid: tuple[int, int], size: int) -> dict[str, torch.Tensor]:
    height, width = grid
    return {
        "pixel_values": torch.randn(height * width, size, generator=random),
        "image_grid_thw": torch.tensor([[1, height, width]]),
    }


def _grid(random: torch.Generator) -> tuple[int, int]:
    height, width = (2 * int(torch.randint(2, 6, (), generator=random)) for _ in range(2))
    return height, width


def _qwen3_vl() -> torch.nn.Module:
    vision = transformers.Qwen3VLConfig().vision_config.__class__(
        depth=2, hidden_size=32, intermediate_size=48, num_heads=2, patch_size=8, out_hidden_size=64,
        num_position_embeddings=16, deepstack_visual_indexes=[0, 1],
    )  # fmt: skip
    text = {**_TEXT, "head_dim": 16, "rope_parameters": {**_MROPE, "mrope_interleaved": True}}
    config = transformers.Qwen3VLConfig(
        text_config=text, vision_config=vision.to_dict(), image_token_id=IMAGE, video_token_id=1,
        vision_start_token_id=BEGIN, vision_end_token_id=END, tie_word_embeddings=False,
    )  # fmt: skip
    return transformers.Qwen3VLForConditionalGeneration(config)


def _qwen3_vl_image(random: torch.Generator) -> tuple[int, dict[str, torch.Tensor]]:
    grid = _grid(random)
    return grid[0] * grid[1] // 4, _patches(random, grid, 3 * 2 * 8 * 8)


def _qwen2_5_vl() -> torch.nn.Module:
    # windows of two merged patches a side, so that images have several, whole and cut ones
    config = transformers.Qwen2_5_VLConfig(
        text_config={**_TEXT, "rope_parameters": _MROPE},
        vision_config={
            "depth": 3, "hidden_size": 32, "intermediate_size": 48, "num_heads": 2, "patch_size": 8,
            "window_size": 32, "fullatt_block_indexes": [1], "out_hidden_size": 64,
        },
        image_token_id=IMAGE, video_token_id=1, vision_start_token_id=BEGIN, vision_end_token_id=END,
        tie_word_embeddings=False,
    )  # fmt: skip
    return transformers.Qwen2_5_VLForConditionalGeneration(config)


def _qwen2_vl() -> torch.nn.Module:
    config = transformers.Qwen2VLConfig(
        text_config={**_TEXT, "rope_parameters": _MROPE},
        vision_config={
            "depth": 2, "embed_dim": 32, "hidden_size": 64, "mlp_ratio": 2, "num_heads": 2, "patch_size": 8,
        },
        image_token_id=IMAGE, video_token_id=1, vision_start_token_id=BEGIN, vision_end_token_id=END,
        tie_word_embeddings=False,
    )  # fmt: skip
    return transformers.Qwen2VLForConditionalGeneration(config)


def _qwen3_5() -> torch.nn.Module:
    return transformers.Qwen3_5ForConditionalGeneration(transformers.Qwen3_5Config(**_hybrid()))


def _qwen3_5_moe() -> torch.nn.Module:
    experts = {
        "num_experts": 4,
        "num_experts_per_tok": 2,
        "moe_intermediate_size": 32,
        "shared_expert_intermediate_size": 32,
    }
    return transformers.Qwen3_5MoeForConditionalGeneration(transformers.Qwen3_5MoeConfig(**_hybrid(**experts)))


def _hybrid(**more: object) -> dict[str, object]:
    # two value heads for each key head, as in the larger models
    text = {
        **_TEXT, "num_hidden_layers": 4, "head_dim": 16, "layer_types": [*["linear_attention"] * 3, "full_attention"],
        "linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 16, "linear_value_head_dim": 16,
        "rope_parameters": {
            "rope_type": "default", "rope_theta": 10000.0, "mrope_section": [2, 1, 1], "mrope_interleaved": True,
            "partial_rotary_factor": 0.5,
        }, **more,
    }  # fmt: skip
    return {
        "text_config": text,
        "vision_config": {
            "depth": 2, "hidden_size": 32, "intermediate_size": 48, "num_heads": 2, "patch_size": 8,
            "out_hidden_size": 64, "num_position_embeddings": 16,
        },
        "image_token_id": IMAGE, "video_token_id": 1, "vision_start_token_id": BEGIN, "vision_end_token_id": END,
        "tie_word_embeddings": False,
    }  # fmt: skip


def _hunyuan_vl() -> torch.nn.Module:
    # the checkpoint's rope: a fixed alpha under the name "dynamic"
    rope = {
        "rope_type": "dynamic",
        "alpha": 1000.0,
        "factor": 1.0,
        "rope_theta": 10000.0,
        "mrope_section": [2, 2, 2, 2],
    }
    config = transformers.HunYuanVLConfig(
        text_config={**_TEXT, "head_dim": 16, "rope_parameters": rope, "tie_word_embeddings": False},
        vision_config={
            "hidden_size": 32, "intermediate_size": 48, "num_attention_heads": 2, "num_hidden_layers": 2,
            "patch_size": 8, "max_image_size": 64, "out_hidden_size": 64,
        },
        image_token_id=IMAGE, im_start_id=BEGIN, im_end_id=END, im_newline_id=6, tie_word_embeddings=False,
    )  # fmt: skip
    return transformers.HunYuanVLForConditionalGeneration(config)


def _hunyuan_vl_image(random: torch.Generator) -> tuple[int, dict[str, torch.Tensor]]:
    height, width = _grid(random)
    return height // 2 * (width // 2 + 1) + 2, _patches(random, (height, width), 3 * 8 * 8)


def _paddleocr_vl() -> torch.nn.Module:
    config = transformers.PaddleOCRVLConfig(
        text_config={**_TEXT, "head_dim": 16, "rope_parameters": _MROPE, "tie_word_embeddings": False},
        vision_config={
            "hidden_size": 32, "intermediate_size": 48, "num_attention_heads": 2, "num_hidden_layers": 2,
            "patch_size": 8, "image_size": 64,
        },
        image_token_id=IMAGE, video_token_id=1, vision_start_token_id=BEGIN, vision_end_token_id=END,
        tie_word_embeddings=False,
    )  # fmt: skip
    return transformers.PaddleOCRVLForConditionalGeneration(config)


def _paddleocr_vl_image(random: torch.Generator) -> tuple[int, dict[str, torch.Tensor]]:
    height, width = _grid(random)
    return height * width // 4, {
        "pixel_values": torch.randn(height * width, 3, 8, 8, generator=random),
        "image_grid_thw": torch.tensor([[1, height, width]]),
    }


def _glm_ocr() -> torch.nn.Module:
    config = transformers.GlmOcrConfig(
        text_config={**_TEXT, "head_dim": 16, "rope_parameters": {**_MROPE, "partial_rotary_factor": 1.0}},
        vision_config={
            "depth": 2, "hidden_size": 32, "intermediate_size": 48, "num_heads": 2, "patch_size": 8,
            "out_hidden_size": 64, "image_size": 64,
        },
        image_token_id=IMAGE, video_token_id=1, image_start_token_id=BEGIN, image_end_token_id=END,
        video_start_token_id=6, video_end_token_id=7, tie_word_embeddings=False,
    )  # fmt: skip
    return transformers.GlmOcrForConditionalGeneration(config)


def _got_ocr2() -> torch.nn.Module:
    config = transformers.GotOcr2Config(
        text_config={**_TEXT, "model_type": "qwen2", "tie_word_embeddings": False, "use_sliding_window": False},
        vision_config={
            "hidden_size": 32, "output_channels": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
            "image_size": 128, "patch_size": 16, "window_size": 4, "global_attn_indexes": [1], "mlp_dim": 48,
        },
        image_token_index=IMAGE, tie_word_embeddings=False,
    )  # fmt: skip
    return transformers.GotOcr2ForConditionalGeneration(config)


def _got_ocr2_image(random: torch.Generator) -> tuple[int, dict[str, torch.Tensor]]:
    return 4, {"pixel_values": torch.randn(1, 3, 128, 128, generator=random)}


def _lighton_ocr() -> torch.nn.Module:
    text = {**_TEXT, "model_type": "qwen3", "head_dim": 16, "tie_word_embeddings": False}
    config = transformers.LightOnOcrConfig(
        text_config=text,
        vision_config={
            "model_type": "pixtral", "hidden_size": 32, "intermediate_size": 48, "num_attention_heads": 2,
            "head_dim": 16, "num_hidden_layers": 2, "patch_size": 8, "image_size": 128,
        },
        image_token_id=IMAGE, tie_word_embeddings=False,
    )  # fmt: skip
    return transformers.LightOnOcrForConditionalGeneration(config)


def _lighton_ocr_image(random: torch.Generator) -> tuple[int, dict[str, torch.Tensor]]:
    height, width = _grid(random)
    return height * width // 4, {
        "pixel_values": torch.randn(1, 3, 8 * height, 8 * width, generator=random),
        "image_sizes": torch.tensor([[8 * height, 8 * width]]),
    }


def _deepseek_ocr2() -> torch.nn.Module:
    small = {"num_hidden_layers": 2, "num_attention_heads": 2, "hidden_size": 32}
    config = transformers.DeepseekOcr2Config(
        text_config={
            **_TEXT, "moe_intermediate_size": 48, "n_routed_experts": 4, "n_shared_experts": 1,
            "num_experts_per_tok": 2, "mlp_layer_types": ["dense", "sparse", "sparse"],
        },
        vision_config={
            "sam_config": {
                **small, "output_channels": 16, "image_size": 128, "patch_size": 16, "window_size": 4,
                "global_attn_indexes": [1], "downsample_channels": [24, 32],
            },
            "encoder_config": {
                **small, "num_key_value_heads": 2, "intermediate_size": 48, "max_window_layers": 2,
                "vocab_size": VOCABULARY,
            },
        },
        image_token_id=IMAGE, tie_word_embeddings=False,
    )  # fmt: skip
    return transformers.DeepseekOcr2ForConditionalGeneration(config)


def _deepseek_ocr2_image(random: torch.Generator) -> tuple[int, dict[str, torch.Tensor]]:
    return 145, {"pixel_values": torch.randn(1, 3, 128, 128, generator=random)}


def _unlimited_ocr() -> torch.nn.Module:
    if not hasattr(transformers, "UnlimitedOcrConfig"):
        pytest.skip("this transformers has no Unlimited-OCR")
    # a window that answers outgrow, and trees too
    small = {"num_hidden_layers": 2, "num_attention_heads": 2, "hidden_size": 32}
    config = transformers.UnlimitedOcrConfig(
        text_config={
            **_TEXT, "num_key_value_heads": 4, "moe_intermediate_size": 48, "n_routed_experts": 4,
            "n_shared_experts": 2, "num_experts_per_tok": 2, "mlp_layer_types": ["dense", "sparse", "sparse"],
            "sliding_window": 12,
        },
        vision_config={
            "sam_config": {
                **small, "output_channels": 16, "image_size": 128, "patch_size": 16, "window_size": 4,
                "global_attn_indexes": [1], "downsample_channels": [24, 32],
            },
            "encoder_config": {**small, "intermediate_size": 48, "image_size": 32, "patch_size": 16},
        },
        image_token_id=IMAGE, tie_word_embeddings=False,
    )  # fmt: skip
    return transformers.UnlimitedOcrForConditionalGeneration(config)


def _unlimited_ocr_image(random: torch.Generator) -> tuple[int, dict[str, torch.Tensor]]:
    """A view of the whole page, and two tiles of it."""
    pixels, tiles = torch.randn(1, 3, 128, 128, generator=random), torch.randn(2, 3, 128, 128, generator=random)
    sizes = {"num_local_patches": [2], "patches_grid": [[2, 1]]}
    return 17, {"pixel_values": pixels, "pixel_values_local": tiles, **sizes}


def _idefics3() -> torch.nn.Module:
    config = transformers.Idefics3Config(
        text_config={**_TEXT, "model_type": "llama", "tie_word_embeddings": False},
        vision_config={
            "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 2,
            "image_size": 32, "patch_size": 8,
        },
        image_token_id=IMAGE, scale_factor=2, tie_word_embeddings=False, pad_token_id=0,
    )  # fmt: skip
    return transformers.Idefics3ForConditionalGeneration(config)


def _idefics3_image(random: torch.Generator) -> tuple[int, dict[str, torch.Tensor]]:
    """Two tiles of a page, the second half paper, and the whole of it."""
    mask = torch.ones(1, 3, 32, 32, dtype=torch.long)
    mask[0, 1, 16:] = 0
    return 12, {"pixel_values": torch.randn(1, 3, 3, 32, 32, generator=random), "pixel_attention_mask": mask}


ARCHITECTURES = {
    architecture.name: architecture
    for architecture in (
        Architecture("qwen3_vl", _qwen3_vl, _qwen3_vl_image),
        Architecture("qwen2_5_vl", _qwen2_5_vl, _qwen3_vl_image),
        Architecture("qwen2_vl", _qwen2_vl, _qwen3_vl_image),
        Architecture("qwen3_5", _qwen3_5, _qwen3_vl_image),
        Architecture("qwen3_5_moe", _qwen3_5_moe, _qwen3_vl_image),
        Architecture("hunyuan_vl", _hunyuan_vl, _hunyuan_vl_image),
        Architecture("paddleocr_vl", _paddleocr_vl, _paddleocr_vl_image),
        Architecture("glm_ocr", _glm_ocr, _qwen3_vl_image),
        Architecture("got_ocr2", _got_ocr2, _got_ocr2_image),
        Architecture("lighton_ocr", _lighton_ocr, _lighton_ocr_image),
        Architecture("deepseek_ocr2", _deepseek_ocr2, _deepseek_ocr2_image),
        Architecture("unlimited_ocr", _unlimited_ocr, _unlimited_ocr_image),
        Architecture("idefics3", _idefics3, _idefics3_image),
    )
}
