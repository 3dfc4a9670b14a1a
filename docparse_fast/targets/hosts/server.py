"""A server with an OpenAI-compatible API: what it serves, and its answer to a picture. Knows HTTP; no draft."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import urllib3

from docparse_fast.errors import ModelError, PageError, TargetGoneError, UsageError, in_words

CONNECT = 10.0  # seconds until a server that doesn't pick up counts as away
ANSWER = 900.0  # ... until one that has been asked counts as hung
CONNECTIONS = 256  # kept open
LONGEST_REASON = 160  # letters
_TOO_LONG = re.compile("max_tokens|max_model_len|context length")  # in a server's words for what it has no room for
REFUSES_FOR_NOW = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Served:
    """One of a server's models."""

    name: str  # as requests name it
    root: str  # the folder or hub id that it was loaded from, if the server tells


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    whole: bool  # False: it was cut off for its length
    tokens: int
    passes: int | None  # of the model after the prompt, if the server counts them
    drafted: int | None  # tokens that were drafted, if it counts them


class PassingError(PageError):
    """This server gives no answer now; later it may, or another one."""


class AwayError(PassingError, TargetGoneError):
    """It can't be reached."""


class BusyError(PassingError):
    """It refuses for now."""


class BrokenOffError(PassingError):
    """It hung up before its answer was whole."""


class Server:
    """
    >>> server = Server("http://localhost:8000/v1", key=None)                   # doctest: +SKIP
    >>> server.models()                                                         # doctest: +SKIP
    (Served(name='dots.ocr', root='rednote-hilab/dots.ocr'),)
    """

    def __init__(self, url: str, key: str | None) -> None:
        self.url = checked_url(url)
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        self._pool = urllib3.PoolManager(maxsize=CONNECTIONS, block=False, headers=headers, retries=False)

    def models(self) -> tuple[Served, ...]:
        """What it serves; raises ModelError if it can't be asked."""
        try:
            answer = self._pool.request("GET", f"{self.url}/models", timeout=CONNECT)
            found = _json(answer)["data"] if answer.status == 200 else None
        except (urllib3.exceptions.HTTPError, OSError, ValueError, KeyError, TypeError) as error:
            raise self._away(_cut(error)) from error
        if found is None:
            raise self._away(_refusal(answer))
        return tuple(Served(str(each["id"]), str(each.get("root") or each["id"])) for each in found)

    def is_vllm(self) -> bool:
        """Whether it has vLLM's own addresses beside the API."""
        address = self.url.removesuffix("/v1") + "/version"
        try:
            answer = self._pool.request("GET", address, timeout=CONNECT)
            return answer.status == 200 and "version" in _json(answer)
        except (urllib3.exceptions.HTTPError, OSError, ValueError, TypeError):
            return False

    def ask(self, body: Mapping[str, Any], seconds: float = ANSWER) -> Reply:
        """Its answer; raises PageError if it gives none."""
        answer = self._post(body, seconds)
        if answer.status == 400 and "max_tokens" in body and _TOO_LONG.search(answer.data.decode("utf-8", "replace")):
            rest = {name: value for name, value in body.items() if name != "max_tokens"}
            answer = self._post(rest, seconds)  # the prompt leaves less room than was asked for
        if answer.status in REFUSES_FOR_NOW:
            raise BusyError("worker_crashed", f"{self.url} refuses the page: {_refusal(answer)}")
        if answer.status != 200:
            raise PageError("worker_crashed", f"{self.url} refuses the page: {_refusal(answer)}")
        try:
            return _reply(_json(answer))
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise PageError("worker_crashed", f"{self.url} gives no answer that can be read ({error!r})") from error

    def _post(self, body: Mapping[str, Any], seconds: float) -> urllib3.BaseHTTPResponse:
        timeout = urllib3.Timeout(connect=min(CONNECT, seconds), read=min(ANSWER, seconds))
        data = json.dumps(body).encode()
        try:
            return self._pool.request("POST", f"{self.url}/chat/completions", body=data, timeout=timeout)
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise self._unanswered(error) from error

    def _unanswered(self, error: Exception) -> PageError:
        said = f"{self.url} doesn't answer ({_cut(error)})"
        if isinstance(error, urllib3.exceptions.ReadTimeoutError):
            return PageError("timeout", said)
        if isinstance(error, urllib3.exceptions.NewConnectionError | urllib3.exceptions.ConnectTimeoutError):
            return AwayError("worker_crashed", said)
        return BrokenOffError("worker_crashed", said)

    def _away(self, why: str) -> ModelError:
        remedy = "start it, or check the address"
        return ModelError("model_missing", f"{self.url} can't be asked ({why})", remedy=remedy)


def checked_url(url: str) -> str:
    """The address up to `/v1`, without a slash at its end.

    >>> checked_url("http://localhost:8000/v1/"), checked_url("http://gpu:8000")
    ('http://localhost:8000/v1', 'http://gpu:8000/v1')
    """
    parts = urlsplit(url)
    if not parts.hostname or parts.query or parts.fragment:
        raise UsageError(f"--target {url} is no server's address", remedy="give one like http://localhost:8000/v1")
    if parts.username or parts.password:
        raise UsageError("--target holds a password", remedy="put a key into the environment: DOCPARSE_API_KEY")
    return url.rstrip("/") if parts.path.strip("/") else url.rstrip("/") + "/v1"


def _json(answer: urllib3.BaseHTTPResponse) -> Any:
    return json.loads(answer.data)


def _reply(said: Mapping[str, Any]) -> Reply:
    choice = said["choices"][0]
    text = choice["message"]["content"] or ""
    if not isinstance(text, str):
        raise TypeError("its content is no text")
    counted = (said.get("metrics") or {}).get("speculative_decoding") or {}
    tokens = int((said.get("usage") or {}).get("completion_tokens") or 0)
    accepted = counted.get("num_accepted_draft_tokens")
    passes = None if accepted is None else max(0, tokens - 1 - int(accepted))
    return Reply(text, choice.get("finish_reason") != "length", tokens, passes, counted.get("num_draft_tokens"))


def _refusal(answer: urllib3.BaseHTTPResponse) -> str:
    """The server's own words, in one line."""
    try:
        said = _json(answer)
        error = said.get("error", said) if isinstance(said, dict) else said
        text = str(error.get("message", error) if isinstance(error, dict) else error)
    except ValueError:
        text = answer.data.decode("utf-8", "replace")
    return f"HTTP {answer.status}: {' '.join(text.split())[:200]}"


def _cut(error: BaseException) -> str:
    return in_words(error)[:LONGEST_REASON]
