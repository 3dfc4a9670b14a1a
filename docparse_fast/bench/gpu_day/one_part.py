"""`python -m docparse_fast.bench.gpu_day.one_part PART SECONDS`: one part in its own process; stdin has the rest."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from docparse_fast.bench.gpu_day.asked import Given, GpuDay
from docparse_fast.bench.gpu_day.ends import NotHereError, WrongError

RESULT = "result.json"


def to_text(asked: GpuDay) -> str:
    return json.dumps({name: str(value) if isinstance(value, Path) else value for name, value in _fields(asked)})


def _fields(asked: GpuDay) -> list[tuple[str, Any]]:
    return [(name, getattr(asked, name)) for name in asked.__dataclass_fields__]


def from_text(text: str) -> GpuDay:
    """
    >>> asked = GpuDay(Path("out"), data=Path("pages"), only=("trial",))
    >>> from_text(to_text(asked)) == asked
    True
    """
    found = json.loads(text)
    data = Path(found["data"]) if found["data"] else None
    return GpuDay(**{**found, "out": Path(found["out"]), "data": data, "only": tuple(found["only"])})


def main(name: str, seconds: float, asked: GpuDay) -> None:
    fail_as_planted(name, asked.plant)
    from docparse_fast.bench.gpu_day import day_parts  # imported late: a failure there is the part's

    try:
        found = getattr(day_parts, name)(Given(asked, name, seconds))
        kept = {"status": "ok", "reason": "", "found": found}
    except NotHereError as error:
        kept = {"status": "not run", "reason": str(error), "found": {}}
    except WrongError as error:
        kept = {"status": "failed", "reason": str(error), "found": error.found}
    (asked.out / name / RESULT).write_text(json.dumps(kept), "utf-8")


def fail_as_planted(name: str, plant: str) -> None:
    part, _, kind = plant.partition(":")
    if part not in (name, "all"):
        return
    if kind == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if kind == "hang":
        time.sleep(3600)
    raise RuntimeError("planted")


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), from_text(sys.stdin.read()))
