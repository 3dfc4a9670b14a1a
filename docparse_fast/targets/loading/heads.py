"""Finds and opens the head that a checkpoint carries for drafting. Knows published names of tensors; no row.

transformers leaves these tensors out. A head that can't be read is left out too, with a notice: a target needs none.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor
from torch.nn import Module

from docparse_fast.targets.heads.dflash import DFlashHead, DFlashLayers
from docparse_fast.targets.heads.head import Head, Shared
from docparse_fast.targets.heads.mtp import MtpHead, MtpLayer

DFLASH_FOLDER = "dflash"
UNREADABLE = (OSError, ValueError, KeyError, RuntimeError, AttributeError, TypeError, SafetensorError)

notices = logging.getLogger("docparse_fast.notices")


@dataclass(frozen=True, slots=True)
class MtpNames:
    """How a family names the tensors of its layer, behind a prefix; what is not named here belongs to the block."""

    prefix: str  # {layers}: how many layers the text model has
    block: str
    named: Mapping[str, str]  # ours by theirs
    goes_on_normed: bool
    copies: tuple[str, ...] = ()  # of the target's own tensors

    def before(self, text: Any) -> str:
        return self.prefix.format(layers=len(text.layers))

    def ours(self, name: str) -> str | None:
        """Our name for a tensor; None for a copy.

        >>> QWEN.ours("layers.0.mlp.up_proj.weight"), QWEN.ours("fc.weight"), GLM.ours("shared_head.head.weight")
        ('block.mlp.up_proj.weight', 'joint.weight', None)
        """
        if name in self.copies:
            return None
        for theirs, ours in self.named.items():
            if name == f"{theirs}.weight":
                return f"{ours}.weight"
        return f"block.{name.removeprefix(self.block)}"


QWEN = MtpNames(
    "mtp.",
    "layers.0.",
    {"fc": "joint", "pre_fc_norm_embedding": "embed_norm", "pre_fc_norm_hidden": "state_norm", "norm": "norm"},
    goes_on_normed=True,
)
GLM = MtpNames(
    "model.language_model.layers.{layers}.",
    "",
    {"eh_proj": "joint", "enorm": "embed_norm", "hnorm": "state_norm", "shared_head.norm": "norm"},
    goes_on_normed=False,
    copies=("shared_head.head.weight", "embed_tokens.weight"),
)
MTP: Mapping[str, MtpNames] = {"qwen3_5": QWEN, "qwen3_5_moe": QWEN, "glm_ocr": GLM}  # by the model's type


def open_head(folder: Path, network: Any) -> Head | None:
    """The head of this checkpoint's folder, on the network's device and in its dtype."""
    try:
        if (folder / DFLASH_FOLDER / "config.json").is_file():
            return _dflash(folder / DFLASH_FOLDER, network)
        names = MTP.get(network.config.model_type)
        return _mtp(folder, names, network) if names else None
    except UNREADABLE as error:
        said = (str(error).splitlines() or [""])[0][:160]
        notices.warning("the head that %s carries is left out (%s)", folder.name, said)
        return None


def _mtp(folder: Path, names: MtpNames, network: Any) -> MtpHead | None:
    before = names.before(network.model.language_model)
    found = {ours: part for name, part in _tensors(folder, before) if (ours := names.ours(name))}
    return mtp_head(network, found, goes_on_normed=names.goes_on_normed) if found else None


def mtp_head(network: Any, tensors: Mapping[str, Tensor], *, goes_on_normed: bool) -> MtpHead:
    """By our own names of tensors."""
    shared = Shared.of(network)
    with torch.device("meta"):
        layer = MtpLayer(shared.text)
    return MtpHead(_filled(layer, tensors, network), shared, goes_on_normed)


def _dflash(folder: Path, network: Any) -> DFlashHead:
    from transformers import Qwen3Config

    config = Qwen3Config(**json.loads((folder / "config.json").read_text(encoding="utf-8")))
    shared = Shared.of(network)
    if config.hidden_size != shared.embed.weight.shape[1]:
        raise ValueError(f"it is {config.hidden_size} wide, and the target {shared.embed.weight.shape[1]}")
    with torch.device("meta"):
        layers = DFlashLayers(config)
    head = DFlashHead.of(_filled(layers, dict(_tensors(folder, "")), network), config, shared)
    head.rotary.to(network.device)
    return head


def _filled(module: Any, tensors: Mapping[str, Tensor], network: Any) -> Any:
    """All its tensors and no others: a missing one would be drawn at random."""
    moved = {name: part.to(network.device, network.dtype) for name, part in tensors.items()}
    module.load_state_dict(moved, assign=True)
    filled: Module = module.eval().requires_grad_(False)
    return filled


def _tensors(folder: Path, prefix: str) -> Iterator[tuple[str, Tensor]]:
    """Names without the prefix, and tensors; no others are read."""
    for path in sorted(folder.glob("*.safetensors")):
        with safe_open(path, framework="pt") as file:
            for name in file.keys():  # noqa: SIM118 - it is no mapping
                if name.startswith(prefix):
                    yield name.removeprefix(prefix), file.get_tensor(name)
