"""The operator that both stages share: SpecDecode of Eq. 1, over many rows at once. Knows neither pages nor tensors.

Plain decoding is the same loop without drafts: each tree is only its root.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from docparse_fast.speculative.costs import Budget, CostTable
from docparse_fast.speculative.growing_answer import Decoded, Finish, Row, RunningRow
from docparse_fast.speculative.target import Target
from docparse_fast.timing import Timer


@dataclass(frozen=True, slots=True)
class Speculation:
    """How drafts are used. The paper's window, but not its tau, which is 0.75."""

    tau: float = 1.0  # 1: the target's own greedy answer, token for token
    window: int = 3
    widest: int = 64  # nodes in a row's tree, root included; 1 is plain decoding
    apart: bool = False  # each row has a budget of its own: its trees are those it would have alone

    def __post_init__(self) -> None:
        if not 0 < self.tau <= 1:
            raise ValueError(f"tau is in (0, 1]: {self.tau}")
        if self.window < 1 or self.widest < 1:
            raise ValueError(f"window and widest are at least 1: {self.window}, {self.widest}")


def spec_decode(
    target: Target,
    rows: Iterable[Row],
    speculation: Speculation = Speculation(),
    timer: Timer | None = None,
) -> Iterator[Decoded]:
    """Decodes `rows` side by side and yields each as it finishes; the next waiting row gets its slot.

    The caller may add what was yielded to a running row's drafts, so a page can start from raw drafts and use its
    regions' verified text as it arrives. Rows of one call share each pass's nodes unless they are `apart`, which at tau
    < 1 can change what is tolerated: to repeat an answer, give the same rows together again. Seconds go to the timer's
    spans "prefill" and "decode"; deadlines are times of its clock.
    """
    timer = timer or Timer()
    waiting = (RunningRow(row, eos=target.eos, window=speculation.window) for row in rows)
    running: dict[int, RunningRow] = {}  # by slot
    budgets = _Budgets(target.costs, speculation)
    try:
        while _fill_slots(target, waiting, running, budgets, timer):
            with timer.span("decode"):
                while not any(row.finish for row in running.values()):
                    _step(target, running, budgets, speculation.tau)
                    _stop_late(running.values(), timer.clock())
            for slot in [slot for slot, row in running.items() if row.finish]:
                target.release(slot)
                yield running.pop(slot).result()
    finally:  # the caller stopped, or something failed: release the target's slots
        for slot in running:
            target.release(slot)


class _Budgets:
    """One for all rows of a call, or one for each."""

    def __init__(self, table: CostTable, speculation: Speculation) -> None:
        self._new = partial(Budget, table, speculation.widest)
        self._shared = None if speculation.apart else self._new()
        self._of: dict[int, Budget] = {}  # by slot

    def begin(self, slot: int) -> None:
        self._of[slot] = self._shared or self._new()
        self._of[slot].rows_started(1)

    def groups(self, running: Mapping[int, RunningRow]) -> dict[Budget, list[RunningRow]]:
        found: dict[Budget, list[RunningRow]] = {}
        for slot, row in running.items():
            found.setdefault(self._of[slot], []).append(row)
        return found


def _step(target: Target, running: Mapping[int, RunningRow], budgets: _Budgets, tau: float) -> None:
    """Aligns, builds, verifies, accepts, commits."""
    groups = budgets.groups(running)
    widths = {budget: _build_trees(budget, rows) for budget, rows in groups.items()}
    verified = target.verify({slot: row.tree for slot, row in running.items()}, tolerant=tau < 1)
    for slot, row in running.items():
        row.accept(verified[slot], tau)
    target.commit({slot: row.accepted.path for slot, row in running.items()})
    for row in running.values():
        row.write(rows=len(running), width=max(map(max, widths.values())))
    for budget, rows in groups.items():
        budget.charge(widths[budget], written=sum(len(row.accepted.tokens) for row in rows))


def _build_trees(budget: Budget, rows: Sequence[RunningRow]) -> list[int]:
    """Returns their widths."""
    limit = budget.limit(len(rows))
    for row in rows:
        row.align(limit, budget.spare)
        budget.spend(row.spent)
    widths = budget.widths([row.chances for row in rows])
    for row, width in zip(rows, widths, strict=True):
        row.build_tree(width)
    return widths


def _fill_slots(
    target: Target, waiting: Iterator[RunningRow], running: dict[int, RunningRow], budgets: _Budgets, timer: Timer
) -> dict[int, RunningRow]:
    """Gives free slots to waiting rows and prefills them together; returns the rows that now run."""
    free = [slot for slot in range(target.slots) if slot not in running]
    with timer.span("prefill"):
        started = dict(zip(free, waiting, strict=False))
        _stop_late(started.values(), timer.clock())
        views = {slot: row.row.view for slot, row in started.items() if not row.finish}
        running |= started
        expected = {slot: started[slot].row.expected for slot in views}
        for slot, first in (target.prefill(views, expected) if views else {}).items():
            started[slot].begin(first, target.room(slot))
    for slot in started:
        budgets.begin(slot)
    return running


def _stop_late(rows: Iterable[RunningRow], now: float) -> None:
    for row in rows:
        if now > row.row.deadline and not row.finish:
            row.finish = Finish.DEADLINE
