"""Documents from URLs: size, time, redirects, and addresses that must not be reached. The servers are on this machine,
so `allowed` says which of its addresses count as public."""

from __future__ import annotations

import ipaddress
import socket
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from docparse_fast.errors import InputError
from docparse_fast.run.fetching import Fetcher, is_public
from docparse_fast.text.urls import LONGEST_NAME, file_name, shown_url

PUBLIC_HERE = ipaddress.ip_address("127.0.0.1")


class Handler(BaseHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        if self.path.startswith("/to/"):
            self.send_response(302)
            self.send_header("Location", self.path.removeprefix("/to/"))
            self.end_headers()
            return
        if self.path == "/missing":
            self.send_error(404, "\x1b[2Jno")
            return
        self.send_response(200)
        body = b"x" * 5000
        if self.path == "/cut":
            self.send_header("Content-Length", "9000")
        elif self.path != "/endless":
            self.send_header("Content-Length", str(len(body)))
        if self.path == "/packed":
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        if self.path == "/slow":
            time.sleep(30)
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing on stderr."""


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.asked = []
        running.daemon_threads = True
        running.block_on_close = False
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield running
        running.shutdown()


def fetcher(most_bytes: int = 10_000, seconds: float = 20.0) -> Fetcher:
    return Fetcher(most_bytes, seconds, allowed=lambda address: address == PUBLIC_HERE)


def url(server, path: str, host: str = "127.0.0.1") -> str:
    return f"http://{host}:{server.server_port}{path}"


def refused(fetcher: Fetcher, address: str, tmp_path) -> InputError:
    with pytest.raises(InputError) as caught:
        fetcher.fetch(address, tmp_path / "got")
    return caught.value


@pytest.mark.parametrize("path", ["/a.pdf", "/a.pdf?x=1", "/endless", "/naïve file".replace(" ", "%20")])
def test_a_document_is_fetched(server, tmp_path, path):
    fetcher().fetch(url(server, path), tmp_path / "got")
    assert (tmp_path / "got").read_bytes() == b"x" * 5000


@pytest.mark.parametrize("path", ["/a.pdf", "/endless"])
def test_a_document_that_is_too_large_is_refused_whether_or_not_it_says_so(server, tmp_path, path):
    assert refused(fetcher(most_bytes=4999), url(server, path), tmp_path).code == "too_large"


def test_a_server_that_keeps_us_waiting_is_left(server, tmp_path):
    assert refused(fetcher(seconds=0.5), url(server, "/slow"), tmp_path).code == "timeout"


@contextmanager
def trickling():
    """Sends a header line by line and never ends it: no single wait is long."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def send() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 200 OK\r\n")
                try:
                    while True:
                        connection.sendall(b"X-More: 1\r\n")
                        time.sleep(0.05)
                except OSError:
                    return

        threading.Thread(target=send, daemon=True).start()
        yield listening.getsockname()[1]


def test_a_server_that_trickles_is_left_too(tmp_path):
    with trickling() as port:
        error = refused(fetcher(seconds=0.6), f"http://127.0.0.1:{port}/", tmp_path)
    assert error.code == "timeout"


@pytest.mark.parametrize(("path", "code"), [("/missing", "not_found"), ("/cut", "corrupt"), ("/packed", "unsupported")])
def test_an_answer_that_is_no_whole_document_is_refused(server, tmp_path, path, code):
    error = refused(fetcher(), url(server, path), tmp_path)
    assert error.code == code
    assert "\x1b" not in str(error)


def test_redirects_are_followed(server, tmp_path):
    fetcher().fetch(url(server, "/to//to/" + url(server, "/a.pdf")), tmp_path / "got")
    assert server.asked[-1] == "/a.pdf"


def test_redirects_without_end_are_left(server, tmp_path):
    assert "redirects" in str(refused(fetcher(), url(server, "/to//to/" * 20), tmp_path))


def test_a_private_address_is_refused_also_after_a_redirect(server, tmp_path):
    other = url(server, "/secret", host="127.0.0.2")
    with ThreadingHTTPServer(("127.0.0.2", server.server_port), Handler):
        assert refused(fetcher(), other, tmp_path).code == "unsupported"
        assert refused(fetcher(), url(server, "/to/" + other), tmp_path).code == "unsupported"
    assert "/secret" not in server.asked


def test_a_name_is_resolved_once_and_what_was_checked_is_what_is_connected_to(server, tmp_path, monkeypatch):
    """A name that is public when it is checked and private a moment later gains nothing by it."""
    answers = iter(["127.0.0.1", "127.0.0.2"])
    real = socket.getaddrinfo

    def resolve(host, port, *rest, **more):
        return real(next(answers) if host == "rebinding.example" else host, port, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    fetcher().fetch(url(server, "/a.pdf", host="rebinding.example"), tmp_path / "got")
    assert next(answers) == "127.0.0.2"


def test_a_name_with_a_private_address_among_others_is_refused(server, tmp_path, monkeypatch):
    both = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, 80)) for host in ("127.0.0.1", "127.0.0.2")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: both)
    assert refused(fetcher(), url(server, "/a.pdf", host="two.example"), tmp_path).code == "unsupported"


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "127.0.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "192.168.1.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "2002:a00:1::1",
        "2001:0:1::1",
        "fc00::1",
        "fe80::1",
        "ff02::1",
    ],
)
def test_an_address_within_a_network_is_not_public(address):
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"])
def test_an_address_on_the_internet_is_public(address):
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        "http://",
        "http://user:word@127.0.0.1/a.pdf",
        "http://127.0.0.1:99999/",
        "http://[::1/",
        "http://127.0.0.1/a b",
        "http://127.0.0.1/\r\nX: y",
        "http://2130706433/",
        "http://localhost/",
        "http://0x7f.1/",
    ],
)
def test_what_is_no_sound_address_is_refused(address, tmp_path):
    with pytest.raises(InputError):
        Fetcher(1000, 5.0).fetch(address, tmp_path / "got")


def test_a_url_is_shown_without_what_may_be_secret():
    assert shown_url("https://me:word@example.org/a.pdf?signature=5d41#x") == "https://example.org/a.pdf"


@pytest.mark.parametrize("path", ["/..", "/%2e%2e/", "/a%2fb.pdf", "/.hidden", "/%00", "/" + "報" * 120 + ".pdf"])
def test_a_file_name_leads_nowhere_else(path):
    name = file_name(f"https://example.org{path}")
    assert len(name.encode()) <= LONGEST_NAME
    assert name
    assert not name.startswith(".")
    assert not set(name) & {"/", "\0", "\\"}


def test_a_name_that_is_looked_up_for_ever_takes_no_longer_than_the_download(tmp_path, monkeypatch):
    given_up, found = threading.Event(), []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found.append(given_up.wait(20)) or [])
    with pytest.raises(InputError, match="took longer than") as caught:
        Fetcher(seconds=0.2, most_bytes=1000).fetch("http://slow.example/a.pdf", tmp_path / "a.pdf")
    assert found == []
    given_up.set()
    assert caught.value.code == "timeout"
