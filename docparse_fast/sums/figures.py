"""Reads printed figures in the formats of many countries. Knows one column at a time; knows no sums.

`1.234` is a thousand in Berlin and one and a bit in London: a column says which, by its other figures, and where it
doesn't the whole table does.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

MOST_DIGITS = 15  # more are a number of an account
LONGEST_UNIT = 8  # letters after a figure: `12 pcs`, `4.4 mmol/l`
LONGEST_SIGN = 4  # letters before it: `CHF`, `Rs.`, `US$`
POINTS = (".", ",")
ARABIC_POINT = "٫"
CURRENCIES = "$€£¥₹₽₩₺₴₦₫₪฿₱¢"
MINUS = "-−–—"
EMPTY = frozenset({"", *MINUS, ".", "..", "...", "*"})

_CORE = re.compile(r"\d+(?:[ .,'’٬٫]\d+)*")
_NOTE = re.compile(r"(?<=[\d%]) ?(?:\([^()]{1,2}\)|\[[^\[\]]{1,2}\]|[a-z]\))$")  # of a foot: `36,000 (2)`
_GROUPING = str.maketrans({"’": "'", "٬": ","})
_UNSEEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2066-\u2069\u061c]")
_LETTERS = re.compile(r"[^\W\d_]+")
_CODE = re.compile(r"[A-Z]{3}|[^\W\d_]{1,3}\.")  # what may stand before a digit without a blank: `EUR5`, `Rs.5`


@dataclass(frozen=True)
class Numeral:
    """`units` of its last place: 1,234.56 are 123456 units and 2 places."""

    units: int
    places: int
    percent: bool = False

    @property
    def is_long(self) -> bool:
        """Whether it has two digits or more: fewer prove next to nothing."""
        return abs(self.units) > 9

    @cached_property
    def value(self) -> float:
        return self.units / 10.0**self.places

    @cached_property
    def step(self) -> float:
        """What its last digit counts."""
        return 1 / 10.0**self.places


@dataclass(frozen=True, slots=True)
class _Printed:
    """A figure whose signs are not yet understood."""

    groups: tuple[str, ...]
    signs: tuple[str, ...]  # between the groups
    negative: bool
    bracketed: bool
    percent: bool


def is_empty(text: str) -> bool:
    return text.strip() in EMPTY


def figures_of(rows: Sequence[Sequence[str]]) -> list[list[Numeral | None]]:
    """A figure for each cell that is nothing but one; each column in its own format.

    >>> rows = [["1.234", "1.234"], ["5,50", "2.5"], ["x", "(3)"]]
    >>> [[each and each.value for each in row] for row in figures_of(rows)]
    [[1234.0, 1.234], [5.5, 2.5], [None, -3.0]]
    """
    width = max(map(len, rows), default=0)
    printed = [[_printed(row[n]) if n < len(row) else None for n in range(width)] for row in rows]
    columns = [[row[n] for row in printed] for n in range(width)]
    usual = _point([each for column in columns for each in column if each])
    read = [_column(column, usual) for column in columns]
    return [[column[n] for column in read] for n in range(len(rows))]


def _column(column: Sequence[_Printed | None], usual: str | None) -> list[Numeral | None]:
    held = [each for each in column if each is not None]
    point = _point(held) or usual or _likely_point(held)
    bracketed = all(each.bracketed for each in held)  # a share beside a count, not a loss
    return [
        _figure(each, point, negative=each.negative or (each.bracketed and not bracketed)) if each else None
        for each in column
    ]


@lru_cache(maxsize=4096)
def _printed(text: str) -> _Printed | None:
    text = _plain(text)
    text = _NOTE.sub("", text)
    places = [n for n, sign in enumerate(text) if sign.isdigit()]
    if not places:
        return None
    before, core, after = text[: places[0]], text[places[0] : places[-1] + 1], text[places[-1] + 1 :]
    if before[-1:] in POINTS and before[-1:] and not before[-2:-1].isalpha() and core.isdigit():
        before, core = before[:-1], f"0{before[-1]}{core}"
    if not _CORE.fullmatch(core) or not _is_sign(before) or not _is_unit(after):
        return None
    groups = tuple(re.split(r"\D", core))
    if sum(map(len, groups)) > MOST_DIGITS:
        return None
    around = before + after
    return _Printed(
        groups,
        tuple(re.findall(r"\D", core.translate(_GROUPING))),
        negative=any(sign in MINUS for sign in around),
        bracketed="(" in before and ")" in after,
        percent="%" in around,
    )


def _plain(text: str) -> str:
    """In ASCII's digits and blanks, without raised signs."""
    text = _UNSEEN.sub("", text).strip()
    if text.isascii():
        return text
    text = "".join(sign for sign in text if not unicodedata.decomposition(sign).startswith("<super>"))
    text = unicodedata.normalize("NFKC", text).replace("٪", "%")
    return "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in text).strip()


def _is_sign(before: str) -> bool:
    """Whether what stands before the digits leaves them a figure: a currency, a minus, a bracket."""
    if not before:
        return True
    if any(sign in "<>~≤≥#/:@" for sign in before):
        return False
    letters = "".join(_LETTERS.findall(before))
    if len(letters) > LONGEST_SIGN:
        return False
    glued = before[-1]
    if glued.isalpha() or glued == "." or (glued in MINUS and before[-2:-1].isalpha()):
        return _CODE.fullmatch(before.lstrip("(+*" + MINUS).rstrip(MINUS)) is not None
    return all(sign.isalpha() or sign in f" .(+*%±{MINUS}{CURRENCIES}" for sign in before)


def _is_unit(after: str) -> bool:
    if any(sign in "<>~:@#" for sign in after):
        return False
    return len(after.strip()) <= LONGEST_UNIT and after.count("(") <= after.count(")")


def _point(printed: Sequence[_Printed]) -> str | None:
    """The sign before the decimals that most of them need; None where nothing tells."""
    fits = [[_figure(each, point) is not None for point in POINTS] for each in printed]
    only = [sum(fit[n] and not fit[1 - n] for fit in fits) for n in range(2)]
    return None if only[0] == only[1] else POINTS[only[1] > only[0]]


def _likely_point(printed: Sequence[_Printed]) -> str:
    """Where nothing tells, three digits after a sign are a group of thousands."""
    signs = "".join(sign for each in printed for sign in each.signs)
    return "," if signs.count(".") > signs.count(",") else "."


def _figure(printed: _Printed, point: str, *, negative: bool = False) -> Numeral | None:
    groups, signs = printed.groups, printed.signs
    decimals = ""
    if signs and signs[-1] in (point, ARABIC_POINT):
        *groups_before, decimals = groups
        groups, signs = tuple(groups_before), signs[:-1]
    if not _is_grouped(groups, signs, point) or (len(groups[0]) > 1 and groups[0].startswith("0")):
        return None
    units = int("".join(groups) + decimals)
    return Numeral(-units if negative else units, len(decimals), printed.percent)


def _is_grouped(groups: Sequence[str], signs: Sequence[str], point: str) -> bool:
    """Whether whole digits stand in threes, or as in India: 1,23,45,678."""
    if not signs:
        return True
    if len(set(signs)) > 1 or signs[0] == point or groups[0] == "0" or len(groups[-1]) != 3:
        return False
    inner = {len(group) for group in groups[1:-1]}
    return len(groups[0]) <= 3 and (inner <= {3} or (inner == {2} and len(groups[0]) <= 2))
