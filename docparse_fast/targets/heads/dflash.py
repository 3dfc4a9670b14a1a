"""A drafter that guesses a block of tokens in one pass (DFlash), as HunyuanOCR 1.5 publishes it.

It looks at the last token and at masks for those that follow, all at once, and at what several layers of the target
thought at every token before. Its config and its names of tensors are the published ones. Knows tensors and places;
decides no gap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor
from torch.nn import Linear, Module, ModuleList
from torch.nn.functional import scaled_dot_product_attention
from transformers.models.qwen3.modeling_qwen3 import (
    Qwen3Config,
    Qwen3MLP,
    Qwen3RMSNorm,
    Qwen3RotaryEmbedding,
    rotate_half,
)

from docparse_fast.speculative.drafting import DraftedToken, DraftingCosts
from docparse_fast.speculative.token_store import TokenStore
from docparse_fast.targets.decoder.taps import TappedRow, Taps
from docparse_fast.targets.decoder.vlm import View, VisionLanguageTarget
from docparse_fast.targets.heads.entries import Entries
from docparse_fast.targets.heads.head import Share, Shared

Rotation = tuple[Tensor, Tensor]


class DFlashAttention(Module):
    """Of a block over the context and itself; nothing in the block is hidden from the rest of it."""

    def __init__(self, config: Any, number: int) -> None:
        super().__init__()
        self.number, self.size = number, config.head_dim
        query, key = config.num_attention_heads * self.size, config.num_key_value_heads * self.size
        self.q_proj = Linear(config.hidden_size, query, bias=False)
        self.k_proj = Linear(config.hidden_size, key, bias=False)
        self.v_proj = Linear(config.hidden_size, key, bias=False)
        self.o_proj = Linear(query, config.hidden_size, bias=False)
        self.q_norm = Qwen3RMSNorm(self.size, eps=config.rms_norm_eps)
        self.k_norm = Qwen3RMSNorm(self.size, eps=config.rms_norm_eps)

    def remember(self, states: Tensor, rotation: Rotation, entries: Entries) -> tuple[Tensor, Tensor]:
        """Writes the states' entries behind those that are there; returns all."""
        keys = _rotated(self.k_norm(self._apart(self.k_proj(states))), rotation)
        return entries.update(keys.transpose(1, 2), self._apart(self.v_proj(states)).transpose(1, 2), self.number)

    def forward(self, states: Tensor, rotation: Rotation, entries: Entries) -> Tensor:
        keys, values = self.remember(states, rotation, entries)
        queries = _rotated(self.q_norm(self._apart(self.q_proj(states))), rotation).transpose(1, 2)
        out = scaled_dot_product_attention(queries, keys, values, enable_gqa=True)
        projected: Tensor = self.o_proj(out.transpose(1, 2).flatten(2))
        return projected

    def _apart(self, packed: Tensor) -> Tensor:
        """(1, tokens, heads * size) to (1, tokens, heads, size)."""
        return packed.view(*packed.shape[:2], -1, self.size)


def _rotated(heads: Tensor, rotation: Rotation) -> Tensor:
    cosine, sine = (part[:, :, None] for part in rotation)
    turned: Tensor = heads * cosine + rotate_half(heads) * sine
    return turned


class DFlashLayer(Module):
    def __init__(self, config: Any, number: int) -> None:
        super().__init__()
        self.self_attn = DFlashAttention(config, number)
        self.mlp = Qwen3MLP(config)
        self.input_layernorm = Qwen3RMSNorm(config.hidden_size, eps=config.rms_norm_eps)
        self.post_attention_layernorm = Qwen3RMSNorm(config.hidden_size, eps=config.rms_norm_eps)

    def forward(self, states: Tensor, rotation: Rotation, entries: Entries) -> Tensor:
        states = states + self.self_attn(self.input_layernorm(states), rotation, entries)
        out: Tensor = states + self.mlp(self.post_attention_layernorm(states))
        return out


class DFlashLayers(Module):
    """The weights, by their published names."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        size, taps = config.hidden_size, config.dflash_config["target_layer_ids"]
        self.fc = Linear(len(taps) * size, size, bias=False)
        self.hidden_norm = Qwen3RMSNorm(size, eps=config.rms_norm_eps)
        self.layers = ModuleList(DFlashLayer(config, number) for number in range(config.num_hidden_layers))
        self.norm = Qwen3RMSNorm(size, eps=config.rms_norm_eps)

    def remember(self, states: Tensor, rotation: Rotation, entries: Entries) -> None:
        """Reads what the target thought at further tokens: (1, tokens, layers * size)."""
        context = self.hidden_norm(self.fc(states))
        for layer in self.layers:
            assert isinstance(layer, DFlashLayer)
            layer.self_attn.remember(context, rotation, entries)
        entries.length += states.shape[1]

    def forward(self, block: Tensor, rotation: Rotation, entries: Entries) -> Tensor:
        for layer in self.layers:
            block = layer(block, rotation, entries)
        normed: Tensor = self.norm(block)
        return normed


@dataclass(frozen=True)
class DFlashHead:
    layers: DFlashLayers
    rotary: Module
    shared: Shared
    block: int  # tokens of a pass: the last one written, and masks
    mask: int  # the mask's token
    taps: Taps

    @classmethod
    def of(cls, layers: DFlashLayers, config: Qwen3Config, shared: Shared) -> DFlashHead:
        said = config.dflash_config
        taps = Taps(tuple(said["target_layer_ids"]))
        return cls(layers, Qwen3RotaryEmbedding(config), shared, config.block_size, said["mask_token_id"], taps)

    @cached_property
    def share(self) -> Share:
        return Share.of(self.layers, self.shared)

    def drafts(self, decoder: VisionLanguageTarget, view: View) -> DFlashDrafts:
        return DFlashDrafts(self, decoder, view)

    def rotation(self, states: Tensor, start: int) -> Rotation:
        """Of (1, tokens, ...) that stand from this place on. Places are counted, whatever an image is to the target."""
        places = torch.arange(start, start + states.shape[1], device=states.device)[None]
        turned: Rotation = self.rotary(states, places)
        return turned


class DFlashDrafts:
    """Implements `speculative.drafting.DraftingModel` for one row of a target."""

    def __init__(self, head: DFlashHead, decoder: VisionLanguageTarget, view: View) -> None:
        self.longest = head.block - 1
        self._head = head
        self._decoder = decoder
        self._view = view
        self._entries = Entries()
        decoder.tap(view, self)

    @cached_property
    def costs(self) -> DraftingCosts:
        return self._head.share.costs(self._decoder.costs, self._row.prompt, self._head.block)

    @cached_property
    def _row(self) -> TappedRow:
        return self._decoder.tapped(self._view)

    def begin(self, store: TokenStore | None) -> None:
        """The prompt is read with the first proposal."""

    def propose(self, written: Sequence[int]) -> Iterator[DraftedToken]:
        read, chosen = self._block(written)
        for token, chance in chosen:
            yield DraftedToken(token, chance, read)
            if token in self._decoder.eos:
                return
            read = 0

    @torch.inference_mode()
    def _block(self, written: Sequence[int]) -> tuple[int, list[tuple[int, float]]]:
        """How many tokens were read, and what follows."""
        head, row, entries = self._head, self._row, self._entries
        if row.length != row.prompt + len(written) - 1:
            raise RuntimeError(f"{row.length} states for a prompt of {row.prompt} and {len(written)} tokens")
        states = row.take()[None]
        read = max(1, states.shape[1] - (0 if entries.length else row.prompt))
        head.layers.remember(states, head.rotation(states, entries.length), entries)
        block = head.shared.embedded([written[-1], *[head.mask] * (head.block - 1)])[None]
        guessed = head.layers(block, head.rotation(block, entries.length), entries)
        return read, head.shared.choices(guessed[0, 1:])
