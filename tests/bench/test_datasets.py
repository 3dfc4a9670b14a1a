"""The data sets of the benchmark, read from small hand-made copies of their published layouts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from docparse_fast.bench.datasets import export_predictions, load
from docparse_fast.errors import InputError

HERE = Path(__file__).parent
DATA = HERE / "bench_data"
SAMPLES = HERE.parents[1] / "samples"


@pytest.fixture
def copy(tmp_path):
    """A data set that may be damaged."""

    def make(name: str) -> Path:
        return Path(shutil.copytree(DATA / name, tmp_path / name))

    return make


def page_of(dataset, part: str):
    return next(page for page in dataset.pages if part in page.id)


@pytest.mark.parametrize(
    ("folder", "name", "pages"),
    [
        ("OmniDocBench", "omnidocbench", 9),
        ("olmOCR-bench", "olmocr-bench", 7),
        ("olmOCR-bench/bench_data", "olmocr-bench", 7),
        ("Ocean-OCR", "ocean-ocr-bench", 3),
        ("Ocean-OCR/OCR_eval_data", "ocean-ocr-bench", 3),
    ],
)
def test_a_folder_is_recognised_by_what_is_in_it(folder, name, pages):
    dataset = load(DATA / folder)
    assert (dataset.name, len(dataset.pages)) == (name, pages)
    assert all(page.path.is_file() for page in dataset.pages)


@pytest.mark.parametrize("name", ["omnidocbench", "olmocr-bench", "ocean-ocr-bench"])
def test_a_data_set_asked_for_by_name_is_found_among_others(name):
    assert load(DATA, name).name == name


# ---------------------------------------------------------------------------------------- OmniDocBench


def test_the_nine_page_categories_are_the_columns_of_the_papers_table():
    columns = "Slides, Academic Papers, Book, Textbook, Exam Papers, Magazine, Newspaper, Notes, Financial Report"
    assert load(DATA / "OmniDocBench").groups == tuple(columns.split(", "))


def test_the_text_comes_in_reading_order_whatever_its_order_in_the_file():
    text = page_of(load(DATA / "OmniDocBench"), "paper_waves").truth
    places = [text.index(part) for part in ("1 Wave", "Long waves", "c = \\sqrt")]
    assert places == sorted(places)


def test_captions_running_heads_and_ignored_blocks_are_no_part_of_the_text():
    texts = [page.truth for page in load(DATA / "OmniDocBench").pages]
    for left_out in ("Journal of Small Waves, vol. 7", "Table 1: per line, in thousands", "(scribble)"):
        assert not any(left_out in text for text in texts)
    assert any(text.startswith("<table><tr><td>Line</td>") or "<table><tr><td>Line</td>" in text for text in texts)


def test_a_kind_of_page_that_the_paper_does_not_know_keeps_its_name_after_the_others(copy):
    folder = copy("OmniDocBench")
    change_list(folder, lambda records: records[0]["page_info"]["page_attribute"].update(data_source="menu"))
    assert load(folder).groups[-1] == "menu"


@pytest.mark.parametrize(
    "damage",
    [
        lambda records: records.clear(),
        lambda records: records[0].pop("layout_dets"),
        lambda records: records[0]["page_info"].pop("image_path"),
        lambda records: records[3]["layout_dets"][1].pop("category_type"),
        lambda records: records.append(records[0]),
    ],
)
def test_a_misshapen_list_says_what_is_wrong_and_where_to_fetch_another(copy, damage):
    folder = copy("OmniDocBench")
    change_list(folder, damage)
    with pytest.raises(InputError, match=r"hf download --repo-type dataset opendatalab/OmniDocBench") as caught:
        load(folder)
    assert caught.value.code == "corrupt"


def test_a_missing_image_is_named(copy):
    folder = copy("OmniDocBench")
    (folder / "images" / "note_list.png").unlink()
    with pytest.raises(InputError, match=r"note_list\.png is missing, one of 1 ") as caught:
        load(folder)
    assert caught.value.code == "not_found"


def change_list(folder: Path, change) -> None:
    path = folder / "OmniDocBench.json"
    records = json.loads(path.read_text("utf-8"))
    change(records)
    path.write_text(json.dumps(records), "utf-8")


# ---------------------------------------------------------------------------------------- olmOCR-Bench


def test_the_seven_groups_are_the_columns_of_the_papers_table():
    columns = "arXiv Math, Old Scans Math, Tables, Old Scans, Headers Footers, Multi Heading, Long Tiny Text"
    assert load(DATA / "olmOCR-bench").groups == tuple(columns.split(", "))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"page": 1, "id": "x"}', "line 3 has no 'pdf'"),
        ('{"pdf": "tables/fares.pdf", ', "line 3"),
        ('["a.pdf"]', "line 3"),
    ],
)
def test_a_misshapen_unit_test_is_named_by_its_line(copy, line, reason):
    folder = copy("olmOCR-bench")
    with (folder / "bench_data" / "table_tests.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    with pytest.raises(InputError, match=reason) as caught:
        load(folder)
    assert "table_tests.jsonl" in str(caught.value)


def test_a_missing_pdf_is_named(copy):
    folder = copy("olmOCR-bench")
    (folder / "bench_data" / "pdfs" / "tables" / "fares.pdf").unlink()
    with pytest.raises(InputError, match=r"tables/fares\.pdf is missing"):
        load(folder)


# ------------------------------------------------------------------------------------- Ocean-OCR-Bench


def test_ocean_pages_are_english_or_chinese_and_carry_their_text():
    dataset = load(DATA / "Ocean-OCR")
    assert dataset.groups == ("English", "Chinese")
    assert page_of(dataset, "77c2").truth.startswith("References [1] A. Bollard")
    assert page_of(dataset, "b3d0").group == "Chinese"


def test_one_language_alone_is_taken_with_a_note(copy):
    folder = copy("Ocean-OCR")
    (folder / "OCR_eval_data" / "document_zh.json").unlink()
    dataset = load(folder)
    assert (dataset.groups, dataset.notes) == (("English",), ("document_zh.json is missing: its pages are left out",))


def test_an_entry_without_an_answer_is_refused(copy):
    path = copy("Ocean-OCR") / "OCR_eval_data" / "document_en.json"
    entries = json.loads(path.read_text("utf-8"))
    entries[1]["conversations"].pop()
    path.write_text(json.dumps(entries), "utf-8")
    with pytest.raises(InputError, match="entry 1 has no answer"):
        load(path.parents[1])


# ------------------------------------------------------------------------------------------ any folder


def test_any_folder_of_pages_is_a_data_set_with_the_truth_beside_them():
    dataset = load(SAMPLES / "nano")
    assert dataset.name == "folder"
    assert len(dataset.pages) == 12
    assert page_of(dataset, "page-03").truth == (SAMPLES / "nano" / "page-03.md").read_text("utf-8").strip()


def test_pages_without_a_truth_can_be_read():
    dataset = load(SAMPLES, "folder")
    assert page_of(dataset, "slide").truth is None
    assert [page.number for page in dataset.pages if page.id.startswith("mixed")] == [1, 2, 3]


def test_a_truth_of_several_pages_is_cut_at_its_page_marks(tmp_path):
    shutil.copy(SAMPLES / "mixed.pdf", tmp_path)
    (tmp_path / "mixed.md").write_text(
        "<!-- page 1 -->\n\nOne.\n\n<!-- page 2 -->\n\nTwo.\n\n<!-- page 3 -->\n", "utf-8"
    )
    assert [page.truth for page in load(tmp_path).pages] == ["One.", "Two.", ""]


def test_a_truth_of_several_pages_without_marks_is_noted_and_not_used(tmp_path):
    shutil.copy(SAMPLES / "mixed.pdf", tmp_path)
    (tmp_path / "mixed.md").write_text("One. Two.", "utf-8")
    dataset = load(tmp_path)
    assert not any(page.truth for page in dataset.pages)
    assert "no `<!-- page N -->` marks" in dataset.notes[0]


def test_a_file_that_cannot_be_read_is_noted_and_stops_no_other(tmp_path):
    shutil.copy(SAMPLES / "slide.pdf", tmp_path)
    (tmp_path / "empty.pdf").touch()
    dataset = load(tmp_path)
    assert [page.id for page in dataset.pages] == ["slide"]
    assert dataset.notes[0].startswith("left out: ")
    (tmp_path / "slide.pdf").unlink()
    with pytest.raises(InputError, match="none that can be read"):
        load(tmp_path)


def test_a_folder_without_pages_and_a_folder_that_is_not_there_are_refused(tmp_path):
    with pytest.raises(InputError, match="no PDF and no image") as caught:
        load(tmp_path)
    assert caught.value.code == "empty"
    with pytest.raises(InputError, match=r"is not a folder.*olmOCR-bench.*Ocean-OCR") as caught:
        load(tmp_path / "nowhere")
    assert caught.value.code == "not_found"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("omnidocbench", r"expected OmniDocBench\.json beside images/.*hf download"),
        ("olmocr-bench", r"expected bench_data/ with pdfs/ and \*\.jsonl.*hf download"),
        ("ocean-ocr-bench", r"expected OCR_eval_data/ with document_en\.json.*git clone"),
    ],
)
def test_a_named_data_set_that_is_not_there_says_what_was_expected_and_how_to_get_it(tmp_path, name, expected):
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(InputError, match=expected) as caught:
            load(folder, name)
        assert caught.value.code == "not_found"


# ---------------------------------------------------------------------------------------------- export


def test_predictions_are_called_as_the_official_tool_looks_for_them(tmp_path):
    dataset = load(DATA / "OmniDocBench")
    written = export_predictions(dataset, {page.id: f"text of {page.id}" for page in dataset.pages}, tmp_path)
    images = [path.name for path in (DATA / "OmniDocBench" / "images").iterdir()]
    assert {path.name for path in written} == {name[:-4] + ".md" for name in images}  # as the tool makes it
    assert (tmp_path / "paper_waves.pdf_1.md").read_text("utf-8") == "text of paper_waves.pdf_1"


def test_predictions_for_unit_tests_stand_in_the_folders_of_their_pdfs(tmp_path):
    export_predictions(load(DATA / "olmOCR-bench"), {"tables/fares_pg1": "| a |"}, tmp_path)
    (only,) = tmp_path.rglob("*.md")
    assert only.relative_to(tmp_path).as_posix() == "tables/fares_pg1_repeat1.md"
