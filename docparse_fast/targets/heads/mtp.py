"""A layer for the token after the next (multi-token prediction), as GLM-OCR and the Qwen3.5 family publish it.

It reads what the target thought at each place together with the token that came next, and says what comes after that
one. It goes on from its own thoughts, token by token. Knows tensors and places; decides no gap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor
from torch.nn import Linear, Module

from docparse_fast.speculative.drafting import LONGEST, DraftedToken, DraftingCosts
from docparse_fast.speculative.token_store import TokenStore
from docparse_fast.targets.decoder.cache_names import CACHE
from docparse_fast.targets.decoder.taps import TappedRow, Taps
from docparse_fast.targets.decoder.vlm import View, VisionLanguageTarget
from docparse_fast.targets.heads.entries import Entries, causal
from docparse_fast.targets.heads.head import Share, Shared


class MtpLayer(Module):
    """The weights, of the classes that the target's own layers have."""

    def __init__(self, text: Any) -> None:
        super().__init__()
        config = deepcopy(text.config)
        config.num_hidden_layers = 1
        if getattr(config, "layer_types", None):
            config.layer_types = ["full_attention"]
        attending = next(layer for layer in reversed(text.layers) if hasattr(layer, "self_attn"))
        norm, size = type(text.norm), config.hidden_size
        self.embed_norm = norm(size, eps=config.rms_norm_eps)
        self.state_norm = norm(size, eps=config.rms_norm_eps)
        self.joint = Linear(2 * size, size, bias=False)
        self.block = type(attending)(config, 0)
        self.norm = norm(size, eps=config.rms_norm_eps)

    def forward(self, states: Tensor, embeds: Tensor, places: tuple[Tensor, Tensor], entries: Entries) -> Tensor:
        """(tokens, hidden) both, and the result, not normed."""
        joined = self.joint(torch.cat([self.embed_norm(embeds), self.state_norm(states)], -1))[None]
        out: Tensor = self.block(
            joined,
            position_embeddings=places,
            attention_mask=causal(len(states), entries.length, states.device),
            **{CACHE: entries},
        )
        return out[0]


@dataclass(frozen=True)
class MtpHead:
    layer: MtpLayer
    shared: Shared
    goes_on_normed: bool  # whether the last norm stands between its own thoughts

    @property
    def taps(self) -> Taps:
        return Taps()  # the text model's last norm

    @cached_property
    def share(self) -> Share:
        return Share.of(self.layer, self.shared)

    def drafts(self, decoder: VisionLanguageTarget, view: View) -> MtpDrafts:
        return MtpDrafts(self, decoder, view)

    def read(self, states: Tensor, embeds: Tensor, row: TappedRow, entries: Entries) -> Tensor:
        """What it thinks after these tokens, the first of which stands behind all `entries`."""
        positions = row.placed(entries.length, entries.length + len(states))
        thoughts: Tensor = self.layer(states, embeds, self.shared.text.rotary_emb(states[None], positions), entries)
        entries.length += len(states)
        return thoughts

    def said(self, thoughts: Tensor) -> tuple[list[tuple[int, float]], Tensor]:
        """The likeliest tokens, and the states from which it goes on."""
        normed = self.layer.norm(thoughts)
        return self.shared.choices(normed), normed if self.goes_on_normed else thoughts


class MtpDrafts:
    """Implements `speculative.drafting.DraftingModel` for one row of a target."""

    longest = LONGEST

    def __init__(self, head: MtpHead, decoder: VisionLanguageTarget, view: View) -> None:
        self._head = head
        self._decoder = decoder
        self._view = view
        self._entries = Entries()
        decoder.tap(view, self)
        self._read = 0  # tokens of the row, after each of which the target's state was read

    @cached_property
    def costs(self) -> DraftingCosts:
        return self._head.share.costs(self._decoder.costs, self._row.prompt)

    @cached_property
    def _row(self) -> TappedRow:
        return self._decoder.tapped(self._view)

    def begin(self, store: TokenStore | None) -> None:
        """The prompt is read with the first proposal."""

    @torch.inference_mode()
    def propose(self, written: Sequence[int]) -> Iterator[DraftedToken]:
        head, row, shared = self._head, self._row, self._head.shared
        if row.length != row.prompt + len(written) - 1:
            raise RuntimeError(f"{row.length} states for a prompt of {row.prompt} and {len(written)} tokens")
        states = row.take()
        self._entries.length = self._read
        thoughts = head.read(states, self._after(written, len(states)), row, self._entries)
        read = max(1, len(states) - (0 if self._read else row.prompt))
        self._read = row.length
        while True:
            [(token, chance)], state = head.said(thoughts[-1:])
            yield DraftedToken(token, chance, read)
            if token in self._decoder.eos:
                return
            thoughts, read = head.read(state, shared.embedded([token]), row, self._entries), 1

    def _after(self, written: Sequence[int], count: int) -> Tensor:
        """(count, hidden): what comes after each of so many tokens from the first unread one on."""
        shown = self._row.embeds[self._read + 1 :]
        tokens = written[max(0, self._read + 1 - self._row.prompt) :]
        return torch.cat([shown, self._head.shared.embedded(list(tokens))])[:count]
