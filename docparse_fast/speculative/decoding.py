"""The operator that both stages share: SpecDecode of Eq. 1, over many rows at once. Knows neither pages nor tensors.

Plain decoding is the same loop with no drafts: its trees are their roots.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from docparse_fast.speculative.acceptance import accept
from docparse_fast.speculative.costs import Budget
from docparse_fast.speculative.target import Target
from docparse_fast.speculative.writing import Decoded, Finish, Row, Writing
from docparse_fast.timing import Timer


@dataclass(frozen=True, slots=True)
class Speculation:
    """How drafts are used. The defaults are the paper's."""

    tau: float = 0.75  # 1: the target's own greedy answer, token for token
    window: int = 3
    widest: int = 64  # nodes in a row's tree, root included; 1 decodes plainly, whatever the drafts

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
    """Decode `rows` side by side, each yielded as it finishes; its slot goes to the next one waiting.

    What is yielded may be put among a running row's drafts: so a page can start from raw drafts and take its regions'
    verified text as it comes. Rows of one call share each pass's nodes, which at tau < 1 can change what is tolerated:
    for answers that repeat, give the same rows together again. Seconds go to the timer's spans "prefill" and "decode";
    deadlines are on its clock.
    """
    timer = timer or Timer()
    waiting = (Writing(row, eos=target.eos, window=speculation.window) for row in rows)
    seated: dict[int, Writing] = {}
    budget = Budget(target.costs, speculation.widest)
    try:
        while _seat(target, waiting, seated, budget, timer):
            with timer.span("decode"):
                while not any(writing.finish for writing in seated.values()):
                    _step(target, seated, budget, speculation.tau)
                    _stop_late(seated.values(), timer.clock())
            for slot in [slot for slot, writing in seated.items() if writing.finish]:
                target.release(slot)
                yield seated.pop(slot).result()
    finally:  # the caller has had enough, or something failed: the target is left as it was found
        for slot in seated:
            target.release(slot)


def _step(target: Target, seated: Mapping[int, Writing], budget: Budget, tau: float) -> None:
    """Align, build, verify, accept, commit."""
    limit = budget.limit(len(seated))
    growths = {slot: writing.grow(limit) for slot, writing in seated.items()}
    sizes = budget.sizes([growth.chances for growth in growths.values()])
    trees = {
        slot: growth.tree(seated[slot].tokens[-1], size)
        for (slot, growth), size in zip(growths.items(), sizes, strict=True)
    }
    verifications = target.verify(trees, tolerant=tau < 1)
    acceptances = {slot: accept(tree, verifications[slot], tau) for slot, tree in trees.items()}
    target.commit({slot: acceptance.path for slot, acceptance in acceptances.items()})
    for slot, acceptance in acceptances.items():
        seated[slot].write(trees[slot], acceptance, rows=len(trees), width=max(sizes))
    budget.settle(sizes, written=sum(len(acceptance.tokens) for acceptance in acceptances.values()))


def _seat(
    target: Target, waiting: Iterator[Writing], seated: dict[int, Writing], budget: Budget, timer: Timer
) -> dict[int, Writing]:
    """Give free slots to waiting rows and prefill them together; who sits now."""
    free = [slot for slot in range(target.slots) if slot not in seated]
    with timer.span("prefill"):
        arrived = dict(zip(free, waiting, strict=False))
        _stop_late(arrived.values(), timer.clock())
        views = {slot: writing.row.view for slot, writing in arrived.items() if not writing.finish}
        seated |= arrived
        for slot, first in (target.prefill(views) if views else {}).items():
            arrived[slot].begin(first, target.room(slot))
    budget.welcome(len(arrived))
    return seated


def _stop_late(writings: Iterable[Writing], now: float) -> None:
    for writing in writings:
        if now > writing.row.deadline and not writing.finish:
            writing.finish = Finish.DEADLINE
