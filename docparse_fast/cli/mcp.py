"""`mcp`: serves folders of documents to an agent."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from docparse_fast.cli.arguments import Display, Out, Password, begin, path
from docparse_fast.errors import ModelError
from docparse_fast.options import ParseOptions


def mcp(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="FOLDER...", help="The only folders that are read.", show_default=False, parser=path),
    ],
    out: Out,
    options: ParseOptions,
    password: Password,
) -> int:
    """Serve folders of documents to an agent, over MCP.

    Its tools: list_documents, convert, read_page, read_blocks, read_chunks, page_picture, search. Files outside FOLDER,
    also by links, are refused; only OUT is written. The agent's program starts this command and ends it.
    """
    if find_spec("mcp") is None:
        raise ModelError("model_missing", "mcp needs its SDK", remedy="pip install 'docparse-fast[mcp]'")
    from docparse_fast.opening import usable

    options = usable(replace(options, raster=password.unlocking(options.raster)))
    begin(Display(quiet=True), offline=options.target.offline)

    from docparse_fast.agents.desk import Desk
    from docparse_fast.agents.mcp_server import server_of

    server_of(Desk(folders, out, options)).run("stdio")
    return 0
