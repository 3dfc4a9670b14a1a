"""Signs that a font raises or lowers by glyphs of their own, as MuPDF gives them."""

from typing import Any

from docparse_fast.pages.superiors import SIZE, part_superiors

RAISED, LOWERED, HANGING = (3.0, 6.5), (-1.5, 2.5), (-2.0, 4.5)  # from the ink's foot to its head, above the baseline


def line(*signs: tuple[str, tuple[float, float]]) -> dict[str, Any]:
    """Signs of 10 points on a baseline at 100."""
    chars = [
        {"c": char, "origin": (5.0 * n, 100.0), "bbox": (5.0 * n, 100 - head, 5.0 * n + 5, 100 - foot)}
        for n, (char, (foot, head)) in enumerate(signs)
    ]
    return {"dir": (1.0, 0.0), "spans": [{"font": "Libertinus", "size": 10.0, "chars": chars}]}


def plain(text: str) -> list[tuple[str, tuple[float, float]]]:
    return [(char, (0.0, 6.5)) for char in text]


def parted(*signs: tuple[str, tuple[float, float]]) -> list[tuple[str, float, float]]:
    """The text, size and baseline of each run."""
    found = line(*signs)
    part_superiors([{"lines": [found]}])
    runs = found["spans"]
    return [("".join(c["c"] for c in run["chars"]), run["size"], run["chars"][0]["origin"][1]) for run in runs]


def test_a_raised_figure_is_smaller_and_off_the_line():
    """Typst's marks of notes were figures behind words, and the note below was a page's foot."""
    found = parted(*plain("term"), ("1", RAISED), *plain(" and"))
    assert found == [("term", 10.0, 100.0), ("1", SIZE * 10, 97.0), (" and", 10.0, 100.0)]


def test_a_lowered_figure_is_and_a_hanging_one_is_not():
    assert parted(*plain("H"), ("2", LOWERED), *plain("O")) == [
        ("H", 10.0, 100.0),
        ("2", SIZE * 10, 101.5),
        ("O", 10.0, 100.0),
    ]
    assert parted(*plain("since 1"), ("9", HANGING)) == [("since 19", 10.0, 100.0)]


def test_a_fractions_numerator_stays():
    said = parted(*plain("use "), ("1", RAISED), *plain("\u20442"))
    assert "".join(text for text, _, _ in said) == "use 1\u20442"
    assert {size for _, size, _ in said} == {10.0}


def test_a_font_whose_signs_all_stand_off_the_line_is_left():
    assert parted(("4", RAISED), ("2", RAISED)) == [("42", 10.0, 100.0)]
