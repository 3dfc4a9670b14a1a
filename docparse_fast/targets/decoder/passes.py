"""Runs one forward pass over packed trees: tokens in, logits out. Knows the text model's parts; chooses nothing.

`PackedPasses` puts rows one after another at their exact widths, so a pass costs only its tokens. `PaddedPasses` gives
every pass one of few fixed shapes and builds masks on the device, so that a CUDA graph can replay it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor
from torch.nn import Module

from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.targets.decoder.attention import DenseAttention, MergedAttention, TreeAttention
from docparse_fast.targets.decoder.cache import CacheSpan, RowCache
from docparse_fast.targets.decoder.cache_names import CACHE
from docparse_fast.targets.decoder.network import text_model_of
from docparse_fast.targets.decoder.recurrent import TreeRows, rows_alike, rows_padded
from docparse_fast.targets.decoder.taps import Taps

WIDTHS = (1, 2, 4, 8, 16, 32, 64)
SHORTEST_VIEW = 256  # places that a padded pass looks at, at least

Outputs = tuple[Tensor, ...]  # (tokens, vocab) logits and, if a head reads along, (tokens, size) states


class TextModel(Protocol):
    @property
    def group(self) -> int:
        """Query heads for each key head."""

    def __call__(self, tokens: Tensor, positions: Tensor, cache: RowCache, tree: TreeAttention) -> Outputs:
        """Maps (1, tokens) tokens and positions to what is known after each token."""


@dataclass(frozen=True, slots=True)
class PlainModel:
    """The parts of a vision-language model that a pass needs."""

    embed: Module
    layers: Module  # the text model without its head
    head: Module
    group: int
    taps: Taps | None = None  # what the target's own head reads

    def __call__(self, tokens: Tensor, positions: Tensor, cache: RowCache, tree: TreeAttention) -> Outputs:
        if self.taps is None:
            return (self.head(self._hidden(tokens, positions, cache, tree)[0]),)
        with self.taps.on(self.layers) as taken:
            hidden = self._hidden(tokens, positions, cache, tree)
        return self.head(hidden[0]), self.taps.states(taken, hidden)[0]

    def _hidden(self, tokens: Tensor, positions: Tensor, cache: RowCache, tree: TreeAttention) -> Tensor:
        """Calls the text model directly: the wrapper around it only handles images."""
        hidden: Tensor = self.layers(
            inputs_embeds=self.embed(tokens),
            position_ids=positions,
            attention_mask=tokens.new_ones(1, 1, 1, 1),  # four dimensions are left alone; `tree` brings ours
            **{CACHE: cache},
            use_cache=True,
            tree=tree,
        ).last_hidden_state
        return hidden


def plain_model(model: Any, taps: Taps | None = None) -> PlainModel:
    config = model.config.get_text_config()
    return PlainModel(
        embed=model.get_input_embeddings(),
        layers=text_model_of(model),
        head=model.lm_head,
        group=config.num_attention_heads // config.num_key_value_heads,
        taps=taps,
    )


class Passes(Protocol):
    model: TextModel
    states: Tensor | None  # of the last pass, in the order of its logits, if a head reads along

    def logits(self, trees: Mapping[int, PrefixTree], deltas: Mapping[int, int]) -> Tensor:
        """(nodes, vocab), rows one after another in the order of `trees`.

        A node's rope position is its depth after its row's kept entries, plus the row's delta (images take fewer
        positions than places).
        """


class PackedPasses:
    def __init__(self, model: TextModel, cache: RowCache) -> None:
        self.model = model
        self.states: Tensor | None = None
        self._cache = cache

    def logits(self, trees: Mapping[int, PrefixTree], deltas: Mapping[int, int]) -> Tensor:
        spans = self._cache.place({slot: len(tree) for slot, tree in trees.items()})
        tokens: list[int] = []
        positions: list[int] = []
        places: list[int] = []
        for span, tree in zip(spans, trees.values(), strict=True):
            first = span.length + deltas[span.slot]
            tokens += tree.tokens
            positions += [first + depth for depth in tree.depths]
            places += span.places
        packed = torch.from_numpy(np.array([tokens, positions, places]))
        self._cache.write_at(packed[2])
        if self._cache.recurrent.in_use:
            self._cache.recurrent.begin(_groups(spans, trees))
        attention = MergedAttention(spans, [tree.parents for tree in trees.values()], self.model.group)
        logits, *states = self._run_model(packed, attention)
        self.states = states[0] if states else None
        return logits

    def _run_model(self, packed: Tensor, attention: TreeAttention) -> Outputs:
        return self.model(packed[:1], packed[1:2], self._cache, attention)


def _groups(spans: Sequence[CacheSpan], trees: Mapping[int, PrefixTree]) -> list[TreeRows]:
    """Neighbours whose trees have one shape are read together."""
    alike = groupby(spans, key=lambda span: tuple(trees[span.slot].parents))
    listed = [(parents, list(rows)) for parents, rows in alike]
    return [rows_alike([span.slot for span in rows], rows[0].offset, parents) for parents, rows in listed]


class Bucket(NamedTuple):
    """The shape of a padded pass."""

    rows: int
    width: int
    view: int

    @staticmethod
    def around(spans: Sequence[CacheSpan], slots: int, capacity: int) -> Bucket:
        """The smallest shape that holds these spans, with at most `slots` rows and a view of at most `capacity`."""
        rows = 1 << max(span.slot for span in spans).bit_length()
        widest = max(span.width for span in spans)
        width = next((width for width in WIDTHS if width >= widest), widest)
        longest = max(span.length + span.width for span in spans)
        return Bucket(min(rows, slots), width, min(view_of(longest), capacity))


def view_of(longest: int) -> int:
    """The next of 256, 384, 512, 768, 1024, ...: a long answer needs few shapes, and a third of a view is idle at most.

    >>> [view_of(length) for length in (1, 257, 385, 5096, 6145)]
    [256, 384, 512, 6144, 8192]
    """
    whole = max(SHORTEST_VIEW, 1 << (longest - 1).bit_length())
    part = whole * 3 // 4
    return part if SHORTEST_VIEW < longest <= part else whole


class PassInputs(NamedTuple):
    """A padded pass's inputs, in buffers at fixed addresses."""

    packed: Tensor  # (3, rows * width): tokens, positions, places
    lengths: Tensor  # (2, rows): of what is kept, and of the prompts
    ancestries: Tensor  # (rows, width, width)

    @staticmethod
    def empty(bucket: Bucket, device: torch.device, scrap: int) -> PassInputs:
        """Padding only: it writes to the scrap place."""
        rows, width, _ = bucket
        packed = torch.zeros(3, rows * width, dtype=torch.long, device=device)
        packed[2] = scrap
        return PassInputs(
            packed,
            torch.ones(2, rows, dtype=torch.long, device=device),
            torch.zeros(rows, width, width, dtype=torch.bool, device=device),
        )


class PaddedPasses:
    def __init__(self, model: TextModel, cache: RowCache) -> None:
        self.model = model
        self.states: Tensor | None = None
        self._cache = cache

    def logits(self, trees: Mapping[int, PrefixTree], deltas: Mapping[int, int]) -> Tensor:
        spans = self._cache.place({slot: len(tree) for slot, tree in trees.items()})
        bucket = Bucket.around(spans, self._cache.slots, self._cache.capacity)
        outputs = self._run_model(bucket, self._filled(bucket, spans, trees, deltas))
        nodes = [span.slot * bucket.width + node for span in spans for node in range(span.width)]
        if nodes != list(range(len(outputs[0]))):
            of_nodes = torch.tensor(nodes).to(outputs[0].device, non_blocking=True)
            outputs = tuple(part[of_nodes] for part in outputs)
        logits, *states = outputs
        self.states = states[0] if states else None
        return logits

    def _filled(
        self, bucket: Bucket, spans: Sequence[CacheSpan], trees: Mapping[int, PrefixTree], deltas: Mapping[int, int]
    ) -> PassInputs:
        """The host's inputs of the pass. Padding nodes and rows see a prefix and write to the scrap place."""
        rows, width, _ = bucket
        packed = np.zeros((3, rows, width), dtype=np.int64)
        packed[2] = self._cache.scrap
        lengths = np.ones((2, rows), dtype=np.int64)
        ancestries = np.zeros((rows, width, width), dtype=np.bool_)
        for span in spans:
            tree, nodes = trees[span.slot], slice(span.width)
            packed[0, span.slot, nodes] = tree.tokens
            packed[1, span.slot, nodes] = tree.depths
            packed[1, span.slot, nodes] += span.length + deltas[span.slot]
            packed[2, span.slot, nodes] = span.places
            lengths[:, span.slot] = span.length, span.always
            ancestries[span.slot, nodes, nodes] = tree.ancestry()
        return PassInputs(*(torch.from_numpy(part) for part in (packed.reshape(3, -1), lengths, ancestries)))

    def _run_model(self, bucket: Bucket, inputs: PassInputs) -> Outputs:
        device = self._cache.keys.device
        return self._pass(bucket, PassInputs(*(part.to(device) for part in inputs)))

    def _pass(self, bucket: Bucket, inputs: PassInputs) -> Outputs:
        """Everything that happens on the device, masks included."""
        last = self._cache.window
        attention = DenseAttention(
            inputs.lengths[0],
            inputs.ancestries,
            bucket.view,
            self.model.group,
            self._cache.capacity,
            None if last is None else (inputs.lengths[1], last),
        )
        self._cache.write_at(inputs.packed[2])
        if self._cache.recurrent.in_use:
            self._cache.recurrent.begin([rows_padded(bucket.rows, inputs.ancestries)])
        return self.model(inputs.packed[:1], inputs.packed[1:2], self._cache, attention)
