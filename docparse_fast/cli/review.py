"""`review`: a local page on which a reader looks at doubtful pages and corrects them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from docparse_fast.cli.arguments import Password, path
from docparse_fast.options.declaring import MOST_PORT, within

if TYPE_CHECKING:
    from docparse_fast.review.shelf import Shelf


def review(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="Output folder of convert or batch.", show_default=False, parser=path)
    ],
    password: Password,
    port: Annotated[int, typer.Option("--port", metavar="N", help="Where to listen; 0: a free one.")] = 0,
    open_: Annotated[bool, typer.Option("--open", help="Open the page in the default browser.")] = False,
) -> int:
    """Look at doubtful pages beside their pictures; correct them.

    Serves to this machine alone, at an address with a token; Ctrl-C ends it. Corrections are kept in each document's
    edits.json, go into its Markdown and chunks, and stay when it is converted again. Call it from the folder where the
    documents were converted, so that it finds their pages.
    """
    within("--port", port, 0, MOST_PORT)
    import webbrowser

    from docparse_fast.progress.phrases import plural
    from docparse_fast.review.review_server import ReviewServer
    from docparse_fast.review.shelf import Shelf

    shelf = Shelf(out, password.text())
    with ReviewServer(shelf, port) as server:
        try:
            print(_told(shelf), flush=True)
            print(f"{server.address}  (Ctrl-C ends)", flush=True)
            if open_:
                webbrowser.open(server.address)
            server.serve_forever()
        except KeyboardInterrupt:
            print(f"{plural(shelf.saved, 'correction')} saved", flush=True)
    return 0


def _told(shelf: Shelf) -> str:
    from docparse_fast.progress.phrases import plural

    looks = sum(bool(page.concerns) and not page.checked for page in shelf.pages)
    pages, documents = len(shelf.pages), len(shelf.names)
    return f"{plural(looks, 'page')} to look at, of {pages} in {plural(documents, 'document')}"
