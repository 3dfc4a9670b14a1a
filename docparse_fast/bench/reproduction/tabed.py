"""TABED's tables 1, 3 and 4 with models of our own, beside the paper's. Runs pages; knows no tensor.

Block efficiency is the number of tokens that a pass of the target writes when a draft model drafts five, and every
block is verified whole, whatever that costs here. The speed-up is computed from it as in the paper (Eq. 1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docparse_fast.bench.datasets import load
from docparse_fast.bench.reproduction.comparing import Column, Compared, ComparedRow, ComparedTable
from docparse_fast.bench.reproduction.drafted_rows import at_even_costs, decoded_row
from docparse_fast.bench.reproduction.subjects import subjects
from docparse_fast.bench.reproduction.table_request import TableRequest
from docparse_fast.bench.trial import Subject
from docparse_fast.bench.ways import page_view
from docparse_fast.drafted import DraftedPage
from docparse_fast.drafting import Drafter, open_drafter
from docparse_fast.options import DraftOptions, SpeculationOptions
from docparse_fast.speculative.decoding import Speculation
from docparse_fast.speculative.drafting import DraftingModel
from docparse_fast.speculative.ensemble import ByError, ByTenths, Fixed, RandomWeights, Weighting
from docparse_fast.speculative.growing_answer import Decoded, Row
from docparse_fast.speculative.target import Target
from docparse_fast.verification.page import page_drafts

if TYPE_CHECKING:
    from docparse_fast.targets.drafting_model import SmallerModel
    from docparse_fast.targets.loading.document_model import DocumentModel
    from docparse_fast.targets.page_inputs import Sight

BLOCK = 5  # gamma
SEED = 1


@dataclass(frozen=True, slots=True)
class Method:
    """A way of drafting: what the model is shown, and how its drafts are weighed."""

    name: str
    sights: tuple[Sight, ...]
    weighting: Callable[[], Weighting] = Fixed


M, T, C, P = Method("M", ("M",)), Method("T", ("T",)), Method("C", ("C",)), Method("P", ("P",))
RANDOM = Method("Random MT", ("M", "T"), lambda: RandomWeights(SEED))
STATIC = Method("Static MT", ("M", "T"))
MT = Method("TABED MT", ("M", "T"), ByTenths)
MC = Method("TABED MC", ("M", "C"), ByTenths)  # ours: C is exact text here, no caption
MTCP = Method("TABED MTCP", ("M", "T", "C", "P"), lambda: ByError(4))

# block efficiency on the mean of their seven benchmarks, in both turns, and of their two sets out of distribution
TABLES: Mapping[str, Mapping[Method, tuple[float, ...]]] = {
    "tabed1": {M: (2.24, 2.00, 1.18), T: (2.23, 2.28, 2.05), MT: (2.31, 2.27, 2.03)},
    "tabed3": {
        M: (2.24, 2.00, 1.18),
        T: (2.23, 2.28, 2.05),
        C: (2.29, 2.30, 2.09),
        P: (2.23, 2.25, 2.08),
        MTCP: (2.32, 2.32, 2.13),
        MC: (),
    },
    "tabed4": {RANDOM: (2.29, 2.17, 1.83), STATIC: (2.31, 2.25, 1.93), MT: (2.31, 2.27, 2.03)},
}
TITLES = {
    "tabed1": "TABED, Table 1. One draft with the image (M), one without (T), and both weighed at test time.",
    "tabed3": "TABED, Table 3. Text in the place of the image (C), pooled cells (P), and all four.",
    "tabed4": "TABED, Table 4. Random, even and adapted weights of M and T.",
}
THEIRS = ("first turn", "second turn", "OOD")
THEIR_RATIO = 0.063  # of their draft model's token to their target's (Table 13)
OURS_IN_WORDS = (
    "Ours are small models of our own on small synthetic pages; theirs are LLaVA-1.5 of 7 billion and 68 million\n"
    "weights on questions about photographs. So compare the order of the rows, not the figures."
)
NOTE = (
    "Block efficiency: tokens a pass of the target, {block} drafted. Speed-up: efficiency / ({block} T_q/T_p + 1), as\n"
    "they compute it; no clock is read. C is what our OCR read; theirs is a caption. Weights adapt by hard labels,\n"
    "which are the target's tokens. MTCP's errors are shares of misses; theirs are sums of divergences."
)


@dataclass(frozen=True, slots=True)
class Blocks:
    """What one method wrote on one data set."""

    pages: int
    same: int  # pages written as the target writes them alone
    tokens: int
    passes: int

    @property
    def efficiency(self) -> float:
        return self.tokens / self.passes


def measured(request: TableRequest) -> Compared:
    target, methods = request.open_target(), list(TABLES[request.table])
    smaller = request.open_smaller(target)
    limit = SpeculationOptions().limited_by(target.longest).answer_limit
    drafter = open_drafter(DraftOptions(request.drafter, ocr="always"))
    trial = EnsembleTrial(target, at_even_costs(target), smaller, drafter, limit)
    datasets = [load(folder) for folder in request.folders]
    found = [trial.run(methods, subjects(dataset, request.max_pages), request.watch) for dataset in datasets]
    names = tuple(dataset.folder.absolute().name for dataset in datasets)
    ratios = {method.name: smaller.ratio(len(method.sights)) for method in methods}
    rows = tuple(
        _row(method.name, [blocks[method.name] for blocks in found], ratios[method.name], TABLES[request.table][method])
        for method in methods
    )
    same, answers = (int(sum(row.counted[name] for row in rows)) for name in ("same", "pages"))
    target_name, draft_name = target.identity.name, smaller.draft.identity.name
    shown = ", ".join(f"{ratio:.3f}" for ratio in dict.fromkeys(ratios.values()))
    return Compared(
        request.table,
        f"{TITLES[request.table]}\n{OURS_IN_WORDS}",
        [ComparedTable((*map(Column, names), Column("speed-up", "x")), THEIRS, rows)],
        [
            f"Target {target_name}, draft model {draft_name}: T_q/T_p {shown}, by rows (theirs {THEIR_RATIO});\n"
            f"at tau 1 {same} of {answers} of the answers are those of the target alone, token for token.",
            NOTE.format(block=BLOCK),
        ],
        {"target": target_name, "draft": draft_name, "ratios": ratios},
        same,
        answers,
    )


def _row(name: str, blocks: Sequence[Blocks], ratio: float, theirs: tuple[float, ...]) -> ComparedRow:
    counted = {key: sum(getattr(each, key) for each in blocks) for key in ("pages", "same", "tokens", "passes")}
    speed = counted["tokens"] / counted["passes"] / (BLOCK * ratio + 1)
    return ComparedRow(name, (*(each.efficiency for each in blocks), speed), theirs, counted)


@dataclass(frozen=True, slots=True)
class EnsembleTrial:
    target: DocumentModel
    decoder: Target  # the target's, with rows of its own
    smaller: SmallerModel
    drafter: Drafter
    limit: int  # tokens of an answer

    def run(
        self, methods: Sequence[Method], pages: Iterable[Subject], watch: Callable[[str], None]
    ) -> dict[str, Blocks]:
        wrote: dict[str, list[Decoded]] = {method.name: [] for method in methods}
        same = dict.fromkeys(wrote, 0)
        for subject in pages:
            draft = self.drafter.draft(subject.page)
            job = DraftedPage(draft.number, draft, picture=subject.page.image)
            plain = self._decode(job, None).tokens
            text = self._read_by_ocr(job)
            for method in methods:
                watch(f"{subject.name}, {method.name}")
                decoded = self._decode(job, self._drafts(job, text, method))
                wrote[method.name].append(decoded)
                same[method.name] += decoded.tokens == plain
        return {name: _blocks(rows, same[name]) for name, rows in wrote.items()}

    def _decode(self, job: DraftedPage, model: DraftingModel | None) -> Decoded:
        row = Row(page_view(job, self.target), max_tokens=self.limit, drafting=model)
        return decoded_row(self.decoder, row, Speculation(1.0))

    def _drafts(self, job: DraftedPage, text: str, method: Method) -> DraftingModel:
        return self.smaller.ensemble(job.image, text, method.sights, method.weighting(), longest=BLOCK)

    def _read_by_ocr(self, job: DraftedPage) -> str:
        """The drafts as the target would write them: one reading of each region."""
        phrases, _ = page_drafts(job.regions, self.target, job.size)
        texts = {phrase.regions: phrase.text for phrase in reversed(phrases)}
        return "".join(texts[regions] for regions in sorted(texts)).rstrip("\0").rstrip()


def _blocks(rows: Sequence[Decoded], same: int) -> Blocks:
    steps = [step for row in rows for step in row.steps]
    return Blocks(len(rows), same, sum(step.written for step in steps), len(steps))
