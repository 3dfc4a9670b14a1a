"""A text layer's words into lines: which stand on one line, which are raised or lowered, which are links.

Lines of prose that a wide blank parts are made whole: those of the paragraph they stand in run on through it. Knows
type: baselines, sizes, gaps. Does not know regions or formulas.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby, pairwise
from operator import attrgetter

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.blocks.code_rows import main_type
from docparse_fast.drafting.blocks.fragments import begins_of_prose, many_begin, together
from docparse_fast.drafting.born_digital.emphasis import (
    PLAIN,
    Style,
    StyledPiece,
    marked,
    style_of,
    usual_style,
    without_marker,
)
from docparse_fast.drafting.formulas.inline import with_formulas
from docparse_fast.drafting.lines import Line, letters_in, printed, text_in, words_of
from docparse_fast.drafting.measures import (
    EDGE,
    LOWERED,
    MOST,
    MOSTLY,
    MUCH,
    NARROW_PROSE,
    ON_BASELINE,
    RAISED,
    SCRIPT,
    SEVERAL,
    WIDE,
    WORD_GAP,
    of_one_type,
)
from docparse_fast.drafting.words import PLAIN_BULLETS
from docparse_fast.geometry import around, runs
from docparse_fast.text.characters import CJK, has_right_to_left
from docparse_fast.text.mail import is_mail
from docparse_fast.text.markup import as_read, as_texts, is_address, linked
from docparse_fast.text.placed_words import PlacedWord

Formulas = Callable[[Sequence[TextSpan], float], list[TextSpan]]  # finds them in a line, by its type's size
MadeLines = dict[tuple[tuple[TextSpan, ...], Style, bool], Line]  # of words, the page's usual style, its variables

SOURCE = "text-layer"
ABOVE, BELOW = 0.8, 0.2  # of the type's size: how far a line of it reaches from its baseline
WIDE_IN_CHINESE = 1.6  # of the type's size, as which each character is wide: white between two
MARK_REACH = 0.35  # of the line's type: how far from its word a mark may stand

SUPERSCRIPTS = str.maketrans("0123456789+-−=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾")
SUBSCRIPTS = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
HAS_FORM = re.compile(r"[0-9+\-−=(),.;–\s]+")
# In a line that is typed from end to end: without such a sign somebody filled it in
SIGNS_OF_CODE = re.compile(r"[_/\\=<>{}()$#|&~`]|--|^\s*[a-z][a-z0-9.+-]*\s*$")
SUM_IN_BRACKETS = re.compile(r"\(\d[\d.,'’ ]*+\)")
PLAIN_MARK = re.compile(r"(?:st|nd|rd|th|er|ème|o|a|[*†‡§¶#®™©°ºª\\'’′″,.;\s–-])+", re.IGNORECASE)


def text_lines(
    lines: Sequence[TextLine], bars: Sequence[Box] = (), made: MadeLines | None = None, *, variables: bool = False
) -> list[Line]:
    """The lines as assembly wants them, cut at wide gaps. A slanted letter alone is one of the page's `variables`.

    `made` are those of the same page that were asked for before; new ones join them.
    """
    usual = usual_style(span for line in lines for span in line.spans)
    formulas = partial(with_formulas, bars=bars, variables=variables)
    made = {} if made is None else made
    whole = _with_marks([line.spans for line in lines])
    keys = [(tuple(part), usual, variables) for part in _parts(whole, begins_of_prose(lines))]
    made.update((key, _line(key[0], usual, formulas)) for key in keys if key not in made)
    return [made[key] for key in keys]


def line_box(spans: Sequence[TextSpan]) -> Box:
    """As high as the type, whatever letters stand in it."""
    size, baseline = main_type(spans)
    left, right = _extent(spans)
    return Box(left, baseline - ABOVE * size, right, baseline + BELOW * size)


# ---------------------------------------------------------------------------------------- words to lines


_Pairs = Sequence[tuple[float, float]]  # of each line: type and baseline; or left and right


def _with_marks(lines: Sequence[tuple[TextSpan, ...]]) -> list[list[TextSpan]]:
    """Small raised or lowered pieces that a file keeps apart, put back into the lines they belong to."""
    types, extents, whole = list(map(main_type, lines)), list(map(_extent, lines)), list(map(list, lines))
    order = sorted(range(len(lines)), key=lambda i: types[i][1])
    least = min((size for size, _ in types), default=0.0)
    larger = [i for i in order if SCRIPT * types[i][0] > least]
    for index in order:
        host = _host(index, larger, types, extents)
        if host is not None:
            whole[host] = _with_mark(whole[host], whole[index])
            whole[index] = []
    return [_from_the_left(spans) for spans in whole if spans]


def _with_mark(host: Sequence[TextSpan], mark: Sequence[TextSpan]) -> list[TextSpan]:
    """Behind the word that it stands nearest to."""
    nearest = min(range(len(host)), key=lambda n: host[n].box.gap_x(mark[0].box))
    return [*host[: nearest + 1], *mark, *host[nearest + 1 :]]


def _from_the_left(spans: Sequence[TextSpan]) -> list[TextSpan]:
    """By place; words in a line from right to left come in the order in which they are read."""
    if has_right_to_left(text_in(spans)):
        return list(spans)
    return sorted(spans, key=lambda span: span.box.x0)


def _extent(spans: Iterable[TextSpan]) -> tuple[float, float]:
    box = around(printed(spans))
    return box.x0, box.x1


def _width(index: int, types: _Pairs, extents: _Pairs) -> float:
    """Of a piece with those that go on from it: a justified line's words stand far apart."""
    size, baseline = types[index]
    level = (n for n, (s, y) in enumerate(types) if abs(y - baseline) < ON_BASELINE * size and of_one_type(s, size))
    row = runs(sorted(extents[n] for n in level), lambda p, each: each[0] - p[-1][1] < WIDEST_JUSTIFIED * size)
    own = next(run for run in row if extents[index] in run)
    return own[-1][1] - own[0][0]


def _host(index: int, larger: Sequence[int], types: _Pairs, extents: _Pairs) -> int | None:
    """The line of larger type that piece `index` is a mark of, looking up and down from it."""
    size, baseline = types[index]
    left, right = extents[index]
    best: tuple[float, int] | None = None
    position = bisect_left(larger, baseline, key=lambda i: types[i][1])
    for way in (range(position - 1, -1, -1), range(position, len(larger))):
        for other in (larger[n] for n in way):
            host_size, host_baseline = types[other]
            off = host_baseline - baseline
            if abs(off) > 4 * size:
                break
            reach = MARK_REACH * host_size
            beside = left < extents[other][1] + reach and right > extents[other][0] - reach
            if size < SCRIPT * host_size and -0.35 * host_size < off < 0.6 * host_size and beside:
                gap = max(0.0, left - extents[other][1], extents[other][0] - right)
                most = 4 * min(host_size, SEVERAL * size)
                if (best is None or gap + abs(off) < best[0]) and _width(index, types, extents) < most:
                    best = gap + abs(off), other
    return best[1] if best else None


def _parts(lines: Sequence[Sequence[TextSpan]], begins: Sequence[float]) -> list[list[TextSpan]]:
    def goes_on(part: Sequence[TextSpan], span: TextSpan) -> bool:
        gap = span.box.x0 - max(each.box.x1 for each in part[-3:])
        prose = gap > MOST * span.size and span.box.x0 - part[0].box.x0 > NARROW_PROSE * span.size
        return gap <= _widest_gap(part[-1], span) and not (prose and many_begin(begins, span.box.x0, span.size))

    parts = []
    for spans in lines:  # those from the right come in reading order, which no gap tells; they are parted already
        parts += [list(spans)] if has_right_to_left(text_in(spans)) else runs(spans, goes_on)
    return [part for part in parts if any(span.text.strip() for span in part)]


def _widest_gap(before: TextSpan, span: TextSpan) -> float:
    """Within a line; a blank among Chinese characters is as wide as they are, and they fill only a part of theirs."""
    wide = before.text.endswith(" ") and CJK.match(before.text) and CJK.match(span.text)
    return (WIDE_IN_CHINESE if wide else WIDE) * max(before.size, span.size)


def _line(spans: Sequence[TextSpan], usual: Style, formulas: Formulas) -> Line:
    inked = printed(spans)
    plain = [span for span in inked if not span.mono]  # code among words may be set smaller
    size, baseline = main_type(plain if letters_in(plain) > MUCH * letters_in(inked) else spans)
    spans = formulas(_spaced(spans), size)
    words = text_in(inked)
    if is_mail(words) or (all(span.mono for span in inked) and is_filled_in(words)):
        usual = usual._replace(code=True)
    return Line(
        box=line_box(spans),
        text=" ".join(_markdown(spans, size, baseline, usual).split()),
        plain=" ".join(text_in(spans).split()),
        size=size,
        source=SOURCE,
        bold=_are_mostly(inked, attrgetter("bold")),
        italic=_are_mostly(inked, attrgetter("italic")),
        mono=all(span.mono for span in inked),
        words=_placed_words(inked, size, baseline),
        baseline=baseline,
    )


def is_filled_in(words: str) -> bool:
    """Whether words that are typed from end to end are no code."""
    return not SIGNS_OF_CODE.search(words) or SUM_IN_BRACKETS.fullmatch(words.strip()) is not None


def _are_mostly(spans: Sequence[TextSpan], so: Callable[[TextSpan], bool]) -> bool:
    return letters_in(filter(so, spans)) > MOSTLY * letters_in(spans)


def _placed_words(inked: Sequence[TextSpan], size: float, baseline: float) -> tuple[PlacedWord, ...]:
    """Where each word stands: a file may set every letter of one in a font of its own. Its raised figures are so."""

    def text_of(span: TextSpan) -> str:
        raised = _rise(span, size, baseline)
        return _marked(span.text, raised) if raised and HAS_FORM.fullmatch(span.text) else span.text

    def goes_on(word: Sequence[TextSpan], span: TextSpan) -> bool:
        blank = word[-1].text[-1:].isspace() or span.text[:1].isspace()
        return not blank and word[-1].box.gap_x(span.box) <= WORD_GAP * span.size

    words = runs(inked, goes_on)
    return tuple((around(word), "".join(map(text_of, word)).strip()) for word in words)


def _spaced(spans: Sequence[TextSpan]) -> list[TextSpan]:
    """With a blank wherever words stand apart, whether the file says so or not."""
    if has_right_to_left(text_in(spans)):
        return list(spans)
    spaced = list(spans[:1])
    for span in spans[1:]:
        before = spaced[-1]
        spaced_out = CJK.match(before.text[-1:]) and CJK.match(span.text)  # such characters stand apart unasked
        apart = span.box.x0 - before.box.x1 > (WIDE if spaced_out else WORD_GAP) * before.size
        if apart and not before.text.endswith(" ") and not span.text.startswith(" ") and before.text.strip():
            spaced[-1] = replace(before, text=before.text + " ")
        spaced.append(span)
    return spaced


# ------------------------------------------------------------------------------------------------ markup


def _markdown(spans: Sequence[TextSpan], size: float, baseline: float, usual: Style) -> str:
    pieces: list[StyledPiece] = []
    links: list[str | None] = []
    as_printed, texts = [span.text for span in spans], _texts(spans)
    rises = [_rise(span, size, baseline) for span in spans]
    keys = [(_link_of(span), rise, style_of(span, usual)) for span, rise in zip(spans, rises, strict=True)]
    for ((link, rise, style), _), run in groupby(range(len(spans)), key=lambda n: (keys[n], rises[n] or n)):
        members = list(run)
        raw, text = ("".join(words[n] for n in members) for words in (as_printed, texts))
        style = PLAIN if rise else style._replace(code=style.code and not link)  # a link's label holds no code
        pieces.append(StyledPiece(_marked(text, rise), raw, style))
        links.append(link)
    pieces = without_marker(pieces)
    text = ""
    for link, places in groupby(range(len(pieces)), key=lambda n: links[n]):
        words = marked([pieces[n] for n in places])
        text += _link(words, link) if link else words
    return text


def _link_of(span: TextSpan) -> str | None:
    """None for an item's bullet: a link that lies over it is meant for something else."""
    return None if span.text.strip() in PLAIN_BULLETS else span.link


def _texts(spans: Sequence[TextSpan]) -> list[str]:
    """The words as Markdown; formulas as LaTeX between dollar signs."""
    texts = as_texts(["x" if span.latex else span.text for span in spans])
    return [_formula(span) if span.latex else text for span, text in zip(spans, texts, strict=True)]


def _formula(span: TextSpan) -> str:
    blank = span.text[len(span.text.rstrip()) :]
    return f"${span.latex}${blank}"


def _rise(span: TextSpan, size: float, baseline: float) -> int:
    """1 for a raised mark, -1 for a lowered one, 0 for a word on the line."""
    if span.latex or span.size >= SCRIPT * size:
        return 0
    off = (baseline - span.baseline) / size
    return 1 if off > RAISED else -1 if off < -LOWERED else 0


def _marked(text: str, rise: int) -> str:
    """A mark in characters that are raised or lowered themselves where there are such, else between tags.

    >>> _marked("2", 1), _marked("10", -1), _marked("max", -1), _marked("th", 1)
    ('²', '₁₀', '<sub>max</sub>', 'th')
    """
    if rise == 0 or not text.strip() or PLAIN_MARK.fullmatch(text):
        return text
    if HAS_FORM.fullmatch(text):
        return text.translate(SUPERSCRIPTS if rise > 0 else SUBSCRIPTS)
    tag = "sup" if rise > 0 else "sub"
    inner = text.strip()
    return text.replace(inner, f"<{tag}>{inner}</{tag}>")


def _link(words: str, target: str) -> str:
    """A Markdown link, or the words alone where the address can't stand in one or is what the words say.

    >>> _link("the paper ", "https://a.org/b"), _link("https://a.org/b", "https://a.org/b")
    ('[the paper](https://a.org/b) ', 'https://a.org/b')
    """
    inner = words.strip()
    if not inner or not is_address(target) or as_read(inner).rstrip("/") in (target, target.rstrip("/")):
        return words
    return words.replace(inner, linked(inner, target))


INDENT = 4.0  # of the type's size, by which a paragraph's first line, or all but that, stand farther in
COLUMN = 14.0  # of the type's size, up and down, in which lines show how wide the column is
WIDEST_IN_COLUMN = 2.0  # of the type's size: a blank within a line that fills its column
WIDEST_JUSTIFIED = 4.0  # the same, where all its blanks are alike
NEAR = 1.6  # of the type's size, from one baseline of a paragraph to the next


def flowing_lines(lines: Sequence[Line]) -> list[Line]:
    """The lines in the order given, each made whole in the place of its first piece."""
    whole = dict(enumerate(lines))
    order = sorted(whole, key=lambda n: lines[n].box.y1)
    feet = [lines[n].box.y1 for n in order]

    def near(line: Line, far: float) -> dict[int, Line]:
        there = order[bisect_left(feet, line.box.y1 - far) : bisect_right(feet, line.box.y1 + far)]
        return {m: whole[m] for m in there if whole.get(m, line) is not line}

    for n in sorted(whole, key=lambda n: lines[n].box.x0):
        while n in whole:
            line = whole[n]
            if not any(_follows(line, other) for other in near(line, ON_BASELINE * line.size).values()):
                break  # as most do
            beside = near(line, COLUMN * line.size)
            alike = {m: each for m, each in beside.items() if each.mono == line.mono}
            piece = _next_piece(line, {m: each for m, each in alike.items() if of_one_type(line.size, each.size)})
            if piece is None:
                break
            whole[n] = together(line, whole.pop(piece))
    return [whole[n] for n in sorted(whole)]


def _next_piece(line: Line, around: dict[int, Line]) -> int | None:
    """The line behind `line`, if their row runs on to the end of its column through the white between them."""
    row = [line, *_behind(line, around.values())]
    if len(row) == 1 or row[-1].box.x1 - line.box.x0 <= NARROW_PROSE * line.size or not _fills_column(row, around):
        return None
    return next(m for m, other in around.items() if other is row[1])


def _behind(line: Line, others: Collection[Line]) -> list[Line]:
    """The pieces that follow it in its row, one after the other."""
    after = (other for other in others if other.box.x1 > line.box.x1 and _follows(line, other))
    nearest = min(after, key=lambda other: other.box.x0, default=None)
    return [nearest, *_behind(nearest, others)] if nearest is not None else []


def _follows(line: Line, other: Line) -> bool:
    gap = other.box.x0 - line.box.x1
    beside = _is_level(line, other) and -line.size / 2 < gap < WIDEST_JUSTIFIED * line.size
    return beside and all(
        any(map(str.isalpha, each.plain)) and not has_right_to_left(each.plain) for each in (line, other)
    )


def _fills_column(row: Sequence[Line], around: dict[int, Line]) -> bool:
    """Whether it ends where whole lines do, and no neighbour shows a gutter at the white between the first two."""
    line, size = row[0], row[0].size
    others = [other for other in around.values() if abs(other.box.y1 - line.box.y1) > size / 2]
    ends = [other.box.x1 for other in others if abs(other.box.x0 - line.box.x0) < INDENT * size]
    whole = any(_stand_near(row[: n + 1]) for n in range(1, len(row)) if _is_one_of(row[n].box.x1, ends, EDGE * size))
    near = [other for other in others if abs(other.box.y1 - line.box.y1) <= NEAR * size]
    return whole and not any(map(partial(_shows_gutter, row=row, near=near), near))


def _is_one_of(place: float, places: Sequence[float], off: float) -> bool:
    return any(abs(place - other) < off for other in places)


def _shows_gutter(other: Line, row: Sequence[Line], near: Sequence[Line]) -> bool:
    """Whether it begins where the second piece does, or ends where the first does, with something behind it."""
    ends = abs(other.box.x1 - row[0].box.x1) < EDGE * row[0].size
    begins = abs(other.box.x0 - row[1].box.x0) < WIDEST_IN_COLUMN * row[0].size
    behind = (each for each in near if each.box.x0 > other.box.x1)
    return begins or (ends and any(_is_level(other, each) for each in behind))


def _stand_near(row: Sequence[Line]) -> bool:
    """Whether the first white in it is narrow, or all of it between its words alike, as in justified lines."""
    gaps, size = [b.x0 - a.x1 for (a, _), (b, _) in pairwise(words_of(row))], row[0].size
    alike = len(gaps) > 1 and max(gaps) - min(gaps) < EDGE * size
    return alike or row[1].box.x0 - row[0].box.x1 < WIDEST_IN_COLUMN * size


def _is_level(line: Line, other: Line) -> bool:
    return abs(other.box.y1 - line.box.y1) < ON_BASELINE * line.size
