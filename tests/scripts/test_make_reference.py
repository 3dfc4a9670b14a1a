from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
WRITTEN = {"HF_HUB_DISABLE_PROGRESS_BARS", "ORT_DISABLE_TELEMETRY", "PYTHONPATH"}  # for libraries and processes of ours
WRITTEN |= {"HUGGINGFACE_HUB_CACHE", "TERM"}  # an old name, and one that every terminal sets
WRITTEN |= {"DOCPARSE_FAST_"}  # what the variables of options begin with


def test_the_man_page_and_the_reference_say_what_the_help_says():
    """If not: scripts/make_reference.py writes it anew."""
    done = subprocess.run([sys.executable, ROOT / "scripts/make_reference.py", "--check"], cwd=ROOT)
    assert done.returncode == 0


def test_the_man_page_has_every_command_and_no_line_that_roff_takes_for_a_request():
    lines = (ROOT / "docparse_fast/data/docparse-fast.1").read_text("utf-8").splitlines()
    titles = {line.removeprefix(".SS ") for line in lines if line.startswith(".SS ")}
    assert {"convert", "batch", "verify", "doctor", "completion", "bench run", "models list"} <= titles
    requests = {line.split(" ")[0] for line in lines if line.startswith((".", "'"))}
    assert requests == {".TH", ".SH", ".SS", ".PP", ".TP", ".B"}


def test_every_environment_variable_that_the_program_reads_is_in_the_reference():
    source = "".join(path.read_text("utf-8") for path in (ROOT / "docparse_fast").rglob("*.py"))
    ours = set(re.findall(r'"(DOCPARSE_[A-Z_]+)"', source))
    read = set(re.findall(r'environ(?:\.get\(|\[)"([A-Z_]+)"', source)) | ours
    told = re.split("## Environment variables", (ROOT / "docs/commands.md").read_text("utf-8"))[1]
    assert read - WRITTEN - {name for name in read if re.search(rf"\b{name}\b", told)} == set()
