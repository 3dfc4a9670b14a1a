"""How good an answer is, 0 to 100: `score_page` for one page, `summarise` for a data set.

Knows texts, tables, formulas and unit tests; reads no page and runs no model. What is ours and what is the official
tools' own is said in docs/scores.md. To be imported by who wants scores, not before: its libraries are an extra.
"""

from importlib.util import find_spec

from docparse_fast.errors import UsageError

LIBRARIES = ("rapidfuzz", "apted", "lxml", "fuzzysearch")

_missing = [name for name in LIBRARIES if find_spec(name) is None]
if _missing:
    raise UsageError(f"scores need {', '.join(_missing)}", remedy="run `pip install 'docparse-fast[bench]'`")

from docparse_fast.bench.scores.scoring import (  # noqa: E402  # only with its libraries
    MEASURES,
    PageScores,
    SetScores,
    UnitTestResult,
    score_page,
    summarise,
)

__all__ = ["MEASURES", "PageScores", "SetScores", "UnitTestResult", "score_page", "summarise"]
