"""The user's options, each declared once: its flag, help, default, bounds and users.

The command line makes its flags from the fields here (`cli.flags`), a run records them and reads them back
(`recording.py`), a benchmark leaves some out. To add an option, add a field; no other file changes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from docparse_fast.errors import UsageError
from docparse_fast.options.declaring import check, option
from docparse_fast.system.providers import AUTO, PROVIDERS

DRAFTERS = ("auto", "embedded", "ppstructure", "text-layer", "none")
OCR_MODES = ("auto", "always", "never")
LAYOUT_MODES = "auto", "always", "never"
FORMATS = ("md", "json", "html", "chunks", "map", "docling", "csv", "pdf")
TABLE_STYLES = ("html", "pipe")
MAX_PIXELS = 6_000_000  # of a page
FAIL_ON = ("never", "failure", "partial", "unverified")
STAGES = ("auto", "1", "2", "both", "judge")
ALPHA = 0.7  # DREAM-R's
DTYPES = ("auto", "float32", "bfloat16")
CUDA_GRAPHS = ("auto", "never")
NO_DRAFT_MODEL = "none"
ANSWER_LIMIT = 8192
LISTED = ("target", "pages", "format")  # keys of options whose value may be several, with commas


@dataclass(frozen=True, slots=True)
class RasterOptions:
    """How pages become images. The pixel cap wins over the DPI: a huge page is rendered coarser, never refused."""

    title: ClassVar[str] = "Pages"

    pages: str | None = option(None, "RANGE", "1-5,8,r3-r1: r1 is the last page. All, unless said.")
    max_pages: int | None = option(None, "N", "No more pages than this of a document.", bounds=(1, 10**9))
    dpi: int = option(200, "N", "Dots per inch at which a PDF's pages are rendered.", bounds=(20, 1200))
    max_pixels: int | None = option(
        None,
        "N",
        f"The most pixels a page may have; unless said, {MAX_PIXELS}, or more where a target's makers show it more.",
        bounds=(10_000, 200_000_000),
    )
    password: str | None = field(default=None, repr=False)  # never written anywhere

    def __post_init__(self) -> None:
        check(self)
        if self.pages is not None and not self.pages.strip():  # a script's unset variable must not mean all pages
            raise UsageError("--pages names no page", remedy="write it as in 1-5,8,r3-r1, or leave it out")

    @property
    def pixel_cap(self) -> int:
        return MAX_PIXELS if self.max_pixels is None else self.max_pixels

    def shown_to(self, most: int | None) -> RasterOptions:
        """For a target whose makers show it so many pixels of a page; what the user has said counts more."""
        return self if self.max_pixels is not None else replace(self, max_pixels=max(MAX_PIXELS, most or 0))


@dataclass(frozen=True, slots=True)
class DraftOptions:
    title: ClassVar[str] = "Drafts"

    drafter: str = option("auto", "NAME", f"Who drafts: {', '.join(DRAFTERS)}.", among=DRAFTERS)
    ocr: str = option("auto", "WHEN", f"Read the page's image: {', '.join(OCR_MODES)}.", among=OCR_MODES)
    layout: str = option(
        "auto",
        "WHEN",
        f"Look at pages with a text layer for tables, columns and headings: {', '.join(LAYOUT_MODES)}.",
        among=LAYOUT_MODES,
    )
    lang: str = option("", "LANG", "Language of the text, for the recogniser.")
    provider: str = option(
        AUTO,
        "NAME",
        f"Where the models that draft run: {', '.join(PROVIDERS)}.",
        key="draft_provider",
        among=PROVIDERS,
    )

    def __post_init__(self) -> None:
        check(self)
        if self.ocr == "always" and self.drafter == "text-layer":
            raise UsageError("--ocr always and --drafter text-layer exclude each other", remedy="drop one of them")
        if self.ocr == "never" and self.drafter in ("embedded", "ppstructure"):
            raise UsageError(f"--ocr never and --drafter {self.drafter} exclude each other", remedy="drop one of them")


@dataclass(frozen=True, slots=True)
class TargetOptions:
    """The model that verifies, its device, and whether it may be fetched from the network."""

    title: ClassVar[str] = "Target"

    name: str = option(
        "auto",
        "NAME",
        "Who verifies: a model, a server (http://HOST:PORT/v1) or several with commas, auto, or none.",
        key="target",
    )
    device: str = option("auto", "NAME", "Where the target runs: auto, cpu, cuda, cuda:1.")
    dtype: str = option("auto", "NAME", f"Number format: {', '.join(DTYPES)}.", among=DTYPES)
    cuda_graphs: str = option(
        "auto", "WHEN", "Replay a GPU's passes as graphs: auto, never.", among=CUDA_GRAPHS, decides=False
    )
    draft_model: str = option(
        "",
        "NAME",
        "A smaller model of the target's family: it drafts where the other drafts go wrong, in place of a head that "
        "the target carries; none: nothing does.",
    )
    draft_device: str = option(
        "", "NAME", "Runs the draft model there in a process of its own, which drafts on while the target verifies."
    )
    offline: bool = option(False, "", "Never ask the network, not even for a model.", recorded=False)
    target_model: str = option("", "NAME", "Which model of a server, if it has several.", measured=False)
    dialect: str = option(
        "",
        "NAME",
        "Which target a server's model is, if its name doesn't tell; markdown: any that answers so.",
        measured=False,
    )
    prompt: str = option(
        "",
        "FILE",
        "The words in which a server's model is asked for Markdown, with --dialect markdown.",
        measured=False,
    )
    in_flight: int | None = option(
        None,
        "N",
        "How many pages each server is asked for at once; unless said, found by trying.",
        bounds=(1, 256),
        measured=False,
        decides=False,
    )

    def __post_init__(self) -> None:
        check(self)
        if self.offline and self.is_remote:
            raise UsageError(f"--offline and --target {self.name} exclude each other", remedy="drop one of them")
        if self.draft_model and (self.is_remote or self.name == "none"):
            raise UsageError(f"--draft-model and --target {self.name} exclude each other", remedy="drop one of them")
        if self.draft_device and not self.smaller:
            raise UsageError("--draft-device is about a draft model", remedy="name one with --draft-model")
        if self.is_remote and not all(map(_is_address, urls_in(self.name))):
            raise UsageError(f"--target {self.name} names a server and something else", remedy="name servers only")
        if not self.is_remote and (self.target_model or self.dialect):
            flag = "--target-model" if self.target_model else "--dialect"
            raise UsageError(f"{flag} is about a server", remedy="name one with --target http://HOST:PORT/v1")
        if self.prompt and self.dialect != "markdown":
            raise UsageError(
                "--prompt goes with --dialect markdown", remedy="other models are asked as they were taught"
            )

    @property
    def is_remote(self) -> bool:
        return _is_address(self.name)

    @property
    def smaller(self) -> str:
        """The draft model, if one is named."""
        return "" if self.draft_model == NO_DRAFT_MODEL else self.draft_model


def urls_in(target: str) -> list[str]:
    """
    >>> urls_in("http://a:8000/v1, http://b:8000/v1")
    ['http://a:8000/v1', 'http://b:8000/v1']
    """
    return [url.strip() for url in target.split(",") if url.strip()]


def _is_address(text: str) -> bool:
    return text.startswith(("http://", "https://"))


@dataclass(frozen=True, slots=True)
class SpeculationOptions:
    """How drafts are verified. tau 1 is exact; below it a draft's token is accepted if the target nearly chose it."""

    title: ClassVar[str] = "Verification"

    tau: float = option(
        1.0, "X", "1: the target's own answer; below: a draft may stand where it is close (the paper: 0.75)."
    )
    window: int = option(3, "N", "Accepted tokens by which a draft is aligned.", bounds=(1, 16))
    temperature: float = option(
        0.0,
        "X",
        "0: greedy; above: the target draws, repeatably, whatever --tau is.",
        bounds=(0, 2),
        measured=False,
    )
    repetition_penalty: float | None = option(
        None,
        "X",
        "Above 1 the target is kept from repeating itself; unless said, as its makers do.",
        bounds=(0.1, 10),
        measured=False,
    )
    stages: str = option(
        "auto",
        "WHICH",
        "auto; 1: region crops only; 2: the page only; both; judge: drafts that the target finds likely stand unread.",
        among=STAGES,
    )
    alpha: float = option(
        ALPHA, "X", "With --stages judge: the least share of a draft's tokens.", bounds=(0, 1), measured=False
    )
    max_new_tokens: int | None = option(
        None, "N", "The longest answer to a page; unless said, as the target's makers allow.", bounds=(1, 10**6)
    )
    page_timeout: float | None = option(
        None,
        "SECONDS",
        "The longest that drafting a page, or verifying it, may take; batch and watch: 600 for drafting, unless said.",
        bounds=(0.001, 10**6),
        measured=False,
        decides=False,
    )
    pages_together: bool = option(
        False,
        "",
        "Read up to four neighbouring pages in shared passes.",
        measured=False,
    )
    carry_habits: bool = option(
        False,
        "",
        "Word a page's drafts as the target wrote the pages before it in the document.",
        measured=False,
    )
    check_exact: bool = option(False, "", "Decode each page plainly too, and compare.", measured=False)
    min_acceptance: float = option(
        0.0,
        "SHARE",
        "Exit 3 if the target wrote less than this of a page's draft.",
        bounds=(0, 1),
        measured=False,
    )

    def __post_init__(self) -> None:
        check(self)
        if not 0 < self.tau <= 1:
            raise UsageError(f"--tau {self.tau:g} is out of range", remedy="give a value above 0 and up to 1")
        if self.check_exact and self.temperature:
            raise UsageError("--check-exact needs --temperature 0: draws are not repeated", remedy="drop one of them")
        if self.check_exact and self.judges:
            raise UsageError("--check-exact and --stages judge exclude each other", remedy="drop one of them")
        if self.alpha != ALPHA and not self.judges:
            raise UsageError("--alpha is about --stages judge", remedy="drop it, or name --stages judge")

    @property
    def judges(self) -> bool:
        return self.stages == "judge"

    @property
    def answer_limit(self) -> int:
        """The most tokens of an answer, before or without a target's own limit."""
        return ANSWER_LIMIT if self.max_new_tokens is None else self.max_new_tokens

    def limited_by(self, longest: int) -> SpeculationOptions:
        """With a target's own limit, unless the user has set one."""
        return self if self.max_new_tokens is not None else replace(self, max_new_tokens=longest)


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """All options of `convert` and `parse`.

    >>> ParseOptions(raster=RasterOptions(pages="1-3")).drafting.drafter
    'auto'
    """

    title: ClassVar[str] = "What is written"

    raster: RasterOptions = field(default_factory=RasterOptions)
    drafting: DraftOptions = field(default_factory=DraftOptions)
    target: TargetOptions = field(default_factory=TargetOptions)
    speculation: SpeculationOptions = field(default_factory=SpeculationOptions)
    formats: tuple[str, ...] = option(
        ("md", "json"), "LIST", f"What to write: {', '.join(FORMATS)}.", key="format", among=FORMATS
    )
    tables: str = option(
        "html", "STYLE", "html, or pipe where a table has no spans.", among=TABLE_STYLES, measured=False
    )
    keep_furniture: bool = option(
        False, "", "Keep running heads, feet and page numbers in the Markdown.", measured=False
    )
    keep_flattened: bool = option(
        False, "", "Keep the picture of each photograph that was flattened, as it was read.", measured=False
    )

    min_confidence: float = option(
        0.0,
        "SHARE",
        "Exit 3 if less than this of a page's words is likely right.",
        bounds=(0, 1),
        measured=False,
    )
    min_structure: float = option(
        0.0,
        "SHARE",
        "Exit 3 if it is less likely than this that a page's rows stand whole and all is in order.",
        bounds=(0, 1),
        measured=False,
    )
    no_join: bool = option(
        False,
        "",
        "Leave pages as they are: join nothing over their ends, set heading levels page by page.",
        measured=False,
    )

    def __post_init__(self) -> None:
        check(self)
        if self.target.is_remote and self.speculation.tau < 1:
            raise UsageError(
                f"--tau {self.speculation.tau:g} needs a target in this process: a server's answer is its own",
                remedy="drop --tau",
            )
        if self.target.is_remote and self.speculation.judges:
            raise UsageError(
                "--stages judge needs a target in this process: a server tells nothing about a given text",
                remedy="name another stage",
            )
        if self.speculation.carry_habits and self.target.is_remote:
            raise UsageError("--carry-habits needs a target in this process", remedy="drop it")
        if self.speculation.pages_together and (self.target.is_remote or self.target.smaller):
            raise UsageError(
                "--pages-together needs a target in this process that drafts without a smaller model",
                remedy="drop it: a server gets several pages at once anyway",
            )
        if not self.formats:
            raise UsageError("--format names no format", remedy=f"give one or more of {', '.join(FORMATS)}")


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """Inputs that are URLs."""

    title: ClassVar[str] = "Network"

    allow_net: bool = option(False, "", "Fetch inputs that are http or https addresses; private ones are refused.")
    max_download: int = option(200, "MB", "The most that is fetched of an address.", bounds=(1, 10**6))
    download_timeout: float = option(60.0, "SECONDS", "The longest that fetching may take.", bounds=(0.1, 10**6))

    def __post_init__(self) -> None:
        check(self)
