"""Downloads a document over http or https: within a size and a time, and from public addresses only.

An address on the web can lead into the network that this machine stands in: to a router, a metadata service, a
database. So a name is resolved once, every address it has must be public, and the connection goes to the address that
was checked, also after a redirect. No proxy, no cookie and no password is used. Knows sockets; knows no document.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from docparse_fast.errors import InputError
from docparse_fast.system.connecting import PORTS, addresses_of, connection_over, cut, port_of, shake_hands
from docparse_fast.text.urls import shown_url

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

MOST_REDIRECTS = 5
CHUNK = 1 << 16
REDIRECTS = frozenset({301, 302, 303, 307, 308})
KEPT_IN_URLS = "/:?#[]@!$&'()*+,;=%~"  # `quote` leaves these as they are
UNICAST = ipaddress.IPv6Network("2000::/3")
NOT_OF_ONE_HOST = tuple(  # tunnels and examples within it
    map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))
)
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def is_public(address: Address) -> bool:
    """Whether the address is of a host on the internet, and of none in this machine's own networks.

    >>> [is_public(ipaddress.ip_address(text)) for text in ("93.184.215.14", "10.0.0.1", "169.254.169.254", "::1")]
    [True, False, False, False]
    """
    if isinstance(address, ipaddress.IPv4Address):
        return address.is_global and not (address.is_private or address.is_multicast or address.is_reserved)
    if address.ipv4_mapped is not None:
        return is_public(address.ipv4_mapped)
    if address in NAT64:
        return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return address in UNICAST and not any(address in net for net in NOT_OF_ONE_HOST)


@dataclass(frozen=True, slots=True)
class Fetcher:
    """`allowed` decides about addresses."""

    most_bytes: int
    seconds: float
    allowed: Callable[[Address], bool] = is_public

    def fetch(self, url: str, to: Path) -> None:
        """Writes the document to the file; raises InputError, whose message names the URL."""
        deadline, name = time.monotonic() + self.seconds, shown_url(url)
        for _ in range(MOST_REDIRECTS + 1):
            with self._asked(url, name, deadline) as response:
                if response.status in REDIRECTS:
                    url = _next_url(url, response, name)
                    continue
                self._check(response, name)
                self._keep(response, to, name, deadline)
                return
        raise InputError("not_found", f"{name} redirects more than {MOST_REDIRECTS} times", remedy="check the address")

    @contextmanager
    def _asked(self, url: str, name: str, deadline: float) -> Iterator[http.client.HTTPResponse]:
        """The server's answer; at the deadline the connection is cut, wherever it waits."""
        parts = _checked(url, name)
        try:
            connection = self._connected(parts, name, deadline)
            timer = threading.Timer(max(0.0, deadline - time.monotonic()), cut, [connection.sock])
            timer.daemon = True
            timer.start()
            try:
                shake_hands(connection)
                path = quote(parts._replace(scheme="", netloc="", fragment="").geturl() or "/", safe=KEPT_IN_URLS)
                connection.request(
                    "GET", path if path.startswith("/") else f"/{path}", headers={"Accept-Encoding": "identity"}
                )
                with connection.getresponse() as response:
                    yield response
            finally:
                timer.cancel()
                connection.close()
        except (OSError, http.client.HTTPException) as error:
            if time.monotonic() >= deadline:
                raise self._too_slow(name) from error
            reason = str(getattr(error, "strerror", "") or error or type(error).__name__)
            raise InputError("not_found", f"{name} can't be fetched ({reason})", remedy="check the address") from error

    def _connected(self, parts: SplitResult, name: str, deadline: float) -> http.client.HTTPConnection:
        addresses = self._addresses(parts.hostname or "", port_of(parts), name, deadline)
        left = deadline - time.monotonic()
        if left <= 0:
            raise self._too_slow(name)
        return connection_over(_first_connection(addresses, port_of(parts), left), parts)

    def _addresses(self, host: str, port: int, name: str, deadline: float) -> list[str]:
        try:
            found = addresses_of(host, port, deadline - time.monotonic())
        except TimeoutError as error:
            raise self._too_slow(name) from error
        except (OSError, UnicodeError) as error:
            raise InputError("not_found", f"{name}: {host} is not known", remedy="check the address") from error
        addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
        if not all(self.allowed(ipaddress.ip_address(each.partition("%")[0])) for each in addresses):
            raise InputError("unsupported", f"{name} leads to a private address ({host})", remedy="name a local file")
        return addresses

    def _check(self, response: http.client.HTTPResponse, name: str) -> None:
        if response.status != HTTPStatus.OK:
            known = {status.value: status.phrase for status in HTTPStatus}.get(response.status, "")
            answer = f"{response.status} {known}".strip()
            raise InputError("not_found", f"{name}: the server answers {answer}", remedy="check the address")
        if response.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise InputError("unsupported", f"{name} comes compressed, which was not asked for", remedy="download it")
        if response.length is not None and response.length > self.most_bytes:
            raise self._too_large(name)

    def _keep(self, response: http.client.HTTPResponse, to: Path, name: str, deadline: float) -> None:
        size = 0
        with to.open("wb") as file:
            while piece := response.read1(CHUNK):
                size += len(piece)
                if size > self.most_bytes:
                    raise self._too_large(name)
                file.write(piece)
        if time.monotonic() >= deadline:
            raise self._too_slow(name)
        if response.length:
            raise InputError("corrupt", f"{name} was cut off after {size} bytes", remedy="try again")

    def _too_large(self, name: str) -> InputError:
        size = f"{self.most_bytes / 10**6:g} MB"
        return InputError("too_large", f"{name} has more than {size}", remedy="give a larger --max-download")

    def _too_slow(self, name: str) -> InputError:
        message = f"{name} took longer than {self.seconds:g} s to fetch"
        return InputError("timeout", message, remedy="give a longer --download-timeout")


def _checked(url: str, name: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        sound = parts.scheme in PORTS and bool(parts.hostname) and parts.port != 0 and url.isprintable()
    except ValueError:
        sound = False
    if not sound or " " in url:
        raise InputError("not_found", f"{name} is no address of a document", remedy="check it")
    if parts.username is not None or parts.password is not None:
        raise InputError("unsupported", f"{name} has a password in it", remedy="download it with another tool")
    return parts


def _next_url(url: str, response: http.client.HTTPResponse, name: str) -> str:
    following = urljoin(url, response.headers.get("Location", ""))
    if urlsplit(url).scheme == "https" and urlsplit(following).scheme != "https":
        raise InputError("unsupported", f"{name} redirects to an insecure address", remedy="download it yourself")
    return following


def _first_connection(addresses: list[str], port: int, seconds: float) -> socket.socket:
    """Tries one address after the other, each with its share of the time."""
    for address in addresses[:-1]:
        with suppress(OSError):
            return _connection(address, port, seconds / len(addresses), seconds)
    return _connection(addresses[-1], port, seconds / len(addresses), seconds)


def _connection(address: str, port: int, to_connect: float, then: float) -> socket.socket:
    made = socket.create_connection((address, port), timeout=to_connect)
    made.settimeout(then)
    return made
