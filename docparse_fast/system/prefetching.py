"""Reads a stream ahead of its reader, or works on several of its items at once. Knows nothing about the items."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

Item = TypeVar("Item")
Result = TypeVar("Result")
PATIENCE = 0.1  # seconds between two checks whether the reader has stopped
GLANCE = 0.02  # seconds until a reader that waits looks for something else to do


class _Failed:
    def __init__(self, error: BaseException) -> None:
        self.error = error


class _End:
    pass


@contextmanager
def prefetched(
    stream: Iterator[Item], count: int, while_waiting: Callable[[], None] | None = None
) -> Iterator[Iterator[Item]]:
    """Yields the stream, read at most `count` items ahead; its exceptions are raised in the reader.

    `while_waiting` is called in the reader now and again while it has to wait.

    >>> with prefetched(iter("abc"), 2) as letters:
    ...     list(letters)
    ['a', 'b', 'c']
    """
    from queue import Empty, Full, Queue  # imported late: a page without a target waits for none

    waiting: Queue[object] = Queue(maxsize=count)
    gone = threading.Event()

    def put(item: object) -> None:
        while not gone.is_set():
            with suppress(Full):
                waiting.put(item, timeout=PATIENCE)
                return

    def draw() -> None:
        try:
            for item in stream:
                put(item)
                if gone.is_set():
                    return
            put(_End())
        except BaseException as error:  # the reader gets every exception
            put(_Failed(error))

    def come() -> object:
        while while_waiting is not None:
            with suppress(Empty):
                return waiting.get(timeout=GLANCE)
            while_waiting()
        return waiting.get()

    def read() -> Iterator[Item]:
        while True:
            item = come()
            if isinstance(item, _End):
                return
            if isinstance(item, _Failed):
                raise item.error
            yield item  # type: ignore[misc]

    thread = threading.Thread(target=draw, name="prefetch", daemon=True)
    thread.start()
    try:
        yield read()
    finally:
        gone.set()
        thread.join()  # it stops within PATIENCE, or when its item is done


def mapped(
    function: Callable[[Item], Result], items: Iterable[Item], at_once: int, give_up: Callable[[], None] = lambda: None
) -> Iterator[Result]:
    """`function` of each item, in order: of so many items at once, each on a thread, or on the caller's own if one.

    Every call is waited for, also where the user interrupts; so `give_up`, which is called then, should end them.

    >>> list(mapped(str.upper, "abc", at_once=2))
    ['A', 'B', 'C']
    """
    if at_once == 1:
        yield from map(function, items)
        return
    from concurrent.futures import ThreadPoolExecutor

    running: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(at_once) as threads:
        try:
            for item in items:
                running.append(threads.submit(function, item))
                while len(running) == at_once or (running and running[0].done()):
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        except KeyboardInterrupt:
            give_up()
            raise
        finally:  # the caller stopped, or an item failed: don't begin the others
            for waiting in running:
                waiting.cancel()
