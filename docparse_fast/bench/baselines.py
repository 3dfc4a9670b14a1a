"""The baselines of `bench run`: transformers' generate(), alone and with drafts. Knows their names.

`engine.generate` runs each of them on the same inputs as the target, with the model's own attention. It times decoding
after the first token, so that all ways begin alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docparse_fast.bench.draft_model import ModelAlone
from docparse_fast.bench.ways import DRAFTS, PageWay, Written, page_view
from docparse_fast.drafted import DraftedPage
from docparse_fast.errors import UsageError
from docparse_fast.opening import open_smaller
from docparse_fast.options import ParseOptions
from docparse_fast.options.declaring import one_of
from docparse_fast.speculative.growing_answer import Finish
from docparse_fast.timing import Timer
from docparse_fast.verification.page import page_drafts
from docparse_fast.verification.target import DocumentTarget

if TYPE_CHECKING:
    from docparse_fast.bench.engine.generate import Baseline
    from docparse_fast.targets.loading.document_model import DocumentModel

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
            raise UsageError(f"--baselines {name} names no model", remedy=f"write {DRAFT_MODEL}:PATH, or :NAME")


def baseline_ways(names: Sequence[str], target: DocumentModel, options: ParseOptions) -> list[PageWay]:
    """The ways of these names; loads a draft model, and refuses one that can't draft for this target."""
    return [_way(name, target, options) for name in dict.fromkeys(names)]


def _way(name: str, target: DocumentModel, options: ParseOptions) -> PageWay:
    from docparse_fast.bench.engine import generate

    if name.startswith(f"{DRAFT_MODEL}:"):
        smaller = open_smaller(target, name.partition(":")[2], options.target)
        return ModelAlone(smaller, options.speculation, name)
    limit = options.speculation.answer_limit
    known: dict[str, Callable[..., Baseline]] = {
        GENERATE: generate.hf_generate,
        LOOKUP: generate.prompt_lookup,
        CHAIN: generate.chain,
    }
    if name != GENERATE:
        generate.check_assisted(target.decoder.network, name)
    return Foreign(name, target, limit, known[name], DRAFTS if name == CHAIN else "")


@dataclass(frozen=True, slots=True)
class Foreign:
    """transformers' loop: with its own drafts, or with our raw drafts as chains."""

    name: str
    target: DocumentModel
    max_tokens: int
    generate: Callable[..., Baseline]
    drafts: str = ""

    def run(self, job: DraftedPage, target: DocumentTarget, timer: Timer) -> Written:
        ours, decoder = self.target, self.target.decoder
        guesses = {"drafts": page_drafts(job.regions, target, job.size)[1]} if self.drafts else {}
        with timer.span("generate"):
            inputs = ours.inputs_of(page_view(job, target))
            found = self.generate(decoder.network, inputs, self.max_tokens, eos=decoder.eos, **guesses)
        timer.seconds["decode"] = found.decode_seconds
        timer.seconds["prefill"] = timer.seconds.pop("generate") - found.decode_seconds
        answer = ours.decode(found.tokens)
        blocks = ours.dialect.parse(answer, job.size).blocks
        after_the_first = len(found.tokens) - 1
        finish = Finish.EOS if found.tokens[-1] in decoder.eos else Finish.LENGTH
        guessed = max(0, after_the_first - found.steps)  # each pass writes one token of the model's own
        return Written(found.tokens, answer, blocks, str(finish), after_the_first, found.steps, guessed)
