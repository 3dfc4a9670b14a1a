"""Baselines: the same model through transformers' generate(). Knows no loop of ours.

Each baseline takes a model, its inputs (a page's image and prompt, or text alone) and a token limit, and decodes
greedily. Its seconds cover decoding alone: like our own "decode" span, they leave out the first pass, which reads the
prompt and writes the first token. To begin alike, no baseline drafts in that pass. (transformers' prompt lookup would:
if it then copies an image's place holders out of the prompt, the model refuses the pass, as they have no image. It is
not changed in any other way.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from transformers.generation.candidate_generator import CandidateGenerator

from docparse_fast.errors import UsageError
from docparse_fast.speculative.alignment import Alignment
from docparse_fast.speculative.candidates import Candidate, TokenDraft
from docparse_fast.targets.decoder.cache_names import CACHE
from docparse_fast.targets.decoder.clocks import device_clock
from docparse_fast.targets.decoder.network import forget_rope_deltas, is_hybrid, text_model_of

LOOKUP = 10  # tokens per guess, as the library's documentation suggests; also for our chain


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a baseline wrote, and its seconds."""

    answers: tuple[tuple[int, ...], ...]  # one per row, with the token that ended it
    decode_seconds: float  # after the first token
    steps: int  # passes after the first

    @property
    def tokens(self) -> tuple[int, ...]:
        """The tokens of the only row."""
        (answer,) = self.answers
        return answer

    @property
    def tokens_per_step(self) -> float:
        return (max(map(len, self.answers)) - 1) / self.steps if self.steps else 0.0


def hf_generate(model: Any, inputs: Mapping[str, Any], max_tokens: int, *, eos: frozenset[int]) -> Baseline:
    """One token per pass. Accepts a batch of rows of equal length, and a prefilled cache."""
    return _generated(model, inputs, max_tokens, eos)


def prompt_lookup(model: Any, inputs: Mapping[str, Any], max_tokens: int, *, eos: frozenset[int]) -> Baseline:
    """transformers' speculation without a draft model: it guesses what followed the same two tokens earlier."""
    _refuse_prefilled(inputs)
    usual = model._get_candidate_generator
    with _guessing(model, lambda **about: _HeldBack(usual(**about))):
        return _generated(model, inputs, max_tokens, eos, prompt_lookup_num_tokens=LOOKUP)


def chain(
    model: Any, inputs: Mapping[str, Any], max_tokens: int, *, eos: frozenset[int], drafts: Sequence[TokenDraft]
) -> Baseline:
    """Our drafts and alignment in transformers' assisted decoding: the likeliest candidate as a chain, no tree."""
    return guessed(model, inputs, max_tokens, eos=eos, guesser=_DraftChain(drafts, inputs["input_ids"].shape[1]))


def guessed(
    model: Any, inputs: Mapping[str, Any], max_tokens: int, *, eos: frozenset[int], guesser: CandidateGenerator
) -> Baseline:
    """Runs transformers' assisted decoding with this guesser."""
    _refuse_prefilled(inputs)
    with _guessing(model, lambda **_: _HeldBack(guesser)):
        return _generated(model, inputs, max_tokens, eos, prompt_lookup_num_tokens=LOOKUP)


# ------------------------------------------------------------------------------------------------- generating


def _generated(model: Any, inputs: Mapping[str, Any], max_tokens: int, eos: frozenset[int], **how: object) -> Baseline:
    forget_rope_deltas(model)
    ids: Tensor = inputs["input_ids"]
    watch = _Watch(device_clock(model.device))
    with as_shipped(model), watch.over(text_model_of(model)), torch.inference_mode():
        written = model.generate(
            **{"attention_mask": torch.ones_like(ids), **inputs},
            max_new_tokens=max_tokens,
            do_sample=False,
            num_beams=1,
            repetition_penalty=1.0,  # the model's settings may have another, which our loop ignores too
            eos_token_id=sorted(eos),
            pad_token_id=min(eos),
            **how,
        )
        seconds = watch.since_the_first_pass()
    answers = tuple(_ended(answer, eos) for answer in written[:, ids.shape[1] :].tolist())
    return Baseline(answers, seconds, watch.passes - 1)


def _ended(answer: list[int], eos: frozenset[int]) -> tuple[int, ...]:
    """The answer without the padding after its end."""
    end = next((place for place, token in enumerate(answer, start=1) if token in eos), len(answer))
    return tuple(answer[:end])


@contextmanager
def as_shipped(model: Any) -> Iterator[None]:
    """While entered, the model uses transformers' attention instead of the engine's."""
    text = text_model_of(model)
    ours = text.config._attn_implementation
    text.set_attn_implementation("sdpa")
    try:
        yield
    finally:
        text.set_attn_implementation(ours)


class _Watch:
    """Counts passes of a text model, and notes when the second begins; before it comes the prefill."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.passes = 0
        self._start = 0.0

    @contextmanager
    def over(self, language_model: Any) -> Iterator[None]:
        hook = language_model.register_forward_pre_hook(self._count)
        try:
            yield
        finally:
            hook.remove()

    def since_the_first_pass(self) -> float:
        return self._clock() - self._start if self.passes > 1 else 0.0

    def _count(self, *_: object) -> None:
        self.passes += 1
        if self.passes == 2:
            self._start = self._clock()


# ---------------------------------------------------------------------------------------------------- guessing


@contextmanager
def _guessing(model: Any, generator: Callable[..., CandidateGenerator]) -> Iterator[None]:
    """While entered, `generator` replaces the method that builds the guesser; transformers has no argument for it."""
    model._get_candidate_generator = generator
    try:
        yield
    finally:
        del model._get_candidate_generator  # restores the class's method


def check_assisted(model: Any, name: str) -> None:
    """Refuses the baseline `name` for a model whose layers keep a state: transformers can't take a guess out of it."""
    if is_hybrid(model):
        raise UsageError(
            f"--baselines {name}: transformers drafts for no model with linear attention",
            remedy="leave it out; hf-generate and our own decoding work",
        )


def _refuse_prefilled(inputs: Mapping[str, Any]) -> None:
    if CACHE in inputs:
        raise ValueError("assisted decoding can't use a prefilled cache: it reads the whole prompt again")


class _HeldBack(CandidateGenerator):  # type: ignore[misc]  # transformers is not typed
    """A guesser that offers nothing in the first pass, which reads the prompt."""

    requires_model_outputs = False

    def __init__(self, guesser: CandidateGenerator) -> None:
        self._guesser = guesser
        self._begun = False

    def get_candidates(self, input_ids: Tensor, **about: object) -> tuple[Tensor, Tensor | None]:
        if not self._begun:
            self._begun = True
            return input_ids, None
        guessed: tuple[Tensor, Tensor | None] = self._guesser.get_candidates(input_ids, **about)
        return guessed

    def update_candidate_strategy(self, input_ids: Tensor, scores: Tensor, num_matches: int) -> None:
        self._guesser.update_candidate_strategy(input_ids, scores, num_matches)


class _DraftChain(CandidateGenerator):  # type: ignore[misc]  # transformers is not typed
    requires_model_outputs = False

    def __init__(self, drafts: Sequence[TokenDraft], prompt: int) -> None:
        self._alignment = Alignment(drafts)
        self._prompt = prompt
        self._candidates: list[Candidate] = []

    def get_candidates(self, input_ids: Tensor, **_: object) -> tuple[Tensor, None]:
        fresh = input_ids[0, self._prompt + len(self._alignment.written) :].tolist()
        self._alignment.follow(self._candidates, fresh)
        self._candidates = self._alignment.candidates(LOOKUP)
        tokens = self._candidates[0].tokens[:LOOKUP] if self._candidates else []
        return torch.cat([input_ids, input_ids.new_tensor([list(tokens)])], dim=1), None

    def update_candidate_strategy(self, input_ids: Tensor, scores: Tensor, num_matches: int) -> None:
        """Nothing to do: the next call receives the accepted tokens."""
