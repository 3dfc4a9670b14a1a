"""Guesses tokens one by one: markup as the answer wrote it before, letters as the draft has them next.

A draft of a formula or of a table often has the right letters in a wrong shape. Then neither the draft nor the answer's
own earlier tokens go on for long, but both together do. Guesses branch, so that one pass tries several at each place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from docparse_fast.speculative.candidates import Candidate, CandidateKind
from docparse_fast.targets.dialects.latex import SYMBOLS
from docparse_fast.verification.letters import END, Letters, fold, pieces
from docparse_fast.verification.successors import LONG, Context, Likely, Successors
from docparse_fast.verification.token_text import TokenText

MOST = 18  # guesses at once
LIKELY = 0.015  # guesses below this chance are left out
WORTH = 0.02  # ... and what follows guesses below this one
RIGHT, SOON, WRONG = 6.0, 1.5, 0.2  # how much likelier letters are that the draft has next, soon, or not
SKIPPED = 2  # letters of the draft that the answer may leave out
NEW = 0.6  # of the chance of any new token, the share of the draft's next word
SOME = 0.1  # so that no share is zero
LEFT = 1e-3  # the least that a node's likelier children leave
BACK = 4  # tokens in which an unfinished command may have begun
_UNFINISHED = re.compile(r"\\[A-Za-z]*$")


class _Node(NamedTuple):
    token: int
    chance: float  # if the node above is right and no likelier child of it is
    parent: int  # a node's number; -1: what is written
    depth: int
    context: Context
    command: str  # of LaTeX, unfinished
    letter: int  # the draft's next one


_Guess = tuple[float, int, str, int]  # chance, token, and for the node: command, letter
ROOM = 1000  # more than a node has children
_Waiting = list[tuple[float, int, _Node]]  # a node's chance, negative; a number by which equal ones are in order


class Guesses:
    """Guesses for one row. `letters` are those of its drafts."""

    def __init__(
        self, text: TokenText, letters: Letters, pattern: re.Pattern[str], examples: Iterable[Sequence[int]]
    ) -> None:
        self._text, self._letters, self._pattern = text, letters, pattern
        self._successors = Successors(text, examples)
        self._says_what: dict[tuple[str, int], tuple[str, str]] = {}

    def candidates(self, written: Sequence[int], letter: int, limit: int) -> list[Candidate]:
        """Paths of guesses after `written`, which may begin alike; `letter` is the draft's next one."""
        context = self._successors.remember(written)
        begun = _UNFINISHED.search("".join(map(self._text.of, written[-BACK:])))
        root = _Node(written[-1], 1.0, -1, 0, context, begun[0] if begun else "", letter)
        nodes: list[_Node] = []
        waiting: _Waiting = []
        self._spread(waiting, root, -1, 1.0)
        while waiting and len(nodes) < MOST:
            chance, _, node = heappop(waiting)
            nodes.append(node)
            if node.depth < limit and -chance > WORTH:
                self._spread(waiting, node, len(nodes) - 1, -chance)
        parents = {node.parent for node in nodes}
        return [_path(nodes, number) for number in range(len(nodes)) if number not in parents]

    def _spread(self, waiting: _Waiting, at: _Node, number: int, chance: float) -> None:
        """Adds what may follow a node of this chance."""
        left, depth, before = 1.0, at.depth + 1, at.context[1 - LONG :]
        for rank, (share, token, command, letter) in enumerate(self._next(at, LIKELY / chance)):
            context = (*before, self._successors.sort(token))
            node = _Node(token, min(1.0, share / left), number, depth, context, command, letter)
            heappush(waiting, (-chance * share, number * ROOM + rank, node))
            left = max(left - share, LEFT)

    def _next(self, at: _Node, least: float) -> list[_Guess]:
        """What may follow, likeliest first."""
        likely = self._successors.after(at.context, at.token)
        total = likely.new
        found = []
        for chance, token in likely.tokens:
            if chance * RIGHT < least * likely.new:
                break  # all others are unlikely even with the right letters
            said, command = self._says(at.command, token)
            factor, letter = self._fits(said, command, at.letter)
            total += chance * factor
            found.append((chance * factor, token, command, letter))
        found += self._drafted(at, likely)
        least *= total
        found = [(guess[0] / total, guess[1], guess[2], guess[3]) for guess in found if guess[0] >= least]
        found.sort(reverse=True)
        return found

    def _drafted(self, at: _Node, likely: Likely) -> list[_Guess]:
        """The draft's next word, if it doesn't follow often."""
        letters = self._letters
        if at.command or at.letter >= len(letters.text) or letters.text[at.letter] == END:
            return []
        found = []
        for token, share in self._word(at.letter, likely):
            if share and all(token != other for _, other in likely.tokens):
                said, command = self._says("", token)
                if said and letters.text.startswith(said, at.letter):
                    found.append((likely.new * NEW * share, token, command, at.letter + len(said)))
        return found

    def _word(self, letter: int, likely: Likely) -> list[tuple[int, float]]:
        """The first token of the rest of the draft's word, with and without a blank before it."""
        letters = self._letters
        number, within = letters.word_at[letter], letters.within[letter]
        word = letters.words[number][within:]
        if letters.sorts[number] == "a" and (within or letters.gaps[number] in ("", " ")):
            return [(self._text.tokens(word if within else letters.gaps[number] + word)[0], 1.0)]
        bare = (SOME + likely.bare) / (2 * SOME + likely.bare + likely.blank)
        return [(self._text.tokens(word)[0], bare), (self._text.tokens(" " + word)[0], 1 - bare)]

    def _says(self, command: str, token: int) -> tuple[str, str]:
        """The letters that a token adds after an unfinished command, and what then is unfinished."""
        found = self._says_what.get((command, token))
        if found is None:
            text = command + self._text.of(token)
            begun = _UNFINISHED.search(text)
            done = text[: begun.start()] if begun else text
            words = [fold(word) for _, word in pieces(done, self._pattern) if word]
            found = self._says_what[command, token] = "".join(words), begun[0] if begun else ""
        return found

    def _fits(self, said: str, command: str, letter: int) -> tuple[float, int]:
        """How much likelier a token is by what it says, and the draft's next letter after it."""
        text = self._letters.text
        if not said:
            sign = text[letter : letter + 1] if len(command) > 1 else ""
            return RIGHT if SYMBOLS.get(sign, "").startswith(command or " ") else 1.0, letter
        if text.startswith(said, letter):
            return RIGHT, letter + len(said)
        at = text.find(said, letter, letter + SKIPPED + len(said))
        return (WRONG, letter) if at < 0 else (SOON, at + len(said))


def _path(nodes: Sequence[_Node], number: int) -> Candidate:
    tokens, chances = [], []
    while number >= 0:
        tokens.append(nodes[number].token)
        chances.append(nodes[number].chance)
        number = nodes[number].parent
    return Candidate(tokens[::-1], CandidateKind.GUESS, -1, -1, (), dict(enumerate(reversed(chances))))
