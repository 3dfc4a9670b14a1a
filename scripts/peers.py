"""What docparse-fast and the tools it is compared to cost: CPU seconds a page and peak memory, measured in turns.

    python scripts/peers.py PDFS [--tool docparse-fast --tool markitdown] [--rounds 3] [--json FILE]

PDFS is a folder; each tool reads the whole of it in one process, so that starting is paid once, as when a folder is
converted. Seconds are those of the process and all that it starts, medians of the rounds. Tools that are not installed
beside this Python, or as commands, are left out. Quality is scored by scripts/round_trip.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from statistics import median

MIB = 1 << 20
IN_PYTHON = {
    "pymupdf4llm": "import pymupdf4llm as t; read = lambda f: t.to_markdown(f, use_ocr=False)",
    "markitdown": "from markitdown import MarkItDown; m = MarkItDown(); read = lambda f: m.convert(f).text_content",
    "rapidocr": """
import pymupdf, rapidocr
ocr = rapidocr.RapidOCR()
def read(f):
    return [ocr(page.get_pixmap(dpi=200).tobytes("png")) for page in pymupdf.open(f)]""",
}
EACH = "\nimport sys, pathlib\nfor f in sorted(pathlib.Path(sys.argv[1]).glob('*.pdf')): read(str(f))"
IN_SHELL = {
    "docparse-fast": 'docparse-fast convert "$1" -o "$2" --target none -q',
    "pdftotext": 'for f in "$1"/*.pdf; do pdftotext "$f" "$2/text"; done',
    "tesseract": """
for f in "$1"/*.pdf; do
  pdftoppm -r 200 -gray "$f" "$2/page"
  for p in "$2"/page*; do tesseract "$p" "$2/text" >/dev/null 2>&1; rm "$p"; done
done""",
}


@dataclass(frozen=True)
class Cost:
    version: str
    cpu_seconds_a_page: float
    peak_mb: int
    seconds: tuple[float, ...]  # of each round


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pdfs", type=Path)
    parser.add_argument("--tool", choices=(*IN_SHELL, *IN_PYTHON), action="append")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    tools = [tool for tool in given.tool or (*IN_SHELL, *IN_PYTHON) if is_installed(tool)]
    documents, pages = counted(given.pdfs)
    found = costs(tools, given.pdfs, given.rounds, pages)
    for tool, cost in found.items():
        print(f"{tool:14} {cost.cpu_seconds_a_page:8.3f} CPU s a page {cost.peak_mb:6} MB   {cost.version}")
    if given.json:
        record = {"processor": processor(), "documents": documents, "pages": pages, "rounds": given.rounds}
        record |= {"tools": {tool: asdict(cost) for tool, cost in found.items()}}
        given.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return 0


def is_installed(tool: str) -> bool:
    return shutil.which(tool) is not None if tool in IN_SHELL else find_spec(tool) is not None


def counted(pdfs: Path) -> tuple[int, int]:
    """Documents and pages. A child opens them: this process stays small, as its memory counts as its children's."""
    code = f"import pymupdf\nread = lambda f: print(len(pymupdf.open(f))){EACH}"
    done = subprocess.run([sys.executable, "-c", code, str(pdfs)], capture_output=True, text=True, check=True)
    found = [int(line) for line in done.stdout.split()]
    return len(found), sum(found)


def costs(tools: list[str], pdfs: Path, rounds: int, pages: int) -> dict[str, Cost]:
    spent: dict[str, list[float]] = {tool: [] for tool in tools}
    peaks: dict[str, int] = dict.fromkeys(tools, 0)
    for _ in range(rounds):
        for tool in tools:
            seconds, peak = run(tool, pdfs)
            spent[tool].append(seconds)
            peaks[tool] = max(peaks[tool], peak)
    return {
        tool: Cost(
            release(tool),
            round(median(spent[tool]) / pages, 4),
            peaks[tool] // MIB,
            tuple(round(seconds, 1) for seconds in spent[tool]),
        )
        for tool in tools
    }


def run(tool: str, pdfs: Path) -> tuple[float, int]:
    """CPU seconds and peak memory, in bytes, of the largest process."""
    with tempfile.TemporaryDirectory() as out:
        words = (
            ["sh", "-c", IN_SHELL[tool], "sh"] if tool in IN_SHELL else [sys.executable, "-c", IN_PYTHON[tool] + EACH]
        )
        child = subprocess.Popen([*words, str(pdfs), out], stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
    if status:
        print(f"{tool} ended with {os.waitstatus_to_exitcode(status)}", file=sys.stderr)
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def release(tool: str) -> str:
    try:
        return version(tool)
    except PackageNotFoundError:
        flag = "-v" if tool == "pdftotext" else "--version"
        done = subprocess.run([tool, flag], capture_output=True, text=True, check=False)
        return (done.stdout or done.stderr).splitlines()[0]


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


if __name__ == "__main__":
    sys.exit(main())
