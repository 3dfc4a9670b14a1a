"""The words of a text, and what a target says of each. Knows text and judgements; no page and no model.

A word is what stands between blanks, without the marks around it; of Chinese and Japanese each character is a word.
Tags and marks of Markdown are no words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from docparse_fast.text.compared_words import TAG
from docparse_fast.verification.judged_regions import EVEN, JudgedPiece

_ONE_BY_ONE = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_RUN = re.compile(rf"[{_ONE_BY_ONE}]|[^\s{_ONE_BY_ONE}]+")
_JSON_ESCAPE = re.compile(r'(?<!\\)\\[nt"]')
_MARKS = "*_`~#|()[]{}<>\"'“”‘’«».,;:!?…、。，"


class WordInText(NamedTuple):
    text: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class JudgedWord:
    text: str  # empty: words are missing here
    share: float  # the least of its tokens'
    instead: str  # the beginning of what the target would write; empty if it would write this word


def words_in(text: str) -> list[WordInText]:
    """
    >>> [word.text for word in words_in("## A **1,136** <td>b-c.</td> - 中文")]
    ['A', '1,136', 'b-c', '中', '文']
    """
    hidden = TAG.sub(_blank, text)
    if '"bbox": [' in text:
        hidden = _JSON_ESCAPE.sub(_blank, hidden)
    return [word for found in _RUN.finditer(hidden) if any(map(str.isalnum, (word := _bare(found)).text))]


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _bare(found: re.Match[str]) -> WordInText:
    start = found.start() + len(found[0]) - len(found[0].lstrip(_MARKS))
    text = found[0].strip(_MARKS)
    return WordInText(text, start, start + len(text))


def judged_word(piece: JudgedPiece, word: WordInText) -> JudgedWord | None:
    """None if a token of the word was not judged."""
    tokens = piece.tokens(word.start, word.stop)
    if tokens is None:
        return None
    if not tokens:
        return JudgedWord(word.text, 1.0, "")
    worst = min(tokens, key=lambda n: piece.judgements[n].share)
    share, other = piece.judgements[worst]
    written = piece.text[word.start : max(word.start, piece.begin(worst))]
    return JudgedWord(word.text, share, _instead(written, piece.decode([other])) if share < EVEN else "")


def missing_after(piece: JudgedPiece, stop: int, following: str) -> JudgedWord | None:
    """What the target would write on at the end of a block's text."""
    judgement = piece.more(stop, following)
    return None if judgement is None else JudgedWord("", judgement.share, _instead("", piece.decode([judgement.other])))


def _instead(written: str, own: str) -> str:
    """The word so far and the target's own token, up to the blank that ends it.

    >>> _instead("inv", "oice is"), _instead("two", " boats"), _instead("", " boats")
    ('invoice', 'two', 'boats')
    """
    if written and own[:1].isspace():
        return written
    return (written + own.lstrip()).split("\n")[0].split(" ")[0]
