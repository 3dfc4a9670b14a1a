"""Tables of scans, models and all, on pages drawn here."""

import io
import re

import pymupdf
import pytest
from PIL import Image

from docparse_fast.document import Box, Category, Page, PageSource
from docparse_fast.drafting.scans.embedded import EmbeddedDrafter
from docparse_fast.drafting.scans.scanned_tables import _with_ends
from docparse_fast.lattices.rules import Drawn

DPI = 150
COLUMNS = [("Date", 40), ("Place", 90), ("What for", 150), ("Receipt", 560), ("Net", 640), ("Total", 720)]
ROWS = [
    ("02.10.", "Aarhus", "Train, return, second class; seat kept", "R-01", "84.00", "105.00"),
    ("03.10.", "Ebeltoft", "Ferry with car, two persons, and the toll at the gate", "R-02", "120.80", "151.00"),
    ("03.10.", "Ebeltoft", "Two nights, breakfast", "R-03", "–", "295.00"),
    ("05.10.", "Grenaa", "Dinner", "R-04", "41.60", "52.00"),
]


@pytest.fixture(scope="module")
def regions():
    with pymupdf.open() as document:
        page = document.new_page(width=842, height=595)
        page.insert_text((40, 60), "Expense claim 2026-114", fontsize=20, fontname="hebo")
        for (name, x), *cells in zip(COLUMNS, *ROWS, strict=True):
            page.insert_text((x, 130), name, fontsize=11, fontname="hebo")
            for n, cell in enumerate(cells):
                page.insert_text((x, 152 + 22 * n), cell.replace("–", "\x96"), fontsize=11)
        page.draw_line((40, 136), (780, 136))
        page.insert_text((40, 300), "Receipts are attached. The ferry ran two hours late.", fontsize=11)
        return drafted(page)


def drafted(page):
    image = Image.open(io.BytesIO(page.get_pixmap(dpi=DPI).tobytes("png"))).convert("RGB")
    source = PageSource(lambda: image, lambda: None)
    return EmbeddedDrafter().draft(Page(1, image.width, image.height, DPI, source)).regions


def rows_of(table):
    return [tuple(re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)) for row in table.text.split("<tr>")[1:]]


def test_each_row_of_a_wide_scanned_table_stands_whole(regions):
    (table,) = (region for region in regions if region.category is Category.TABLE)
    assert rows_of(table) == [tuple(name for name, _ in COLUMNS), *ROWS]


def test_the_bold_row_above_a_rule_is_the_head_and_says_how_likely_the_table_stands(regions):
    (table,) = (region for region in regions if region.category is Category.TABLE)
    assert table.text.count("<th>") == len(COLUMNS)
    assert table.structure is not None and table.structure > 0.5


def test_what_stands_below_the_table_is_text(regions):
    assert any("two hours late" in region.text for region in regions if region.category is Category.TEXT)


def test_framed_cards_are_read_one_after_the_other():
    """A sheet of labels was read in rows across its frames, or as tables."""
    cards = [("Valve DN 25", "N-2138", "107.27"), ("Hex bolt M8", "C-4084", "123.09")]
    cards += [("Toolbox, three trays", "T-3025", "107.70"), ("Insulation roll", "M-7851", "141.61")]
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=300)
        for n, card in enumerate(cards):
            x, y = 40 + 260 * (n % 2), 40 + 90 * (n // 2)
            page.draw_rect((x, y, x + 230, y + 75))
            for line, text in enumerate(card):
                page.insert_text((x + 15, y + 18 + 20 * line), text, fontsize=11)
        found = drafted(page)
    said = " ".join(region.text for region in found)
    places = [said.find(text) for card in cards for text in card]
    assert -1 not in places and places == sorted(places)
    assert not any(region.category is Category.TABLE for region in found)


def test_a_ground_between_upright_rules_ends_at_them():
    """Beside a dark ground a rule isn't seen: a report's head was one row with the group below it."""
    ground, sides = Box(216, 663, 2170, 723), [Box(x, 663, x + 7, 1995) for x in (214, 2168)]
    found = _with_ends(Drawn(tuple(sides), (ground,), point=4.6)).rules
    assert {(box.x0, box.x1, box.y0) for box in found[2:]} == {(214, 2175, 663), (214, 2175, 723)}
    far = [sides[0], sides[1].shifted(80, 0)]
    assert len(_with_ends(Drawn(tuple(far), (ground,), point=4.6)).rules) == 2
