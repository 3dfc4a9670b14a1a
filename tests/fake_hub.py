"""A model hub on this machine: one repository at one commit, by the paths and headers the hub's client asks for."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

COMMIT = "0123456789abcdef0123456789abcdef01234567"
LARGE = 1000  # bytes from which a file is told by its SHA-256, as the hub does for its large ones


@dataclass
class Hub:
    files: dict[str, bytes]
    licence: str = "mit"
    lies: dict[str, str] = field(default_factory=dict)  # digests it tells that are not so
    breaks_off: dict[str, int] = field(default_factory=dict)  # bytes it sends of a file before it goes dead, once
    sent: dict[str, int] = field(default_factory=dict)  # bytes of each file, over all answers
    url: str = ""

    def listed(self) -> list[dict[str, object]]:
        return [
            {
                "type": "file",
                "rfilename": name,
                "path": name,
                "size": len(data),
                "oid": git_sha1(data),
                "blobId": git_sha1(data),
            }
            | (
                {"lfs": {"oid": self.told(name), "sha256": self.told(name), "size": len(data), "pointerSize": 130}}
                if len(data) >= LARGE
                else {}
            )
            for name, data in self.files.items()
        ]

    def told(self, name: str) -> str:
        return self.lies.get(name, hashlib.sha256(self.files[name]).hexdigest())


def git_sha1(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


@contextmanager
def serving(files: Mapping[str, bytes], **settings: object) -> Iterator[Hub]:
    hub = Hub(dict(files), **settings)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self.answer(body=False)

        def do_GET(self) -> None:
            self.answer(body=True)

        def answer(self, body: bool) -> None:
            path = self.path.partition("?")[0]
            if re.fullmatch(r"/api/models/[^/]+/[^/]+(/revision/[^/]+)?", path):
                card = {"license": hub.licence}
                self.json({"id": "o/n", "sha": COMMIT, "siblings": hub.listed(), "cardData": card, "tags": []})
            elif re.fullmatch(rf"/api/models/[^/]+/[^/]+/tree/{COMMIT}", path):
                self.json(hub.listed())
            elif found := re.fullmatch(r"/[^/]+/[^/]+/resolve/[^/]+/(.+)", path):
                self.file(found[1], body)
            else:
                self.send_error(404)

        def json(self, content: object) -> None:
            data = json.dumps(content).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def file(self, name: str, body: bool) -> None:
            data = hub.files[name]
            start = int((self.headers.get("Range") or "bytes=0-")[6:].partition("-")[0])
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(data) - start))
            self.send_header("X-Repo-Commit", COMMIT)
            self.send_header("ETag", f'"{hub.told(name) if len(data) >= LARGE else git_sha1(data)}"')
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
            self.end_headers()
            if body:
                end = hub.breaks_off.pop(name, len(data))
                hub.sent[name] = hub.sent.get(name, 0) + len(data[start:end])
                self.wfile.write(data[start:end])
                if end < len(data):
                    self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Not on the tests' stderr."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
