"""What is to be expected of a drafted page's words: of its blocks, and of the page with what was left out.

Only drafts have a confidence: of a target's own words nothing is known until their truth is (docs/confidence.md).
"""

from __future__ import annotations

from dataclasses import replace
from math import floor

from docparse_fast.document import Failure, PageDraft, ParsedPage, Region
from docparse_fast.evidence import Certainty, summed
from docparse_fast.text.characters import SQUARE_LETTERS

LAYER = "text-layer"
MEANINGLESS = "\ufffd"


def with_certainties(draft: PageDraft) -> PageDraft:
    """The draft, with what is to be expected of each region that a text layer spoke for."""
    return replace(draft, regions=tuple(_with_certainty(region, draft.layer_trust) for region in draft.regions))


def confidence_of(draft: PageDraft) -> float | None:
    """The expected share of a page's words that are right; None where most of them are unknown.

    >>> from docparse_fast.document import Box, Category, Draft
    >>> line = Region(Box(0, 0, 9, 9), Category.TEXT, (Draft("a b", "embedded", 0.9, Certainty(2.0, 1.8)),))
    >>> confidence_of(PageDraft(1, 9, 9, (line,))), confidence_of(PageDraft(1, 9, 9, (line,), unread_words=2.0))
    (0.9, 0.45)
    """
    expected = expected_of(draft)
    return round(expected.share, 4) if expected is not None else None


def expected_of(draft: PageDraft) -> Certainty | None:
    """The words of a page and how many of them are right; None on a blank page, and where most are unknown."""
    read = [region.drafts[0] for region in draft.regions if region.drafts]
    known = summed(each.certainty for each in read) or Certainty(0.0, 0.0)
    known += Certainty(draft.unread_words, 0.0)
    unknown = sum(len(_words(each.text)) for each in read if each.certainty is None)
    if draft.blank or unknown > known.words:  # most of it: the rest doesn't speak for the page
        return None
    return known if known.words else None


def rubbish(expected: Certainty | None) -> Failure | None:
    """What to say of a page on which hardly a word is likely right.

    >>> failure = rubbish(Certainty(200.0, 1.2))
    >>> failure.code, failure.message
    ('low_confidence', 'about 99 of 100 words are wrong or missing; look at the page, or have a target read it')
    """
    if expected is None or not expected.is_rubbish:
        return None
    wrong = f"about {100 * (1 - expected.share):.0f} of 100 words are wrong or missing"
    return Failure("low_confidence", f"{wrong}; look at the page, or have a target read it")


def held_to(page: ParsedPage, confidence: float, structure: float = 0.0) -> ParsedPage:
    """The page; `partial` if its confidence, or how likely its structure stands, is known and below what is asked."""
    below = [
        _below(name, found, least)
        for name, found, least in (
            ("confidence", page.confidence, confidence),
            ("structure", page.structure, structure),
        )
        if found is not None and found < least
    ]
    if not below or page.status != "ok":
        return page
    return replace(page, status="partial", error=Failure("low_confidence", f"{'; '.join(below)}; look at the page"))


def _below(name: str, found: float, least: float) -> str:
    """Cut off, not rounded: 1.00 is not below 0.999.

    >>> _below("confidence", 0.998, 0.999)
    'its confidence is 0.99, below --min-confidence 0.999'
    """
    return f"its {name} is {floor(100 * found) / 100:.2f}, below --min-{name} {least:g}"


def _with_certainty(region: Region, trust: float | None) -> Region:
    first = region.drafts[0] if region.drafts else None
    if first is None or first.source != LAYER or first.certainty is not None or trust is None:
        return region
    return replace(region, drafts=(replace(first, certainty=_of_layer(first.text, trust)), *region.drafts[1:]))


def _words(text: str) -> list[str]:
    """As `certainty.words_in` parts them."""
    return SQUARE_LETTERS.sub(lambda found: f" {found[0]} ", text).split()


def _of_layer(text: str, trust: float) -> Certainty | None:
    words = _words(text)
    meaningless = sum(MEANINGLESS in word for word in words) if MEANINGLESS in text else 0
    return Certainty(float(len(words)), trust * (len(words) - meaningless)) if words else None
