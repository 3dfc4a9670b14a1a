"""PDFs are made with a font of one width among others; what is code must come out as it was typed."""

from pathlib import Path

import pymupdf
import pytest

from docparse_fast.document import Box, Category, PageDraft, TextLine, TextSpan
from docparse_fast.drafting.blocks.code_blocks import code_blocks
from docparse_fast.drafting.blocks.code_rows import PROGRAM
from docparse_fast.drafting.born_digital.text_layer import TextLayerDrafter
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages

LEADING = 14.0
WORDS = "The quick brown fox jumps over the lazy dog near the river bank, and then it rests in the shade."


@pytest.fixture
def page():
    with pymupdf.open() as document:
        yield document.new_page(width=595, height=842)


@pytest.fixture
def drafted(tmp_path: Path, page):
    def draft() -> PageDraft:
        page.parent.save(tmp_path / "made.pdf")
        with open_pages(tmp_path / "made.pdf", RasterOptions()) as pages:
            return next(TextLayerDrafter().draft(made) for made in pages.pages())

    return draft


def prose(page, y: float, lines: int = 3, x: float = 60) -> None:
    for n in range(lines):
        page.insert_text((x, y + n * LEADING), WORDS, fontsize=10)


def typed(page, y: float, text: str, x: float = 60) -> None:
    for n, line in enumerate(text.splitlines()):
        page.insert_text((x, y + n * LEADING), line, fontsize=10, fontname="cour")


def texts(draft: PageDraft, category: Category) -> list[str]:
    return [region.text for region in draft.regions if region.category is category]


def test_code_keeps_its_indents_blank_lines_and_columns(page, drafted):
    code = "def f(x):\n    return [1,   2]\n\nprint(f(3))     # done"
    prose(page, 100)
    typed(page, 170, code, x=80)
    prose(page, 250)
    assert texts(drafted(), Category.CODE) == [code]


def test_one_line_on_a_ground_of_its_own_is_code_whatever_it_says(page, drafted):
    prose(page, 100)
    page.draw_rect((60, 150, 535, 166), fill=(0.9, 0.9, 0.9), color=None)
    typed(page, 161, "apt update")
    prose(page, 190)
    assert texts(drafted(), Category.CODE) == ["apt update"]


def test_typed_lines_in_a_frame_are_code_whatever_they_say(page, drafted):
    prose(page, 100)
    page.draw_rect((60, 150, 535, 182))
    typed(page, 162, "apt update\napt upgrade")
    prose(page, 200)
    assert texts(drafted(), Category.CODE) == ["apt update\napt upgrade"]


def test_a_matrix_is_not_read_by_its_columns(page, drafted):
    matrix = "a =\n" + "\n".join(f"   0.{n}4455    0.{n}1451" for n in range(6))
    prose(page, 100)
    typed(page, 170, matrix, x=90)
    prose(page, 300)
    assert texts(drafted(), Category.CODE) == [matrix]


def test_a_comment_that_goes_on_over_the_gutter_of_columns_below_stays_in_its_row(page, drafted):
    """A paper's listing over two columns lost the one comment whose middle stood over the second."""
    rows = ["v0 = load", "v1 = load", "v2 = set(v0, v1, false, 1)", "v3 = eq v2"]
    for n, row in enumerate(rows):
        typed(page, 100 + n * LEADING, row)
        typed(page, 100 + n * LEADING, "// what it does to the array of primes", x=232 if n == 2 else 160)
    column = "The quick brown fox jumps over the dog near"
    for x in (60, 310):
        for n in range(12):
            page.insert_text((x, 200 + n * LEADING), column, fontsize=10)
    (code,) = texts(drafted(), Category.CODE)
    assert [row.count("//") for row in code.splitlines()] == [1] * len(rows)


def test_an_arrow_of_another_font_does_not_part_code(page, drafted):
    prose(page, 100)
    typed(page, 170, "x.a", x=90)
    page.insert_text((110, 184), "®", fontsize=10, fontname="symb")
    typed(page, 198, "ans = 1", x=130)
    prose(page, 230)
    assert len(texts(drafted(), Category.CODE)) == 1


def test_a_term_with_its_explanation_below_is_no_code(page, drafted):
    prose(page, 100)
    for y in (170, 230):
        typed(page, y, "--force-all")
        prose(page, y + LEADING, x=90)
    assert not texts(drafted(), Category.CODE)


def test_an_item_in_such_a_font_stays_an_item(page, drafted):
    prose(page, 100)
    for y, name in ((170, "lspci"), (192, "lsmod")):
        page.insert_text((70, y), "\u2022", fontsize=10)
        typed(page, y, name, x=85)
    prose(page, 230)
    assert texts(drafted(), Category.LIST_ITEM) == ["- `lspci`", "- `lsmod`"]


def test_a_sentences_line_in_such_a_font_stays_in_its_paragraph(page, drafted):
    prose(page, 100, lines=2)
    typed(page, 128, "/usr/share/doc/package/README", x=60)
    page.insert_text((60, 142), "and in the other files beside it, which are read first.", fontsize=10)
    assert not texts(drafted(), Category.CODE)


def test_a_typed_page_is_text(page, drafted):
    for n in range(30):
        typed(page, 100 + n * LEADING, "Dear friends and colleagues of the society,")
    assert not texts(drafted(), Category.CODE)


def test_what_was_typed_into_a_form_is_no_program(page, drafted):
    for n, (label, value) in enumerate((("Name", "Aino Heikkinen"), ("Born on", "12 March 1984"))):
        page.insert_text((60, 100 + 50 * n), label, fontsize=10)
        typed(page, 120 + 50 * n, value, x=80)
    assert not texts(drafted(), Category.CODE)


def test_a_line_of_code_between_tight_lines_of_an_indented_text_is_code(page, drafted):
    prose(page, 100)
    page.insert_text((60, 142), "path", fontsize=10)
    page.insert_text((130, 142), "One may also say so, in words that end here:", fontsize=10)
    typed(page, 156, "path arc(pair c, real r);", x=130)
    page.insert_text((130, 170), "Here the direction, as it is called, may be given in other", fontsize=10)
    page.insert_text((130, 184), "words.", fontsize=10)
    assert texts(drafted(), Category.CODE) == ["path arc(pair c, real r);"]


def test_code_is_found_on_a_page_that_paints_one_area_a_hundred_thousand_times():
    """A fuzzed file repeated one rectangle; comparing all with all took minutes."""
    rows = [Box(10, 20 * n, 200, 20 * n + 10) for n in range(1, 5)]
    spans = [TextSpan(box, "for i in range(9):", "Courier", 10.0, box.y1, mono=True) for box in rows]
    lines = [TextLine(span.box, (span,)) for span in spans]
    (found,) = code_blocks(lines, [Box(0, 0, 300, 120)] * 100_000, 1000.0)
    assert found.lines == set(range(len(rows)))


def test_typed_lines_with_white_around_them_are_a_block_whatever_they_say(page, drafted):
    said = "TTF Reader begins\nNumber of glyphs in font\nThis font may be embedded"
    prose(page, 100)
    typed(page, 170, said)
    prose(page, 240)
    assert texts(drafted(), Category.CODE) == [said]


def test_most_of_a_page_may_be_what_a_program_printed(page, drafted):
    """Where most letters were typed, lines without a program's signs became one paragraph."""
    said = "\n".join(f"{n:2} -- {'.' * n}*{'.' * (40 - n)}" for n in range(20))
    typed(page, 80, said, x=90)
    prose(page, 400, lines=2)
    assert texts(drafted(), Category.CODE) == [said]


def test_bold_code_that_stands_apart_is_code(page, drafted):
    code = "bin_PROGRAMS = tool\ntool_SOURCES = tool.cpp tool.h"
    prose(page, 100)
    for n, line in enumerate(code.splitlines()):
        page.insert_text((85, 170 + n * LEADING), line, fontsize=10, fontname="cobo")
    prose(page, 230)
    assert texts(drafted(), Category.CODE) == [code]


def test_names_beside_what_they_mean_are_no_code(page, drafted):
    prose(page, 60)
    typed(page, 130, "\\bigskip\n\\medskip\n\\smallskip\n\\vskip")
    for n in range(4):
        page.insert_text((200, 130 + n * LEADING), f"a blank of {n + 1} points", fontsize=10)
    prose(page, 260)
    assert texts(drafted(), Category.CODE) == []


def test_the_numbers_of_codes_lines_are_no_other_side(page, drafted):
    prose(page, 60)
    typed(page, 130, "x <- rnorm(100)\nm <- lm(y ~ x)\nsummary(m)\nplot(m)", x=100)
    page.insert_text((70, 130 + LEADING), "2", fontsize=6)
    prose(page, 260)
    (code,) = texts(drafted(), Category.CODE)
    assert code.splitlines()[1].split() == ["2", "m", "<-", "lm(y", "~", "x)"]


def test_the_typed_end_of_a_sentence_beside_a_term_is_no_code(page, drafted):
    prose(page, 100)
    typed(page, 142, "INPUTRC")
    page.insert_text((130, 142), "The name of the initialization file, overriding the default of", fontsize=10)
    typed(page, 156, "~/.inputrc", x=130)
    prose(page, 184)
    assert not texts(drafted(), Category.CODE)


def test_an_indented_line_below_a_colon_is_code_without_a_sign_of_it(page, drafted):
    prose(page, 100)
    page.insert_text((60, 142), "It prints a line that looks like:", fontsize=10)
    typed(page, 156, "25647 done", x=90)
    prose(page, 170)
    assert texts(drafted(), Category.CODE) == ["25647 done"]


@pytest.mark.parametrize("before", ["", "R> new <- seq(0, 1000, by = 50)\n"])
def test_lines_with_signs_and_white_around_them_are_code_however_long(page, drafted, before):
    prose(page, 100)
    code = before + "R> mix.pred <- predict(mix, newdata = data.frame(Length = new))"
    typed(page, 160, code)
    prose(page, 206)
    assert texts(drafted(), Category.CODE) == [code]


@pytest.mark.parametrize(("step", "found"), [(1.2, ["repeat statement"]), (1.0, [])])
def test_an_indented_line_set_off_a_little_from_the_text_is_code(page, drafted, step, found):
    prose(page, 100)
    typed(page, 100 + (2 + step) * LEADING, "repeat statement", x=90)
    prose(page, 100 + (2 + 2 * step) * LEADING)
    assert texts(drafted(), Category.CODE) == found


def test_the_label_in_a_frame_s_upper_side_is_no_code(page, drafted):
    prose(page, 100)
    for line in (
        (60, 150, 270, 150),
        (330, 150, 535, 150),
        (60, 200, 535, 200),
        (60, 150, 60, 200),
        (535, 150, 535, 200),
    ):
        page.draw_line(line[:2], line[2:])
    page.insert_text((280, 153), "Example", fontsize=9, fontname="cour")
    typed(page, 175, "gap> Size( G );\n24", x=70)
    prose(page, 230)
    assert texts(drafted(), Category.CODE) == ["gap> Size( G );\n24"]


@pytest.mark.parametrize(("row", "told"), [("Gross   $349.65", False), ("echo $1 $HOME", True), ("cost=$2.50", True)])
def test_a_price_is_no_sign_of_a_program(row, told):
    """The totals of a bill in a typewriter's font were a block of code."""
    assert bool(PROGRAM.search(row)) is told


def test_leaders_in_such_a_font_lead_from_names_to_their_sums(page, drafted):
    """A tax form's leaders were taken for rules or for code, and its sums stood below all names."""
    for n, (name, amount) in enumerate((("Wages", "500,000"), ("Rent", "(692,820)"), ("Interest", "19,527"))):
        y = 100 + 30 * n
        page.insert_text((60, y), name, fontsize=10)
        page.insert_text((130, y), "." * 40, fontsize=10, fontname="cour")
        page.insert_text((400, y), amount, fontsize=12, fontname="cour")
    draft = drafted()
    assert texts(draft, Category.CODE) == []
    (table,) = texts(draft, Category.TABLE)
    assert "<td>Rent</td><td>(692,820)</td>" in table


def test_code_in_smaller_type_does_not_part_its_sentence(page, drafted):
    """A book sets code in 0.9 of its type: a line with more code than words began a paragraph."""
    page.insert_text((60, 100), WORDS, fontsize=10)
    page.insert_text((60, 114), "TheImportedPage()", fontsize=9, fontname="cour")
    page.insert_text((155, 114), "of the writer", fontsize=10)
    (said,) = texts(drafted(), Category.TEXT)
    assert said.endswith("`TheImportedPage()` of the writer")


def test_a_mail_address_whose_braces_are_of_another_font_is_no_code(page, drafted):
    """Papers have their authors' addresses in typewriter type; the braces come from TeX's mathematics."""
    prose(page, 60)
    page.insert_text((200, 130), "{", fontsize=10, fontname="symb")
    page.insert_text((205, 130), "ana,jo", fontsize=10, fontname="cour")
    page.insert_text((241, 130), "}", fontsize=10, fontname="symb")
    page.insert_text((246, 130), "@uni.edu", fontsize=10, fontname="cour")
    prose(page, 160)
    assert "{ana,jo}@uni.edu" in texts(drafted(), Category.TEXT)


def test_a_note_that_is_an_address_alone_is_no_code(page, drafted):
    """Papers set addresses in typewriter's type; the note's number stood before it as a line's."""
    prose(page, 100)
    page.insert_text((60, 746), "1", fontsize=6)
    page.insert_text((66, 750), "https://data.example.org/", fontsize=8, fontname="cour")
    assert texts(drafted(), Category.CODE) == []


def test_the_address_below_a_sources_words_is_no_code(page, drafted):
    """References in LaTeX end with one in typewriter type, where it fits on its last line."""
    prose(page, 100)
    for y in (180, 300):
        page.insert_text(
            (60, y), "[1] A. Holm. The weights of the catch in the harbours of the coast, 1999,", fontsize=10
        )
        typed(page, y + LEADING, "https://example.org/10.5158/weights", x=80)
    assert texts(drafted(), Category.CODE) == []
