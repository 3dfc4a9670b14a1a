"""Asks a server over HTTP that may be slow, broken or hostile. Knows sockets; knows no model.

An answer has one deadline, from the connection to its last byte, and a largest size. It is taken as it is: a redirect
is an answer like others, and what comes compressed was not asked for. A question on its way can be given up.
"""

from __future__ import annotations

import http.client
import selectors
import socket
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from docparse_fast.system.connecting import addresses_of, connection_over, cut, port_of, shake_hands

CONNECT = 10.0  # seconds until a server that doesn't pick up counts as away
MOST_BYTES = 8_000_000  # of an answer: a model that writes 32,000 tokens needs a sixtieth
PIECE = 1 << 16
MOST_DIGITS = 9  # of a number of seconds


class UnreachableError(OSError):
    """No connection could be made."""


class TooSlowError(OSError):
    """The answer was not whole at its deadline."""


class TooLongError(ValueError):
    """The answer has more than the most bytes that are kept."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    status: int
    data: bytes
    rest: float = 0.0  # seconds for which it wants no more questions


@dataclass(slots=True, eq=False)
class _Asking:
    """A question on its way; `cut` ends it from another thread, wherever it waits."""

    on: socket.socket | None = None
    is_cut: bool = False

    def cut(self) -> None:
        self.is_cut = True
        if self.on is not None:
            cut(self.on)

    def waits_on(self, connected: socket.socket) -> None:
        self.on = connected
        if self.is_cut:  # just before it was there to be cut
            self.cut()


class Connections:
    """Those to one server, kept open between questions. Use it from any number of threads."""

    def __init__(self, url: str, headers: Mapping[str, str], most_bytes: int = MOST_BYTES) -> None:
        self._url = urlsplit(url)
        self._headers = dict(headers)
        self._most_bytes = most_bytes
        self._idle: deque[http.client.HTTPConnection] = deque()
        self._asking: set[_Asking] = set()
        self._has_given_up = False
        weakref.finalize(self, _close, self._idle)  # no `__del__`: in a ring, a socket may be gone before it is told

    def get(self, path: str, seconds: float = CONNECT) -> HttpAnswer:
        return self._ask("GET", path, None, seconds)

    def post(self, path: str, body: bytes, seconds: float) -> HttpAnswer:
        """Raises OSError or HTTPException, as `get` does: UnreachableError, TooSlowError, or what was met."""
        return self._ask("POST", path, body, seconds)

    def give_up(self) -> None:
        """Ends every question that is on its way, and all later ones."""
        self._has_given_up = True
        for asking in list(self._asking):
            asking.cut()

    def _ask(self, method: str, path: str, body: bytes | None, seconds: float) -> HttpAnswer:
        with self._bounded(time.monotonic() + seconds) as asking:
            connection = self._kept(asking) or self._connected(asking, seconds)
            try:
                connection.request(method, f"{self._url.path}{path}", body, self._headers)
                with connection.getresponse() as response:
                    answer = HttpAnswer(
                        response.status, self._whole(response), rest_in(response.headers.get("Retry-After", ""))
                    )
                    is_done = not response.will_close and not asking.is_cut
            except BaseException:
                connection.close()
                raise
            if is_done:
                self._idle.append(connection)
            else:
                connection.close()
            return answer

    @contextmanager
    def _bounded(self, deadline: float) -> Iterator[_Asking]:
        asking = _Asking()
        timer = threading.Timer(max(0.0, deadline - time.monotonic()), asking.cut)
        timer.daemon = True
        timer.start()
        self._asking.add(asking)
        try:
            if self._has_given_up:
                raise TooSlowError("given up")
            yield asking
            if asking.is_cut:
                raise TooSlowError("its answer was not whole in time")
        except (OSError, http.client.HTTPException, ValueError) as error:
            if asking.is_cut:
                raise TooSlowError("its answer was not whole in time") from error
            raise
        finally:
            timer.cancel()
            self._asking.discard(asking)

    def _kept(self, asking: _Asking) -> http.client.HTTPConnection | None:
        """A connection from before that the server has not closed since."""
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return None
            if connection.sock is not None and not _has_news(connection.sock):
                asking.waits_on(connection.sock)
                return connection
            connection.close()

    def _connected(self, asking: _Asking, seconds: float) -> http.client.HTTPConnection:
        host, port = self._url.hostname or "", port_of(self._url)
        try:
            plain = _first(host, port, min(CONNECT, seconds), asking.waits_on)
        except OSError as error:
            raise UnreachableError(str(error.strerror or error)) from error
        plain.settimeout(None)  # it is cut at the deadline
        connection = connection_over(plain, self._url)
        asking.waits_on(connection.sock)
        try:
            shake_hands(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _whole(self, response: http.client.HTTPResponse) -> bytes:
        if response.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise ValueError("its answer comes compressed, which was not asked for")
        pieces, size = [], 0
        while piece := response.read1(PIECE):
            pieces.append(piece)
            size += len(piece)
            if size > self._most_bytes:
                raise TooLongError(f"its answer has more than {self._most_bytes / 10**6:g} MB")
        if response.length:
            raise http.client.IncompleteRead(b"", response.length)
        return b"".join(pieces)


def _close(connections: Iterable[http.client.HTTPConnection]) -> None:
    for connection in connections:
        connection.close()


def rest_in(said: str) -> float:
    """Seconds, or until a date; 0 where it is neither.

    >>> rest_in(" 30"), rest_in("Wed, 21 Oct 2015 07:28:00 GMT"), rest_in(""), rest_in("soon")
    (30.0, 0.0, 0.0, 0.0)
    """
    said = said.strip()
    if said.isascii() and said.isdigit():
        return float(said[:MOST_DIGITS])
    try:
        return max(0.0, parsedate_to_datetime(said).timestamp() - time.time())
    except (ValueError, OverflowError):
        return 0.0


def _has_news(connected: socket.socket) -> bool:
    """Of a connection that waits for nothing: that the server has closed it."""
    with selectors.DefaultSelector() as selector:
        selector.register(connected, selectors.EVENT_READ)
        return bool(selector.select(0))


def _first(host: str, port: int, seconds: float, waits_on: Callable[[socket.socket], None]) -> socket.socket:
    """Tries one address after the other."""
    failure = OSError(f"{host} is not known")
    for family, kind, protocol, _, address in addresses_of(host, port, seconds):
        connecting = socket.socket(family, kind, protocol)
        try:
            connecting.settimeout(seconds)
            waits_on(connecting)
            connecting.connect(address)
            connecting.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connecting
        except OSError as error:
            connecting.close()
            failure = error
    raise failure
