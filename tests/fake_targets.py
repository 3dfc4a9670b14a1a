"""Targets without a model, to test and try anything above `speculative/`. They check that callers follow the protocol.

Both decide what to write from the prefix alone, and refuse what a real target could not do: verify a slot that was
never filled, or commit a path that is not in the verified tree.
"""

from __future__ import annotations

import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.drafting import NO_COSTS, DraftedToken, DraftingCosts
from docparse_fast.speculative.judged_tokens import Judgements, TokenJudgement
from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.speculative.stored_answer import EVEN
from docparse_fast.speculative.target import Verification
from docparse_fast.speculative.token_store import TokenStore

FREE = EVEN


@dataclass(frozen=True, slots=True)
class TokenVerdict:
    """What a target writes after a prefix, and how probable it finds other tokens there."""

    choice: int
    choice_logprob: float
    logprob: Callable[[int], float]
    rival: Callable[[int], int]  # the likeliest token but this one


class FakeTarget(ABC):
    """Keeps rows, trees and commits; a subclass's `verdict` decides what is written."""

    def __init__(self, *, slots: int, eos: Iterable[int], costs: CostTable) -> None:
        self.slots = slots
        self.eos = frozenset(eos)
        self.costs = costs
        self.longest = sys.maxsize  # the longest answer that there is room for
        self.passes: list[tuple[int, float]] = []  # (rows, width) of every verification, for `cost`
        self._views: dict[int, object] = {}
        self._prefixes: dict[int, tuple[int, ...]] = {}
        self._trees: dict[int, PrefixTree] = {}

    @abstractmethod
    def verdict(self, view: object, prefix: tuple[int, ...]) -> TokenVerdict:
        """Decides what is written after this prefix."""

    @property
    def cost(self) -> float:
        """The cost of all passes so far, in plain passes of one row."""
        return sum(self.costs.cost(rows, width) for rows, width in self.passes)

    def prefill(self, views: Mapping[int, object], expected: Mapping[int, int] | None = None) -> dict[int, int]:
        for slot, view in views.items():
            if slot in self._views or not 0 <= slot < self.slots:
                raise ValueError(f"slot {slot} is taken, or is none")
            self._views[slot] = view
            self._prefixes[slot] = ()
        return {slot: self.verdict(view, ()).choice for slot, view in views.items()}

    def verify(self, trees: Mapping[int, PrefixTree], *, tolerant: bool = False) -> dict[int, Verification]:
        self._trees = dict(trees)
        sizes = [len(tree) for tree in trees.values()]
        self.passes.append((len(sizes), sum(sizes) / len(sizes) if self.costs.packed else max(sizes)))
        return {slot: self._verification(slot, tree, tolerant) for slot, tree in trees.items()}

    def judge(self, views: Mapping[int, object], texts: Mapping[int, Sequence[int]]) -> dict[int, Judgements]:
        self.prefill(views)
        return {
            slot: tuple(self._judgement(views[slot], text[:place], text[place]) for place in range(len(text)))
            for slot, text in texts.items()
        }

    def _judgement(self, view: object, before: Sequence[int], token: int) -> TokenJudgement:
        verdict = self.verdict(view, tuple(before))
        other = verdict.rival(token)
        own, others = math.exp(verdict.logprob(token)), math.exp(verdict.logprob(other))
        return TokenJudgement(own / (own + others) if own else 0.0, other)

    def room(self, slot: int) -> int:
        return self.longest

    def commit(self, paths: Mapping[int, Sequence[int]]) -> None:
        for slot, path in paths.items():
            tree = self._trees[slot]
            if list(path) != tree.path(path[-1]):
                raise ValueError(f"{list(path)} is no path of the tree just verified")
            self._prefixes[slot] += tuple(tree.tokens[node] for node in path)
        self._trees = {}

    def release(self, slot: int) -> None:
        self._views.pop(slot, None)
        self._prefixes.pop(slot, None)

    def answer(self, view: object, max_tokens: int) -> tuple[int, ...]:
        """What the target writes alone, one token at a time."""
        tokens: tuple[int, ...] = ()
        while len(tokens) < max_tokens and not self.eos.intersection(tokens[-1:]):
            tokens += (self.verdict(view, tokens).choice,)
        return tokens

    def _verification(self, slot: int, tree: PrefixTree, tolerant: bool) -> Verification:
        view, committed = self._views[slot], self._prefixes[slot]
        prefixes: list[tuple[int, ...]] = []
        for token, parent in zip(tree.tokens, tree.parents, strict=True):
            prefixes.append((*(prefixes[parent] if parent >= 0 else committed), token))
        verdicts = [self.verdict(view, prefix) for prefix in prefixes]
        choices = [verdict.choice for verdict in verdicts]
        if not tolerant:
            return Verification(choices)
        logprobs = [0.0] + [
            verdicts[parent].logprob(token) for token, parent in zip(tree.tokens[1:], tree.parents[1:], strict=True)
        ]
        return Verification(choices, [verdict.choice_logprob for verdict in verdicts], logprobs)


class SeededTarget(FakeTarget):
    """Gives every prefix its own fixed distribution, drawn from the seed, the view and the prefix.

    At a temperature it draws its choices from a generator of its own.

    >>> target = SeededTarget(seed=1, vocabulary=50)
    >>> target.answer("page 1", 4) == target.answer("page 1", 4) != target.answer("page 2", 4)
    True
    """

    def __init__(
        self,
        *,
        seed: int,
        vocabulary: int,
        slots: int = 1,
        eos: Iterable[int] = (),
        costs: CostTable = FREE,
        temperature: float = 0.0,
    ) -> None:
        super().__init__(slots=slots, eos=eos, costs=costs)
        self._seed = seed
        self._vocabulary = vocabulary
        self._temperature = temperature
        self._draws = np.random.default_rng(seed)

    def logits(self, view: object, prefix: tuple[int, ...]) -> npt.NDArray[np.float64]:  # (vocabulary,)
        words = [self._seed, *str(view).encode(), 256, *prefix]
        return np.random.default_rng(words).normal(scale=2.0, size=self._vocabulary)

    def verify(self, trees: Mapping[int, PrefixTree], *, tolerant: bool = False) -> dict[int, Verification]:
        return super().verify(trees, tolerant=tolerant and not self._temperature)

    def verdict(self, view: object, prefix: tuple[int, ...]) -> TokenVerdict:
        logits = self.logits(view, prefix)
        choice = int(logits.argmax())
        if self._temperature:
            noise = self._draws.gumbel(size=self._vocabulary)  # the arg-max of noisy logits is a draw
            choice = int((logits / self._temperature + noise).argmax())
        logprobs = logits - math.log(np.exp(logits).sum())

        def rival(token: int) -> int:
            best, second = np.argsort(-logits)[:2]
            return int(second if token == best else best)

        return TokenVerdict(choice, float(logprobs[choice]), lambda token: float(logprobs[token]), rival)


class ScriptedTarget(FakeTarget):
    """Writes the answer that each view has, sure of every token but the `doubts`.

    A doubt gives some other tokens, with their probabilities, at a place of any answer.

    >>> target = ScriptedTarget({"page": (5, 6, 7)}, eos=(0,))
    >>> target.answer("page", 9)
    (5, 6, 7, 0)
    """

    def __init__(
        self,
        answers: Mapping[object, Sequence[int]],
        *,
        eos: Iterable[int],
        slots: int = 1,
        costs: CostTable = FREE,
        doubts: Mapping[int, Mapping[int, float]] | None = None,
    ) -> None:
        super().__init__(slots=slots, eos=eos, costs=costs)
        self._answers = answers
        self._doubts = doubts or {}
        self._end = min(self.eos)

    def verdict(self, view: object, prefix: tuple[int, ...]) -> TokenVerdict:
        answer, place = self._answers[view], len(prefix)
        choice = answer[place] if place < len(answer) else self._end
        others = self._doubts.get(place, {})
        sure = math.log(max(1.0 - sum(others.values()), 1e-9)) if others else 0.0
        known = {token: math.log(share) for token, share in others.items()} | {choice: sure}

        def rival(token: int) -> int:
            return max((other for other in known if other != token), key=known.__getitem__, default=token + 1)

        return TokenVerdict(choice, sure, lambda token: known.get(token, -math.inf), rival)


class ScriptedModel:
    """A drafting model that recites `answer` from the place of the last token written, as sure as `chance` says.

    >>> model = ScriptedModel((5, 6, 7))
    >>> [each.token for each in model.propose([5])]
    [6, 7]
    """

    def __init__(
        self, answer: Sequence[int], *, chance: float = 0.9, costs: DraftingCosts = NO_COSTS, longest: int = 5
    ) -> None:
        self.costs = costs
        self.longest = longest
        self.asked: list[int] = []  # the tokens written before each proposal
        self.proposed = 0
        self.store: TokenStore | None = None
        self._answer = answer
        self._chance = chance

    def begin(self, store: TokenStore | None) -> None:
        if self.asked:
            raise ValueError("begun twice")
        self.store = store

    def propose(self, written: Sequence[int]) -> Iterator[DraftedToken]:
        self.asked.append(len(written))
        for token in self._answer[len(written) :]:
            self.proposed += 1
            yield DraftedToken(token, self._chance)
