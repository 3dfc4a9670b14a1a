"""Tables with draft models must not show one that failed as one that helps little."""

from __future__ import annotations

import pytest
from fake_targets import ScriptedModel, ScriptedTarget

from docparse_fast.bench.reproduction.drafted_rows import decoded_row
from docparse_fast.errors import PageError
from docparse_fast.speculative.decoding import Speculation
from docparse_fast.speculative.growing_answer import Row

ANSWER = tuple(range(10, 40))


class Broken(ScriptedModel):
    def begin(self, store):
        raise RuntimeError("no more memory")


def test_a_draft_model_that_fails_ends_the_table():
    target = ScriptedTarget({"page": ANSWER}, eos=(0,))
    with pytest.raises(PageError, match="the draft model failed: RuntimeError: no more memory"):
        decoded_row(target, Row("page", drafting=Broken(ANSWER)), Speculation(1.0))
