"""A page's drafts as letters: without case, accents, blanks, punctuation and markup. Knows no token.

Letters find a place again after a word that was written differently, in the middle of a word, and across formulas and
tags.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from docparse_fast.targets.dialects import latex
from docparse_fast.text.characters import CJK

END = "\0"  # the end of a draft, among letters

# Tags of HTML and of tables: in a page of XML other tags are text.
_NAMES = (
    "table|thead|tbody|tfoot|tr|td|th|caption|colgroup|col|b|i|u|s|em|strong|sup|sub|br|hr|p|div|span|h[1-6]|ul|ol|li"
)
_TAG = rf"</?(?:{_NAMES}|img|figure|center|a|code|pre|del|[fenlux]?cel|nl)(?:[ /][^<>\n]{{0,120}})?(?:>|$)|<$|</$"
_BBOX = r"\"bbox(?:$|\"(?:$|:(?:$| (?:$|\[[\d, ]*(?:\]|$)))))"
_CATEGORY = r"\"category(?:$|\"(?:$|:(?:$| (?:$|\"[\w-]*(?:\"|$)))))"
_KEYS = rf"{_BBOX}|{_CATEGORY}|\"text(?:$|\"(?:: ?\"?)?)"
_HEAD = r"<\|(?:$|/?[a-z]*(?:$|\|(?:$|>)))|(?<=<\|ref\|>)[\w ]+|(?<=<\|det\|>)(?:[\w ]*\[[\[\]\d, ]*|[\w ]+)"
_DOCTAG = r"</?(?:[a-z][a-z_]*(?:\d{1,3})?|_[^<>\s]{1,24}_)?(?:>|$)"
SYMBOLS = {sign: command for sign, command in latex.SYMBOLS.items() if sign not in "·…"}  # these mark text, too
_MARKUP = rf"{_TAG}|```\w*|\\[A-Za-z]+|[\W_]"
_IN_JSON = rf"{_KEYS}|{_TAG}|\\\\[A-Za-z]+|\\(?:u[0-9a-f]{{4}}|.|$)|[\W_]"
_NAMED = {command: character for character, command in SYMBOLS.items() if command[1:].isalpha()}
_LATEX = rf"(?:{'|'.join(command[1:] for command in _NAMED)})(?![A-Za-z])"
_SIGNS = "".join(SYMBOLS)


def _pattern(markup: str, slash: str) -> re.Pattern[str]:
    """Matches gaps, and words: runs of letters and digits, or a mathematical sign, written directly or as a command."""
    word = rf"[^\W_]+|[{_SIGNS}]|{slash}{_LATEX}"
    return re.compile(rf"((?:(?!{slash}{_LATEX}|[{_SIGNS}])(?:{markup}))+)|({word})")


PLAIN_TEXT = _pattern(_MARKUP, r"\\")
JSON_TEXT = _pattern(_IN_JSON, r"\\\\")
BOXED_TEXT = _pattern(rf"{_HEAD}|{_MARKUP}", r"\\")
DOCTAGS_TEXT = _pattern(rf"{_DOCTAG}|{_MARKUP}", r"\\")


def pattern_of(drafts: Sequence[str]) -> re.Pattern[str]:
    """By what all boxes of a dialect begin with."""
    if any('"bbox": [' in draft for draft in drafts):
        return JSON_TEXT
    if any("<loc_" in draft for draft in drafts):
        return DOCTAGS_TEXT
    return BOXED_TEXT if any("<|det|>" in draft for draft in drafts) else PLAIN_TEXT


# Letters that are the same in two scripts' encodings, and the stroke that only stretches a line.
_ALIKE = {
    "ي": "ی",
    "ى": "ی",
    "ك": "ک",
    "ة": "ه",
    "ۀ": "ه",
    "أ": "ا",
    "إ": "ا",
    "ئ": "ی",
    "ـ": "",
    "ё": "е",
    "ø": "o",
    "ł": "l",
}


@lru_cache(maxsize=1 << 12)
def folded(character: str) -> str:
    """
    >>> "".join(map(folded, "Éﬁ１"))
    'efi1'
    """
    if character in SYMBOLS:  # an unequal sign is not an equals sign with a stroke
        return character.casefold()
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    alike = (_ALIKE.get(letter, letter) for letter in plain)
    return "".join(letter for letter in alike if letter.isalnum() or letter in SYMBOLS)


def fold(text: str) -> str:
    if text.startswith("\\"):
        return _NAMED["\\" + text.lstrip("\\")].casefold()
    if text.isascii():
        return text.lower()
    return "".join(map(folded, text))


LONGEST_SYMBOL = 3  # characters of a misread formula's words: "x2", "Pd"


@lru_cache(maxsize=1 << 12)
def sort_of(word: str) -> str:
    """The sort of a word, by which gaps beside it are alike: a number, a single letter, a name, a word.

    >>> [sort_of(word) for word in ("12", "x", "x2", "word", "σ")]
    ['0', 'x', 'x0', 'a', 'x']
    """
    if word.isdigit():
        return "0"
    if len(word) == 1 or word.startswith("\\"):
        return "x"
    if len(word) <= LONGEST_SYMBOL and (not word.isalpha() or word[1:] != word[1:].lower()):
        return "x0"
    return "a"


_DELIMITER = re.compile(r"\$\$?|\\[\[\]()]")


@lru_cache(maxsize=1 << 12)
def in_math(gap: str, before: bool) -> bool:
    """Whether a formula is open after the gap.

    >>> in_math(" $", False), in_math("} $ . ", True), in_math("$$\\n\\n$$", True)
    (True, False, True)
    """
    for found in _DELIMITER.finditer(gap):
        before = not before if found[0][0] == "$" else found[0][-1] in "[("
    return before


class Site(NamedTuple):
    """What is around a gap."""

    before: str  # the letter before it
    after: str
    sorts: tuple[str, str]  # of the words that these belong to
    math: bool = False  # whether a formula is open before the gap
    line: bool = False  # whether a printed line ends in it


def pieces(text: str, pattern: re.Pattern[str] = PLAIN_TEXT) -> Iterator[tuple[str, str]]:
    """Gaps and words in turn, as (gap, "") and ("", word).

    >>> list(pieces(r"$x_{1}$ <b>b"))
    [('$', ''), ('', 'x'), ('_{', ''), ('', '1'), ('}$ <b>', ''), ('', 'b')]
    """
    for found in pattern.finditer(text):
        yield found[1] or "", found[2] or ""


class Form(NamedTuple):
    """Another form of a draft: the same letters between other gaps."""

    gaps: Mapping[int, str]  # by the letter that follows, counted in the draft
    tail: str  # after the last letter


class _Text(NamedTuple):
    """A text as gaps and letters."""

    letters: str
    form: Form


def _taken_apart(found: Iterable[tuple[str, str]]) -> _Text:
    """
    >>> _taken_apart(pieces("**A** cat."))
    _Text(letters='acat', form=Form(gaps={0: '**', 1: '** '}, tail='.'))
    """
    parts: list[str] = []
    gaps: dict[int, str] = {}
    gap, at = "", 0
    for between, word in found:
        if not word:
            gap = between
            continue
        gaps[at] = gap
        parts.append(fold(word))
        at += len(parts[-1])
        gap = ""
    return _Text("".join(parts), Form(gaps, gap))


def _form(character: str) -> str:
    """Unicode's name for a variant of another character: `<super>`, `<wide>`; empty for all others."""
    said = unicodedata.decomposition(character).split()
    return said[0] if said and said[0].startswith("<") else ""


class Letters:
    """The words of all drafts end to end; a place is the number of a letter, counted through all drafts.

    A draft with the letters of an earlier one of its region is a form of that one, and has no place of its own.
    """

    def __init__(
        self,
        drafts: Sequence[str],
        pattern: re.Pattern[str],
        regions: Sequence[int] = (),
        line_ends: Sequence[Sequence[int]] = (),
    ) -> None:
        self.starts: list[int] = []  # of each draft
        self.words: list[str] = []  # as drafted
        self.sorts: list[str] = []  # ... and of which sort
        self.begins: list[int] = []  # each word's first letter
        self.gaps: list[str] = []  # before each word; a draft's beginning is in its first word's gap
        self.stops: list[int] = []  # ... and the character of its draft where the gap ends
        self.tails: list[str] = []  # the end of each draft after its last word
        self.firsts: list[int] = []  # each draft's first word
        self.ends: list[int] = []  # ... and the one after its last
        self.word_at: list[int] = []  # of each letter: its word
        self.within: list[int] = []  # ... and how many characters of that word come before it
        self.forms: list[list[Form]] = [[] for _ in drafts]  # other forms of each draft
        self.draft_of: list[int] = []  # each word's draft
        self.line_starts: set[int] = set()  # letters before which a printed line ended
        self.parted: dict[int, list[tuple[int, int]]] = {}  # words with a line's end inside: character and letter
        self._line_end = r"\n" if pattern is JSON_TEXT else "\n"
        parts: list[str] = []
        first: dict[tuple[int, str], int] = {}
        for number, draft in enumerate(drafts):
            found = list(pieces(draft, pattern))
            said = _taken_apart(found)
            same = first.setdefault((regions[number] if regions else number, said.letters), number)
            if same != number:
                self.forms[same].append(said.form)
            self.starts.append(len(self.word_at))
            self.firsts.append(len(self.words))
            gap, stop = "", 0
            for between, word in found if same == number else ():
                stop += len(between) + len(word)
                if not word:
                    gap = between
                    continue
                self._enter(word, gap, parts)
                self.stops.append(stop)
                gap = ""
            self.tails.append(gap)
            self.ends.append(len(self.words))
            if line_ends and line_ends[number]:
                self._end_lines(number, line_ends[number])
            parts.append(END)
            self.word_at.append(len(self.words))
            self.within.append(0)
        self.text = "".join(parts)

    def others(self, word: int) -> tuple[str, ...]:
        """What stands before the word in the other forms of its draft."""
        draft = self.draft_of[word]
        forms = self.forms[draft]
        if not forms:
            return ()
        at = self.begins[word] - self.starts[draft]
        gap = self.gaps[word]
        found = tuple(form.gaps.get(at, "") for form in forms)
        return () if all(other == gap for other in found) else found

    def gap_before(self, letter: int) -> tuple[str, ...]:
        """What stands before a letter, and that of the other forms of its draft; empty within a word."""
        word = self.word_at[letter]
        gap, others = ("", ()) if self.within[letter] else (self.gaps[word], self.others(word))
        if letter in self.line_starts:
            before, _, after = gap.rpartition(" ") if " " in gap else (gap, "", "")
            hyphen = "-" if self.within[letter] and not CJK.match(self.text[letter - 1]) else ""
            others = (*others, f"{before}{hyphen}{self._line_end}{after}")
        return gap, *others

    def site(self, letter: int, math: bool) -> Site:
        """What is around the gap before a drafted letter."""
        word = self.word_at[letter]
        before = word if self.within[letter] else word - 1
        sorts = self.sorts[before] if before >= 0 else "", self.sorts[word]
        return Site(self.text[letter - 1 : letter], self.text[letter], sorts, math, letter in self.line_starts)

    def _end_lines(self, draft: int, line_ends: Sequence[int]) -> None:
        """Finds the letters before which printed lines end, counting from the draft's end: it may begin with markup."""
        counts = [sum(map(str.isalnum, word)) for word in self.words[self.firsts[draft] :]]
        ahead = sum(counts) - line_ends[-1]
        ends = {end + ahead for end in line_ends[:-1]} if ahead >= 0 else set()
        at = 0
        for word, count in enumerate(counts, self.firsts[draft]):
            if at in ends and word > self.firsts[draft] and self._line_end not in self.gaps[word]:
                self.line_starts.add(self.begins[word])
            for end in range(at + 1, at + count):
                if end in ends:
                    letter = self.begins[word] + sum(len(folded(each)) for each in self.words[word][: end - at])
                    self.line_starts.add(letter)
                    self.parted.setdefault(word, []).append((end - at, letter))
            at += count

    def _enter(self, word: str, gap: str, parts: list[str]) -> None:
        number = len(self.words)
        self.draft_of.append(len(self.starts) - 1)
        self.begins.append(len(self.word_at))
        self.words.append(word)
        self.sorts.append(sort_of(word))
        self.gaps.append(gap)
        for at, character in enumerate(fold(word) if word.startswith("\\") else word):
            letters = folded(character)
            parts.append(letters)
            self.word_at += [number] * len(letters)
            self.within += [at] * len(letters)

    def respelt_alike(self, drafted: str, written: str) -> dict[int, str]:
        """Respells a character of the drafts as it was written, and all others of its form: raised, of full width."""
        found = {ord(drafted): written}
        form = _form(drafted)
        if form and unicodedata.normalize("NFKC", drafted) == written:
            others = {character for word in self.words if not word.isascii() for character in word}
            found |= {ord(each): unicodedata.normalize("NFKC", each) for each in others if _form(each) == form}
        return found

    def occurrences(self, letters: str, most: int) -> list[int]:
        """Places right after these letters, at most `most`."""
        found: list[int] = []
        at = self.text.find(letters)
        while at >= 0 and len(found) < most:
            found.append(at + len(letters))
            at = self.text.find(letters, at + 1)
        return found
