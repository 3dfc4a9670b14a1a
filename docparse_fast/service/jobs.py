"""Jobs on disk: what was uploaded, how it is to be read, how far it is, and what came of it.

A job is a folder of SPOOL: job.json, the uploaded `document`, and `out/`, which is what `convert` writes. What was
accepted is on disk before anybody is told so: a service that was killed goes on with it. Knows no HTTP, reads no page.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from threading import Condition
from typing import Any, Literal

from docparse_fast.errors import DocparseError
from docparse_fast.system.files import write

JobStatus = Literal["queued", "running", "ok", "partial", "failed"]
ENDED = frozenset({"ok", "partial", "failed"})
FILE, DOCUMENT, OUT = "job.json", "document", "out"
ID = re.compile(r"[A-Za-z0-9_-]{22}")
LONGEST_NAME = 255
ARRIVING = ".part"  # ends the names of folders whose upload hasn't ended


class FullError(DocparseError):
    """There are as many jobs waiting as may wait."""

    codes = frozenset({"too_large"})

    def __init__(self, most: int) -> None:
        super().__init__("too_large", f"{most} jobs are waiting", remedy="try again in a moment")


@dataclass(frozen=True, slots=True)
class Job:
    id: str
    name: str  # as the caller calls the document; no path is made of it
    status: JobStatus = "queued"
    options: Mapping[str, str] = field(default_factory=dict)  # those that differ from the service's own
    created: float = 0.0  # seconds since 1970
    ended: float | None = None
    pages: int | None = None
    pages_done: int = 0
    error: Mapping[str, str] | None = None  # code and message

    @property
    def has_ended(self) -> bool:
        return self.status in ENDED


class JobBook:
    """All jobs of a folder. Any thread may ask."""

    def __init__(self, spool: Path, most_waiting: int) -> None:
        self.spool = spool
        self._most_waiting = most_waiting
        self._jobs: dict[str, Job] = {}
        self._waiting: deque[str] = deque()
        self._changed = Condition()
        spool.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._take_up()

    def _take_up(self) -> None:
        """What an earlier service left: jobs that had not ended begin again, half uploads go."""
        for folder in sorted(self.spool.iterdir()):
            if folder.name.endswith(ARRIVING):
                shutil.rmtree(folder, ignore_errors=True)
            elif ID.fullmatch(folder.name) and (job := _read(folder / FILE)) is not None:
                self._jobs[job.id] = job if job.has_ended else replace(job, status="queued", pages_done=0)
        left = sorted((job for job in self._jobs.values() if not job.has_ended), key=lambda job: job.created)
        self._waiting.extend(job.id for job in left)

    # ---------------------------------------------------------------------------------------------- uploads

    def arriving(self) -> Path:
        """A folder for an upload; raises FullError where it would wait behind too many."""
        with self._changed:
            if len(self._waiting) >= self._most_waiting:
                raise FullError(self._most_waiting)
        folder = self.spool / f"{secrets.token_urlsafe(16)}{ARRIVING}"
        folder.mkdir(mode=0o700)
        return folder

    def accept(self, arrived: Path, name: str, options: Mapping[str, str]) -> Job:
        """The upload, whose `document` stands in the folder, as a job that waits."""
        job = Job(arrived.name.removesuffix(ARRIVING), name[:LONGEST_NAME], options=options, created=time.time())
        write(arrived / FILE, _text(job))
        arrived.rename(self.folder(job))
        with self._changed:
            self._jobs[job.id] = job
            self._waiting.append(job.id)
            self._changed.notify()
        return job

    def discard(self, arrived: Path) -> None:
        shutil.rmtree(arrived, ignore_errors=True)

    # ------------------------------------------------------------------------------------------------- jobs

    def folder(self, job: Job) -> Path:
        return self.spool / job.id

    def get(self, id_: str) -> Job | None:
        with self._changed:
            return self._jobs.get(id_)

    def all(self) -> list[Job]:
        with self._changed:
            return sorted(self._jobs.values(), key=lambda job: job.created)

    def next(self, patience: float) -> Job | None:
        """The job that has waited longest, begun; None if there is none for so many seconds."""
        with self._changed:
            if not self._waiting:
                self._changed.wait(patience)
            if not self._waiting:
                return None
            return self._put(replace(self._jobs[self._waiting.popleft()], status="running"))

    def update(self, id_: str, **changes: Any) -> None:
        """Of a job that may have been removed. Only its end is written to disk: until then it begins again."""
        with self._changed:
            job = self._jobs.get(id_)
            if job is None:
                return
            job = self._put(replace(job, **changes))
        if job.has_ended:
            write(self.folder(job) / FILE, _text(job))

    def back(self, id_: str) -> None:
        """A job that was broken off waits again, before all others."""
        with self._changed:
            if (job := self._jobs.get(id_)) is not None:
                self._put(replace(job, status="queued", pages_done=0))
                self._waiting.appendleft(id_)

    def remove(self, id_: str) -> bool:
        """False for one that is being worked on, or isn't there."""
        with self._changed:
            job = self._jobs.get(id_)
            if job is None or job.status == "running":
                return False
            del self._jobs[id_]
            with suppress(ValueError):
                self._waiting.remove(id_)
        shutil.rmtree(self.folder(job), ignore_errors=True)
        return True

    def remove_older(self, than: float) -> None:
        """Jobs that ended before that moment."""
        for job in self.all():
            if job.ended is not None and job.ended < than:
                self.remove(job.id)

    def files(self, job: Job) -> Iterator[tuple[str, int]]:
        """What came of it: names below `out`, and sizes."""
        out = self.folder(job) / OUT
        for path in sorted(out.rglob("*")):
            if path.is_file() and not path.is_symlink() and not path.name.startswith("."):
                yield path.relative_to(out).as_posix(), path.stat().st_size

    def _put(self, job: Job) -> Job:
        self._jobs[job.id] = job
        return job


def _text(job: Job) -> str:
    return json.dumps(asdict(job), ensure_ascii=False, indent=1) + "\n"


def _read(path: Path) -> Job | None:
    try:
        return Job(**json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None
