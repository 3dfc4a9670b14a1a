"""Writes how words are set as Markdown's marks: bold, italic, code, crossed out. Knows these marks; knows no geometry.

Marks stand around whole words, because some readers show a mark between letters as asterisks; where words stand against
each other, as in Chinese, around any letters. The style of most of a page gets no marks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from docparse_fast.document import TextSpan
from docparse_fast.drafting.measures import MOST, TYPED
from docparse_fast.drafting.words import MARKER
from docparse_fast.geometry import runs
from docparse_fast.text.characters import CJK, UNSPACED

MATHS = re.compile(
    r"^(?:\w+\+)?(?:cm(?:mi|sy|ex|bsy|mib)|msam|msbm|eu[fsrex]m|rsfs|stmary|wasy|esint)\d|math|symbol", re.I
)
BRACKETS = {"(": ")", "[": "]", "{": "}"}
SILENT = re.compile(r"[\s\"]*+|[\s.…·_]{4,}+")  # blanks, quotation marks, and leaders
LONE_STAR = re.compile(r"\\.|\*")


class Style(NamedTuple):
    bold: bool = False
    italic: bool = False
    code: bool = False
    struck: bool = False


class StyledPiece(NamedTuple):
    text: str  # Markdown
    raw: str  # what stands on the page
    style: Style


PLAIN = Style()


def usual_style(spans: Iterable[TextSpan]) -> Style:
    """The style of more than half of the letters; nearly all of them, to be code."""
    counts, total = [0, 0, 0], 0
    for span in spans:
        letters = sum(map(str.isalnum, span.text))
        total += letters
        counts = [n + letters * on for n, on in zip(counts, (span.bold, span.italic, span.mono), strict=True)]
    return Style(*(n > most * total for n, most in zip(counts, (MOST, MOST, TYPED), strict=True)))


def style_of(span: TextSpan, usual: Style) -> Style:
    """A formula's letters are slanted by their nature."""
    if _is_of_maths(span.font):
        return Style(struck=span.struck)
    own = Style(span.bold, span.italic, span.mono, span.struck)
    return Style(*(mine and not page for mine, page in zip(own, usual, strict=True)))


@lru_cache(maxsize=1024)
def _is_of_maths(font: str) -> bool:
    return MATHS.search(font) is not None


def marked(pieces: Sequence[StyledPiece]) -> str:
    """
    >>> bold = Style(bold=True)
    >>> piece = StyledPiece
    >>> marked([piece("Note", "Note", bold), piece(": a", ": a", PLAIN), piece(" b ", " b ", Style(code=True))])
    '**Note**: a `b` '
    """
    settled = _settled(pieces)
    if all(piece.style == PLAIN for piece in settled):
        return "".join(piece.text for piece in settled)
    text = ""
    groups = [(style, list(group)) for style, group in groupby(settled, key=lambda piece: piece.style)]
    for n, (style, group) in enumerate(groups):
        following = groups[n + 1][1][0].raw[:1] if n + 1 < len(groups) else ""
        text += _with_marks(group, style, text, following)
    return text


def without_marker(pieces: Sequence[StyledPiece]) -> list[StyledPiece]:
    """The text without a list item's number or bullet."""
    found = MARKER.match("".join(piece.raw for piece in pieces).lstrip())
    left = len(found[0]) if found else 0
    kept = []
    for piece in pieces:
        kept.append(piece._replace(style=PLAIN) if left > 0 else piece)
        left -= len(piece.raw)
    return kept


# ------------------------------------------------------------------------------------------------- words


def _settled(pieces: Sequence[StyledPiece]) -> list[StyledPiece]:
    """One style for letters that touch, signs that join none to themselves, blanks as what is around them."""
    found = list(pieces)
    if all(piece.style == PLAIN for piece in found):
        return found
    for first, end in _touching(found):
        style = _main_style(found[first:end])
        found[first:end] = [piece._replace(style=style) for piece in found[first:end]]
    styles = [piece.style if _tells(piece) else None for piece in found]
    for n, piece in enumerate(found):
        if styles[n] is None:
            before = next(filter(None, reversed(styles[:n])), PLAIN)
            after = next(filter(None, styles[n + 1 :]), PLAIN)
            joins = before == after and not (piece.raw.strip() and before.code)
            found[n] = piece._replace(style=before if joins else PLAIN)
    return [piece for _, group in groupby(found, key=lambda piece: piece.style) for piece in _in_pairs(list(group))]


def _tells(piece: StyledPiece) -> bool:
    """Whether it has a style of its own, which signs have in code alone."""
    return any(map(str.isalnum, piece.raw)) or (piece.style.code and not SILENT.fullmatch(piece.raw))


def _in_pairs(pieces: Sequence[StyledPiece]) -> Sequence[StyledPiece]:
    """Brackets among words of one style join these only if each of them does: no mark ends between two of a pair."""
    text = "".join(piece.raw for piece in pieces)
    if pieces[0].style.code or all(text.count(left) == text.count(right) for left, right in BRACKETS.items()):
        return pieces
    return [piece._replace(style=PLAIN) if _is_brackets(piece.raw) else piece for piece in pieces]


def _is_brackets(raw: str) -> bool:
    return not set("()[]{}").isdisjoint(raw) and not any(map(str.isalnum, raw))


def _main_style(pieces: Sequence[StyledPiece]) -> Style:
    """That of most letters; of two with as many, none."""
    weights = Counter[Style]()
    for piece in pieces:
        weights[piece.style] += sum(map(str.isalnum, piece.raw))
    return max(weights, key=lambda style: (weights[style], style == PLAIN))


def _touching(pieces: Sequence[StyledPiece]) -> list[tuple[int, int]]:
    """Stretches of pieces between which no blank and no sign stands, or no blank where all are code."""
    found = runs(range(len(pieces)), lambda run, n: _touch(pieces[n - 1], pieces[n]))
    return [(run[0], run[-1] + 1) for run in found if len(run) > 1]


def _touch(before: StyledPiece, piece: StyledPiece) -> bool:
    ends, starts = before.raw[-1:], piece.raw[:1]
    both_code = before.style.code and piece.style.code
    one_word = ends.isalnum() and starts.isalnum() and not UNSPACED.search(ends + starts)
    return one_word or (both_code and bool(ends.strip() and starts.strip()))


# ------------------------------------------------------------------------------------------------- marks


def _with_marks(group: Sequence[StyledPiece], style: Style, before: str, following: str) -> str:
    """The words between marks; characters that can't stand inside a mark's edge go outside."""
    text = "".join(piece.raw if style.code else piece.text for piece in group)
    plain = "".join(piece.text for piece in group)
    if style == PLAIN:
        return _stars_escaped(plain)
    inner = text.strip()
    lead, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    if not inner:
        return text
    opening, closing = _marks(style)
    if style.code:
        marked = f"{opening}{_code(inner)}{closing}"
        return lead + (marked if _may_stand(before + lead, tail or following) else _code(inner)) + tail
    inner, trimmed_lead, trimmed_tail = _trimmed(inner, before + lead, tail or following)
    if not any(map(str.isalnum, inner)) or (before + lead + trimmed_lead).endswith(("*", "~", "\\")):
        return _stars_escaped(text)
    return f"{lead}{trimmed_lead}{opening}{_stars_escaped(inner)}{closing}{trimmed_tail}{tail}"


def _marks(style: Style) -> tuple[str, str]:
    """What stands before and behind the words.

    >>> _marks(Style(bold=True, struck=True))
    ('~~**', '**~~')
    """
    stars, tildes = "*" * (2 * style.bold + style.italic), "~~" * style.struck
    return tildes + stars, stars + tildes


def _may_stand(before: str, following: str) -> bool:
    """Whether a mark next to a sign on its inside is still read as a mark."""
    return not (before[-1:].isalnum() or before.endswith(("*", "~", "`", "\\")) or following[:1].isalnum())


def _trimmed(inner: str, before: str, following: str) -> tuple[str, str, str]:
    """Signs between a mark and a letter outside it go outside: `(a)b` is `(**a**)b`."""
    lead = tail = ""
    if before[-1:].isalnum():
        lead = inner[: len(inner) - len(inner.lstrip(_signs(inner)))]
    if following[:1].isalnum() or CJK.match(inner[-1:]):
        tail = inner[len(inner.rstrip(_signs(inner))) :]
    if tail and BRACKETS.get(inner[len(lead) :][:1]) == tail[:1] and tail[:1] not in inner[: len(inner) - len(tail)]:
        lead += inner[len(lead)]
    return inner[len(lead) : len(inner) - len(tail)], lead, tail


def _signs(text: str) -> str:
    return "".join({char for char in text if not char.isalnum()})


def _code(text: str) -> str:
    """
    >>> _code("ls -l"), _code("a`b")
    ('`ls -l`', '`` a`b ``')
    """
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    blank = " " if len(fence) > 1 else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def _stars_escaped(markdown: str) -> str:
    """A star that opens nothing could close a mark of ours."""
    return LONE_STAR.sub(lambda found: found[0] if len(found[0]) > 1 else r"\*", markdown)
