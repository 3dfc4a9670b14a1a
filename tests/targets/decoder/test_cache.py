"""Rows in the cache hold exactly what was kept of them. Entries are numbers here, so a row's content is a list."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.errors import PageError
from docparse_fast.targets.decoder.cache import GRAIN, RowCache

LAYERS, HEADS, SIZE = 2, 3, 4


def entries(numbers: list[int], layer: int) -> torch.Tensor:
    """(1, heads, tokens, size), different for each layer and head."""
    marks = torch.tensor([[number + 1000 * layer + 100_000 * head for number in numbers] for head in range(HEADS)])
    return marks[None, :, :, None].expand(1, HEADS, len(numbers), SIZE).float()


def prefilled(numbers: list[int]) -> SimpleNamespace:
    layers = [SimpleNamespace(keys=entries(numbers, at), values=-entries(numbers, at)) for at in range(LAYERS)]
    return SimpleNamespace(layers=layers)


def run_pass(cache: RowCache, rows: dict[int, list[int]]) -> None:
    spans = cache.place({slot: len(numbers) for slot, numbers in rows.items()})
    cache.write_at(torch.tensor([place for span in spans for place in span.places]))
    packed = [number for numbers in rows.values() for number in numbers]
    for layer in range(LAYERS):
        cache.update(entries(packed, layer), -entries(packed, layer), layer)


def held(cache: RowCache, slot: int) -> list[int]:
    """A row's numbers, which must be the same in every layer and head, in keys and in values."""
    places = slice(slot * cache.capacity, slot * cache.capacity + cache.lengths[slot])
    numbers = [int(number) for number in cache.keys[0, 0, places, 0]]
    for layer in range(LAYERS):
        assert torch.equal(cache.keys[layer, :, places], entries(numbers, layer)[0])
        assert torch.equal(cache.values[layer, :, places], -entries(numbers, layer)[0])
    return numbers


@st.composite
def paths(draw: st.DrawFn) -> tuple[int, list[int]]:
    """A tree's size and a path from its root, in rising order as trees are packed."""
    size = draw(st.integers(1, 12))
    others = draw(st.lists(st.integers(1, size - 1), unique=True)) if size > 1 else []
    return size, [0, *sorted(others)]


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=4),
    st.lists(st.dictionaries(st.integers(0, 3), paths(), min_size=1), max_size=8),
)
def test_a_row_holds_its_prefill_and_the_paths_kept(lengths: list[int], passes: list[dict[int, tuple[int, list[int]]]]):
    cache, expected = RowCache(limit=4096), {}
    for slot, length in enumerate(lengths):
        expected[slot] = list(range(10 * slot, 10 * slot + length))
        cache.fill(slot, prefilled(expected[slot]))
    for number, trees in enumerate(passes):
        trees = {slot: tree for slot, tree in trees.items() if slot in expected}
        if trees:
            rows = {slot: [500 + 20 * number + node for node in range(size)] for slot, (size, _) in trees.items()}
            run_pass(cache, rows)
            cache.keep({slot: path for slot, (_, path) in trees.items()})
            for slot, (_, path) in trees.items():
                expected[slot] += [rows[slot][node] for node in path]
    for slot, numbers in expected.items():
        assert held(cache, slot) == numbers


def test_a_row_that_outgrows_the_arena_takes_all_rows_along():
    cache = RowCache(limit=4096)
    cache.fill(0, prefilled([1, 2, 3]))
    cache.fill(1, prefilled([7] * 100))
    first = cache.capacity
    for _ in range(40):
        run_pass(cache, {1: list(range(8))})
        cache.keep({1: range(8)})
    assert cache.capacity > first
    assert held(cache, 0) == [1, 2, 3]
    assert held(cache, 1) == [7] * 100 + list(range(8)) * 40


def test_memory_follows_the_rows_in_use():
    cache = RowCache(limit=100_000)
    for slot in range(8):
        cache.fill(slot, prefilled([slot] * 50))
    assert cache.keys.shape[2] == 8 * GRAIN + 1
    for slot in range(8):
        cache.release(slot)
    cache.fill(0, prefilled([5] * 3000))
    assert cache.keys.shape[2] <= 2 * 3200 + 1, "one long row must not make room for eight"


def test_short_rows_after_a_long_one_take_little_memory():
    cache = RowCache(limit=100_000)
    cache.fill(0, prefilled([5] * 3000))
    cache.release(0)
    for slot in range(8):
        cache.fill(slot, prefilled([slot] * 50))
    assert cache.keys.shape[2] == 8 * GRAIN + 1


class Tight(RowCache):
    """A device without enough memory for both arenas at once."""

    places = 10**9

    def _resized(self, arena: torch.Tensor, slots: int, capacity: int) -> torch.Tensor:
        if arena is self.values and slots * capacity > self.places:
            raise torch.OutOfMemoryError
        return super()._resized(arena, slots, capacity)


def test_a_steady_arena_stays_as_long_as_it_was_while_there_is_memory():
    cache = Tight(limit=100_000)
    cache.steady = True
    cache.fill(0, prefilled([5] * 3000))
    long = cache.capacity
    cache.release(0)
    for slot in range(4):
        cache.fill(slot, prefilled([slot] * 50))
    assert cache.capacity == long
    layouts = cache.layouts
    for slot in range(4):
        cache.release(slot)
    cache.fill(0, prefilled([5] * 2900))
    assert cache.layouts == layouts
    cache.release(0)
    cache.places = 4 * long
    for slot in range(8):
        cache.fill(slot, prefilled([slot] * 50))
    assert (cache.capacity, cache.slots) == (GRAIN, 8)
    assert [held(cache, slot) for slot in range(8)] == [[slot] * 50 for slot in range(8)]


def test_running_out_of_memory_leaves_the_rows_as_they_were_and_the_next_ones_fit():
    cache = Tight(limit=100_000)
    for slot in range(2):
        cache.fill(slot, prefilled([slot] * 50))
    cache.places = 1000
    with pytest.raises(torch.OutOfMemoryError):
        cache.fill(2, prefilled([2] * 3000))
    cache.release(2)
    assert [held(cache, slot) for slot in range(2)] == [[0] * 50, [1] * 50]
    cache.fill(2, prefilled([3] * 60))
    run_pass(cache, {1: [8, 9], 2: [7]})
    cache.keep({1: [0, 1], 2: [0]})
    assert [held(cache, slot) for slot in range(3)] == [[0] * 50, [1] * 50 + [8, 9], [3] * 60 + [7]]


def test_a_slot_is_reused_without_what_it_held():
    cache = RowCache(limit=512)
    cache.fill(0, prefilled([1] * 60))
    cache.release(0)
    cache.fill(0, prefilled([2, 3]))
    assert held(cache, 0) == [2, 3]


def test_the_likeliest_branch_is_kept_without_a_move():
    cache = RowCache(limit=512)
    cache.fill(0, prefilled([1]))
    run_pass(cache, {0: [2, 3, 4, 5]})
    cache._move = None  # calling it would fail
    cache.keep({0: [0, 1, 2]})
    assert held(cache, 0) == [1, 2, 3, 4]


def test_a_row_beyond_the_models_positions_is_refused_and_the_others_live():
    cache = RowCache(limit=300)
    cache.fill(0, prefilled([1] * 290))
    with pytest.raises(PageError) as refused:
        cache.fill(1, prefilled([2] * 301))
    assert refused.value.code == "out_of_memory"
    with pytest.raises(PageError):
        cache.place({0: 11})
    cache.place({0: 10})
    assert held(cache, 0) == [1] * 290
