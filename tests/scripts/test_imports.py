"""Scripts are run rarely: what each takes from the package is still there. A judge could not be fitted for a day."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"


def taken_by(script: Path) -> set[tuple[str, str]]:
    found = (node for node in ast.walk(ast.parse(script.read_text("utf-8"))) if isinstance(node, ast.ImportFrom))
    return {
        (node.module, name.name)
        for node in found
        if node.module and node.module.split(".")[0] == "docparse_fast"
        for name in node.names
    }


def is_there(module: str, name: str) -> bool:
    try:
        return hasattr(import_module(module), name) or bool(import_module(f"{module}.{name}"))
    except ModuleNotFoundError as missing:
        return not str(missing.name).startswith("docparse_fast")  # another package may not be installed


@pytest.mark.parametrize("script", sorted(SCRIPTS.rglob("*.py")), ids=lambda path: str(path.relative_to(SCRIPTS)))
def test_what_a_script_takes_from_the_package_is_there(script):
    assert [taken for taken in sorted(taken_by(script)) if not is_there(*taken)] == []
