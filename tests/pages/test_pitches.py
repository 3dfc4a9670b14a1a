"""Fonts of one width, told by where their characters begin."""

from pathlib import Path

import pymupdf

from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages
from docparse_fast.pages.pitches import lines_on_grid, square_fonts, typed_fonts

PROPORTIONAL = {**dict.fromkeys("iljtfr", 3.0), **dict.fromkeys("mwMW", 8.0)}


def block(font, text, width):
    at, chars = 0.0, []
    for char in text:
        wide = PROPORTIONAL.get(char, 5.0)
        chars.append({"c": char, "origin": (at, 0.0), "bbox": (at, -8.0, at + wide, 2.0)})
        at += width(char)
    return {"lines": [{"spans": [{"font": font, "size": 10.0, "chars": chars}]}]}


def test_a_font_without_a_name_is_typed_if_all_its_letters_have_one_width():
    code = block("F55", "for item in items: swim = time.time(limit, will)", lambda _: 6.0)
    prose = block("F56", "for item in items: swim = time.time(limit, will)", lambda char: PROPORTIONAL.get(char, 5.0))
    assert typed_fonts([code, prose]) == {"F55"}


def test_figures_of_one_width_make_no_typed_font():
    assert typed_fonts([block("F55", "1987.65 2341.11 1111.11 9876.54", lambda _: 5.0)]) == frozenset()


def test_wide_characters_of_one_width_make_no_typed_font():
    assert typed_fonts([block("F55", "文档解析是一项任务文档解析是一项任务", lambda _: 10.0)]) == frozenset()


def test_a_typed_font_is_one_where_lines_are_stretched():
    lines = [block("F55", "for item in items: swim = time.time()", lambda _, w=w: w) for w in (6.0, 6.4, 5.5)]
    assert typed_fonts(lines) == {"F55"}


def test_fonts_of_square_characters_are_known():
    """A Japanese manual came out as code: its font says that all its characters have one width."""
    assert square_fonts([block("F55", "通貨 ABC", lambda _: 10.0), block("F56", "ABC", lambda _: 6.0)]) == {"F55"}


def on_grid(text, step):
    made = block("F55", text, step)
    found = lines_on_grid(made, {"F55"})
    return ["".join(char["c"] for run in line["spans"] for char in run["chars"]) for line in found]


def test_a_line_in_cells_of_one_width_is_typed_and_loses_the_blanks_within_its_cells():
    assert on_grid("client :\\", lambda char: 0.0 if char == " " else 5.0) == ["client:\\"]
    assert on_grid("make install", lambda _: 5.0) == ["make install"]


def test_a_line_of_a_font_with_several_widths_is_not_typed():
    assert on_grid("will make it", lambda char: 3.0 if char in "il " else 6.5) == []


def test_a_typewriter_font_is_known_by_its_name_where_a_page_has_one_word_in_it(tmp_path: Path):
    path = tmp_path / "a.pdf"
    with pymupdf.open() as made:
        page = made.new_page()
        page.insert_text((72, 72), "dpkg", fontname="helv")
        made.xref_set_key(page.get_fonts()[0][0], "BaseFont", "/NimbusMonL-Regu")
        made.save(path)
    with open_pages(path, RasterOptions()) as document:
        layer = next(document.pages()).text_layer
    assert layer is not None and [span.mono for line in layer.lines for span in line.spans] == [True]
