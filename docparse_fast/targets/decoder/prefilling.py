"""Reads prompts with the model's own forward, short ones together. Knows tensors and lengths; no slot and no cache.

Weights are read once for all rows of a pass, and a short row pays for little else. Rows are padded to one length at
their ends, where no token of theirs looks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import pad

from docparse_fast.targets.decoder.cache_names import CACHE
from docparse_fast.targets.decoder.network import empty_cache, forget_rope_deltas, text_model_of
from docparse_fast.targets.decoder.taps import TappedPrompt, TappedRow, Taps

SHORT = 256  # tokens; a longer row fills a pass alone
PADDED_ALIKE = frozenset({"qwen3_vl"})  # models whose padded rows were seen to get the positions that they have alone

RowInputs = Mapping[str, Tensor]


class KeysAndValues:
    """One layer's, for one row: (1, heads, tokens, head size)."""

    def __init__(self, keys: Tensor, values: Tensor) -> None:
        self.keys, self.values = keys, values


@dataclass(slots=True)
class PrefilledRow:
    layers: Sequence[Any]
    logits: Tensor  # (1, vocab), after the last token
    delta: int  # the difference between a place in the cache and a rope position
    tapped: TappedRow | None = None  # what the target's own head reads of it


@dataclass(frozen=True, slots=True)
class Prefill:
    network: Any
    taps: Taps | None = None

    def rows(self, inputs: Sequence[RowInputs]) -> Iterator[PrefilledRow]:
        """The rows in order; those of equal kind that are short and follow each other are read together."""
        waiting: list[RowInputs] = []
        for row in inputs:
            if waiting and not self._fits(row, waiting[0]):
                yield from self._read(waiting)
                waiting = []
            waiting.append(row)
        if waiting:
            yield from self._read(waiting)

    def _fits(self, row: RowInputs, other: RowInputs) -> bool:
        lengths = [one["input_ids"].shape[1] for one in (row, other)]
        return self.network.config.model_type in PADDED_ALIKE and max(lengths) <= SHORT and row.keys() == other.keys()

    def _read(self, rows: Sequence[RowInputs]) -> Iterator[PrefilledRow]:
        cache = empty_cache(self.network)
        forget_rope_deltas(self.network)
        lengths = [row["input_ids"].shape[1] for row in rows]
        if len(rows) == 1:
            with self._tapped() as tapped:
                read = self.network(**rows[0], **{CACHE: cache}, use_cache=True, logits_to_keep=1)
            yield PrefilledRow(cache.layers, read.logits[0], self._delta(0), self._row(tapped, 0, lengths[0]))
            return
        with self._tapped() as tapped:
            read = self.network.model(**_padded(rows, max(lengths)), **{CACHE: cache}, use_cache=True)
        for number, length in enumerate(lengths):
            one = slice(number, number + 1)
            layers = [
                KeysAndValues(layer.keys[one, :, :length], layer.values[one, :, :length]) for layer in cache.layers
            ]
            logits = self.network.lm_head(read.last_hidden_state[number, length - 1 : length])
            yield PrefilledRow(layers, logits, self._delta(number), self._row(tapped, number, length))

    def _tapped(self) -> AbstractContextManager[Sequence[TappedPrompt]]:
        return nullcontext(()) if self.taps is None else self.taps.on_prompt(text_model_of(self.network))

    def _row(self, tapped: Sequence[TappedPrompt], number: int, length: int) -> TappedRow | None:
        return tapped[0].row(number, length, self._delta(number)) if tapped else None

    def _delta(self, number: int) -> int:
        deltas = getattr(self.network.model, "rope_deltas", None)  # the next prefill overwrites them
        return 0 if deltas is None else int(deltas.flatten()[number].item())


def _padded(rows: Sequence[RowInputs], length: int) -> dict[str, Tensor]:
    """What has a number for each token is padded with 0, which a mask reads as nothing; images follow each other."""
    together = {}
    for name in rows[0]:
        parts = [row[name] for row in rows]
        if all(part.shape == row["input_ids"].shape for part, row in zip(parts, rows, strict=True)):
            parts = [pad(part, (0, length - part.shape[1])) for part in parts]
        together[name] = torch.cat(parts)
    return together
