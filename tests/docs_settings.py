"""Figures in the docs that are settings and limits: as the page says them, with the code's own figures.

What only other programs or the paper decide stands last, in THEIRS.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from docparse_fast.agents.desk import MOST_LISTED
from docparse_fast.batch.limits import LONGEST_PAGE
from docparse_fast.bench import draft_model
from docparse_fast.bench.engine.drafts import REGION
from docparse_fast.bench.engine.options import GPU_MINUTES
from docparse_fast.bench.gpu_day.asked import MINUTES
from docparse_fast.bench.paper import TAU, paper_table
from docparse_fast.cli.service import MOST_CALLERS, service
from docparse_fast.document import SOUND_LAYER
from docparse_fast.drafting.born_digital.sheet import MOST_LINES
from docparse_fast.drafting.formulas import finding, line_parts
from docparse_fast.drafting.tables.readers import MOST_WORDS
from docparse_fast.evidence import HARDLY_ANY
from docparse_fast.options import MAX_PIXELS, FetchOptions, SpeculationOptions
from docparse_fast.pages.drawn import MOST_CONTENT
from docparse_fast.pages.form_fields import MOST_FIELDS
from docparse_fast.pages.images import MOST_FRAMES
from docparse_fast.pages.weight import MOST_CHARACTERS, MOST_DRAWN
from docparse_fast.quality.doubts import LOOK, RUBBISH, WHOLE
from docparse_fast.rendering import chunks, picture
from docparse_fast.run.fetching import MOST_REDIRECTS
from docparse_fast.targets.hosts.http import MOST_BYTES
from docparse_fast.targets.hosts.openai_server import ANSWER
from docparse_fast.targets.loading.catalog import BY_NAME, Recipe
from docparse_fast.verification import policy

ROOT = Path(__file__).parents[1]
CAPS, MORE, EIGHT_B = paper_table("table1"), paper_table("tableA1"), "qwen3-vl-8b"
FETCHING = FetchOptions()
UPLOAD, WAITING = (inspect.signature(service).parameters[name].default for name in ("max_upload", "max_waiting"))

OURS = {
    "batch": (f"{LONGEST_PAGE:.0f} seconds unless said",),
    "bench": (
        f"{policy.PASSES_A_MISREADING} passes for each letter expected to be misread, less {policy.PASSES_LOST:.0f}",
        f"up to {draft_model.LONGEST} tokens, stopping after one with a probability below {draft_model.SURE}",
        f"tau {TAU}",
        f"{CAPS.cap_of(EIGHT_B):,} tokens for Qwen3-VL in Tables 1 and 2 and {MORE.cap_of(EIGHT_B):,} in",
        f"{CAPS.cap_of('dots.ocr'):,} for dots.ocr and {CAPS.cap_of('hunyuan-ocr'):,} for HunyuanOCR",
        f"elsewhere {CAPS.cap_of('nano'):,}",
        f"at most {CAPS.pixels_of('dots.ocr') / 1e6:.1f} M pixels, as dots.ocr is shown them",
        f"and {MORE.pixels_of(EIGHT_B) / 1e6:.1f} M for Qwen3-VL",
        "regions of {} to {} tokens".format(*REGION),
        f"in under {GPU_MINUTES + 1:.0f} minutes",
    ),
    "limits": (
        f"| {MAX_PIXELS:,} pixels, or what a target is shown; `--max-pixels` takes up to 200 million |",
        f"| {MOST_DRAWN // 10**6} MB; rules and boxes are looked for in {MOST_CONTENT // 10**6} MB |",
        f"| {MOST_CHARACTERS:,} characters |",
        f"pages of at most {MOST_LINES} lines",
        f"tables of at most {MOST_WORDS:,} words",
        f"{MOST_FIELDS} fields a page",
        f"| frames of one image file | {MOST_FRAMES:,} |",
        f"| {LONGEST_PAGE:.0f} seconds, where it has a process of its own |",
        f"| {FETCHING.max_download} MB and {FETCHING.download_timeout:.0f} seconds, unless options",
        f"say otherwise; {MOST_REDIRECTS} redirects",
        f"documents of {UPLOAD} MB, {WAITING:,} waiting jobs, {MOST_CALLERS} callers at once",
        f"| {MOST_BYTES // 10**6} MB, within {ANSWER:.0f} seconds, or",
        f"| {MOST_LISTED} documents |",
    ),
    "ci": (f"Such a page has {LONGEST_PAGE:.0f} seconds",),
    "confidence": (
        f"A page below {HARDLY_ANY}, on which",
        f"A page below {WHOLE} has a doubt",
        f"below {LOOK} is among those",
        f"| {SOUND_LAYER}: ",
        "`docparse-fast convert --min-confidence 0.9` makes pages below 0.9 `partial`",
    ),
    "gpu-day": (f"{MINUTES:.0f} minutes at most",),
    "drafting-models": ("gained 3 % or more over whole pages at no page's cost (0.97 of its speed at least)",),
    "formulas": (
        f"below a confidence of {finding.LEAST_CONFIDENCE} is dropped",
        f"from a confidence of {finding.SURE} on, on a page where the layout named no formula from {finding.SURER} on",
        f"are named with {line_parts.SURE} on average",
    ),
    "output": (f"or hardly a word (below {HARDLY_ANY})",),
    "keys": (
        f"longer than {chunks.MOST_TOKENS} tokens",
        f"whose confidence is below {RUBBISH}",
        f"`structure` is below {WHOLE}",
        f"the page's confidence is below {LOOK}",
    ),
    "service": (f"({LONGEST_PAGE:.0f} seconds unless said)",),
    "proofreading": (
        f"`--alpha` ({SpeculationOptions().alpha} unless said)",
        "above 0.5 it would have written the same",
    ),
    "report": (f"{picture.GRADES[0][0]:,} pixels at most and {picture.MOST_BYTES / 1000:.0f} KB at most",),
}
EXIT_CODES = ("| 0 |", "| 1 |", "| 2 |", "| 3 |", "| 130 |")
THEIRS = {
    "README": ("Python 3.11 or newer",),
    "bench": (
        "section 4.2",  # of the paper
        "Where the paper prints 1.00 for plain decoding",
        "100 million parameters",  # a name of bench engine's shapes
        "torch (2.11 or newer) and transformers (5.17 or newer)",
    ),
    "gpu-day": ("Python 3.11 or newer", "24 GB take every target of the list", "is not below 0.97"),
    "output": EXIT_CODES,
    "releasing": ("(before 1.0 the second)",),
    "scores": ("v1.5 has 1,355 pages",),
    "targets": ("the last 128 tokens of the answer",),
}


def said(page: str) -> Iterator[str]:
    yield from OURS.get(page, ())
    yield from THEIRS.get(page, ())
    if page == "targets":
        yield from _rows_with_limits()


def _rows_with_limits() -> Iterator[str]:
    """The table's rows whose figures are those of the catalog."""
    for line in (ROOT / "docs/targets.md").read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        recipe = BY_NAME.get(cells[0].strip("`"))
        if recipe and _figures(cells[-1]) <= _limits(recipe):
            yield line


def _figures(cell: str) -> set[float]:
    found = re.findall(r"(\d[\d,]*(?:\.\d+)?)(²?)", cell)
    return {float(number.replace(",", "")) ** (2 if squared else 1) for number, squared in found}


def _limits(recipe: Recipe) -> set[float]:
    limits = {recipe.longest, recipe.repetition_penalty, recipe.longer_side, *(recipe.pixels or ())}
    if recipe.no_repeats:
        limits |= {recipe.no_repeats.size, recipe.no_repeats.window}
    return {float(limit) for limit in limits if limit}
