"""Writes what stands on a synthetic page: sentences, headings, list items, table cells. Knows words, not where they go.

The point is variety. A reader that learns phrases by heart, or that finds its place on the page by the words around it,
must fail here; so words are chained, drawn evenly, spelt at random, mixed with numbers, and now and then repeated.
"""

from __future__ import annotations

import random
import string
from dataclasses import dataclass, field
from itertools import accumulate

from lexicon import Lexicon

# ruff: noqa: SIM905 - words in a row read better than a column of quotes
MONTHS = "January February March April May June July August September October November December".split()
UNITS = "mm cm m km g kg t s min h Hz kHz GB MB W kW V A % C ml l".split()
SYLLABLES = "ka lo mi ren tu sha ver do el an is bor ta nu quin zed fi gor hal jup wex ost ry cam pel".split()
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Taste:
    """What a piece of text is made of: shares of words that are drawn evenly, and that are no words at all."""

    even: float
    figures: float
    names: float
    invented: float


PROSE = Taste(even=0.08, figures=0.03, names=0.03, invented=0.005)
RARE = Taste(even=0.75, figures=0.04, names=0.08, invented=0.05)
FIGURES = Taste(even=0.2, figures=0.4, names=0.08, invented=0.05)
TASTES = (PROSE, PROSE, RARE, RARE, FIGURES)


@dataclass
class Writer:
    """Draws text of one lexicon from one seed. `fresh_page` forgets what could be repeated."""

    random: random.Random
    lexicon: Lexicon
    rare: float = 0.0  # extra share of evenly drawn words in prose: how evaluation gets its unseen words
    written: list[str] = field(default_factory=list)
    _last: int = 0

    def __post_init__(self) -> None:
        chain = self.lexicon.chain
        self._total = list(accumulate(chain.counts))
        self._following = [
            ([word for word, _ in pairs], list(accumulate(count for _, count in pairs))) for pairs in chain.followers
        ]

    def fresh_page(self) -> None:
        self.written.clear()

    def taste(self) -> Taste:
        return self.random.choice(TASTES)

    # -------------------------------------------------------------------------------------------- words

    def word(self, taste: Taste) -> str:
        draw = self.random.random()
        for share, make in (
            (taste.figures, self.figure),
            (taste.names, self.name),
            (taste.invented, self.invented),
            (taste.even + self.rare * (1 - taste.even), self.even),
        ):
            if draw < share:
                return make()
            draw -= share
        return self.chained()

    def chained(self) -> str:
        words, totals = self._following[self._last]
        if words and self.random.random() < 0.92:
            self._last = self.random.choices(words, cum_weights=totals)[0]
        else:
            self._last = self.random.choices(range(len(self._total)), cum_weights=self._total)[0]
        return self.lexicon.chain.words[self._last]

    def even(self) -> str:
        return self.random.choice(self.lexicon.words)

    def invented(self) -> str:
        if self.random.random() < 0.5:
            return "".join(self.random.choices(SYLLABLES, k=self.random.randint(2, 4)))
        return "".join(self.random.choices(string.ascii_lowercase, k=self.random.randint(2, 8)))

    def name(self) -> str:
        r = self.random
        name = r.choice(self.lexicon.names)
        if r.random() < 0.25:
            return f"{r.choice(CODE_LETTERS)}. {name}"
        return name

    def figure(self) -> str:
        """A number, date, amount, code, or the like."""
        r = self.random
        digits = r.randint
        kind = r.randrange(16)
        if kind <= 2:
            return str(digits(0, 99))
        if kind == 3:
            return str(digits(1800, 2040))
        if kind <= 5:
            return f"{r.random() * 10 ** digits(0, 3):.{digits(1, 3)}f}"
        if kind == 6:
            return f"{digits(1, 100)}%"
        if kind == 7:
            return f"{r.choice('$$-+')}{digits(1, 999)},{digits(0, 999):03d}"
        if kind == 8:
            return f"{digits(1, 12)}/{digits(1, 28)}/{digits(1990, 2030)}"
        if kind == 9:
            return f"{digits(1990, 2030)}-{digits(1, 12):02d}-{digits(1, 28):02d}"
        if kind == 10:
            return f"{digits(1, 28)} {r.choice(MONTHS)} {digits(1900, 2030)}"
        if kind == 11:
            return f"{digits(0, 23):02d}:{digits(0, 59):02d}"
        if kind == 12:
            return f"{digits(1, 999)} {r.choice(UNITS)}"
        if kind == 13:
            return "".join(r.choices(CODE_LETTERS + string.digits, k=digits(3, 7)))
        if kind == 14:
            return f"{''.join(r.choices(CODE_LETTERS, k=digits(1, 3)))}-{digits(1, 9999)}"
        return str(digits(1000, 9_999_999))

    # ------------------------------------------------------------------------------------------ phrases

    def sentences(self, count: int, taste: Taste | None = None) -> list[str]:
        """About `count` words with capitals and punctuation, the last one ending a sentence."""
        taste = taste or self.taste()
        words: list[str] = []
        begins = True
        while len(words) < count:
            for raw in self._echo() or [self.word(taste)]:
                words += self._punctuated(raw, begins).split(" ")
                begins = words[-1][-1] in ".?!"
        words[-1] = words[-1].rstrip(",;:.?!") + self.random.choice("......?!")
        words[0] = words[0].rstrip(".")  # "7." at the head of a paragraph would be a list item
        self.written += words
        return words

    def _echo(self) -> list[str]:
        """Rarely, a few words that stand on this page already: then the words alone don't tell the place."""
        if len(self.written) < 12 or self.random.random() > 0.012:
            return []
        start = self.random.randrange(len(self.written) - 4)
        return [w.strip('.,;:?!()"[]') or "it" for w in self.written[start : start + self.random.randint(2, 5)]]

    def _punctuated(self, word: str, begins: bool) -> str:
        r = self.random
        if word[0].islower() and (begins or r.random() < 0.04):
            word = word[0].upper() + word[1:]
        draw = r.random()
        if draw < 0.02:
            word = f"({word})"
        elif draw < 0.03:
            word = f'"{word}"'
        elif draw < 0.04:
            word = f"{word}-{self.even()}"
        elif draw < 0.045:
            word = f"{word}/{self.even()}"
        elif draw < 0.05:
            word = f"{word}'s"
        elif draw < 0.055:
            word = f"{word} [{r.randint(1, 99)}]"
        elif draw < 0.06:
            word = word.upper()
        draw = r.random()
        if draw < 0.06:
            return word + ","
        if draw < 0.13:
            return word + r.choice("......?!")
        if draw < 0.15:
            return word + r.choice(";:")
        return word

    def title(self, count: int) -> list[str]:
        r = self.random
        taste = r.choice((PROSE, RARE))
        words = " ".join(self.word(taste) for _ in range(count)).split(" ")
        if r.random() < 0.6:
            words = [w[0].upper() + w[1:] for w in words]
        elif r.random() < 0.15:
            words = [w.upper() for w in words]
        else:
            words[0] = words[0][0].upper() + words[0][1:]
        if r.random() < 0.2:
            words.insert(
                0, r.choice((f"{r.randint(1, 9)}.", f"{r.randint(1, 9)}.{r.randint(1, 9)}", r.choice("ABCDE")))
            )
        return words

    def item(self, count: int) -> list[str]:
        words = self.sentences(count)
        if self.random.random() < 0.6:
            words[-1] = words[-1].rstrip(".?!")
        return words

    def cell(self, figures: float) -> list[str]:
        r = self.random
        if r.random() < figures:
            return self.figure().split(" ")
        words = self.word(RARE if r.random() < 0.7 else PROSE).split(" ")
        if r.random() < 0.2:
            words += self.word(PROSE).split(" ")
        if r.random() < 0.5:
            words[0] = words[0][0].upper() + words[0][1:]
        return words
