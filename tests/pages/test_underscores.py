"""Underscores that are drawn: PDFs are made with PyMuPDF, with a line where TeX draws one."""

from dataclasses import replace
from pathlib import Path

import pymupdf
from counted import calls_of

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages
from docparse_fast.pages.underscores import with_underscores

SIZE = 12.0


def text_of(tmp_path: Path, words: list[tuple[float, str]], lines: list[tuple[float, float]], y: float = 100.0) -> str:
    """The first line of a page with `words` on one baseline and drawn `lines`, `y` their height, all in points."""
    document = pymupdf.open()
    page = document.new_page()
    for x, word in words:
        page.insert_text((x, 100), word, fontsize=SIZE)
    for x0, x1 in lines:
        page.draw_line((x0, y), (x1, y), width=0.4)
    document.save(tmp_path / "made.pdf")
    with open_pages(tmp_path / "made.pdf", RasterOptions()) as pages:
        (page,) = pages.pages()
        return " ".join("".join(line.text for line in page.text_layer.lines).split())


def width(word: str) -> float:
    return pymupdf.get_text_length(word, fontsize=SIZE)


def test_a_short_line_between_two_words_is_an_underscore(tmp_path):
    end = 72 + width("get")
    assert text_of(tmp_path, [(72, "get"), (end + 5, "voltage")], [(end + 0.7, end + 4.3)]) == "get_voltage"


def test_a_line_beneath_a_word_is_none(tmp_path):
    end = 72 + width("get") + 4
    assert text_of(tmp_path, [(72, "get"), (end, "voltage")], [(end, end + 5)], y=101.0) == "get voltage"


def test_a_long_line_is_a_blank_to_be_filled_in(tmp_path):
    end = 72 + width("Name")
    assert "_" not in text_of(tmp_path, [(72, "Name")], [(end + 2, end + 90)])


def test_a_line_at_half_the_height_of_the_words_is_a_dash(tmp_path):
    end = 72 + width("one")
    assert "_" not in text_of(tmp_path, [(72, "one"), (end + 5, "two")], [(end + 0.7, end + 4.3)], y=96.0)


def test_the_short_lines_of_a_lying_brace_are_none():
    tips = tuple(TextSpan(Box(x, 92, x + 4, 102), "⏞", "Extension", SIZE, 100.0) for x in (100, 110))
    line = TextLine(Box(100, 92, 114, 102), tips)
    assert with_underscores(((line,),), [Box(104, 99, 110, 100)]) == ((line,),)


def test_lines_level_with_many_drawn_ones_look_only_at_those_beside_them():
    def cost(count: int) -> int:
        spans = [TextSpan(Box(40 * n, 90, 40 * n + 20, 102), "word", "Serif", SIZE, 100) for n in range(count)]
        bars = [Box(40 * n + 22, 99.6, 40 * n + 26, 100) for n in range(count)]
        return calls_of(lambda: with_underscores((tuple(TextLine(span.box, (span,)) for span in spans),), bars))

    assert cost(160) < 2.5 * cost(80)


def test_a_line_between_two_words_is_a_blank_to_be_filled_in(tmp_path):
    """A worksheet's `pays ____ euros` was `pays euros`."""
    words = [(72.0, "A boat pays"), (205.0, "euros.")]
    assert text_of(tmp_path, words, [(140.0, 201.0)], y=101) == "A boat pays ____ euros."
    assert text_of(tmp_path, words, [(72.0, 201.0)], y=101) == "A boat payseuros.", "an underline"
    assert text_of(tmp_path, words[:1], [(140.0, 201.0)], y=101) == "A boat pays", "a field's line"
    assert text_of(tmp_path, [words[0], (205.0, ".")], [(140.0, 201.0)], y=101) == "A boat pays ____."


def test_a_leader_or_a_fraction_bar_between_two_words_is_no_blank(tmp_path):
    """A menu's drawn leaders were blanks to be filled in, and a fraction's bar was one."""
    assert text_of(tmp_path, [(72.0, "Tagliata"), (205.0, "22")], [(118.0, 201.0)], y=101) == "Tagliata22"
    assert text_of(tmp_path, [(72.0, "is log"), (135.0, "of it")], [(108.0, 131.0)], y=97) == "is logof it"


def test_the_bar_of_a_root_whose_number_is_a_line_of_its_own_is_none():
    root = TextSpan(Box(100, 100, 120, 120), "√", "CMSY10", 20, baseline=100.0)
    line = TextLine(root.box, (root,))
    assert with_underscores(((line,),), [Box(120, 99, 130, 100)]) == ((line,),)
    word = replace(line, spans=(replace(root, text="get"),))
    assert with_underscores(((word,),), [Box(120, 99, 130, 100)]) != ((word,),)
