"""What PP-StructureV3 (PaddleOCR 3.7, ONNX Runtime) said of our samples, and what is made of it.

`data/ppstructure` was recorded with models that commit 3a86a2bf's `scripts/assemble_ppstructure.py` puts together from
wheels, at 144 dots an inch; `form-formula` with a formula model that reads any formula as one, as none is in a wheel.
"""

import json
import os
from pathlib import Path

import pytest

from docparse_fast.document import Category
from docparse_fast.drafting import open_drafter
from docparse_fast.drafting.ppstructure import ENGINE, MODELS
from docparse_fast.drafting.ppstructure_result import page_draft
from docparse_fast.options import DraftOptions, RasterOptions
from docparse_fast.pages import open_pages

ROOT = Path(__file__).parents[2]
RECORDED = Path(__file__).parent / "data" / "ppstructure"


def said_of(sample):
    return json.loads((RECORDED / f"{sample}.json").read_text("utf-8"))["res"]


def drafted(sample, **changed):
    said = said_of(sample) | changed
    return page_draft({"res": said}, 1, said["width"], said["height"])


def texts(draft, *categories):
    return [region.text for region in draft.regions if not categories or region.category in categories]


def test_a_line_wider_than_the_box_of_its_block_is_not_said_twice():
    everything = " ".join(texts(drafted("scanned-table")))
    assert [everything.count(start) for start in ("Landings fell", "were laid up", "Herring made up")] == [1, 1, 1]


def test_a_block_is_as_wide_as_its_lines():
    said = said_of("scanned-table")
    (block,) = [block for block in said["parsing_res_list"] if block["block_content"].startswith("Landings")]
    (region,) = [region for region in drafted("scanned-table").regions if region.text.startswith("Landings")]
    assert block["block_bbox"][2] < 800 < 1000 < region.box.x1


def test_text_that_a_tables_box_holds_and_its_cells_lack_is_brought_back():
    (table,) = texts(drafted("form"), Category.TABLE)
    assert "Telephone" not in table
    assert "Name: Street and number: Telephone: Number of stands:" in texts(drafted("form"), Category.TEXT)


def test_a_tables_last_row_that_reaches_below_its_box_is_not_said_twice():
    """Its box ends at 896, the last line of its text at 912."""
    everything = " ".join(texts(drafted("invoice")))
    assert [everything.count(words) for words in ("Total due", "EUR 1,176.00", "Subtotal")] == [1, 1, 1]


def test_a_formula_that_no_model_read_is_text():
    assert texts(drafted("form"), Category.FORMULA) == []
    assert any(text.startswith("Item Quantity Price") for text in texts(drafted("form"), Category.TEXT))


def test_a_formula_comes_without_dollars_and_has_no_confidence_of_its_own():
    (formula,) = [region for region in drafted("form-formula").regions if region.category is Category.FORMULA]
    assert (formula.text, formula.drafts[0].confidence) == (r"m=\rho V", None)


def test_a_formula_without_a_block_comes_back_as_a_formula():
    blocks = [block for block in said_of("form-formula")["parsing_res_list"] if block["block_label"] != "formula"]
    draft = drafted("form-formula", parsing_res_list=blocks)
    assert texts(draft, Category.FORMULA) == [r"m=\rho V"]
    assert "rho" not in " ".join(texts(draft, Category.TEXT))


def test_paragraphs_of_one_block_are_parted_and_sentences_are_not():
    starts = [text[:12] for text in texts(drafted("paper"), Category.TEXT)]
    assert "Earlier work" in starts and "Melting snow" not in starts


def test_items_of_one_block_are_parted_also_where_it_begins_no_new_line():
    assert [text[:9] for text in texts(drafted("paper"), Category.LIST_ITEM)] == ["- Snow ex", "- Height ", "- Streams"]


def test_words_of_two_lines_have_a_blank_between_them():
    assert "the record. Snow water" in " ".join(texts(drafted("paper")))


def test_blocks_stand_in_the_lists_order_and_not_in_that_of_block_order():
    draft = drafted("scanned-table")
    orders = [block["block_order"] for block in said_of("scanned-table")["parsing_res_list"]]
    assert orders == [1, 2, None, 3]
    assert [region.category for region in draft.regions] == [
        Category.SECTION_HEADER,
        Category.TEXT,
        Category.TABLE,
        Category.TEXT,
    ]


def test_a_page_header_and_a_footer_keep_their_places():
    draft = drafted("paper")
    assert texts(draft, Category.PAGE_HEADER) == ["Journal of Small Waters 12 (2021)"]
    assert texts(draft, Category.PAGE_FOOTER)[-1] == "17"


@pytest.mark.independent
@pytest.mark.filterwarnings("default")  # Paddle's own libraries warn of each other
@pytest.mark.skipif(MODELS not in os.environ, reason="needs PaddleOCR, and the folder of models")
@pytest.mark.parametrize("sample", ["scanned-table", "paper", "form", "invoice"])
def test_the_real_pipeline_says_what_was_recorded(sample, monkeypatch):
    monkeypatch.setenv(ENGINE, "onnxruntime")
    with open_pages(ROOT / "samples" / f"{sample}.pdf", RasterOptions(dpi=144)) as document:
        draft = open_drafter(DraftOptions(drafter="ppstructure")).draft(next(document.pages()))
    assert texts(draft) == texts(drafted(sample))
