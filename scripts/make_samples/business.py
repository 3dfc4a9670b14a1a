"""Draws the invoice, and the table that goes on over a page's end."""

from __future__ import annotations

from collections.abc import Sequence

from setting import A4, right, sheet, write
from texts import (
    INVOICE_FACTS,
    INVOICE_FOOT,
    INVOICE_FROM,
    INVOICE_HEADER,
    INVOICE_ITEMS,
    INVOICE_SUMS,
    INVOICE_TERMS,
    INVOICE_TO,
    REGISTER_ABOUT,
    REGISTER_END,
    REGISTER_HEADER,
    REGISTER_KINDS,
    REGISTER_NAMES,
    REGISTER_OWNERS,
    REGISTER_TITLE,
)

from docparse_fast.system.mupdf import pymupdf

LEFT, RIGHT = 60, A4[0] - 60
PRICES = (370, 455, RIGHT)  # where the columns of figures end
ROW = 21
BERTHS = (60, 108, 200, 270, 350, 410)
REGISTER_ROW, ROWS_ON_THE_FIRST = 18, 32
KEPT_FREE = (7, 23)


def invoice() -> pymupdf.Document:
    document = pymupdf.open()
    page = sheet(document)
    write(page, (LEFT, 50, 320, 110), INVOICE_FROM)
    right(page, RIGHT, 70, "INVOICE", "hebo", 22)
    for row, (label, value) in enumerate(INVOICE_FACTS):
        page.insert_text((390, 96 + 15 * row), label, fontname="helv", fontsize=9, color=(0.35, 0.35, 0.35))
        right(page, RIGHT, 96 + 15 * row, value, "helv", 9)
    write(page, (LEFT, 150, 320, 240), INVOICE_TO)
    end = invoice_sums(page, invoice_items(page, 270))
    write(page, (LEFT, end + 30, RIGHT, end + 80), INVOICE_TERMS)
    page.insert_text((LEFT, 800), INVOICE_FOOT, fontname="helv", fontsize=8, color=(0.35, 0.35, 0.35))
    return document


def invoice_items(page: pymupdf.Page, top: float) -> float:
    page.draw_rect(pymupdf.Rect(LEFT, top, RIGHT, top + ROW), color=None, fill=(0.88, 0.91, 0.94))
    price_row(page, top, INVOICE_HEADER, "hebo")
    for number, item in enumerate(INVOICE_ITEMS, 1):
        y = top + ROW * number
        price_row(page, y, item, "helv")
        page.draw_line((LEFT, y + ROW), (RIGHT, y + ROW), width=0.4, color=(0.6, 0.6, 0.6))
    return top + ROW * (len(INVOICE_ITEMS) + 1)


def invoice_sums(page: pymupdf.Page, top: float) -> float:
    for row, (label, value) in enumerate(INVOICE_SUMS):
        font = "hebo" if row == len(INVOICE_SUMS) - 1 else "helv"
        right(page, PRICES[1] - 4, top + ROW * row + 15, label, font, 10)
        right(page, PRICES[2] - 4, top + ROW * row + 15, value, font, 10)
    return top + ROW * len(INVOICE_SUMS)


def price_row(page: pymupdf.Page, top: float, cells: Sequence[str], font: str) -> None:
    page.insert_text((LEFT + 4, top + 15), cells[0], fontname=font, fontsize=10)
    for x, words in zip(PRICES, cells[1:], strict=True):
        right(page, x - 4, top + 15, words, font, 10)


def register() -> pymupdf.Document:
    """Boats, one a row, over two pages; the header stands on both."""
    document = pymupdf.open()
    rows = list(boats())
    first, rest = rows[:ROWS_ON_THE_FIRST], rows[ROWS_ON_THE_FIRST:]
    page = sheet(document)
    page.insert_text((LEFT, 92), REGISTER_TITLE, fontname="hebo", fontsize=17)
    write(page, (LEFT, 106, RIGHT, 150), REGISTER_ABOUT)
    register_rows(page, 160, first, 1)
    page = sheet(document)
    end = register_rows(page, 80, rest, 2)
    write(page, (LEFT, end + 14, RIGHT, end + 60), REGISTER_END)
    return document


def register_rows(page: pymupdf.Page, top: float, rows: Sequence[Sequence[str]], number: int) -> float:
    page.insert_text((LEFT, 40), "Harbour Office, Port Ellery", fontname="helv", fontsize=8)
    right(page, RIGHT, 812, f"Page {number} of 2", "helv", 8)
    for at, cells in enumerate([REGISTER_HEADER, *rows]):
        for x, words in zip(BERTHS, cells, strict=True):
            page.insert_text((x, top + 13), words, fontname="helv" if at else "hebo", fontsize=9.5)
        top += REGISTER_ROW
        page.draw_line((LEFT, top), (RIGHT, top), width=0.4 if at else 1)
    return top


def boats() -> list[tuple[str, ...]]:
    names = REGISTER_NAMES.split()
    berths = [berth for berth in range(1, len(names) + len(KEPT_FREE) + 1) if berth not in KEPT_FREE]
    return [
        (
            str(berth),
            name,
            REGISTER_KINDS[berth * 7 % 11 % len(REGISTER_KINDS)],
            "-" if berth % 13 == 0 else str(1921 + berth * 37 % 97),
            f"{4.2 + berth * 29 % 80 / 10:.1f}",
            REGISTER_OWNERS[berth * 5 % 17 % len(REGISTER_OWNERS)],
        )
        for berth, name in zip(berths, names, strict=True)
    ]
