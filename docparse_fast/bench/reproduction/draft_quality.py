"""The drafts of the paper's Figure 3: one drafter's, spoilt in several ways. Knows drafters; runs no target.

Only the drafter gets worse images; the target always reads the original page. Misread letters and shifted boxes are put
into the drafter's output, so that only the draft changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from docparse_fast.bench.paper import PaperColumn, PaperRow, PaperTable
from docparse_fast.bench.reproduction.rows import OurRow, exact_pages, plain, speculative
from docparse_fast.bench.reproduction.sessions import DRAFT, Session
from docparse_fast.bench.spoiling import DRAFT_SPOILERS, IMAGE_SPOILERS, SpoilDraft, SpoilImage
from docparse_fast.bench.trial import DraftPage, Subject, by
from docparse_fast.bench.ways import PageWay
from docparse_fast.document import Page, PageDraft, PageSource
from docparse_fast.drafting import Drafter

UNSPOILT = "unspoilt"
LEVELS: Mapping[str, Sequence[float]] = {
    "blur": (1.0, 2.0, 3.0),
    "noise": (30, 60, 90),
    "jpeg": (85, 95, 98),
    "downscaling": (0.4, 0.6, 0.7),
    "misreading": (0.02, 0.1, 0.3),
    "box jitter": (0.05, 0.1, 0.2),
}


@dataclass(frozen=True, slots=True)
class Variant:
    """One point of the figure. Its drafts and its way have the same `name`."""

    kind: str
    level: float
    draft: DraftPage
    exact: bool  # whether to check at tau 1 that the answer is plain decoding's: only if nothing but the draft differs

    @property
    def name(self) -> str:
        """
        >>> Variant("blur", 0.5, lambda subject: PageDraft(1, 1, 1), False).name
        'blur 0.5'
        """
        return f"{self.kind} {self.level:g}" if self.level else self.kind

    @property
    def name_at_tau_1(self) -> str:
        return f"{self.name}, tau 1"


def variants(drafter: Drafter, levels: Mapping[str, Sequence[float]], seed: int) -> list[Variant]:
    """The unspoilt drafts, then those of worse images, then worse output."""
    found = [Variant(UNSPOILT, 0, by(drafter), True)]
    for kind, spoil_image in IMAGE_SPOILERS.items():
        found += [
            Variant(kind, at, _of_worse_image(drafter, spoil_image, at, seed), False) for at in levels.get(kind, ())
        ]
    for kind, spoil_draft in DRAFT_SPOILERS.items():
        found += [Variant(kind, at, _worse(drafter, spoil_draft, at, seed), True) for at in levels.get(kind, ())]
    return found


def ways_of_variants(found: Sequence[Variant], cap: int) -> list[PageWay]:
    ways: list[PageWay] = [plain(cap)]
    for variant in found:
        ways.append(speculative("hsd", cap, variant.name, variant.name))
        if variant.exact:
            ways.append(speculative("hsd-exact", cap, variant.name_at_tau_1, variant.name))
    return ways


def _of_worse_image(drafter: Drafter, spoil: SpoilImage, level: float, seed: int) -> DraftPage:
    def draft(subject: Subject) -> PageDraft:
        page = subject.page
        source = PageSource(lambda: spoil(page.image, level, seed), lambda: None)
        return drafter.draft(Page(page.number, page.width, page.height, page.dpi, source))

    return draft


def _worse(drafter: Drafter, spoil: SpoilDraft, level: float, seed: int) -> DraftPage:
    return lambda subject: spoil(drafter.draft(subject.page), level, seed)


# -------------------------------------------------------------------------------------------------- rows


def rows_of_variants(
    table: PaperTable, columns: Sequence[PaperColumn], sessions: Sequence[Session], variants: Sequence[Variant]
) -> list[OurRow]:
    """A row per variant, with its drafts' likeness to the page; the paper has only the unspoilt one."""
    (theirs,) = table.rows
    if not sessions:
        return [OurRow(theirs.name, theirs.way, theirs.model, theirs.figures, None, "nothing was run")]
    return [_variant_row(theirs, columns, session, variant) for session in sessions for variant in variants]


def _variant_row(theirs: PaperRow, columns: Sequence[PaperColumn], session: Session, variant: Variant) -> OurRow:
    figures = [session.figure(column.measure, variant.name) for column in columns if column.measure != "score"]
    first = variant.name == UNSPOILT
    return OurRow(
        theirs.name if first else variant.name,
        variant.name,
        session.model,
        theirs.figures if first else None,
        (session.likeness(DRAFT, variant.name), *figures),
        exact=exact_pages(variant.name_at_tau_1, [session]) if variant.exact else None,
    )
