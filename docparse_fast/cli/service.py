"""`service`: takes documents over HTTP and gives back what was read."""

from __future__ import annotations

import os
import secrets
import socket
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from docparse_fast.batch.limits import LONGEST_PAGE, Limits, check_system, default_jobs
from docparse_fast.batch.lock import locked
from docparse_fast.cli.arguments import Display, DocTimeout, Jobs, begin, path
from docparse_fast.errors import ModelError, UsageError, in_words
from docparse_fast.options import ParseOptions
from docparse_fast.options.declaring import MOST_PORT, within

TOKEN = "DOCPARSE_FAST_TOKEN"
SHORTEST_TOKEN = 16
HOUR = LONGEST_UPLOAD = 3600.0  # seconds
MOST_CALLERS = 256


def service(
    spool: Annotated[
        Path,
        typer.Argument(metavar="SPOOL", help="Folder for jobs: uploads and results.", show_default=False, parser=path),
    ],
    options: ParseOptions,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where it listens.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="N", help="0 takes a free one.")] = 8180,
    token_file: Annotated[
        Path | None,
        typer.Option("--token-file", metavar="FILE", help=f"File whose first line is the token; else {TOKEN}'s."),
    ] = None,
    jobs: Jobs = None,
    doc_timeout: DocTimeout = None,
    max_upload: Annotated[int, typer.Option("--max-upload", metavar="MB", help="The largest document.")] = 200,
    max_waiting: Annotated[
        int, typer.Option("--max-waiting", metavar="N", help="Jobs that may wait; more are refused.")
    ] = 1000,
    keep: Annotated[float, typer.Option("--keep", metavar="HOURS", help="How long results are kept.")] = 24.0,
) -> int:
    """Take documents over HTTP and give back what was read.

    POST /v1/jobs takes one, GET /v1/jobs/ID says how far it is, GET /v1/jobs/ID/result gives it back; /openapi.json
    says the rest. Every caller needs the token. Jobs that were not done when it ended are done when it starts again.
    """
    if any(find_spec(name) is None for name in ("starlette", "uvicorn", "python_multipart")):
        raise ModelError("model_missing", "service needs a web server", remedy="pip install 'docparse-fast[http]'")
    check_system("the service runs")
    within("--port", port, 0, MOST_PORT)
    within("--max-upload", max_upload, 1, 10**6)
    within("--max-waiting", max_waiting, 1, 10**6)
    within("--keep", keep, 0.001, 10**6)
    from docparse_fast.opening import usable

    options = usable(options)
    begin(Display(quiet=True), offline=options.target.offline)
    limits = Limits(
        jobs=default_jobs() if jobs is None else jobs,
        page_timeout=options.speculation.page_timeout or LONGEST_PAGE,
        doc_timeout=doc_timeout,
    )
    token = _token(token_file)
    listener = _listening(host, port)

    import uvicorn

    from docparse_fast.service.app import Service, ServiceLimits
    from docparse_fast.service.jobs import JobBook
    from docparse_fast.service.runner import JobRunner

    spool.mkdir(parents=True, exist_ok=True, mode=0o700)
    with listener, locked(spool / ".lock", spool, "service"), suppress(KeyboardInterrupt):
        book = JobBook(spool, max_waiting)
        runner = JobRunner(book, options, limits, keep * HOUR)
        own = token or secrets.token_urlsafe(SHORTEST_TOKEN)
        app = Service(book, options, own, ServiceLimits(max_upload * 10**6, LONGEST_UPLOAD)).app(runner)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            limit_concurrency=MOST_CALLERS,
            timeout_graceful_shutdown=5,
        )
        address, port = listener.getsockname()[:2]
        print(f"http://{f'[{address}]' if ':' in address else address}:{port}", file=sys.stderr)
        if token is None:
            print(f"token: {own}", file=sys.stderr)
        sys.stderr.flush()
        uvicorn.Server(config).run(sockets=[listener])
    return 0


def _listening(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise UsageError(f"{host}:{port} can't be listened at: {in_words(error)}", remedy="name another") from error


def _token(file: Path | None) -> str | None:
    """The one that was given; None if none was."""
    if file is None:
        found = os.environ.get(TOKEN)
    else:
        try:
            found = file.read_text("utf-8").split("\n", 1)[0].strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(
                f"--token-file {file} can't be read: {in_words(error)}", remedy="check the path"
            ) from error
    if found is not None and len(found) < SHORTEST_TOKEN:
        raise UsageError("the token is too short", remedy=f"give {SHORTEST_TOKEN} characters or more")
    return found
