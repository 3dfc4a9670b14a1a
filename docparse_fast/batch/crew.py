"""Starts workers, gives them tasks, watches and replaces them. Knows no page, nor where a worker runs.

A worker that exceeds a limit is killed, whatever it is doing.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Generic, Self, TypeVar

from docparse_fast.batch.messages import Answer, PageSeen, Ready, Refused, Setup, Task
from docparse_fast.batch.processes import Engine, LocalEngine, WorkerProcess
from docparse_fast.errors import ModelError

STARTING = 120.0  # seconds until a worker is ready: the disk may be cold, the machine busy
STARTS = 3  # failed starts in a row: a machine may be out of memory for a moment

For = TypeVar("For")  # what a task is for; the batch chooses the type


@dataclass(frozen=True, slots=True)
class Gone(Generic[For]):
    """A worker died without being killed by the batch."""

    task_for: For | None  # None: it had no task
    how: str
    was_fresh: bool  # the task was its first, so no earlier task can be the cause
    at_start: bool  # it died before it was ready


@dataclass(frozen=True, slots=True)
class Answered(Generic[For]):
    task_for: For
    answer: Answer
    seconds: float


class Worker(Generic[For]):
    """One worker process and its task."""

    def __init__(self, setup: Setup, process: WorkerProcess) -> None:
        self._process = process
        self.connection = process.connection
        self.ready = False
        self.task_for: For | None = None
        self.tasks_begun = 0
        self._since = time.monotonic()
        with suppress(BrokenPipeError, ConnectionResetError):  # it is dead; `receive` will notice
            self.connection.send(setup)

    @property
    def seconds(self) -> float:
        """Seconds at its task, without the start."""
        return time.monotonic() - self._since if self.ready and self.task_for is not None else 0.0

    @property
    def starting_seconds(self) -> float:
        return 0.0 if self.ready else time.monotonic() - self._since

    def give(self, task: Task, task_for: For) -> None:
        self.task_for = task_for
        self.tasks_begun += 1
        if self.ready:
            self._since = time.monotonic()
        with suppress(BrokenPipeError, ConnectionResetError):
            self.connection.send(task)

    def receive(self) -> Answered[For] | Gone[For] | None:
        """The next answer, or its death; None if it has just become ready. A page's image is no whole answer."""
        try:
            said = self.connection.recv()
        except (EOFError, OSError):
            return self._gone()
        if isinstance(said, Ready):
            self.ready, self._since = True, time.monotonic()
            return None
        if not self.ready and isinstance(said, Refused):  # every worker would fail
            raise said.error
        assert self.task_for is not None
        answered = Answered(self.task_for, said, self.seconds)
        if not isinstance(said, PageSeen):
            self.task_for = None
        return answered

    @property
    def has_answered(self) -> bool:
        """Whether an answer is waiting: then the batch was slow, not the worker."""
        return self.connection.poll()

    def resident_bytes(self) -> int:
        return self._process.resident_bytes()

    def kill(self) -> None:
        self._process.kill()

    def _gone(self) -> Gone[For]:
        was_fresh = self.tasks_begun == 1 and not self._process.may_vanish
        return Gone(self.task_for, self._process.ending(), was_fresh, at_start=not self.ready)


class Crew(Generic[For]):
    """Up to `size` workers, started when there is work for them."""

    def __init__(self, setup: Setup, size: int, engine: Engine | None = None, *, quiet: bool = True) -> None:
        self._setup = setup
        self._engine = engine or LocalEngine()
        self._size = size
        self._quiet = quiet
        self.workers: list[Worker[For]] = []
        self._failed_starts = 0  # since a worker got ready

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Kills all workers; they hold nothing that must be saved."""
        while self.workers:
            self.workers.pop().kill()
        self._engine.close()

    @property
    def busy(self) -> bool:
        return any(worker.task_for is not None for worker in self.workers)

    @property
    def has_room(self) -> bool:
        return len(self.workers) < min(self._size, self._engine.places)

    def idle_workers(self) -> list[Worker[For]]:
        return [worker for worker in self.workers if worker.task_for is None]

    def hire(self) -> Worker[For]:
        self.workers.append(Worker(self._setup, self._engine.start(quiet=self._quiet)))
        return self.workers[-1]

    def lose(self, worker: Worker[For]) -> None:
        """Kills the worker if it still runs; the next `hire` replaces it."""
        self.workers.remove(worker)
        worker.kill()

    def note_start(self, failed: str = "") -> None:
        """Counts failed starts; `failed` says how a worker died, and is empty if one became ready."""
        self._failed_starts = self._failed_starts + 1 if failed else 0
        if self._failed_starts == STARTS:
            raise ModelError("unsupported", f"worker processes can't be started ({failed})", remedy="-vv shows why")

    def surplus(self) -> list[Worker[For]]:
        """Those that wait for a place there is none for any more, because a machine has gone."""
        waiting = [worker for worker in self.workers if not worker.ready]
        return waiting[: max(0, len(self.workers) - self._engine.places)] if waiting else []

    def check_started(self) -> None:
        for worker in self.workers:
            if worker.starting_seconds > STARTING:
                raise ModelError("unsupported", f"a worker process did not start in {STARTING:g} s", remedy="")
