from __future__ import annotations

import pytest

from docparse_fast.drafting.learned import LearnedReaders, kept_readers, readers
from docparse_fast.system import providers


@pytest.fixture
def kept():
    kept_readers().append(LearnedReaders())
    yield kept_readers()[0]
    kept_readers().clear()
    providers.choose("cpu")


def test_readers_that_are_kept_are_used_again(kept):
    assert readers(threads=2) is kept


def test_readers_on_the_processor_are_not_used_where_another_provider_was_chosen(kept):
    providers.choose("cuda")
    assert readers(threads=2) is not kept
