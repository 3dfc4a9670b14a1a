"""Algorithms in a paper's own type."""

from counted import calls_of

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.blocks.algorithm_steps import algorithms

STEPS = ((0, "set x to 0"), (0, "for each row do"), (20, "add it to x"), (0, "end for"), (0, "return x"))


def line(text: str, x: float, y: float) -> TextLine:
    box = Box(x, y, x + 5 * len(text), y + 10)
    return TextLine(box, (TextSpan(box, text, "Serif", 10, y + 8),))


def counted(*steps: tuple[float, str]) -> list[TextLine]:
    """Each number, and where its step is set in the words on a line of their own."""
    numbers = [line(f"{n}:" if x else f"{n}: {text}", 60, 14 * n) for n, (x, text) in enumerate(steps, 1)]
    return [*numbers, *(line(text, 75 + x, 14 * n) for n, (x, text) in enumerate(steps, 1) if x)]


def test_counted_steps_are_code_that_keeps_how_far_in_they_are():
    """A half of them was a table, the rest headings and paragraphs."""
    (found,) = algorithms([*counted(*STEPS), line("of another column", 400, 28)])
    assert found.text.splitlines()[2] == "  3:     add it to x"
    assert found.lines == frozenset(range(6))


def test_counted_sentences_none_of_which_is_set_in_are_a_list():
    assert algorithms(counted(*((0, text) for _, text in STEPS))) == []
    assert algorithms(counted(*STEPS[:3])) == []


def test_a_page_of_counted_lines_takes_steps_in_proportion():
    """4,000 lines took half a minute."""

    def cost(count: int) -> int:
        return calls_of(lambda: algorithms([line(f"{n % 99}: step", 60, 14 * n) for n in range(count)]))

    cost(10)
    assert cost(400) < 2.5 * cost(200)
