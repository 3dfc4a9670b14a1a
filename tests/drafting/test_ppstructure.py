"""PP-StructureV3's results, written by hand to its published schema, and what is said where it cannot be had."""

import importlib.util
import json
from pathlib import Path

import pytest

from docparse_fast.document import Box, Category
from docparse_fast.drafting import open_drafter
from docparse_fast.drafting.ppstructure import engine_for, local_models
from docparse_fast.drafting.ppstructure_result import CATEGORIES, page_draft
from docparse_fast.errors import ModelError
from docparse_fast.options import DraftOptions

RESULT = json.loads((Path(__file__).parent / "data" / "ppstructure.json").read_text("utf-8"))


@pytest.fixture
def draft():
    return page_draft(RESULT, 3, 800, 1000)


def of(draft, category):
    return [region for region in draft.regions if region.category is category]


def blocks(*listed, lines=()):
    return {
        "parsing_res_list": [
            {"block_label": label, "block_content": text, "block_bbox": box} for label, text, box in listed
        ],
        "overall_ocr_res": {
            "rec_texts": [text for text, _ in lines],
            "rec_scores": [0.9] * len(lines),
            "rec_boxes": [box for _, box in lines],
        },
    }


def test_blocks_become_regions_in_the_pipelines_own_order(draft):
    assert [region.category for region in draft.regions if region.box.y0 < 520] == [
        Category.PAGE_HEADER,
        Category.TITLE,
        Category.SECTION_HEADER,
        Category.TEXT,
        Category.FORMULA,
        Category.CAPTION,
        Category.TABLE,
        Category.TABLE,
    ]
    assert (draft.number, draft.width, draft.height, draft.drafter) == (3, 800, 1000, "ppstructure")


def test_a_page_header_that_the_parsing_list_dropped_is_brought_back(draft):
    (header,) = of(draft, Category.PAGE_HEADER)
    assert header.text == "Annals of Soil Vol. 3"
    assert draft.regions[0] is header


def test_a_line_that_nothing_holds_becomes_text_of_its_own(draft):
    assert "A stray line" in [region.text for region in of(draft, Category.TEXT)]


def test_a_picture_full_of_text_is_text_and_a_chart_keeps_its_labels(draft):
    texts = " ".join(region.text for region in of(draft, Category.TEXT))
    assert "This was a paragraph" in texts and "under a false picture." in texts
    assert [region.box for region in of(draft, Category.FIGURE)] == [Box(100, 540, 400, 740)]
    assert "5" not in texts.split()


def test_every_line_outside_pictures_is_in_exactly_one_region(draft):
    everything = " ".join(region.text for region in draft.regions)
    assert [
        everything.count(text) for text in RESULT["res"]["overall_ocr_res"]["rec_texts"] if text.strip() not in "5"
    ] == [1] * 6


def test_a_title_of_two_lines_is_one_line_and_headings_have_levels(draft):
    assert [(r.text, r.level) for r in of(draft, Category.TITLE)] == [("Soil of the northern fields", 1)]
    assert [r.level for r in of(draft, Category.SECTION_HEADER)] == [2]


def test_tables_come_in_our_one_form_and_from_the_table_results_if_need_be(draft):
    assert [region.text for region in of(draft, Category.TABLE)] == [
        '<table><tr><th colspan="2">Density</th></tr><tr><td>Clay &amp; silt</td><td>1.6</td></tr></table>',
        "<table><tr><td>Sand</td><td>1.5</td></tr></table>",
    ]


def test_confidence_is_that_of_the_lines_in_the_block(draft):
    assert [r.drafts[0].confidence for r in draft.regions if r.text == "Samples were taken in May."] == [0.98]


def test_a_page_that_had_been_turned_is_drafted_upright():
    result = {"doc_preprocessor_res": {"angle": 90}, "parsing_res_list": []}
    draft = page_draft(result, 1, 800, 1000)
    assert (draft.turned, draft.width, draft.height) == (270, 1000, 800)


def test_a_label_never_heard_of_is_text_and_says_so():
    draft = page_draft(blocks(("hologram", "Valid", [0, 0, 10, 10])), 1, 100, 100)
    assert [(r.category, r.text) for r in draft.regions] == [(Category.TEXT, "Valid")]
    assert "hologram" in draft.warnings[0]


def test_an_empty_page_is_blank():
    assert page_draft(blocks(), 1, 100, 100).blank


def test_every_category_it_can_say_is_one_of_ours():
    assert set(CATEGORIES.values()) <= set(Category)


@pytest.mark.skipif(importlib.util.find_spec("paddleocr") is not None, reason="PaddleOCR is installed")
def test_without_paddleocr_the_error_names_the_extra():
    with pytest.raises(ModelError, match=r"docparse-fast\[ppstructure\]") as caught:
        open_drafter(DraftOptions(drafter="ppstructure"))
    assert caught.value.code == "model_missing"


def described(folder, *parts):
    for part in parts:
        (folder / part).mkdir()
        (folder / part / "inference.yml").write_text(f"Global:\n  model_name: The_{part}\n")


def test_local_models_are_named_and_what_is_missing_is_switched_off(tmp_path):
    described(tmp_path, "layout_detection", "text_detection", "text_recognition", "doc_orientation_classify")
    settings = local_models(tmp_path)
    assert settings["layout_detection_model_dir"] == str(tmp_path / "layout_detection")
    assert settings["text_recognition_model_name"] == "The_text_recognition"
    switched = {name: on for name, on in settings.items() if name.startswith("use_")}
    assert {name for name, on in switched.items() if on} == {"use_doc_orientation_classify"}
    assert {"use_table_recognition", "use_formula_recognition", "use_region_detection"} <= set(switched)


@pytest.mark.parametrize(
    ("file", "engine"),
    [("inference.onnx", "onnxruntime"), ("model.safetensors", "transformers"), ("inference.json", "")],
)
def test_models_in_a_folder_say_which_engine_runs_them(tmp_path, file, engine):
    described(tmp_path, "text_detection")
    (tmp_path / "text_detection" / file).touch()
    assert engine_for(tmp_path) == engine


def test_without_paddle_models_of_a_hub_run_on_onnx_runtime(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert engine_for(None) == "onnxruntime"


def test_a_folder_without_a_needed_model_is_model_missing_and_says_which(tmp_path):
    described(tmp_path, "layout_detection", "text_detection")
    with pytest.raises(ModelError, match="text_recognition") as caught:
        local_models(tmp_path)
    assert caught.value.code == "model_missing"
