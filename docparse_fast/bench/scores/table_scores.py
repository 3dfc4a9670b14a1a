"""Table scores: which table of an answer is which of the truth's, and what TEDS it gets.

Tables belong together by the letters in them. One that the truth does not have costs nothing here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from docparse_fast.bench.datasets import TruthBlock
from docparse_fast.bench.scores.pairing import pair
from docparse_fast.bench.scores.reading_order import Place
from docparse_fast.bench.scores.tables import Table, read_table
from docparse_fast.bench.scores.teds import cell_text, teds

LEAST_ALIKE = 0.1  # below that two tables have nothing to do with one another


@dataclass(frozen=True, slots=True)
class TableScores:
    places: dict[int, Place]  # where the truth's tables were found
    teds: tuple[float, ...]  # one for each that counts, 0 for one that is missing
    teds_s: tuple[float, ...]


def table_scores(truth: Sequence[TruthBlock], answer: Sequence[TruthBlock]) -> TableScores:
    expected, written = _tables(truth), _tables(answer)
    wanted, found = list(expected), list(written)
    pairs = pair(
        [_letters(expected[at]) for at in wanted], [_letters(written[at]) for at in found], _alike, least=LEAST_ALIKE
    )
    answers = {wanted[at]: found[to] for at, to in pairs.items()}
    counted = [(expected[at], written.get(answers.get(at, -1))) for at in wanted if truth[at].counted]
    return TableScores(
        {at: (to, 0) for at, to in answers.items()},
        tuple(teds(one, other) for one, other in counted),
        tuple(teds(one, other, structure_only=True) for one, other in counted),
    )


def _tables(blocks: Sequence[TruthBlock]) -> dict[int, Table]:
    read = {at: read_table(block.text) for at, block in enumerate(blocks) if block.kind == "table"}
    return {at: table for at, table in read.items() if table is not None}


def _letters(table: Table) -> str:
    return "".join(cell_text(cell.text) for cell in table.cells)


def _alike(truth: str, answer: str) -> float:
    return fuzz.ratio(truth, answer) / 100
