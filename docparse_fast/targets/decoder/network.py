"""What the decoder needs from a transformers model: whether it can read trees, how it ends, what it must forget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from transformers import DynamicCache

from docparse_fast.errors import ModelError
from docparse_fast.targets.decoder.recurrent import HYBRIDS
from docparse_fast.targets.decoder.sampling import Decoding

WINDOWED = frozenset({"unlimited_ocr_text"})  # text models whose tokens see the prompt and the last tokens


def text_model_of(model: Any) -> Any:
    """The layers that read tokens, without the head; Idefics3 has them under another name than all others."""
    return getattr(model.model, "language_model", None) or model.model.text_model


def refuse_what_trees_break(model: Any) -> None:
    """Raises ModelError unless branches can share what every layer keeps.

    A layer attends to everything kept, at fixed positions, or is one of the recurrent ones that can read trees, or has
    a window on the answer that leaves the prompt in sight.
    """
    config = model.config.get_text_config()
    name = config.model_type
    kinds = set(getattr(config, "layer_types", None) or ()) - {"full_attention"}
    if is_hybrid(model):
        kinds -= {"linear_attention"}
    if window_of(model) is not None:
        kinds = set()
    elif not kinds and getattr(config, "sliding_window", None) and getattr(config, "use_sliding_window", True):
        kinds = {"sliding_attention"}
    if kinds:
        raise ModelError("unsupported", f"{name} has layers of another kind: {', '.join(sorted(kinds))}")
    ropes = {str(getattr(module, "rope_type", "")) for module in text_model_of(model).modules()}
    # HunyuanOCR's rope is called dynamic but, with its fixed alpha, is static up to the longest row that we allow
    fixed = "alpha" in (getattr(config, "rope_parameters", None) or {})
    moving = [rope for rope in ropes if rope == "longrope" or ("dynamic" in rope and not fixed)]
    if moving:
        raise ModelError("unsupported", f"{name} changes its rotary frequencies with the length ({moving[0]})")


def hold_rope(language_model: Any) -> None:
    """A rope called dynamic looks at its positions in every pass, which a GPU must be waited for; ours never change."""
    for part in language_model.modules():
        if "dynamic" in str(getattr(part, "rope_type", "")):
            part.rope_type = "default"


def is_hybrid(model: Any) -> bool:
    """Whether some layers keep a state instead of keys and values."""
    return model.config.get_text_config().model_type in HYBRIDS


def window_of(model: Any) -> int | None:
    """How many of the last tokens a token of an answer sees beside the whole prompt; None: all."""
    config = model.config.get_text_config()
    if config.model_type not in WINDOWED or set(config.layer_types) != {"reference_sliding_attention"}:
        return None
    return int(config.sliding_window)


def empty_cache(model: Any) -> DynamicCache:
    """A cache of the library's own for one prefill."""
    return DynamicCache(config=model.config.get_text_config()) if is_hybrid(model) else DynamicCache()


def reading_cache(model: Any, prompt: int) -> DynamicCache | None:
    """What a forward pass over prompt and answer at once needs to see what decoding sees; None: nothing."""
    if window_of(model) is None:
        return None
    cache = DynamicCache(config=model.config.get_text_config())
    for layer in cache.layers:
        layer.set_prefill_length(prompt)
    return cache


def follow(model: Any, decoding: Decoding) -> None:
    """Makes the model's own generate() write nothing that we may not."""
    rule = decoding.no_repeats
    model.generation_config.no_repeat_ngram_size = rule.size if rule else None
    if rule and rule.window:  # only Unlimited-OCR's generate() knows it
        model.generation_config.no_repeat_ngram_window_size = rule.window


def inputs_for(model: Any, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """On the model's device, and pixels in its dtype: some vision towers take no other."""
    return {name: _moved(part, model) for name, part in inputs.items()}


def _moved(part: Any, model: Any) -> Any:
    if isinstance(part, torch.Tensor) and part.is_floating_point():
        return part.to(model.device, model.dtype)
    return part.to(model.device) if hasattr(part, "to") else part  # some processors give lists of sizes too


def ends_of(model: Any) -> frozenset[int]:
    """The ids that end an answer, from the model's generation config."""
    ends = model.generation_config.eos_token_id
    return frozenset(ends if isinstance(ends, list) else [] if ends is None else [ends])


def forget_rope_deltas(model: Any) -> None:
    """Call before each new prompt: one without an image would get the positions of the last prompt's image."""
    if hasattr(model.model, "rope_deltas"):
        model.model.rope_deltas = None
