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
ROOM = 1000  # more than a node has children
LEFT = 1e-3  # the least that a node's likelier children leave
BACK = 4  # tokens in which an unfinished command may have begun
_UNFINISHED = re.compile(r"\\[A-Za-z]*$")


class _Node(NamedTuple):
    chance: float  # of the whole path, negative
    number: int  # by which nodes of one chance are in order
    token: int
    share: float  # its chance if the node above is right and no likelier child of that is
    parent: int  # a node's place; -1: what is written
    depth: int
    command: str  # of LaTeX, unfinished
    letter: int  # the draft's next one


_Guess = tuple[float, int, str, int]  # chance, token, and for the node: command, letter


class Guesses:
    """Guesses for one row. `letters` are those of its drafts."""

    def __init__(
        self, text: TokenText, letters: Letters, pattern: re.Pattern[str], examples: Iterable[Sequence[int]]
    ) -> None:
        self._text, self._letters, self._pattern = text, letters, pattern
        self._successors = Successors(text, examples)
        self._said: dict[tuple[str, int], tuple[str, str]] = {}
        self._words: dict[int, tuple[int, int | None]] = {}  # by letter

    def candidates(self, written: Sequence[int], letter: int, limit: int, share: float = 1.0) -> list[Candidate]:
        """Paths of guesses after `written`, which may begin alike; `letter` is the draft's next one.

        `share` is the chance that nothing else is right, by which guesses are worth their time.
        """
        begun = _UNFINISHED.search("".join(map(self._text.of, written[-BACK:])))
        root = _Node(-share, 0, written[-1], 1.0, -1, 0, begun[0] if begun else "", letter)
        contexts = {-1: self._successors.remember(written)}
        nodes: list[_Node] = []
        waiting: list[_Node] = []
        self._spread(waiting, root, contexts[-1], -1)
        while waiting and len(nodes) < MOST:
            node = heappop(waiting)
            place = len(nodes)
            nodes.append(node)
            if -node.chance > WORTH and node.depth < limit:
                contexts[place] = (*contexts[node.parent][1 - LONG :], self._successors.sort(node.token))
                self._spread(waiting, node, contexts[place], place)
        parents = {node.parent for node in nodes}
        return [_path(nodes, place) for place in range(len(nodes)) if place not in parents]

    def _spread(self, waiting: list[_Node], at: _Node, context: Context, place: int) -> None:
        """Adds what may follow a node."""
        left, depth, number = 1.0, at.depth + 1, place * ROOM
        for chance, token, command, letter in self._next(at, context):
            number += 1
            share = min(1.0, chance / left)
            heappush(waiting, _Node(at.chance * chance, number, token, share, place, depth, command, letter))
            left = max(left - chance, LEFT)

    def _next(self, at: _Node, context: Context) -> list[_Guess]:
        """What may follow, likeliest first."""
        likely = self._successors.after(context, at.token)
        total, least = likely.new, LIKELY / -at.chance
        found: list[_Guess] = []
        for chance, token in likely.tokens:
            if chance * RIGHT < least * likely.new:
                break  # all others are unlikely even with the right letters
            said, command = self._says(at.command, token)
            factor, letter = self._fits(said, command, at.letter) if said or command else (1.0, at.letter)
            chance *= factor
            total += chance
            found.append((chance, token, command, letter))
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
            if token not in likely.known:
                said, command = self._says("", token)
                if said and letters.text.startswith(said, at.letter):
                    found.append((likely.new * NEW * share, token, command, at.letter + len(said)))
        return found

    def _word(self, letter: int, likely: Likely) -> list[tuple[int, float]]:
        """The first token of the rest of the draft's word, with and without a blank before it."""
        bare, apart = self._words.get(letter) or self._begun(letter)
        if apart is None:
            return [(bare, 1.0)]
        share = (SOME + likely.bare) / (2 * SOME + likely.bare + likely.blank)
        return [(bare, share), (apart, 1 - share)]

    def _begun(self, letter: int) -> tuple[int, int | None]:
        """The first tokens of these two; the second is None for a word that has its own blank in the draft."""
        letters = self._letters
        number, within = letters.word_at[letter], letters.within[letter]
        word = letters.words[number][within:]
        apart = None
        if letters.sorts[number] != "a" or (not within and letters.gaps[number] not in ("", " ")):
            apart = self._text.tokens(" " + word)[0]
        elif not within:
            word = letters.gaps[number] + word
        found = self._words[letter] = self._text.tokens(word)[0], apart
        return found

    def _says(self, command: str, token: int) -> tuple[str, str]:
        """The letters that a token adds after an unfinished command, and what then is unfinished."""
        found = self._said.get((command, token))
        if found is None:
            text = command + self._text.of(token)
            begun = _UNFINISHED.search(text)
            done = text[: begun.start()] if begun else text
            words = [fold(word) for _, word in pieces(done, self._pattern) if word]
            found = self._said[command, token] = "".join(words), begun[0] if begun else ""
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
        chances.append(nodes[number].share)
        number = nodes[number].parent
    return Candidate(tokens[::-1], CandidateKind.GUESS, -1, -1, (), dict(enumerate(reversed(chances))))
