"""Signs without ink, as MuPDF gives them."""

from typing import Any

from docparse_fast.pages.inkless import name_blanks


def block(*signs: tuple[str, float], font: str = "Calibri") -> dict[str, Any]:
    """Signs of one width, each with the height of its ink."""
    chars = [{"c": char, "bbox": (5.0 * n, 0.0, 5.0 * n + 5, ink)} for n, (char, ink) in enumerate(signs)]
    return {"lines": [{"spans": [{"font": font, "chars": chars}]}]}


def said(block: dict[str, Any]) -> str:
    name_blanks([block])
    return "".join(char["c"] for char in block["lines"][0]["spans"][0]["chars"])


def test_a_large_sign_without_ink_is_a_blank():
    """What Word on macOS wrote read `1101#Strayer#Drive`."""
    assert said(block(("a", 7), ("#", 0), ("b", 7), ("!", 0))) == "a b "


def test_signs_with_ink_and_thin_ones_stay():
    assert said(block(("a", 7), ("#", 6), ("-", 0), ("b", 7))) == "a#-b"


def test_a_font_that_shows_no_ink_keeps_its_signs():
    assert said(block(("a", 0), ("#", 0), ("b", 0))) == "a#b"
