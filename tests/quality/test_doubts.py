"""What a run says of pages that need a look: each kind of doubt has an input that brings it out."""

from __future__ import annotations

import json
from pathlib import Path

import pymupdf
import pytest
from page_files import image_pdf
from targets.hosts.stub_server import Stub, says, serving

from docparse_fast.cli import run
from docparse_fast.document import (
    Block,
    Box,
    Category,
    Draft,
    Failure,
    PageDraft,
    Region,
    TextLayer,
    TextLine,
    TextSpan,
)
from docparse_fast.drafted import DraftedPage
from docparse_fast.drafting.born_digital.soundness import doubt_about, lost_words
from docparse_fast.evidence import Certainty, PageEvidence
from docparse_fast.page_result import page_result
from docparse_fast.quality.doubts import WHOLE, doubts_of, unanswered
from docparse_fast.quality.structure import structure_of
from docparse_fast.rendering.json import page_as_json, read_page
from docparse_fast.timing import Timer

BOX = Box(10, 10, 500, 90)
PROSE = "The engine keeps what it has read and throws nothing away until a page is done and its text stands on disk "
TORN = "<table><tr><td>Day</td><td>By</td></tr><tr><td>1 –</td><td>Ole</td></tr><tr><td>2</td><td>Ada</td></tr></table>"
RAGGED = "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr><tr><td>d</td><td>e</td></tr></table>"
REACHING = (
    "<table><tr><th rowspan=2>Item</th><th colspan=2>Price</th></tr><tr><th>net</th><th>gross</th></tr>"
    "<tr><td>Hinge</td><td>4.50</td><td>5.40</td></tr><tr><td>Lamp</td><td>9.50</td><td>11.40</td></tr></table>"
)


def finished(*regions: tuple[Category, str], failure: Failure | None = None):
    below = [BOX.shifted(0, 100 * n) for n in range(len(regions))]
    drafted = zip(below, regions, strict=True)
    made = tuple(Region(box, category, (Draft(text, "text-layer"),)) for box, (category, text) in drafted)
    draft = PageDraft(1, 600, 800, made, drafter="text-layer").failed(failure)
    return page_result(DraftedPage(1, draft, 600, 800, 72.0), None, None, Timer())


def kinds(page) -> list[str]:
    return [doubt.kind for doubt in page.evidence.doubts]


@pytest.mark.parametrize(
    ("category", "text", "kind"),
    [
        (Category.TEXT, PROSE + "the na\ufffdve reader", "replaced_character"),
        (Category.TEXT, PROSE + "the \ue005\ue006rst reader", "replaced_character"),
        (Category.FORMULA, "where the mass of each body is given and both stand still", "prose_in_formula"),
        (Category.FIGURE, 5 * PROSE, "figure_full_of_text"),
        (Category.TABLE, RAGGED, "ragged_table"),
        (Category.TABLE, TORN, "torn_row"),
    ],
)
def test_what_is_odd_in_a_block_is_a_doubt_and_a_warning(category, text, kind):
    page = finished((Category.TEXT, "all is well"), (category, text))
    assert kinds(page) == [kind]
    assert page.evidence.doubts[0].block == 1
    assert page.evidence.warnings == (page.evidence.doubts[0].message,)
    assert page.status == "ok"


@pytest.mark.parametrize(
    ("likely", "readings", "page", "doubted"),
    [(0.3, 1, 0.9, True), (0.8, 2, 0.5, True), (0.8, 2, None, True), (0.8, 2, 0.9, False), (0.8, 1, 0.5, False)],
)
def test_a_table_that_hardly_stands_is_doubted_and_one_with_rivals_where_the_page_is(likely, readings, page, doubted):
    drafts = tuple(Draft(f"<table><tr><td>{n}</td></tr></table>", "embedded") for n in range(readings))
    draft = PageDraft(1, 600, 800, (Region(BOX, Category.TABLE, drafts, structure=likely),), drafter="embedded")
    found = doubts_of([], draft, None, page, cut_off=False)
    assert ("doubtful_table" in {doubt.kind for doubt in found}) is doubted
    assert not doubts_of([], draft, None, None, cut_off=False, answered=True)  # the target's table, not ours


@pytest.mark.parametrize(
    ("category", "text"),
    [
        (Category.TEXT, PROSE),
        (Category.FORMULA, r"\mathrm{loss} = \frac{1}{n} \sum_i \text{the error of each of the many pages read}_i"),
        (Category.FIGURE, "Input Encoder 12 Layers Decoder Output Loss"),
        (Category.TABLE, REACHING),
    ],
)
def test_what_is_well_raises_no_doubt(category, text):
    assert kinds(finished((category, text))) == []


def test_a_script_that_nothing_reads_is_a_doubt():
    missing = Failure("model_missing", "4 of 9 lines are in Thai script, which nothing here reads")
    page = finished((Category.TEXT, "abc"), failure=missing)
    assert (kinds(page), page.status) == (["unread_script"], "partial")
    assert page.evidence.warnings == (missing.message,)


def layer_of(*texts: str) -> TextLayer:
    lines = tuple(TextLine(BOX, (TextSpan(BOX, text, "Helvetica", 12.0),)) for text in texts)
    return TextLayer((lines,))


def test_words_of_the_layer_that_no_block_has_are_a_doubt():
    regions = [Region(BOX, Category.TEXT, (Draft("The quick brown fox", "text-layer"),))]
    lines = layer_of("The quick brown fox", "jumped over seven sleeping hounds").lines
    (doubt,) = doubt_about(lines, regions)
    assert doubt.kind == "lost_words"
    assert "sleeping" in doubt.message
    assert doubt_about(lines[:1], regions) == ()


@pytest.mark.parametrize(
    ("layer", "drafted", "lost"),
    [
        ("'objnum' = 2;", "`'objnum' = ;`", "2"),
        ("it costs 12 €, 21 in all", "it costs 12, 21 in all", "€"),
        ("11 of 1", "1 of 1", "1"),
    ],
)
def test_a_single_figure_or_sign_of_the_layer_that_no_block_has_is_a_doubt(layer, drafted, lost):
    (doubt,) = doubt_about(layer_of(layer).lines, [Region(BOX, Category.TEXT, (Draft(drafted, "text-layer"),))])
    assert (doubt.kind, doubt.message.rpartition(" ")[2]) == ("lost_characters", lost)


@pytest.mark.parametrize(
    ("category", "layer", "drafted"),
    [
        (Category.TABLE, "Ann <a@b.example> 5", "<table><tr><td>Ann &lt;a@b.example></td><td>5</td></tr></table>"),
        (Category.TEXT, "def. [](0x0) | a_b", r"def. `[](0x0)` \| a_b"),
        (Category.TEXT, "if a ≤ 2, x² ± 1½", r"if $a \leq 2, x^{2} \pm 1 \frac{1}{2}$"),
        (Category.TEXT, "[X] yes 5", "[☒] yes 5"),
        (Category.LIST_ITEM, "1) see page 5", "1. see [page 5](#p)"),
    ],
)
def test_figures_and_signs_that_a_block_writes_otherwise_are_not_lost(category, layer, drafted):
    assert doubt_about(layer_of(layer).lines, [Region(BOX, category, (Draft(drafted, "text-layer"),))]) == ()


def test_words_that_a_block_writes_otherwise_are_not_lost():
    assert lost_words("the ﬁrst hyphen- ated piece of_code", "the first hyphenated `piece of_code`") == []


def test_a_stored_page_keeps_its_doubts():
    page = finished((Category.TABLE, RAGGED))
    assert read_page(page_as_json(page)).evidence.doubts == page.evidence.doubts
    assert "doubts" not in PageEvidence().as_json()


def drafted(*regions: tuple[Category, str], right: float = 1.0) -> PageDraft:
    """A draft whose share of right words is known."""
    drafts = [Draft(text, "embedded", right, Certainty(float(n), n * right)) for _, text in regions if (n := len(text))]
    made = tuple(Region(BOX, regions[n][0], (draft,)) for n, draft in enumerate(drafts))
    return PageDraft(1, 600, 800, made, drafter="embedded")


PAGE = ((Category.TITLE, "How it reads"), (Category.TEXT, PROSE))


@pytest.mark.parametrize(
    ("answer", "draft", "doubted"),
    [
        (PAGE[:1], drafted(*PAGE), True),
        ([(Category.TEXT, PROSE.upper())], drafted(*PAGE), False),
        (PAGE[:1], drafted(*PAGE, right=0.5), False),
        (PAGE[:1], drafted(PAGE[0], (Category.TEXT, "a short page")), False),
        *((PAGE[1:], drafted(*PAGE, (kind, 3 * PROSE)), False) for kind in (Category.PAGE_HEADER, Category.FIGURE)),
        (PAGE[1:], drafted(*PAGE, (Category.FORMULA, 3 * PROSE)), False),
    ],
    ids=["the title alone", "capitals", "an unsure draft", "few words", "a running head", "a picture", "a formula"],
)
def test_an_answer_that_leaves_out_most_of_what_was_surely_read_is_doubted(answer, draft, doubted):
    blocks = [Block(category, text) for category, text in answer]
    assert [doubt.kind for doubt in unanswered(blocks, draft)] == ["unanswered_words"] * doubted


# ------------------------------------------------------------------------------------------------- the run


@pytest.mark.e2e
@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (PROSE + "\n\n" + RAGGED, "ragged_table"),
        ("the engine keeps what it has read", "unanswered_words"),
        (PROSE + "\n\n$$\nwhere the mass of each body is given and both stand still\n$$", "prose_in_formula"),
    ],
)
def test_what_is_odd_in_an_answer_is_said_at_the_end_of_the_run(answer, kind, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    _sound_page(PROSE).save("a.pdf")
    with serving(Stub(lambda picture, body: says(answer), models=[{"id": "nano"}])) as stub:
        run(["convert", "a.pdf", "-o", "out", "--drafter", "text-layer", "--target", stub.url])
    assert "1 of 1 page needs a look: 1\n" in capsys.readouterr().err
    (entry,) = json.loads(Path("out/run.json").read_text("utf-8"))["inputs"]
    assert entry["doubts"] == {kind: 1}


def test_letters_without_meaning_are_said_at_the_end_of_the_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with _sound_page() as document:
        document[0].insert_font("droid", fontbuffer=pymupdf.Font("cjk").buffer)
        document[0].insert_text((72, 100), "na\ufffdve", fontname="droid")
        document.save("a.pdf")
    assert run(["convert", "a.pdf", "-o", "out", "--drafter", "text-layer"]) == 0
    assert "1 of 1 page needs a look: 1\n" in capsys.readouterr().err


def _sound_page(text: str = "A sound page") -> pymupdf.Document:
    document = pymupdf.open()
    document.new_page().insert_textbox((72, 72, 500, 200), text)
    return document


@pytest.fixture
def broken(tmp_path, monkeypatch) -> Path:
    """Two pages, of which the second has a picture that can't be decoded."""
    monkeypatch.chdir(tmp_path)
    entries = b"/Filter /DCTDecode /ColorSpace /DeviceGray /BitsPerComponent 8"
    Path("scan.pdf").write_bytes(image_pdf(400, 300, entries, b"\xff\xd8\xff\xe0" + bytes(200)))
    Path("in").mkdir()
    with pymupdf.open() as document, pymupdf.open("scan.pdf") as scan:
        document.new_page().insert_text((72, 72), "A sound page")
        document.insert_pdf(scan)
        document.save("in/two.pdf")
    return Path("in/two.pdf")


@pytest.mark.usefixtures("workers_nearby")
@pytest.mark.parametrize("command", ["convert", pytest.param("batch", marks=pytest.mark.e2e)])
def test_a_run_says_at_its_end_which_pages_need_a_look(command, broken, capsys):
    run([command, str(broken) if command == "convert" else "in", "-o", "out", "--drafter", "text-layer"])
    assert "1 of 2 pages needs a look: 2\n" in capsys.readouterr().err
    (entry,) = json.loads(Path("out/run.json").read_text("utf-8"))["inputs"]
    assert (entry["doubts"], entry["to_look_at"]) == ({"undecoded_picture": 1}, [2])


def test_a_run_without_doubts_ends_without_such_a_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), "A sound page")
        document.save("a.pdf")
    assert run(["convert", "a.pdf", "-o", "out", "--drafter", "text-layer"]) == 0
    assert "look" not in capsys.readouterr().err


@pytest.mark.parametrize(("cells", "doubted"), [(("6 h", ""), True), (("6", "h"), False)])
def test_a_table_with_a_column_without_words_is_doubted(cells, doubted):
    """Two columns read as one left an empty one beside them, and no doubt."""
    row = "".join(f"<td>{cell}</td>" for cell in cells)
    draft = Draft(f"<table><tr>{row}</tr><tr>{row}</tr></table>", "embedded")
    region = Region(BOX, Category.TABLE, (draft,), structure=0.8)
    found = doubts_of([], PageDraft(1, 600, 800, (region,), drafter="embedded"), None, 0.9, cut_off=False)
    assert ["doubtful_table"] * doubted == [doubt.kind for doubt in found]


def test_a_table_is_judged_however_little_stands_around_it():
    """Pages of less than four blocks had no structure, and each table on them with a rival was doubted."""
    table = "<table><tr><th>Item</th><th>Price</th></tr><tr><td>Hinge</td><td>4.50</td></tr></table>"
    assert structure_of([Block(Category.TABLE, table, BOX, structure=0.9)]) > WHOLE
    assert structure_of([Block(Category.TEXT, "Closed", BOX)]) is None


def test_a_doubted_table_is_named_by_its_block():
    """A reader of a page's doubts was sent to a place in pixels, and `review` framed nothing."""
    region = Region(BOX, Category.TABLE, (Draft("<table><tr><td>1</td></tr></table>", "embedded"),), structure=0.3)
    blocks = [Block(Category.TEXT, "Above"), Block(Category.TABLE, "1", BOX)]
    found = doubts_of(blocks, PageDraft(1, 600, 800, (region,), drafter="embedded"), None, 0.9, cut_off=False)
    assert [doubt.block for doubt in found if doubt.kind == "doubtful_table"] == [1]
