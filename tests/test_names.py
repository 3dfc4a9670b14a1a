"""One word, one thing: a reader who has met a public type knows it wherever its name stands."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import chain
from pathlib import Path

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "docparse_fast"
DEFINED = re.compile(r"^class (\w+)|^([A-Z]\w*) = [\w.]+\[(?!.*\] \|)", re.MULTILINE)  # as in `Size = tuple[int, int]`


def public_types() -> dict[str, set[str]]:
    """Names of public classes and type aliases, with the files that define them."""
    found = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        for name in filter(None, chain.from_iterable(DEFINED.findall(path.read_text("utf-8")))):
            if not name.startswith("_") and not name.isupper():
                found[name].add(path.relative_to(PACKAGE).as_posix())
    return found


def test_no_two_public_types_share_a_name():
    shared = {name: sorted(files) for name, files in public_types().items() if len(files) > 1}
    assert not shared


def test_no_two_files_of_tests_share_a_name():
    """pytest takes the second for the first, and the whole run is red where each file alone passes."""
    names = [path.name for path in TESTS.rglob("test_*.py")]
    assert {name for name in names if names.count(name) > 1} == set()
