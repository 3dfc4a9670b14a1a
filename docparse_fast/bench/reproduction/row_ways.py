"""How a row of a table was run: the paper's settings as ways of the measuring core. Knows options; runs nothing.

Where the paper doesn't say, it is said here what is taken for what (docs/bench.md has the reasons):

- "+ Page-level Spec. Decoding only" is at tau 1: the row below it, at tau 1, then differs by Stage 1 alone.
- Stage 1 reads every region that can be read, as in the paper, whether or not it pays.
- Answers may have as many tokens as the table's cap, plain ones and speculative ones alike.
"""

from __future__ import annotations

from collections.abc import Iterable

from docparse_fast.bench.paper import TAU, WINDOW, RowWay
from docparse_fast.bench.record import PLAIN
from docparse_fast.bench.ways import DRAFTS, Plain, Speculative, Way
from docparse_fast.options import SpeculationOptions

MAIN = "hsd"  # the paper's method: what slow pages and lengths are told of
OURS = "as convert runs it"  # a row that the paper doesn't have: Stage 1 only where it pays

SETTINGS: dict[str, tuple[float, str]] = {  # tau and stages
    "hsd": (TAU, "both"),
    "hsd-exact": (1.0, "both"),
    "page-only": (1.0, "2"),
    "stage-1": (TAU, "1"),
    OURS: (TAU, "auto"),
}


def options_of(way: str, cap: int) -> SpeculationOptions:
    """
    >>> options_of("page-only", 2048).stages
    '2'
    """
    tau, stages = SETTINGS[way]
    return SpeculationOptions(tau=tau, window=WINDOW, stages=stages, max_new_tokens=cap)


def ways_of(rows: Iterable[RowWay | str], cap: int) -> list[Way]:
    """Plain decoding, which everything is held against, and what the rows need beside it. Not all rows are decoded."""
    wanted = [way for way in dict.fromkeys(rows) if way in SETTINGS]
    return [plain(cap), *(speculative(way, cap) for way in wanted)]


def plain(cap: int) -> Plain:
    return Plain(SpeculationOptions(tau=1.0, window=WINDOW, max_new_tokens=cap), PLAIN)


def speculative(way: str, cap: int, name: str = "", drafts: str = DRAFTS) -> Speculative:
    return Speculative(options_of(way, cap), name or way, drafts)
