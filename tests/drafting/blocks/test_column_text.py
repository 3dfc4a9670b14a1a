"""Text at both sides of a gutter: columns, or something narrower."""

import numpy as np

from docparse_fast.drafting.blocks.column_text import side_by_side

LINES, UNIT, WIDTH = 12, 10.0, 600.0


def beside(x0: float, x1: float) -> float:
    """The height of text at a gutter, of lines from x0 to x1 beside a broad column that stands half a line lower."""
    left = [(x0, 12.0 * n, x1, 12.0 * n + UNIT) for n in range(LINES)]
    right = [(340.0, 12.0 * n + 6, 590.0, 12.0 * n + 6 + UNIT) for n in range(LINES)]
    members = np.arange(2 * LINES)
    return side_by_side(np.array(left + right), members[:LINES], members[LINES:], UNIT, WIDTH)


def test_a_column_is_measured_from_edge_to_edge_wherever_it_stands():
    assert beside(200, 330) > 100
    assert beside(290, 330) == 0.0
