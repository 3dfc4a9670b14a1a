"""DOUBLE's Figure 5 and tables 3 and 9 with models of our own, beside the paper's. Runs pages; knows no tensor.

A smaller model drafts alone, as in the paper: no other drafts. A store of n-grams is read by it, by the target's tree,
by both or by neither; every tree is verified whole, whatever that costs here. The two models take turns; theirs run at
once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docparse_fast.bench.clock import Clock
from docparse_fast.bench.datasets import load
from docparse_fast.bench.reproduction.drafted_rows import at_even_costs, decoded_row
from docparse_fast.bench.reproduction.subjects import subjects
from docparse_fast.bench.reproduction.table_request import TableRequest
from docparse_fast.bench.surroundings import clock_of
from docparse_fast.bench.trial import Subject
from docparse_fast.errors import UsageError
from docparse_fast.options import SpeculationOptions
from docparse_fast.speculative.decoding import Speculation
from docparse_fast.speculative.growing_answer import Decoded, Row
from docparse_fast.speculative.target import Target
from docparse_fast.speculative.token_store import NGrams, TokenStore

if TYPE_CHECKING:
    from docparse_fast.targets.drafting_model import SmallerModel
    from docparse_fast.targets.loading.document_model import DocumentModel

LONGEST = 64  # tokens of a proposal, however few passes they took
EXACT = Speculation(1.0, widest=128)


@dataclass(frozen=True, slots=True)
class StoreMethod:
    name: str
    to_model: bool = True
    to_target: bool = True
    keep_refused: bool = True
    prior: int = 10  # pages whose answers are in the store from the start

    def store(self, answers: Sequence[Sequence[int]]) -> TokenStore:
        return TokenStore(
            prior=NGrams(answers[: self.prior]),
            keep_refused=self.keep_refused,
            to_target=self.to_target,
            to_model=self.to_model,
        )


BOTH = StoreMethod("both sides")
# their speed-ups: Figure 5 (LLaMA-3.3-70B, HumanEval), Table 3 and Table 9 (Qwen3-32B)
TABLES: Mapping[str, Mapping[StoreMethod, tuple[str, ...]]] = {
    "double-figure5": {
        StoreMethod("no retrieval", False, False): ("4.39x (PEARL)",),
        StoreMethod("target side", to_model=False): ("4.50x",),
        StoreMethod("draft side", to_target=False): ("-",),
        BOTH: ("5.33x",),
    },
    "double3": {
        StoreMethod("no prior", prior=0): ("2.35x", "1.95x", "1.78x"),
        StoreMethod("5 pages", prior=5): ("2.72x", "2.21x", "1.88x"),
        StoreMethod("10 pages", prior=10): ("2.84x", "2.30x", "1.94x"),
        StoreMethod("20 pages", prior=20): ("2.86x", "2.33x", "1.96x"),
    },
    "double9": {
        StoreMethod("without refused tokens", keep_refused=False): ("2.14x",),
        StoreMethod("with them"): ("2.30x",),
    },
}


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What one method wrote on all pages."""

    pages: int
    same: int  # pages written as the target writes them alone
    tokens: int
    passes: int
    draft_passes: int
    seconds: float
    worst: float  # a page's plain seconds over this method's

    def speed(self, ratio: float) -> float:
        """Tokens in the time of a plain pass, by the passes of both models, which take turns."""
        return self.tokens / (self.passes + self.draft_passes * ratio)


@dataclass(frozen=True, slots=True)
class Double:
    table: str
    target: str
    draft: str
    ratio: float  # T_q / T_p
    clock: str
    dataset: str
    plain_seconds: float
    found: Mapping[str, Retrieved]  # by method

    @property
    def exit_code(self) -> int:
        return 0 if all(one.same == one.pages for one in self.found.values()) else 3


def measured(request: TableRequest) -> Double:
    """The data set's first pages give the prior; the others are measured."""
    methods, [folder] = list(TABLES[request.table]), request.folders
    dataset = load(folder)
    pages, reserved = list(subjects(dataset)), max(method.prior for method in methods)
    others = pages[reserved:][: request.max_pages]
    if not others:
        why = f"{request.table} needs more than {reserved} pages"
        raise UsageError(why, remedy=f"{folder} has {len(pages)}: add pages")
    target = request.open_target()
    smaller, clock = request.open_smaller(target), clock_of(target)
    limit = SpeculationOptions().limited_by(target.longest).answer_limit
    trial = StoreTrial(target, at_even_costs(target), smaller, math.ceil(1 / smaller.ratio()), limit, clock)
    plain, found = trial.run(methods, pages[:reserved], others, request.watch)
    name = dataset.folder.absolute().name
    names = target.identity.name, smaller.draft.identity.name
    return Double(request.table, *names, smaller.ratio(), clock.kind, name, sum(plain), found)


@dataclass(frozen=True, slots=True)
class StoreTrial:
    target: DocumentModel
    decoder: Target  # the target's, with rows of its own
    smaller: SmallerModel
    passes: int  # of the smaller model for each of the target: gamma
    limit: int  # tokens of an answer
    clock: Clock

    def run(
        self,
        methods: Iterable[StoreMethod],
        before: Iterable[Subject],
        pages: Sequence[Subject],
        watch: Callable[[str], None],
    ) -> tuple[list[float], dict[str, Retrieved]]:
        """The seconds of plain decoding by page, and what each method wrote."""
        answers = [self._decode(page, None)[0].tokens for page in before]
        plain = [self._decode(page, None) for page in pages]
        found = {}
        for method in methods:
            watch(method.name)
            rows = [self._decode(page, method.store(answers)) for page in pages]
            found[method.name] = _retrieved(rows, plain)
        return [seconds for _, seconds in plain], found

    def _decode(self, subject: Subject, store: TokenStore | None) -> tuple[Decoded, float]:
        image, timer = subject.page.image, self.clock.timer()
        model = None
        if store:
            model = self.smaller.alone(image, longest=LONGEST, sure=0.0, passes=self.passes)
        row = Row(self.target.page_view(image), max_tokens=self.limit, drafting=model, store=store)
        return decoded_row(self.decoder, row, EXACT, timer), timer.seconds["decode"]


def _retrieved(rows: Sequence[tuple[Decoded, float]], plain: Sequence[tuple[Decoded, float]]) -> Retrieved:
    steps = [step for decoded, _ in rows for step in decoded.steps]
    pairs = list(zip(rows, plain, strict=True))
    return Retrieved(
        len(rows),
        sum(decoded.tokens == alone.tokens for (decoded, _), (alone, _) in pairs),
        sum(step.written for step in steps),
        len(steps),
        sum(decoded.model.passes for decoded, _ in rows if decoded.model),
        sum(seconds for _, seconds in rows),
        min(alone / took for (_, took), (_, alone) in pairs),
    )
