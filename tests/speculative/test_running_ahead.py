"""A drafting model at the other end of a link: it drafts on in lock step, and nothing it does changes an answer."""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from multiprocessing import Pipe

import pytest
from fake_targets import ScriptedModel, ScriptedTarget

from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.drafting import DraftingCosts
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.speculative.running_ahead import FarEnd, RunningAhead
from docparse_fast.speculative.token_store import TokenStore

EOS = 0
ANSWER = (*range(10, 110), EOS)
COSTS = DraftingCosts(reading=0.0, token=0.25, further=0.0)
AHEAD = 4


@contextmanager
def at_the_far_end(open_page):
    """One end of a link; at the other, pages are answered by these models."""
    ours, theirs = Pipe()
    far_end = FarEnd(theirs, open_page)

    def serve():
        with suppress(EOFError, OSError), theirs:
            far_end.serve()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield ours
    finally:
        ours.close()
        thread.join()


@pytest.fixture
def link():
    """There, a page is the answer that its model recites."""
    with at_the_far_end(ScriptedModel) as ours:
        yield ours


def decode(model):
    [decoded] = spec_decode(
        ScriptedTarget({"page": ANSWER}, eos=(EOS,)), [Row("page", drafting=model)], Speculation(1.0)
    )
    return decoded


def far(link, page, first=0):
    return RunningAhead(link, page, COSTS, ahead=AHEAD, first=first)


def test_the_answer_is_the_targets_own_whatever_is_drafted(link):
    lies = tuple(token + 1 if token % 7 == 0 else token for token in ANSWER)
    number = 0
    for page in (ANSWER, lies, ANSWER[:30], (1,) * 100, ()):
        model = far(link, page, number)
        assert decode(model).tokens == ANSWER
        number = model.number


def test_tokens_that_were_drafted_while_the_target_verified_are_free(link):
    model = far(link, ANSWER)
    model.begin(None)
    coming = model.propose([10])
    first = [next(coming) for _ in range(3)]
    assert [each.token for each in first] == [11, 12, 13]
    assert [each.read for each in first] == [1, 1, 1]
    coming = model.propose([10, 11, 12, 13, 14])  # all three were right, and the target wrote what comes next
    later = [next(coming) for _ in range(5)]
    assert [each.token for each in later] == [15, 16, 17, 18, 19]
    assert [each.read for each in later] == [0, 0, 0, 1, 1]  # four were drafted ahead, of which the target wrote one


def test_after_a_wrong_token_it_drafts_anew_from_what_was_written(link):
    model = far(link, [*ANSWER[:3], 99, *ANSWER[4:]])
    model.begin(None)
    coming = model.propose([10])
    assert [next(coming).token for _ in range(4)] == [11, 12, 99, 14]
    coming = model.propose([10, 11, 12, 13])
    assert [(each.token, each.read) for each in (next(coming), next(coming))] == [(14, 1), (15, 1)]


def test_it_runs_ahead_of_one_gap_only(link):
    """Behind the gap the drafts went on: what was drafted ahead is of no use, and nothing waits for it."""
    model = far(link, ANSWER)
    model.begin(None)
    coming = model.propose([10])
    next(coming)
    coming = model.propose(ANSWER[:40])
    assert next(coming) == (ANSWER[40], 0.9, 1)


def test_the_same_page_is_drafted_in_the_same_way(link):
    heard = tuple(token + 1 if token % 23 == 0 else token for token in ANSWER)
    one = far(link, heard)
    first = decode(one)
    again = decode(far(link, heard, one.number))
    assert (again.steps, again.model) == (first.steps, first.model)
    assert first.model.passes < first.model.tokens  # some were free


def test_the_far_end_keeps_a_store_of_what_was_written_and_refused():
    stores = []

    class Keeping(ScriptedModel):
        def begin(self, store):
            stores.append(store)

    with at_the_far_end(Keeping) as link:
        model = far(link, [*ANSWER[:3], 99, *ANSWER[4:]])
        model.begin(TokenStore())
        coming = model.propose([10])
        assert [next(coming).token for _ in range(4)] == [11, 12, 99, 14]
        next(model.propose([10, 11, 12, 13]))
    [store] = stores
    assert store.after([10, 11, 12])[:1] == [13]  # written
    assert store.after([12, 13]) == [14, 15, 16, 17, 18]  # refused, as corrected


class Raising(ScriptedModel):
    def propose(self, written):
        raise ValueError("no such place")


def test_a_model_that_raises_is_asked_no_more_for_this_page_and_reads_the_next():
    kinds = iter((Raising, ScriptedModel))
    with at_the_far_end(lambda page: next(kinds)(page)) as link:
        bad = far(link, ANSWER)
        first = decode(bad)
        second = decode(far(link, ANSWER, bad.number))
    assert (first.tokens, first.model.failure) == (ANSWER, "RuntimeError: ValueError: no such place")
    assert (second.tokens, second.model.failure) == (ANSWER, "")
    assert len(second.steps) < len(first.steps) / 3
