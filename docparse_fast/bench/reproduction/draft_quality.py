"""The drafts of the paper's Figure 3: one pipeline's, spoilt in several ways and levels, and a second pipeline's.

Worse images go to the drafter alone; the target always looks at the page as it is. Misread letters and boxes that are
off are put into the drafter's own output, so that nothing but the draft changes. Knows drafters; runs no target.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from PIL import Image

from docparse_fast.bench.record import Measurement
from docparse_fast.bench.reproduction.row_ways import plain, speculative
from docparse_fast.bench.spoiling import DRAFT_SPOILERS, IMAGE_SPOILERS, SpoilDraft, SpoilImage
from docparse_fast.bench.trial import DraftPage, Subject, by
from docparse_fast.bench.ways import Way
from docparse_fast.document import Category, Draft, Page, PageDraft, PageSource, Region
from docparse_fast.drafting import Drafter, open_drafter
from docparse_fast.errors import ModelError
from docparse_fast.options import DraftOptions

UNSPOILT = "unspoilt"
SECOND = "second pipeline"
LINES = "OCR lines, no layout"
AT_TAU_1 = ", tau 1"  # ends the names of ways that tau 1 is checked with

LEVELS: Mapping[str, Sequence[float]] = {
    "blur": (1.0, 2.0, 3.0),
    "noise": (30, 60, 90),
    "jpeg": (85, 95, 98),
    "downscaling": (0.4, 0.6, 0.7),
    "misreading": (0.02, 0.1, 0.3),
    "box jitter": (0.05, 0.1, 0.2),
}
MEANING = {
    "blur": "radius, thousandths of the longer side",
    "noise": "grain, grey levels of 255",
    "jpeg": "quality below 100",
    "downscaling": "part of the resolution lost",
    "misreading": "share of letters",
    "box jitter": "share of the box's side",
}


@dataclass(frozen=True, slots=True)
class Variant:
    """One point of the figure. `name` is that of its drafts and of its way."""

    kind: str
    level: float
    draft: DraftPage
    exact: bool  # whether tau 1 has to write what plain decoding writes: shown where nothing but the draft differs

    @property
    def name(self) -> str:
        """
        >>> Variant("blur", 0.5, lambda subject: PageDraft(1, 1, 1), False).name
        'blur 0.5'
        """
        return f"{self.kind} {self.level:g}" if self.level else self.kind

    @property
    def name_at_tau_1(self) -> str:
        return self.name + AT_TAU_1


def variants(drafter: Drafter, levels: Mapping[str, Sequence[float]], seed: int) -> list[Variant]:
    """Unspoilt, then worse images, then worse output, then other pipelines."""
    once = Once(by(drafter))
    found = [Variant(UNSPOILT, 0, once.draft, True)]
    for kind, spoil_image in IMAGE_SPOILERS.items():
        found += [
            Variant(kind, at, _of_worse_image(drafter, spoil_image, at, seed), False) for at in levels.get(kind, ())
        ]
    for kind, spoil_draft in DRAFT_SPOILERS.items():
        found += [Variant(kind, at, _worse(once.again, spoil_draft, at, seed), True) for at in levels.get(kind, ())]
    return [*found, *(Variant(f"{SECOND}: {name}", 0, draft, False) for name, draft in _others(drafter))]


def ways_of(found: Sequence[Variant], cap: int) -> list[Way]:
    ways: list[Way] = [plain(cap)]
    for variant in found:
        ways.append(speculative("hsd", cap, variant.name, variant.name))
        if variant.exact:
            ways.append(speculative("hsd-exact", cap, variant.name_at_tau_1, variant.name))
    return ways


class Once:
    """A drafter whose last draft can be had again, for whoever spoils it; asked itself, it drafts anew."""

    def __init__(self, draft: DraftPage) -> None:
        self._draft = draft
        self._last: tuple[Subject, PageDraft] | None = None

    def draft(self, subject: Subject) -> PageDraft:
        drafted = self._draft(subject)
        self._last = (subject, drafted)
        return drafted

    def again(self, subject: Subject) -> PageDraft:
        return self._last[1] if self._last is not None and self._last[0] is subject else self.draft(subject)


def _of_worse_image(drafter: Drafter, spoil: SpoilImage, level: float, seed: int) -> DraftPage:
    def draft(subject: Subject) -> PageDraft:
        page = subject.page
        source = PageSource(lambda: spoil(page.image, level, seed), lambda: None)
        return drafter.draft(Page(page.number, page.width, page.height, page.dpi, source))

    return draft


def _worse(draft: DraftPage, spoil: SpoilDraft, level: float, seed: int) -> DraftPage:
    return lambda subject: spoil(draft(subject), level, seed)


# --------------------------------------------------------------------------------------- a second pipeline


def _others(first: Drafter) -> Iterator[tuple[str, DraftPage]]:
    """Another drafter where one is installed; an OCR's lines as they come wherever ours is the first."""
    from docparse_fast.drafting.embedded import EmbeddedDrafter

    if isinstance(first, EmbeddedDrafter):
        yield LINES, _lines(first)
        with_structure = _opened("ppstructure")
        if with_structure is not None:
            yield "ppstructure", by(with_structure)
    else:
        yield "embedded", by(open_drafter(DraftOptions(drafter="embedded")))


def _opened(name: str) -> Drafter | None:
    try:
        drafter = open_drafter(DraftOptions(drafter=name))
        drafter.draft(blank_page())
    except ModelError:
        return None
    return drafter


def blank_page() -> Page:
    """For a drafter to load its weights on, or to say that they are not here."""
    paper = Image.new("RGB", (64, 64), "white")
    return Page(1, *paper.size, 72.0, PageSource(lambda: paper, lambda: None))


def _lines(drafter: object) -> DraftPage:
    """What a mere OCR has: every line a region of its own, from the top down."""
    from docparse_fast.drafting.embedded import EmbeddedDrafter

    assert isinstance(drafter, EmbeddedDrafter)

    def draft(subject: Subject) -> PageDraft:
        page = subject.page
        reading = drafter.read(page.image)
        lines = sorted(reading.lines, key=lambda line: (line.box.y0, line.box.x0))
        regions = tuple(Region(line.box, Category.TEXT, (Draft(line.text, "ocr", line.confidence),)) for line in lines)
        height, width = reading.pixels.shape[:2]
        return PageDraft(page.number, width, height, regions, "ocr-lines", turned=reading.turned)

    return draft


# ------------------------------------------------------------------------------------------- what it cost


def with_one_drafting(found: Measurement, variants: Sequence[Variant]) -> Measurement:
    """Drafts spoilt after they were made cost what making them cost: spoiling them is no part of any pipeline."""
    spoilt = [variant.name for variant in variants if variant.exact]
    pages = []
    for page in found.pages:
        made = page.drafts.get(UNSPOILT)
        same = {
            name: replace(page.drafts[name], seconds=made.seconds) for name in spoilt if made and name in page.drafts
        }
        pages.append(replace(page, drafts={**page.drafts, **same}))
    return replace(found, pages=tuple(pages))
