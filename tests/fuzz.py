"""Converts thousands of damaged files: each must end in a documented way, and within its limits.

    python tests/fuzz.py --cases 3000 --keep offenders/
    python tests/fuzz.py --seconds 30 --seed 7
    python tests/fuzz.py --only 1234 --keep offenders/      one case again

A case depends only on samples/, its number and the seed. Some cases are no damaged files but pages of one thing many
times over (odd_pages.py): labels, boxes, rules. A worker process with limited address space converts one case after
another; this script watches its CPU time, wall time and memory, and replaces it when it dies or is killed. A case is
good if the exit code is 0, 1 or 3, every line on stderr is an error line with a code from docs/output.md, run.json is
complete and agrees, the temporary folder is empty, and no error hides a bug (`convert` reports an unexpected exception
as worker_crashed or draft_failed); an odd page that is ok must also have its words. The script's exit code is 1 if a
case was not good. Interrupted or ended by a signal, it says what it has found so far.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

# Codes that a damaged file may cause; the others mean a problem with a target, or a bug.
CODES = frozenset({"encrypted", "corrupt", "empty", "unsupported", "too_large", "render_failed", "truncated"})
CODES |= {"out_of_memory", "not_found", "low_confidence"}
CODES |= {"model_missing"}  # spoilt letters are taken for a script that nothing here reads
ERROR_LINE = re.compile(r"docparse-fast: (?:error|warning): (\w+): .+")
SUFFIXES = {b"%PDF": ".pdf", b"\x89PNG": ".png", b"\xff\xd8\xff\xe0": ".jpg", b"II*\0": ".tif", b"GIF8": ".gif"}
ARGUMENTS = ("--target", "none", "--max-pages", "4", "--max-pixels", "300000", "--no-progress", "-q")
READ_SHARE = 0.25  # share of cases that also run OCR; the others read only the text layer
ODD_SHARE = 0.1  # of cases that are pages of one thing many times over
MOST_THINGS = 3000  # on such a page
LEAST_SAID = 0.98  # of such a page's words
MOST_CASES = 150  # cases per worker before it is replaced
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Limits:
    megabytes: int  # peak resident memory of a case
    cpu_seconds: float  # per case
    wall_seconds: float


@dataclass(frozen=True, slots=True)
class Case:
    number: int
    told: str
    data: bytes
    reads: bool
    words: tuple[str, ...] = ()  # that the document must have, if it is ok

    @property
    def suffix(self) -> str:
        return next((suffix for start, suffix in SUFFIXES.items() if self.data.startswith(start)), ".pdf")


@dataclass(frozen=True, slots=True)
class Outcome:
    name: str
    good: bool
    why: str = ""
    megabytes: int = 0
    cpu_seconds: float = 0.0


def case_of(
    seed: int, number: int, whole: dict[str, bytes], read_share: float = READ_SHARE, odd_share: float = ODD_SHARE
) -> Case:
    from damage import mutated

    if (choose := Random(f"odd {seed}-{number}")).random() < odd_share:
        return odd_case(number, choose)
    random = Random(f"{seed}-{number}")
    told, data = mutated(random, whole)
    return Case(number, told, data, random.random() < read_share)


def odd_case(number: int, choose: Random) -> Case:
    import odd_pages

    name, count = choose.choice(sorted(odd_pages.SHAPES)), int(10 * (MOST_THINGS / 10) ** choose.random())
    words = odd_pages.words_of(count) if name in odd_pages.READABLE else []
    return Case(number, f"{count} {name}", odd_pages.page(name, count), False, tuple(words))


# ------------------------------------------------------------------------------------------------- worker


def work() -> None:
    """Reads a case from each line of JSON on stdin, converts it, and answers with a line of JSON."""
    import logging
    import resource

    from docparse_fast.cli import run

    answers = os.fdopen(os.dup(1), "w")
    most = int(os.environ["FUZZ_ADDRESS_SPACE"])
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    logging.raiseExceptions = False
    for line in sys.stdin:
        job = json.loads(line)
        said = os.open(job["said"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(said, 1)  # native code writes past sys.stderr
        os.dup2(said, 2)
        os.close(said)
        Path("/proc/self/clear_refs").write_text("5")  # resets the peak
        before, children = _cpu_seconds(), _most_of_a_child()
        code = run(job["arguments"])
        sys.stdout.flush()
        sys.stderr.flush()
        status = Path("/proc/self/status").read_text()
        peak = int(status.partition("VmHWM:")[2].split()[0]) // 1024
        if (most := _most_of_a_child()) > children:  # nothing resets it
            peak = max(peak, most)
        print(json.dumps({"code": code, "mb": peak, "cpu": _cpu_seconds() - before}), file=answers, flush=True)


def _cpu_seconds() -> float:
    """Of this process and of the children that it waited for: pages are read in a process of their own."""
    return sum(os.times()[:4])


def _most_of_a_child() -> int:
    import resource

    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024


class Worker:
    """The converting process and its folder."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder = folder
        self._limits = limits
        self._temporary = folder / "tmp"
        self._temporary.mkdir(exist_ok=True)
        environment = {"TMPDIR": str(self._temporary), "OMP_NUM_THREADS": "1", "FUZZ_ADDRESS_SPACE": str(4 << 30)}
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--work"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | environment,
        )
        self._selector = selectors.DefaultSelector()
        assert self._process.stdout is not None
        self._selector.register(self._process.stdout, selectors.EVENT_READ)
        self.cases = 0

    def convert(self, case: Case) -> Outcome:
        self.cases += 1
        file, out, said = self._folder / f"case{case.suffix}", self._folder / "out", self._folder / "said"
        file.write_bytes(case.data)
        shutil.rmtree(out, ignore_errors=True)
        reading = ("--ocr", "auto") if case.reads else ("--ocr", "never")
        arguments = ["convert", str(file), "-o", str(out), *ARGUMENTS, *reading]
        answer = self._asked({"arguments": arguments, "said": str(said)})
        file.unlink()
        if isinstance(answer, Outcome):
            return answer
        outcome = self._judged(answer, said.read_text("utf-8", "replace"), out)
        if outcome.good and answer["code"] == 0 and (lost := _unsaid(case.words, out)):
            outcome = replace(outcome, name="ok without its words", good=False, why=lost)
        shutil.rmtree(out, ignore_errors=True)
        return outcome

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()

    def _asked(self, job: dict[str, Any]) -> dict[str, Any] | Outcome:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(job).encode() + b"\n")
        self._process.stdin.flush()
        start, cpu = time.monotonic(), self._cpu_seconds()
        while not self._selector.select(timeout=1):
            used, waited = self._cpu_seconds() - cpu, time.monotonic() - start
            if used > self._limits.cpu_seconds or waited > self._limits.wall_seconds:
                self.close()
                return Outcome("hang", False, f"{used:.0f} s of CPU, {waited:.0f} s by the clock")
        line = self._process.stdout.readline()
        if not line:
            return Outcome("crash", False, f"the worker ended with {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _cpu_seconds(self) -> float:
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / TICKS

    def _judged(self, answer: dict[str, Any], said: str, out: Path) -> Outcome:
        bad = _complaint(answer["code"], said, out)
        if not bad and answer["mb"] > self._limits.megabytes:
            bad = f"{answer['mb']} MB"
        if not bad and answer["cpu"] > self._limits.cpu_seconds:  # a child's is known when it has ended
            bad = f"{answer['cpu']:.0f} s of CPU"
        if not bad and (left := [path.name for path in self._temporary.iterdir()]):
            bad = f"left in the temporary folder: {left[:3]}"
        codes = sorted({found[1] for found in map(ERROR_LINE.fullmatch, said.splitlines()) if found})
        name = f"exit {answer['code']}" + (f" {' '.join(codes)}" if codes else "")
        return Outcome(name, not bad, bad, answer["mb"], answer["cpu"])


def _unsaid(words: tuple[str, ...], out: Path) -> str:
    """Which words the document lacks, if it lacks too many; usually empty."""
    said = (out / "case" / "document.md").read_text("utf-8") if words else ""
    lost = [word for word in words if word not in said]
    return f"{len(lost)} of {len(words)} words: {lost[:5]}" if len(lost) > (1 - LEAST_SAID) * len(words) else ""


def _complaint(code: int, said: str, out: Path) -> str:
    """What is wrong with the end of a case; usually empty."""
    for line in said.splitlines():
        found = ERROR_LINE.fullmatch(line)
        if not found:
            return f"said {line[:200]!r}"
        if found[1] not in CODES:
            return line[:300]
    if code not in (0, 1, 3):
        return f"exit code {code}"
    try:
        status = json.loads((out / "run.json").read_text("utf-8"))["inputs"][0]["status"]
    except (OSError, ValueError, KeyError) as error:
        return f"run.json: {error}"
    if {"ok": 0, "partial": 3, "failed": 1}[status] != code:
        return f"run.json says {status}, the exit code {code}"
    if code != 0 and not said:
        return f"exit code {code} without a word"
    return "" if status == "failed" or (out / "case" / "document.json").is_file() else "no document.json"


# ---------------------------------------------------------------------------------------------------- run


def run_cases(
    numbers: Iterator[int],
    seed: int,
    limits: Limits,
    keep: Path | None,
    deadline: float,
    read_share: float,
    odd_share: float,
    report: Report,
) -> None:
    from damage import seeds

    whole = seeds(ROOT / "samples")
    with tempfile.TemporaryDirectory(prefix="fuzz-") as scratch:
        worker = Worker(Path(scratch), limits)
        try:
            for number in numbers:
                if time.monotonic() > deadline:
                    break
                if not worker.alive or worker.cases >= MOST_CASES:
                    worker.close()
                    worker = Worker(Path(scratch), limits)
                case = case_of(seed, number, whole, read_share, odd_share)
                report.add(case, worker.convert(case), keep)
        finally:
            worker.close()


class Report:
    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.offenders: list[str] = []
        self.megabytes = 0
        self.slowest = 0.0

    def add(self, case: Case, outcome: Outcome, keep: Path | None) -> None:
        self.outcomes[outcome.name] += 1
        self.megabytes = max(self.megabytes, outcome.megabytes)
        self.slowest = max(self.slowest, outcome.cpu_seconds)
        if outcome.good:
            return
        line = f"case {case.number} ({case.told}): {outcome.name}: {outcome.why}"
        self.offenders.append(line)
        print(line, flush=True)
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"case-{case.number:06d}{case.suffix}").write_bytes(case.data)

    def __str__(self) -> str:
        lines = [f"{count:7}  {name}" for name, count in self.outcomes.most_common()]
        total = f"{self.outcomes.total():7}  cases, {len(self.offenders)} of them offenders"
        return "\n".join((*lines, total, f"at most {self.megabytes} MB and {self.slowest:.1f} CPU seconds a case"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=10**9, help="most cases to run")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="longest time to run")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0, help="the first case's number")
    parser.add_argument("--only", type=int, action="append", help="run only this case")
    parser.add_argument("--read-share", type=float, default=READ_SHARE, help="share of cases that also run OCR")
    parser.add_argument("--odd-share", type=float, default=ODD_SHARE, help="share of cases that are odd pages")
    parser.add_argument("--keep", type=Path, help="folder for files whose case was not good")
    parser.add_argument("--megabytes", type=int, default=1200, help="most memory of a case")
    parser.add_argument("--cpu-seconds", type=float, default=30, help="most CPU time of a case")
    parser.add_argument("--wall-seconds", type=float, default=300, help="most wall time of a case")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.work:
        work()
        return 0
    if asked.only is None and asked.cases == 10**9 and asked.seconds == float("inf"):
        parser.error("give --cases, --seconds or --only")
    numbers = iter(asked.only or range(asked.start, asked.start + asked.cases))
    limits = Limits(asked.megabytes, asked.cpu_seconds, asked.wall_seconds)
    deadline = time.monotonic() + asked.seconds
    for ending in (signal.SIGINT, signal.SIGTERM):  # a job in the background ignores the first, and dies of the second
        signal.signal(ending, signal.default_int_handler)
    report = Report()
    try:
        print(f"seed {asked.seed}", flush=True)
        run_cases(numbers, asked.seed, limits, asked.keep, deadline, asked.read_share, asked.odd_share, report)
    except KeyboardInterrupt:
        print("interrupted; so far:")
    print(report)
    return 1 if report.offenders else 0


if __name__ == "__main__":
    sys.exit(main())
