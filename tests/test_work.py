"""A page that has twice as much costs about twice as much, and a page may cost no more than its budget.

What a page costs is counted: calls of functions, and the steps that rules ask for. No clock is read.
"""

from __future__ import annotations

import cProfile
from pathlib import Path
from random import Random

import odd_pages
import pytest
from counted import calls_of

from docparse_fast import Parser, drafted, parse
from docparse_fast.document import Block, Box, Category, ParsedDocument, ParsedPage, TableCell, TextSpan
from docparse_fast.drafting.blocks.assembly import assemble
from docparse_fast.drafting.blocks.reading_order import columns
from docparse_fast.drafting.blocks.stacks import parted_by_stacks, rows
from docparse_fast.drafting.born_digital.emphasis import PLAIN
from docparse_fast.drafting.born_digital.layer_tables import with_marks
from docparse_fast.drafting.born_digital.soundness import lost_words
from docparse_fast.drafting.lines import Line
from docparse_fast.joining import flowing, whole
from docparse_fast.options import DraftOptions, ParseOptions, TargetOptions
from docparse_fast.rendering.chunks import render_chunks
from docparse_fast.rendering.json import render_json
from docparse_fast.rendering.markdown import render_markdown
from docparse_fast.work import MOST_STEPS, one_page

ROOT = Path(__file__).parents[1]
TWICE = 2.5  # times as much, for twice the size
FASTER = {"underlined": 3.5}  # up to a page's budget their reading order grows faster
FASTER |= {"labels": 3.5, "cells": 3.5, "numbers": 3.5}  # up to so many words as table readers take, their grids do
# Dear, even so.
HALF = ("underlined", "headings", "items", "numbers", "code", "scattered", "leaders", "labels")
STEPS_A_CALL = 50  # a call of a function takes as long
PLAINLY = ("raised",)  # without a second look: thirty parts would be looked at as tables, each at the same cost


def drafts(layout: str) -> ParseOptions:
    return ParseOptions(drafting=DraftOptions(layout=layout), target=TargetOptions(name="none"))


DRAFTS = drafts("always")


class Cost:
    """Calls within it, of functions of ours and of others, and steps that rules asked for."""

    def __enter__(self) -> Cost:
        self._profile = cProfile.Profile()
        self._profile.enable()
        return self

    def __exit__(self, *_: object) -> None:
        self._profile.disable()
        self.calls = sum(each.callcount for each in self._profile.getstats())


@pytest.fixture(scope="module")
def parsers():
    """With models that are opened once, not for each page."""
    return {layout: Parser(drafts(layout)) for layout in ("always", "never")}


def cost_of(parser: Parser, path: Path, monkeypatch) -> float:
    spent = []

    class Watched:
        def __init__(self) -> None:
            self.page = one_page()

        def __enter__(self):
            self.work = self.page.__enter__()
            self.before = self.work.left
            return self.work

        def __exit__(self, *why):
            spent.append(self.before - self.work.left)
            return self.page.__exit__(*why)

    monkeypatch.setattr(drafted, "one_page", Watched)
    with Cost() as cost:
        parser.parse(path).markdown()
    return cost.calls + sum(spent) / STEPS_A_CALL


@pytest.mark.e2e
@pytest.mark.parametrize(
    "name",
    [
        "labels", "scattered", "underlined", "headings", "items", "fractions", "cells", "numbers", "frames", "rules",
        "lines", "code", "leaders", "addresses", "turned", "raised",
    ],
)  # fmt: skip
def test_a_page_of_twice_as_many_costs_about_twice_as_much(parsers, name, tmp_path, monkeypatch):
    costs, parser = [], parsers["never" if name in PLAINLY else "always"]
    for count in (20, 40, 80) if name in HALF else (20, 80, 160):  # the first one loads what is loaded once
        path = tmp_path / f"{count}.pdf"
        path.write_bytes(odd_pages.page(name, count))
        costs.append(cost_of(parser, path, monkeypatch))
    assert costs[2] < FASTER.get(name, TWICE) * costs[1]


def test_every_shape_is_compared():
    marks = test_a_page_of_twice_as_many_costs_about_twice_as_much.pytestmark
    assert {*odd_pages.SHAPES} == {*next(mark.args[1] for mark in marks if mark.name == "parametrize")}


# --------------------------------------------------------------------------------------- joining of pages

ROW = "<tr><td>Account 12345</td><td>Some words</td><td>123.45</td></tr>"
SENTENCE = "words that go on and on over the end of the page and never end in any full stop " * 9


def block(category: Category, text: str, y0: float, y1: float) -> Block:
    return Block(category, text, box=Box(50, y0, 550, y1), sources=("text-layer",))


def sentence(n: int) -> list[Block]:
    return [block(Category.TEXT, SENTENCE, 100, 700)]


def table(n: int) -> list[Block]:
    return [block(Category.TABLE, f"<table>{10 * ROW}</table>", 50, 780)]


def heads(n: int) -> list[Block]:
    body = block(Category.TEXT, "Body words that end here.", 100, 400)
    return [block(Category.TEXT, f"Report of the year {n}", 20, 40), body, block(Category.TEXT, str(n), 770, 790)]


def furniture(n: int) -> list[Block]:
    head = block(Category.PAGE_HEADER, f"Report of the year {n}", 20, 40)
    body = block(Category.TEXT, "Body words that end here.", 100, 400)
    first = block(Category.TEXT, f"Words {n}", 50, 60)
    return [head, first, body, block(Category.PAGE_NUMBER, str(n), 770, 790)]


def alone(n: int) -> list[Block]:
    return heads(n)[::2] if n % 2 else [*furniture(n)]


def document_of(make, count: int) -> ParsedDocument:
    pages = tuple(ParsedPage(n, width=600, height=800, dpi=72, blocks=tuple(make(n))) for n in range(1, count + 1))
    return ParsedDocument("a.pdf", "", pages)


def joined_cost(make, count: int) -> int:
    document = document_of(make, count)
    return calls_of(lambda: render_markdown(flowing(whole(document))))


@pytest.mark.parametrize("make", [sentence, table, heads, furniture, alone])
def test_a_document_of_twice_as_many_pages_is_joined_at_about_twice_the_cost(make):
    joined_cost(make, 20)
    assert joined_cost(make, 200) < TWICE * joined_cost(make, 100)


@pytest.mark.parametrize("written", [render_json, render_chunks])
@pytest.mark.parametrize("make", [sentence, table])
def test_twice_as_many_pages_are_written_at_about_twice_the_cost(written, make):
    few, many = (whole(document_of(make, count)) for count in (20, 40))
    assert calls_of(lambda: written(many)) < TWICE * calls_of(lambda: written(few))


def test_pages_of_one_sentence_are_joined_without_looking_at_all_of_it_again():
    """Each page's text was joined to all before it, and all of that was searched for a link's end."""
    pages = tuple(ParsedPage(n, width=600, height=800, blocks=tuple(sentence(n))) for n in range(1, 401))
    text = flowing(whole(ParsedDocument("a.pdf", "", pages))).pages[0].blocks[0].text
    assert text == (SENTENCE * 400).strip()


# ---------------------------------------------------------------------------------------------- the budget


def labels(rows: int) -> list[Box]:
    places = [(20 + 78 * n, 20 + 20 * row, 31 + (7 * n + 11 * row) % 20) for row in range(rows) for n in range(20)]
    return [Box(x, y, x + width, y + 14) for x, y, width in places]


def test_a_page_past_its_budget_is_read_in_a_plain_way_and_says_so():
    boxes = labels(6)
    with one_page(most=1000) as work:
        found = columns(boxes, 14)
    assert sorted(n for column in found for n in column) == list(range(len(boxes)))
    assert work.warnings == ("more on it than a page may cost; read in a plain way: the reading order",)


def test_what_one_page_used_up_is_not_taken_from_the_next():
    boxes = labels(6)
    with one_page(most=1000):
        columns(boxes, 14)
    with one_page() as work:
        found = columns(boxes, 14)
    assert work.warnings == ()
    assert found == columns(boxes, 14)


def test_the_warning_stands_in_the_pages_record(tmp_path, monkeypatch):
    path = tmp_path / "labels.pdf"
    path.write_bytes(odd_pages.page("labels", 200))
    monkeypatch.setattr(drafted, "one_page", lambda: one_page(most=1000))
    (page,) = parse(path, DRAFTS).pages
    assert page.status == "ok"
    warning = page.evidence.warnings[0]
    assert warning.startswith("more on it than a page may cost; read in a plain way: ")
    assert "what the layout model would see" in warning
    said = " ".join(each.text for each in page.blocks)
    assert all(word in said for word in odd_pages.words_of(200))


def test_a_page_with_too_much_to_draw_is_not_looked_at_and_says_so(tmp_path):
    """The layout model goes over all of it several times: 28 MB of commands took 30 seconds."""
    path = tmp_path / "heavy.pdf"
    path.write_bytes(odd_pages.page("labels", 20).replace(b"BT ", b"BT" + 6_000_000 * b" ", 1))
    (page,) = parse(path, DRAFTS).pages
    assert "read in a plain way: what the layout model would see" in " ".join(page.evidence.warnings)
    assert all(word in " ".join(each.text for each in page.blocks) for word in odd_pages.words_of(20))


def test_paths_count_as_work_where_the_layout_model_would_see_them(tmp_path):
    """It looks at each of them again and again: 100,000 in 1.4 MB of commands took it more than two minutes."""
    path = tmp_path / "strokes.pdf"
    path.write_bytes(odd_pages.page("labels", 20).replace(b"BT ", 30_000 * b"0 0 m 9 9 l S\n" + b"BT ", 1))
    (page,) = parse(path, DRAFTS).pages
    assert "read in a plain way: what the layout model would see" in " ".join(page.evidence.warnings)
    assert all(word in " ".join(each.text for each in page.blocks) for word in odd_pages.words_of(20))


def test_dots_count_as_work_where_the_layout_model_would_look_for_white_between_them(tmp_path):
    """It parted the page at each of them: 1,000 took it 11 seconds, 2,000 took 31."""
    path, place = tmp_path / "dots.pdf", Random(1)
    dots = b"".join(odd_pages.box(600 * place.random(), 700 * place.random(), 1.5, 1.5, "f") for _ in range(1000))
    path.write_bytes(odd_pages.page("labels", 20).replace(b"BT ", dots + b"BT ", 1))
    (page,) = parse(path, DRAFTS).pages
    assert "read in a plain way: what the layout model would see" in " ".join(page.evidence.warnings)


def test_slabs_count_as_work_where_columns_are_searched():
    """An indented list has a slab at each line: they were looked at one by one at each gutter, and not counted."""
    boxes = [Box(30 + 8 * (n % 30), 11 * n, 100 + 8 * (n % 30), 11 * n + 9) for n in range(1200)]
    with one_page() as work:
        columns(boxes, 9)
    assert MOST_STEPS - work.left > 2_000_000


def test_a_row_of_twice_as_many_boxes_is_found_in_twice_the_steps():
    def steps(count: int) -> int:
        boxes = [Box(20 * n, n / 2, 20 * n + 15, 10 + n / 2) for n in range(count)]
        return calls_of(lambda: rows(boxes, range(count)))

    assert steps(400) < TWICE * steps(200)


def test_twice_as_many_lines_on_levels_of_their_own_are_parted_in_twice_the_steps():
    """A form's 2,000 values: each was compared with every line that reached to its level through others."""

    def steps(count: int) -> int:
        boxes = [Box(31 * n % 499, 4 * n, 31 * n % 499 + 20, 4 * n + 10) for n in range(count)]
        lines = {n: Line(box, "word", 10, "text-layer") for n, box in enumerate(boxes)}
        return calls_of(lambda: parted_by_stacks(range(count), lines, boxes))

    assert steps(300) < TWICE * steps(150)


def test_twice_as_many_cells_in_bold_are_tagged_in_twice_the_steps():
    def steps(count: int) -> int:
        boxes = [Box(0, 10 * n, 50, 10 * n + 9) for n in range(count)]
        cells = [TableCell(n, 0, "word", box=box) for n, box in enumerate(boxes)]
        spans = [TextSpan(box, "word", "Serif", 9, box.y1, bold=True) for box in boxes]
        return calls_of(lambda: with_marks(Box(0, 0, 50, 10 * count), cells, spans, PLAIN))

    steps(1)
    assert steps(200) < TWICE * steps(100)


def test_a_column_of_twice_as_many_lines_is_put_together_in_twice_the_steps():
    def steps(count: int) -> int:
        words = odd_pages.PROSE.split()[:14]
        boxes = [(Box(50 + 40 * n, 0, 85 + 40 * n, 10), word.lower()) for n, word in enumerate(words)]
        lines = []
        for row in range(count):
            placed = tuple((box.shifted(0, 14 * row), word) for box, word in boxes)
            whole = Box.around(box for box, _ in placed)
            lines.append(Line(whole, " ".join(word for _, word in placed), 10, "text-layer", words=placed))
        return calls_of(lambda: assemble(lines, 700, 14 * count))

    assert steps(800) < 2.2 * steps(400)


def test_a_word_that_the_draft_has_whole_is_not_looked_for_in_all_of_its_letters():
    layer = " ".join(odd_pages.words_of(1000))
    within = layer.replace(" ", "x")
    assert calls_of(lambda: lost_words(layer, layer)) + 900 < calls_of(lambda: lost_words(layer, within))
