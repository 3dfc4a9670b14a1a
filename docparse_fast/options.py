"""What the user may choose, as values built once at the door. Knows bounds and names; reads no file and no flag.

A wrong value is a UsageError that names the option, the bound, and the nearest name that was meant.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from docparse_fast.errors import UsageError

DRAFTERS = ("auto", "embedded", "ppstructure", "text-layer", "none")
OCR_MODES = ("auto", "always", "never")
FORMATS = ("md", "json", "html")
TABLE_STYLES = ("html", "pipe")
FAIL_ON = ("never", "failure", "partial", "unverified")
STAGES = ("auto", "1", "2", "both")
DTYPES = ("auto", "float32", "bfloat16")


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
        raise UsageError(f"{option} {value:g} is out of range", remedy=f"give a value from {low:,.12g} to {high:,.12g}")


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
class TargetOptions:
    """Which model verifies, where it runs, and whether the network may be asked for it."""

    name: str = "auto"  # of the catalogue, a hub id, a folder, auto or none
    device: str = "auto"
    dtype: str = "auto"
    offline: bool = False

    def __post_init__(self) -> None:
        one_of("--dtype", self.dtype, DTYPES)


@dataclass(frozen=True, slots=True)
class SpeculationOptions:
    """How drafts are verified. tau 1 is exact; below it a draft's token may stand where the target nearly chose it."""

    tau: float = 0.75
    window: int = 3
    temperature: float = 0.0
    repetition_penalty: float = 1.0
    stages: str = "auto"
    max_new_tokens: int = 8192
    page_timeout: float | None = None  # seconds a page may take to verify
    check_exact: bool = False
    min_acceptance: float = 0.0

    def __post_init__(self) -> None:
        one_of("--stages", self.stages, STAGES)
        if not 0 < self.tau <= 1:
            raise UsageError(f"--tau {self.tau:g} is out of range", remedy="give a value above 0 and up to 1")
        within("--window", self.window, 1, 16)
        within("--temperature", self.temperature, 0, 2)
        within("--repetition-penalty", self.repetition_penalty, 0.1, 10)
        within("--max-new-tokens", self.max_new_tokens, 1, 10**6)
        within("--min-acceptance", self.min_acceptance, 0, 1)
        if self.page_timeout is not None:
            within("--page-timeout", self.page_timeout, 0.001, 10**6)
        if self.check_exact and self.temperature:
            raise UsageError("--check-exact needs --temperature 0: draws are not repeated", remedy="drop one of them")


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """Everything `convert` and `parse` take.

    >>> ParseOptions(raster=RasterOptions(pages="1-3")).drafting.drafter
    'auto'
    """

    raster: RasterOptions = field(default_factory=RasterOptions)
    drafting: DraftOptions = field(default_factory=DraftOptions)
    target: TargetOptions = field(default_factory=TargetOptions)
    speculation: SpeculationOptions = field(default_factory=SpeculationOptions)
    formats: tuple[str, ...] = ("md", "json")
    tables: str = "html"
    keep_furniture: bool = False

    def __post_init__(self) -> None:
        for name in self.formats:
            one_of("--format", name, FORMATS)
        if not self.formats:
            raise UsageError("--format names no format", remedy=f"give one or more of {', '.join(FORMATS)}")
        one_of("--tables", self.tables, TABLE_STYLES)


def options_of(recorded: Mapping[str, Any], password: str | None) -> ParseOptions:
    """What a run recorded of how pages are read and written, as options again; a password is never recorded."""
    raster = RasterOptions(recorded["pages"], recorded["max_pages"], recorded["dpi"], recorded["max_pixels"], password)
    drafting = DraftOptions(recorded["drafter"], recorded["ocr"], recorded["lang"])
    formats = tuple(recorded.get("format", ("md", "json")))  # earlier runs could write nothing else
    return ParseOptions(
        raster, drafting, formats=formats, tables=recorded["tables"], keep_furniture=recorded["keep_furniture"]
    )
