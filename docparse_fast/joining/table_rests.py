"""Rows of a table that stand alone on the next page: a page by itself can't tell them from text.

Lines at a page's top become rows if the page before ends with a table, and each piece of theirs stands in a column of
it. Knows pages, and the words that they were made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise, takewhile

from docparse_fast.document import FURNITURE, HEADINGS, Block, Box, Category, ParsedPage
from docparse_fast.evidence import Doubt
from docparse_fast.joining.continued_tables import REACHES, REST, head_of
from docparse_fast.joining.table_columns import ColumnsOfTable, LineInColumns, columns_of
from docparse_fast.text.html_cells import rows_of
from docparse_fast.text.placed_words import NO_WORDS, PlacedWords

PASSED_OVER = FURNITURE | {Category.FOOTNOTE}
LOOSE = frozenset({Category.TEXT, Category.LIST_ITEM}) | HEADINGS
MOST_BLOCKS = 60  # of a page's top that are looked at
FEWEST = 2  # pieces of a row
LONGER = 2  # times the tallest row of the table, in lines: a taller one is text in columns
LONGEST = 300  # letters of a cell: in more there is prose
SHOWN = 60  # characters


@dataclass(frozen=True)
class TableRest:
    """Blocks of a page, by their places, and the rows of a table that they are."""

    table: Block
    blocks: Sequence[int]
    rows: Sequence[Sequence[str]]
    sure: bool

    @property
    def first(self) -> int:
        return self.blocks[0]


def with_table_rests(pages: Sequence[ParsedPage]) -> list[ParsedPage]:
    """The pages, what is left of a table at the top of one, or of a column, as a table."""
    made: list[ParsedPage] = []
    for page in pages:
        found = rest_over_page(made[-1], page) if made else None
        made.append(_with_rests_in_columns(_with_rest(page, found) if found else page))
    return made


def with_doubted_rests(pages: Sequence[ParsedPage]) -> list[ParsedPage]:
    """The same pages; where one begins with what may be the rest of a table, it has a doubt."""
    found = [None, *(rest_over_page(page, following) for page, following in pairwise(pages))]
    return [_with_doubt(page, rest, rest.first) if rest else page for page, rest in zip(pages, found, strict=False)]


def rest_over_page(page: ParsedPage, following: ParsedPage) -> TableRest | None:
    """The first blocks of the following page, if they are rows of the table that ends this one."""
    last = next((block for block in reversed(page.blocks) if block.category not in PASSED_OVER), None)
    if last is None or following.number != page.number + 1 or not _may_go_on(page, last) or not following.width:
        return None
    places = [n for n, block in enumerate(following.blocks) if block.category not in FURNITURE]
    return table_rest(last, columns_of(last, following.width / page.width), following, places)


def _with_rests_in_columns(page: ParsedPage) -> ParsedPage:
    for n, (table, block) in reversed(list(enumerate(pairwise(page.blocks)))):
        if not _may_go_on(page, table) or not _is_loose(block) or table.box is None or block.box is None:
            continue
        if block.box.x0 > table.box.x1 and block.box.y1 < table.box.y0:
            shift = block.box.x0 - min(box.x0 for box, _ in table.words)
            rest = table_rest(table, columns_of(table, shift=shift), page, range(n + 1, len(page.blocks)))
            page = _with_rest(page, rest) if rest else page
    return page


def with_compared_words(page: ParsedPage) -> ParsedPage:
    """The page with the words by which it is compared to others, and no more: a journal keeps it so.

    >>> block = Block(Category.FIGURE, "", words=PlacedWords("one", b""))
    >>> with_compared_words(ParsedPage(1, blocks=(block,))).blocks[0].words
    PlacedWords(text='', boxes=b'')
    """
    tables = [n for n, block in enumerate(page.blocks) if _may_go_on(page, block)]
    body = next((n for n, block in enumerate(page.blocks) if block.category not in FURNITURE), 0)
    kept = set(tables)
    for start in (body, *(n + 1 for n in tables)):
        following = enumerate(page.blocks[start:], start)
        kept.update(n for n, _ in takewhile(lambda each: _is_compared(each[1]), following))
    blocks = (block if n in kept else replace(block, words=NO_WORDS) for n, block in enumerate(page.blocks))
    return replace(page, blocks=tuple(blocks))


def _is_compared(block: Block) -> bool:
    return block.category in FURNITURE or _is_loose(block, first=True)


def _may_go_on(page: ParsedPage, block: Block) -> bool:
    is_table = block.category is Category.TABLE and bool(block.words) and not block.spans
    return is_table and block.box is not None and block.box.y1 >= REACHES * page.height > 0 < page.width


def table_rest(
    table: Block, columns: ColumnsOfTable | None, page: ParsedPage, places: Sequence[int]
) -> TableRest | None:
    """As many of the first of these blocks as are rows of the table."""
    blocks = [page.blocks[n] for n in places[:MOST_BLOCKS]]
    loose = next((n for n, block in enumerate(blocks) if not _is_loose(block, first=not n)), len(blocks))
    lines = columns.lines_of([word for block in blocks[:loose] for word in block.words]) if columns and loose else []
    for count in range(loose if columns and lines else 0, 0, -1):
        assert columns is not None
        found = _rows(columns, lines, blocks, count)
        below = found[_says_head(found, table) :] if found else ()
        fits = all(sum(map(bool, row)) >= FEWEST and columns.is_one(row) for row in below)
        rest = TableRest(table, places[:count], found, columns.are_sure(below)) if found and fits else None
        if rest is not None and (blocks[0].category in LOOSE or _mends(rest, blocks[0])):
            return rest
    return None


def _is_loose(block: Block, *, first: bool = False) -> bool:
    """What may be rows: a table too, if it comes first. One of a head and a row may have been read as two pairs."""
    of_kind = block.category in LOOSE or (first and block.category is Category.TABLE)
    is_bullet = block.category is Category.LIST_ITEM and block.text.startswith("- ")
    is_prose = block.category in LOOSE and len(block.text) > LONGEST
    return of_kind and not (is_bullet or is_prose or block.spans) and bool(block.words) and block.box is not None


def _mends(rest: TableRest, block: Block) -> bool:
    """Whether the head comes first only where the block is read by the table's columns."""
    return _says_head(rest.rows, rest.table) and not _says_head(rows_of(block.text), rest.table)


def _says_head(rows: Sequence[Sequence[str]], table: Block) -> bool:
    """Whether the first row says the table's head again."""
    head = head_of(table.text)
    return bool(head and rows) and rows_of(f"<table>{head}</table>") == [list(rows[0])]


def _rows(
    columns: ColumnsOfTable, lines: Sequence[LineInColumns], blocks: Sequence[Block], count: int
) -> list[list[str]] | None:
    """The rows that so many blocks are, if they are rows and nothing else stands among them."""
    words = {word for block in blocks[:count] for word in block.words}
    held = [line for line in lines if words.issuperset(line.words)]
    if not held or sum(len(line.words) for line in held) != len(words) or not all(line.fits for line in held):
        return None
    foot, rows = max(box.y1 for box, _ in words), columns.rows_of(held)
    beside = any(block.box.y0 < foot for block in blocks[count:] if block.box and block.box.y1 > held[0].box.y0)
    if beside or max(map(len, rows)) > LONGER * columns.tallest:
        return None
    return [columns.texts(row) for row in rows]


def _with_rest(page: ParsedPage, rest: TableRest) -> ParsedPage:
    """The page with one block in the place of those; doubts keep theirs."""
    words = [word for n in rest.blocks for word in page.blocks[n].words]
    block = replace(
        page.blocks[rest.first],
        category=Category.TABLE,
        text=_html(rest),
        box=Box.around(box for box, _ in words),
        level=0,
        type_size=0.0,
        because=REST,
        words=PlacedWords.of(words),
    )
    kept = [n for n in range(len(page.blocks)) if n == rest.first or n not in rest.blocks]
    places = dict.fromkeys(rest.blocks, kept.index(rest.first)) | {old: new for new, old in enumerate(kept)}
    moved = (each if each.block is None else replace(each, block=places[each.block]) for each in page.evidence.doubts)
    blocks = tuple(block if n == rest.first else page.blocks[n] for n in kept)
    found = replace(page, blocks=blocks, evidence=replace(page.evidence, doubts=tuple(moved)))
    return found if rest.sure else _with_doubt(found, rest, places[rest.first])


def _with_doubt(page: ParsedPage, rest: TableRest, place: int) -> ParsedPage:
    said = " ".join(filter(None, rest.rows[0]))[:SHOWN]
    doubt = Doubt("doubtful_table", f"what may be the rest of the table before it: {said}", place)
    known = page.evidence
    evidence = replace(known, doubts=(*known.doubts, doubt), warnings=(*known.warnings, doubt.message))
    return replace(page, evidence=evidence)


def _html(rest: TableRest) -> str:
    """The rows; a first one that says the table's head again is that head."""
    written = [f"<tr>{''.join(f'<td>{escape(cell, quote=False)}</td>' for cell in row)}</tr>" for row in rest.rows]
    if _says_head(rest.rows, rest.table):
        written[0] = head_of(rest.table.text)
    return "".join(["<table>", *written, "</table>"])
