"""Chooses among proposed tables: which stand, and what else they may be. Knows candidates and what they are worth.

Two that share a line can't both stand. What is chosen explains the most letters, each counted by how well its table is
likely to stand (1 is all as in the truth); where text is the better explanation, no table is chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations

from docparse_fast.drafting.lines import Line, letters_of
from docparse_fast.drafting.measures import MOST
from docparse_fast.drafting.tables.candidates import Marks, TableCandidate
from docparse_fast.drafting.tables.cell_evidence import crossed, kind
from docparse_fast.drafting.tables.evidence import HEARD, MEASURES, Known, measured_all
from docparse_fast.drafting.tables.spoilt import is_worse
from docparse_fast.geometry import merged
from docparse_fast.system.fitted import fitted_trees

AS_TABLE, AS_TEXT = "table_judge.json", "text_judge.json"
AS_TABLE_UNSEEN, AS_TEXT_UNSEEN = "unseen_table_judge.json", "unseen_text_judge.json"
SCRIPT = "fit_tables.py"


def as_table(measures: Sequence[float]) -> float:
    return fitted_trees(AS_TABLE if measures[HEARD] else AS_TABLE_UNSEEN, MEASURES, SCRIPT).quality(measures)


def as_text(measures: Sequence[float]) -> float:
    return fitted_trees(AS_TEXT if measures[HEARD] else AS_TEXT_UNSEEN, MEASURES, SCRIPT).quality(measures)


NEARLY = 0.1  # of quality: so near, the reading with the head stands
MOST_RIVALS = 3  # as drafts for a target: on 14 papers two left 553 passes, three 538, six 542
MOST_WEIGHED = 14  # candidates for one place, the best of them


@dataclass(frozen=True, slots=True)
class ChosenTable:
    candidate: TableCandidate
    quality: float  # how well it is likely to stand: 1 is as in the truth
    rivals: tuple[TableCandidate, ...] = ()  # what else its lines may be, best first


@dataclass(frozen=True, slots=True)
class Weighed:
    candidate: TableCandidate
    quality: float
    letters: int
    as_text: float  # the quality that its lines would have as text
    crossed: int = 0  # of its cells, by rules from side to side


def is_likely(one: Weighed) -> bool:
    """Whether it is rather a table than not: what may be stacks side by side needs that to be one."""
    return one.quality > max(MOST, one.as_text)


def weighed(
    candidates: Sequence[TableCandidate], lines: Sequence[Line], marks: Marks, known: Known | None = None
) -> list[Weighed]:
    """Each with what it is worth as a table and as text."""
    found = []
    for each, told in zip(candidates, measured_all(candidates, lines, marks, known), strict=True):
        held = [lines[n] for n in each.lines]
        found.append(Weighed(each, as_table(told), letters_of(held), as_text(told), crossed(each, held, marks.rules)))
    return found


def chosen_tables(found: Sequence[Weighed]) -> list[ChosenTable]:
    """The tables that stand together and explain the most."""
    chosen: list[ChosenTable] = []
    for place in _places(found):
        everything = sorted(place, key=_rank, reverse=True)
        ordered = _unspoilt(everything)
        together = _untorn(best_together(ordered), ordered)
        taken = frozenset[int]().union(*(each.candidate.lines for each in together))
        footed = (_with_its_sum(each, ordered, taken) for each in together)
        headed = (_with_its_head(each, ordered, taken) for each in footed)
        chosen += [ChosenTable(each.candidate, each.quality, _rivals(each, everything)) for each in headed]
    return chosen


def beaten(found: Sequence[Weighed], chosen: Sequence[ChosenTable]) -> list[ChosenTable]:
    """The best reading at each place where text is better, but less than three times, and what else it may be."""
    taken = frozenset[int]().union(*(each.candidate.lines for each in chosen))
    left = [one for one in found if one.quality > max(NEARLY, one.as_text / 3) and not one.candidate.lines & taken]
    ordered = (sorted(place, key=_rank, reverse=True) for place in _places(left))
    return [ChosenTable(best.candidate, best.quality, _rivals(best, rest)) for best, *rest in ordered]


def _unspoilt(found: Sequence[Weighed]) -> list[Weighed]:
    """Without readings that another shows to be worse; it stands as well as these, since they differ in that alone."""
    best, spoilt = [each.quality for each in found], set[int]()
    for (n, one), (m, other) in permutations(enumerate(found), 2):
        near, same = other.quality > one.quality - NEARLY, one.candidate.lines == other.candidate.lines
        if same and ((near and one.crossed > other.crossed) or is_worse(one.candidate, other.candidate, near)):
            spoilt.add(n)
            best[m] = max(best[m], one.quality)
    kept = (replace(each, quality=best[n]) for n, each in enumerate(found) if n not in spoilt)
    return sorted(kept, key=_rank, reverse=True)


def _untorn(together: Sequence[Weighed], found: Sequence[Weighed]) -> list[Weighed]:
    """With one table for two that are its halves, if it stands nearly as well: a torn row is lost."""
    for a, b in combinations(sorted(together, key=lambda each: each.candidate.box.y0), 2):
        if (whole := _whole_of(a, b, found)) is not None:
            apart = (each for each in together if not each.candidate.lines & whole.candidate.lines)
            return _untorn([whole, *apart], found)
    return list(together)


def _whole_of(upper: Weighed, lower: Weighed, found: Sequence[Weighed]) -> Weighed | None:
    lines, least = upper.candidate.lines | lower.candidate.lines, min(upper.quality, lower.quality) - NEARLY
    wholes = [each for each in found if each.candidate.lines >= lines and each.quality > least]
    halves = (each for each in wholes if _are_halves(upper.candidate, lower.candidate, each.candidate))
    return next(halves, None)


def _are_halves(a: TableCandidate, b: TableCandidate, whole: TableCandidate) -> bool:
    """Whether two have the halves of its rows; or its upper and its lower rows, without a head, a name between them."""
    if a.height == b.height == whole.height:
        return a.lines | b.lines == whole.lines
    lower = max(a, b, key=lambda each: each.box.y0)
    stacked = a.width == b.width == whole.width and whole.height - a.height - b.height in (0, 1)
    return stacked and not _is_headed(lower)


def _larger(chosen: Weighed, found: Sequence[Weighed], taken: frozenset[int], least: float) -> Iterator[Weighed]:
    """Readings that have its lines and others, which no table has, and that stand well enough."""
    lines = chosen.candidate.lines
    near = (each for each in found if lines < each.candidate.lines and each.quality > least)
    return (each for each in near if (each.candidate.lines - lines).isdisjoint(taken))


def _with_its_sum(chosen: Weighed, found: Sequence[Weighed], taken: frozenset[int]) -> Weighed:
    """The same with one row more at its end, a name and figures or as the last, if it stands half as well."""
    *_, last = rows = chosen.candidate.said
    larger = _larger(chosen, found, taken, chosen.quality / 2)
    longer = ((each, each.candidate.said[-1]) for each in larger if each.candidate.said[:-1] == rows)
    alike = (each for each, row in longer if _is_sum(row) or list(map(kind, row)) == list(map(kind, last)))
    return next(alike, chosen)


def _is_sum(row: Sequence[str]) -> bool:
    name, *figures = (kind(text) == "words" for text in row)
    return name and bool(figures) and not any(figures)


def _with_its_head(chosen: Weighed, found: Sequence[Weighed], taken: frozenset[int]) -> Weighed:
    """The same with its head above it: a lost head costs more than a line."""
    rows = _rows(chosen.candidate)
    for headed in _larger(chosen, found, taken, chosen.quality - NEARLY):
        each = headed.candidate
        above = _rows(each) - rows
        first = each.said[: len(above)]
        if rows < _rows(each) and above == set(first) and _is_head(first, chosen.candidate):
            is_all = _is_headed(each) or len(first[0]) == 1  # above a name stands another thing's row
            above_it = headed if is_all else _with_its_head(headed, found, taken)
            return above_it if _is_headed(above_it.candidate) else headed
    return chosen


def _is_head(rows: Sequence[tuple[str, ...]], table: TableCandidate) -> bool:
    """Whether rows may be a table's head: one row, or two, the lower of most columns or a name of the rows below.

    Above names of columns only what holds for some of them is one, too: figures and dates are not.
    """
    if len(rows) > 1:
        named = len(rows[1]) == 1 and len(rows[0]) > table.width / 2 and all(kind(text) == "words" for text in rows[0])
        return len(rows) == 2 and (named or len(rows[0]) <= len(rows[1]) > table.width / 2)
    return not (_is_headed(table) and any(kind(text) != "words" for text in rows[0]))


def _is_headed(table: TableCandidate) -> bool:
    """Whether most columns without words begin with one."""
    filled = [(cell.row == 0, cell.column, kind(cell.text) == "words") for cell in table.cells if cell.text]
    counted = Counter(filled)
    figures = {column for first, column, _ in filled if counted[False, column, False] > counted[False, column, True]}
    return 2 * sum(counted[True, column, True] for column in figures) > len(figures)


def _rank(each: Weighed) -> tuple[float, int]:
    """By quality; of two that are as good, the one with more cells has merged less."""
    return round(each.quality, 2), each.candidate.texts.total()


def best_of_places(found: Sequence[Weighed], most: int) -> list[TableCandidate]:
    """The best few for each place, each of another number of columns."""
    best = []
    for place in _places(found):
        of_width: dict[int, TableCandidate] = {}
        for each in sorted(place, key=lambda each: each.quality, reverse=True):
            of_width.setdefault(each.candidate.width, each.candidate)
        best += list(of_width.values())[:most]
    return best


def _places(found: Sequence[Weighed]) -> list[list[Weighed]]:
    """Candidates that share lines, directly or through others, together."""
    return merged(found, lambda place, each: any(each.candidate.lines & other.candidate.lines for other in place))


def best_together(ordered: Sequence[Weighed]) -> list[Weighed]:
    """Those without a line in common whose letters, each by how well its table stands, come to the most.

    `ordered` from the best down. Quality counts twice: a table that hardly stands explains little, whatever it holds.
    """
    return _best_of(_of_other_lines(ordered)[:MOST_WEIGHED])[1]


def _of_other_lines(ordered: Sequence[Weighed]) -> list[Weighed]:
    """The best one of those that have the same lines."""
    first: dict[frozenset[int], Weighed] = {}
    for each in ordered:
        first.setdefault(each.candidate.lines, each)
    return list(first.values())


def _best_of(found: Sequence[Weighed]) -> tuple[float, list[Weighed]]:
    """The best sum, and whose it is."""
    if not found:
        return 0.0, []
    first, rest = found[0], found[1:]
    without = _best_of(rest)
    worth = first.letters * first.quality * (first.quality - first.as_text)
    if worth <= 0:
        return without
    apart = [each for each in rest if not each.candidate.lines & first.candidate.lines]
    gained, beside = _best_of(apart)
    return (worth + gained, [first, *beside]) if worth + gained > without[0] else without


def _rivals(chosen: Weighed, found: Sequence[Weighed]) -> tuple[TableCandidate, ...]:
    """Other readings of its lines, half as likely at least; some rows of the chosen one are no other reading."""
    rows = _rows(chosen.candidate)
    known, rivals = [rows], []
    for each in found:
        near = 2 * each.quality > chosen.quality
        same = 2 * len(each.candidate.lines & chosen.candidate.lines) > len(chosen.candidate.lines)
        if near and same and not (rows_here := _rows(each.candidate)) <= rows and rows_here not in known:
            known.append(rows_here)
            rivals.append(each.candidate)
    return tuple(rivals[:MOST_RIVALS])


def _rows(candidate: TableCandidate) -> frozenset[tuple[str, ...]]:
    """What stands in each row, by column."""
    return frozenset(filter(None, candidate.said))
