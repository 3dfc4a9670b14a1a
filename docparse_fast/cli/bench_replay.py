"""`bench replay KIT`: what our drafts would save a real model, from answers that it gave once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docparse_fast.cli.arguments import check_json
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
    json_: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Everything counted, as JSON.", show_default=False)
    ] = None,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")] = False,
) -> int:
    """Stored answers of real models: what our drafts save."""
    check_json(json_)
    import json

    from docparse_fast.bench.replay import run
    from docparse_fast.bench.replay.table import table
    from docparse_fast.outputs import write

    pages = list(run.replay(kit, tokenizer, drafting))
    if json_ is not None:
        settings = {"kit": kit.name, "tokenizer": tokenizer.name if tokenizer else None, "drafter": drafting.drafter}
        write(json_, json.dumps(run.to_json(pages, settings), indent=1) + "\n")
    if not quiet:
        print(table(pages, examples=examples), end="")
    return 0 if all(page.same for page in pages) else 3
