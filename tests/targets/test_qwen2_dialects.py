"""The dialects of Qwen2.5-VL's fine-tunes: front matter, tags, and the order of prompt and image. Pure text."""

import pytest

from docparse_fast.document import Block, Box, Category, Draft, Region
from docparse_fast.targets.dialects.dialect import user_message
from docparse_fast.targets.dialects.nanonets_ocr import NanonetsOcrDialect
from docparse_fast.targets.dialects.olmocr2 import OlmOcr2Dialect
from docparse_fast.targets.loading.catalog import BY_NAME, recipe_of

OLMOCR, NANONETS = OlmOcr2Dialect(), NanonetsOcrDialect()
SIZE = (1000, 1400)

# The head of the answer that the card of olmOCR-2-7B-1025 shows.
CARD = (
    "---\nprimary_language: en\nis_rotation_valid: True\nrotation_correction: 0\nis_table: False\n"
    "is_diagram: False\n---\nolmOCR: Unlocking Trillions of Tokens in PDFs with Vision Language Models\n\nJake Poz"
)


def region(category, text):
    return Region(Box(100, 200, 500, 260), category, (Draft(text, "embedded"),))


def worded(dialect, *regions):
    """The page in the words that are offered first."""
    texts = {}
    for phrase in dialect.phrase_page(regions, SIZE):
        texts.setdefault(phrase.regions, phrase.text)
    return "".join(texts.values())


# -------------------------------------------------------------------------------------------------- olmOCR 2


def test_olmocrs_own_answer_is_drafted_as_it_writes_it():
    title = "olmOCR: Unlocking Trillions of Tokens in PDFs with Vision Language Models"
    assert worded(OLMOCR, region(Category.TEXT, title), region(Category.TEXT, "Jake Poznanski")).startswith(CARD)


def test_the_front_matter_is_no_text_of_the_page():
    assert OLMOCR.parse(CARD, SIZE).blocks[0].text.startswith("olmOCR: Unlocking")
    assert OLMOCR.parse(f"```markdown\n{CARD}\n```", SIZE) == OLMOCR.parse(CARD, SIZE)


def test_a_front_matter_cut_anywhere_leaves_nothing_behind():
    end = CARD.index("olmOCR:")
    for cut in range(CARD.index("primary_language:") + len("primary_language:"), end):
        answer = OLMOCR.parse(CARD[:cut], SIZE)
        assert not any("False" in block.text or "language" in block.text for block in answer.blocks)


def test_a_rule_above_text_is_no_front_matter():
    assert [block.text for block in OLMOCR.parse("---\nDate: today\n---\nText.", SIZE).blocks] == [
        "---\nDate: today\n---\nText."
    ]


def test_every_reading_of_the_first_region_has_the_front_matter_or_stands_alone():
    """Served models often leave it out: then the page's first words would be in no draft."""
    two = Region(Box(0, 0, 9, 9), Category.TEXT, (Draft("a", "embedded"), Draft("b", "text-layer")))
    phrases = OLMOCR.phrase_page([two, region(Category.TEXT, "c")], SIZE)
    assert [(phrase.text.startswith("---\n"), phrase.regions) for phrase in phrases] == [
        *[(True, (0,))] * 2,
        *[(False, (0,))] * 2,
        (False, (1,)),
    ]


@pytest.mark.parametrize(
    ("regions", "facts"),
    [
        ([region(Category.TABLE, "<table>" + "<tr><td>1</td></tr>" * 9), region(Category.TEXT, "a")], (True, False)),
        ([Region(Box(0, 0, 9, 9), Category.FIGURE)], (False, True)),
    ],
)
def test_the_front_matter_says_what_the_page_is_mostly(regions, facts):
    front = OLMOCR.phrase_page(regions, SIZE)[0].text
    assert (f"is_table: {facts[0]}\n" in front, f"is_diagram: {facts[1]}\n" in front) == (True, True)


def test_a_figure_of_olmocr_is_a_figure():
    (block,) = OLMOCR.parse("![A curve that falls](page_120_300_400_220.png)", SIZE).blocks
    assert block == Block(Category.FIGURE, "A curve that falls")


# -------------------------------------------------------------------------------------------------- Nanonets


def test_what_nanonets_puts_in_tags_is_read_as_what_it_is():
    answer = NANONETS.parse(
        "<watermark>OFFICIAL COPY</watermark>\n\n# Form 7\n\n☑ yes ☐ no\n\n<img>A round stamp</img>\n\n"
        "Signed: <signature>A. Jones</signature>\n\n<page_number>9/22</page_number>",
        SIZE,
    )
    assert not answer.lost
    assert [(block.category, block.text) for block in answer.blocks] == [
        (Category.TEXT, "OFFICIAL COPY"),
        (Category.TITLE, "Form 7"),
        (Category.TEXT, "☑ yes ☐ no"),
        (Category.FIGURE, "A round stamp"),
        (Category.TEXT, "Signed: A. Jones"),
        (Category.PAGE_NUMBER, "9/22"),
    ]


def test_a_page_number_is_drafted_in_its_tag():
    assert worded(NANONETS, region(Category.TEXT, "a"), region(Category.PAGE_NUMBER, "14")) == (
        "a\n\n<page_number>14</page_number>\n\n"
    )


def test_a_tag_that_was_cut_off_is_text():
    answer = NANONETS.parse("a\n\n<watermark>OFFICIAL", SIZE)
    assert [block.text for block in answer.blocks] == ["a", "OFFICIAL"]


def test_a_picture_within_a_table_stays_in_the_table():
    table = "<table><tr><td>\n<b>a</b> <img>logo</img></td></tr></table>"
    (block,) = NANONETS.parse(table, SIZE).blocks
    assert (block.category, "logo" in block.text) == (Category.TABLE, True)


# ------------------------------------------------------------------------------------------------ how they are asked


def test_olmocr_is_asked_before_the_image():
    recipe = BY_NAME["olmocr-2"]
    (message,) = user_message(OLMOCR.page_prompt, prompt_first=recipe.prompt_first)
    assert [part["type"] for part in message["content"]] == ["text", "image"]
    assert (recipe.longer_side, recipe.longest) == (1288, 8000)


def test_a_fine_tune_is_known_by_its_name_and_any_other_is_asked_as_its_architecture():
    names = ["allenai/olmOCR-2-7B-1025", "Nanonets-OCR2-3B", "nanonets/Nanonets-OCR-s", "somebody/their-own"]
    assert [recipe_of("qwen2_5_vl", name).name for name in names] == [
        "olmocr-2",
        "nanonets-ocr2",
        "nanonets-ocr-s",
        "qwen2.5-vl-7b",
    ]
    assert recipe_of("qwen2_vl", "MinerU2.5-Pro-2605-1.2B").name == "mineru2.5-pro"
    assert recipe_of("dots_ocr", "rednote-hilab/dots.mocr").name == "dots.mocr"
    assert recipe_of("qwen3_vl", "olmocr-2").name == "qwen3-vl-8b", "a name says nothing of another architecture"
