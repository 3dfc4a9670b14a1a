"""Decides where the models that draft run: tries a provider once on this machine, against the processor.

A provider may round otherwise, and then a letter may be read otherwise. So a page is read on both, and the digests of
their texts are compared; what was found is kept, for this version of the program and of the runtime.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from docparse_fast.document import Page, PageSource
from docparse_fast.drafting import open_drafter
from docparse_fast.errors import UsageError
from docparse_fast.options import DraftOptions
from docparse_fast.system import providers
from docparse_fast.system.providers import AUTO, CPU
from docparse_fast.version import __version__

SHOWN = (
    "Invoice 2024-0713 of 17 March", "Thirty boxes of paper, A4, 80 g", "at 4.85 each: 145.50", "VAT 19 %: 27.65",
    "Total 173.15", "Payment within fourteen days, please.", "Die Lieferung erfolgt bis 28. Mai.",
)  # fmt: skip

DPI = 144.0

notices = logging.getLogger("docparse_fast.notices")


@dataclass(frozen=True, slots=True)
class ProviderTrial:
    works: bool  # it found a device
    same: bool = False  # both read the same text
    seconds: float = 0.0  # for a page, without making kernels ready
    on_cpu: float = 0.0

    @property
    def is_better(self) -> bool:
        return self.works and self.same and self.seconds < self.on_cpu


def with_provider(
    options: DraftOptions,
    there: tuple[str, ...] | None = None,
    trial: Callable[[str], ProviderTrial] | None = None,
) -> DraftOptions:
    """The options with a provider's name in place of `auto`, which takes one that reads alike, and sooner."""
    asked = options.provider
    if asked == CPU:
        return options
    name = providers.checked(asked, providers.installed() if there is None else there)
    if name == CPU:
        return replace(options, provider=CPU)
    found = (trial or kept_trial)(name)
    if asked == AUTO:
        return replace(options, provider=name if found.is_better else CPU)
    if not found.works:
        raise UsageError(f"--draft-provider {name} finds no device here", remedy="choose another, or auto")
    if not found.same:
        notices.warning("--draft-provider %s read a sample page otherwise than the processor does", name)
    return options


def kept_trial(name: str, run: Callable[[str], ProviderTrial] | None = None) -> ProviderTrial:
    """What was found before, or what is found now."""
    path = _folder() / f"{name}-{__version__}-{_runtime_version()}.json"
    try:
        return ProviderTrial(**json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        found = (run or tried)(name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(found)), "utf-8")
    except OSError:
        pass  # it is tried again next time
    return found


def tried(name: str, clock: Callable[[], float] = time.perf_counter) -> ProviderTrial:
    """Reads a page on the processor and on this provider, twice each; the second time counts."""
    before = providers.chosen()
    try:
        if not _works(name):
            return ProviderTrial(works=False)
        (expected, on_cpu), (found, seconds) = (_read(each, clock) for each in (CPU, name))
        return ProviderTrial(True, found == expected, seconds, on_cpu)
    finally:
        providers.choose(before)


def _works(name: str) -> bool:
    from docparse_fast.system.onnx import open_session, packaged

    providers.choose(name)
    try:
        return providers.NAMES[name] in open_session(packaged("page_orientation.onnx"), 1).get_providers()
    except Exception:  # whatever a driver raises
        return False


def _read(name: str, clock: Callable[[], float]) -> tuple[str, float]:
    drafter, page = open_drafter(DraftOptions("embedded", ocr="always", provider=name)), _page()
    drafter.draft(page)
    start = clock()
    draft = drafter.draft(page)
    text = "\n".join(region.text for region in draft.regions)
    return hashlib.sha256(text.encode()).hexdigest(), clock() - start


def _page() -> Page:
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("RGB", (900, 80 + 70 * len(SHOWN)), "white")
    brush, font = ImageDraw.Draw(picture), ImageFont.load_default(30)
    for number, line in enumerate(SHOWN):
        brush.text((60, 40 + 70 * number), line, "black", font)
    return Page(1, *picture.size, DPI, PageSource(render=lambda: picture, text_layer=lambda: None))


def _folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "docparse-fast" / "providers"


def _runtime_version() -> str:
    from importlib import metadata

    for package in ("onnxruntime", *dict.fromkeys(providers.PACKAGES.values())):
        try:
            return metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return "unknown"
