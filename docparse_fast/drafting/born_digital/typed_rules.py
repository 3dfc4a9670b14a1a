"""Tells rules that are drawn with type from leaders, which go on from a name to its figures. Knows lines of words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docparse_fast.document import TextLine
from docparse_fast.drafting.measures import ON_BASELINE
from docparse_fast.drafting.words import LEADER
from docparse_fast.geometry import parted

TYPED_RULE = re.compile(r"(?:[.·_=*~—–-]\s*){8,}|\s*")


def without_typed_rules(lines: Sequence[TextLine]) -> list[TextLine]:
    """The lines that say something, and the leaders behind them."""
    said, drawn = parted(lines, lambda line: not TYPED_RULE.fullmatch(line.text))
    return [*said, *(line for line in drawn if LEADER.fullmatch(line.text) and _is_behind_any(line, said))]


def _is_behind_any(leader: TextLine, lines: Sequence[TextLine]) -> bool:
    """Whether one of the lines stands left of it, on its baseline."""
    first = leader.spans[0]
    return any(
        abs(line.spans[-1].baseline - first.baseline) < ON_BASELINE * first.size and line.box.x1 <= leader.box.x0
        for line in lines
    )
