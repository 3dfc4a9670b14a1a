"""Tells a table's rules from the bars of fractions. Knows lines and rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from docparse_fast.document import Box, TextLine

TABLE_WIDTH, TABLE_RULES = 8.0, 3  # of the type's size; how many rules of one width: formulas seldom have such
IN_TABLE = 0.9  # of a formula's box


def table_rules(level: Sequence[Box], size: float) -> list[list[Box]]:
    """Wide rules that begin and end at the same places, at least as many as a table has: no bars of fractions."""
    stacks: dict[tuple[int, int], list[Box]] = defaultdict(list)
    for rule in level:
        if rule.width > TABLE_WIDTH * size:
            stacks[round(rule.x0), round(rule.x1)].append(rule)
    return [stack for stack in stacks.values() if len(stack) >= TABLE_RULES]


def stands_in_table(cluster: Sequence[int], lines: Sequence[TextLine], tables: Sequence[Box]) -> bool:
    """Whether several lines of it stand between a table's rules: numbers and signs in cells."""
    box = Box.around(lines[i].box for i in cluster)
    return len(cluster) > 1 and any(table.covers(box) > IN_TABLE for table in tables)
