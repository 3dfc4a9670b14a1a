"""`serve`: starts vLLM with our plug-in, so that it verifies drafts which come with a request."""

from __future__ import annotations

from typing import Annotated

import typer

from docparse_fast.options.declaring import MOST_PORT, within


def serve(
    model: Annotated[
        str, typer.Option("--model", metavar="NAME", help="A target's name, a hub id or a folder.", show_default=False)
    ],
    more: Annotated[
        list[str] | None, typer.Argument(metavar="[-- ARGUMENT...]", help="Passed on to vLLM.", show_default=False)
    ] = None,
    port: Annotated[int, typer.Option("--port", metavar="N", help="Where the server listens.")] = 8000,
    print_: Annotated[bool, typer.Option("--print", help="Print the command, and start nothing.")] = False,
) -> int:
    """Start a vLLM server that verifies our drafts.

    Then name it: convert --target http://HOST:PORT/v1
    """
    within("--port", port, 1, MOST_PORT)
    import os
    import shlex

    from docparse_fast.serving.command import check_vllm, command

    found = command(model, port, more or [])
    if not print_:
        check_vllm()
        os.execv(found[0], found)  # the server takes this process's place
    print(shlex.join(found))
    return 0
