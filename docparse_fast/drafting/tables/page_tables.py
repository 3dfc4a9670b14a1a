"""The tables of a page: every reader proposes, the judge chooses, what was not chosen stays a draft.

Knows the readers and what they need; knows nothing of regions or of what becomes of the other lines.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from statistics import median

from docparse_fast.document import Box, Category, TextTable
from docparse_fast.drafting.blocks.panels import standing_on
from docparse_fast.drafting.blocks.reading_order import columns
from docparse_fast.drafting.blocks.stacks import level_stacks, paragraphs_among
from docparse_fast.drafting.lines import LayoutBox, Line, letters_of
from docparse_fast.drafting.measures import LARGER, MOST_DRAWN, SEVERAL, in_one_row
from docparse_fast.drafting.tables.candidates import Marks, TableCandidate, part_of
from docparse_fast.drafting.tables.cell_evidence import over_bands
from docparse_fast.drafting.tables.choosing import (
    ChosenTable,
    Weighed,
    beaten,
    best_of_places,
    chosen_tables,
    is_likely,
    weighed,
)
from docparse_fast.drafting.tables.columns import with_columns_right
from docparse_fast.drafting.tables.evidence import Known, stands_as_drawn
from docparse_fast.drafting.tables.fields import fields
from docparse_fast.drafting.tables.grid import box_of
from docparse_fast.drafting.tables.no_table import MOST_LINES_AGAIN, is_no_table
from docparse_fast.drafting.tables.parts import (
    at_heads,
    in_its_sheet,
    parts_of,
    without_foot,
    without_name,
    without_text,
)
from docparse_fast.drafting.tables.places import (
    PlaceRow,
    between_names,
    from_heads,
    goes_on_beside,
    is_apart,
    level_places,
    rows_of,
    ruled_places,
    sides_off_level,
)
from docparse_fast.drafting.tables.readers import white_grids
from docparse_fast.drafting.tables.rows_beyond import with_rest, with_rows_beyond
from docparse_fast.drafting.tables.side_by_side import halves_of, without_address

GridsOf = Callable[[Sequence[Line], Sequence[int], Sequence[Box]], Iterable[TableCandidate]]

ENOUGH = 0.93  # the quality of a reading from which no network is asked
MOST_RULED = 6  # places between rules, the largest: bars of fractions stand so, too
MOST_WHOLES = 3  # of a place, the best, whose parts are proposed too; of the parts, that are read again


class TableChoice:
    """Chooses the tables of one page. `grids` are readings by networks that see it, if there are any."""

    def __init__(
        self, grids: GridsOf | None, labels: Sequence[LayoutBox], rules: Sequence[Box], areas: Sequence[Box]
    ) -> None:
        self._grids_seen = grids
        self._labels = labels
        self._rules = rules
        self._areas = areas
        self._marks = Marks(rules, areas)
        self._known: Known = {}  # of the lines that are asked about now
        self._seen: dict[frozenset[int], list[TableCandidate]] = {}  # by networks, of the same lines
        self._white: dict[tuple[int, ...], list[TableCandidate]] = {}  # by the white between these
        self.beaten: list[ChosenTable] = []  # where lines that were asked about last say more as text
        self._as_drawn: set[TableCandidate] = set()  # lattices that leave nothing to judge, whole
        self._sides: list[tuple[TableCandidate, ...]] = []  # two tables side by side, that are asked about now
        self._frames: list[frozenset[int]] = []  # the lines of each lattice, if these are asked about now
        self._drawn: list[Box] = []  # tables chosen where lattices are: no other goes round them

    def of_lattices(self, drawn: Sequence[TextTable], lines: Sequence[Line]) -> list[ChosenTable]:
        """The tables where lattices are drawn: as the rules have them, or as other readers have them."""
        self._known, self._seen, self._white, self._sides = {}, {}, {}, []
        chosen, found = [], []
        lattices = list(_lattices(drawn, lines))
        self._frames = list(map(attrgetter("lines"), lattices))
        for lattice in lattices:
            numbers = sorted(lattice.lines)
            if numbers and stands_as_drawn(lattice, self._marks, lines):
                self._as_drawn.add(lattice)
            quality = self._weighed([lattice], lines)[0].quality
            beyond = self._seen_beyond(lattice, lines)
            if (quality >= ENOUGH and not beyond) or self._grids_seen is None or not numbers:
                chosen.append(ChosenTable(lattice, quality))
            else:
                places = [numbers, beyond] if beyond else [numbers]
                found += [lattice, *(each for place in places for each in self._grids(place, lines))]
        sure = frozenset[int]().union(*(each.candidate.lines for each in chosen))
        apart = [each for each in self._parted(found, lines) if not each.lines & sure]  # no words twice
        among = self._chosen(apart, lines)
        taken = sure.union(*(each.candidate.lines for each in among))
        left = (each for each in found if each.reader == "lattice" and not each.lines & taken)
        tables = [*chosen, *among, *(ChosenTable(each, 0.0) for each in left)]
        self._drawn = [each.candidate.box for each in tables]
        return tables

    def of_lines(
        self, lines: Sequence[Line], contents: Sequence[TableCandidate] = (), panels: Sequence[Box] = ()
    ) -> list[ChosenTable]:
        """The tables among lines: at the places that the layout model names, and where lines stand level.

        `contents` are lists with leaders: nothing is to judge. No table goes over the edge of one of the `panels`.
        """
        self._known, self._seen, self._white, self._frames = {}, {}, {}, []
        taken = frozenset[int]().union(*(each.lines for each in contents))
        level = _level_places(lines, panels)
        found = self._parted(self._proposed(level, lines), lines)
        others = [each for each in _on_one_side(found, panels, lines) if not each.lines & taken]
        others = [each for each in others if not any(_goes_round(each.box, box) for box in self._drawn)]
        chosen = self._chosen(others, lines)
        return [*(ChosenTable(each, 1.0) for each in contents), *chosen]

    def _proposed(self, level: Sequence[Sequence[PlaceRow]], lines: Sequence[Line]) -> Iterable[TableCandidate]:
        """What readers make of places: of those labelled, of those where lines stand level, and between rules."""
        for place in self._places(lines):
            for part in between_names(rows_of(lines, place), lines):
                yield from self._grids(list(chain.from_iterable(part)), lines)
        for rows in level:
            yield from self._on_level(rows, lines)
        for ruled in sorted(ruled_places(self._rules, lines), key=len, reverse=True)[:MOST_RULED]:
            side_by_side = sum(is_apart(row, lines) for row in rows_of(lines, ruled)) >= SEVERAL
            yield from self._grids(ruled, lines) if side_by_side else self._by_white(ruled, lines)

    def _chosen(self, proposed: Sequence[TableCandidate], lines: Sequence[Line]) -> list[ChosenTable]:
        texts = paragraphs_among(lines)
        whole = (part for each in self._at_heads(proposed, lines) for part in without_text(each, texts, lines))
        found = [each for each in dict.fromkeys(whole) if not is_no_table(each, lines)]
        wholes = best_of_places(self._weighed(found, lines), MOST_WHOLES)
        parts = _parts(wholes, lines)
        again = list(self._read_again([*found, *parts], frozenset(each.lines for each in proposed), lines))
        again += _parts(best_of_places(self._weighed(again, lines), 1), lines)
        sure = [*found, *parts, *again]
        apart = self._at_heads(self._halved(sure, lines), lines)
        apart = [each for each in apart if each in sure or not is_no_table(each, lines)]
        worth = self._beside_stacks(apart, lines)
        chosen = chosen_tables(worth)
        self.beaten = beaten(worth, chosen)
        named = ((each, without_name(each.candidate, lines)) for each in chosen)
        free = frozenset(range(len(lines))).difference(*(each.candidate.lines for each in chosen))
        kept = ((each, without_foot(table, lines)) for each, table in named if table is not None)
        longer = ((each, with_rows_beyond(table, lines, free)) for each, table in kept)
        return [replace(each, candidate=with_rest(table, lines, free)) for each, table in longer]

    def _beside_stacks(self, candidates: Sequence[TableCandidate], lines: Sequence[Line]) -> list[Weighed]:
        """What they are worth; none cuts stacks that stand side by side, and what is just these is a likely table."""
        stacked = level_stacks(lines, [], self._rules, _bands(self._areas, lines))
        whole = [each for each in candidates if not self._is_cut(each, stacked, lines)]
        stacks = {frozenset(chain(*row)) for row in stacked if len(row) == SEVERAL}  # three may be columns by chance
        return [each for each in self._weighed(whole, lines) if each.candidate.lines not in stacks or is_likely(each)]

    def _is_cut(
        self, candidate: TableCandidate, stacked: Sequence[Sequence[Sequence[int]]], lines: Sequence[Line]
    ) -> bool:
        """Whether it goes over a frame's edge, through stacks or, in a file, over the edges of rows' grounds."""
        if any(_goes_over(candidate.lines, frame) for frame in self._frames):
            return True
        cut = over_bands(candidate, lines, self._areas) or any(_cuts(candidate, row) for row in stacked)
        return cut and candidate not in self._as_drawn

    def _at_heads(self, candidates: Iterable[TableCandidate], lines: Sequence[Line]) -> list[TableCandidate]:
        parts = (part for each in candidates for part in (at_heads(each, lines) or [each]))
        return list(dict.fromkeys(without_address(with_columns_right(each), lines) for each in parts))

    def _parted(self, proposed: Iterable[TableCandidate], lines: Sequence[Line]) -> list[TableCandidate]:
        """Also readings of each side alone, where two tables stand side by side, from one heading to the next."""
        found = list(proposed)
        self._sides = sides = self._halves(found, lines)
        if sides:
            self._labels, self._known = [part for label in self._labels for part in _on_each_side(label, sides)], {}
        halves = dict.fromkeys(half.lines for two in sides for half in two)
        parts = (rows for half in halves for rows in between_names(rows_of(lines, sorted(half)), lines))
        return [*found, *(each for rows in parts for each in self._grids(list(chain.from_iterable(rows)), lines))]

    def _halves(self, candidates: Sequence[TableCandidate], lines: Sequence[Line]) -> list[tuple[TableCandidate, ...]]:
        found = [two for each in dict.fromkeys(candidates) if (two := halves_of(each, lines, self._marks))]
        return [*found, *self._halves(list(chain.from_iterable(found)), lines)] if found else []

    def _halved(self, candidates: Sequence[TableCandidate], lines: Sequence[Line]) -> list[TableCandidate]:
        """Two tables for each that is two side by side; none but a drawn one goes across the white between such two."""
        halves = self._halves(candidates, lines)
        found = dict.fromkeys([*candidates, *chain.from_iterable(halves)])
        apart = [*halves, *self._sides]
        across = (any(each.lines & a.lines and each.lines & b.lines for a, b in apart) for each in found)
        return [each for each, crosses in zip(found, across, strict=True) if each in self._as_drawn or not crosses]

    def _read_again(
        self, parts: Sequence[TableCandidate], known: frozenset[frozenset[int]], lines: Sequence[Line]
    ) -> Iterable[TableCandidate]:
        """The best parts, and those that explain the most, by their own white: what stands around may run across it."""
        apart = [part for part in parts if part.lines not in known and len(part.lines) <= MOST_LINES_AGAIN]
        found = self._weighed(apart, lines)
        ranked = [sorted(found, key=rank, reverse=True) for rank in (attrgetter("quality"), _explained)]
        first = (list(dict.fromkeys(each.candidate.lines for each in best))[:MOST_WHOLES] for best in ranked)
        for held in dict.fromkeys(chain.from_iterable(first)):
            yield from self._by_white(sorted(held), lines)

    def _weighed(self, candidates: Sequence[TableCandidate], lines: Sequence[Line]) -> list[Weighed]:
        found = weighed(candidates, lines, Marks(self._rules, self._areas, self._labels), self._known)
        least = (ENOUGH if each.candidate in self._as_drawn else 0.0 for each in found)
        return [replace(each, quality=max(each.quality, low)) for each, low in zip(found, least, strict=True)]

    def _places(self, lines: Sequence[Line]) -> Iterable[list[int]]:
        for label in self._labels:
            if label.category is Category.TABLE:
                yield [n for n, line in enumerate(lines) if label.box.holds(line.box)]

    def _seen_beyond(self, lattice: TableCandidate, lines: Sequence[Line]) -> list[int]:
        """The lines of a lattice and of the much larger table that the layout model sees there, if it goes on so."""
        drawn = letters_of(lines[n] for n in lattice.lines)
        for place in self._places(lines):
            whole = _part_with(lattice, lattice.lines.union(place), lines)
            shared = len(lattice.lines.intersection(place))
            goes_on = lattice not in self._as_drawn or _goes_on(lattice, sorted(whole), lines)
            if 2 * shared > len(lattice.lines) and letters_of(lines[n] for n in whole) > LARGER * drawn and goes_on:
                return sorted(whole)
        return []

    def _grids(self, numbers: Sequence[int], lines: Sequence[Line]) -> list[TableCandidate]:
        """By white and by what is drawn; by networks, once, where none of these readings stands well."""
        found = list(self._by_white(numbers, lines))
        if self._grids_seen is None or any(each.quality >= ENOUGH for each in self._weighed(found, lines)):
            return found
        if (held := frozenset(numbers)) not in self._seen:
            self._seen[held] = list(self._grids_seen([lines[n] for n in numbers], numbers, self._rules))
        return [*found, *self._seen[held]]

    def _by_white(self, numbers: Sequence[int], lines: Sequence[Line]) -> Iterable[TableCandidate]:
        if (held := tuple(numbers)) not in self._white:
            self._white[held] = list(white_grids([lines[n] for n in numbers], numbers, self._rules, self._areas))
        return self._white[held]

    def _on_level(self, rows: Sequence[Sequence[int]], lines: Sequence[Line]) -> Iterable[TableCandidate]:
        yield from fields(rows, lines)
        yield from self._by_white(list(chain.from_iterable(rows)), lines)


def _explained(each: Weighed) -> float:
    return each.quality * each.letters


def _goes_over(held: frozenset[int], frame: frozenset[int]) -> bool:
    """Whether it goes over a frame's edge, and leaves lines out that are inside."""
    return bool(held & frame and held - frame and frame - held)


def _cuts(candidate: TableCandidate, stacks: Sequence[Sequence[int]]) -> bool:
    """Whether it has lines of several stacks side by side, and not all of them; its columns' heads may be stacks."""
    held = [stack for stack in stacks if not candidate.lines.isdisjoint(stack)]
    whole, lines = candidate.lines.issuperset(chain(*held)), sum(map(len, held))
    are_heads = whole and len(held) == candidate.width and 2 * lines < len(candidate.lines)
    return len(held) >= SEVERAL and not are_heads and not (whole and len(held) == len(stacks))


def _bands(areas: Sequence[Box], lines: Sequence[Line]) -> list[Box]:
    """The grounds of single rows: below them no column of what stands above goes on."""
    if len(areas) > MOST_DRAWN:
        return []
    held = ((area, [line.box for line in lines if area.holds(line.box)]) for area in areas)
    return [area for area, boxes in held if boxes and all(in_one_row(boxes[0], box) for box in boxes)]


def _goes_round(table: Box, drawn: Box) -> bool:
    return table.overlap_x(drawn) > 0 and table.y0 < drawn.center[1] < table.y1


def _goes_on(drawn: TableCandidate, whole: Sequence[int], lines: Sequence[Line]) -> bool:
    """Whether lines go on beside it, or rows above and below have no more than one in each of its columns.

    Below a drawn head most rows may begin before it, with their labels.
    """
    others = [n for n in whole if n not in drawn.lines]
    edges = [*sorted({box_of(cell).x0 for cell in drawn.filled}), drawn.box.x1]
    rows = [[bisect(edges, lines[n].box.center[0]) for n in row] for row in rows_of(lines, others)]
    first = int(sum(len(row) > 1 for row in rows) <= drawn.height)  # 0 is what begins before it
    columns = set(range(first, len(edges)))
    within = all(len(columns.intersection(row)) == len(row) for row in rows)
    return within or any(drawn.box.overlap_y(lines[n].box) > 0 for n in others)


def _part_with(lattice: TableCandidate, place: frozenset[int], lines: Sequence[Line]) -> frozenset[int]:
    """What stands in a place with a lattice, from one heading or line of prose to the next."""
    parts = (chain.from_iterable(part) for part in between_names(rows_of(lines, sorted(place)), lines))
    return next((held for held in map(frozenset, parts) if held >= lattice.lines), place)


def _lattices(drawn: Sequence[TextTable], lines: Sequence[Line]) -> Iterable[TableCandidate]:
    for table in drawn:
        held = frozenset(n for n, line in enumerate(lines) if table.box.holds(line.box))
        lattice = TableCandidate("lattice", table.box, table.cells, held)
        free = frozenset(range(len(lines))) - held
        yield in_its_sheet(with_rows_beyond(lattice, lines, free), lines)


def _level_places(lines: Sequence[Line], panels: Sequence[Box]) -> list[list[PlaceRow]]:
    """Those of the page; beside them, those of each column, of what stands on each panel, and of what on none."""
    everything, boxes = set(range(len(lines))), [line.box for line in lines]
    held = standing_on(panels, boxes)
    apart = columns(boxes, median(box.height for box in boxes)) if boxes else []
    parts = [everything, *held, *([everything.difference(*held)] if held else [])]
    places = [place for part in map(sorted, parts) for place in _places_among(part, lines)]
    for column in apart if len(apart) > 1 else ():
        others = sorted(everything.difference(column))
        within = _places_among(sorted(column), lines)
        places += [place for place in within if place not in places and not goes_on_beside(place, others, lines)]
    return places


def _places_among(numbers: Sequence[int], lines: Sequence[Line]) -> Iterable[list[PlaceRow]]:
    """Also the sides of those where lines stand beside each other by chance; each from one heading to the next."""
    some = [lines[n] for n in numbers]
    headed = list(_from_names_and_heads(level_places(some), some))
    sides = chain.from_iterable(sides_off_level(part, some) for part in headed)
    for part in chain(headed, _from_names_and_heads(sides, some)):
        yield [[numbers[n] for n in row] for row in part]


def _from_names_and_heads(places: Iterable[list[PlaceRow]], lines: Sequence[Line]) -> Iterator[list[PlaceRow]]:
    for part in (part for place in places for part in between_names(place, lines)):
        yield from (part, *from_heads(part, lines))


def _on_one_side(
    candidates: Iterable[TableCandidate], panels: Sequence[Box], lines: Sequence[Line]
) -> Iterable[TableCandidate]:
    """Those that go across no panel's edge, and of the others the rows above and below what is on the panel."""
    held = list(zip(panels, standing_on(panels, [line.box for line in lines]), strict=True))
    for each in candidates:
        crossed = [panel for panel, on_it in held if _goes_across(each, panel, on_it, lines)]
        yield from _beyond(crossed, each, lines) if crossed else [each]


def _goes_across(each: TableCandidate, panel: Box, on_it: set[int], lines: Sequence[Line]) -> bool:
    """A table may go on below the ground of its head."""
    beyond = each.lines - on_it
    below = on_it <= each.lines and all(panel.x0 <= lines[n].box.x0 and lines[n].box.x1 <= panel.x1 for n in beyond)
    return bool(each.lines & on_it and beyond) and not below


def _beyond(panels: Sequence[Box], whole: TableCandidate, lines: Sequence[Line]) -> Iterable[TableCandidate]:
    on = {cell.row for panel in panels for cell in whole.filled if panel.holds(box_of(cell))}
    for rows in (range(min(on, default=0)), range(max(on, default=whole.height) + 1, whole.height)):
        yield from part_of(whole, [cell for cell in whole.filled if cell.row in rows], lines)


def _on_each_side(label: LayoutBox, sides: Sequence[Sequence[TableCandidate]]) -> list[LayoutBox]:
    """The label, in as many as it holds tables side by side."""
    for left, right in sides:
        if label.category is Category.TABLE and label.box.holds(left.box) and label.box.holds(right.box):
            gutter = (left.box.x1 + right.box.x0) / 2
            boxes = replace(label.box, x1=gutter), replace(label.box, x0=gutter)
            return [part for box in boxes for part in _on_each_side(replace(label, box=box), sides)]
    return [label]


def _parts(wholes: Iterable[TableCandidate], lines: Sequence[Line]) -> list[TableCandidate]:
    return [part for whole in wholes for part in parts_of(whole, lines) if not is_no_table(part, lines)]
