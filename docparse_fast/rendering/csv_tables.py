"""A document's tables as CSV (RFC 4180), a file each. Knows blocks and cells; writes no file.

A table that goes on over a page's end is one file, named after the page where it began. A cell that spans others has
its text in the first and leaves the others blank: repeated, a figure would count twice in a sum.
"""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from itertools import count

from docparse_fast.document import Block, Category, ParsedDocument, ParsedPage
from docparse_fast.sums.figures import figures_of
from docparse_fast.text.html_cells import rows_of

FOLDER = "tables"
BYTE_ORDER_MARK = "\ufeff"  # by it spreadsheets know UTF-8; ASCII needs none
BEGINS_A_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")
AS_TEXT = "'"  # before what a spreadsheet would take for a formula


def with_csv_names(document: ParsedDocument, joined: ParsedDocument) -> ParsedDocument:
    """The document with the name of its file on each table, that of the table it continues where it does so.

    `joined` is the same document, where what goes on stands where it began and its other places are empty.
    """
    pages: list[ParsedPage] = []
    last = None
    for page, flown in zip(document.pages, joined.pages, strict=True):
        blocks: list[Block] = []
        number = 0
        for block, whole in zip(page.blocks, flown.blocks, strict=True):
            name = None
            if block.category is Category.TABLE and block.text:
                if whole.text:
                    number += 1
                    last = table_file(page.number, number)
                name = last
            blocks.append(replace(block, csv=name))
        pages.append(replace(page, blocks=tuple(blocks)))
    return replace(document, pages=tuple(pages))


def without_csv_names(document: ParsedDocument) -> ParsedDocument:
    """The same document where no such files are written."""
    if not any(block.csv for page in document.pages for block in page.blocks):
        return document
    pages = (replace(page, blocks=tuple(replace(block, csv=None) for block in page.blocks)) for page in document.pages)
    return replace(document, pages=tuple(pages))


def csv_files(document: ParsedDocument) -> dict[str, str]:
    """The files by their names; the document has its names (`with_csv_names`) and is joined.

    What a reader has made a table since is numbered after the others of its page.
    """
    files: dict[str, str] = {}
    given = {block.csv for page in document.pages for block in page.blocks}
    for page in document.pages:
        for block in page.blocks:
            if block.category is Category.TABLE and (rows := rows_of(block.text)):
                free = (table_file(page.number, n) for n in count(1))
                name = block.csv if block.csv and block.csv not in files else None
                files[name or next(each for each in free if each not in files and each not in given)] = as_csv(rows)
    return files


def table_file(page_number: int, table_number: int) -> str:
    return f"{FOLDER}/page-{page_number:04d}-table-{table_number}.csv"


def as_csv(rows: list[list[str]]) -> str:
    """
    >>> as_csv([["Size, cm", '2" tap'], ["-3.50", "=1+1"]]).splitlines()
    ['"Size, cm","2"" tap"', "-3.50,'=1+1"]
    """
    written = io.StringIO(newline="")
    csv.writer(written).writerows([[_harmless(text) for text in row] for row in rows])
    text = written.getvalue()
    return text if text.isascii() else BYTE_ORDER_MARK + text


def _harmless(text: str) -> str:
    """A text that a spreadsheet would compute, marked as text; a figure as it is printed.

    >>> [_harmless(text) for text in ("-1.234,50 €", "-1+2", "+49 30 1234", "@home", "-", "a=b")]
    ['-1.234,50 €', "'-1+2", "'+49 30 1234", "'@home", '-', 'a=b']
    """
    begins = len(text) > 1 and text.startswith(BEGINS_A_FORMULA)
    return AS_TEXT + text if begins and figures_of([[text]])[0][0] is None else text
