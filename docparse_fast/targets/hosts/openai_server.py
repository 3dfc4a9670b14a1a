"""A server with an OpenAI-compatible API: what it serves, and its answer to a picture. Knows HTTP; no draft."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from docparse_fast.errors import ModelError, PageError, TargetGoneError, UsageError, in_words
from docparse_fast.targets.hosts.http import Connections, HttpAnswer, TooLongError, TooSlowError, UnreachableError

ANSWER = 900.0  # seconds until a server that has been asked counts as hung
LONGEST_REASON = 160  # letters
MOST_DRAFTED = 1_000_000  # tokens drafted for one answer, as far as a server's count is believed
OK = http.client.OK
_TOO_LONG = re.compile("max_tokens|max_model_len|context length")  # in a server's words for what it has no room for
REFUSES_THE_KEY = frozenset({401, 403})
GIVE_A_KEY = "put its key into the environment: DOCPARSE_API_KEY"
REFUSES_FOR_NOW = frozenset({408, 425, 429, 500, 502, 503, 504})
_UNREADABLE = (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError)  # JSON of another kind


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

    rest: float = 0.0  # seconds for which it wants no more questions


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
        self._connections = Connections(self.url, headers)
        self._above = Connections(self.url.removesuffix("/v1"), {})

    def give_up(self) -> None:
        """Waits for no answer any more."""
        self._connections.give_up()

    def models(self) -> tuple[Served, ...]:
        """What it serves; raises ModelError if it can't be asked."""
        try:
            answer = self._connections.get("/models")
            if answer.status in REFUSES_THE_KEY:
                said = f"{self.url} can't be asked ({_refusal(answer)})"
                raise ModelError("unauthorized", said, remedy=GIVE_A_KEY)
            if answer.status != OK:
                raise self._away(_refusal(answer))
            found = json.loads(answer.data)["data"]
            return tuple(Served(str(each["id"]), str(each.get("root") or each["id"])) for each in found)
        except (OSError, http.client.HTTPException) as error:
            raise self._away(_cut(error)) from error
        except _UNREADABLE as error:
            raise self._away("it gives no list of models that can be read") from error

    def is_vllm(self) -> bool:
        """Whether it has vLLM's own addresses beside the API."""
        try:
            answer = self._above.get("/version")
            return answer.status == OK and "version" in json.loads(answer.data)
        except (OSError, http.client.HTTPException, *_UNREADABLE):
            return False

    def ask(self, body: Mapping[str, Any], seconds: float = ANSWER) -> Reply:
        """Its answer; raises PageError if it gives none."""
        answer = self._post(body, seconds)
        if (
            answer.status == http.client.BAD_REQUEST
            and "max_tokens" in body
            and _TOO_LONG.search(answer.data.decode("utf-8", "replace"))
        ):
            rest = {name: value for name, value in body.items() if name != "max_tokens"}
            answer = self._post(rest, seconds)  # the prompt leaves less room than was asked for
        if answer.status in REFUSES_FOR_NOW:
            busy = BusyError("worker_crashed", f"{self.url} refuses the page: {_refusal(answer)}")
            busy.rest = answer.rest
            raise busy
        if answer.status in REFUSES_THE_KEY:
            raise PageError("unauthorized", f"{self.url} refuses the page: {_refusal(answer)}", remedy=GIVE_A_KEY)
        if answer.status != OK:
            raise PageError("worker_crashed", f"{self.url} refuses the page: {_refusal(answer)}")
        try:
            return _reply(json.loads(answer.data))
        except _UNREADABLE as error:
            said = f"{self.url} gives no answer that can be read ({_cut(error)})"
            raise PageError("worker_crashed", said) from error

    def _post(self, body: Mapping[str, Any], seconds: float) -> HttpAnswer:
        try:
            return self._connections.post("/chat/completions", json.dumps(body).encode(), min(ANSWER, seconds))
        except (OSError, http.client.HTTPException) as error:
            raise self._unanswered(error) from error
        except ValueError as error:  # an answer that is too large, or compressed, would be so again
            code = "too_large" if isinstance(error, TooLongError) else "worker_crashed"
            raise PageError(code, f"{self.url} gives no answer that can be read ({error})") from error

    def _unanswered(self, error: Exception) -> PageError:
        said = f"{self.url} doesn't answer ({_cut(error)})"
        if isinstance(error, TooSlowError):
            return PageError("timeout", said)
        if isinstance(error, UnreachableError):
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
        raise UsageError("--target holds a password", remedy=GIVE_A_KEY)
    return url.rstrip("/") if parts.path.strip("/") else url.rstrip("/") + "/v1"


def _reply(said: Mapping[str, Any]) -> Reply:
    choice = said["choices"][0]
    text = choice["message"]["content"] or ""
    if not isinstance(text, str):
        raise TypeError("its content is no text")
    counted = _part(_part(said, "metrics"), "speculative_decoding")
    most = len(text.encode("utf-8", "replace")) + 1  # a token is a byte or more, but the last one
    tokens = _count(_part(said, "usage").get("completion_tokens"), most) or 0
    accepted = _count(counted.get("num_accepted_draft_tokens"), most)
    passes = None if accepted is None else max(0, tokens - 1 - accepted)
    drafted = _count(counted.get("num_draft_tokens"), MOST_DRAFTED)
    answer = without_thoughts(text)
    is_whole = choice.get("finish_reason") != "length" and bool(answer or not text)
    return Reply(answer, is_whole, tokens, passes, drafted)


def without_thoughts(text: str) -> str:
    """What a model that thinks has written after it: a server without a parser for thoughts sends both.

    >>> without_thoughts("<think>A table?</think> # Head"), without_thoughts("A table?</think># Head")
    ('# Head', '# Head')
    >>> without_thoughts("<think>It goes on and"), without_thoughts("a <think>b</think> c")
    ('', 'a <think>b</think> c')
    """
    thoughts, end, answer = text.partition("</think>")
    begins = thoughts.lstrip().startswith("<think>")
    if begins or (end and "<think>" not in thoughts):
        return answer.lstrip()
    return text


def _part(said: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = said.get(name)
    return found if isinstance(found, dict) else {}


def _count(said: object, most: int) -> int | None:
    """A number that the server counted, believed as far as it can be; None if it is none.

    >>> _count(3, 10), _count(3_000_000_000, 10), _count(-5, 10), _count("many", 10), _count(float("inf"), 10)
    (3, 10, 0, None, None)
    """
    return max(0, min(most, said)) if isinstance(said, int) else None


def _refusal(answer: HttpAnswer) -> str:
    """The server's own words, in one line."""
    try:
        said = json.loads(answer.data)
        error = said.get("error", said) if isinstance(said, dict) else said
        text = str(error.get("message", error) if isinstance(error, dict) else error)
    except (ValueError, RecursionError):
        text = answer.data.decode("utf-8", "replace")
    return f"HTTP {answer.status}: {' '.join(text.split())[:200]}"


def _cut(error: BaseException) -> str:
    return in_words(error)[:LONGEST_REASON]
