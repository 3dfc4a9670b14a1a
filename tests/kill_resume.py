"""Kills and resumes a batch hundreds of times; its final output must equal that of an undisturbed run.

    python tests/kill_resume.py                       200 kills over 30 small documents, minutes
    python tests/kill_resume.py --kills 12 --seed 3 --documents 8
    python tests/kill_resume.py --target http://localhost:8000/v1          with a server that verifies

Each round continues `docparse-fast batch` where the last round was killed, and kills only its process (SIGKILL), at a
random time or at a named place of batch/faults.py. After each kill no worker may be left, and every file must equal the
undisturbed run's. When a batch ends by itself, its whole tree is compared with the undisturbed run's, byte for byte
except timings, and the next round starts again from nothing. Exit code 1: something differed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from docparse_fast.batch.batch import STATE  # noqa: E402
from docparse_fast.batch.faults import PLACES, VARIABLE  # noqa: E402
from docparse_fast.run.outputs import IMAGES, file_digest  # noqa: E402
from docparse_fast.system.files import NOTES  # noqa: E402

SECONDS_IN_HTML = re.compile(rb'class="seconds"[^>]*>[^<]*')
PAGE = re.compile(r"page-\d+\.md$")
GRACE = 5.0  # seconds until a worker must be gone
AT_A_PLACE = 0.5  # share of the kills; the others come at random times
NOT_AT_ONCE = 0.3  # seconds until a process does anything


@dataclass(slots=True)
class Account:
    kills: int = 0
    by_place: Counter[str] = field(default_factory=Counter)
    ends: int = 0  # batches that ended by themselves and were compared
    orphans: int = 0
    differences: list[str] = field(default_factory=list)


# --------------------------------------------------------------------------------------------- documents


def make_documents(folder: Path, count: int, seed: int) -> None:
    """Mostly born-digital documents, some with several pages; every tenth is a scan."""
    chance = random.Random(seed)
    for n in range(count):
        path = folder / f"box {n % 3}" / f"document-{n:02d}"
        path.parent.mkdir(parents=True, exist_ok=True)
        if n % 10 == 9:
            _make_scan(path.with_suffix(".png"), n)
        else:
            _make_pdf(path.with_suffix(".pdf"), n, pages=chance.choice((1, 1, 1, 2, 4)))


def _make_pdf(path: Path, n: int, pages: int) -> None:
    from docparse_fast.system.mupdf import pymupdf

    with pymupdf.open() as document:
        for number in range(1, pages + 1):
            page = document.new_page(width=260, height=200)
            page.insert_text((20, 40), f"Document {n}, page {number}", fontsize=14)
            if number > 1:
                page.insert_text((20, 60), "and goes on with another page.")
            page.insert_text((20, 80), f"The {number * 37} words that stand here are few.")
            if number < pages:
                page.insert_text((20, 190), "This sentence begins here")
            if n % 4 == 0:
                shade = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 40, 30), False)
                shade.set_rect(shade.irect, (n * 7 % 256, 90, 160))
                page.insert_image(pymupdf.Rect(60, 100, 200, 180), pixmap=shade)
        document.save(path, no_new_id=True)


def _make_scan(path: Path, n: int) -> None:
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("L", (420, 90), 246)
    ImageDraw.Draw(image).text((20, 25), f"Scan number {n} says", fill=20, font=ImageFont.load_default(34))
    image.save(path)


# ------------------------------------------------------------------------------------------------ the batch


def start(documents: Path, out: Path, jobs: int, target: str, fault: str = "", *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "docparse_fast", "batch", str(documents), "-o", str(out), "-q"]
    options = ["--jobs", str(jobs), "--target", target, "--format", "md,json,html", "--max-pixels", "200000"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), VARIABLE: fault, "OMP_NUM_THREADS": "1"}
    return subprocess.Popen([*command, *options, *more], env=environment, start_new_session=True)


def workers_of(batch: int) -> list[int]:
    """Worker processes with this batch on their command line, even if their parent has changed."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                words = (entry / "cmdline").read_bytes().split(b"\0")
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
                if b"docparse_fast.batch.worker" in words and str(batch).encode() in words and state != "Z":
                    found.append(int(entry.name))
    return found


def orphans_of(batch: int) -> int:
    deadline = time.monotonic() + GRACE
    while (left := workers_of(batch)) and time.monotonic() < deadline:
        time.sleep(0.02)
    for process in left:
        os.kill(process, signal.SIGKILL)
    return len(left)


# ------------------------------------------------------------------------------------------------ comparing


def tree(out: Path) -> dict[str, bytes]:
    """The files in OUT without timings, the lock and the notes, which are in the order of writing."""
    files = (path for path in out.rglob("*") if path.is_file() and path.name not in ("lock", NOTES))
    return {str(path.relative_to(out)): _without_timings(path) for path in files}


def _without_timings(path: Path) -> bytes:
    data = path.read_bytes()
    if path.suffix == ".json":
        return json.dumps(_timeless(json.loads(data)), indent=1).encode()
    if path.suffix == ".jsonl":
        return b"\n".join(json.dumps(_timeless(json.loads(line))).encode() for line in data.splitlines())
    return SECONDS_IN_HTML.sub(b"", data) if path.suffix == ".html" else data


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        # a document.html's digest covers its timings, as a document.json's does
        timed = ("seconds", "document.json", "document.html")
        return {name: 0 if name in timed else _timeless(part) for name, part in value.items()}
    return [_timeless(part) for part in value] if isinstance(value, list) else value


def differences(found: dict[str, bytes], expected: dict[str, bytes]) -> list[str]:
    odd = [f"missing: {name}" for name in expected.keys() - found.keys()]
    odd += [f"too much: {name}" for name in found.keys() - expected.keys()]
    odd += [f"different: {name}" for name in expected.keys() & found.keys() if found[name] != expected[name]]
    return sorted(odd)


def false_files(out: Path, expected: dict[str, bytes], unjoined: dict[str, bytes]) -> list[str]:
    """Files that look finished after a kill but aren't. Unfinished files begin with a dot and don't count.

    A page's file may still be as it was before the whole document was read.
    """
    odd = []
    for path in out.rglob("*"):
        name = str(path.relative_to(out))
        if path.is_dir() or path.name.startswith(".") or name.startswith(STATE) or name == "run.json":
            continue
        if not _is_noted(path):
            odd.append(f"after a kill, not noted: {name}")
        try:
            known = (expected.get(name), unjoined.get(name) if PAGE.search(name) else None)
            if _without_timings(path) not in known:
                odd.append(f"after a kill: {name}")
        except ValueError:
            odd.append(f"after a kill, not whole: {name}")
    return odd


def _is_noted(path: Path) -> bool:
    """Whether the next run will know the file for ours."""
    folder = path.parent.parent if path.parent.name == IMAGES else path.parent
    noted = (folder / NOTES).read_text("utf-8") if (folder / NOTES).is_file() else ""
    return f"{file_digest(path)}  {path.relative_to(folder).as_posix()}\n" in noted


# ------------------------------------------------------------------------------------------------ the trial


def trial(
    folder: Path, *, kills: int, documents: int, jobs: int, seed: int, target: str = "none", say: bool = True
) -> Account:
    chance = random.Random(seed)
    source, calm, out = folder / "documents", folder / "undisturbed", folder / "out"
    make_documents(source, documents, seed)
    begun = time.monotonic()
    _run_to_the_end(source, calm, jobs, target)
    took = time.monotonic() - begun
    expected = tree(calm)
    _run_to_the_end(source, folder / "unjoined", jobs, target, "--no-join")
    unjoined = tree(folder / "unjoined")
    passes = _passes(expected, documents)
    account = Account()
    while account.kills < kills:
        place = chance.choice(PLACES) if chance.random() < AT_A_PLACE else ""
        # Early kills are more frequent: even a batch that is always killed early must make progress.
        fault = f"kill@{place}:{1 + int(passes[place] * chance.random() ** 2)}" if place else ""
        instant = took if place else NOT_AT_ONCE + chance.random() ** 2 * took
        if _killed(start(source, out, jobs, target, fault), 20 * took + 60 if place else instant, account):
            account.kills += 1
            account.by_place[place or "any instant"] += 1
            account.differences += false_files(out, expected, unjoined)
        else:
            account.ends += 1
            account.differences += differences(tree(out), expected)
            shutil.rmtree(out)
        if say and account.kills % 20 == 0:
            print(f"{account.kills} kills, {account.ends} ends, {time.monotonic() - begun:.0f} s", flush=True)
    if say:
        joined = sum(expected[name] != unjoined.get(name) for name in expected if PAGE.search(name))
        print(f"{joined} of {sum(map(bool, map(PAGE.search, expected)))} pages are changed by the whole document")
    _run_to_the_end(source, out, jobs, target)
    account.ends += 1
    account.differences += differences(tree(out), expected)
    return account


def _run_to_the_end(source: Path, out: Path, jobs: int, target: str, *more: str) -> None:
    with start(source, out, jobs, target, "", *more) as batch:
        if batch.wait() != 0:
            raise SystemExit(f"an undisturbed batch ended with {batch.returncode}")


def _killed(batch: subprocess.Popen[bytes], seconds: float, account: Account) -> bool:
    """Whether the batch was killed: by itself at its place, or by us after the seconds."""
    try:
        batch.wait(seconds)
    except subprocess.TimeoutExpired:
        batch.kill()
        batch.wait()
    account.orphans += orphans_of(batch.pid)
    if batch.returncode not in (0, -signal.SIGKILL):
        account.differences.append(f"a batch ended with {batch.returncode}")
    return batch.returncode == -signal.SIGKILL


def _passes(expected: dict[str, bytes], documents: int) -> dict[str, int]:
    """How often an undisturbed run reaches each place."""
    pages = sum(PAGE.search(name) is not None for name in expected)
    often = {"page-written": pages, "page-kept": pages, "run-saved": 2, "journal-rewritten": 2}
    return {place: often.get(place, documents) for place in PLACES}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--documents", type=int, default=30)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", default="none", metavar="URL")
    given = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kill-resume-") as folder:
        account = trial(
            Path(folder),
            kills=given.kills,
            documents=given.documents,
            jobs=given.jobs,
            seed=given.seed,
            target=given.target,
        )
    places = ", ".join(f"{place} {count}" for place, count in sorted(account.by_place.items()))
    print(f"{account.kills} kills ({places})")
    print(f"{account.ends} batches ended and were compared")
    print(f"{account.orphans} orphans, {len(account.differences)} differences, {time.monotonic() - begun:.0f} s")
    for line in account.differences[:20]:
        print(f"  {line}")
    return 1 if account.orphans or account.differences else 0


if __name__ == "__main__":
    sys.exit(main())
