"""`bench replay KIT`: what our drafts would save a real model, from answers that it gave once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docparse_fast.cli.bench_output import Files, keep_and_show
from docparse_fast.options import DraftOptions

EXIT_CODES = """
Exit codes: 0 every answer was written as stored; 1 the kit can't be read; 2 usage; 3 some answer was not; 130
interrupted.
"""


def replay(
    kit: Annotated[Path, typer.Argument(metavar="KIT", help="A folder with pages.json.", show_default=False)],
    drafting: DraftOptions,
    tokenizer: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="tokenizer.json of the model; else KIT's own, else nano's.", show_default=False
        ),
    ] = None,
    examples: Annotated[bool, typer.Option("--examples", help="Show places where steps ended, by cause.")] = False,
    *,
    files: Files,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")] = False,
) -> int:
    """Stored answers of real models: what our drafts save."""
    import json

    from docparse_fast.bench.replay import run
    from docparse_fast.bench.replay.report import report

    pages = list(run.replay(kit, tokenizer, drafting))
    settings = {"kit": kit.name, "tokenizer": tokenizer.name if tokenizer else None, "drafter": drafting.drafter}
    parts = report(pages, examples=examples)
    keep_and_show(parts, lambda: json.dumps(run.to_json(pages, settings), indent=1) + "\n", files, quiet=quiet)
    return 0 if all(page.same for page in pages) else 3
