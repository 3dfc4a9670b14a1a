"""DREAM-R's Figure 7 with a judge of drafts: what alpha does to accuracy, to the accepted share and to speed.

Every page is judged once and all its regions are read once; what each alpha leaves to read follows from that. Drafts
are taken as they are, and with letters misread in known places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from docparse_fast.bench.datasets import load
from docparse_fast.bench.likeness import likeness
from docparse_fast.bench.reproduction.sources import samples
from docparse_fast.bench.reproduction.subjects import subjects
from docparse_fast.bench.spoiling import misread
from docparse_fast.bench.surroundings import clock_of
from docparse_fast.bench.tables import NONE, Heading, Part, Table, figure, times
from docparse_fast.document import PageDraft, ParsedPage, block_of
from docparse_fast.drafted import DraftedPage
from docparse_fast.drafting import Drafter, open_drafter
from docparse_fast.errors import UsageError
from docparse_fast.options import DraftOptions, SpeculationOptions, TargetOptions
from docparse_fast.rendering.markdown import render_page
from docparse_fast.system.typed_json import written
from docparse_fast.targets import open_target
from docparse_fast.verification.judged_regions import least_shares
from docparse_fast.verification.policy import plan
from docparse_fast.verification.regions import Readings, verify_regions

if TYPE_CHECKING:
    from docparse_fast.bench.clock import Clock
    from docparse_fast.bench.trial import Subject
    from docparse_fast.targets.loading.document_model import DocumentModel

TABLE = "dream-r7"
FORMAT, VERSION = "docparse-fast/judge-sweep", 1
ALPHAS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0)
MISREAD = 0.01  # of the letters
SEED = 1
TITLE = (
    "DREAM-R, Figure 7. The acceptance threshold alpha.\n"
    "Ours is {target}, a small model of our own on small pages, which judges drafts of regions by its own\n"
    "probabilities; theirs are Qwen3-VL of 32 and 2 billion weights that judge steps of reasoning by a prompt. The\n"
    "figure prints no numbers; they choose 0.7, where accuracy is kept and most of the speed-up is left."
)
COLUMNS = ("alpha", "accepted", "spoilt", "wrong of accepted", "likeness", "speed-up")
NOTE = (
    "accepted: regions whose drafts stand. Spoilt: drafts with a misread letter that stand, of all such drafts.\n"
    "Likeness: letters of the page's text as in the truth, 100 at best. Speed-up: over reading every region's crop,\n"
    "by {clock} seconds of judging and of reading, shared out by the tokens that were read."
)


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """A page's regions by number: the judge's shares, whether letters were misread, and what reading them took."""

    shares: Mapping[int, float]
    spoilt: frozenset[int]
    tokens: Mapping[int, int]  # of the regions' own answers
    judge_seconds: float
    reading_seconds: float
    likeness: Mapping[float, float]  # by alpha; empty without a truth


@dataclass(frozen=True, slots=True)
class SweepRequest:
    """`options` give the device; their target's name is ignored in favour of `targets`."""

    targets: Sequence[str]
    options: TargetOptions
    data: Sequence[Path] = ()  # nano's samples unless said
    drafter: str = "auto"
    max_pages: int | None = None

    def __post_init__(self) -> None:
        if len(self.targets) != 1 or len(self.data) > 1:
            needs = "one --target and at most one --data"
            raise UsageError(f"{TABLE} is measured with {needs}", remedy="name these")

    def open_target(self) -> DocumentModel:
        """Without a penalty on repetition, as elsewhere in these tables."""
        [name], options = self.targets, self.options
        return open_target(
            name, device=options.device, dtype=options.dtype, offline=options.offline, repetition_penalty=1.0
        )


def swept(request: SweepRequest, watch: Callable[[str], None] = lambda what: None) -> JudgeSweep:
    target, [folder] = request.open_target(), request.data or [samples()]
    clock, dataset = clock_of(target), load(folder)
    trial = SweepTrial(target, clock, open_drafter(DraftOptions(request.drafter, ocr="always")))
    found: dict[str, list[JudgedPage]] = {}
    for subject in subjects(dataset, request.max_pages):
        watch(subject.name)
        for name, page in trial.run(subject):
            found.setdefault(name, []).append(page)
    drafts = tuple(SweptDrafts.of(name, pages) for name, pages in found.items())
    return JudgeSweep(target.identity.name, clock.kind, dataset.folder.absolute().name, drafts)


@dataclass(frozen=True, slots=True)
class SweepTrial:
    target: DocumentModel
    clock: Clock
    drafter: Drafter

    def run(self, subject: Subject) -> Iterator[tuple[str, JudgedPage]]:
        draft = self.drafter.draft(subject.page)
        yield "drafts as they are", self._page(subject, draft, draft)
        yield f"{MISREAD:.0%} of letters misread", self._page(subject, misread(draft, MISREAD, SEED), draft)

    def _page(self, subject: Subject, draft: PageDraft, before: PageDraft) -> JudgedPage:
        page = DraftedPage(draft.number, draft, picture=subject.page.image)
        wanted = plan(page, self.target, "judge").regions
        timer = self.clock.timer()
        with timer.span("judge"):
            shares = least_shares(page.regions, page.image, self.target)
        options = SpeculationOptions().limited_by(self.target.longest)
        with timer.span("read"):
            readings = verify_regions([(page, wanted)], self.target, options, self.clock.timer())[page.number]
        return JudgedPage(
            {n: shares.get(n, 0.0) for n in wanted},
            frozenset(n for n in wanted if draft.regions[n].text != before.regions[n].text),
            {n: len(reading.decoded.tokens) for n, reading in readings.items()},
            timer.seconds["judge"],
            timer.seconds["read"],
            self._likeness(subject.truth, page, shares, readings),
        )

    def _likeness(
        self, truth: object, page: DraftedPage, shares: Mapping[int, float], readings: Readings
    ) -> Mapping[float, float]:
        if not isinstance(truth, str):
            return {}
        return {alpha: likeness(truth, _text(page, shares, readings, alpha)) for alpha in ALPHAS}


def _text(page: DraftedPage, shares: Mapping[int, float], readings: Readings, alpha: float) -> str:
    """The page with the drafts that stand, and the target's readings for the others."""
    blocks = []
    for n, region in enumerate(page.regions):
        text = readings[n].text if n in readings and shares.get(n, 0.0) <= alpha else None
        blocks.append(replace(block_of(region), text=region.text if text is None else text))
    return render_page(ParsedPage(page.number, blocks=tuple(blocks)))


# ------------------------------------------------------------------------------------------------ as a table


@dataclass(frozen=True, slots=True)
class AlphaRow:
    """What an alpha leaves: counts of regions, and beside them the page's likeness and the speed-up."""

    alpha: float
    accepted: int
    wrong: int  # of the accepted: those with a misread letter
    likeness: float | None
    speedup: float | None

    @staticmethod
    def of(alpha: float, pages: Sequence[JudgedPage]) -> AlphaRow:
        stand = [(page, n) for page in pages for n, share in page.shares.items() if share > alpha]
        likely = [page.likeness[alpha] for page in pages if page.likeness]
        whole = sum(page.reading_seconds for page in pages)
        spent = sum(page.judge_seconds + page.reading_seconds * _left(page, alpha) for page in pages)
        wrong = sum(n in page.spoilt for page, n in stand)
        return AlphaRow(alpha, len(stand), wrong, fmean(likely) if likely else None, whole / spent if spent else None)


@dataclass(frozen=True, slots=True)
class SweptDrafts:
    """One kind of drafts, judged: a row for each alpha."""

    name: str
    regions: int
    spoilt: int
    area_under_roc: float | None
    rows: tuple[AlphaRow, ...]
    pages: Sequence[JudgedPage]

    @staticmethod
    def of(name: str, pages: Sequence[JudgedPage]) -> SweptDrafts:
        regions, spoilt = sum(len(page.shares) for page in pages), sum(len(page.spoilt) for page in pages)
        rows = tuple(AlphaRow.of(alpha, pages) for alpha in ALPHAS)
        return SweptDrafts(name, regions, spoilt, area_under_roc(pages), rows, pages)

    def report(self, data: str) -> Iterator[Part]:
        yield f"{self.name}: {len(self.pages)} pages of {data}, {self.regions} regions"
        yield Table(tuple(map(Heading, COLUMNS)), tuple(map(self._line, self.rows)))
        if self.area_under_roc is not None:
            roc = f"{self.area_under_roc:.3f}"
            yield f"area under ROC of the judge's shares, spoilt drafts against the others: {roc}"

    def _line(self, row: AlphaRow) -> tuple[str, ...]:
        shares = ((row.accepted, self.regions), (row.wrong, self.spoilt), (row.wrong, row.accepted))
        speedup = NONE if row.speedup is None else times(row.speedup)
        return (f"{row.alpha:g}", *(_share(*each) for each in shares), figure(row.likeness, "score"), speedup)


@dataclass(frozen=True, slots=True)
class JudgeSweep:
    target: str
    clock: str
    data: str
    drafts: tuple[SweptDrafts, ...]

    def report(self) -> Iterator[Part]:
        yield TITLE.format(target=self.target)
        for drafts in self.drafts:
            yield from drafts.report(self.data)
        yield NOTE.format(clock=self.clock)

    def to_json(self) -> str:
        return written(self, format=FORMAT, version=VERSION) + "\n"


def area_under_roc(pages: Sequence[JudgedPage]) -> float | None:
    """How often a spoilt draft has a smaller share than one that is not spoilt; None without both."""
    shares: tuple[list[float], list[float]] = ([], [])
    for page in pages:
        for n, share in page.shares.items():
            shares[n in page.spoilt].append(share)
    right, spoilt = shares
    if not right or not spoilt:
        return None
    return fmean((low < high) + (low == high) / 2 for low in spoilt for high in right)


def _left(page: JudgedPage, alpha: float) -> float:
    """The part of the tokens that are still to be read."""
    left = sum(count for n, count in page.tokens.items() if page.shares[n] <= alpha)
    return left / max(1, sum(page.tokens.values()))


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole}" if whole else NONE
