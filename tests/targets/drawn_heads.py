"""Heads with random weights for the small models, stored by their published names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from small_models import VOCABULARY
from transformers import Qwen3Config

from docparse_fast.targets.heads.dflash import DFlashLayers
from docparse_fast.targets.heads.head import Head
from docparse_fast.targets.heads.mtp import MtpLayer
from docparse_fast.targets.loading.heads import MTP, open_head

BLOCK = 6  # tokens of a DFlash pass
DFLASH = {
    "architectures": ["DFlashDraftModel"],
    "auto_map": {"AutoModel": "dflash.DFlashDraftModel"},
    "block_size": BLOCK,
    "dflash_config": {"mask_token_id": VOCABULARY - 1, "target_layer_ids": [0, 2]},
    "model_type": "qwen3",
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "vocab_size": VOCABULARY,
    "rms_norm_eps": 1e-5,
    "rope_theta": 10000.0,
}


def _drawn(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    random = torch.Generator().manual_seed(7)
    return {
        name: torch.randn(weight.shape, generator=random) / weight.shape[-1] ** 0.5
        if weight.dim() > 1
        else 0.1 * torch.randn(weight.shape, generator=random) + 0.8
        for name, weight in module.state_dict().items()
    }


def save_mtp(folder: Path, network: Any) -> Path:
    """As a further file of the checkpoint."""
    names, text = MTP[network.config.model_type], network.model.language_model
    theirs = {ours: name for name, ours in names.named.items()}
    published = {}
    for name, tensor in _drawn(MtpLayer(text)).items():
        part, _, kind = name.rpartition(".")
        stored = f"{theirs[part]}.{kind}" if part in theirs else names.block + name.removeprefix("block.")
        published[names.before(text) + stored] = tensor
    for name in names.copies:  # which are not read
        published[names.before(text) + name] = torch.zeros(1)
    save_file(published, folder / "model-mtp.safetensors")
    return folder


def save_dflash(folder: Path) -> Path:
    (folder / "dflash").mkdir()
    (folder / "dflash" / "config.json").write_text(json.dumps(DFLASH))
    (folder / "dflash" / "dflash.py").write_text("raise RuntimeError('code of a checkpoint was run')\n")
    save_file(_drawn(DFlashLayers(Qwen3Config(**DFLASH))), folder / "dflash" / "model.safetensors")
    return folder


def head_of(folder: Path, network: Any) -> Head:
    """The head for this small model."""
    saved = save_mtp(folder, network) if network.config.model_type in MTP else save_dflash(folder)
    head = open_head(saved, network)
    assert head is not None
    return head
