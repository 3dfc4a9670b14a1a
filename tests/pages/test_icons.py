"""Icons whose code stands for a string, as MuPDF gives them: the rest of it takes no room."""

from typing import Any

import pytest

from docparse_fast.pages.icons import keep_icons


def said(*glyphs: str) -> str:
    """What is left of glyphs, each 10 wide at its first sign."""
    chars: list[dict[str, Any]] = []
    for n, glyph in enumerate(glyphs):
        for m, sign in enumerate(glyph):
            chars.append({"c": sign, "bbox": (10.0 * n + 10 * (m > 0), 0.0, 10.0 * n + 10, 8.0)})
    block = {"lines": [{"spans": [{"chars": chars}]}]}
    keep_icons([block])
    return "".join(char["c"] for char in block["lines"][0]["spans"][0]["chars"])


def test_an_icon_says_no_address_that_is_not_printed():
    """A printed envelope wrote another firm's address before each true one."""
    assert said("a", "✉ office@mill.example", " ", "b") == "a✉ b"


@pytest.mark.parametrize("glyph", ["ffi", "Ltd.", "e\u0301\u0323", "§", "\u2026.."])
def test_ligatures_accents_and_words_that_a_letter_begins_stay(glyph):
    assert said("a", glyph, "b") == f"a{glyph}b"
