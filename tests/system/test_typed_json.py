"""Values of our types are read from JSON as they were written."""

from __future__ import annotations

import json
from dataclasses import asdict

from docparse_fast.document import Box, TextSpan
from docparse_fast.system.typed_json import read


def test_pairs_of_two_kinds_are_read_back():
    """Kept drafts of pages with mathematical signs could not be read, and were made anew each time."""
    span = TextSpan(Box(1, 2, 3, 4), "a", "Serif", 9, signs=(("a", Box(1, 2, 3, 4)),))
    assert read(TextSpan, json.loads(json.dumps(asdict(span)))) == span
