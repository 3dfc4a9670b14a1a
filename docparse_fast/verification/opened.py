r"""What an answer has opened and not closed yet: tags of HTML, environments of LaTeX. Knows text; no draft, no token.

An answer may choose other markup than its drafts have. How that ends can be told from how it began.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

CLOSED = 0.8  # the chance that what is open is closed at the next place where it may be; at each further one less
_ENDLESS = frozenset({"br", "hr", "img", "col", "input"})
_WITHIN = re.compile(r"</(?:a|b|code|del|em|i|kbd|mark|s|small|span|strong|sub|sup|tt|u)>")
_SIGN = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)(?:[ /][^<>\n]{0,120})?>|\\(begin|end)\{([A-Za-z]+\*?)\}")
_UNFINISHED = re.compile(
    r"<(?:/|/?[A-Za-z][^<>\n]{0,120})?\Z|\\(?:(?:b|be|beg|begi|begin|e|en|end)|(?:begin|end)\{[A-Za-z]*\*?)?\Z"
)
_CLOSING = re.compile(r"</[A-Za-z][A-Za-z0-9]*>|\\end\{[A-Za-z]+\*?\}")
_ENDS = re.compile(r"[\n<|]"), re.compile(r"[\n<|*_`]")  # of blocks, of words within them
_MARK = re.compile(r"[\s*_`<|\\]")


class Closing(NamedTuple):
    """What is missing of a sign that closes, with the line breaks that stood before the one that opened."""

    text: str
    chance: float
    begun: bool = False  # whether its beginning is written
    within: bool = False  # whether it closes words within a block

    def may_stand_in(self, gap: str) -> bool:
        return _ENDS[self.within].search(gap) is not None

    def after(self, gap: str) -> str:
        """It, and what stands before it in this gap: a full stop, a bracket.

        >>> Closing("</p>", 0.8).after(").\\n\\n## ")
        ').</p>'
        """
        return _MARK.split(gap, maxsplit=1)[0] + self.text


@dataclass(slots=True)
class _Open:
    closing: str
    breaks: str
    lines: int = 0  # that ended since, in words


class OpenSigns:
    r"""
    >>> opened = OpenSigns()
    >>> opened.hear("\n\n<h1>Fish</h1>\n\n<p>Cod is <b>cheap")
    >>> opened.closing()
    Closing(text='</b>', chance=0.8, begun=False, within=True)
    >>> opened.hear("</b></")
    >>> opened.closing()
    Closing(text='p>\n\n', chance=0.8, begun=True, within=False)
    """

    def __init__(self, drafts: Iterable[str] = ()) -> None:
        self._drafted = {sign for draft in drafts for sign in _CLOSING.findall(draft)}
        self._open: list[_Open] = []
        self._never: set[str] = set()  # signs that this answer leaves out
        self._rest = ""  # an unfinished sign
        self._breaks = "\n"  # before it; most answers in HTML have a line for each block
        self._in_words = False

    def hear(self, text: str) -> None:
        """Takes in the text written since the last call."""
        text, at = self._rest + text, 0
        for sign in _SIGN.finditer(text):
            self._hear_words(text[at : sign.start()])
            self._hear_sign(sign)
            self._breaks, self._in_words, at = "", False, sign.end()
        unfinished = _UNFINISHED.match(text, max(at, text.rfind("<"), text.rfind("\\")))
        self._rest = unfinished[0] if unfinished else ""
        self._hear_words(text[at : len(text) - len(self._rest)])

    def _hear_words(self, text: str) -> None:
        words = text.rstrip()
        breaks = "\n" * text.count("\n", len(words))
        if self._open and (self._in_words or words):
            self._open[-1].lines += text.count("\n")
        self._breaks = breaks if words else self._breaks + breaks
        self._in_words = self._in_words or bool(words)

    def _hear_sign(self, sign: re.Match[str]) -> None:
        slash, name, way, environment = sign.groups()
        closing = f"</{name}>" if name else f"\\end{{{environment}}}"
        if slash or way == "end":
            self._close(closing)
        elif name in _ENDLESS or closing in self._never or sign[0].endswith("/>"):
            return
        elif self._open and self._open[-1].closing == closing:
            self._open.pop()
            self._never.add(closing)
        else:
            self._open.append(_Open(closing, self._breaks))

    def _close(self, closing: str) -> None:
        for at in reversed(range(len(self._open))):
            if self._open[at].closing == closing:
                del self._open[at:]
                return

    def closing(self) -> Closing | None:
        """What closes the last that is open; None if drafts close so too: they tell more."""
        last = self._open[-1] if self._open else None
        if not last or last.closing in self._drafted or not last.closing.startswith(self._rest):
            return None
        text = last.closing[len(self._rest) :] + last.breaks
        within = _WITHIN.fullmatch(last.closing) is not None
        return Closing(text, CLOSED if self._rest else CLOSED ** (1 + last.lines), bool(self._rest), within)
