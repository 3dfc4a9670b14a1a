"""Attention of packed prefix trees over their rows' entries. Knows heads, spans and ancestry; no model, no token.

A pass packs the trees of all rows into one sequence. Each node sees all kept entries of its row and, in its tree, its
ancestors and itself; in a model with a window, only the prompt and the last tokens along its path. Two ways compute the
same numbers:

- `MergedAttention`: the prefix without a mask and the tree with one, merged by the log-sum-exp of each part. Rows are
  taken one by one at their exact lengths, so nothing is padded, copied or masked needlessly. For the CPU.
- `DenseAttention`: one masked call of fixed shape for all rows, as a CUDA graph needs it; also the plain reference.
  A lone row on a GPU takes two products instead: a kernel for attention would give each key head to one processor.

In both, query heads that share a key head are folded into the query axis: keys and values are never repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import Module
from torch.nn.functional import scaled_dot_product_attention
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

from docparse_fast.speculative.prefix_tree import ancestry_of
from docparse_fast.targets.decoder.cache import CacheSpan

NAME = "docparse_tree"

# (out, log-sum-exp) of attention over one part of the keys; the public function does not return the second
_flash_cpu = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu


class TreeAttention(Protocol):
    """The attention of one pass. Built once for each pass, called once for each layer."""

    def attend(self, query: Tensor, keys: Tensor, values: Tensor, scaling: float) -> Tensor:
        """`query` (1, heads, tokens, size), the arena `keys` (key heads, places, size); (1, tokens, heads, size)."""


def tree_attention(
    module: Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float,
    tree: TreeAttention | None = None,
    **kwargs: object,
) -> tuple[Tensor, None]:
    """The model's layers call this function. A pass has a `tree`; a prefill or the model's own generate() has none."""
    if tree is None:
        attended: tuple[Tensor, None] = sdpa_attention_forward(
            module, query, key, value, attention_mask, scaling=scaling, **kwargs
        )
        return attended
    return tree.attend(query, key, value, scaling), None


def use_tree_attention(language_model: Module) -> None:
    """Makes this text model attend in our way; the vision part keeps its own."""
    AttentionInterface.register(NAME, tree_attention)
    AttentionMaskInterface.register(NAME, sdpa_mask)
    language_model.set_attn_implementation(NAME)  # type: ignore[operator]  # transformers is not typed


class MergedAttention:
    """Attends row by row: an unmasked prefix and a masked tree, merged. A tree is given by its nodes' parents."""

    def __init__(self, spans: Sequence[CacheSpan], parents: Sequence[Sequence[int]], group: int) -> None:
        self._rows = [
            (span, None if span.width == 1 else _mask(span, tuple(row), group))
            for span, row in zip(spans, parents, strict=True)
        ]

    def attend(self, query: Tensor, keys: Tensor, values: Tensor, scaling: float) -> Tensor:
        rows = [self._attend_row(query, keys, values, scaling, span, mask) for span, mask in self._rows]
        return rows[0] if len(rows) == 1 else torch.cat(rows, dim=1)

    def _attend_row(
        self, query: Tensor, keys: Tensor, values: Tensor, scaling: float, span: CacheSpan, mask: Tensor | None
    ) -> Tensor:
        heads, size = len(keys), keys.shape[-1]
        prefix = slice(span.start, span.start + span.always)
        tree = slice(span.places.start - span.recent, span.places.stop)
        folded = query[:, :, span.offset : span.offset + span.width].reshape(1, heads, -1, size)
        if mask is None and prefix.stop == tree.start:  # a single token sees everything
            everything = slice(span.start, tree.stop)
            out, _ = _flash_cpu(folded, keys[None, :, everything], values[None, :, everything], scale=scaling)
        else:
            seen, seen_lse = _flash_cpu(folded, keys[None, :, prefix], values[None, :, prefix], scale=scaling)
            own, own_lse = _flash_cpu(
                folded,
                keys[None, :, tree],
                values[None, :, tree],
                attn_mask=mask,
                scale=scaling,
            )
            # softmax over both = each part's softmax, weighted by its share of the mass: e^a / (e^a + e^b)
            share = torch.sigmoid(seen_lse - own_lse)[..., None]
            out = torch.lerp(own.float(), seen.float(), share).to(query.dtype)
        return _unfold(out, span.width)


class DenseAttention:
    """Attends for all rows in one masked call. Row r is slot r; all rows have one width, padding nodes included."""

    def __init__(
        self,
        lengths: Tensor,
        ancestries: Tensor,
        view: int,
        group: int,
        capacity: int,
        window: tuple[Tensor, int] | None = None,
    ) -> None:
        """`window`: the lengths of the rows' prompts, and how many of the last tokens a node sees beside them."""
        self._rows, self._width = ancestries.shape[:2]
        self._view = view
        self._capacity = capacity
        mask = dense_mask(lengths, ancestries, view)
        if window is not None:
            mask &= within_window(lengths, ancestries, view, *window)
        self._mask = mask.repeat(1, group, 1)[:, None]
        self._added = added(self._mask[0]) if by_products(self._rows, lengths.device) else None

    def attend(self, query: Tensor, keys: Tensor, values: Tensor, scaling: float) -> Tensor:
        heads, size = len(keys), keys.shape[-1]
        folded = _split(query[0], self._rows).transpose(0, 1).reshape(self._rows, heads, -1, size)
        keys, values = self._cut(keys), self._cut(values)
        if self._added is None:
            out = scaled_dot_product_attention(folded, keys, values, attn_mask=self._mask, scale=scaling)
        else:
            out = attended_by_products(folded[0], keys[0], values[0], self._added, scaling)[None]
        return _unfold(out, self._width).flatten(0, 1)[None]

    def _cut(self, arena: Tensor) -> Tensor:
        """(rows, key heads, view, size), without a copy."""
        rows = _split(arena[:, : self._rows * self._capacity], self._rows)
        return rows[:, :, : self._view].transpose(0, 1)


def by_products(rows: int, device: torch.device) -> bool:
    """Whether products are quicker: for one row 18 µs instead of 49 on an H200, for eight rows 121 instead of 55.

    NVIDIA's library alone multiplies numbers of 16 bits into kept sums of 32; AMD's devices are called cuda too.
    """
    return rows == 1 and device.type == "cuda" and torch.version.cuda is not None


def attended_by_products(query: Tensor, keys: Tensor, values: Tensor, added: Tensor, scaling: float) -> Tensor:
    """(heads, tokens, size) of each; the weights are summed in fp32, as every kernel for attention does."""
    if query.is_cuda and query.dtype is not torch.float32:
        scores = torch.bmm(query, keys.mT, out_dtype=torch.float32)
    else:
        scores = torch.bmm(query.float(), keys.mT.float())
    weights = torch.softmax(torch.add(added, scores, alpha=scaling), -1)
    return torch.bmm(weights.to(values.dtype), values)


def added(seen: Tensor) -> Tensor:
    """What is added to scores: nothing where a place is seen, and no chance elsewhere."""
    return torch.zeros(seen.shape, device=seen.device).masked_fill(~seen, -torch.inf)


def dense_mask(lengths: Tensor, ancestries: Tensor, view: int) -> Tensor:
    """Which nodes see which of a row's first `view` places, (rows, width, view); `ancestries` is (rows, width, width).

    Padding nodes see the whole prefix: without anything to see their values would be NaN.
    """
    behind = torch.arange(view, device=lengths.device) - lengths[:, None]  # (rows, view): which node, if not negative
    width = ancestries.shape[1]
    node = behind.clamp(0, width - 1)[:, None].expand(-1, width, -1)
    return (behind < 0)[:, None] | (ancestries.gather(2, node) & (behind < width)[:, None])


def within_window(lengths: Tensor, ancestries: Tensor, view: int, prompts: Tensor, last: int) -> Tensor:
    """Which places are in a row's prompt or among the last tokens along a node's path, (rows, width, view).

    A node's ancestor at a given depth stands anywhere in the tree, so its depth counts, not its place.
    """
    places = torch.arange(view, device=lengths.device)
    width = ancestries.shape[1]
    depths = ancestries.sum(-1) - 1  # (rows, width)
    behind = places - lengths[:, None]  # (rows, view)
    found = depths.gather(1, behind.clamp(0, width - 1))
    steps = torch.where(behind < 0, behind, found)  # depths of the places; kept entries are before the root's
    near = steps[:, None] > depths[..., None] - last
    return (places < prompts[:, None])[:, None] | near


def _mask(span: CacheSpan, parents: tuple[int, ...], group: int) -> Tensor:
    if span.window is None:
        return _additive(parents, group)
    return _additive_after(span.recent, span.window.last, parents, group)


@lru_cache(maxsize=64)  # most trees are chains of few lengths
def _additive(parents: tuple[int, ...], group: int) -> Tensor:
    """0 for visible nodes, -inf for others, for every query head of a group: (1, 1, group * width, width).

    In fp32, which the kernel takes with queries of any dtype; made by NumPy, because torch calls cost the host more.
    """
    return _as_mask(ancestry_of(parents), group)


@lru_cache(maxsize=64)  # once the window is full, `recent` is always the same
def _additive_after(recent: int, last: int, parents: tuple[int, ...], group: int) -> Tensor:
    """The same behind so many kept entries, where a node sees the last tokens along its path."""
    ancestry = ancestry_of(parents)
    depths = ancestry.sum(-1) - 1
    steps = np.concatenate([np.arange(-recent, 0), depths])
    seen = np.concatenate([np.ones((len(parents), recent), np.bool_), ancestry], 1)
    return _as_mask(seen & (steps > depths[:, None] - last), group)


def _as_mask(seen: npt.NDArray[np.bool_], group: int) -> Tensor:
    mask = np.where(seen, np.float32(0), np.float32(-np.inf))
    return torch.from_numpy(np.concatenate([mask] * group)[None, None])


def _split(packed: Tensor, rows: int) -> Tensor:
    """(heads, rows * places, size) to (heads, rows, places, size)."""
    heads, places, size = packed.shape
    return packed.view(heads, rows, places // rows, size)


def _unfold(out: Tensor, width: int) -> Tensor:
    """(rows, key heads, group * width, size) back to (rows, width, heads, size)."""
    rows, _, _, size = out.shape
    return out.reshape(rows, -1, width, size).transpose(1, 2)
