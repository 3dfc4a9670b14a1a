"""dots.ocr's architecture, written natively: its tensors, their names and their use. Knows no prompt and no answer.

A Qwen2 text model (transformers' own) reads the page through a vision tower (ours). Image tokens have ordinary
consecutive positions, without a rope delta. Weights are read from safetensors by name, and every name must be known;
no code of the checkpoint is ever run.

    model = load_model(folder, dtype=torch.bfloat16)
    inputs = DotsOcrProcessor.from_folder(folder)(image, conversation)
    model.generate(**inputs, max_new_tokens=4096)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np
import torch
from PIL import Image
from safetensors import safe_open
from torch import Tensor, nn
from transformers import GenerationConfig, PreTrainedTokenizerFast, Qwen2Config, Qwen2Model
from transformers.configuration_utils import PretrainedConfig
from transformers.generation import GenerationMixin
from transformers.modeling_outputs import CausalLMOutputWithPast
from transformers.modeling_utils import PreTrainedModel

from docparse_fast.errors import ModelError
from docparse_fast.targets.decoder.cache_names import CACHE
from docparse_fast.targets.dialects.dots_ocr import resized_size
from docparse_fast.targets.models.dots_ocr_vision import DotsVisionConfig, VisionTower

CLIP_MEAN = (0.48145466, 0.4578275, 0.40821073)
CLIP_STD = (0.26862954, 0.26130258, 0.27577711)

# ---------------------------------------------------------------------------------------------- configuration


class DotsOcrConfig(Qwen2Config):  # type: ignore[misc]
    """The text model's settings are at the top level of config.json, the tower's under `vision_config`."""

    model_type = "dots_ocr"
    vision_config: dict[str, Any] | PretrainedConfig | None = None
    image_token_id: int = 151665
    video_token_id: int = 151656

    def __post_init__(self, **kwargs: Any) -> None:
        if not isinstance(self.vision_config, PretrainedConfig):
            self.vision_config = DotsVisionConfig(**(self.vision_config or {}))
        super().__post_init__(**kwargs)


# ------------------------------------------------------------------------------------------------- the model


class DotsOcrPreTrainedModel(PreTrainedModel):  # type: ignore[misc]
    config_class = DotsOcrConfig
    base_model_prefix = "model"
    input_modalities = ("image", "text")
    _supports_sdpa = True
    _supports_flash_attn = True
    _supports_flex_attn = True
    _supports_attention_backend = True
    _can_compile_fullgraph = True
    _skip_keys_device_placement = (CACHE,)


class DotsOcrModel(DotsOcrPreTrainedModel):
    base_model_prefix = ""

    def __init__(self, config: DotsOcrConfig) -> None:
        super().__init__(config)
        self.vision_tower = VisionTower(cast(DotsVisionConfig, config.vision_config))
        self.language_model = Qwen2Model(config)
        self.post_init()

    def get_input_embeddings(self) -> nn.Module:
        return cast(nn.Module, self.language_model.get_input_embeddings())

    def set_input_embeddings(self, value: nn.Module) -> None:
        self.language_model.set_input_embeddings(value)

    def embed(self, input_ids: Tensor, pixel_values: Tensor | None, image_grid_thw: Tensor | None) -> Tensor:
        """Token embeddings, with the tower's output in place of the image tokens."""
        embeddings: Tensor = self.get_input_embeddings()(input_ids)
        if pixel_values is None or image_grid_thw is None:
            return embeddings
        seen = self.vision_tower(pixel_values, image_grid_thw).to(embeddings.dtype)
        places = input_ids == self.config.image_token_id
        if int(places.sum()) != len(seen):
            raise ValueError(f"the prompt has {int(places.sum())} image tokens, the image makes {len(seen)}")
        return embeddings.masked_scatter(places[..., None], seen)

    def forward(
        self,
        input_ids: Tensor | None = None,
        pixel_values: Tensor | None = None,
        image_grid_thw: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        **text: Any,
    ) -> Any:
        if inputs_embeds is None:
            inputs_embeds = self.embed(cast(Tensor, input_ids), pixel_values, image_grid_thw)
        return self.language_model(inputs_embeds=inputs_embeds, **text)


class DotsOcrForConditionalGeneration(DotsOcrPreTrainedModel, GenerationMixin):  # type: ignore[misc]
    _tied_weights_keys: ClassVar[dict[str, str]] = {"lm_head.weight": "model.language_model.embed_tokens.weight"}

    def __init__(self, config: DotsOcrConfig) -> None:
        super().__init__(config)
        self.model = DotsOcrModel(config)
        self.lm_head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)
        self.post_init()

    def get_input_embeddings(self) -> nn.Module:
        return self.model.get_input_embeddings()

    def set_input_embeddings(self, value: nn.Module) -> None:
        self.model.set_input_embeddings(value)

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        pixel_values: Tensor | None = None,
        image_grid_thw: Tensor | None = None,
        use_cache: bool | None = None,
        logits_to_keep: int | Tensor = 0,
        return_dict: bool | None = None,
        **text: Any,
    ) -> CausalLMOutputWithPast:
        output = self.model(
            input_ids=input_ids,
            pixel_values=pixel_values,
            image_grid_thw=image_grid_thw,
            inputs_embeds=inputs_embeds,
            attention_mask=attention_mask,
            position_ids=position_ids,
            use_cache=use_cache,
            **text,
        )
        kept = slice(-logits_to_keep, None) if isinstance(logits_to_keep, int) else logits_to_keep
        return CausalLMOutputWithPast(
            logits=self.lm_head(output.last_hidden_state[:, kept]),
            **{CACHE: getattr(output, CACHE)},
        )


# --------------------------------------------------------------------------------------------------- weights


def published_name(name: str) -> str:
    """The checkpoint's name of the parameter that our modules call `name`.

    >>> published_name("model.language_model.layers.0.mlp.up_proj.weight")
    'model.layers.0.mlp.up_proj.weight'
    >>> published_name("model.vision_tower.post_trunk_norm.weight")
    'vision_tower.post_trunk_norm.weight'
    """
    return name.replace("model.language_model.", "model.", 1).replace("model.vision_tower.", "vision_tower.", 1)


def read_config(folder: Path) -> DotsOcrConfig:
    stored = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config: DotsOcrConfig = DotsOcrConfig.from_dict(stored)
    tower = config.vision_config
    for name, wanted in (("post_norm", True), ("temporal_patch_size", 1)):
        if getattr(tower, name) != wanted:
            raise ModelError(
                "model_missing",
                f"{folder} has vision_config.{name} = {getattr(tower, name)!r}, and only {wanted!r} is known",
                remedy="use a checkpoint of rednote-hilab/dots.ocr",
            )
    return config


def load_model(
    folder: Path, *, dtype: torch.dtype = torch.float32, device: str | torch.device = "cpu"
) -> DotsOcrForConditionalGeneration:
    """Loads a checkpoint's model; raises ModelError if a tensor is missing, unknown or of the wrong shape."""
    config = read_config(folder)
    with torch.device("meta"):  # random values would only be overwritten
        model: DotsOcrForConditionalGeneration = DotsOcrForConditionalGeneration(config)
    ours = {published_name(name): name for name in model.state_dict()}
    if config.tie_word_embeddings:
        ours.pop("lm_head.weight")
    tensors = {name: tensor.to(device=device, dtype=dtype) for name, tensor in _stored_tensors(folder)}
    _check_names(folder, ours.keys(), tensors.keys())
    shapes = {name: parameter.shape for name, parameter in model.state_dict().items()}
    _check_shapes(folder, {name: (shapes[ours[name]], tensor.shape) for name, tensor in tensors.items()})
    model.load_state_dict({ours[name]: tensor for name, tensor in tensors.items()}, assign=True, strict=False)
    if config.tie_word_embeddings:
        model.lm_head.weight = cast(nn.Embedding, model.get_input_embeddings()).weight
    # The rotary table is computed, not stored, so the meta device left it empty.
    text = model.model.language_model
    text.rotary_emb = type(text.rotary_emb)(config).to(device)
    if (folder / "generation_config.json").is_file():
        model.generation_config = GenerationConfig.from_pretrained(folder)
    model.eval()
    return model


def _stored_tensors(folder: Path) -> Iterator[tuple[str, Tensor]]:
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise ModelError("model_missing", f"{folder} holds no .safetensors file", remedy="download the weights again")
    for file in files:
        with safe_open(file, framework="pt") as stored:
            for name in stored.keys():  # noqa: SIM118 - not a mapping: it can't be iterated
                yield name, stored.get_tensor(name)


def _check_names(folder: Path, expected: Iterable[str], stored: Iterable[str]) -> None:
    expected, stored = set(expected), set(stored)
    faults = [
        f"{len(names)} {kind}: {', '.join(sorted(names)[:8])}{', ...' if len(names) > 8 else ''}"
        for kind, names in (("missing", expected - stored), ("unexpected", stored - expected))
        if names
    ]
    if faults:
        raise ModelError(
            "model_missing",
            f"the tensors of {folder} are not dots.ocr's ({'; '.join(faults)})",
            remedy="download the weights again, or use a checkpoint of rednote-hilab/dots.ocr",
        )


def _check_shapes(folder: Path, shapes: dict[str, tuple[torch.Size, torch.Size]]) -> None:
    for name, (expected, stored) in sorted(shapes.items()):
        if expected != stored:
            raise ModelError(
                "model_missing",
                f"{name} of {folder} has the shape {tuple(stored)}, and config.json asks for {tuple(expected)}",
                remedy="download the weights and the config from the same revision",
            )


# ---------------------------------------------------------------------------------------------------- inputs


def image_patches(image: Image.Image, size: tuple[int, int], patch: int, merge: int) -> tuple[Tensor, tuple[int, int]]:
    """The image at `size` (width, height) as flattened, normalised patches, and its patch rows and columns.

    Always uses Pillow: another library's resampling would give other bytes.
    """
    resized = _on_white(image).resize(size, Image.Resampling.BICUBIC)
    pixels = np.asarray(resized, dtype=np.float32) / 255
    pixels = (pixels - np.asarray(CLIP_MEAN, dtype=np.float32)) / np.asarray(CLIP_STD, dtype=np.float32)
    rows, columns = size[1] // patch, size[0] // patch
    grouped = pixels.reshape(rows // merge, merge, patch, columns // merge, merge, patch, 3)
    # (row group, column group, row in group, column in group, channel, y, x)
    patches = grouped.transpose(0, 3, 1, 4, 6, 2, 5).reshape(rows * columns, 3 * patch * patch)
    return torch.from_numpy(np.ascontiguousarray(patches)), (rows, columns)


def _on_white(image: Image.Image) -> Image.Image:
    if image.mode not in ("RGBA", "LA", "PA"):
        return image.convert("RGB")
    white = Image.new("RGBA", image.size, (255, 255, 255, 255))
    return Image.alpha_composite(white, image.convert("RGBA")).convert("RGB")


class DotsOcrProcessor:
    """Turns one image and one text into the inputs of the model's `forward` and `generate`.

    The text is the whole conversation with one `<|imgpad|>` for the image, which is repeated as often as needed.
    """

    image_token = "<|imgpad|>"
    patch_size = 14
    merge_size = 2

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer

    @classmethod
    def from_folder(cls, folder: Path) -> DotsOcrProcessor:
        if not (folder / "tokenizer.json").is_file():
            raise ModelError("model_missing", f"{folder} holds no tokenizer.json", remedy="download the model again")
        return cls(PreTrainedTokenizerFast.from_pretrained(folder, local_files_only=True))

    def __call__(self, image: Image.Image, text: str) -> dict[str, Tensor]:
        size = resized_size(image.width, image.height)
        patches, (rows, columns) = image_patches(image, size, self.patch_size, self.merge_size)
        tokens = rows * columns // self.merge_size**2
        expanded = text.replace(self.image_token, self.image_token * tokens, 1)
        input_ids = torch.tensor([self.tokenizer(expanded, add_special_tokens=False)["input_ids"]])
        return {
            "input_ids": input_ids,
            "attention_mask": torch.ones_like(input_ids),
            "pixel_values": patches,
            "image_grid_thw": torch.tensor([[1, rows, columns]]),
        }
