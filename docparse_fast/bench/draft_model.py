"""Ways with a smaller model that drafts, in our own engine: it alone, and all but it. Knows no tensor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docparse_fast.bench.ways import DRAFTS, Speculative, Written, in_steps, page_view
from docparse_fast.drafted import DraftedPage
from docparse_fast.options import SpeculationOptions
from docparse_fast.speculative.decoding import Speculation
from docparse_fast.speculative.drafting import DraftedToken, DraftingCosts, DraftingModel
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.speculative.token_store import TokenStore
from docparse_fast.timing import Timer
from docparse_fast.verification.target import DocumentTarget

if TYPE_CHECKING:
    from docparse_fast.targets.drafting_model import SmallerModel
    from docparse_fast.targets.loading.document_model import DocumentModel

LONGEST = 20  # tokens of a block, and the chance that ends one: the defaults of transformers' assisted decoding
SURE = 0.4
DRAFT = "draft"  # the timer's span


@dataclass(frozen=True, slots=True)
class ModelAlone:
    """The smaller model's seconds, with its look at the page, are part of `decode`, and also given alone as `draft`."""

    smaller: SmallerModel
    options: SpeculationOptions = field(default_factory=SpeculationOptions)
    name: str = "draft-model"
    drafts: str = ""

    def run(self, job: DraftedPage, target: DocumentTarget, timer: Timer) -> Written:
        model = Timed(self.smaller.alone(job.image, longest=LONGEST, sure=SURE), timer)
        row = Row(page_view(job, target), max_tokens=self.options.answer_limit, drafting=model)
        decoded = next(iter(target.decode_rows([row], Speculation(1.0, self.options.window), timer)))
        answer = target.decode(decoded.tokens)
        return in_steps(decoded, answer, target.dialect.parse(answer, job.size).blocks)


@dataclass(frozen=True, slots=True)
class WithoutModel:
    """As `Speculative`, without the target's smaller model: beside it stands what the model adds."""

    model: DocumentModel
    options: SpeculationOptions = field(default_factory=SpeculationOptions)
    name: str = "without-model"
    drafts: str = DRAFTS

    def run(self, job: DraftedPage, target: DocumentTarget, timer: Timer) -> Written:
        drafting = self.model.smaller, self.model.head
        self.model.smaller = self.model.head = None
        try:
            return Speculative(self.options).run(job, target, timer)
        finally:
            self.model.smaller, self.model.head = drafting


class Timed:
    """A drafting model whose seconds are counted apart."""

    def __init__(self, model: DraftingModel, timer: Timer) -> None:
        self._model, self._timer = model, timer
        self._timer.seconds.setdefault(DRAFT, 0.0)

    @property
    def costs(self) -> DraftingCosts:
        return self._model.costs

    @property
    def longest(self) -> int:
        return self._model.longest

    def begin(self, store: TokenStore | None) -> None:
        with self._timer.span(DRAFT):
            self._model.begin(store)

    def propose(self, written: Sequence[int]) -> Iterator[DraftedToken]:
        coming = self._model.propose(written)
        while True:
            with self._timer.span(DRAFT):
                drafted = next(coming, None)
            if drafted is None:
                return
            yield drafted
