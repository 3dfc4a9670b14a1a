"""DOUBLE's Figure 5 and tables 3 and 9 with models of our own, beside the paper's. Runs pages; knows no tensor.

A smaller model drafts alone, as in the paper: no other drafts. A store of n-grams is read by it, by the target's tree,
by both or by neither; every tree is verified whole, whatever that costs here. The two models take turns; theirs run at
once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docparse_fast.bench.clock import Clock
from docparse_fast.bench.datasets import load
from docparse_fast.bench.reproduction.comparing import Column, Compared, ComparedRow, ComparedTable
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
TITLES = {
    "double-figure5": "DOUBLE, Figure 5. A store of n-grams read by the draft model, by the target, by both.",
    "double3": "DOUBLE, Table 3. A prior in the store: answers to other pages.",
    "double9": "DOUBLE, Table 9. Refused tokens in the store.",
}
THEIRS = {
    "double-figure5": ("HumanEval",),
    "double3": ("HumanEval", "GSM8K", "MT-Bench"),
    "double9": ("MT-Bench",),
}
OURS_IN_WORDS = (
    "Ours are small models of our own on small synthetic pages, which take turns; theirs are LLaMA-3.3 of 70 and\n"
    "Qwen3 of 32 billion weights, which run at once on several GPUs. So compare the order of the rows."
)
NOTE = (
    "Tokens: for each pass of the target. Draft passes: of the draft model, for each of the target. By passes: tokens\n"
    "in the time of a plain pass, from both models' passes and T_q/T_p. Measured: plain decoding's {clock} seconds\n"
    "over the method's, with its wider passes, all of the loop, and the draft model's look at the page; worst: the\n"
    "same of a page.\n"
    "A prior is the target's answers to the first pages of the data set, which are not measured."
)
COLUMNS = (
    Column("tokens"),
    Column("draft passes"),
    *(Column(name, "x") for name in ("by passes", "measured", "worst")),
)


def measured(request: TableRequest) -> Compared:
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
    rows = tuple(trial.run(TABLES[request.table], pages[:reserved], others, request.watch))
    names, ratio = (target.identity.name, smaller.draft.identity.name), smaller.ratio()
    same, answers = int(sum(row.counted["same"] for row in rows)), len(rows) * len(others)
    return Compared(
        request.table,
        f"{TITLES[request.table]}\n{OURS_IN_WORDS}",
        [ComparedTable(COLUMNS, THEIRS[request.table], rows)],
        [
            f"Target {names[0]}, draft model {names[1]}, T_q/T_p {ratio:.3f}, {dataset.folder.absolute().name}, "
            f"{len(others)} pages;\n"
            f"at tau 1 {same} of {answers} answers are those of the target alone, token for token.",
            NOTE.format(clock=clock.kind),
        ],
        {"target": names[0], "draft": names[1], "ratio": ratio, "clock": clock.kind, "data": dataset.folder.name},
        same,
        answers,
    )


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
        methods: Mapping[StoreMethod, tuple[str, ...]],
        before: Iterable[Subject],
        pages: Sequence[Subject],
        watch: Callable[[str], None],
    ) -> Iterator[ComparedRow]:
        """A row for each method, with what theirs gained."""
        answers = [self._decode(page, None)[0].tokens for page in before]
        plain = [self._decode(page, None) for page in pages]
        for method, theirs in methods.items():
            watch(method.name)
            found = [self._decode(page, method.store(answers)) for page in pages]
            yield _row(method.name, found, plain, self.smaller.ratio(), theirs)

    def _decode(self, subject: Subject, store: TokenStore | None) -> tuple[Decoded, float]:
        image, timer = subject.page.image, self.clock.timer()
        model = None
        if store:
            model = self.smaller.alone(image, longest=LONGEST, sure=0.0, passes=self.passes)
        row = Row(self.target.page_view(image), max_tokens=self.limit, drafting=model, store=store)
        return decoded_row(self.decoder, row, EXACT, timer), timer.seconds["decode"]


def _row(
    name: str,
    found: Sequence[tuple[Decoded, float]],
    plain: Sequence[tuple[Decoded, float]],
    ratio: float,
    theirs: tuple[str, ...],
) -> ComparedRow:
    """Its tokens, draft passes and speed by passes (the two models take turns), then by the clock, and the worst."""
    steps = [step for decoded, _ in found for step in decoded.steps]
    tokens, passes = sum(step.written for step in steps), len(steps)
    draft_passes = sum(decoded.model.passes for decoded, _ in found if decoded.model)
    seconds, of_plain = (sum(took for _, took in rows) for rows in (found, plain))
    pairs = list(zip(found, plain, strict=True))
    worst = min(alone / took for (_, took), (_, alone) in pairs)
    same = sum(decoded.tokens == alone.tokens for (decoded, _), (alone, _) in pairs)
    counted: dict[str, float] = {
        "pages": len(pairs),
        "same": same,
        "tokens": tokens,
        "passes": passes,
        "draft_passes": draft_passes,
    }
    counted |= {"seconds": seconds, "plain_seconds": of_plain}
    by_passes = tokens / (passes + draft_passes * ratio)
    ours = (tokens / passes, draft_passes / passes, by_passes, of_plain / seconds, worst)
    return ComparedRow(name, ours, theirs, counted)
