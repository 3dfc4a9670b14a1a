"""Models that people ask for and that can't be a target here: the reason, and the nearest one that can. Knows names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from docparse_fast.errors import ModelError

_LINEAR = "its linear-attention layers are not those of Qwen3.5, the only ones that can read draft trees"
_SLIDING = "its layers attend to a sliding window, which the branches of a draft tree would break"
_UNASKED = "docparse-fast doesn't know how it is asked and how it answers"
_REMOTE = "its architecture is code of its own, which is never run"


@dataclass(frozen=True, slots=True)
class Unusable:
    reason: str
    nearest: str  # a name of the catalogue

    def error(self, named: str) -> ModelError:
        return ModelError("unsupported", f"{named} can't be a target: {self.reason}", remedy=f"try {self.nearest}")


BY_MODEL_TYPE: Mapping[str, Unusable] = {
    "qwen3_next": Unusable(_LINEAR, "qwen3.5-35b-a3b"),
    "minicpm_ocr": Unusable(_UNASKED, "ovis-ocr2"),
    "gemma3": Unusable(_SLIDING, "qwen3-vl-8b"),
    "qwen3_vl_moe": Unusable(_UNASKED, "qwen3-vl-8b"),
    "mistral3": Unusable(_UNASKED, "lighton-ocr"),
    "idefics3": Unusable(_UNASKED, "qwen3-vl-2b"),
    "smolvlm": Unusable(_UNASKED, "qwen3-vl-2b"),
    "granite_docling": Unusable(_UNASKED, "qwen3-vl-2b"),
    "qianfan_ocr": Unusable(_UNASKED, "qwen3-vl-8b"),
    "internvl": Unusable(_UNASKED, "qwen3-vl-8b"),
    "internvl_chat": Unusable(_REMOTE, "qwen3-vl-8b"),
    "minicpmv": Unusable(_REMOTE, "qwen3-vl-8b"),
    "GOT": Unusable(_REMOTE, "got-ocr2"),
    "deepseek_vl_v2": Unusable(_REMOTE, "deepseek-ocr2"),
    "vision-encoder-decoder": Unusable("its answer is written by another kind of decoder", "lighton-ocr"),
    "florence2": Unusable("its answer is written by another kind of decoder", "lighton-ocr"),
}

_ASKED_OTHERWISE = Unusable(_UNASKED, "olmocr-2")  # fine-tunes of an architecture that is known, with other prompts

# What stands in the names that models are asked for by, hub ids included; the first that fits counts.
_BY_NAME: Mapping[str, Unusable] = {
    "infinity-parser2": Unusable(_UNASKED, "ovis-ocr2"),
    "ovisocr3": Unusable(_UNASKED, "ovis-ocr2"),
    "oxr-1": Unusable(_REMOTE, "ovis-ocr2"),
    "nemotron": Unusable(_UNASKED, "chandra-ocr-2"),
    "qwen3-next": BY_MODEL_TYPE["qwen3_next"],
    "surya": Unusable(_UNASKED, "chandra-ocr-2"),
    "minicpm-ocr": BY_MODEL_TYPE["minicpm_ocr"],
    "minicpm": BY_MODEL_TYPE["minicpmv"],
    "olmocr-7b": _ASKED_OTHERWISE,
    "rolmocr": _ASKED_OTHERWISE,
    "granite-for-docling": BY_MODEL_TYPE["granite_docling"],
    "granite-vision": BY_MODEL_TYPE["granite_docling"],
    "nougat": BY_MODEL_TYPE["vision-encoder-decoder"],
    "monkeyocr": _ASKED_OTHERWISE,
    "internvl": BY_MODEL_TYPE["internvl"],
}
_EARLIER = {"datalab-to/chandra": Unusable(_UNASKED, "chandra-ocr-2")}
_PUBLISHED_AS_CODE = {"deepseek-ai/deepseek-ocr": "deepseek-ocr2", "stepfun-ai/got-ocr2_0": "got-ocr2"}


def refuse_name(name: str) -> None:
    """Raises ModelError for a name or hub id that is known to be unusable, before anything is downloaded.

    >>> refuse_name("datalab-to/chandra")
    Traceback (most recent call last):
    docparse_fast.errors.ModelError: datalab-to/chandra can't be a target: docparse-fast doesn't know how it is asked \
and how it answers; try chandra-ocr-2
    """
    lower = name.lower()
    if lower in _PUBLISHED_AS_CODE:
        raise Unusable(_REMOTE, _PUBLISHED_AS_CODE[lower]).error(name)
    found = _EARLIER.get(lower) or next((unusable for part, unusable in _BY_NAME.items() if part in lower), None)
    if found is not None:
        raise found.error(name)


def refuse_config(named: str, config: Mapping[str, Any]) -> None:
    """Raises ModelError for a checkpoint that is known to be unusable."""
    kind = str(config.get("model_type", ""))
    if kind in BY_MODEL_TYPE:
        raise BY_MODEL_TYPE[kind].error(f"{named} ({kind})")


def refuse_quantized(named: str, config: Mapping[str, Any]) -> None:
    quantized = config.get("quantization_config")
    if quantized:
        method = quantized.get("quant_method", "quantized") if isinstance(quantized, Mapping) else "quantized"
        raise ModelError(
            "unsupported",
            f"{named} can't be a target: its weights are quantized ({method}), and only plain ones are read",
            remedy="take the checkpoint that it was made from",
        )
