"""Vanilla speculative decoding: a smaller model of the same family drafts token by token. Knows no page and no text.

transformers' own assisted decoding does not work for models that read images: with Qwen3-VL in 5.23 it accepted 5 of
402 tokens even with the target itself as the assistant. So our engine runs the smaller model here, and transformers
runs only the target's passes. The smaller model stops where the library's default does: after 20 tokens, or before a
token that it is not sure of.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from transformers.generation.candidate_generator import CandidateGenerator

from docparse_fast.bench.engine.generate import Baseline, guessed
from docparse_fast.errors import UsageError
from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.targets.decoder.clocks import device_clock
from docparse_fast.targets.decoder.vlm import View, VisionLanguageTarget
from docparse_fast.targets.loading.document_model import DocumentModel

LONGEST = 20  # tokens per guess: num_assistant_tokens
SURE = math.log(0.4)  # assistant_confidence_threshold
SLOT = 0


def draft_model(
    model: Any, inputs: Mapping[str, Any], max_tokens: int, *, eos: frozenset[int], draft: VisionLanguageTarget
) -> Baseline:
    """The smaller model's seconds include its prefill of the page, because only its guesses need it."""
    guesser = _ModelGuesser(draft, inputs, eos)
    try:
        found = guessed(model, inputs, max_tokens, eos=eos, guesser=guesser)
    finally:
        draft.release(SLOT)
    # a baseline's seconds begin with the second pass, but the first guess comes before it
    decode = found.decode_seconds + guesser.first_seconds
    return replace(found, decode_seconds=decode, guess_seconds=guesser.seconds)


def check_draft_model(target: DocumentModel, draft: DocumentModel) -> None:
    """UsageError if the two models differ in their inputs or their tokens."""
    ours, its = target.decoder.network.config, draft.decoder.network.config
    pairs = {"kind": (ours.model_type, its.model_type)}
    pairs["number of logits"] = (ours.get_text_config().vocab_size, its.get_text_config().vocab_size)
    for name in ("patch_size", "spatial_merge_size", "temporal_patch_size"):
        pairs[name] = (getattr(ours.vision_config, name, None), getattr(its.vision_config, name, None))
    wrong = [f"{what} is {mine}, not {wanted}" for what, (wanted, mine) in pairs.items() if wanted != mine]
    if not wrong and target.vocabulary() != draft.vocabulary():
        wrong = ["tokens differ"]
    if wrong:
        raise UsageError(
            f"--baselines draft-model: {draft.identity.name} can't guess for {target.identity.name}: its "
            + ", its ".join(wrong),
            remedy="name a smaller model of the target's own family",
        )


class _ModelGuesser(CandidateGenerator):  # type: ignore[misc]  # transformers is not typed
    requires_model_outputs = False

    def __init__(self, draft: VisionLanguageTarget, inputs: Mapping[str, Any], eos: frozenset[int]) -> None:
        self.seconds = 0.0
        self.first_seconds = 0.0  # of the first guess, prefill included
        self._draft = draft
        self._inputs = inputs
        self._eos = eos
        self._clock: Callable[[], float] = device_clock(draft.network.device)
        self._prompt: int = inputs["input_ids"].shape[1]
        self._read: list[int] | None = None  # tokens in its cache after the prompt; None before the prefill

    def get_candidates(self, input_ids: Tensor, **_: object) -> tuple[Tensor, None]:
        start = self._clock()
        guess = self._guess(input_ids[0, self._prompt :].tolist())
        took = self._clock() - start
        self.first_seconds = self.first_seconds or took
        self.seconds += took
        return torch.cat([input_ids, input_ids.new_tensor([guess])], dim=1), None

    def update_candidate_strategy(self, input_ids: Tensor, scores: Tensor, num_matches: int) -> None:
        """Nothing to do: the next call receives the accepted tokens."""

    def _guess(self, answer: list[int]) -> list[int]:
        if self._read is None:
            self._draft.prefill({SLOT: View(self._inputs)})
            self._read = []
        fresh = self._forget_what_was_refused(answer)
        guess: list[int] = []
        while len(guess) < LONGEST:
            token, logprob = self._next(fresh)
            if logprob < SURE and guess:
                break
            guess.append(token)
            if token in self._eos:
                break
            fresh = [token]
        return guess

    def _forget_what_was_refused(self, answer: list[int]) -> list[int]:
        """The answer's tokens that it hasn't read; at least the last one, where it continues."""
        read = self._read or []
        shared = next((at for at, (a, b) in enumerate(zip(answer, read, strict=False)) if a != b), len(read))
        shared = min(shared, len(answer) - 1)
        self._draft.cache.lengths[SLOT] = self._prompt + shared
        self._read = answer[:shared]
        return answer[shared:]

    def _next(self, fresh: list[int]) -> tuple[int, float]:
        """Reads these tokens; returns its next token and the log-probability of it."""
        tree = PrefixTree.build(fresh[0], [fresh[1:]], budget=len(fresh))
        verification = self._draft.verify({SLOT: tree}, tolerant=True)[SLOT]
        self._draft.commit({SLOT: range(len(tree))})
        self._read = [*(self._read or []), *fresh]
        sure = verification.choice_logprobs or [0.0]
        return verification.choices[-1], sure[-1]
