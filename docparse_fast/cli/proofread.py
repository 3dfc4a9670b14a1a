"""`proofread`: a target names the words of converted documents that it doubts."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from docparse_fast.cli.arguments import Display, Password, begin, path
from docparse_fast.cli.flags import Without
from docparse_fast.errors import DocparseError, ModelError, UsageError
from docparse_fast.options import ParseOptions, SpeculationOptions, TargetOptions
from docparse_fast.options.declaring import within

if TYPE_CHECKING:
    from docparse_fast.document import Box
    from docparse_fast.proofreading.folders import ProofreadDocument
    from docparse_fast.proofreading.proofreader import DoubtfulWord
    from docparse_fast.verification.judged_regions import JudgingTarget

BELOW = 0.1
LISTED = 40
MISSING = "(missing)"  # words at the end of a block
HEADS = ("rho", "word", "instead", "page", "block", "about where", "document")
FORMAT = "docparse-fast/proofread-run"
VERSION = 1


def proofread(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="Output folder of convert or batch.", show_default=False, parser=path)
    ],
    target: Annotated[TargetOptions, Without("target_model", "dialect", "prompt", "in_flight")],
    password: Password,
    display: Display,
    below: Annotated[
        float,
        typer.Option(
            "--below", metavar="RHO", help="How doubtful: p(word) over p(word) + p(what the target would write)."
        ),
    ] = BELOW,
    most: Annotated[int, typer.Option("--most", metavar="N", help="The most words to list; 0: all.")] = LISTED,
    json_: Annotated[bool, typer.Option("--json", help="Print JSON, with every doubtful word.")] = False,
) -> int:
    """List the words of converted documents that a target doubts.

    It decodes nothing, so it is far quicker than reading the pages again. The least likely words come first; `review`
    shows them at their blocks. Call it from the folder where the documents were converted, so that it finds their
    pages.
    """
    within("--below", below, 0, 1)
    within("--most", most, 0, 10**9)
    if target.is_remote:
        raise UsageError("a server tells nothing about a given text", remedy="name a --target that runs here")
    begin(display, offline=target.offline)

    from docparse_fast.proofreading.folders import proofread
    from docparse_fast.proofreading.proofreader import Proofreader
    from docparse_fast.run.stored import documents_below
    from docparse_fast.verification.failures import Device

    files = documents_below(out)
    secret = password.text()
    proofreader = Proofreader(_opened(target), below, Device())
    found = []
    with _status(display) as tell:
        for document in proofread(out, files, proofreader, secret, tell):
            found.append(document)
            _complain(document)
    name = proofreader.target.identity.name
    if json_:
        print(json.dumps(_as_json(found, name, below), ensure_ascii=False, indent=1))
    elif not display.quiet:
        print("\n".join(_lines(found, name, most)))
    return exit_code(found)


@contextmanager
def _status(display: Display) -> Iterator[Callable[[str], None]]:
    """A function that shows what is being read: on a terminal in one line, with -v in a line each."""
    from rich.console import Console

    from docparse_fast.progress import printable

    console = Console(stderr=True)
    if display.detail == "pages":
        yield lambda what: print(printable(what), file=sys.stderr)
        return
    if not display.bar or not console.is_terminal:
        yield lambda what: None
        return
    with console.status("", spinner="line") as status:
        yield lambda what: status.update(printable(what).replace("[", r"\["))


def _opened(options: TargetOptions) -> JudgingTarget:
    from docparse_fast.opening import open_target_of

    target, why = open_target_of(ParseOptions(target=options, speculation=SpeculationOptions(repetition_penalty=1.0)))
    if target is None:
        raise ModelError("model_missing", f"nothing to proofread with: {why}", remedy="name a --target")
    return cast("JudgingTarget", target)  # servers were refused above


def _complain(document: ProofreadDocument) -> None:
    from docparse_fast.progress import error_line

    failures = [] if document.error is None else [(document.error.code, f"{document.output}: {document.error}")]
    failures += [
        (page.error.code, f"{document.source}, page {page.number}: {page.error.message}")
        for page in document.pages
        if page.error is not None
    ]
    for code, message in failures:
        print(error_line(code, message), file=sys.stderr)


def exit_code(found: list[ProofreadDocument]) -> int:
    if all(document.is_whole for document in found):
        return 0
    return 3 if any(document.read for document in found) else 1


# ----------------------------------------------------------------------------------------------- as it is shown


def _lines(found: list[ProofreadDocument], target: str, most: int) -> Iterator[str]:
    from docparse_fast.progress.phrases import plural

    doubts = [
        (doubt, document.output, page.number) for document in found for page in document.read for doubt in page.doubts
    ]
    doubts.sort(key=lambda each: each[0].share)
    shown = doubts[:most] if most else doubts
    pages = [page for document in found for page in document.read]
    words = sum(page.words for page in pages)
    verb = "is" if len(doubts) == 1 else "are"
    yield f"{plural(len(doubts), 'word')} of {words} on {plural(len(pages), 'page')} {verb} doubtful to {target}"
    if unjudged := sum(len(page.unjudged) for page in pages):
        yield f"{plural(unjudged, 'block')} could not be judged"
    if shown:
        yield from _columns([HEADS, *(_row(*each) for each in shown)])
    if len(shown) < len(doubts):
        yield f"... and {len(doubts) - len(shown)} more (--most 0 lists all)"


def _row(doubt: DoubtfulWord, output: str, page: int) -> tuple[str, ...]:
    instead = f"{doubt.instead}..." if doubt.instead else ""
    return f"{doubt.share:.3f}", doubt.word or MISSING, instead, f"{page}", f"{doubt.block}", _place(doubt.spot), output


def _place(box: Box | None) -> str:
    return "" if box is None else ",".join(f"{edge:.0f}" for edge in (box.x0, box.y0, box.x1, box.y1))


def _columns(rows: list[tuple[str, ...]]) -> Iterator[str]:
    from docparse_fast.progress import printable

    cells = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _as_json(found: list[ProofreadDocument], target: str, below: float) -> dict[str, Any]:
    from docparse_fast.proofreading.kept import pages_as_json

    return {
        "format": FORMAT,
        "version": VERSION,
        "target": target,
        "below": below,
        "documents": [
            {
                "output": document.output,
                "source": document.source,
                "pages": pages_as_json(document.pages),
                "error": None if document.error is None else _error_json(document.error),
            }
            for document in found
        ],
    }


def _error_json(error: DocparseError) -> dict[str, str]:
    return {"code": error.code, "message": str(error)}
