"""What the user may choose, as values built once at the door. Knows bounds and names; reads no file and no flag.

A wrong value is a UsageError that names the option, the bound, and the nearest name that was meant.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field

from docparse_fast.errors import UsageError

DRAFTERS = ("auto", "embedded", "ppstructure", "text-layer", "none")
OCR_MODES = ("auto", "always", "never")
FORMATS = ("md", "json")
TABLE_STYLES = ("html", "pipe")
FAIL_ON = ("never", "failure", "partial", "unverified")


def one_of(option: str, value: str, names: Iterable[str]) -> str:
    """`value`, if it is one of `names`.

    >>> one_of("--drafter", "embeded", DRAFTERS)
    Traceback (most recent call last):
    docparse_fast.errors.UsageError: --drafter 'embeded' is not one of auto, embedded, ppstructure, text-layer, none; \
did you mean 'embedded'?
    """
    names = tuple(names)
    if value in names:
        return value
    close = difflib.get_close_matches(value, names, n=1)
    hint = f"did you mean {close[0]!r}?" if close else ""
    raise UsageError(f"{option} {value!r} is not one of {', '.join(names)}", remedy=hint)


def within(option: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise UsageError(f"{option} {value:g} is out of range", remedy=f"give a value from {low:g} to {high:g}")


@dataclass(frozen=True, slots=True)
class RasterOptions:
    """How pages become images. The cap wins over the DPI: a 70 m page is rendered coarser, never refused."""

    pages: str = ""  # "1-5,8,r3-r1"; empty: all
    max_pages: int | None = None
    dpi: int = 200
    max_pixels: int = 6_000_000
    password: str | None = field(default=None, repr=False)  # never written anywhere

    def __post_init__(self) -> None:
        within("--dpi", self.dpi, 20, 1200)
        within("--max-pixels", self.max_pixels, 10_000, 200_000_000)
        if self.max_pages is not None:
            within("--max-pages", self.max_pages, 1, 10**9)


@dataclass(frozen=True, slots=True)
class DraftOptions:
    drafter: str = "auto"
    ocr: str = "auto"
    lang: str = ""  # empty: whatever the recogniser reads by itself

    def __post_init__(self) -> None:
        one_of("--drafter", self.drafter, DRAFTERS)
        one_of("--ocr", self.ocr, OCR_MODES)
        if self.ocr == "always" and self.drafter == "text-layer":
            raise UsageError("--ocr always and --drafter text-layer exclude each other", remedy="drop one of them")
        if self.ocr == "never" and self.drafter in ("embedded", "ppstructure"):
            raise UsageError(f"--ocr never and --drafter {self.drafter} exclude each other", remedy="drop one of them")


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """Everything `convert` and `parse` take.

    >>> ParseOptions(raster=RasterOptions(pages="1-3")).drafting.drafter
    'auto'
    """

    raster: RasterOptions = field(default_factory=RasterOptions)
    drafting: DraftOptions = field(default_factory=DraftOptions)
    target: str = "auto"
    formats: tuple[str, ...] = ("md", "json")
    tables: str = "html"
    keep_furniture: bool = False

    def __post_init__(self) -> None:
        for name in self.formats:
            one_of("--format", name, FORMATS)
        if not self.formats:
            raise UsageError("--format names no format", remedy=f"give one or more of {', '.join(FORMATS)}")
        one_of("--tables", self.tables, TABLE_STYLES)
