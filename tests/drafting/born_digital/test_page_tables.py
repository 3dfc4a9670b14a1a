"""Tables of pages with a text layer, from file to cells."""

import re

import pymupdf
import pytest

from docparse_fast.document import Category
from docparse_fast.drafting.auto import AutoDrafter
from docparse_fast.options import DraftOptions, RasterOptions
from docparse_fast.pages import open_pages

TEXT = "We thank you for your trust and remain at your service for all questions about this account. " * 3
ROWS = [("Date", "Details", "Amount", "Balance")]
ROWS += [
    (f"{day:02}/03/2026", f"Transfer to {name}", f"{day * 7}.50", f"{900 - day * 3}.00")
    for day, name in enumerate(("Miller", "the town of Ely", "Baker and Sons", "Nora Quist", "a friend", "the club"), 1)
]
STATES = ("Goa", "Assam", "Bihar", "Kerala", "Odisha")
LEFTS, ENDS = (60, 140, 0, 0), (0, 0, 420, 520)


@pytest.fixture
def statement(tmp_path):
    """A statement without rules: its amounts and balances end flush at the right."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_htmlbox((60, 60, 535, 140), f"<p style='font-size:10px'>{TEXT}</p>")
    for n, row in enumerate(ROWS):
        for text, left, end in zip(row, LEFTS, ENDS, strict=True):
            x = left or end - pymupdf.get_text_length(text, fontsize=10)
            page.insert_text((x, 200 + 16 * n), text, fontsize=10)
    path = tmp_path / "statement.pdf"
    document.save(path)
    return path


def table_rows(path, **options):
    with open_pages(path, RasterOptions(dpi=100)) as pages:
        regions = AutoDrafter(DraftOptions(**options)).draft(next(pages.pages())).regions
    tables = [region.text for region in regions if region.category is Category.TABLE]
    return [[re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in table.split("</tr>")[:-1]] for table in tables]


@pytest.mark.parametrize("layout", ["auto", "always", "never"])
def test_a_statements_rows_stand_whole(statement, layout):
    (rows,) = table_rows(statement, layout=layout)
    assert rows == [list(row) for row in ROWS]


def test_no_layout_model_is_opened_for_a_page_of_one_flow_with_framed_notes(tmp_path):
    document = pymupdf.open()
    page = document.new_page()
    page.insert_htmlbox((60, 60, 535, 400), f"<p>{TEXT * 6}</p>")
    for y in (420, 500, 580):
        page.insert_text((70, y + 20), "A note in a frame of its own.")
        page.draw_rect((60, y, 535, y + 40))
    for y in (75, 680):  # below the page's head, above its foot
        page.draw_line((60, y), (535, y))
    page.insert_text((60, 700), "12")
    document.save(tmp_path / "plain.pdf")
    drafter = AutoDrafter(DraftOptions())
    with open_pages(tmp_path / "plain.pdf", RasterOptions(dpi=100)) as pages:
        drafter.draft(next(pages.pages()))
    assert "layout" not in vars(drafter._learned)


@pytest.mark.parametrize("filled", [True, False])
def test_cards_are_read_one_by_one_and_make_neither_a_table_nor_a_picture(tmp_path, filled):
    said = [(f"Name{n} Writer", f"Firm{n} Limited", f"Town{n} 4711") for n in range(9)]
    with pymupdf.open() as pdf:
        page = pdf.new_page(width=600, height=800)
        for n, card in enumerate(said):
            x, y = 40 + 180 * (n % 3), 60 + 110 * (n // 3)
            page.draw_rect(
                pymupdf.Rect(x, y, x + 160, y + 80), color=(0.4, 0.4, 0.4), fill=(1, 1, 0.9) if filled else None
            )
            for row, words in enumerate(card):
                page.insert_text((x + 10, y + 24 + 20 * row), words, fontsize=14 if row == 0 else 9)
        pdf.save(tmp_path / "cards.pdf")
    with open_pages(tmp_path / "cards.pdf", RasterOptions()) as pages:
        draft = AutoDrafter(DraftOptions()).draft(next(iter(pages.pages())))
    text = " ".join(region.text for region in draft.regions if region.category is not Category.TABLE)
    assert [word for word in text.split() if word[:4] in ("Name", "Firm", "Town")] == [
        f"{kind}{n}" for n in range(9) for kind in ("Name", "Firm", "Town")
    ]
    assert Category.FIGURE not in {region.category for region in draft.regions}


def test_a_note_on_a_figure_stays_raised_and_a_leader_is_no_text(tmp_path):
    """`24.91` with a note became `24.912`: another number."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_htmlbox((60, 60, 535, 140), f"<p style='font-size:10px'>{TEXT}</p>")
    for n, (name, *figures) in enumerate((("State", "Debt", "Loans"), *zip(STATES, "34567", "23456", strict=True))):
        y = 200 + 16 * n
        page.insert_text((60, y), name + (" ." * 18 if n else ""), fontsize=10)
        for x, figure in zip((300, 400), figures, strict=True):
            text = f"{figure}4.91" if n else figure
            page.insert_text((x, y), text, fontsize=10)
            if n == 2:
                page.insert_text((x + pymupdf.get_text_length(text, fontsize=10), y - 4), "2", fontsize=6)
    document.save(tmp_path / "debts.pdf")
    (rows,) = table_rows(tmp_path / "debts.pdf")
    assert rows[2] == ["Assam", "44.91²", "34.91²"]
