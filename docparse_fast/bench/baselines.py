"""What one would use without our engine, as ways: transformers' generate(), alone and with guesses. Knows names.

Each is run by `engine.generate` on the very inputs that the target looks at, with the model's own attention. How they
count and what they time is said there: decoding after the first token, so that all ways begin alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docparse_fast.bench.ways import DRAFTS, PageWay, Written, page_view
from docparse_fast.drafted import DraftedPage
from docparse_fast.errors import UsageError
from docparse_fast.options import ParseOptions, one_of
from docparse_fast.speculative.writing import Finish
from docparse_fast.timing import Timer
from docparse_fast.verification.page import page_drafts
from docparse_fast.verification.target import DocumentTarget

if TYPE_CHECKING:
    from docparse_fast.bench.engine.generate import Baseline
    from docparse_fast.targets.document_model import DocumentModel

GENERATE = "hf-generate"
LOOKUP = "prompt-lookup"
CHAIN = "chain"
DRAFT_MODEL = "draft-model"
BASELINES = (GENERATE, LOOKUP, CHAIN, f"{DRAFT_MODEL}:PATH")


def check_baselines(names: Sequence[str]) -> None:
    """
    >>> check_baselines(["chian"])
    Traceback (most recent call last):
    docparse_fast.errors.UsageError: --baselines 'chian' is not one of hf-generate, prompt-lookup, chain, \
draft-model:PATH; did you mean 'chain'?
    """
    for name in names:
        kind, _, path = name.partition(":")
        if kind != DRAFT_MODEL:
            one_of("--baselines", name, BASELINES)
        elif not path:
            raise UsageError(f"--baselines {name} names no model", remedy=f"say {DRAFT_MODEL}:PATH, or :NAME")


def baseline_ways(names: Sequence[str], target: DocumentModel, options: ParseOptions) -> list[PageWay]:
    """The ways of these names; a smaller model is loaded, and refused where it can't guess for this target."""
    return [_way(name, target, options) for name in dict.fromkeys(names)]


def _way(name: str, target: DocumentModel, options: ParseOptions) -> PageWay:
    from docparse_fast.bench.engine import generate

    limit = options.speculation.max_new_tokens
    foreign = {GENERATE: generate.hf_generate, LOOKUP: generate.prompt_lookup}
    if name in foreign:
        return Foreign(name, target, limit, foreign[name])
    if name == CHAIN:
        return Chain(name, target, limit)
    return DraftModel(name, target, limit, _draft_model(name, target, options))


def _draft_model(name: str, target: DocumentModel, options: ParseOptions) -> DocumentModel:
    from docparse_fast.bench.engine.draft_model import check_draft_model
    from docparse_fast.targets import open_target

    wanted = options.target
    model = name.partition(":")[2]
    draft = open_target(model, device=wanted.device, dtype=wanted.dtype, offline=wanted.offline)
    check_draft_model(target, draft)
    return draft


Generate = Callable[..., "Baseline"]


@dataclass(frozen=True, slots=True)
class Foreign:
    """transformers' loop, with what it brings itself."""

    name: str
    target: DocumentModel
    max_tokens: int
    generate: Generate
    drafts: str = ""

    def run(self, job: DraftedPage, target: DocumentTarget, timer: Timer) -> Written:
        with timer.span("generate"):
            inputs = self.target.inputs_of(page_view(job, target))
            found = self.generate(self.target.model.model, inputs, self.max_tokens, eos=self.target.model.eos)
        return _written(found, self.target, job, timer)


@dataclass(frozen=True, slots=True)
class Chain:
    """Our drafts, raw, as chains: what there is without trees, stages, budget and an engine of one's own."""

    name: str
    target: DocumentModel
    max_tokens: int
    drafts: str = DRAFTS

    def run(self, job: DraftedPage, target: DocumentTarget, timer: Timer) -> Written:
        from docparse_fast.bench.engine.generate import chain

        _, drafts = page_drafts(job.regions, target, job.size)
        with timer.span("generate"):
            inputs = self.target.inputs_of(page_view(job, target))
            found = chain(self.target.model.model, inputs, self.max_tokens, eos=self.target.model.eos, drafts=drafts)
        return _written(found, self.target, job, timer)


@dataclass(frozen=True, slots=True)
class DraftModel:
    """Vanilla speculative decoding, the paper's VSD: a smaller model guesses. Its seconds are in `decode`."""

    name: str
    target: DocumentModel
    max_tokens: int
    draft: DocumentModel
    drafts: str = ""

    def run(self, job: DraftedPage, target: DocumentTarget, timer: Timer) -> Written:
        from docparse_fast.bench.engine.draft_model import draft_model

        with timer.span("generate"):
            inputs = self.target.inputs_of(page_view(job, target))
            found, timer.seconds["draft"] = draft_model(
                self.target.model.model, inputs, self.max_tokens, eos=self.target.model.eos, draft=self.draft.model
            )
        return _written(found, self.target, job, timer)


def _written(found: Baseline, target: DocumentModel, job: DraftedPage, timer: Timer) -> Written:
    timer.seconds["decode"] = found.decode_seconds
    timer.seconds["prefill"] = timer.seconds.pop("generate") - found.decode_seconds
    answer = target.decode(found.tokens)
    blocks = target.dialect.parse(answer, job.size).blocks
    after_the_first = len(found.tokens) - 1
    finish = Finish.EOS if found.tokens[-1] in target.model.eos else Finish.LENGTH
    guessed = max(0, after_the_first - found.steps)  # each pass writes one token of the model's own
    return Written(found.tokens, answer, blocks, str(finish), after_the_first, found.steps, guessed)
