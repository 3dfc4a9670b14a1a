"""What a long batch costs: pages a second and memory over time, with one worker and with two.

    python scripts/bench_batch.py --plot docs/figures/batch-memory.png

Makes 500 pages (seven documents of 70 born-digital pages, every tenth with a photograph, and ten small scans),
runs `batch` over them, and looks twice a second at what its process and its workers hold (resident set, so shared
pages count in each). Seconds are of the clock and of the CPU: on a busy machine only the second say much.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

LOOK_EVERY = 0.5
DOCUMENTS, PAGES, SCANS = 7, 70, 10
COLOURS = {1: (31, 96, 160), 2: (200, 90, 30)}


@dataclass(slots=True)
class Measured:
    jobs: int
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    samples: list[tuple[float, int, int]] = field(default_factory=list)  # seconds, the batch's bytes, the workers'


def make_pages(folder: Path) -> None:
    from docparse_fast.mupdf import pymupdf

    photograph = folder.parent / "photograph.jpg"
    Image.effect_noise((800, 600), 60).convert("RGB").save(photograph, quality=80)
    for n in range(DOCUMENTS):
        with pymupdf.open() as document:
            for number in range(PAGES):
                page = document.new_page()
                for line in range(40):
                    page.insert_text((60, 60 + 12 * line), f"Line {line} of page {number} of document {n}: few words.")
                page.draw_rect((60, 560, 300, 640), fill=(0.8, 0.9, 1.0))
                if number % 10 == 0:
                    page.insert_image((320, 560, 540, 720), filename=photograph)
            document.save(folder / f"document-{n}.pdf")
    for n in range(SCANS):
        image = Image.new("L", (700, 220), 246)
        draw = ImageDraw.Draw(image)
        for line in range(4):
            draw.text((30, 20 + 48 * line), f"Line {line} of scan {n}, read", fill=20, font=ImageFont.load_default(34))
        image.save(folder / f"scan-{n:02d}.png")


def measure(folder: Path, out: Path, jobs: int) -> Measured:
    command = [sys.executable, "-m", "docparse_fast", "batch", str(folder), "-o", str(out), "-q", "--target", "none"]
    measured = Measured(jobs)
    cpu = os.times()
    start = time.monotonic()
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen([*command, "--jobs", str(jobs)], env=environment) as batch:
        while batch.poll() is None:
            own, workers = _resident(batch.pid)
            measured.samples.append((time.monotonic() - start, own, workers))
            time.sleep(LOOK_EVERY)
    if batch.returncode:
        raise SystemExit(f"the batch ended with {batch.returncode}")
    after = os.times()
    measured.seconds = time.monotonic() - start
    measured.cpu_seconds = after.children_user + after.children_system - cpu.children_user - cpu.children_system
    return measured


def _resident(batch: int) -> tuple[int, int]:
    told = subprocess.run(["ps", "-o", "pid=,rss=", "-p", str(batch), "--ppid", str(batch)], capture_output=True)
    sizes = {int(pid): 1024 * int(size) for pid, size in (line.split() for line in told.stdout.splitlines())}
    own = sizes.pop(batch, 0)
    return own, sum(sizes.values())


def draw(runs: list[Measured], path: Path) -> None:
    """Total memory over the share of the run that has passed: the runs differ in length, not in work."""
    width, height, left, bottom = 900, 420, 80, 50
    image = Image.new("RGB", (width, height), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(15)
    most = max(own + workers for run in runs for _, own, workers in run.samples)
    top = 200 * (1 + most // (200 * 2**20))  # MB

    def at(share: float, megabytes: float) -> tuple[float, float]:
        return left + share * (width - left - 20), height - bottom - megabytes / top * (height - bottom - 40)

    for mark in range(0, top + 1, 200):
        pen.line([at(0, mark), at(1, mark)], fill=(225, 225, 225))
        pen.text((10, at(0, mark)[1] - 8), f"{mark} MB", fill="black", font=font)
    for run in runs:
        colour = COLOURS[run.jobs]
        end = run.samples[-1][0]
        pen.line([at(t / end, (own + w) / 2**20) for t, own, w in run.samples], fill=colour, width=2)
        pen.line([at(t / end, own / 2**20) for t, own, _ in run.samples], fill=colour, width=1)
        label = f"--jobs {run.jobs}: all processes (thick), the batch itself (thin)"
        pen.text((left + 10, 8 + 18 * (run.jobs - 1)), label, fill=colour, font=font)
    pen.text((left, height - 30), "500 pages, from the first to the last", fill="black", font=font)
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, optimize=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    pages = DOCUMENTS * PAGES + SCANS
    runs = []
    with tempfile.TemporaryDirectory(prefix="bench-batch-") as folder:
        source = Path(folder, "in")
        source.mkdir()
        make_pages(source)
        for jobs in COLOURS:
            run = measure(source, Path(folder, f"out-{jobs}"), jobs)
            runs.append(run)
            quarter = len(run.samples) // 4
            for name, part in (("second", run.samples[quarter : 2 * quarter]), ("last", run.samples[3 * quarter : -1])):
                own, workers = (max(sample[n] for sample in part) / 2**20 for n in (1, 2))
                print(f"--jobs {jobs}, {name} quarter: the batch {own:.0f} MB, its workers {workers:.0f} MB at most")
            rate, cpu = pages / run.seconds, run.cpu_seconds
            print(
                f"--jobs {jobs}: {pages} pages, {rate:.1f} a second; {cpu:.0f} CPU s of {run.seconds:.0f} s", flush=True
            )
    if given.plot:
        draw(runs, given.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
