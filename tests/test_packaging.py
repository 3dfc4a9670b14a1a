"""A wheel and an sdist are built, hold what they should, install into an empty environment, and convert.

Minutes, and a package index: run with -m slow.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from docparse_fast.version import __version__

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.slow
SOURCE = ("docparse_fast", "samples", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md")
IN_WHEEL = (
    "docparse_fast/py.typed",
    "docparse_fast/data/report/report.css",
    "docparse_fast/data/samples/nano/page-01.png",
    "docparse_fast/data/review/review.js",
    "docparse_fast/data/review/review.html",
)


def called(*command: object, cwd: Path) -> str:
    done = subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, timeout=1500)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """A folder with the sdist, and the wheel that was built from that."""
    folder = tmp_path_factory.mktemp("built")
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv/bin/python"
    called(python, "-m", "pip", "install", "-q", "hatchling", cwd=folder)
    called(python, "-m", "hatchling", "build", "-t", "sdist", "-d", folder / "dist", cwd=ROOT)
    (sdist,) = (folder / "dist").glob("*.tar.gz")
    called(python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder / "dist", sdist, cwd=folder)
    return folder / "dist"


def test_the_sdist_holds_the_source_and_nothing_of_a_working_copy(built):
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    assert all(any(name == each or name.startswith(f"{each}/") for name in names) for each in SOURCE)
    assert not [name for name in names if "__pycache__" in name or name.startswith((".git/", ".venv", "shared"))]


def test_the_wheel_holds_the_package_its_data_and_its_man_page(built):
    (path,) = built.glob("*.whl")
    with zipfile.ZipFile(path) as file:
        names = set(file.namelist())
    assert set(IN_WHEEL) <= names
    assert any(name.endswith("share/man/man1/docparse-fast.1") for name in names)
    assert not [name for name in names if name.startswith(("tests/", "scripts/"))]
    here = {str(path.relative_to(ROOT)) for path in (ROOT / "docparse_fast").rglob("*.onnx")}
    assert here <= names


def test_an_empty_environment_installs_the_wheel_and_converts(built, tmp_path):
    (wheel,) = built.glob("*.whl")
    environment = tmp_path / "an environment"  # a path with a blank, as a home may have
    venv.create(environment, with_pip=True)
    pip = (environment / "bin/python", "-m", "pip")
    constraints = ROOT / "constraints.txt"
    called(*pip, "install", "-q", "-c", constraints, wheel, cwd=tmp_path)
    called(*pip, "check", cwd=tmp_path)
    command = environment / "bin/docparse-fast"
    assert called(command, "--version", cwd=tmp_path) == f"docparse-fast {__version__}\n"
    called(command, "convert", ROOT / "samples/scanned-table.pdf", "-o", "out", "-q", cwd=tmp_path)
    assert "Catch by port and season" in (tmp_path / "out/scanned-table/page-0001.md").read_text()
    assert sys.prefix != str(environment)
