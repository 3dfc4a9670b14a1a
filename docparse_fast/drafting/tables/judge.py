"""How well a proposed table is likely to stand, and how well its lines as text: 1 is all as in the truth."""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.drafting.fitted import fitted_trees
from docparse_fast.drafting.tables.evidence import MEASURES

AS_TABLE, AS_TEXT = "table_judge.json", "text_judge.json"
SCRIPT = "fit_tables.py"


def as_table(measures: Sequence[float]) -> float:
    return fitted_trees(AS_TABLE, MEASURES, SCRIPT).quality(measures)


def as_text(measures: Sequence[float]) -> float:
    return fitted_trees(AS_TEXT, MEASURES, SCRIPT).quality(measures)
