"""Text at both sides of a gutter: columns, or something narrower."""

import numpy as np

from docparse_fast.drafting.blocks.column_text import side_by_side

LINES, UNIT, WIDTH = 12, 10.0, 600.0


def beside(x0: float, x1: float) -> float:
    """The height of text at a gutter, of lines from x0 to x1 beside a broad column that stands half a line lower."""
    left = [(x0, 12.0 * n, x1, 12.0 * n + UNIT) for n in range(LINES)]
    right = [(340.0, 12.0 * n + 6, 590.0, 12.0 * n + 6 + UNIT) for n in range(LINES)]
    members = np.arange(2 * LINES)
    return side_by_side(np.array(left + right), members[:LINES], members[LINES:], UNIT, WIDTH, np.zeros_like(members))


def test_a_column_is_measured_from_edge_to_edge_wherever_it_stands():
    assert beside(200, 330) > 100
    assert beside(290, 330) == 0.0


def terms_beside(steps: list[int]) -> float:
    """The height of text beside bold terms, each level with the first of so many lines that explain it."""
    levels = [sum(steps[:n]) * 12.0 + 3.0 * n for n in range(len(steps))]
    left = [(0.0, y, 120.0, y + UNIT) for y in levels]
    right = [
        (160.0, y + 12 * m, 590.0, y + 12 * m + UNIT) for y, n in zip(levels, steps, strict=True) for m in range(n)
    ]
    members = np.arange(len(left) + len(right))
    return side_by_side(
        np.array(left + right), members[: len(left)], members[len(left) :], UNIT, WIDTH, np.zeros_like(members)
    )


def test_terms_are_no_column_though_one_is_explained_in_a_single_line():
    """Terms of which one had one line were read first, and then all that explains them."""
    assert terms_beside([2, 2, 1, 2, 1]) == terms_beside([2, 2, 2, 2, 2]) == 0.0


def pairs_of_lines(lower: float) -> float:
    """The height of text beside pairs of lines that stand so much lower on the other side."""
    levels = [48.0 * n + y for n in range(LINES // 2) for y in (0, 12)]
    left, right = ([(x, y + by, x + 240, y + by + UNIT) for y in levels] for x, by in ((0, 0), (340, lower)))
    members = np.arange(2 * LINES)
    return side_by_side(np.array(left + right), members[:LINES], members[LINES:], UNIT, WIDTH, np.zeros_like(members))


def test_sides_that_take_turns_are_no_columns():
    """The parties of a case were read one side after the other, though no line stands beside another."""
    assert pairs_of_lines(24) == 0.0 < pairs_of_lines(4)
