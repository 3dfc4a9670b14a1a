"""Loads a checkpoint's weights, all of them and no others. Knows transformers' classes and safetensors; reads no image.

transformers draws a tensor that a checkpoint lacks at random and goes on, and then the model reads nothing or writes
nonsense. So a missing tensor, an unknown one, or one of another shape is refused, for every target.
"""

from __future__ import annotations

import json
import logging
from typing import Any

import torch
import transformers
from safetensors import SafetensorError
from transformers.models.auto.modeling_auto import MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES as CLASSES

from docparse_fast.errors import ModelError
from docparse_fast.targets.decoder.repeats import NoRepeats
from docparse_fast.targets.loading.checkpoint import Checkpoint
from docparse_fast.targets.loading.devices import Choice
from docparse_fast.targets.models.dots_ocr import load_model

SHOWN = 3  # names in a message
UNREADABLE = (OSError, ValueError, KeyError, RuntimeError, AttributeError, TypeError, SafetensorError)


def _is_no_table(record: logging.LogRecord) -> bool:
    """What its table of tensors says is said below, in one line."""
    return "LOAD REPORT" not in record.getMessage()


def load(where: Checkpoint, choice: Choice) -> Any:
    transformers.utils.logging.disable_progress_bar()
    logging.getLogger("transformers.integrations.hub_kernels").setLevel(logging.ERROR)  # passes don't use its kernels
    logging.getLogger("transformers.modeling_rope_utils").setLevel(logging.ERROR)  # doubts keys that models' code reads
    logging.getLogger("transformers.modeling_utils").addFilter(
        _is_no_table
    )  # a level would make it check more, and say so
    try:
        if where.recipe.model_type == "dots_ocr":
            return load_model(where.folder, dtype=choice.dtype, device=choice.device)
        kind = _class_of(where)
        model, found = kind.from_pretrained(
            where.folder,
            config=_config_of(where, kind),
            dtype=choice.dtype,
            use_safetensors=True,
            local_files_only=True,
            trust_remote_code=False,
            ignore_mismatched_sizes=True,  # they are refused below, in one line
            output_loading_info=True,
        )
        _refuse_other_tensors(where, found)
        return model.to(choice.device).eval()
    except ModelError:
        raise
    except UNREADABLE as error:
        _refuse_device(where, choice, error)
        raise ModelError(
            "model_missing",
            f"{where.folder} can't be loaded ({(str(error).splitlines() or [''])[0][:160]})",
            remedy="download the model again",
        ) from error


def _refuse_device(where: Checkpoint, choice: Choice, error: Exception) -> None:
    """Raises ModelError if it was the device that failed: then the weights are as they should be."""
    if isinstance(error, torch.OutOfMemoryError) or str(error).startswith(("CUDA error", "HIP error")):
        raise ModelError(
            "device_missing",
            f"{choice.device} can't hold {where.name} ({str(error).splitlines()[0][:160]})",
            remedy="choose a smaller --target, another --device, or end what else runs there",
        ) from error


def penalty_of(where: Checkpoint) -> float:
    """The repetition penalty that the checkpoint's own settings ask for, else the one that its makers use."""
    try:
        return float(_settings(where)["repetition_penalty"])
    except (ValueError, KeyError, TypeError):
        return where.recipe.repetition_penalty


def no_repeats_of(where: Checkpoint) -> NoRepeats | None:
    """The same for sequences that may not be written twice."""
    settings = _settings(where)
    try:
        size, window = settings["no_repeat_ngram_size"], settings.get("no_repeat_ngram_window_size")
        return NoRepeats(int(size), int(window) if window else None) if size else where.recipe.no_repeats
    except (ValueError, KeyError, TypeError):
        return where.recipe.no_repeats


def _settings(where: Checkpoint) -> dict[str, Any]:
    try:
        found = json.loads((where.folder / "generation_config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _class_of(where: Checkpoint) -> Any:
    """By the recipe: a checkpoint may have another architecture's name in its config (LightOnOCR 1 and 2 do)."""
    kind = where.recipe.model_type
    if kind not in CLASSES:
        raise ModelError(
            "model_missing",
            f"this transformers ({transformers.__version__}) has no {kind}, the architecture of {where.name}",
            remedy="pip install 'transformers>=5.23'",
        )
    return getattr(transformers, CLASSES[kind])


def _config_of(where: Checkpoint, kind: Any) -> Any:
    """Of the recipe's type, by which the library tells how tensors were named when they were published."""
    settings, _ = kind.config_class.get_config_dict(where.folder, local_files_only=True)
    return kind.config_class.from_dict({**settings, "model_type": where.recipe.model_type})


def _refuse_other_tensors(where: Checkpoint, found: dict[str, Any]) -> None:
    other_shapes = [name if isinstance(name, str) else name[0] for name in found["mismatched_keys"]]
    faults = [
        _fault(kind, names)
        for kind, names in (
            ("missing", set(found["missing_keys"]) - set(other_shapes)),
            ("unexpected", found["unexpected_keys"]),
            ("of another shape", other_shapes),
        )
        if names
    ]
    if faults:
        raise ModelError(
            "model_missing",
            f"the tensors of {where.folder} are not {where.recipe.name}'s ({'; '.join(faults)})",
            remedy="download the model again, weights and config of one revision",
        )


def _fault(kind: str, names: Any) -> str:
    """
    >>> _fault("missing", ["d", "b", "a", "c"])
    '4 missing: a, b, c, ...'
    """
    shown = ", ".join(sorted(names)[:SHOWN])
    return f"{len(names)} {kind}: {shown}{', ...' if len(names) > SHOWN else ''}"
