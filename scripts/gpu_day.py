"""Runs, on a machine with a GPU, everything that has never run on one, and writes what came of it.

    python scripts/gpu_day.py --out gpu-day                        # on a GPU, within half an hour
    python scripts/gpu_day.py --out trial --device cpu --small     # the same parts, small, anywhere

Each part has a process and a time limit of its own, so a part that raises, hangs or crashes costs only itself. The
report is written after every part: `report.json` and `report.md`. Exit code 0: no part failed; 1: some did.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MINUTES = 30.0  # for all parts together
SLOWER = 20  # times as long a small run may take: on a busy processor a limit is there for what hangs
LEAST_SECONDS = 10.0  # left over: with less a part isn't begun
PATIENCE = 5.0  # seconds between asking a part to end and ending it
SHOWN = 6  # last lines of what a failed part said
WELL = ("ok", "not run")


@dataclass(frozen=True)
class Part:
    name: str  # of the function in gpu_day_parts
    seconds: float
    what: str


PARTS = (
    Part("trial", 60, "one pass and one capture of a small model; attention kernel; cold start"),
    Part("gpu_tests", 180, "the tests that need a GPU: every architecture read and captured, in two dtypes"),
    Part("captures", 150, "every bucket captured, and compared with the plain pass"),
    Part("identity", 100, "nano in bfloat16: speculative, plain and generate() write the same"),
    Part("hybrids", 60, "layers that keep a state: written with drafts what generate() writes; cost of passes"),
    Part("cost_tables", 150, "what passes of each shape cost"),
    Part("engine_2b", 180, "the engine at the shape of Qwen3-VL-2B"),
    Part("engine_8b", 240, "the engine at the shape of Qwen3-VL-8B"),
    Part("engine_dots", 180, "the engine at the shape of dots.ocr"),
    Part("enlarged", 240, "nano at a real size, end to end"),
    Part("memory", 80, "memory of long rows, of many rows, and after it ran out"),
    Part("paper", 180, "two rows of the paper, where weights are here"),
)


@dataclass
class Outcome:
    name: str
    what: str
    status: str = "not run"  # ok, failed, timed out, crashed, not run
    seconds: float = 0.0
    reason: str = ""
    found: dict[str, Any] = field(default_factory=dict)


def main(arguments: Sequence[str] | None = None) -> int:
    asked = parsed(arguments)
    if asked.part:
        return run_here(asked)
    asked.out.mkdir(parents=True, exist_ok=True)
    minutes = asked.minutes if asked.minutes is not None else MINUTES * slower(asked)
    start, outcomes = time.monotonic(), []
    for part in PARTS:
        if asked.only and part.name not in asked.only:
            continue
        left = 60 * minutes - (time.monotonic() - start)
        print(f"{part.name}: {part.what}", flush=True)
        outcomes.append(run_apart(part, asked, left))
        print(f"  {outcomes[-1].status} after {outcomes[-1].seconds:.0f} s {outcomes[-1].reason}", flush=True)
        write_report(asked, outcomes, time.monotonic() - start)
    print(f"written: {asked.out / 'report.md'}")
    return 0 if all(outcome.status in WELL for outcome in outcomes) else 1


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("gpu-day"), help="folder of the report")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--small", action="store_true", help="sizes that a CPU does in minutes; figures mean nothing")
    parser.add_argument("--minutes", type=float, default=None, help="time limit for everything (30; small: 600)")
    parser.add_argument("--data", type=Path, default=None, help="pages for the paper's rows; else our samples")
    parser.add_argument("--only", type=named_parts, default=[], help="names of parts")
    parser.add_argument("--plant", default="", help="PART:KIND, a failure for a test; KIND is raise, crash or hang")
    parser.add_argument("--part", default="", help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=0.0, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def named_parts(text: str) -> list[str]:
    names = text.split(",")
    known = [part.name for part in PARTS]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise argparse.ArgumentTypeError(f"no part is called {', '.join(unknown)}; there are {', '.join(known)}")
    return names


# ------------------------------------------------------------------------------------ one part, in its own process


def run_apart(part: Part, asked: argparse.Namespace, left: float) -> Outcome:
    outcome = Outcome(part.name, part.what)
    seconds = min(part.seconds * slower(asked), left)
    if seconds < LEAST_SECONDS:
        outcome.reason = "no time left"
        return outcome
    folder = asked.out / part.name
    folder.mkdir(exist_ok=True)
    result = folder / "result.json"
    result.unlink(missing_ok=True)
    start = time.monotonic()
    with (folder / "log.txt").open("wb") as log:
        code = ended(command(part, asked, seconds / slower(asked)), log, seconds)
    outcome.seconds = time.monotonic() - start
    said = (folder / "log.txt").read_text("utf-8", "replace")
    settle(outcome, code, result, said)
    return outcome


def slower(asked: argparse.Namespace) -> int:
    return SLOWER if asked.small else 1


def command(part: Part, asked: argparse.Namespace, seconds: float) -> list[str]:
    own = [sys.executable, __file__, "--part", part.name, "--out", str(asked.out), "--device", asked.device]
    own += ["--seconds", str(seconds), "--plant", asked.plant, *(["--small"] if asked.small else [])]
    return own + (["--data", str(asked.data)] if asked.data else [])


def ended(argv: list[str], log: Any, seconds: float) -> int | None:
    """The exit code; None if the time ran out. The whole process group ends with the part."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    process = subprocess.Popen(
        argv, stdout=log, stderr=subprocess.STDOUT, start_new_session=True, env=os.environ | {"PYTHONPATH": path}
    )
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
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


def settle(outcome: Outcome, code: int | None, result: Path, said: str) -> None:
    last = " | ".join(line.strip() for line in said.strip().splitlines()[-SHOWN:])
    if code is None:
        outcome.status, outcome.reason = "timed out", last
    elif code < 0:
        outcome.status, outcome.reason = "crashed", f"signal {-code}: {last}"
    elif code != 0 or not result.is_file():
        outcome.status, outcome.reason = "failed", last
    else:
        kept = json.loads(result.read_text("utf-8"))
        outcome.status, outcome.reason, outcome.found = kept["status"], kept["reason"], kept["found"]


def run_here(asked: argparse.Namespace) -> int:
    """The part itself: it writes its result and ends."""
    fail_as_planted(asked)
    import gpu_day_parts
    from gpu_day_outcomes import NotHereError, WrongError

    try:
        kept = {"status": "ok", "reason": "", "found": getattr(gpu_day_parts, asked.part)(asked)}
    except NotHereError as error:
        kept = {"status": "not run", "reason": str(error), "found": {}}
    except WrongError as error:
        kept = {"status": "failed", "reason": str(error), "found": error.found}
    (asked.out / asked.part / "result.json").write_text(json.dumps(kept), "utf-8")
    return 0


def fail_as_planted(asked: argparse.Namespace) -> None:
    part, _, kind = asked.plant.partition(":")
    if part not in (asked.part, "all"):
        return
    if kind == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if kind == "hang":
        time.sleep(3600)
    raise RuntimeError("planted")


# --------------------------------------------------------------------------------------------------- the report


def write_report(asked: argparse.Namespace, outcomes: list[Outcome], seconds: float) -> None:
    record = {
        "format": "docparse-fast/gpu-day",
        "version": 1,
        "device": asked.device,
        "small": asked.small,
        "platform": platform.platform(),
        "python": platform.python_version(),
        "seconds": round(seconds, 1),
        "parts": [asdict(outcome) for outcome in outcomes],
    }
    replace_text(asked.out / "report.json", json.dumps(record, indent=1))
    replace_text(asked.out / "report.md", as_markdown(record))


def replace_text(path: Path, text: str) -> None:
    part = path.with_suffix(".part")
    part.write_text(text, "utf-8")
    part.replace(path)


def as_markdown(record: dict[str, Any]) -> str:
    small = ", small: its figures mean nothing" if record["small"] else ""
    lines = [
        f"# A day on a GPU: {record['device']}{small}",
        "",
        f"{record['platform']}, Python {record['python']}, {record['seconds']:.0f} s",
        "",
        "| part | what | status | seconds | why |",
        "| --- | --- | --- | ---: | --- |",
    ]
    for part in record["parts"]:
        reason = part["reason"].replace("|", "/")[:160]
        lines.append(f"| {part['name']} | {part['what']} | {part['status']} | {part['seconds']:.0f} | {reason} |")
    for part in record["parts"]:
        if part["found"]:
            lines += ["", f"## {part['name']}", "", *(f"- {name}: {value}" for name, value in part["found"].items())]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
