"""A stream drawn by a thread of its own, a few items ahead of whoever reads it. Knows nothing of what flows."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Full, Queue
from typing import TypeVar

Item = TypeVar("Item")
PATIENCE = 0.1  # seconds between two looks at whether the reader has gone


class _Failed:
    def __init__(self, error: BaseException) -> None:
        self.error = error


class _End:
    pass


@contextmanager
def prefetched(stream: Iterator[Item], count: int) -> Iterator[Iterator[Item]]:
    """The stream, at most `count` items ahead; what it raises is raised where it is read.

    >>> with prefetched(iter("abc"), 2) as letters:
    ...     list(letters)
    ['a', 'b', 'c']
    """
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
        except BaseException as error:  # handed to the reader, whatever it is
            put(_Failed(error))

    def read() -> Iterator[Item]:
        while True:
            item = waiting.get()
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
        thread.join()  # it looks up within PATIENCE, or once its item is done
