"""What one would use without our engine: the same model through transformers' generate(). Knows no loop of ours.

Each way takes a model, its inputs (of a page with its image, or of text alone) and the most tokens to write, and writes
what the model writes greedily. Its seconds are those of decoding alone: the pass that looks at the prompt, and writes
the first token, is not in them, as it is not in our own "decode" span. So that all ways begin alike, no way guesses in
that pass. (As shipped, transformers' prompt lookup does, and where it copies an image's place holders out of the prompt
the model refuses the pass, as they have no image. Nothing else is kept from it, nothing suppressed.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from transformers.generation.candidate_generator import CandidateGenerator

from docparse_fast.speculative.alignment import Alignment, Candidate, TokenDraft
from docparse_fast.targets.decoder.clocks import device_clock
from docparse_fast.targets.decoder.network import forget_rope_deltas

LOOKUP = 10  # tokens a guess, as the library's documentation suggests; our chain gets as many


@dataclass(frozen=True, slots=True)
class Baseline:
    """What was written, and in what time."""

    answers: tuple[tuple[int, ...], ...]  # a row each, with the token that ended it
    decode_seconds: float  # after the first token
    steps: int  # passes after the first
    guess_seconds: float = 0.0  # of a smaller model, among those

    @property
    def tokens(self) -> tuple[int, ...]:
        """The only row's."""
        (answer,) = self.answers
        return answer

    @property
    def tokens_per_step(self) -> float:
        return (max(map(len, self.answers)) - 1) / self.steps if self.steps else 0.0


def hf_generate(model: Any, inputs: Mapping[str, Any], max_tokens: int, *, eos: frozenset[int]) -> Baseline:
    """One token a pass. Takes several rows of one length as a batch, and goes on from a prefilled cache."""
    return _generated(model, inputs, max_tokens, eos)


def prompt_lookup(model: Any, inputs: Mapping[str, Any], max_tokens: int, *, eos: frozenset[int]) -> Baseline:
    """transformers' own speculation without a second model: what followed the same two tokens in prompt or answer."""
    _refuse_prefilled(inputs)
    usual = model._get_candidate_generator
    with _guessing(model, lambda **about: _HeldBack(usual(**about))):
        return _generated(model, inputs, max_tokens, eos, prompt_lookup_num_tokens=LOOKUP)


def chain(
    model: Any, inputs: Mapping[str, Any], max_tokens: int, *, eos: frozenset[int], drafts: Sequence[TokenDraft]
) -> Baseline:
    """Our drafts and our alignment through transformers' assisted decoding: the likeliest candidate, no tree."""
    return guessed(model, inputs, max_tokens, eos=eos, guesser=_DraftChain(drafts, inputs["input_ids"].shape[1]))


def guessed(
    model: Any, inputs: Mapping[str, Any], max_tokens: int, *, eos: frozenset[int], guesser: CandidateGenerator
) -> Baseline:
    """Any guesser's chains through transformers' assisted decoding."""
    _refuse_prefilled(inputs)
    with _guessing(model, lambda **_: _HeldBack(guesser)):
        return _generated(model, inputs, max_tokens, eos, prompt_lookup_num_tokens=LOOKUP)


# ------------------------------------------------------------------------------------------------- generating


def _generated(model: Any, inputs: Mapping[str, Any], max_tokens: int, eos: frozenset[int], **how: object) -> Baseline:
    parts = model.model
    forget_rope_deltas(model)
    ids: Tensor = inputs["input_ids"]
    watch = _Watch(device_clock(model.device))
    with as_shipped(model), watch.over(parts.language_model), torch.inference_mode():
        written = model.generate(
            **{"attention_mask": torch.ones_like(ids), **inputs},
            max_new_tokens=max_tokens,
            do_sample=False,
            num_beams=1,
            repetition_penalty=1.0,  # a model's own settings may have another; our loop is not given it either
            eos_token_id=sorted(eos),
            pad_token_id=min(eos),
            **how,
        )
        seconds = watch.since_the_first_pass()
    answers = tuple(_ended(answer, eos) for answer in written[:, ids.shape[1] :].tolist())
    return Baseline(answers, seconds, watch.passes - 1)


def _ended(answer: list[int], eos: frozenset[int]) -> tuple[int, ...]:
    """Without what pads a row that ended before others."""
    end = next((place for place, token in enumerate(answer, start=1) if token in eos), len(answer))
    return tuple(answer[:end])


@contextmanager
def as_shipped(model: Any) -> Iterator[None]:
    """With transformers' own attention, if the engine has put its own into this model."""
    text = model.model.language_model
    ours = text.config._attn_implementation
    text.set_attn_implementation("sdpa")
    try:
        yield
    finally:
        text.set_attn_implementation(ours)


class _Watch:
    """Counts passes of a text model, and notes when the second begins: what was before it is prefill."""

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
    """transformers builds the guesser of assisted decoding in a method, and has no argument for one's own."""
    model._get_candidate_generator = generator
    try:
        yield
    finally:
        del model._get_candidate_generator  # the class's own again


def _refuse_prefilled(inputs: Mapping[str, Any]) -> None:
    if "past_key_values" in inputs:
        raise ValueError("assisted decoding reads the whole prompt again, also behind a prefilled cache of it")


class _HeldBack(CandidateGenerator):  # type: ignore[misc]  # transformers is not typed
    """A guesser that keeps silent while the prompt is looked at."""

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
        """The next call sees what was accepted by itself."""
