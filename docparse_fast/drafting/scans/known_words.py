"""Which letters a doubtful reading has: by the words that Tesseract's data knows.

A file of data holds the language's letters and, as a graph whose edges are letters, its words. Of running text in seven
languages 57 to 81 letters of 100 stand in such words, of two Korean photographs' lines 36 and 73; of what Tesseract
answers to these in the scripts of other languages 8 at most.

The recogniser sees an accent of two pixels and doubts it: of 48 Spanish and French letters that it read plain, each had
a chance of 0.003 or more of its accent, and a third of the letters that are plain have as much. Words tell these apart.
"""

from __future__ import annotations

import re
import struct
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docparse_fast.drafting.measures import MOST, PROVING_LETTERS
from docparse_fast.drafting.scans.read_figures import POSSIBLE, Digits, PointChances
from docparse_fast.system.language_data import BY_CODE, SUFFIX, data_folders
from docparse_fast.system.tessdata import WORDS, StandIns, parts_of, signs_in

HEAD = 10  # bytes before the graph's edges
LAST, BACKWARDS, ENDS = 1, 2, 4  # what an edge says of itself, above its letter
SAYS = 3  # bits for that
SHORTEST_PIECE = {"kor": 2}  # the same in a text whose blanks are missing or lost
FEWEST = 40  # signs in a reading that is judged
BLOCKS = (range(4), range(58, 80), range(85, 88))  # where Indic scripts, from Devanagari to Malayalam, have marks
INDIC = "".join(chr(block + n) for block in range(0x900, 0xD80, 128) for part in BLOCKS for n in part)
MARKS = f"\u0300-\u036f\u0591-\u05c7\u064b-\u0652{INDIC}\u0e31-\u0e4e\u200c"
WORD = re.compile(rf"[^\W\d_](?:[^\W\d_]|[{MARKS}])*")
UNSPACED = frozenset({"tha", "lao", "khm", "mya", "kor"})
LONGEST = 20  # letters of a word that is looked for in a text without blanks


class KnownWords:
    """The words of one language's data."""

    def __init__(self, file: Path) -> None:
        self.language = file.stem
        self._is_unspaced = file.stem in UNSPACED
        self._shortest_piece = SHORTEST_PIECE.get(file.stem, PROVING_LETTERS)
        self._letters, self._in_stand_ins = dict[str, int](), StandIns()
        self._edges: NDArray[np.uint64] = np.empty(0, np.uint64)
        self._bits = 0
        with suppress(struct.error, ValueError, KeyError):  # data of another kind, or damaged, knows no words
            parts = parts_of(file.read_bytes())
            letters, edges = struct.unpack_from("<ii", parts[WORDS], 2)
            self._in_stand_ins = StandIns(signs := signs_in(parts))
            numbers = {self._in_stand_ins(sign): number for number, sign in reversed(list(enumerate(signs)))}
            self._edges = np.frombuffer(parts[WORDS], "<u8", edges, HEAD)
            self._letters, self._bits = numbers, letters.bit_length()

    def share(self, texts: Sequence[str]) -> float | None:
        """The part of the letters that stand in known words; None where too little is there to tell."""
        texts = list(map(self._in_stand_ins, texts))
        signs = sum(not sign.isspace() and not (sign.isascii() and sign.isalpha()) for sign in "".join(texts))
        if signs < FEWEST or not len(self._edges):
            return None
        return sum(known for known, _ in map(self._counted, texts)) / signs

    def lead(self, text: str) -> int:
        """By how many letters known words lead over others."""
        known, letters = self._counted(self._in_stand_ins(text))
        return 2 * known - letters

    def _counted(self, text: str) -> tuple[int, int]:
        """Letters in known words, and all, but for words in Latin letters without an accent."""
        words = [word for word in WORD.findall(text) if not word.isascii()]
        return sum(map(self._in_pieces if self._is_unspaced else self._as_a_word, words)), sum(map(len, words))

    def knows(self, word: str) -> bool:
        return any(self._longest(each) == len(word) for each in dict.fromkeys((word, word.lower())))

    def _as_a_word(self, word: str) -> int:
        return len(word) if len(word) >= PROVING_LETTERS and self.knows(word) else 0

    def _in_pieces(self, text: str) -> int:
        at = known = 0
        while at < len(text):
            length = self._longest(text[at : at + LONGEST])
            known += length if length >= self._shortest_piece else 0
            at += max(1, length)
        return known

    def _longest(self, text: str) -> int:
        """How many letters the longest known word has with which a text begins."""
        node, longest = 0, 0
        for place, letter in enumerate(text, 1):
            edge = self._edge(node, self._letters.get(letter))
            if edge is None:
                break
            if edge >> self._bits & ENDS:
                longest = place
            node = edge >> (self._bits + SAYS)
            if not node:
                break
        return longest

    def _edge(self, node: int, letter: int | None) -> int | None:
        """Of a node's edges, which stand one after another, the one with this letter."""
        while letter is not None and node < len(self._edges):
            edge = int(self._edges[node])
            says = edge >> self._bits & (LAST | BACKWARDS)
            if edge & ((1 << self._bits) - 1) == letter and not says & BACKWARDS:
                return edge
            if says & LAST:
                return None
            node += 1
        return None


@lru_cache(maxsize=32)
def known_words(file: Path) -> KnownWords:
    return KnownWords(file)


RIVAL = 0.05  # of any other letter, in a photograph: of 140 words changed on two, 108 became right and 3 wrong
SURE = 0.8  # of all its letters: a photograph's word by which the language is told; no name, of which data knows few
LIKELY = 0.15  # the same, where both are words: data knows many that were written without their accents
MOST_LETTERS = 6  # of a word that are doubted, the likeliest
ASKED = 150  # words by which the page's language is told
A_WORD = re.compile(r"[^\W\d_]{4,}(?!\w|-\s*$)")  # none that goes on in the next line
CODES = (
    "en eng fr fra es spa de deu it ita pt por nl nld pl pol cs ces sk slk hu hun ro ron tr tur sv swe da dan no nor"
)
LATIN = dict(zip(CODES.split()[::2], CODES.split()[1::2], strict=True))
LAST_LATIN = "\u0250"
DOTTED, LINED = "äëïöüÄËÏÖÜ", "āēīōūĀĒĪŌŪ"
Others = Sequence[tuple[int, str, float]]  # places, letters that may stand there, and their chance beside what was read


@dataclass(frozen=True, slots=True)
class LineReading:
    text: str
    confidence: float
    marks: tuple[tuple[str, float], ...]  # characters, each with its centre as a part of the line's width
    sureness: tuple[float, ...] = ()  # of each character, as the recogniser gives it
    others: Others = ()  # letters that differ from these in an accent, and may stand there
    digits: Digits = field(default_factory=dict)  # that letters of a figure may be
    points: PointChances = field(default_factory=dict)
    rivals: Others = ()  # any letters that may stand there, in a doubtful line
    cell: str = ""  # what it may be in its column: a count, if all of its letters may be digits, or a unit

    def said(self, text: str) -> LineReading:
        """The same with other letters in the same places; more or fewer, at even steps."""
        if text == self.text:
            return self
        places, sureness = [place for _, place in self.marks], self.sureness
        if len(text) != len(places):
            places = np.linspace(places[0], places[-1], len(text)).tolist()
            sureness = (min(sureness),) * len(text)
        return replace(self, text=text, marks=tuple(zip(text, places, strict=True)), sureness=sureness)


class AccentedForms:
    """For each of a recogniser's letters those that differ from it in an accent alone."""

    def __init__(self, characters: Sequence[str]) -> None:
        self._characters = characters
        forms: dict[str, list[int]] = {}
        for n, letter in enumerate(characters):
            if letter.isalpha() and letter < LAST_LATIN:
                forms.setdefault(unicodedata.normalize("NFD", letter)[0], []).append(n)
        self._forms = np.zeros((len(characters), max(map(len, forms.values()), default=1)), np.intp)  # 0 is none
        for alike in forms.values():
            for n in alike:
                self._forms[n, : len(alike) - 1] = [other for other in alike if other != n]

    def beside(self, probabilities: NDArray[np.float32], best: NDArray[np.intp], kept: NDArray[np.intp]) -> Others:
        """The likeliest other form of each letter; its chance is a part of the letter's own."""
        alike = self._forms[best[kept]]  # (letters, forms)
        near = np.clip(kept[:, None, None] + np.arange(-1, 3)[None, :, None], 0, len(best) - 1)
        chances = (probabilities[near, alike[:, None, :]] * (alike > 0)[:, None, :]).max(axis=1)
        form = chances.argmax(axis=1)
        parts = chances[np.arange(len(kept)), form] / probabilities[kept, best[kept]]
        possible = np.flatnonzero(parts >= POSSIBLE).tolist()
        return [(n, self._characters[alike[n, form[n]]], float(min(1.0, parts[n]))) for n in possible]


def language_of(texts: Iterable[str], languages: Iterable[str] = ()) -> KnownWords | None:
    """The data that knows more of the longest words than any other, if it knows most of them."""
    found = {word for text in texts for word in A_WORD.findall(text)}
    longest = sorted(found, key=lambda word: (-len(word), word))[:ASKED]
    known = {file: sum(map(known_words(file).knows, longest)) for file in _data(languages)}
    best = max(known, key=lambda file: known[file], default=None)
    least = max([MOST * len(longest), *(count for file, count in known.items() if file != best)])
    return known_words(best) if best is not None and known[best] > least else None


def _data(languages: Iterable[str]) -> Iterator[Path]:
    """What is here of languages in Latin letters: of these languages, or of all that a page is likely to be in."""
    asked = [LATIN.get(name, "") for name in languages] or LATIN.values()
    folders = data_folders()
    for code in asked:
        files = (folder / (code + SUFFIX) for folder in folders)
        if code not in BY_CODE and (file := next((file for file in files if file.is_file()), None)):
            yield file


def in_known_words(text: str, others: Others, knows: Callable[[str], bool], least: float = POSSIBLE) -> str:
    """The text, with known words for what is none, where they were nearly seen; words may get accents."""
    for match in A_WORD.finditer(text) if others else ():
        (start, end), word, is_known = match.span(), match[0], knows(match[0])
        own = [(place - start, letter, chance) for place, letter, chance in others if start <= place < end]
        if own and not (is_known and (least > POSSIBLE or not word.isascii())):
            text = text[:start] + _best(word, own, knows, LIKELY if is_known else least) + text[end:]
    return text


def joined_dots(texts: Iterable[str]) -> dict[int, int]:
    """For letters with a line above those with two dots, if a page has more of these: blurred dots join."""
    counts = Counter("".join(texts))
    dotted, lined = (sum(counts[letter] for letter in letters) for letters in (DOTTED, LINED))
    return str.maketrans(LINED, DOTTED) if dotted > lined else {}


def sure_words(readings: Iterable[LineReading]) -> list[str]:
    found = ((match, each.sureness) for each in readings for match in A_WORD.finditer(each.text))
    return [match[0] for match, sureness in found if min(sureness[slice(*match.span())]) >= SURE]


def _best(word: str, others: Others, knows: Callable[[str], bool], least: float) -> str:
    """The likeliest known word with other letters, if it is at least so likely."""
    made = [(1.0, word)]
    for place, letter, chance in sorted(others, key=lambda other: -other[2])[:MOST_LETTERS]:
        likely = [
            (so_far * chance, one) for so_far, one in made if so_far * chance >= least and one[place] == word[place]
        ]
        made += [(chance, one[:place] + letter + one[place + 1 :]) for chance, one in likely]
    return max(((chance, other) for chance, other in made[1:] if knows(other)), default=(0.0, word))[1]
