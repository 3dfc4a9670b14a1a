"""Timing both layouts, width by width, decides which layers passes read; plain ones win if it is close or unknown."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import pytest
from known import FLAT, Known
from torch.nn import Linear

from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.targets.decoder import layouts
from docparse_fast.targets.decoder.blocked import BlockedLinear, blockable
from docparse_fast.targets.decoder.layouts import Layout, TwoLayouts, decided, laid_out, quicker_blocked
from docparse_fast.targets.decoder.passes import plain_model

WIDTHS = (1, 2, 4, 8, 16)
needs_kernel = pytest.mark.skipif(not blockable(Linear(4, 4)), reason="no such layout here")


class Processor:
    """Two copies of the layers with given times; every first pass of a copy is slow."""

    def __init__(self, plain: Mapping[int, float], blocked: Mapping[int, float]) -> None:
        self.now = 0.0
        self.passes: list[tuple[str, int]] = []
        self._times = {"plain": plain, "blocked": blocked}

    def plain(self, width: int) -> None:
        self._run("plain", width)

    def blocked(self, width: int) -> None:
        self._run("blocked", width)

    def _run(self, copy: str, width: int) -> None:
        self.now += self._times[copy][width] + 100 * ((copy, width) not in self.passes)
        self.passes.append((copy, width))

    def decision(self) -> tuple[int, ...]:
        return decided(WIDTHS, self.plain, self.blocked, lambda: self.now)


def same(seconds: float) -> dict[int, float]:
    return dict.fromkeys(WIDTHS, seconds)


def test_blocked_layers_are_read_where_they_are_quicker_and_nowhere_else():
    """In fp32 on an Intel Xeon with AMX; on an AMD processor they are quicker at every width."""
    xeon = {1: 1.3, 2: 1.25, 4: 0.77, 8: 0.63, 16: 0.85}
    assert Processor(same(1.0), xeon).decision() == (4, 8, 16)
    assert Processor(same(1.0), same(0.33)).decision() == WIDTHS


def test_blocked_layers_that_are_never_quicker_are_not_held():
    assert Processor(same(1.0), same(1.3)).decision() == ()


def test_a_gain_within_noise_does_not_count():
    assert Processor(same(1.0), same(layouts.MARGIN + 0.01)).decision() == ()


def test_the_two_are_timed_in_turns():
    processor = Processor(same(1.0), same(0.5))
    processor.decision()
    turns = [copy for copy, _ in processor.passes]
    assert turns == ["plain", "blocked"] * (len(turns) // 2)


def test_a_width_for_which_there_was_no_time_stays_plain(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(layouts, "SECONDS", 0.0)
    processor = Processor(same(1.0), {**same(0.1), 1: -100.0})  # its first pass was a warm-up's
    assert processor.decision() == (1,)
    assert {width for _, width in processor.passes} == {1}


@needs_kernel
def test_without_blocked_widths_there_is_no_second_copy(qwen: Known):
    plain = plain_model(qwen.model)
    assert laid_out(plain, dataclasses.replace(FLAT, blocked=())) is plain


@needs_kernel
def test_a_pass_reads_the_copy_of_the_next_timed_width_below_it(qwen: Known):
    plain = plain_model(qwen.model)
    both = laid_out(plain, dataclasses.replace(FLAT, widths=(1, 4, 16), blocked=(4,)))
    assert isinstance(both, TwoLayouts)
    assert isinstance(both.blocked.head, BlockedLinear)
    blocked = [tokens for tokens in range(1, 40) if both.read_at(tokens) is both.blocked]
    assert blocked == list(range(4, 16))


@needs_kernel
@pytest.mark.parametrize("layout", Layout)
def test_answers_are_the_same_whichever_layers_are_read(qwen: Known, layout: Layout):
    target = qwen.target(slots=3, layout=layout)
    rows = [Row(view, max_tokens=30) for view in qwen.views]
    found = sorted(spec_decode(target, rows, Speculation(tau=1.0)), key=lambda one: rows.index(one.row))
    assert [one.tokens for one in found] == [answer[:30] for answer in qwen.answers]


@needs_kernel
def test_a_layout_can_be_asked_for_whatever_the_table_says(qwen: Known):
    assert isinstance(qwen.target(layout=Layout.BLOCKED)._passes.model, TwoLayouts)
    assert not isinstance(qwen.target(layout=Layout.PLAIN)._passes.model, TwoLayouts)


@needs_kernel
@pytest.mark.parametrize("layout", Layout)
def test_what_is_measured_says_which_layers_it_read(qwen: Known, tmp_path: Path, layout: Layout):
    costs = qwen.target(costs=None, costs_folder=tmp_path, layout=layout).costs
    assert set(costs.blocked) <= set(costs.widths)
    if layout is not Layout.QUICKER:
        assert costs.blocked == (costs.widths if layout is Layout.BLOCKED else ())


def test_a_model_without_such_layers_is_not_timed(qwen: Known):
    def clock() -> float:
        pytest.fail("there is nothing to compare")

    assert quicker_blocked(plain_model(qwen.model.double()), (1, 2), clock) == ()
