"""What the decoder needs from a transformers model: whether it can read trees, how it ends, what it must forget."""

from __future__ import annotations

from typing import Any

from transformers import DynamicCache

from docparse_fast.errors import ModelError
from docparse_fast.targets.decoder.recurrent import HYBRIDS


def refuse_what_trees_break(model: Any) -> None:
    """Raises ModelError unless branches can share what every layer keeps.

    A layer attends to everything kept, at fixed positions, or is one of the recurrent ones that can read trees.
    """
    config = model.config.get_text_config()
    name = config.model_type
    kinds = set(getattr(config, "layer_types", None) or ()) - {"full_attention"}
    if is_hybrid(model):
        kinds -= {"linear_attention"}
    if not kinds and getattr(config, "sliding_window", None) and getattr(config, "use_sliding_window", True):
        kinds = {"sliding_attention"}
    if kinds:
        raise ModelError("unsupported", f"{name} has layers of another kind: {', '.join(sorted(kinds))}")
    ropes = {str(getattr(module, "rope_type", "")) for module in model.model.language_model.modules()}
    # HunyuanOCR's rope is called dynamic but, with its fixed alpha, is static up to the longest row that we allow
    fixed = "alpha" in (getattr(config, "rope_parameters", None) or {})
    moving = [rope for rope in ropes if rope == "longrope" or ("dynamic" in rope and not fixed)]
    if moving:
        raise ModelError("unsupported", f"{name} changes its rotary frequencies with the length ({moving[0]})")


def is_hybrid(model: Any) -> bool:
    """Whether some layers keep a state instead of keys and values."""
    return model.config.get_text_config().model_type in HYBRIDS


def empty_cache(model: Any) -> DynamicCache:
    """A cache of the library's own for one prefill."""
    return DynamicCache(config=model.config.get_text_config()) if is_hybrid(model) else DynamicCache()


def ends_of(model: Any) -> frozenset[int]:
    """The ids that end an answer, from the model's generation config."""
    ends = model.generation_config.eos_token_id
    return frozenset(ends if isinstance(ends, list) else [] if ends is None else [ends])


def forget_rope_deltas(model: Any) -> None:
    """Call before each new prompt: one without an image would get the positions of the last prompt's image."""
    if hasattr(model.model, "rope_deltas"):
        model.model.rope_deltas = None
