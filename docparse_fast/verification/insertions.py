r"""Markup of its own that an answer begins: how it goes on, and whether words belong to it. Knows text; no draft.

Names of environments, attributes and directives are in no draft, and they are no words of the page: the draft goes on
after them from where it was left.
"""

from __future__ import annotations

import re

LONGEST = 80  # characters of markup put in at once
_MARKUP = re.compile(r"[<>{}\\\[\]|#=&+@]|::")
_FORMULA = re.compile(r"\$|\\[()\[\]]")
_BEGUN = re.compile(r"</?[A-Za-z][\w:-]*\Z|(?:^|\n)[^{}\n]*\{[^{}\s]+\Z|\\[A-Za-z]+\*?\Z|&\w+\Z")
_ENDS = {"<": (">", ">\n"), "&": (";", "; "), "\\": ("{",)}
_ROW = re.compile(r"([^\w\s])\1{2,}")


class Insertion:
    r"""What was written since the drafts had the last word, as long as it may be markup.

    >>> insertion = Insertion()
    >>> insertion.begin("\n\n\\begin{verbatim")
    >>> insertion.text, insertion.is_markup
    ('\n\n\\begin{verbatim', True)
    >>> insertion.begin(" word")
    >>> insertion.is_markup
    False
    """

    def __init__(self) -> None:
        self.text = ""

    @property
    def is_markup(self) -> bool:
        text = self.text
        return 0 < len(text) <= LONGEST and _MARKUP.search(text) is not None and _FORMULA.search(text) is None

    def begin(self, text: str) -> None:
        """Takes in a gap that nothing expects, and a word that no draft has."""
        self.text = text

    def go_on(self, text: str) -> None:
        if self.text:
            self.text += text

    def end(self) -> None:
        self.text = ""


def ends_of(markup: str) -> tuple[str, ...]:
    r"""How a sign may end whose name was just written.

    >>> ends_of(".\n<h1"), ends_of("\n\\section*"), ends_of("\\begin{quote"), ends_of(" &lt"), ends_of("a")
    (('>', '>\n'), ('{',), ('}', '}\n'), (';', '; '), ())
    """
    begun = _BEGUN.search(markup)
    if not begun:
        return ()
    return ("}", "}\n") if "{" in begun[0] else _ENDS[begun[0][0]]


def rest_of_underline(said: str) -> tuple[str, ...]:
    r"""What a row of signs lacks to be as long as the line above it, and the line breaks after it.

    >>> rest_of_underline("Fish soup\n==="), rest_of_underline("Fish\n- Cod")
    (('======\n\n', '======\n'), ())
    """
    above, row = ["", *said.split("\n")][-2:]
    lacking = len(above) - len(row)
    if lacking < 0 or not _ROW.fullmatch(row):
        return ()
    return tuple(row[0] * lacking + breaks for breaks in ("\n\n", "\n"))
