"""Several servers of one model: who gets a page, and what becomes of it when one of them goes away."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest
from targets.hosts.stub_server import Stub, says, serving
from targets.hosts.test_remote import drafted, servers_of

from docparse_fast.batch.planning import key_of
from docparse_fast.errors import PageError, TargetGoneError, UsageError
from docparse_fast.options import ParseOptions, SpeculationOptions, TargetOptions
from docparse_fast.pipeline import verified
from docparse_fast.targets.hosts.remote import open_remote
from docparse_fast.targets.hosts.room import MOST, Room
from docparse_fast.targets.hosts.servers import Servers, open_servers
from docparse_fast.verification.stages import Stages

PIXEL = "data:image/gif;base64,R0lGODdhAQABAIAAAAAAAAAAACwAAAAAAQABAAACAkQBADs="
PICTURE = {"type": "image_url", "image_url": {"url": PIXEL}}
BODY: dict[str, Any] = {"messages": [{"role": "user", "content": [PICTURE]}]}


@pytest.fixture
def pair() -> Iterator[tuple[Stub, Stub]]:
    with ExitStack() as stack:
        one, two = (Stub(lambda picture, body: says("words"), models=[{"id": "nano"}], wait=0.05) for _ in range(2))
        yield stack.enter_context(serving(one)), stack.enter_context(serving(two))


def ask_many(servers: Servers, count: int) -> list[str]:
    with ThreadPoolExecutor(count) as asking:
        return [reply.text for reply in asking.map(lambda _: servers.ask(BODY, 60.0), range(count))]


def test_pages_are_spread_over_the_servers(pair: tuple[Stub, Stub]) -> None:
    assert ask_many(servers_of(*pair), 8) == 8 * ["words"]
    assert [len(stub.asked) for stub in pair] == [4, 4]


def test_a_server_that_goes_away_leaves_its_pages_to_the_other(pair: tuple[Stub, Stub]) -> None:
    stays, goes = pair
    servers = servers_of(stays, goes)
    goes.faults = 20 * ["hang up"]
    stays.faults = ["", "503"]
    assert ask_many(servers, 12) == 12 * ["words"]


def test_a_server_that_cannot_be_reached_is_reported_once_and_asked_again_later(caplog: Any) -> None:
    with ExitStack() as stack, caplog.at_level(logging.INFO):
        stays = stack.enter_context(serving(Stub(lambda *_: says("words"))))
        with serving(Stub(lambda *_: says("words"))) as goes:
            servers = servers_of(stays, goes)
        assert ask_many(servers, 6) == 6 * ["words"]
        assert [record.message for record in caplog.records if goes.url in record.message] == [
            f"{goes.url} can't be reached; its pages go to the others"
        ]
        with serving(Stub(goes.reader, port=goes.port)) as back:
            while not back.asked:
                assert servers.ask(BODY, 60.0).text == "words"


def test_where_all_are_gone_the_pages_from_there_on_are_drafts(pair: tuple[Stub, Stub]) -> None:
    servers = servers_of(*pair)
    with ExitStack() as stack:
        gone = [stack.enter_context(serving(Stub(stub.reader))) for stub in pair]
        servers = servers_of(*gone)
    with pytest.raises(TargetGoneError):
        servers.ask(BODY, 60.0)


def test_a_page_is_not_waited_for_longer_than_it_may_take(pair: tuple[Stub, Stub]) -> None:
    servers = servers_of(*pair)
    for seat in servers.seats:
        seat.rests_until = math.inf
    with pytest.raises(PageError, match="in time"):
        servers.ask(BODY, 0.01)


def test_waiting_for_its_turn_is_not_of_a_pages_time(pair: tuple[Stub, Stub]) -> None:
    servers = open_servers([pair[0].url], None, "", 1)
    pair[0].wait = 0.3
    with ThreadPoolExecutor(8) as asking:
        assert [reply.text for reply in asking.map(lambda _: servers.ask(BODY, 2.0), range(8))] == 8 * ["words"]


def test_servers_of_different_models_are_refused() -> None:
    with (
        serving(Stub(lambda *_: says(""), models=[{"id": "a", "root": "rednote-hilab/dots.ocr"}])) as one,
        serving(Stub(lambda *_: says(""), models=[{"id": "b", "root": "/weights/dots.ocr"}])) as same,
        serving(Stub(lambda *_: says(""), models=[{"id": "nano"}])) as other,
    ):
        assert open_remote(f"{one.url}, {same.url}").identity.name == "dots.ocr"
        with pytest.raises(UsageError, match="different models"):
            open_remote(f"{one.url},{other.url}")


def test_a_server_that_was_away_at_first_joins_when_it_comes(pair: tuple[Stub, Stub]) -> None:
    with serving(Stub(lambda *_: says("words"), models=[{"id": "nano"}])) as late:
        port = late.port
    servers = open_servers([pair[0].url, late.url], None, "", 1)
    with serving(Stub(late.reader, models=[{"id": "nano"}], port=port)) as come:
        assert ask_many(servers, 4) == 4 * ["words"]
        assert come.asked


def test_every_server_is_asked_by_its_own_name_for_the_model() -> None:
    with (
        serving(Stub(lambda *_: says("one"), models=[{"id": "a", "root": "nano"}], wait=0.05)) as one,
        serving(Stub(lambda *_: says("two"), models=[{"id": "b", "root": "nano"}], wait=0.05)) as two,
    ):
        target = open_remote(f"{one.url},{two.url}", in_flight=1)
        pages = list(verified([drafted(n) for n in (1, 2)], Stages(target, SpeculationOptions(stages="2"))))
        assert len(pages) == 2
        assert [stub.asked[0]["model"] for stub in (one, two)] == ["a", "b"]


def test_a_list_of_servers_holds_servers_only() -> None:
    assert TargetOptions(name="http://a:1/v1,http://b:1/v1").is_remote
    with pytest.raises(UsageError, match="something else"):
        TargetOptions(name="http://a:1/v1,nano")


def test_a_batch_goes_on_where_it_was_when_servers_are_added() -> None:
    names = ("http://a:1/v1", "http://b:1/v1,http://c:1/v1")
    one, more = (ParseOptions(target=TargetOptions(name=name)) for name in names)
    assert key_of(one, {"target": "nano"}) == key_of(more, {"target": "nano"})
    assert key_of(one, {"target": "nano"}) != key_of(one, {"target": "dots.ocr"})


# ----------------------------------------------------------------------------------------------- in flight


def found_limit(capacity: int) -> int:
    """The limit found for a server that writes 100 tokens a second for each page, of `capacity` at once at most."""
    room, now = Room(), 0.0
    for _ in range(1000):
        while room.has_place:
            room.take()
        now += 1.0 / min(capacity, room.limit)
        room.answered(100, now)
        room.give_back()
    return room.limit


@pytest.mark.parametrize(("capacity", "limits"), [(1, {4}), (6, {6, 9}), (100, {MOST})])
def test_as_many_pages_are_asked_for_as_make_the_server_faster(capacity: int, limits: set[int]) -> None:
    assert found_limit(capacity) in limits


def test_a_server_that_says_it_is_busy_gets_half_as_many() -> None:
    room = Room(limit=16, taken=8)
    room.refused()
    assert (room.limit, room.is_fixed) == (4, True)


def test_a_server_with_places_left_over_tells_nothing_of_its_limit() -> None:
    room = Room()
    for n in range(100):
        room.take()
        room.answered(100, float(n))
        room.give_back()
    assert not room.is_fixed
    assert room.limit == 4


def test_no_more_pages_wait_at_a_server_than_it_has_room_for(pair: tuple[Stub, Stub]) -> None:
    before = threading.active_count()  # of other tests
    servers = open_servers([stub.url for stub in pair], None, "", 2)
    ask_many(servers, 12)
    assert [stub.most_at_once for stub in pair] == [2, 2]
    assert threading.active_count() - before < 50
