"""Runs on a machine with a GPU all that wants one, part by part. Knows processes and limits; no tensor.

Each part has a process and a time limit of its own, so a part that raises, hangs or crashes costs only itself. The
report is written after every part.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import docparse_fast
from docparse_fast.bench.gpu_day.asked import DayPart, GpuDay
from docparse_fast.bench.gpu_day.one_part import RESULT, to_text

LEAST_SECONDS = 10.0  # left over: with less a part isn't begun
PATIENCE = 5.0  # seconds between asking a part to end and ending it
SHOWN = 12  # last lines of what a failed part said
WELL = ("ok", "not run")


@dataclass
class PartOutcome:
    name: str
    what: str
    status: str = "not run"  # ok, failed, timed out, crashed, not run
    seconds: float = 0.0
    reason: str = ""
    said: list[str] = field(default_factory=list)  # last lines of a part that didn't end well
    found: dict[str, Any] = field(default_factory=dict)


def run_day(asked: GpuDay, keep: Callable[[Sequence[PartOutcome], float], None], say: Callable[[str], None]) -> bool:
    """Whether no part failed; `keep` gets all outcomes so far, and the seconds, after each part."""
    asked.out.mkdir(parents=True, exist_ok=True)
    start, outcomes = time.monotonic(), []
    for part in asked.parts:
        say(f"{part.name}: {part.what}")
        outcomes.append(run_apart(part, asked, asked.seconds - (time.monotonic() - start)))
        say(f"  {outcomes[-1].status} after {outcomes[-1].seconds:.0f} s {outcomes[-1].reason}")
        keep(outcomes, time.monotonic() - start)
    return all(outcome.status in WELL for outcome in outcomes)


def run_apart(part: DayPart, asked: GpuDay, left: float) -> PartOutcome:
    outcome = PartOutcome(part.name, part.what)
    seconds = min(part.seconds * asked.slower, left)
    if seconds < LEAST_SECONDS:
        outcome.reason = "no time left"
        return outcome
    folder = asked.out / part.name
    folder.mkdir(exist_ok=True)
    result = folder / RESULT
    result.unlink(missing_ok=True)
    start = time.monotonic()
    with (folder / "log.txt").open("wb") as log:
        code = ended([part.name, str(seconds / asked.slower)], to_text(asked), log, seconds)
    outcome.seconds = time.monotonic() - start
    settle(outcome, code, result, (folder / "log.txt").read_text("utf-8", "replace"))
    return outcome


def ended(words: Sequence[str], text: str, log: IO[bytes], seconds: float) -> int | None:
    """The exit code; None if the time ran out. The whole process group ends with the part."""
    here = str(Path(docparse_fast.__file__).parents[1])
    path = os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))
    process = subprocess.Popen(
        [sys.executable, "-m", "docparse_fast.bench.gpu_day.one_part", *words],
        stdin=subprocess.PIPE,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    try:
        with suppress(subprocess.TimeoutExpired):
            process.communicate(text.encode(), seconds)
        return process.returncode
    finally:
        end_group(process)


def end_group(process: subprocess.Popen[bytes]) -> None:
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
            process.wait(PATIENCE)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def settle(outcome: PartOutcome, code: int | None, result: Path, said: str) -> None:
    last = [line.rstrip() for line in said.splitlines() if line.strip()][-SHOWN:]
    if code is None:
        outcome.status, outcome.reason = "timed out", ""
    elif code < 0:
        outcome.status, outcome.reason = "crashed", f"signal {-code}"
    elif code != 0 or not result.is_file():
        outcome.status, outcome.reason = "failed", last[-1].strip() if last else "it said nothing"
    else:
        kept = json.loads(result.read_text("utf-8"))
        outcome.status, outcome.reason, outcome.found = kept["status"], kept["reason"], kept["found"]
    outcome.said = [] if outcome.status in WELL else last
