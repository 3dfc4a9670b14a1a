"""A drafting model elsewhere, which drafts on while the target verifies. Knows messages and tokens; no process.

In lock step: how far it drafts on is a fixed number of tokens, and it hears nothing before it has drafted them. So both
sides see the same messages in the same order whatever runs quicker, and the same input is drafted in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from docparse_fast.speculative.draft_index import agreement
from docparse_fast.speculative.drafting import LONGEST, DraftedToken, DraftingCosts, DraftingModel
from docparse_fast.speculative.token_store import TokenStore


class Connected(Protocol):
    """What of a `multiprocessing.connection.Connection` is used."""

    def send(self, message: object, /) -> None: ...

    def recv(self) -> object: ...


@dataclass(frozen=True, slots=True)
class ShowPage:
    """A page to draft; what is asked later is about it."""

    number: int  # of this request; all requests are counted together
    page: object


@dataclass(frozen=True, slots=True)
class DraftFrom:
    """Go on from this text, for so many tokens."""

    number: int
    text: tuple[int, ...]
    most: int


@dataclass(frozen=True, slots=True)
class DraftMore:
    """So many tokens more of the last draft; what is written by now, as far as it follows that draft."""

    most: int
    text: tuple[int, ...] = ()


class Drafted(NamedTuple):
    number: int  # of the request
    token: DraftedToken | None  # None: no more follow
    failure: str = ""


class RunningAhead:
    """Implements `drafting.DraftingModel` for one page, with the model at the other end of `link`.

    It looks at the page at once, beside the target, and is `ahead` tokens further than it was asked for. Those count as
    free: they are drafted while the target verifies.
    """

    def __init__(self, link: Connected, page: object, costs: DraftingCosts, *, ahead: int, first: int = 0) -> None:
        self.costs = costs
        self.longest = LONGEST
        self._link = link
        self._ahead = ahead
        self._number = self._looked = first + 1  # of the last request, and of the first one
        self._base = 0  # tokens written before it
        self._granted = 0
        self._drafted: list[DraftedToken] = []
        self._has_ended = False
        self._failure: Exception | None = None
        try:
            link.send(ShowPage(self._number, page))
        except Exception as error:  # told when it is asked: a page must not fail by its drafts
            self._failure = error

    @property
    def number(self) -> int:
        """Of the last request: the next page's are higher."""
        return self._number

    def begin(self, store: TokenStore | None) -> None:
        """Only raises what failed before: the process has begun by itself, and keeps its own store."""
        if self._failure:
            raise self._failure

    def propose(self, written: Sequence[int]) -> Iterator[DraftedToken]:
        at = self._place(written)
        if at is None:
            at, ready = self._start(written), 0
        else:
            ready = self._granted
            self._grant(at, written)
        while (drafted := self._at(at)) is not None:
            yield drafted._replace(read=0) if at < ready else drafted
            at += 1
            self._grant(at)

    def _place(self, written: Sequence[int]) -> int | None:
        """Where in the last draft the text stands by now; None if it isn't in it."""
        new = written[self._base :]
        if len(new) > self._granted:
            return None
        for at, token in enumerate(new):
            drafted = self._at(at)
            if drafted is None or drafted.token != token:
                return None
        return len(new)

    def _start(self, written: Sequence[int]) -> int:
        self._number += 1
        self._base, self._granted = len(written), 1 + self._ahead
        self._drafted, self._has_ended = [], False
        self._link.send(DraftFrom(self._number, tuple(written), self._granted))
        return 0

    def _grant(self, at: int, written: Sequence[int] = ()) -> None:
        more = at + 1 + self._ahead - self._granted
        if more > 0 and not self._has_ended:
            self._granted += more
            self._link.send(DraftMore(more, tuple(written)))

    def _at(self, place: int) -> DraftedToken | None:
        while len(self._drafted) <= place and not self._has_ended:
            answer = self._link.recv()
            assert isinstance(answer, Drafted)
            if answer.failure and answer.number >= self._looked:
                raise RuntimeError(answer.failure)
            if answer.number != self._number:  # drafted before the target went another way
                continue
            if answer.token is None:
                self._has_ended = True
            else:
                self._drafted.append(answer.token)
        return self._drafted[place] if place < len(self._drafted) else None


class FarEnd:
    """Answers such requests with models of this process; `open_page` gives each page's."""

    def __init__(self, link: Connected, open_page: Callable[[object], DraftingModel]) -> None:
        self._link = link
        self._open_page = open_page
        self._model: DraftingModel | None = None
        self._store = TokenStore()
        self._heard: Sequence[int] = ()  # the text, as far as it is known
        self._number = 0  # of the last request
        self._base: Sequence[int] = ()  # the text that the last draft goes on from
        self._drafted: list[int] = []
        self._coming: Iterator[DraftedToken] = iter(())

    def serve(self) -> None:
        """Until the link ends, which raises."""
        while True:
            message = self._link.recv()
            try:
                self._hear(message)
            except Exception as error:
                self._coming = iter(())
                self._link.send(Drafted(self._number, None, f"{type(error).__name__}: {error}"))

    def _hear(self, message: object) -> None:
        match message:
            case ShowPage(number, page):
                self._number, self._model, self._coming = number, None, iter(())
                self._store, self._heard, self._drafted = TokenStore(), (), []
                model = self._open_page(page)
                model.begin(self._store)
                self._model = model
            case DraftFrom(number, text, most):
                self._keep_refused(text)
                self._learn(text)
                self._number, self._base, self._drafted = number, text, []
                if self._model is None:
                    raise RuntimeError("it has seen no page")
                self._coming = self._model.propose(text)
                self._draft(most)
            case DraftMore(most, text):
                self._learn(text)
                self._draft(most)

    def _draft(self, most: int) -> None:
        for _ in range(most):
            drafted = next(self._coming, None)
            self._link.send(Drafted(self._number, drafted))
            if drafted is None:
                return
            self._drafted.append(drafted.token)

    def _learn(self, text: Sequence[int]) -> None:
        if len(text) > len(self._heard):
            self._store.learn(text[len(self._heard) :])
            self._heard = text

    def _keep_refused(self, text: Sequence[int]) -> None:
        written = text[len(self._base) :]
        agreed = agreement(self._drafted, written)
        if agreed < min(len(self._drafted), len(written)):
            self._store.refuse(self._base, self._drafted, agreed, written[agreed])
