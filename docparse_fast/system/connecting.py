"""Looks up addresses in time, and makes HTTP connections of sockets that lead to a server. Knows sockets and TLS."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any
from urllib.parse import SplitResult

Address = tuple[socket.AddressFamily, socket.SocketKind, int, str, Any]
PORTS = {"http": 80, "https": 443}


def port_of(url: SplitResult) -> int:
    """
    >>> from urllib.parse import urlsplit
    >>> port_of(urlsplit("https://example.org/a.pdf")), port_of(urlsplit("http://localhost:8000"))
    (443, 8000)
    """
    return url.port or PORTS[url.scheme]


def addresses_of(host: str, port: int, seconds: float) -> Sequence[Address]:
    """As `socket.getaddrinfo`, which has no limit of its own: a look-up that takes longer is left behind."""
    found: Future[Sequence[Address]] = Future()

    def look_up() -> None:
        try:
            found.set_result(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except Exception as error:
            found.set_exception(error)

    threading.Thread(target=look_up, daemon=True).start()
    try:
        return found.result(max(0.0, seconds))
    except TimeoutError as error:
        raise TimeoutError(f"{host} was not found in time") from error


def connection_over(plain: socket.socket, url: SplitResult) -> http.client.HTTPConnection:
    """Asks nothing of the server yet, so that whatever it is asked can be cut: `shake_hands` is still to be called."""
    host, port = url.hostname or "", port_of(url)
    if url.scheme == "http":
        connection = http.client.HTTPConnection(host, port)
        connection.sock = plain
        return connection
    context = ssl.create_default_context()
    secure = http.client.HTTPSConnection(host, port, context=context)
    secure.sock = context.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)
    return secure


def shake_hands(connection: http.client.HTTPConnection) -> None:
    """Over https: the server proves who it is."""
    if isinstance(connection.sock, ssl.SSLSocket):
        connection.sock.do_handshake()


def cut(connected: socket.socket) -> None:
    """Ends every wait on the socket. Not TLS's own way, which would take its state from under the waiting thread."""
    with suppress(OSError):
        socket.socket.shutdown(connected, socket.SHUT_RDWR)
