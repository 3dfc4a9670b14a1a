"""One word, one thing: a reader who has met a public type knows it wherever its name stands."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "docparse_fast"


def public_types() -> dict[str, set[str]]:
    """Names of public classes and type aliases, with the files that define them."""
    found = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            for name in _defined(node):
                if not name.startswith("_") and not name.isupper():
                    found[name].add(path.relative_to(PACKAGE).as_posix())
    return found


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript):  # as in `Size = tuple[int, int]`
        return [target.id for target in node.targets if isinstance(target, ast.Name) and target.id[0].isupper()]
    return []


def test_no_two_public_types_share_a_name():
    shared = {name: sorted(files) for name, files in public_types().items() if len(files) > 1}
    assert not shared


def test_no_two_files_of_tests_share_a_name():
    """pytest takes the second for the first, and the whole run is red where each file alone passes."""
    names = [path.name for path in TESTS.rglob("test_*.py")]
    assert {name for name in names if names.count(name) > 1} == set()
