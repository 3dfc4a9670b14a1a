"""The cost of importing, and the completeness of the public names."""

from __future__ import annotations

import graphlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import docparse_fast

PACKAGE = Path(docparse_fast.__file__).parent

HEAVY = ("torch", "transformers", "paddle", "rapidocr", "onnxruntime", "cv2", "numpy", "pymupdf", "PIL")

IMPORT = re.compile(
    r"^ *(?:from (docparse_fast[\w.]*) import (\([^)]*\)|.*)|import (docparse_fast[\w.]*))", re.MULTILINE
)

LIST_HEAVY = f"import sys; print([name for name in {HEAVY!r} if name in sys.modules])"


def loaded_by(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", f"{code}\n{LIST_HEAVY}"], capture_output=True, text=True, check=True
    ).stdout.splitlines()[-1]


TOP = """
.ci .gitignore .pre-commit-config.yaml CHANGELOG.md CONTRIBUTING.md LICENSE README.md constraints.txt
docparse_fast docs pyproject.toml samples scripts tests
"""


def test_nothing_else_is_kept_at_the_top():
    kept = subprocess.run(
        ["git", "ls-tree", "--name-only", "HEAD"], cwd=PACKAGE.parent, capture_output=True, text=True, check=False
    )
    if kept.returncode:
        pytest.skip("not a git checkout")
    assert kept.stdout.split() == TOP.split()


def test_modules_stand_in_rooms():
    """Loose are a page's path and what everything stands on; a new module goes into a room."""
    assert len(list(PACKAGE.glob("*.py"))) <= 16


def test_importing_the_package_loads_nothing_heavy():
    assert loaded_by("import docparse_fast") == "[]"


def test_help_loads_nothing_heavy():
    assert loaded_by("from docparse_fast.cli import run; run(['convert', '--help'])") == "[]"


NOT_FOR_TEXT = ("cv2", "PIL", "onnxruntime", "rapidocr", "multiprocessing", "importlib.metadata", "numpy.ma")


def test_a_page_of_text_loads_no_models_no_pictures_and_no_workers(tmp_path):
    """Loading takes most of a small page's time, and each of these a hundredth of a second or more."""
    code = f"""
from docparse_fast.system.mupdf import pymupdf
with pymupdf.open() as document:
    document.new_page().insert_text((72, 72), "Nothing but a line of text.")
    document.save({str(tmp_path / "a.pdf")!r})
from docparse_fast.cli import run
assert run(["convert", {str(tmp_path / "a.pdf")!r}, "-o", {str(tmp_path / "out")!r}, "--target", "none"]) == 0
assert not [name for name in {NOT_FOR_TEXT!r} if name in sys.modules]
"""
    loaded_by(f"import sys{code}")
    assert "line of text" in (tmp_path / "out" / "a" / "document.md").read_text()


def test_all_public_names_exist_and_stand_in_order():
    assert list(docparse_fast.__all__) == sorted(docparse_fast.__all__)
    assert all(hasattr(docparse_fast, name) for name in docparse_fast.__all__)
    public = {
        name
        for name, value in vars(docparse_fast).items()
        if not name.startswith("_") and getattr(value, "__module__", "").startswith("docparse_fast")
    }
    assert public == set(docparse_fast.__all__)


def modules() -> dict[str, Path]:
    paths = (path.relative_to(PACKAGE.parent) for path in PACKAGE.rglob("*.py"))
    return {".".join(path.with_suffix("").parts).removesuffix(".__init__"): PACKAGE.parent / path for path in paths}


def imported_by(path: Path, known: dict[str, Path]) -> set[str]:
    """Also the imports within functions and for type checkers."""
    found = set()
    for module, names, whole in IMPORT.findall(path.read_text("utf-8")):
        named = {f"{module}.{name}" for name in re.findall(r"\w+", names)}
        found |= named & known.keys() or {module or whole}
    return found & known.keys()


def test_no_import_leads_in_a_circle():
    """Imports within functions count too, because a reader follows them as well."""
    known = modules()
    circle: list[str] = []
    try:
        graphlib.TopologicalSorter({name: imported_by(path, known) for name, path in known.items()}).prepare()
    except graphlib.CycleError as error:
        circle = error.args[1]
    assert circle == []
