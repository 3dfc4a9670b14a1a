"""Both kinds of attention over packed trees, compared with attention computed node by node."""

from __future__ import annotations

from dataclasses import replace
from unittest import mock

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.targets.decoder import attention as attention_module
from docparse_fast.targets.decoder.attention import DenseAttention, MergedAttention, dense_mask
from docparse_fast.targets.decoder.cache import CacheSpan, Window

SIZE, CAPACITY, SCALING = 16, 64, 0.3
HIDDEN = 1e4  # what must not be seen is loud


def ancestry_of(parents: list[int]) -> np.ndarray:
    seen = np.eye(len(parents), dtype=bool)
    for node, parent in enumerate(parents):
        if parent >= 0:
            seen[node] |= seen[parent]
    return seen


trees = st.integers(1, 9).flatmap(
    lambda size: st.tuples(*[st.integers(-1 if n == 0 else 0, max(n - 1, -1)) for n in range(size)])
)
rows = st.lists(st.tuples(st.integers(1, 40), trees), min_size=1, max_size=3)
windows = st.tuples(st.integers(1, 40), st.integers(1, 12))  # a prompt, and the last tokens that are seen beside it


def case(given_rows, group: int, heads: int = 2, seed: int = 0):
    """Spans, ancestries, a query, and an arena with large numbers where no node may look."""
    random = torch.Generator().manual_seed(seed)
    spans, offset = [], 0
    for slot, (length, parents) in enumerate(given_rows):
        spans.append(CacheSpan(slot, offset, len(parents), length, slot * CAPACITY))
        offset += len(parents)
    arena = torch.full((2, heads, len(spans) * CAPACITY + 1, SIZE), HIDDEN)
    for span in spans:
        filled = slice(span.start, span.places.stop)
        arena[:, :, filled] = torch.randn(2, heads, span.length + span.width, SIZE, generator=random)
    query = torch.randn(1, offset, group * heads, SIZE, generator=random).transpose(1, 2)
    return spans, [ancestry_of(list(parents)) for _, parents in given_rows], query, arena[0], arena[1]


def with_windows(spans, prompt: int, last: int):
    return [replace(span, window=Window(min(prompt, span.length), last)) for span in spans]


def sees(span, ancestry, node: int) -> list[int]:
    """The places of the row that a node may look at."""
    kept = range(span.start, span.start + span.length)
    path = [*kept, *(span.places[other] for other in range(span.width) if ancestry[node, other])]
    if span.window is None:
        return path
    prompt = span.window.prompt
    return [*path[:prompt], *path[max(prompt, len(path) - span.window.last) :]]


def parents_of(given_rows) -> list[tuple[int, ...]]:
    return [parents for _, parents in given_rows]


def node_by_node(spans, ancestries, query, keys, values) -> torch.Tensor:
    """(1, tokens, heads, size): every node over exactly the places that it may see."""
    out = torch.zeros(query.transpose(1, 2).shape)
    group = query.shape[1] // len(keys)
    for span, ancestry in zip(spans, ancestries, strict=True):
        for node in range(span.width):
            places = sees(span, ancestry, node)
            for head in range(query.shape[1]):
                scores = keys[head // group, places] @ query[0, head, span.offset + node] * SCALING
                out[0, span.offset + node, head] = scores.softmax(0) @ values[head // group, places]
    return out


def dense(spans, ancestries, query, keys, values, group: int) -> torch.Tensor:
    """Pads to one width, attends once, and drops the padding."""
    width = max(span.width for span in spans) + 1
    padded = torch.zeros(1, query.shape[1], len(spans) * width, SIZE, dtype=query.dtype)
    seen = torch.zeros(len(spans), width, width, dtype=torch.bool)
    for span, ancestry in zip(spans, ancestries, strict=True):
        nodes = slice(span.slot * width, span.slot * width + span.width)
        padded[:, :, nodes] = query[:, :, span.offset : span.offset + span.width]
        seen[span.slot, : span.width, : span.width] = torch.from_numpy(ancestry)
    lengths = torch.tensor([span.length for span in spans])
    window = None
    if spans[0].window is not None:
        window = torch.tensor([span.window.prompt for span in spans]), spans[0].window.last
    out = DenseAttention(lengths, seen, CAPACITY, group, CAPACITY, window).attend(padded, keys, values, SCALING)
    return torch.cat([out[:, span.slot * width : span.slot * width + span.width] for span in spans], dim=1)


@given(rows, st.sampled_from([1, 3]))
def test_prefix_and_tree_merge_to_what_each_node_sees(given_rows, group: int):
    spans, ancestries, query, keys, values = case(given_rows, group)
    merged = MergedAttention(spans, parents_of(given_rows), group).attend(query, keys, values, SCALING)
    torch.testing.assert_close(merged, node_by_node(spans, ancestries, query, keys, values), atol=2e-5, rtol=1e-4)


@given(rows, st.sampled_from([1, 3]))
def test_one_masked_call_gives_the_same(given_rows, group: int):
    spans, ancestries, query, keys, values = case(given_rows, group)
    keys, values = keys.where(keys != HIDDEN, 0), values.where(values != HIDDEN, 0)  # masked places are finite
    out = dense(spans, ancestries, query, keys, values, group)
    torch.testing.assert_close(out, node_by_node(spans, ancestries, query, keys, values), atol=2e-5, rtol=1e-4)


@given(st.tuples(st.integers(1, 40), trees), st.sampled_from([1, 3]))
def test_two_products_for_a_lone_row_give_the_same(row, group: int):
    spans, ancestries, query, keys, values = case([row], group)
    keys, values = keys.where(keys != HIDDEN, 0), values.where(values != HIDDEN, 0)
    with mock.patch.object(attention_module, "by_products", lambda rows, device: True):
        out = dense(spans, ancestries, query, keys, values, group)
    torch.testing.assert_close(out, node_by_node(spans, ancestries, query, keys, values), atol=2e-5, rtol=1e-4)


@given(rows, st.sampled_from([1, 3]), windows)
def test_a_window_hides_what_is_neither_prompt_nor_among_the_last_tokens_of_a_path(given_rows, group: int, window):
    spans, ancestries, query, keys, values = case(given_rows, group)
    spans = with_windows(spans, *window)
    keys, values = keys.where(keys != HIDDEN, 0), values.where(values != HIDDEN, 0)
    wanted = node_by_node(spans, ancestries, query, keys, values)
    merged = MergedAttention(spans, parents_of(given_rows), group).attend(query, keys, values, SCALING)
    torch.testing.assert_close(merged, wanted, atol=2e-5, rtol=1e-4)
    out = dense(spans, ancestries, query, keys, values, group)
    torch.testing.assert_close(out, wanted, atol=2e-5, rtol=1e-4)


def test_bf16_stays_within_its_rounding():
    given_rows = [(40, (-1, 0, 1, 0, 3)), (7, (-1,))]
    spans, ancestries, query, keys, values = case(given_rows, group=3)
    exact = node_by_node(spans, ancestries, query, keys, values)
    half = [part.bfloat16() for part in (query, keys, values)]
    merged = MergedAttention(spans, parents_of(given_rows), 3).attend(*half, SCALING)
    assert merged.dtype is torch.bfloat16
    torch.testing.assert_close(merged.float(), exact, atol=0.03, rtol=0.03)


def test_padding_sees_the_prefix_so_that_no_value_is_nan():
    mask = dense_mask(torch.tensor([3, 1]), torch.zeros(2, 4, 4, dtype=torch.bool), view=8)
    assert mask.any(-1).all()


def test_a_tree_at_the_end_of_the_view_is_seen_whole():
    mask = dense_mask(torch.tensor([5]), torch.tril(torch.ones(1, 3, 3, dtype=torch.bool)), view=8)
    assert mask[0].int().sum(-1).tolist() == [6, 7, 8]


@pytest.mark.parametrize("group", [1, 2])
def test_no_key_is_copied_to_serve_a_group(group: int):
    given_rows = [(40, (-1, 0, 0))]
    spans, _, query, keys, values = case(given_rows, group)
    attention = MergedAttention(spans, parents_of(given_rows), group)
    with torch.profiler.profile(record_shapes=True) as profile:
        attention.attend(query, keys, values, SCALING)
    copies = [event for event in profile.events() if event.name == "aten::copy_"]
    assert all(40 not in event.input_shapes[0] for event in copies), "40 places stand in the prefix"
