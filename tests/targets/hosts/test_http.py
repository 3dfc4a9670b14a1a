"""A server that is slow, endless or lies: what it can't do to the machine that asks it."""

from __future__ import annotations

import gc
import gzip
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pymupdf
import pytest
from targets.hosts.stub_server import says

from docparse_fast.errors import ModelError, PageError
from docparse_fast.targets.hosts.http import Connections, TooSlowError, UnreachableError
from docparse_fast.targets.hosts.openai_server import Server

ROOT = Path(__file__).parents[3]
PATIENCE = 60  # seconds after which a test has failed
SOON = 0.3  # seconds until a deadline
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@contextmanager
def answering(how: Callable[[socket.socket, int], None]) -> Iterator[str]:
    """A server that calls `how` for each request, with the connection and the number of requests so far."""
    listening = socket.create_server(("127.0.0.1", 0))
    connections: list[socket.socket] = []
    count = 0

    def serve(connection: socket.socket) -> None:
        nonlocal count
        with suppress(OSError), connection:
            while _request(connection):
                count += 1
                how(connection, count)

    def accept() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listening.accept()
                connections.append(connection)
                threading.Thread(target=serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    finally:
        for each in (listening, *connections):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        listening.close()


def _request(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        if not (piece := connection.recv(1 << 16)):
            return b""
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = next((int(line.split(b":")[1]) for line in head.splitlines() if line.startswith(b"Content-Length")), 0)
    while len(body) < length:
        body += connection.recv(1 << 16)
    return data


def dripping(connection: socket.socket, head: bytes) -> None:
    connection.sendall(head)
    for _ in range(PATIENCE * 50):
        connection.sendall(b" ")
        time.sleep(0.02)


def whole(connection: socket.socket, said: object, more: bytes = b"") -> None:
    data = json.dumps(said).encode()
    connection.sendall(HEAD + more + b"Content-Length: %d\r\n\r\n" % len(data) + data)


@pytest.mark.parametrize("head", [HEAD + b"Content-Length: 100000\r\n\r\n", b"HTTP/1.1 200 OK\r\nX-Long:"])
def test_a_server_that_drips_is_given_up_at_the_deadline(head):
    with answering(lambda connection, _: dripping(connection, head)) as url:
        with pytest.raises(TooSlowError):
            Connections(url, {}).post("/chat/completions", b"{}", SOON)
        with pytest.raises(PageError, match="was not whole in time") as caught:
            Server(url, None).ask({}, SOON)
        assert caught.value.code == "timeout"


def test_an_answer_without_end_is_not_kept():
    def endless(connection: socket.socket, _: int) -> None:
        connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        while True:
            connection.sendall(b"10000\r\n" + b" " * 65536 + b"\r\n")

    with answering(endless) as url:
        with pytest.raises(ValueError, match="more than 1 MB"):
            Connections(url, {}, most_bytes=10**6).post("/chat/completions", b"{}", PATIENCE)
        with pytest.raises(PageError, match="more than 8 MB") as caught:
            Server(url, None).ask({}, PATIENCE)
        assert caught.value.code == "too_large"  # `worker_crashed` asked for a report of the document


def test_a_compressed_answer_is_not_unpacked():
    bomb = gzip.compress(bytes(10**6))
    head = HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb)
    with answering(lambda connection, _: connection.sendall(head + bomb)) as url:
        with pytest.raises(PageError, match="compressed") as caught:
            Server(url, None).ask({}, PATIENCE)
        assert caught.value.code == "worker_crashed"


@pytest.mark.parametrize(
    ("more", "tokens", "passes", "drafted"),
    [
        ({"usage": {"completion_tokens": 3_000_000_000}}, 6, None, None),
        ({"usage": {"completion_tokens": -5}}, 0, None, None),
        ({"usage": [1], "metrics": [1]}, 0, None, None),
        ({"usage": {"completion_tokens": "many"}, "metrics": {"speculative_decoding": "x"}}, 0, None, None),
        ({"metrics": {"speculative_decoding": {"num_accepted_draft_tokens": 10**12, "num_draft_tokens": 5}}}, 2, 0, 5),
    ],
)
def test_no_more_tokens_are_counted_than_the_answer_has_letters(more, tokens, passes, drafted):
    with answering(lambda connection, _: whole(connection, says("words") | more)) as url:
        reply = Server(url, None).ask({}, PATIENCE)
    assert (reply.text, reply.tokens, reply.passes, reply.drafted) == ("words", tokens, passes, drafted)


@pytest.mark.parametrize("said", ["[" * 200_000, '{"data": [1, 2]}', '{"data": 5}', "null", "<html>"])
def test_a_list_of_models_that_is_none_is_one_line(said):
    data = said.encode()
    head = HEAD + b"Content-Length: %d\r\n\r\n" % len(data)
    with answering(lambda connection, _: connection.sendall(head + data)) as url, pytest.raises(ModelError) as caught:
        Server(url, None).models()
    assert "no list of models" in caught.value.message


def test_a_connection_is_used_again_and_a_closed_one_is_not():
    def answer(connection: socket.socket, count: int) -> None:
        whole(connection, {"count": count})
        if count == 2:
            connection.shutdown(socket.SHUT_RDWR)

    with answering(answer) as url:
        connections = Connections(url, {})
        for expected in (1, 2, 3):
            assert json.loads(connections.get("/models").data) == {"count": expected}
            deadline = time.monotonic() + PATIENCE
            while expected == 2 and not closed_by_the_server(connections) and time.monotonic() < deadline:
                time.sleep(0.01)


def closed_by_the_server(connections: Connections) -> bool:
    (kept,) = connections._idle
    with suppress(BlockingIOError):
        return kept.sock.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    return False


def test_connections_are_closed_whatever_is_collected_with_them(recwarn):
    gc.collect()  # what other tests have left behind is not told of this one
    recwarn.clear()
    ours, theirs = socket.socketpair()
    kept = http.client.HTTPConnection("127.0.0.1")
    kept.sock = ours
    connections = Connections("http://127.0.0.1/v1", {})
    connections._idle.append(kept)
    ring: list[object] = [connections]
    ring.append(ring)  # all is collected together, the socket first: it is older
    del ours, kept, connections, ring
    gc.collect()
    theirs.close()
    assert not [each for each in recwarn if issubclass(each.category, ResourceWarning)]


def test_giving_up_ends_what_is_on_its_way_and_all_that_comes():
    begun = threading.Event()

    def hang(connection: socket.socket, _: int) -> None:
        begun.set()
        time.sleep(PATIENCE)

    with answering(hang) as url:
        connections = Connections(url, {})
        threading.Thread(target=lambda: (begun.wait(PATIENCE), connections.give_up()), daemon=True).start()
        with pytest.raises(TooSlowError):
            connections.post("/chat/completions", b"{}", PATIENCE)
        with pytest.raises(TooSlowError):
            connections.get("/models", PATIENCE)


def test_a_server_that_is_not_there_cannot_be_reached():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    with pytest.raises(UnreachableError):
        Connections(f"http://127.0.0.1:{port}", {}).get("/models")


@contextmanager
def asking(command: str, folder: Path, *, drips: bool) -> Iterator[subprocess.Popen[str]]:
    """A run whose server has been asked for a page and doesn't answer."""
    begun = threading.Event()

    def answer(connection: socket.socket, count: int) -> None:
        if count < 3:  # its models, and whether it is vLLM
            whole(connection, {"data": [{"id": "dots.ocr"}]})
            return
        begun.set()
        if drips:
            dripping(connection, HEAD + b"Content-Length: 100000\r\n\r\n")
        time.sleep(PATIENCE)

    (folder / "in").mkdir()
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), "words on a page")
        document.save(folder / "in/a.pdf")
    words = [sys.executable, "-m", "docparse_fast", *command.split(), "-o", "out", "--target"]
    with answering(answer) as url:
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        with subprocess.Popen([*words, url], cwd=folder, env=environment, stderr=subprocess.PIPE, text=True) as run:
            try:
                assert begun.wait(PATIENCE)
                yield run
            finally:
                run.kill()


@pytest.mark.e2e
@pytest.mark.skipif(sys.platform != "linux", reason="signals")
@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("drips", [True, False])
def test_the_first_interrupt_ends_a_run_whose_server_does_not_answer(asked, drips, tmp_path):
    with asking("convert in/a.pdf", tmp_path, drips=drips) as run:
        run.send_signal(asked)
        _, said = run.communicate(timeout=PATIENCE / 2)
    assert run.returncode == 130
    assert "Traceback" not in said
    assert json.loads((tmp_path / "out/run.json").read_text())["status"] == "interrupted"


@pytest.mark.e2e
@pytest.mark.skipif(sys.platform != "linux", reason="signals")
def test_the_second_interrupt_ends_a_batch_whose_server_does_not_answer(tmp_path):
    """The first lets the pages in work be finished, as long as they may take."""
    with asking("batch in --jobs 1", tmp_path, drips=True) as run:
        run.send_signal(signal.SIGINT)
        while "finishing the pages in work" not in run.stderr.readline():
            pass
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=PATIENCE / 2)
    assert run.returncode == 130
    assert "Traceback" not in said
    assert json.loads((tmp_path / "out/run.json").read_text())["status"] == "interrupted"


def test_a_name_that_is_looked_up_for_ever_is_given_up(monkeypatch):
    """The resolver knows no limit of time."""
    given_up, found = threading.Event(), []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found.append(given_up.wait(20)) or [])
    with pytest.raises((UnreachableError, TooSlowError), match="in time"):
        Connections("http://slow.example", {}).get("/", seconds=SOON)
    assert found == []
    given_up.set()
