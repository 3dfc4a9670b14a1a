"""One server or several that serve one model: each page goes to the one with the most room. Knows no draft.

A server that can't be reached, refuses for now or breaks off rests for a while, longer each time, and leaves its pages
to the others. Only if none is left for a page, and the patience for its kind of failure is over, the page is lost.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docparse_fast.errors import ModelError, PageError, UsageError
from docparse_fast.targets.hosts.openai_server import (
    AwayError,
    BrokenOffError,
    BusyError,
    PassingError,
    Reply,
    Served,
    Server,
)
from docparse_fast.targets.hosts.room import Room
from docparse_fast.targets.loading.catalog import last_part

PATIENCE = {AwayError: 12, BusyError: 6, BrokenOffError: 2}  # tries again, for each server
PAUSE = 0.5  # seconds that a server rests at first
LONGEST_PAUSE = 40  # times as long at most
LONGEST_REST = 120.0  # seconds, if the server itself says how long
LEAST = 0.001  # seconds for an answer
LOOK = 1.0  # seconds between two looks for a place, at most

notices = logging.getLogger("docparse_fast.notices")


@dataclass(slots=True, eq=False)
class Seat:
    """A server and what is going on with it."""

    server: Server
    served: Served | None  # None: it was away when the run began
    room: Room = field(default_factory=Room)
    asked: int = 0  # pages so far
    failures: int = 0  # in a row
    rests_until: float = 0.0


class Servers:
    """Use it from any number of threads."""

    def __init__(self, seats: Sequence[Seat], model: str = "", *, pause: float = PAUSE) -> None:
        self.seats = list(seats)
        self._model = model
        self._pause = pause
        self._changed = threading.Condition()
        self._has_given_up = False

    def give_up(self) -> None:
        """Waits for no answer any more; every question fails."""
        with self._changed:
            self._has_given_up = True
            self._changed.notify_all()
            for seat in self.seats:
                seat.server.give_up()

    def ask(self, body: Mapping[str, Any], seconds: float) -> Reply:
        """The answer of one of them; raises PageError if none gives one, TargetGoneError if none can be reached."""
        deadline, tries = time.monotonic() + seconds, Counter[type[PassingError]]()
        failed, why = Counter[Seat](), ""
        while True:
            try:
                seat, queued = self._seat(failed, deadline)
            except PageError as error:
                raise (PageError(error.code, f"{why}, until the page's time was over") if why else error) from error
            deadline += queued
            try:
                reply = self._asked(seat, body, deadline)
            except PassingError as error:
                kind, why = type(error), error.message
                tries[kind] += 1
                failed[seat] += 1
                self._rest(seat, error)
                if tries[kind] > PATIENCE[kind] * len(self.seats):
                    raise
            else:
                with self._changed:
                    seat.failures = 0
                    seat.room.answered(reply.tokens, time.monotonic())
                return reply
            finally:
                with self._changed:
                    seat.room.give_back()
                    self._changed.notify_all()

    def _asked(self, seat: Seat, body: Mapping[str, Any], deadline: float) -> Reply:
        served = seat.served or self._joined(seat)
        return seat.server.ask({**body, "model": served.name}, max(LEAST, deadline - time.monotonic()))

    def _joined(self, seat: Seat) -> Served:
        """What a server has that was away at first; one with another model is asked no more."""
        try:
            served = chosen(seat.server, self._model)
            check_alike([served, *(other.served for other in self.seats if other.served)])
        except ModelError as error:
            raise AwayError("worker_crashed", error.message) from error
        except UsageError as error:
            with self._changed:
                if seat in self.seats:  # else another page has found it out
                    notices.warning("%s is left out: %s", seat.server.url, error.message)
                    self.seats.remove(seat)
            raise AwayError("worker_crashed", error.message) from error
        seat.served = served
        return served

    def _seat(self, failed: Counter[Seat], deadline: float) -> tuple[Seat, float]:
        """A place with one that does not rest, and has failed at this page no more often than the others.

        Also the seconds in which the page only waited for its turn: they are not of its own time.
        """
        queued = 0.0
        with self._changed:
            while True:
                now = time.monotonic()
                if self._has_given_up:
                    raise PageError("timeout", "the run was interrupted")
                if now >= deadline + queued:
                    raise PageError("timeout", "no server could be reached in time")
                awake = [seat for seat in self.seats if seat.rests_until <= now]
                fewest = min((failed[seat] for seat in awake), default=0)
                free = [seat for seat in awake if failed[seat] == fewest and seat.room.has_place]
                if free:
                    best = min(free, key=lambda seat: (seat.room.share, seat.asked))
                    best.asked += 1
                    best.room.take()
                    return best, queued
                wakes = min((seat.rests_until for seat in self.seats if seat not in awake), default=now + LOOK)
                self._changed.wait(min(wakes - now, deadline + queued - now, LOOK))
                if awake:
                    queued += time.monotonic() - now

    def _rest(self, seat: Seat, error: PassingError) -> None:
        kind = type(error)
        with self._changed:
            now = time.monotonic()
            if seat.rests_until > now:  # another page has met the same
                return
            if kind is BusyError:
                seat.room.refused()
            if kind is AwayError and not seat.failures and len(self.seats) > 1:
                notices.warning("%s can't be reached; its pages go to the others", seat.server.url)
            own = self._pause * min(LONGEST_PAUSE, 2**seat.failures)
            seat.rests_until = now + max(own, min(LONGEST_REST, error.rest))
            seat.failures += 1


# ---------------------------------------------------------------------------------------------------- opening


def open_servers(urls: Sequence[str], key: str | None, model: str, in_flight: int | None) -> Servers:
    """Raises if none can be asked, or two of them serve different models."""
    seats, away = [], []
    for url in urls:
        server = Server(url, key)
        served = None
        try:
            served = chosen(server, model)
        except ModelError as error:
            away.append(error)
        room = Room() if in_flight is None else Room(in_flight, is_fixed=True)
        seats.append(Seat(server, served, room, failures=int(served is None)))
    if len(away) == len(seats):
        raise away[0]
    check_alike([seat.served for seat in seats if seat.served])
    for failure in away:
        notices.warning("%s; its pages go to the others", failure.message)
    return Servers(seats, model)


def chosen(server: Server, model: str) -> Served:
    there = server.models()
    if not there:
        raise UsageError(f"{server.url} serves no model")
    if not model and len(there) == 1:
        return there[0]
    for each in there:
        if model in (each.name, each.root):
            return each
    names = ", ".join(each.name for each in there)
    wrong = f"{server.url} doesn't serve {model!r}" if model else f"{server.url} serves several models"
    raise UsageError(wrong, remedy=f"choose with --target-model: {names}")


def check_alike(served: Sequence[Served]) -> None:
    """Pages of one document must not be read by two models."""
    first, *others = served
    for other in others:
        if other.name != first.name and last_part(other.root) != last_part(first.root):
            different = f"the servers serve different models: {first.root}, {other.root}"
            raise UsageError(different, remedy="name servers of one model")
