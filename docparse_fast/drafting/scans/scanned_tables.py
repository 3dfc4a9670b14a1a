"""The tables of a scan, chosen as on a page with a text layer: rules come from its pixels, words from its OCR."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PIL import Image

from docparse_fast.document import Box, Category, Region, TextLine, TextSpan
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.blocks.panels import panels, parting_panels
from docparse_fast.drafting.learned import LearnedReaders
from docparse_fast.drafting.lines import LayoutBox, Line, draft_of, words_of
from docparse_fast.drafting.measures import ONE_LEVEL, SEVERAL
from docparse_fast.drafting.tables.choosing import ChosenTable
from docparse_fast.drafting.tables.fields import led_lists
from docparse_fast.drafting.tables.heads import SetAndDrawn, with_whole_texts
from docparse_fast.drafting.tables.page_tables import TableChoice
from docparse_fast.drafting.tables.places import rows_of
from docparse_fast.drafting.tables.readers import GridReaders, ends_of
from docparse_fast.drafting.tables.structure import with_header
from docparse_fast.drafting.tables.table_html import table_html
from docparse_fast.drafting.tables.white_slots import PLAIN, runs_of
from docparse_fast.geometry import not_in
from docparse_fast.lattices.drawn_tables import drawn_tables
from docparse_fast.lattices.rules import Drawn
from docparse_fast.text.markup import as_text
from docparse_fast.text.placed_words import PlacedWord

SOURCE = "embedded"
AS_HIGH = 0.75  # of a detected line, its type with ascenders and descenders


def scanned_tables(
    pixels: Pixels,
    lines: Sequence[Line],
    signs: Sequence[Line],
    labels: Sequence[LayoutBox],
    readers: LearnedReaders,
    drawn: Drawn,
    grounds: Sequence[Box],
) -> tuple[list[Region], list[Line], list[Region]]:
    """Tables as regions, the lines left, what these may be instead. `signs` stand alone; `grounds` are framed, too."""
    lines = [lines[n] for row in rows_of(lines, range(len(lines))) for n in row]
    pieces = [*_pieces(lines), *(_Piece(sign.moved(_trimmed), None) for sign in signs)]
    networks = GridReaders(readers.tables, readers.grid_lines, noisy=True)
    choice = TableChoice(partial(networks.read, partial(Image.fromarray, pixels)), labels, drawn.rules, drawn.areas)
    parts = [piece.line for piece in pieces]
    chosen = choice.of_lattices(drawn_tables(_with_ends(drawn), [_text_line(part) for part in parts]), parts)
    looks = SetAndDrawn([span for part in parts for span in _text_line(part).spans], drawn.rules, drawn.areas)
    tables = [_region(each, pieces, looks) for each in chosen]
    rest = not_in(pieces, (table.candidate.lines for table in chosen))
    parts = [piece.line for piece in rest]
    boxes = [part.box for part in parts]
    apart = parting_panels(panels(grounds, boxes, [table.box for table in tables]), boxes)
    among = choice.of_lines(parts, list(led_lists(parts)), apart)
    tables += [_region(each, rest, looks) for each in among]
    left = _put_together(not_in(rest, (table.candidate.lines for table in among)), pieces)
    return tables, left, [_region(each, rest, looks) for each in choice.beaten]


def _with_ends(drawn: Drawn) -> Drawn:
    """Where grounds begin and end between upright rules, too: beside a dark one a rule isn't seen."""
    upright = [rule for rule in drawn.rules if rule.width < rule.height]
    ends = []
    for end in ends_of(drawn.areas):
        near = end.expanded(ONE_LEVEL * drawn.point)
        met = [rule for rule in upright if rule.overlap_y(near) > 0 and rule.overlap_x(near) > 0]
        if len(met) >= SEVERAL:
            ends.append(replace(end, x0=min(rule.x0 for rule in met), x1=max(rule.x1 for rule in met)))
    return replace(drawn, rules=(*drawn.rules, *ends))


@dataclass(frozen=True, slots=True)
class _Piece:
    """A line up to a wide gap in it: what is read as one line may stand in several cells."""

    line: Line
    whole: Line | None  # none: a sign that stands alone, which counts in a table only


def _pieces(lines: Sequence[Line]) -> Iterator[_Piece]:
    for line in lines:
        runs = runs_of(line.words, PLAIN * line.box.height)
        parts = [line] if len(runs) < 2 else [_part(line, run) for run in runs]
        yield from (_Piece(replace(part.moved(_trimmed), baseline=part.baseline), line) for part in parts)


def _part(line: Line, words: Sequence[PlacedWord]) -> Line:
    text = " ".join(word for _, word in words)
    across = Box.around(box for box, _ in words)
    box = Box(across.x0, line.box.y0, across.x1, line.box.y1)
    return replace(line, box=box, text=as_text(text), plain=text, words=tuple(words), certainty=None)


def _trimmed(box: Box) -> Box:
    """As high as a text layer's: a detector leaves room around the letters."""
    middle, half = box.center[1], AS_HIGH * box.height / 2
    return replace(box, y0=middle - half, y1=middle + half)


def _put_together(left: Sequence[_Piece], pieces: Sequence[_Piece]) -> list[Line]:
    """The lines that are left: whole ones of which no piece stands in a table, and single pieces of the others."""
    kept = {id(piece) for piece in left}
    torn = {id(piece.whole) for piece in pieces if id(piece) not in kept}
    held = ((each.line, each.whole) for each in left if each.whole is not None)
    found = [line if id(whole) in torn else whole for line, whole in held]
    return list({id(line): line for line in found}.values())


def _text_line(line: Line) -> TextLine:
    """As a text layer has it, a span a word."""
    words = line.words or words_of([line])
    spans = tuple(TextSpan(box, f"{word} ", "", line.size, baseline=line.box.y1, bold=line.bold) for box, word in words)
    return TextLine(line.box, spans)


def _region(chosen: ChosenTable, pieces: Sequence[_Piece], looks: SetAndDrawn) -> Region:
    held = [pieces[n] for n in sorted(chosen.candidate.lines)]
    grids = [with_whole_texts(each.box, each.cells, looks) for each in (chosen.candidate, *chosen.rivals)]
    read = dict.fromkeys(table_html(with_header(tuple(grid))) for grid in grids)
    wholes = list({id(piece.whole): piece.whole for piece in held if piece.whole is not None}.values())
    drafts = tuple(draft_of(wholes, text, SOURCE) for text in read)
    box = Box.around([chosen.candidate.box, *(piece.line.box for piece in held)])
    quality = round(min(1.0, chosen.quality), 4)
    return Region(box, Category.TABLE, drafts, words=words_of([piece.line for piece in held]), structure=quality)
