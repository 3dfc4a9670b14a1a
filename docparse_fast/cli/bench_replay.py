"""`bench replay KIT`: computes what our drafts would save a real model, from its stored answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docparse_fast.cli.bench_output import Files, keep_and_show
from docparse_fast.options import DraftOptions

EXIT_CODES = """
Exit codes: 0 every answer came out as stored; 1 the kit can't be read; 2 usage; 3 an answer came out differently;
130 interrupted.
"""


def replay(
    kit: Annotated[Path, typer.Argument(metavar="KIT", help="Folder with pages.json.", show_default=False)],
    drafting: DraftOptions,
    tokenizer: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The model's tokenizer.json; default: KIT's, else nano's.", show_default=False
        ),
    ] = None,
    drafts: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Keeps drafts there and reads them again: another look at the engine takes seconds.",
            show_default=False,
        ),
    ] = None,
    examples: Annotated[bool, typer.Option("--examples", help="Show examples of where steps ended, by cause.")] = False,
    *,
    files: Files,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")] = False,
) -> int:
    """Compute what our drafts save, from stored answers of real models."""
    import json

    from docparse_fast.bench.replay import replaying
    from docparse_fast.bench.replay.kept_drafts import KeptDrafts
    from docparse_fast.bench.replay.replay_report import report

    pages = list(replaying.replay(kit, tokenizer, KeptDrafts(drafting, drafts)))
    settings = {"kit": kit.name, "tokenizer": tokenizer.name if tokenizer else None, "drafter": drafting.drafter}
    parts = report(pages, examples=examples)
    kept = replaying.to_json(pages, settings, examples=examples)
    keep_and_show(parts, lambda: json.dumps(kept, indent=1) + "\n", files, quiet=quiet)
    return 0 if all(page.same for page in pages) else 3
