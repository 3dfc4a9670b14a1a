"""That nothing reaches out: a process that opens an internet socket, in Python or in native code, is killed for it."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_hub import serving
from PIL import Image

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "samples"
NANO = ROOT / "docparse_fast" / "data" / "nano"
needs_seccomp = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="the filter is written for Linux on x86-64"
)

# A seccomp filter: socket() for AF_INET or AF_INET6 kills the process, everything else is allowed.
WITHOUT_NETWORK = """
import ctypes, struct, sys
LOAD, EQUAL, RETURN, SOCKET, KILL, ALLOW = 0x20, 0x15, 0x06, 41, 0x80000000, 0x7FFF0000
steps = [
    (LOAD, 0, 0, 0), (EQUAL, 0, 4, SOCKET), (LOAD, 0, 0, 16), (EQUAL, 1, 0, 2), (EQUAL, 0, 1, 10),
    (RETURN, 0, 0, KILL), (RETURN, 0, 0, ALLOW),
]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(code)))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.byref(program)) == 0, ctypes.get_errno()
"""


def begun(code: str, folder: Path) -> subprocess.Popen:
    settings = {
        "PYTHONPATH": str(ROOT),
        "HF_HOME": str(folder / "hf"),
        "HOME": str(folder),
        "TMPDIR": str(folder / "tmp"),
    }
    (folder / "tmp").mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-c", WITHOUT_NETWORK + code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"} | settings,
    )


def without_network(code: str, folder: Path) -> subprocess.CompletedProcess:
    running = begun(code, folder)
    out, err = running.communicate(timeout=300)
    return subprocess.CompletedProcess(running.args, running.returncode, out, err)


def command(*arguments: object) -> str:
    return f"from docparse_fast.cli import run\nsys.exit(run({[str(argument) for argument in arguments]!r}))"


@pytest.fixture(scope="module", autouse=True)
def scan(tmp_path_factory) -> Iterator[tuple[subprocess.Popen, Path]]:
    """One who reads a scan and stays a while, begun before all tests."""
    folder = tmp_path_factory.mktemp("scan")
    asked = ["convert", str(SAMPLES / "scanned-table.pdf"), "-o", str(folder / "out"), "-q", "--target", "none"]
    code = f"from docparse_fast.cli import run\ncode = run({asked!r})\nimport time; time.sleep(12); sys.exit(code)"
    with begun(code, folder) as running:
        yield running, folder


@needs_seccomp
def test_the_filter_kills_whoever_opens_a_socket(tmp_path):
    done = without_network("import socket; socket.socket()", tmp_path)
    assert done.returncode == -signal.SIGSYS


@needs_seccomp
def test_a_look_at_a_page_with_a_text_layer_leaves_nothing_behind(tmp_path):
    """The layout model's own module loads ONNX Runtime, before anything of ours does."""
    asked = ("convert", SAMPLES / "form.pdf", "-o", tmp_path / "out", "-q", "--target", "none", "--layout", "always")
    done = without_network(command(*asked), tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert list((tmp_path / "tmp").iterdir()) == []
    assert {path.name for path in tmp_path.iterdir()} == {"out", "tmp"}


@needs_seccomp
@pytest.mark.parametrize("drafter", ["auto", "ppstructure"])
def test_offline_asks_nobody_for_what_is_not_here(tmp_path, drafter):
    asked = ("convert", SAMPLES / "slide.pdf", "-o", tmp_path / "out", "--target", "dots.ocr", "--offline")
    done = without_network(command(*asked, "--drafter", drafter), tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("docparse-fast: error: model_missing: ")


@needs_seccomp
def test_looking_at_what_is_here_asks_nobody(tmp_path):
    code = "from docparse_fast.cli import run\n" + "".join(
        f"assert run({words!r}) == 0\n" for words in (["doctor"], ["models", "list"], ["models", "verify"])
    )
    done = without_network(code, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@needs_seccomp
def test_a_target_fetched_on_one_machine_is_used_on_another_without_a_network(tmp_path):
    """Download here, copy, verify there, convert there."""
    files = {path.name: path.read_bytes() for path in NANO.iterdir() if path.suffix in (".json", ".safetensors")}
    environment = os.environ | {"PYTHONPATH": str(ROOT), "HF_HOME": str(tmp_path / "hf")}
    with serving(files) as hub:
        call = [sys.executable, "-m", "docparse_fast", "models", "download", "owner/nano", "--to", tmp_path / "weights"]
        subprocess.run(call, env=environment | {"HF_ENDPOINT": hub.url}, check=True, capture_output=True)
    moved = (tmp_path / "weights").rename(tmp_path / "elsewhere")
    assert without_network(command("models", "verify", moved), tmp_path).returncode == 0
    with Image.open(SAMPLES / "nano" / "page-04.png") as page:
        page.crop((0, 0, page.width, 112)).save(tmp_path / "page-04.png")
    asked = ("convert", tmp_path / "page-04.png", "-o", tmp_path / "out", "-q", "--target", moved, "--offline")
    plainly = ("--drafter", "none", "--max-new-tokens", "24")  # what a draft needs is tried by others
    assert without_network(command(*asked, *plainly), tmp_path).returncode in (0, 3)
    assert (tmp_path / "out" / "page-04" / "document.json").is_file()


def test_told_to_end_it_ends_as_on_ctrl_c(tmp_path):
    for number in range(30):
        (tmp_path / f"{number:02}.pdf").write_bytes((SAMPLES / "scanned-table.pdf").read_bytes())
    call = [sys.executable, "-m", "docparse_fast", "convert", *sorted(tmp_path.glob("*.pdf")), "-o", tmp_path / "out"]
    with subprocess.Popen(
        call, env=os.environ | {"PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True
    ) as running:
        deadline = time.monotonic() + 120
        while not list(tmp_path.glob("out/*/page-0001.md")) and time.monotonic() < deadline:
            time.sleep(0.05)
        running.terminate()
        running.communicate(timeout=60)
    assert running.returncode == 130
    assert '"status": "interrupted"' in (tmp_path / "out" / "run.json").read_text()
    assert not list(tmp_path.rglob("*.part"))


@needs_seccomp
def test_reading_a_scan_opens_no_socket_and_leaves_nothing_behind(scan):
    """ONNX Runtime's wheels report to their maker unless told not to, under an id that they leave in the home folder.

    They take some seconds to begin, so the process waits for them.
    """
    running, folder = scan
    assert (running.communicate(timeout=300)[1], running.returncode) == ("", 0)
    assert "Herring" in (folder / "out" / "scanned-table" / "document.md").read_text()
    assert list((folder / "tmp").iterdir()) == []
    assert {path.name for path in folder.iterdir()} == {"out", "tmp"}
