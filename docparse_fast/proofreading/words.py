"""The words of a text, and what a target says of each. Knows text, tokens and judgements; no page and no model.

A word is what stands between blanks, without the marks around it; of Chinese and Japanese each character is a word.
Tags and marks of Markdown are no words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from docparse_fast.speculative.judging import TokenJudgement
from docparse_fast.verification.placing import character_ends

_ONE_BY_ONE = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_RUN = re.compile(rf"[{_ONE_BY_ONE}]|[^\s{_ONE_BY_ONE}]+")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_JSON_ESCAPE = re.compile(r"(?<!\\)\\[nt]")
_FORM = "#*_`~|- \n\t"
EVEN = 0.5  # with less, the target would write something else
_MARKS = "*_`~#|()[]{}<>\"'“”‘’«».,;:!?…、。，"


class WordInText(NamedTuple):
    text: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class JudgedWord:
    text: str
    start: int
    share: float  # the least of its tokens'
    instead: str  # the beginning of what the target would write; empty if it would write this word


def words_in(text: str) -> list[WordInText]:
    """
    >>> [word.text for word in words_in("## A **1,136** <td>b-c.</td> - 中文")]
    ['A', '1,136', 'b-c', '中', '文']
    """
    hidden = _TAG.sub(_blank, text)
    if '"bbox": [' in text:
        hidden = _JSON_ESCAPE.sub(_blank, hidden)
    return [word for found in _RUN.finditer(hidden) if any(map(str.isalnum, (word := _bare(found)).text))]


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _bare(found: re.Match[str]) -> WordInText:
    start = found.start() + len(found[0]) - len(found[0].lstrip(_MARKS))
    text = found[0].strip(_MARKS)
    return WordInText(text, start, start + len(text))


class JudgedText:
    """A text in tokens, some of them judged: all, or those before the end of the model's room."""

    def __init__(
        self,
        tokens: Sequence[int],
        judgements: Sequence[TokenJudgement],
        decode: Callable[[Sequence[int]], str],
    ) -> None:
        self.text = decode(tokens)
        self._judgements = judgements
        self._decode = decode
        self._ends = character_ends(tokens, range(1, len(tokens) + 1), decode)

    def word(self, span: WordInText) -> JudgedWord | None:
        """None if a token of the word was not judged."""
        tokens = [n for n, end in enumerate(self._ends) if self._start(n) < span.stop and end > span.start]
        if not tokens or tokens[-1] >= len(self._judgements):
            return None
        if self._is_about_form(tokens[0]):
            tokens = tokens[1:]
        if not tokens:
            return JudgedWord(span.text, span.start, 1.0, "")
        worst = min(tokens, key=lambda n: self._judgements[n].share)
        share, other = self._judgements[worst]
        written = self.text[span.start : max(span.start, self._start(worst))]
        return JudgedWord(span.text, span.start, share, self._instead(written, other) if share < EVEN else "")

    def _start(self, token: int) -> int:
        return self._ends[token - 1] if token else 0

    def _is_about_form(self, first: int) -> bool:
        """Whether the target would write markup or begin a line before the word: it says nothing of its letters."""
        share, other = self._judgements[first]
        return share < EVEN and not _TAG.sub("", self._decode([other])).strip(_FORM)

    def _instead(self, written: str, other: int) -> str:
        """The word so far and the target's own token, up to the blank that ends it."""
        own = self._decode([other])
        if written and own[:1].isspace():
            return written
        return (written + own.lstrip()).split("\n")[0].split(" ")[0]
