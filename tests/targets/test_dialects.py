"""Every target's dialect: how it words drafts, and how it reads complete and broken answers. Pure text."""

import json
import re
import subprocess
import sys
from html import escape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.document import FURNITURE, Block, Box, Category, Draft, Region
from docparse_fast.targets.dialects.chandra_ocr2 import ChandraOcr2Dialect
from docparse_fast.targets.dialects.deepseek_ocr2 import DeepSeekOcr2Dialect
from docparse_fast.targets.dialects.dialect import user_message
from docparse_fast.targets.dialects.doctags import DocTagsDialect
from docparse_fast.targets.dialects.dots_ocr import DotsOcrDialect, resized_size
from docparse_fast.targets.dialects.glm_ocr import GLM_OCR
from docparse_fast.targets.dialects.got_ocr2 import GOT_OCR2
from docparse_fast.targets.dialects.hunyuan_ocr import HUNYUAN_OCR
from docparse_fast.targets.dialects.latex import spaced
from docparse_fast.targets.dialects.lighton_ocr import LIGHTON_OCR
from docparse_fast.targets.dialects.markdown import MarkdownDialect
from docparse_fast.targets.dialects.mineru2_5 import MINERU2_5
from docparse_fast.targets.dialects.nano import NANO
from docparse_fast.targets.dialects.nanonets_ocr import NanonetsOcrDialect
from docparse_fast.targets.dialects.olmocr2 import OlmOcr2Dialect
from docparse_fast.targets.dialects.otsl import cells_of, html_table, otsl, with_sections
from docparse_fast.targets.dialects.ovis_ocr2 import OvisOcr2Dialect
from docparse_fast.targets.dialects.paddleocr_vl import PADDLEOCR_VL
from docparse_fast.targets.dialects.qwen3_vl import QWEN3_VL
from docparse_fast.targets.dialects.readings import rows_apart
from docparse_fast.targets.dialects.table_forms import forms
from docparse_fast.targets.dialects.unlimited_ocr import UnlimitedOcrDialect

DOTS, DEEPSEEK, OLMOCR, NANONETS = DotsOcrDialect(), DeepSeekOcr2Dialect(), OlmOcr2Dialect(), NanonetsOcrDialect()
CHANDRA, OVIS, UNLIMITED = ChandraOcr2Dialect(), OvisOcr2Dialect(), UnlimitedOcrDialect()
DOCTAGS = DocTagsDialect()
MARKDOWN = [QWEN3_VL, NANO, HUNYUAN_OCR, PADDLEOCR_VL, GLM_OCR, LIGHTON_OCR, GOT_OCR2, MINERU2_5]
FILES = ["qwen3_vl", "nano", "hunyuan_ocr", "paddleocr_vl", "glm_ocr", "lighton_ocr", "got_ocr2", "mineru2_5"]
DIALECTS = [DOTS, DEEPSEEK, OLMOCR, NANONETS, CHANDRA, OVIS, UNLIMITED, DOCTAGS, *MARKDOWN]
PAGES = [dialect for dialect in DIALECTS if dialect.page_prompt is not None]
SIZE = (1000, 1400)
SAMPLES = Path(__file__).parents[2] / "samples" / "nano"
TABLE = '<table><tr><td colspan="2">Year &amp; sum</td></tr><tr><td>2024</td><td>7 &lt; 8</td></tr></table>'
HEADED = TABLE.replace("<td colspan", "<th colspan").replace("sum</td>", "sum</th>")
BOX = Box(100, 200, 500, 260)

READINGS = {
    Category.TITLE: "On “quoted” words",
    Category.SECTION_HEADER: "1.2 Results",
    Category.TEXT: 'He said "no",\nand $a_1+b$ costs $5 \\ 6.',
    Category.LIST_ITEM: "- first of all",
    Category.TABLE: TABLE,
    Category.CAPTION: "Figure 1: a *curve*",
    Category.FIGURE: "",
    Category.FORMULA: "\\frac {a}{b} \\tag {3}",  # with the blanks that GLM-OCR writes
    Category.CODE: "for x in y:\n\n    print(x)",
    Category.FOOTNOTE: "¹ see below",
    Category.PAGE_HEADER: "Annual report",
    Category.PAGE_FOOTER: "Confidential",
    Category.PAGE_NUMBER: "17",
}
LEVELS = {Category.TITLE: 1, Category.SECTION_HEADER: 2}
# What a Markdown answer can't say comes back as text.
SAID_AS_TEXT = {Category.CAPTION, Category.FOOTNOTE, Category.PAGE_HEADER, Category.PAGE_FOOTER, Category.PAGE_NUMBER}


def region(category, text=None, box=BOX, level=None):
    text = READINGS[category] if text is None else text
    level = LEVELS.get(category, 0) if level is None else level
    return Region(box, category, (Draft(text, "stage-1"),), level)


def names(dialects):
    return pytest.mark.parametrize("dialect", dialects, ids=[dialect.name for dialect in dialects])


def reread(dialect, *regions):
    return dialect.parse("".join(first_phrases(dialect, regions)), SIZE)


def first_phrases(dialect, regions):
    """Each region in the words that are offered first."""
    texts = {}
    for phrase in dialect.phrase_page(regions, SIZE):
        texts.setdefault(phrase.regions, phrase.text)
    return texts.values()


# ----------------------------------------------------------------------------------------------------- round trips


@names(PAGES)
@pytest.mark.parametrize("category", list(Category))
def test_a_drafted_page_reads_back_as_the_draft(dialect, category):
    """Between two paragraphs, so that the text between blocks is tested as well."""
    before, after = region(Category.TEXT, "Before."), region(Category.TEXT, "After.")
    answer = reread(dialect, before, region(category), after)
    found = [(block.category, block.text, block.level) for block in answer.blocks]
    assert not answer.lost
    assert found[0] == (Category.TEXT, "Before.", 0)
    assert found[-1] == (Category.TEXT, "After.", 0)
    assert found[1:-1] == expected(dialect, category)


def expected(dialect, category):
    if category in undrafted(dialect):
        return []
    kind = Category.TEXT if category in said_as_text(dialect) else category
    if dialect is UNLIMITED and category is Category.TITLE:  # there is one label for titles and headings
        return [(Category.SECTION_HEADER, READINGS[category], 2)]
    if dialect is DOTS and category is Category.TABLE:
        return [(category, with_sections(TABLE), 0)]
    if dialect is DOCTAGS and category is Category.TABLE:
        return [(category, HEADED, 0)]
    if dialect in (DOTS, CHANDRA, DOCTAGS) and category is Category.PAGE_NUMBER:
        kind = Category.PAGE_HEADER  # there is no label of its own; the box stands in the upper half
    return [(kind, READINGS[category], LEVELS.get(category, 0))]


def undrafted(dialect):
    if isinstance(dialect, MarkdownDialect):
        return dialect.undrafted
    return {OLMOCR: FURNITURE | {Category.FIGURE}, NANONETS: {Category.FIGURE}}.get(dialect, ())


def said_as_text(dialect):
    if isinstance(dialect, MarkdownDialect) or dialect in (OLMOCR, OVIS):
        return SAID_AS_TEXT
    return SAID_AS_TEXT - {Category.PAGE_NUMBER} if dialect is NANONETS else ()


@names(DIALECTS)
@pytest.mark.parametrize("category", [category for category in Category if category is not Category.FIGURE])
def test_a_drafted_region_reads_back_as_the_draft(dialect, category):
    drafted = region(category)
    answer = dialect.phrase_region(drafted, drafted.text)
    headed = {DOTS.name: with_sections(TABLE), DOCTAGS.name: HEADED} if category is Category.TABLE else {}
    assert dialect.read_region(drafted, answer) == headed.get(dialect.name, drafted.text)


@names([DOTS, DEEPSEEK, CHANDRA])
def test_boxes_come_back_where_they_were(dialect):
    """To the pixel, as far as the target's own scale allows."""
    (block,) = reread(dialect, region(Category.TEXT)).blocks
    for ours, theirs in zip(
        (BOX.x0, BOX.y0, BOX.x1, BOX.y1), (block.box.x0, block.box.y0, block.box.x1, block.box.y1), strict=True
    ):
        assert abs(ours - theirs) <= 0.8


@names([DOTS, DEEPSEEK, CHANDRA, OVIS, DOCTAGS])
def test_a_figure_is_a_box_without_text(dialect):
    figure = Region(BOX, Category.FIGURE)
    (block,) = reread(dialect, figure).blocks
    assert (block.category, block.text) == (Category.FIGURE, "")
    assert block.box.iou(BOX) > 0.95


@names([dialect for dialect in PAGES if dialect not in (DOTS, CHANDRA)])
def test_a_list_is_one_item_a_line(dialect):
    items = [region(Category.LIST_ITEM, f"- item {n}") for n in range(3)]
    answer = reread(dialect, *items, region(Category.TEXT, "Then."))
    assert [block.text for block in answer.blocks] == ["- item 0", "- item 1", "- item 2", "Then."]


@names(PAGES)
def test_nesting_numbers_and_bullets_of_a_list_survive(dialect):
    drafts = [("1. one", 0), ("- under one", 1), ("2. two" if dialect is CHANDRA else "2) two", 0)]
    answer = reread(dialect, *(region(Category.LIST_ITEM, text, level=level) for text, level in drafts))
    assert [(block.text, block.level) for block in answer.blocks] == drafts


@names(PAGES)
def test_every_reading_of_a_region_is_offered_with_its_source(dialect):
    drafts = (Draft("one reading", "embedded"), Draft("another reading", "text-layer"))
    phrases = dialect.phrase_page([Region(BOX, Category.TEXT, drafts)], SIZE)[: len(drafts)]
    assert [(phrase.regions, phrase.source) for phrase in phrases] == [((0,), "embedded"), ((0,), "text-layer")]
    assert all(draft.text in phrase.text for draft, phrase in zip(drafts, phrases, strict=True))


def test_every_reading_of_a_list_is_offered_as_one_element():
    def item(*readings):
        return Region(BOX, Category.LIST_ITEM, tuple(Draft(f"- {text}", "embedded") for text in readings))

    phrases = DOTS.phrase_page([item("a", "A"), item("b"), item("c", "C")], SIZE)
    assert [phrase.regions for phrase in phrases] == [(0, 1, 2)] * 2
    assert [json.loads(phrase.text)[0]["text"] for phrase in phrases] == ["* a\n* b\n* c", "* A\n* b\n* C"]


def test_every_reading_at_an_end_of_the_page_has_the_lists_bracket():
    two = Region(BOX, Category.TEXT, (Draft("a", "embedded"), Draft("b", "text-layer")))
    phrases = [phrase.text for phrase in DOTS.phrase_page([two, region(Category.TEXT), two], SIZE)]
    assert [text.startswith("[{") for text in phrases] == [True, True, False, False, False]
    assert [text.endswith("}]") for text in phrases] == [False, False, False, True, True]


@names([dialect for dialect in DIALECTS if dialect is not UNLIMITED])  # which has no prompt for crops
def test_figures_are_cut_out_and_never_asked_for(dialect):
    assert dialect.region_prompt(Category.FIGURE) is None
    assert all(dialect.region_prompt(category) is not None for category in Category if category is not Category.FIGURE)


# How the tokenizers of Qwen2 and Qwen3 cut text before they merge anything: no token reaches over these cuts.
QWEN_CUTS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


@names(PAGES)
def test_phrases_end_where_the_tokenizer_cuts(dialect):
    """Phrases encoded one by one must be the tokens of the whole answer; otherwise drafts fail at their edges."""
    tokenizers = pytest.importorskip("tokenizers")
    cuts = tokenizers.pre_tokenizers.Split(tokenizers.Regex(QWEN_CUTS), "isolated")
    phrases = first_phrases(dialect, [region(category) for category in Category])
    whole = [piece for piece, _ in cuts.pre_tokenize_str("".join(phrases))]
    assert [piece for phrase in phrases for piece, _ in cuts.pre_tokenize_str(phrase)] == whole


# ----------------------------------------------------------------------------------------------------------- dots.ocr


# Written by the real model (rednote-hilab/dots.ocr, docling's test data), shortened to a few words an element.
REAL = (
    '[{"bbox": [211, 161, 1021, 243], "category": "Title", "text": "# DocLayNet: A Dataset"}, '
    '{"bbox": [104, 495, 228, 520], "category": "Section-header", "text": "## ABSTRACT"}, '
    '{"bbox": [140, 477, 1018, 591], "category": "Text", "text": "The term \\"word processing\\" \\u2014 then"}, '
    '{"bbox": [176, 840, 1045, 1038], "category": "List-item", "text": "* **IBM:** typed—early\\n* **Wang:** 1200"}, '
    '{"bbox": [636, 495, 1127, 1065], "category": "Picture"}, '
    '{"bbox": [635, 1083, 1130, 1131], "category": "Caption", "text": "**Figure 1:** Four examples"}'
)


def test_an_answer_of_the_real_model_is_read_whole():
    answer = DOTS.parse(REAL, SIZE)
    assert not answer.lost  # though its list is not closed, as it was recorded
    assert [(block.category, block.text) for block in answer.blocks] == [
        (Category.TITLE, "DocLayNet: A Dataset"),
        (Category.SECTION_HEADER, "ABSTRACT"),
        (Category.TEXT, 'The term "word processing" — then'),
        (Category.LIST_ITEM, "- **IBM:** typed—early"),
        (Category.LIST_ITEM, "- **Wang:** 1200"),
        (Category.FIGURE, ""),
        (Category.CAPTION, "**Figure 1:** Four examples"),
    ]


def test_a_phrase_is_what_the_real_model_wrote():
    """Byte for byte, edges included: a list as one element, letters as they are, bullets as stars."""
    x, y = (model / page for model, page in zip(resized_size(*SIZE), SIZE, strict=True))

    def box(x0, y0, x1, y1):
        return Box(x0 / x, y0 / y, x1 / x, y1 / y)

    regions = [
        region(Category.SECTION_HEADER, "ABSTRACT", box(104, 495, 228, 520)),
        region(Category.LIST_ITEM, "- **IBM:** typed—early", box(176, 840, 900, 900)),
        region(Category.LIST_ITEM, "- **Wang:** 1200", box(180, 910, 950, 1038)),
        region(Category.FIGURE, "", box(636, 495, 900, 1065)),
    ]
    assert "".join(phrase.text for phrase in DOTS.phrase_page(regions, SIZE)) == (
        '[{"bbox": [104, 495, 228, 520], "category": "Section-header", "text": "## ABSTRACT"}, '
        '{"bbox": [176, 840, 950, 1038], "category": "List-item", "text": "* **IBM:** typed—early\\n* **Wang:** 1200"},'
        ' {"bbox": [636, 495, 900, 1065], "category": "Picture"}]'
    )


def test_every_phrase_of_dots_is_json_as_it_would_write_it():
    phrases = DOTS.phrase_page([region(category) for category in Category], SIZE)
    elements = json.loads("".join(phrase.text for phrase in phrases))
    assert [element["text"] for element in elements if element["category"] == "Formula"] == [
        "$$\\frac {a}{b} \\tag {3}$$"
    ]
    assert all(list(element)[:2] == ["bbox", "category"] for element in elements)


def test_the_page_number_is_a_head_or_a_foot_by_where_it_stands():
    foot = region(Category.PAGE_NUMBER, box=Box(480, 1350, 520, 1380))
    assert '"Page-footer"' in DOTS.phrase_page([foot], SIZE)[0].text
    head = region(Category.PAGE_NUMBER, box=Box(480, 10, 520, 30))
    assert '"Page-header"' in DOTS.phrase_page([head], SIZE)[0].text


def test_an_answer_cut_anywhere_keeps_the_elements_before_the_cut():
    whole = DOTS.parse(REAL, SIZE).blocks
    for cut in range(1, len(REAL)):
        rest = REAL[:cut]
        answer = DOTS.parse(rest, SIZE)
        assert answer.blocks == whole[: len(answer.blocks)]
        assert len(answer.blocks) >= rest.count("}")
        assert rest.rstrip().endswith(answer.lost)
        assert bool(answer.lost) == ("{" in rest[rest.rfind("}") + 1 :])


def test_garbage_between_elements_costs_nothing_but_itself():
    broken = REAL.replace('{"bbox": [104, 495, 228, 520], "category"', 'Sorry, {"bbox": [104, oops "category"')
    answer = DOTS.parse(broken, SIZE)
    assert len(answer.blocks) == len(DOTS.parse(REAL, SIZE).blocks) - 1
    assert "Sorry," in answer.lost and "ABSTRACT" in answer.lost


def test_prose_instead_of_json_is_said_to_be_lost():
    answer = DOTS.parse("I can't read this image.", SIZE)
    assert answer.blocks == ()
    assert answer.lost == "I can't read this image."


@pytest.mark.parametrize("answer", ["", "[]", " [ ]\n", "```json\n[]\n```"])
def test_an_empty_answer_loses_nothing(answer):
    assert DOTS.parse(answer, SIZE).blocks == ()
    assert not DOTS.parse(answer, SIZE).lost


def test_a_line_break_left_bare_in_the_json_is_read():
    answer = DOTS.parse('[{"bbox": [0, 0, 10, 10], "category": "Text", "text": "one\ntwo"}]', SIZE)
    assert [block.text for block in answer.blocks] == ["one\ntwo"]


def test_a_heading_has_the_level_that_its_marks_say():
    headings = '{"category": "Section-header", "text": "### Deep"}, {"category": "Section-header", "text": "Bare"}'
    answer = DOTS.parse(f"[{headings}]".replace("{", '{"bbox": [0, 0, 10, 10], '), SIZE)
    assert [(block.text, block.level) for block in answer.blocks] == [("Deep", 3), ("Bare", 2)]


def test_a_fenced_answer_is_read():
    assert DOTS.parse(f"```json\n{REAL}]\n```", SIZE) == DOTS.parse(REAL, SIZE)


def test_latex_with_its_backslashes_left_bare_is_read():
    answer = DOTS.parse('[{"bbox": [1, 2, 30, 40], "category": "Formula", "text": "\\alpha + \\sum_{i}"}]', SIZE)
    assert [block.text for block in answer.blocks] == ["\\alpha + \\sum_{i}"]


@pytest.mark.parametrize("formula", ["$$x^2$$", "$$\nx^2\n$$", "\\\\[ x^2 \\\\]", "x^2"])
def test_formulas_are_read_with_whatever_stands_around_them(formula):
    formula = formula.replace("\n", "\\n")
    answer = DOTS.parse(f'[{{"bbox": [1, 2, 30, 40], "category": "Formula", "text": "{formula}"}}]', SIZE)
    assert [block.text for block in answer.blocks] == ["x^2"]


@pytest.mark.parametrize(
    "corners", ['"none"', "[1, 2, 3]", "null", '[1, 2, "3", 4]', "[NaN, 0, 1, 1]", "[0, 0, 1e999, 1]"]
)
def test_an_element_with_a_broken_box_keeps_its_text(corners):
    answer = DOTS.parse(f'[{{"bbox": {corners}, "category": "Text", "text": "kept"}}]', SIZE)
    assert answer.blocks == (Block(Category.TEXT, "kept", None),)


def test_an_unknown_category_is_text():
    answer = DOTS.parse('[{"bbox": [0, 0, 10, 10], "category": "Stamp", "text": "kept"}]', SIZE)
    assert [(block.category, block.text) for block in answer.blocks] == [(Category.TEXT, "kept")]


def test_boxes_outside_the_page_or_turned_round_are_set_right():
    answer = DOTS.parse('[{"bbox": [900, 900, -5, 99999], "category": "Text", "text": "x"}]', SIZE)
    (block,) = answer.blocks
    assert block.box.x0 == 0 and block.box.x0 < block.box.x1 <= SIZE[0]
    assert block.box.y0 < block.box.y1 == SIZE[1]


@given(st.text())
def test_no_text_breaks_the_reading_of_dots(text):
    DOTS.parse(text, SIZE)
    drafted = region(Category.TEXT, text.strip() or "x")
    (block,) = reread(DOTS, drafted).blocks
    assert block.text == drafted.text or block.category is Category.CODE


# ----------------------------------------------------------------------------------------------------------- Markdown


@names([NANO])
def test_nano_writes_exactly_its_training_format(dialect):
    regions = [
        region(Category.TITLE, "Title"),
        region(Category.SECTION_HEADER, "Heading"),
        region(Category.TEXT, "A paragraph."),
        region(Category.LIST_ITEM, "- a"),
        region(Category.LIST_ITEM, "- b"),
        region(Category.LIST_ITEM, "1. c"),
        region(Category.TABLE, "<table><tr><td>a</td><td>b</td></tr></table>"),
    ]
    assert "".join(phrase.text for phrase in dialect.phrase_page(regions, SIZE)) == (
        "# Title\n\n## Heading\n\nA paragraph.\n\n- a\n- b\n\n1. c\n\n<table><tr><td>a</td><td>b</td></tr></table>\n\n"
    )


def test_a_formula_within_text_has_the_blanks_that_its_target_writes():
    drafted = Region(BOX, Category.TEXT, (Draft("put $x_1 + 2n = Q$.", "embedded"),))
    assert GLM_OCR.phrase_region(drafted, drafted.text) == "put $ x_1+2 n=Q $."


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("*.md")), ids=lambda sample: sample.stem)
def test_nanos_own_pages_are_phrased_unchanged(sample):
    """Read into blocks and drafted again, a page of its world is the same page, byte for byte.

    But for a blank line between two lists of one kind, which blocks do not tell apart.
    """
    page = re.sub(r"(?m)^(- .*\n(?=\n- )|\d+\. .*\n(?=\n\d+\. ))\n", r"\1", sample.read_text())
    blocks = NANO.parse(page, SIZE).blocks
    regions = [region(block.category, block.text, level=block.level) for block in blocks]
    assert "".join(phrase.text for phrase in NANO.phrase_page(regions, SIZE)).strip() == page.strip()


def test_formulas_stand_as_each_target_sets_them_off():
    drafted = region(Category.FORMULA, "x^2")
    assert QWEN3_VL.phrase_region(drafted, "x^2") == "\\[ x^2 \\]"
    assert HUNYUAN_OCR.phrase_region(drafted, "x^2") == "$$ x^2 $$"
    assert GLM_OCR.phrase_region(drafted, "x^2") == "$$\nx ^ 2\n$$"


def test_a_formula_with_blanks_between_its_signs_stays_as_it_is():
    formula = r"\begin{array}{l} 0 . 5 \left(\nabla^ {2} x _ {i}\right), \\ = \frac {a}{b}. \end{array}"
    assert spaced(formula.replace(" ", "")) == spaced(formula) == formula


def test_lines_of_one_formula_stand_in_one_column_or_in_two():
    """Models that put blanks between signs write no `aligned`."""
    aligned = r"\begin{aligned} x & = 2 \\ & = \mathcal{Q \& A} \end{aligned}"
    one, two = (phrase.text for phrase in GLM_OCR.phrase_page([region(Category.FORMULA, aligned)], SIZE))
    assert r"\begin{array}{l} x = 2 \\ = \mathcal {Q \& A} \\ \end{array}" in one
    assert r"\begin{array}{r l} x & = 2 \\ & = \mathcal {Q \& A} \end{array}" in two
    (alone,) = GLM_OCR.phrase_page([region(Category.FORMULA, "x^2")], SIZE)
    assert "array" not in alone.text


def test_a_table_is_also_read_with_its_rows_apart():
    row = "<tr><td>Low High</td><td>1 2</td><td>3 4</td></tr>"
    table = region(Category.TABLE, f"<table>{row}<tr><td></td></tr></table>")
    (first, second) = NANO.phrase_page([table], SIZE)
    assert row in first.text
    assert "<tr><td>Low</td><td>1</td><td>3</td></tr><tr><td>High</td><td>2</td><td>4</td></tr>" in second.text


def test_bold_words_are_offered_with_their_marks_and_without():
    text = "**Note:** run `ls` on 3 \\* 4 files, $x^*$ too."
    phrases = QWEN3_VL.phrase_page([Region(BOX, Category.TEXT, (Draft(text, "text-layer"),))], SIZE)
    assert [phrase.text.strip() for phrase in phrases] == [
        "Note: run ls on 3 * 4 files, \\( x^* \\) too.",
        "**Note:** run `ls` on 3 * 4 files, \\( x^* \\) too.",
    ]


def test_headings_are_also_offered_in_bold_and_nested_items_four_blanks_in():
    heading = Region(BOX, Category.SECTION_HEADER, (Draft("Results", "text-layer"),))
    item = Region(BOX, Category.LIST_ITEM, (Draft("- one", "text-layer"),), level=1)
    phrases = QWEN3_VL.phrase_page([heading, item], SIZE)
    assert [phrase.text.rstrip() for phrase in phrases] == ["## Results", "## **Results**", "  - one", "    - one"]


def test_a_notes_number_is_known_as_a_formula_in_the_targets_own_signs():
    assert "a. $ ^{1} $ B" in GLM_OCR.examples


def test_where_a_link_leads_is_offered_to_no_target():
    said = Region(BOX, Category.TEXT, (Draft(r"See [the **\[1\] paper**](https://a.org/b), f[i\](x).", "text-layer"),))
    plain, marked = (phrase.text.strip() for phrase in QWEN3_VL.phrase_page([said], SIZE))
    assert plain == "See the [1] paper, f[i](x)."
    assert marked == "See the **[1] paper**, f[i](x)."


def test_a_model_that_always_writes_alike_is_offered_one_wording():
    note = Region(BOX, Category.TEXT, (Draft("**Note:** run.", "text-layer"),))
    regions = [note, region(Category.TABLE, TABLE)]
    assert len(NANO.phrase_page(regions, SIZE)) == len(regions)


@names([QWEN3_VL, HUNYUAN_OCR, GLM_OCR, LIGHTON_OCR])
def test_every_form_of_a_table_is_read_back_as_the_same_cells(dialect):
    cells = "<td>2024</td><td>7</td>"
    table = f"<table><tr><th>Year</th><th>Sum of it</th></tr><tr>{cells}</tr></table>"
    phrases = dialect.phrase_page([region(Category.TABLE, table)], SIZE)
    assert len(phrases) == 5
    for phrase in phrases:
        (block,) = dialect.parse(phrase.text, SIZE).blocks
        assert block.category is Category.TABLE
        rows = [[cell.text.strip() for cell in row] for row in cells_of(block.text)]
        assert rows == [["Year", "Sum of it"], ["2024", "7"]]


def test_lines_that_begin_with_a_pipe_are_a_table_only_with_a_rule():
    norm = QWEN3_VL.parse("|x| is the length of x,\n|y| that of y.", SIZE).blocks
    assert [(block.category, block.text) for block in norm] == [
        (Category.TEXT, "|x| is the length of x,\n|y| that of y.")
    ]


def test_beside_a_spanning_cell_pipes_have_empty_ones():
    tall = '<table><tr><td rowspan="2">a</td><td>b</td></tr><tr><td>c</td></tr></table>'
    assert "| Year & sum |  |\n| --- | --- |\n| 2024 | 7 < 8 |" in forms(TABLE)
    assert "| a | b |\n| --- | --- |\n|  | c |" in forms(tall)


def test_a_table_of_words_keeps_its_rows():
    row = "<tr><td>two words</td><td>in each</td><td>cell here</td></tr>"
    assert rows_apart(f"<table>{row}</table>") == f"<table>{row}</table>"


def test_formulas_within_text_change_their_marks_and_prices_do_not():
    text = "Let $x_1$ cost $5 or $6 ($5-$6), and $\\alpha$."
    phrase = QWEN3_VL.phrase_region(region(Category.TEXT), text)
    assert phrase == "Let \\( x_1 \\) cost $5 or $6 ($5-$6), and \\( \\alpha \\)."
    assert QWEN3_VL.read_region(region(Category.TEXT), phrase) == text


@names(MARKDOWN)
def test_a_cut_table_keeps_its_whole_rows(dialect):
    answer = dialect.parse("Text.\n\n<table><tr><td>1</td></tr><tr><td>2</td></tr><tr><td>thr", SIZE)
    assert answer.blocks[0].text == "Text."
    if dialect.read_table is not html_table:
        assert answer.blocks[1].text == "<table><tr><td>1</td></tr><tr><td>2</td></tr></table>"
        assert answer.lost == "<tr><td>thr"


@names(MARKDOWN)
def test_a_cut_formula_is_lost_and_said_to_be(dialect):
    answer = dialect.parse("Text.\n\n$$\\frac{a", SIZE)
    assert [block.text for block in answer.blocks] == ["Text."]
    assert answer.lost == "$$\\frac{a"


def test_text_after_a_table_on_its_line_is_kept():
    answer = NANO.parse("<table><tr><td>1</td></tr></table> And so on.\nMore.", SIZE)
    assert [block.text for block in answer.blocks] == ["<table><tr><td>1</td></tr></table>", "And so on.\nMore."]


def test_text_after_a_formula_on_its_line_is_kept():
    answer = NANO.parse("$$x$$ (1)\nMore.", SIZE)
    assert [block.text for block in answer.blocks] == ["x", "(1)\nMore."]


def test_a_section_header_of_no_known_level_is_not_written_as_the_title():
    assert NANO.phrase_region(region(Category.SECTION_HEADER, level=0), "Results") == "## Results"


def test_code_keeps_what_looks_like_structure():
    answer = NANO.parse("```python\n# not a heading\n\n- not an item\n```\n\nText.", SIZE)
    assert [(block.category, block.text) for block in answer.blocks] == [
        (Category.CODE, "# not a heading\n\n- not an item"),
        (Category.TEXT, "Text."),
    ]


def test_the_fence_chat_models_put_around_their_answer_is_taken_off():
    assert QWEN3_VL.parse("```markdown\n# A\n\nb\n```", SIZE) == QWEN3_VL.parse("# A\n\nb", SIZE)


def test_a_picture_in_markdown_is_a_figure():
    answer = LIGHTON_OCR.parse("Text.\n\n![image](image_1.png)\n\n![image](image_2.png)100,100,900,900", SIZE)
    assert [block.category for block in answer.blocks] == [Category.TEXT, Category.FIGURE, Category.FIGURE]


def test_hunyuan_gets_no_drafts_of_what_its_prompt_leaves_out():
    regions = [region(Category.PAGE_HEADER), region(Category.TEXT), region(Category.PAGE_NUMBER)]
    assert [phrase.regions for phrase in HUNYUAN_OCR.phrase_page(regions, SIZE)] == [(1,)]


@names([dialect for dialect in PAGES if dialect is not DOTS])
@given(st.text(alphabet="xy #-*$\\[]()|<>/table`1.\n!", max_size=60))
def test_words_of_any_answer_are_in_its_blocks_or_among_the_lost(dialect, answer):
    read = dialect.parse(answer, SIZE)
    kept = "".join(block.text for block in read.blocks) + read.lost
    if "![" not in answer and "```" not in answer:  # a picture's address and a fence's language are let go
        assert [kept.count(letter) for letter in "xy"] == [answer.count(letter) for letter in "xy"]


LOOPS = [
    "# ",
    "#",
    "\n",
    " \n",
    "<td></td>",
    "$",
    "$$\n",
    "\\[",
    "- ",
    "```\n",
    "```markdown\n",
    "![](",
    "[",
    "<table>\n",
]
LOOPS += [
    '{"bbox": [',
    '{"bbox": [1, 2, 3, 4], "category": "Text", "text": "a',
    "\\",
    "<|ref|>",
    "<|ref|>a<|/ref|><|det|>",
    "<fcel>",
    "---\n",
    "---\nis_table: ",
    "<img>",
    "<img>\n",
    '<img src="images/bbox_',
    '<div data-bbox="',
    '<div data-label="Text">',
    "<ul><li>",
    "<math>",
    "**",
    "<doctag>",
    "<unordered_list><list_item>",
    "<picture><caption>",
    "<text><loc_1>",
    "<formula>",
    "<otsl><ched>",
    "<loc_",
]


@names([DOTS, DEEPSEEK, OLMOCR, NANONETS, CHANDRA, OVIS, DOCTAGS, QWEN3_VL, PADDLEOCR_VL])
def test_an_answer_that_loops_is_read_to_its_end(dialect, patience):
    """A regular expression that tries every end from every start would need many minutes for these."""
    for loop in LOOPS:
        answer = f"Text.\n\n{loop * (10_000 // len(loop))}"
        dialect.parse(answer, SIZE)
        dialect.read_region(region(Category.TITLE), answer)


# ------------------------------------------------------------------------------------------------------- DeepSeek-OCR 2


# The shape of public answers: labels, boxes in thousandths, a blank before the line break after text.
GROUNDED = (
    "<|ref|>title<|/ref|><|det|>[[115, 166, 485, 202]]<|/det|>\n# Sheet 4 \n\n"
    "<|ref|>sub_title<|/ref|><|det|>[[115, 232, 270, 260]]<|/det|>\n## Answers \n\n"
    "<|ref|>text<|/ref|><|det|>[[115, 303, 848, 338]]<|/det|>\n- for \\(a \\neq -1\\) only. \n\n"
    "<|ref|>equation<|/ref|><|det|>[[117, 88, 359, 106]]<|/det|>\n\\[x = 0\\]\n\n"
    "<|ref|>image<|/ref|><|det|>[[100, 500, 200, 600]]<|/det|>\n\n\n"
    "<|ref|>image_caption<|/ref|><|det|>[[100, 600, 200, 620]]<|/det|>\nFigure 1. \n"
)


def test_a_grounded_answer_gives_every_block_its_box():
    answer = DEEPSEEK.parse(GROUNDED, SIZE)
    assert not answer.lost
    assert [(block.category, block.text) for block in answer.blocks] == [
        (Category.TITLE, "Sheet 4"),
        (Category.SECTION_HEADER, "Answers"),
        (Category.LIST_ITEM, "- for $a \\neq -1$ only."),
        (Category.FORMULA, "x = 0"),
        (Category.FIGURE, ""),
        (Category.CAPTION, "Figure 1."),
    ]
    assert answer.blocks[0].box.iou(Box(115.1, 232.6, 485.5, 283.1)) > 0.98


def test_the_far_corner_of_a_page_is_999():
    (phrase,) = DEEPSEEK.phrase_page([region(Category.TEXT, box=Box(0, 0, *SIZE))], SIZE)
    assert "[[0, 0, 999, 999]]" in phrase.text


def test_a_grounded_phrase_is_what_the_model_wrote():
    drafted = region(Category.SECTION_HEADER, "Answers", Box(115 / 999 * 1000, 232 / 999 * 1400, 270.3, 364.4))
    (phrase,) = DEEPSEEK.phrase_page([drafted], SIZE)
    assert phrase.text == "<|ref|>sub_title<|/ref|><|det|>[[115, 232, 270, 260]]<|/det|>\n## Answers \n\n"


def test_a_grounded_answer_cut_anywhere_keeps_the_blocks_before():
    """Anywhere except within a mark, which is one token."""
    whole = DEEPSEEK.parse(GROUNDED, SIZE).blocks
    for found in re.finditer(r"<\|/?(?:ref|det)\|>|.", GROUNDED, re.DOTALL):
        rest = GROUNDED[: found.start()]
        answer = DEEPSEEK.parse(rest, SIZE)
        complete = max(rest.count("<|ref|>") - 1, 0)
        assert answer.blocks[:complete] == whole[:complete]
        assert "<|" not in "".join(block.text for block in answer.blocks)
        if rest.count("<|ref|>") > rest.count("<|/det|>"):
            assert rest.rstrip().endswith(answer.lost)
            assert answer.lost.startswith("<|ref|>")


# -------------------------------------------------------------------------------------------------------- Unlimited-OCR

# The form of public answers: label and box in one mark, a line break between blocks, printed lines kept.
UNLIMITED_ANSWER = (
    "<|det|>title [52, 40, 816, 63]<|/det|>Reconciliation report No. 1481\n"
    "<|det|>image [383, 87, 497, 171]<|/det|>\n"
    "<|det|>text [333, 201, 558, 230]<|/det|>R&D QUALITY IMPROVEMENT\nSUGGESTION FORM\n"
    "<|det|>table [51, 216, 601, 420]<|/det|><table><tr><td>Date</td><td>Debit</td></tr></table>\n"
    "<|det|>seal [10, 20, 30, 40]<|/det|>PAID\n"
    "<|det|>page_number [480, 970, 510, 985]<|/det|>7"
)


def test_an_answer_of_unlimited_ocr_gives_every_block_its_box_and_its_label():
    answer = UNLIMITED.parse(UNLIMITED_ANSWER, SIZE)
    assert not answer.lost
    assert [(block.category, block.text) for block in answer.blocks] == [
        (Category.SECTION_HEADER, "Reconciliation report No. 1481"),
        (Category.FIGURE, ""),
        (Category.TEXT, "R&D QUALITY IMPROVEMENT\nSUGGESTION FORM"),
        (Category.TABLE, "<table><tr><td>Date</td><td>Debit</td></tr></table>"),
        (Category.TEXT, "PAID"),
        (Category.PAGE_NUMBER, "7"),
    ]
    assert answer.blocks[0].box.iou(Box(52.1, 56.1, 816.8, 88.3)) > 0.98


def test_a_phrase_for_unlimited_ocr_is_what_it_wrote():
    drafted = region(Category.SECTION_HEADER, "Report", Box(52.05, 56.06, 816.8, 88.3))
    (phrase,) = UNLIMITED.phrase_page([drafted], SIZE)
    assert phrase.text == "<|det|>title [52, 40, 816, 63]<|/det|>Report\n"


def test_an_answer_of_unlimited_ocr_cut_anywhere_keeps_the_blocks_before():
    whole = UNLIMITED.parse(UNLIMITED_ANSWER, SIZE).blocks
    for found in re.finditer(r"<\|/?det\|>|.", UNLIMITED_ANSWER, re.DOTALL):
        rest = UNLIMITED_ANSWER[: found.start()]
        answer = UNLIMITED.parse(rest, SIZE)
        complete = max(rest.count("<|det|>") - 1, 0)
        assert answer.blocks[:complete] == whole[:complete]
        assert "<|" not in "".join(block.text for block in answer.blocks)


def test_unlimited_ocr_is_asked_for_pages_alone_and_as_its_makers_do():
    assert (UNLIMITED.conversation or "").replace("{prompt}", UNLIMITED.page_prompt) == "<image>document parsing."
    assert all(UNLIMITED.region_prompt(category) is None for category in Category)


# ------------------------------------------------------------------------------------------------------------- DocTags

# The form of public answers of granite-docling and SmolDocling, and of docling's own files.
DOCTAGS_ANSWER = (
    "<doctag><page_header><loc_49><loc_21><loc_255><loc_28>A. Stone • B. Hill</page_header>\n"
    "<section_header_level_1><loc_67><loc_36><loc_253><loc_44>Soils</section_header_level_1>\n"
    "<unordered_list><list_item><loc_66><loc_47><loc_431><loc_77>• Muds - below 5%.</list_item>\n"
    "<list_item><loc_66><loc_79><loc_431><loc_93>• Silts.</list_item>\n"
    "</unordered_list>\n"
    "<picture><loc_222><loc_50><loc_426><loc_245><line_chart><caption><loc_222><loc_250><loc_426><loc_260>"
    "Figure 1: depth</caption></picture>\n"
    "<otsl><loc_44><loc_72><loc_348><loc_273><ched>Year<lcel><nl><rhed>2024<ecel><nl>"
    "<caption><loc_44><loc_54><loc_456><loc_73>Table 1: sums</caption></otsl>\n"
    "<formula><loc_10><loc_10><loc_20><loc_20>w = \\frac { M } { s }</formula>\n"
    "<code><loc_10><loc_20><loc_20><loc_30><_Python_>print(1)</code>\n"
    "<text><loc_10><loc_30><loc_20><loc_40>where <formula>w</formula> is\n"
    "<page_footer><loc_449><loc_470><loc_456><loc_477>5</page_footer>\n"
    "</doctag>"
)


def test_an_answer_in_doctags_gives_every_block_its_box_and_its_kind():
    answer = DOCTAGS.parse(DOCTAGS_ANSWER, SIZE)
    assert not answer.lost
    assert [(block.category, block.text) for block in answer.blocks] == [
        (Category.PAGE_HEADER, "A. Stone • B. Hill"),
        (Category.SECTION_HEADER, "Soils"),
        (Category.LIST_ITEM, "- Muds - below 5%."),
        (Category.LIST_ITEM, "- Silts."),
        (Category.FIGURE, ""),
        (Category.CAPTION, "Figure 1: depth"),
        (Category.TABLE, '<table><tr><th colspan="2">Year</th></tr><tr><th>2024</th><td></td></tr></table>'),
        (Category.CAPTION, "Table 1: sums"),
        (Category.FORMULA, "w = \\frac { M } { s }"),
        (Category.CODE, "print(1)"),
        (Category.TEXT, "where $w$ is"),
        (Category.PAGE_FOOTER, "5"),
    ]
    assert answer.blocks[0].box.iou(Box(98, 58.8, 510, 78.4)) > 0.98


def test_a_page_in_doctags_is_worded_as_the_models_word_it():
    at = Box(98, 58.8, 510, 78.4)
    drafted = [
        region(Category.PAGE_HEADER, "Soils", at),
        region(Category.LIST_ITEM, "- Muds", at),
        region(Category.LIST_ITEM, "- Silts", at),
        region(Category.FIGURE, "", at),
        region(Category.CAPTION, "Figure 1", at),
        region(Category.FORMULA, "w=\\frac{M}{s}", at),
    ]
    box = "<loc_49><loc_21><loc_255><loc_28>"
    assert "".join(first_phrases(DOCTAGS, drafted)) == (
        f"<doctag><page_header>{box}Soils</page_header>\n"
        f"<unordered_list><list_item>{box}• Muds</list_item>\n<list_item>{box}• Silts</list_item>\n</unordered_list>\n"
        f"<picture>{box}<caption>{box}Figure 1</caption></picture>\n"
        f"<formula>{box}w = \\frac {{M}}{{s}}</formula>\n</doctag>"
    )


def test_a_table_in_doctags_is_offered_with_header_cells_and_without():
    texts = [phrase.text for phrase in DOCTAGS.phrase_page([region(Category.TABLE)], SIZE)]
    assert ["<ched>" in text for text in texts] == [True, False]


def test_items_without_a_marker_get_the_one_of_their_list():
    listed = "<{0}><list_item>a</list_item>\n<list_item>b</list_item>\n</{0}>"
    read = [DOCTAGS.parse(listed.format(kind), SIZE).blocks for kind in ("unordered_list", "ordered_list")]
    assert [[block.text for block in blocks] for blocks in read] == [["- a", "- b"], ["1. a", "2. b"]]


def test_an_answer_in_doctags_cut_anywhere_keeps_the_blocks_before():
    whole = DOCTAGS.parse(DOCTAGS_ANSWER, SIZE).blocks
    for end in range(len(DOCTAGS_ANSWER)):
        answer = DOCTAGS.parse(DOCTAGS_ANSWER[:end], SIZE)
        complete = max(len(answer.blocks) - 2, 0)  # a caption's picture or table may still be open too
        assert answer.blocks[:complete] == whole[:complete]
        assert DOCTAGS_ANSWER[:end].endswith(answer.lost)


# -------------------------------------------------------------------------------------------------------------- tables

CELLS = st.lists(st.lists(st.text(alphabet="ab <&", max_size=3), min_size=1, max_size=4), min_size=1, max_size=4)


@given(CELLS)
def test_a_plain_table_survives_otsl(rows):
    width = max(map(len, rows))
    cells = [[" ".join(text.split()) for text in row] + [""] * (width - len(row)) for row in rows]
    html = "".join(f"<tr>{''.join(f'<td>{escape(c, quote=False)}</td>' for c in row)}</tr>" for row in cells)
    assert html_table(otsl(f"<table>{html}</table>")) == f"<table>{html}</table>"


def test_spans_survive_otsl():
    html = (
        '<table><tr><td rowspan="2" colspan="2">a</td><td>b</td></tr><tr><td>c</td></tr>'
        "<tr><td>d</td><td>e</td><td>f</td></tr></table>"
    )
    written = otsl(html)
    assert written == "<fcel>a<lcel><fcel>b<nl><ucel><xcel><fcel>c<nl><fcel>d<fcel>e<fcel>f<nl>"
    assert html_table(written) == html


@pytest.mark.parametrize(
    "broken", ["<lcel><nl>", "<fcel>a<nl><ecel><xcel><nl>", "<fcel>a<fcel>", "<ucel>", "<nl><nl>", "x"]
)
def test_broken_otsl_loses_no_text(broken):
    assert ("a" in broken) == ("a<" in html_table(broken).replace("<td>a", "a"))


# ------------------------------------------------------------------------------------------------------------- prompts


def test_a_model_without_a_prompt_gets_only_the_image():
    assert user_message(LIGHTON_OCR.page_prompt) == [{"role": "user", "content": [{"type": "image"}]}]


@pytest.mark.parametrize(
    ("dialect", "table", "caption"),
    [
        (PADDLEOCR_VL, "Table Recognition:", "OCR:"),
        (MINERU2_5, "\nTable Recognition:", "\nText Recognition:"),
    ],
    ids=["paddleocr-vl", "mineru2.5"],
)
def test_some_models_read_elements_only(dialect, table, caption):
    assert dialect.page_prompt is None
    assert dialect.region_prompt(Category.TABLE) == table
    assert dialect.region_prompt(Category.CAPTION) == caption


def test_dialects_never_load_torch():
    modules = {type(dialect).__module__ for dialect in DIALECTS} | {
        f"docparse_fast.targets.dialects.{name}" for name in FILES
    }
    imports = "; ".join(f"import {module}" for module in sorted(modules))
    check = f"import sys; {imports}; assert not {{'torch', 'transformers', 'numpy'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", check], check=True)


@pytest.mark.parametrize(
    ("drafted", "written"),
    [
        (
            "<tr><th>a</th></tr><tr><td>b</td></tr>",
            "<thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody>",
        ),
        (
            '<tr><td rowspan="2">a</td><td>b</td></tr><tr><td>c</td></tr><tr><td>&gt; 1</td><td>2</td></tr>',
            '<thead><tr><th rowspan="2">a</th><th>b</th></tr><tr><th>c</th></tr></thead>'
            "<tbody><tr><td>> 1</td><td>2</td></tr></tbody>",
        ),
        ("<tr><td>a</td></tr>", "<thead><tr><th>a</th></tr></thead>"),
        (
            "<tr><th>a</th><td>1</td></tr><tr><th>b</th><td>2</td></tr>",
            "<thead><tr><th>a</th><th>1</th></tr></thead><tbody><tr><td>b</td><td>2</td></tr></tbody>",
        ),
        ("no table", None),
    ],
)
def test_dots_ocrs_tables_have_their_header_rows_apart_as_it_writes_them(drafted, written):
    """A public answer to a page with three tables shows it: 235 steps with plain rows, 213 with these."""
    wanted = drafted if written is None else f"<table>{written}</table>"
    given_text = drafted if written is None else f"<table>{drafted}</table>"
    assert DOTS.phrase_region(region(Category.TABLE, given_text), given_text) == wanted
