"""The dialects of Qwen3.5's fine-tunes: HTML with labels and boxes, and image tags with boxes. Pure text."""

import hashlib

import pytest

from docparse_fast.document import Box, Category, Draft, Region
from docparse_fast.targets.dialects.chandra_html import list_html
from docparse_fast.targets.dialects.chandra_ocr2 import PAGE_PROMPT, ChandraOcr2Dialect
from docparse_fast.targets.dialects.ovis_ocr2 import PAGE_PROMPT as OVIS_PROMPT
from docparse_fast.targets.dialects.ovis_ocr2 import OvisOcr2Dialect
from docparse_fast.targets.loading.catalog import BY_NAME, recipe_of

CHANDRA, OVIS = ChandraOcr2Dialect(), OvisOcr2Dialect()
SIZE = (1000, 1400)

# The shapes of public answers of release 2.
CHANDRA_PAGE = (
    '<div data-bbox="40 30 960 60" data-label="Page-Header"><p>J. ACM, Vol. 12</p></div>\n'
    '<div data-bbox="100 80 900 120" data-label="Section-Header"><h2>2 Sparsifiers</h2></div>\n'
    '<div data-bbox="100 130 900 260" data-label="Text"><p>Let <math>G=(V,E)</math> cost $5 &amp; <b>more</b>.'
    "</p></div>\n"
    '<div data-bbox="200 270 800 320" data-label="Equation-Block"><math display="block">x^T L_G x</math></div>\n'
    '<div data-bbox="54 413 861 533" data-label="List-Group"><ul><li>Result A</li><li>Result C</li></ul></div>\n'
    '<div data-bbox="0 540 100 580" data-label="Table"><table border="1">\n<tbody>\n'
    "<tr><td>Ambient</td><td>17.2</td></tr>\n</tbody>\n</table></div>\n"
    '<div data-bbox="240 600 760 690" data-label="Figure"><img alt="Map of the Pacific."/></div>\n'
    '<div data-bbox="240 700 760 720" data-label="Caption"><p><b>Fig. 1</b> The map.</p></div>\n'
    '<div data-bbox="10 730 90 790" data-label="Form"><p><input type="checkbox" checked/> yes <input type="checkbox"/> '
    "no<br/>signed</p></div>"
)
READ = [
    (Category.PAGE_HEADER, "J. ACM, Vol. 12"),
    (Category.SECTION_HEADER, "2 Sparsifiers"),
    (Category.TEXT, "Let $G=(V,E)$ cost $5 & **more**."),
    (Category.FORMULA, "x^T L_G x"),
    (Category.LIST_ITEM, "- Result A"),
    (Category.LIST_ITEM, "- Result C"),
    (Category.TABLE, "<table><tr><td>Ambient</td><td>17.2</td></tr></table>"),
    (Category.FIGURE, "Map of the Pacific."),
    (Category.CAPTION, "**Fig. 1** The map."),
    (Category.TEXT, "☑ yes ☐ no\nsigned"),
]


def region(category, text, box=None, level=0):
    return Region(box or Box(100, 200, 500, 260), category, (Draft(text, "stage-1"),), level)


def box_of(x0, y0, x1, y1):
    """A box in pixels of the page, from thousandths."""
    return Box(x0, y0 * 1.4, x1, y1 * 1.4)


def test_a_page_of_chandra_is_read_block_by_block():
    answer = CHANDRA.parse(CHANDRA_PAGE, SIZE)
    assert not answer.lost
    assert [(block.category, block.text) for block in answer.blocks] == READ
    assert answer.blocks[3].box.iou(box_of(200, 270, 800, 320)) > 0.99


def test_chandra_is_drafted_as_it_writes():
    regions = [
        region(Category.PAGE_HEADER, "J. ACM, Vol. 12", box_of(40, 30, 960, 60)),
        region(Category.SECTION_HEADER, "2 Sparsifiers", box_of(100, 80, 900, 120), 2),
        region(Category.TEXT, "Let $G=(V,E)$ cost $5 & **more**.", box_of(100, 130, 900, 260)),
        region(Category.FORMULA, "x^T L_G x", box_of(200, 270, 800, 320)),
        region(Category.LIST_ITEM, "- Result A", box_of(54, 413, 800, 470)),
        region(Category.LIST_ITEM, "- Result C", box_of(54, 480, 861, 533)),
        region(Category.TABLE, READ[6][1], box_of(0, 540, 100, 580)),
        region(Category.FIGURE, "", box_of(240, 600, 760, 690)),
    ]
    drafted = "".join(phrase.text for phrase in CHANDRA.phrase_page(regions, SIZE))
    assert CHANDRA_PAGE.startswith(drafted)


def test_an_answer_of_chandra_cut_anywhere_keeps_the_blocks_before():
    whole = CHANDRA.parse(CHANDRA_PAGE, SIZE).blocks
    for cut in range(1, len(CHANDRA_PAGE), 7):
        rest = CHANDRA_PAGE[:cut]
        answer = CHANDRA.parse(rest, SIZE)
        complete = [len(CHANDRA.parse(CHANDRA_PAGE[: cut + 1], SIZE).blocks) for cut in _ends(rest)]
        assert answer.blocks[: max(complete, default=0)] == whole[: max(complete, default=0)]
        assert not any("data-" in block.text for block in answer.blocks)


def _ends(rest):
    return [at + len("</div>\n") - 1 for at in range(len(rest)) if rest.startswith("</div>\n", at)]


def test_a_table_of_chandra_that_was_cut_keeps_its_whole_rows():
    answer = CHANDRA.parse('<div data-label="Table"><table><tr><td>1</td></tr><tr><td>thr', SIZE)
    assert [block.text for block in answer.blocks] == ["<table><tr><td>1</td></tr></table>"]
    assert answer.lost == "<tr><td>thr"


def test_a_tag_that_nobody_knows_stays_as_text():
    (block,) = CHANDRA.parse('<div data-label="Text"><p>if a <b and c> d</p></div>', SIZE).blocks
    assert block.text == "if a <b and c> d"


def test_chandras_lists_nest():
    items = [("- a", 0), ("1. b", 1), ("2. c", 1), ("- d", 0)]
    html = list_html(items)
    assert html == "<ul><li>a<ol><li>b</li><li>c</li></ol></li><li>d</li></ul>"
    blocks = CHANDRA.parse(f'<div data-label="List-Group">{html}</div>', SIZE).blocks
    assert [(block.text, block.level) for block in blocks] == items


def test_a_blank_page_of_chandra_has_no_blocks():
    assert CHANDRA.parse('<div data-bbox="0 0 1000 1000" data-label="Blank-Page"></div>', SIZE).blocks == ()


def test_a_picture_of_ovis_has_its_box():
    answer = OVIS.parse('Before.\n\n<img src="images/bbox_100_500_900_900.jpg" />\n\nAfter.', SIZE)
    assert [(block.category, block.text) for block in answer.blocks] == [
        (Category.TEXT, "Before."),
        (Category.FIGURE, ""),
        (Category.TEXT, "After."),
    ]
    assert answer.blocks[1].box == Box(100, 700, 900, 1260)


@pytest.mark.parametrize("cut", ['<img src="images/bbox_10', '<img src="images/bbox_1_2_3_4.jpg" /'])
def test_a_picture_of_ovis_that_was_cut_is_lost_and_said_to_be(cut):
    answer = OVIS.parse(f"Before.\n\n{cut}", SIZE)
    assert ([block.text for block in answer.blocks], answer.lost) == (["Before."], cut)


def test_the_prompts_are_the_makers_to_the_letter():
    """The hash of Ovis's is published by its users."""
    assert hashlib.sha256(OVIS_PROMPT.encode()).hexdigest().startswith("de9617f877f6110d22adf1a6ba2a9622")
    assert PAGE_PROMPT.startswith("OCR this image to HTML, arranged as layout blocks.  Each layout block should")
    assert PAGE_PROMPT.endswith("easy for a human to read and interpret.  Reading order should be correct and natural.")


def test_hybrids_are_known_by_their_names():
    names = ["datalab-to/chandra-ocr-2", "ATH-MaaS/OvisOCR2", "LightOnOCR-3-0.8B", "lightonai/LightOnOCR-3-4B", "mine"]
    assert [recipe_of("qwen3_5", name).name for name in names] == [
        "chandra-ocr-2",
        "ovis-ocr2",
        "lighton-ocr-3-0.8b",
        "lighton-ocr-3-4b",
        "qwen3.5-4b",
    ]
    assert BY_NAME["ovis-ocr2"].thinks is False
    assert recipe_of("qwen3_5_moe").name == "qwen3.5-35b-a3b"
