"""Serves the review page to this machine alone, at an address that holds a token.

Knows HTTP and the shelf's few verbs. Nothing is loaded from elsewhere, and nothing of a document can act in the page:
its text comes escaped, and the policy allows our own script and style alone.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from threading import Lock
from typing import Any

from docparse_fast.errors import DocparseError, UsageError
from docparse_fast.review.shelf import Shelf

HERE = "127.0.0.1"
MOST_BYTES = 2_000_000  # of a request: a page's text is far shorter
PATIENCE = 30.0  # seconds for a request to arrive
ASSETS = {"": ("review.html", "text/html"), "review.css": ("review.css", "text/css")}
ASSETS |= {"review.js": ("review.js", "text/javascript")}
POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_PAGE = re.compile(r"(page|picture|edit|check)/(\d{1,6})/(\d{1,6})")


class ReviewServer(ThreadingHTTPServer):
    """Listens on 127.0.0.1; `port` 0 takes a free one."""

    daemon_threads = True

    def __init__(self, shelf: Shelf, port: int = 0, token: str | None = None) -> None:
        self.shelf = shelf
        self.token = token or secrets.token_urlsafe(16)
        self.turn = Lock()  # the shelf and MuPDF serve one thread at a time
        try:
            super().__init__((HERE, port), _Handler)
        except OSError as error:
            reason = f"--port {port} can't be opened ({error.strerror or error})"
            raise UsageError(reason, remedy="name another, or leave it out") from error

    @property
    def address(self) -> str:
        return f"http://{HERE}:{self.server_port}/{self.token}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Prints nothing: a browser may leave in the middle of an answer."""


class _Handler(BaseHTTPRequestHandler):
    server: ReviewServer
    server_version, sys_version = "docparse-fast", ""
    timeout = PATIENCE

    def do_GET(self) -> None:
        self._answer(self._found)

    def do_POST(self) -> None:
        self._answer(self._changed)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not printed: their addresses hold the token."""

    # ---------------------------------------------------------------------------------------------- answers

    def _answer(self, find: Callable[[str], tuple[bytes, str]]) -> None:
        try:
            path = self._allowed()
            if path is None:
                self._send(HTTPStatus.NOT_FOUND, b"not found\n", "text/plain")
                return
            with self.server.turn:
                body, kind = find(path)
            self._send(HTTPStatus.OK, body, kind)
        except DocparseError as error:
            self._send(HTTPStatus.CONFLICT, _json({"error": str(error)}), "application/json")
        except (ValueError, KeyError, TypeError, IndexError):
            self._send(HTTPStatus.BAD_REQUEST, _json({"error": "the request makes no sense"}), "application/json")

    def _allowed(self) -> str | None:
        """The path behind the token; None if another site asks: it has another origin, host or token."""
        token, _, path = self.path.removeprefix("/").partition("/")
        hosts = {f"{name}:{self.server.server_port}" for name in (HERE, "localhost")}
        origin = self.headers.get("Origin")
        is_ours = self.headers.get("Host") in hosts and (origin is None or origin.removeprefix("http://") in hosts)
        known = secrets.compare_digest(token.encode("utf-8", "replace"), self.server.token.encode())
        return path.partition("?")[0] if is_ours and known and self.path.count("/") > 1 else None

    def _found(self, path: str) -> tuple[bytes, str]:
        if path in ASSETS:
            name, kind = ASSETS[path]
            return _asset(name), f"{kind}; charset=utf-8"
        if path == "queue":
            return _json(self.server.shelf.queue()), "application/json"
        what, document, number = _of_page(path)
        if what == "picture":
            return self.server.shelf.picture(document, number), "image/webp"
        if what == "page":
            return _json(self.server.shelf.page(document, number)), "application/json"
        raise ValueError(path)

    def _changed(self, path: str) -> tuple[bytes, str]:
        what, document, number = _of_page(path)
        length = int(self.headers["Content-Length"])
        if self.headers.get_content_type() != "application/json" or not 0 < length <= MOST_BYTES:
            raise ValueError(path)
        asked = json.loads(self.rfile.read(length))
        shelf = self.server.shelf
        if what == "edit":
            shelf.edit(document, number, asked)
        elif what == "check":
            shelf.check(document, number, right=bool(asked["checked"]))
        else:
            raise ValueError(path)
        return _json(shelf.page(document, number)), "application/json"

    def _send(self, status: HTTPStatus, body: bytes, kind: str) -> None:
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Type": kind, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def _of_page(path: str) -> tuple[str, int, int]:
    found = _PAGE.fullmatch(path)
    if found is None:
        raise ValueError(path)
    return found[1], int(found[2]), int(found[3])


def _json(said: Any) -> bytes:
    return json.dumps(said).encode("ascii")


@cache
def _asset(name: str) -> bytes:
    return (resources.files("docparse_fast") / "data" / "review" / name).read_bytes()
