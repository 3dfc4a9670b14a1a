"""Guesses tokens one by one: markup as the answer wrote it before, letters as the draft has them next.

A draft of a formula or of a table often has the right letters in a wrong shape. Then neither the draft nor the answer's
own earlier tokens go on for long, but both together do. Guesses branch, so that one pass tries several at each place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from docparse_fast.speculative.guess_tree import Guess, GuessTree
from docparse_fast.targets.dialects.latex import SYMBOLS
from docparse_fast.verification.letters import END, Letters, fold, pieces
from docparse_fast.verification.successors import BEFORE, Context, Successors
from docparse_fast.verification.token_text import TokenText

LIKELY = 0.02  # guesses below this chance are left out
WORTH = 0.03  # ... and what follows guesses below this one
RIGHT, SOON, WRONG = 6.0, 1.5, 0.2  # how much likelier letters are that the draft has next, soon, or not
SKIPPED = 2  # letters of the draft that the answer may leave out
NEW = 0.6  # of the chance of any new token, the share of the draft's next word
LEFT = 1e-3  # of a guess's chance, the least that it leaves
SOME = 0.1  # so that no share is zero
BACK = 4  # tokens in which an unfinished command may have begun
_UNFINISHED = re.compile(r"\\[A-Za-z]*$")


_Place = tuple[Context, str, int]  # before the guess: its context, a command of LaTeX; the draft's next letter after it
_Next = tuple[float, int, _Place]  # chance, token


class Guesses:
    """Guesses for one row. `letters` are those of its drafts."""

    def __init__(
        self, text: TokenText, letters: Letters, pattern: re.Pattern[str], examples: Iterable[Sequence[int]]
    ) -> None:
        self._text, self._letters, self._pattern = text, letters, pattern
        self._successors = Successors(text, examples)
        self._said: dict[str, dict[int, tuple[str, str]]] = {"": {}}  # by unfinished command
        self._words: dict[int, tuple[int, int | None]] = {}  # by letter

    def tree(self, written: Sequence[int], letter: int, share: float = 1.0) -> GuessTree:
        """Guesses after `written`; `letter` is the draft's next one.

        `share` is the chance that nothing else is right, by which guesses are worth their time.
        """
        begun = _UNFINISHED.search("".join(map(self._text.of, written[-BACK:])))
        context = self._successors.remember(written)
        return GuessTree(self._next(context, written[-1], begun[0] if begun else "", letter, share), self.after)

    def after(self, guess: Guess, chance: float) -> list[Guess]:
        if chance < WORTH:
            return []
        token = guess.token
        before, command, letter = guess.place
        return self._next((*before[1 - BEFORE :], self._successors.sort(token)), token, command, letter, chance)

    def _next(self, context: Context, token: int, command: str, letter: int, chance: float) -> list[Guess]:
        """What may follow a token that has this chance, likeliest first."""
        likely, new = self._successors.after(context, token)
        least = LIKELY / chance
        found = self._weighed(likely, context, command, letter, least * new / RIGHT)
        total = new
        for each in found:
            total += each[0]
        least *= total
        if not command and new * NEW >= least:
            found += self._drafted(letter, likely, new, context)
        found.sort(reverse=True)
        guesses = []
        for share, token, place in found:
            if share < least:
                break
            guesses.append(Guess(min(1.0, share / total), token, place))
            total = max(total - share, share * LEFT)
        return guesses

    def _weighed(
        self, likely: Mapping[int, float], context: Context, command: str, letter: int, least: float
    ) -> list[_Next]:
        """Likely tokens by how well they go with the draft's letters, if that can make them likely enough."""
        said = self._said.setdefault(command, {})
        text = self._letters.text
        found = []
        for token, chance in likely.items():
            if chance < least:
                continue
            says, begun = said.get(token) or self._says(command, token)
            if says and text.startswith(says, letter):
                found.append((chance * RIGHT, token, (context, begun, letter + len(says))))
            elif says or begun:
                factor, at = self._fits(says, begun, letter)
                found.append((chance * factor, token, (context, begun, at)))
            else:
                found.append((chance, token, (context, begun, letter)))
        return found

    def _drafted(self, letter: int, likely: Mapping[int, float], new: float, context: Context) -> list[_Next]:
        """The draft's next word, if it doesn't follow often."""
        letters = self._letters
        if letter >= len(letters.text) or letters.text[letter] == END:
            return []
        found = []
        for token, share in self._word(letter, likely):
            if token not in likely:
                says, command = self._says("", token)
                if says and letters.text.startswith(says, letter):
                    found.append((new * NEW * share, token, (context, command, letter + len(says))))
        return found

    def _word(self, letter: int, likely: Mapping[int, float]) -> list[tuple[int, float]]:
        """The first token of the rest of the draft's word, with and without a blank before it."""
        bare, apart = self._words.get(letter) or self._begun(letter)
        if apart is None:
            return [(bare, 1.0)]
        blank, joined = self._successors.blanks(likely)
        share = (SOME + joined) / (2 * SOME + joined + blank)
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
        found = self._said[command].get(token)
        if found is None:
            text = command + self._text.of(token)
            begun = _UNFINISHED.search(text)
            done = text[: begun.start()] if begun else text
            words = [fold(word) for _, word in pieces(done, self._pattern) if word]
            found = self._said[command][token] = "".join(words), begun[0] if begun else ""
        return found

    def _fits(self, said: str, command: str, letter: int) -> tuple[float, int]:
        """How much likelier a token is that does not say the draft's next letters, and the draft's next letter then."""
        text = self._letters.text
        if not said:
            sign = text[letter : letter + 1] if len(command) > 1 else ""
            return RIGHT if SYMBOLS.get(sign, "").startswith(command or " ") else 1.0, letter
        at = text.find(said, letter, letter + SKIPPED + len(said))
        return (WRONG, letter) if at < 0 else (SOON, at + len(said))
