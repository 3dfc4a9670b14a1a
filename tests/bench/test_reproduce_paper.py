from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from docparse_fast.bench import paper
from docparse_fast.bench.datasets import BenchPage
from docparse_fast.bench.reproduction.subjects import as_image
from docparse_fast.errors import UsageError
from docparse_fast.targets.loading.catalog import BY_NAME

SHAPES = {  # rows and columns as printed
    "table1": (6, 12),
    "table2": (5, 10),
    "table3": (3, 5),
    "table4": (5, 2),
    "table5": (2, 2),
    "table6": (2, 9),
    "table7": (4, 3),
    "table8": (4, 3),
    "tableA1": (2, 12),
    "tableA2": (2, 10),
    "figure3": (1, 4),
}
LOST = ("table7", "Stage-1 only", "Ocean-OCR-Bench")  # the one figure that our text of the paper doesn't have
tables = pytest.mark.parametrize("key", SHAPES)


def cell(key: str, row: str, column: str) -> float | None:
    table = paper.paper_table(key)
    at = next(n for n, found in enumerate(table.columns) if found.name == column)
    return next(r for r in table.rows if r.name == row).figures[at]


def test_every_table_of_the_paper_is_there() -> None:
    assert paper.names() == tuple(SHAPES)


@tables
def test_every_cell_has_its_figure(key: str) -> None:
    table = paper.paper_table(key)
    assert (len(table.rows), len(table.columns)) == SHAPES[key]
    for row in table.rows:
        assert len(row.figures) == len(table.columns)
        for column, figure in zip(table.columns, row.figures, strict=True):
            assert (figure is None) == ((key, row.name, column.name) == LOST)
            assert figure is None or 0 < figure < 100


@pytest.mark.parametrize(
    "key, row, column, figure",
    [
        ("table1", "Qwen3-VL-8B", "Notes", 0.82),
        ("table1", "Qwen3-VL-2B*", "Book", 2.4),
        ("table1", "HunyuanOCR", "Financial Report", 7.04),
        ("table1", "dots.ocr", "SR_e2e", 2.42),
        ("table2", "Qwen3-VL-2B", "Old Scans", 0.54),
        ("table2", "dots.ocr", "Long Tiny Text", 2.61),
        ("table3", "Qwen3-VL-8B", "Chinese", 8.25),
        ("table4", "ViSpec, fine-tuned", "SR_e2e", 1.29),
        ("table5", "VSD", "Draft latency", 13.07),
        ("table6", "+ HSD (Ours)", "AAL", 4.72),
        ("table7", "Pipeline (Draft)", "olmOCR-Bench", 65.8),
        ("table7", "Stage-1 only", "OmniDocBench v1.5", 70.47),
        ("table8", "+ Hierarchical Spec. Decoding (tau=1.0)", "SR_decode", 2.37),
        ("tableA1", "Qwen3-VL-8B", "Newspaper", 4.62),
        ("tableA2", "Qwen3-VL-2B", "Long Tiny Text", 2.54),
        ("figure3", "Unspoilt", "SR_e2e", 2.78),
    ],
)
def test_a_figure_stands_where_it_is_printed(key: str, row: str, column: str, figure: float) -> None:
    assert cell(key, row, column) == figure


def test_rows_printed_twice_have_the_same_figures() -> None:
    """The paper prints its main rows twice, so this finds copying errors."""
    dots = paper.paper_table("table1").rows[-1].figures
    assert paper.paper_table("table8").rows[-1].figures == dots[:3]
    assert paper.paper_table("table4").rows[3].figures == (dots[0], dots[2])
    hunyuan = paper.paper_table("table1").rows[-2].figures
    assert paper.paper_table("table4").rows[4].figures == (hunyuan[0], hunyuan[2])
    assert paper.paper_table("figure3").rows[0].figures[1:] == hunyuan[:3]
    assert paper.paper_table("table5").rows[0].figures[1] == paper.paper_table("table4").rows[0].figures[0]


@tables
def test_every_row_names_a_model_of_the_catalogue(key: str) -> None:
    assert set(paper.paper_table(key).models) <= set(BY_NAME)


def test_an_unknown_table_is_refused_with_the_one_that_was_meant() -> None:
    with pytest.raises(UsageError, match="did you mean 'table8'"):
        paper.paper_table("tabel8")


def test_only_qwen3_vl_is_cut_at_2048_tokens_and_only_where_the_paper_says_so() -> None:
    """All rows of Tables 1 and 2 were, and dots.ocr's long answers lost their ends."""
    caps = {key: paper.paper_table(key).caps for key in SHAPES}
    assert caps["table1"] == {"qwen3-vl-8b": 2048, "qwen3-vl-2b": 2048, "hunyuan-ocr": 8192, "dots.ocr": 24_000}
    assert caps["table2"] == {"qwen3-vl-8b": 2048, "qwen3-vl-2b": 2048, "dots.ocr": 24_000}
    others = {cap for key, of in caps.items() if key not in ("table1", "table2") for cap in of.values()}
    assert others == {8192, 24_000}


@tables
def test_the_rows_of_a_model_agree_on_cap_and_pixels(key: str) -> None:
    table = paper.paper_table(key)
    for row in table.rows:
        assert (row.cap, row.pixels) == (table.cap_of(row.model), table.pixels_of(row.model))


def test_a_page_is_shown_with_as_many_pixels_as_its_row_has(tmp_path: Path) -> None:
    Image.new("L", (4000, 3500), "white").save(tmp_path / "page.png")
    page = BenchPage("page", tmp_path / "page.png")
    table = paper.paper_table("table1")
    sizes = {model: as_image(page, table.pixels_of(model)).image.size for model in ("qwen3-vl-2b", "dots.ocr")}
    assert sizes["qwen3-vl-2b"] == (4000, 3500)
    assert 0.99 * 11_289_600 < sizes["dots.ocr"][0] * sizes["dots.ocr"][1] <= 11_289_600
