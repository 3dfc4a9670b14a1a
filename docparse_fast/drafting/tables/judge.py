"""How well a proposed table is likely to stand, and how well its lines as text: 1 is all as in the truth.

Two pairs of fitted trees: where a network looked at the place, and where none did.
"""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.drafting.fitted import fitted_trees
from docparse_fast.drafting.tables.evidence import HEARD, MEASURES

AS_TABLE, AS_TEXT = "table_judge.json", "text_judge.json"
AS_TABLE_UNSEEN, AS_TEXT_UNSEEN = "unseen_table_judge.json", "unseen_text_judge.json"
SCRIPT = "fit_tables.py"


def as_table(measures: Sequence[float]) -> float:
    return _quality(AS_TABLE if measures[HEARD] else AS_TABLE_UNSEEN, measures)


def as_text(measures: Sequence[float]) -> float:
    return _quality(AS_TEXT if measures[HEARD] else AS_TEXT_UNSEEN, measures)


def _quality(weights: str, measures: Sequence[float]) -> float:
    return fitted_trees(weights, MEASURES, SCRIPT).quality(measures)
