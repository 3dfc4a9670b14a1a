"""Keys and values of many rows side by side, each of its own length. Knows slots and places; no mask, model or token.

One arena holds every row: slot s owns the places [s * capacity, (s + 1) * capacity), and one more place takes what
padding writes. A pass writes each row's tree right after the row's kept entries, and `keep` leaves one path of it
there. Keys are stored after rotation and a node's position is its depth, so a moved entry needs no new rotation. The
arena grows when a row does, never beyond `limit`; whenever it is allocated anew, it is cut to the rows in use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor
from transformers.cache_utils import Cache, LinearAttentionLayer

from docparse_fast.errors import PageError
from docparse_fast.targets.decoder.memory import free_bytes
from docparse_fast.targets.decoder.recurrent import RecurrentStates

GRAIN = 256  # places that a row grows by: few enough to waste little, many enough to copy rarely
MARGIN = 128  # free places after a new row, for its first trees
SHARE_OF_FREE = 0.5  # of a device's memory: the most for an arena that is larger than its rows need
GROWTH = 1.5  # the factor for a row that outgrows its capacity: copies stay linear in its length


class Prefilled(Protocol):
    """The result of a prefill: one row's keys and values by layer, as in transformers' own caches."""

    layers: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Window:
    """What a token sees if it doesn't see everything before it: the prompt, and the last tokens, itself included."""

    prompt: int
    last: int


@dataclass(frozen=True, slots=True)
class CacheSpan:
    """A row's part of a pass: `width` tokens from `offset` on, after `length` kept entries in its slot."""

    slot: int
    offset: int
    width: int
    length: int
    start: int  # the row's first place in the arena
    window: Window | None = None

    @property
    def places(self) -> range:
        """The places of the row's tokens in this pass."""
        return range(self.start + self.length, self.start + self.length + self.width)

    @property
    def always(self) -> int:
        """The row's first entries that all its tokens see."""
        return self.length if self.window is None else self.window.prompt

    @property
    def recent(self) -> int:
        """The kept entries after these that the root still sees, and deeper nodes fewer of."""
        return 0 if self.window is None else min(self.length - self.window.prompt, self.window.last - 1)


class RowCache(Cache):  # type: ignore[misc]  # transformers is not typed
    """The memory of all rows, which the attention layers of a pass use.

    >>> cache = RowCache(limit=4096)                              # doctest: +SKIP
    >>> cache.fill(0, prefilled)                                  # doctest: +SKIP
    >>> spans = cache.place({0: 5})                               # doctest: +SKIP
    >>> cache.write_at(torch.tensor(spans[0].places))             # doctest: +SKIP
    >>> language_model(..., **{CACHE: cache})                     # doctest: +SKIP
    >>> cache.keep({0: [0, 1, 3]})                                # doctest: +SKIP
    """

    keys: Tensor  # (layers, heads, slots * capacity + 1, head_dim)
    values: Tensor

    def __init__(self, limit: int, window: int | None = None) -> None:
        super().__init__(layers=[])
        self.limit = limit  # of the longest row
        self.window = window  # tokens of an answer that a token sees beside the prompt; None: all
        self.steady = False  # whether the arena's address is in use: then it stays, if possible
        self.layouts = 0  # how often an arena was allocated
        self.slots = 0
        self.capacity = 0
        self.lengths: dict[int, int] = {}  # of the filled slots
        self.prompts: dict[int, int] = {}  # their lengths when they were filled
        self.spans: tuple[CacheSpan, ...] = ()  # of the last pass
        self.recurrent = RecurrentStates()  # of layers that have no keys and values
        self._arenas: dict[int, int] = {}  # of the model's other layers in `keys`
        self._places = torch.empty(0, dtype=torch.long)  # (tokens,) where the last pass wrote

    # ------------------------------------------------------------------------------ what attention layers call

    def update(
        self, key_states: Tensor, value_states: Tensor, layer_idx: int, *_: object, **__: object
    ) -> tuple[Tensor, Tensor]:
        """Writes a pass's entries, (1, heads, tokens, head_dim); returns the whole layer, which spans divide."""
        arena = self._arenas[layer_idx]
        keys, values = self.keys[arena], self.values[arena]
        keys.index_copy_(1, self._places, key_states[0])
        values.index_copy_(1, self._places, value_states[0])
        return keys, values

    def get_seq_length(self, layer_idx: int = 0) -> int:
        """More than zero, because a pass always continues rows. Positions are given, so the number is not used."""
        return max(self.lengths.values(), default=0)

    # -------------------------------------------------------------------------------------------- a row's life

    def fill(self, slot: int, prefilled: Prefilled, expected: int = 0) -> None:
        """Takes over a prefilled row layer by layer, and frees each layer as it is copied.

        A steady arena also makes room for the `expected` places of the answer: it should not move as the row grows.
        """
        attending, recurrent = _by_kind(prefilled.layers)
        self._arenas = {number: index for index, number in enumerate(attending)}
        layers = list(attending.values())
        length = layers[0].keys.shape[2]
        self._check(length)
        self.lengths[slot] = 0
        self._shape_like(layers[0], len(layers))
        self._reserve(length, expected)
        if self.recurrent.fill(slot, recurrent):
            self.layouts += 1
        start = slot * self.capacity
        for index, layer in enumerate(layers):
            self.keys[index, :, start : start + length] = layer.keys[0]
            self.values[index, :, start : start + length] = layer.values[0]
            layer.keys = layer.values = None
        self.lengths[slot] = self.prompts[slot] = length

    def place(self, widths: Mapping[int, int]) -> tuple[CacheSpan, ...]:
        """Makes room for a pass with this many tokens in each slot, packed in this order."""
        self._make_room(max(self.lengths[slot] + width for slot, width in widths.items()))
        spans, offset = [], 0
        for slot, width in widths.items():
            window = None if self.window is None else Window(self.prompts[slot], self.window)
            spans.append(CacheSpan(slot, offset, width, self.lengths[slot], slot * self.capacity, window))
            offset += width
        self.spans = tuple(spans)
        return self.spans

    def write_at(self, places: Tensor) -> None:
        """Sets the places of the pass's entries, one for each token."""
        self._places = places

    @property
    def scrap(self) -> int:
        """A place that is written but never read."""
        return self.slots * self.capacity

    def keep(self, paths: Mapping[int, Sequence[int]]) -> None:
        """Keeps these nodes of the last pass's trees as the rows' next entries; later passes overwrite the rest."""
        spans = {span.slot: span for span in self.spans}
        sources: list[int] = []
        targets: list[int] = []
        for slot, path in paths.items():
            span = spans[slot]
            for depth, node in enumerate(path):
                if node != depth:  # the likeliest branch is packed first, so usually nothing moves
                    sources.append(span.places[node])
                    targets.append(span.places[depth])
            self.lengths[slot] = span.length + len(path)
        if sources:
            self._move(sources, targets)
        if self.recurrent.in_use:
            self.recurrent.keep(paths)

    def release(self, slot: int) -> None:
        self.lengths.pop(slot, None)

    # -------------------------------------------------------------------------------------------------- places

    @torch.inference_mode()
    def _move(self, sources: list[int], targets: list[int]) -> None:
        moves = torch.tensor([sources, targets], device=self.keys.device)
        for arena in (self.keys, self.values):
            arena.index_copy_(2, moves[1], arena.index_select(2, moves[0]))  # read first: the two may overlap

    def _shape_like(self, layer: Any, layers: int) -> None:
        if not self.capacity:
            heads = layer.keys.shape[1]
            self.keys = layer.keys.new_empty(layers, heads, 0, layer.keys.shape[3])
            self.values = layer.values.new_empty(layers, heads, 0, layer.values.shape[3])

    def _reserve(self, length: int, expected: int) -> None:
        if self.steady and expected > MARGIN:
            with suppress(torch.OutOfMemoryError):
                self._make_room(min(length + expected + MARGIN, self.limit))
                return
        self._make_room(min(length + MARGIN, self.limit))

    def _make_room(self, length: int) -> None:
        """Makes slots for all rows and places for the longest; the arena is small while rows are few or short."""
        self._check(length)
        slots = max(self.lengths) + 1
        if slots <= self.slots and length <= self.capacity:
            return
        wanted = max(length, int(GROWTH * max(self.lengths.values())))
        capacity = min(-(-wanted // GRAIN) * GRAIN, self.limit)
        if self.steady and capacity < self.capacity and self._fits(slots, self.capacity):
            with suppress(torch.OutOfMemoryError):
                self._resize(slots, self.capacity)
                return
        self._resize(slots, capacity)

    def _fits(self, slots: int, capacity: int) -> bool:
        """Whether such an arena leaves most of the free memory to the images of the next views."""
        layers, heads, _, size = self.keys.shape
        needed = 2 * layers * heads * slots * capacity * size * self.keys.element_size()
        return needed <= SHARE_OF_FREE * free_bytes(self.keys.device)

    def _check(self, length: int) -> None:
        if length > self.limit:
            raise PageError(
                "out_of_memory",
                f"a row needs {length} positions, the model takes {self.limit}",
                remedy="lower --max-pixels or --max-new-tokens",
            )

    def _resize(self, slots: int, capacity: int) -> None:
        """Changes all layers or none: the memory may run out halfway."""
        keys, values = (self._resized(arena, slots, capacity) for arena in (self.keys, self.values))
        self.keys, self.values, self.slots, self.capacity = keys, values, slots, capacity
        self.layouts += 1

    def _resized(self, arena: Tensor, slots: int, capacity: int) -> Tensor:
        layers, heads, _, size = arena.shape
        # zeros, because a masked place still takes part as 0 * value, which must not be NaN
        fresh = arena.new_zeros(layers, heads, slots * capacity + 1, size)
        for slot, length in self.lengths.items():
            start = slot * self.capacity
            fresh[:, :, slot * capacity : slot * capacity + length] = arena[:, :, start : start + length]
        return fresh


def _by_kind(layers: Sequence[Any]) -> tuple[dict[int, Any], dict[int, Any]]:
    """Layers with keys and values, and layers with a state, by their numbers in the model."""
    attending = {number: layer for number, layer in enumerate(layers) if not _has_state(layer)}
    return attending, {number: layer for number, layer in enumerate(layers) if number not in attending}


def _has_state(layer: Any) -> bool:
    return isinstance(layer, LinearAttentionLayer)
