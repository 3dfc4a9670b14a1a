"""A server with an OpenAI-compatible API on a free port of this machine, which can be made to fail in known ways."""

from __future__ import annotations

import base64
import io
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from PIL import Image

Reader = Callable[[Image.Image, dict[str, Any]], dict[str, Any]]  # a picture and the request -> the answer's fields


def says(text: str, finish: str = "stop", **more: Any) -> dict[str, Any]:
    tokens = len(text.split()) + 1
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return {"choices": [choice], "usage": {"completion_tokens": tokens}, **more}


@dataclass
class Stub:
    """What the server is to do, and what it has been asked."""

    reader: Reader
    models: Sequence[dict[str, str]] = ({"id": "fake"},)
    is_vllm: bool = False
    faults: list[str] = field(default_factory=list)  # taken one by one: "429", "too long", "hang up", "half", "rubbish"
    retry_after: str = ""  # sent with a refusal
    key: str = ""  # without it the list of models is refused
    wait: float = 0.0
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


@contextmanager
def serving(stub: Stub) -> Iterator[Stub]:
    """Serves on `stub.port`, or on any free port that is then noted there."""

    connections: list[socket.socket] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            connections.append(self.connection)

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            if stub.key and self.headers.get("Authorization") != f"Bearer {stub.key}":
                self._send(401, {"error": {"message": "no key"}})
            elif self.path == "/v1/models":
                self._send(200, {"object": "list", "data": list(stub.models)})
            elif self.path == "/version" and stub.is_vllm:
                self._send(200, {"version": "0.32.0"})
            else:
                self._send(404, {"error": {"message": f"no {self.path}"}})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with stub.lock:
                stub.asked.append(body)
                stub.headers.append(dict(self.headers))
                fault = stub.faults.pop(0) if stub.faults else ""
                stub.at_once += 1
                stub.most_at_once = max(stub.most_at_once, stub.at_once)
            try:
                self._answer(body, fault)
            finally:
                with stub.lock:
                    stub.at_once -= 1

        def _answer(self, body: dict[str, Any], fault: str) -> None:
            if fault.isdigit():
                self._send(int(fault), {"error": {"message": f"told to say {fault}"}})
            elif fault == "too long":
                self._send(400, {"error": {"message": "this model's maximum context length is 4096 tokens"}})
            elif fault == "hang up":
                self._hang_up()
            elif fault == "half":
                self._send(200, says("half"), cut=True)
            elif fault == "rubbish":
                self._send(200, {"choices": []})
            else:
                time.sleep(stub.wait)
                self._send(200, stub.reader(picture_of(body), body))

        def _send(self, status: int, content: dict[str, Any], *, cut: bool = False) -> None:
            data = json.dumps(content).encode()
            self.send_response(status)
            if stub.retry_after and status >= 400:
                self.send_header("Retry-After", stub.retry_after)
            self.send_header("Content-Length", str(len(data) + (100 if cut else 0)))
            self.end_headers()
            self.wfile.write(data)
            if cut:
                self.wfile.flush()
                self._hang_up()

        def _hang_up(self) -> None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True
        allow_reuse_address = True

        def handle_error(self, *_: object) -> None:
            pass

    server = Quiet(("127.0.0.1", stub.port), Handler)
    stub.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        for connection in connections:  # those kept open would still be answered
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        thread.join()


def picture_of(body: dict[str, Any]) -> Image.Image:
    (url,) = (part["image_url"]["url"] for part in body["messages"][-1]["content"] if part["type"] == "image_url")
    return Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))
