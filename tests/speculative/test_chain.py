"""A chain of drafts: whatever is drafted, the answer stays the same, and good drafts save steps."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.speculative.candidates import TokenDraft
from docparse_fast.speculative.chain import Chain
from docparse_fast.speculative.draft_index import agreement

tokens = st.integers(1, 9)
texts = st.lists(tokens, min_size=1, max_size=40)


def steps_to_write(answer: Sequence[int], chain: Chain) -> int:
    """Writes as a host does: what agrees with the answer is taken, then one token of its own."""
    written, steps = [answer[0]], 0
    while len(written) < len(answer):
        proposed = chain.next(written)
        taken = agreement(proposed, answer[len(written) :])
        written = list(answer[: len(written) + taken + 1])
        steps += 1
    return steps


@given(texts, st.lists(texts, max_size=3), st.integers(1, 12))
def test_no_draft_costs_a_step_more_than_plain_writing(answer: list[int], drafts: list[list[int]], most: int) -> None:
    chain = Chain([TokenDraft(draft, n) for n, draft in enumerate(drafts)], longest=most)
    assert steps_to_write(answer, chain) <= max(0, len(answer) - 1)


@given(st.lists(tokens, min_size=2, max_size=60), st.integers(2, 12))
def test_a_draft_that_is_the_answer_is_taken_whole(answer: list[int], most: int) -> None:
    chain = Chain([TokenDraft(answer, 0)], longest=most)
    assert steps_to_write(answer, chain) <= 3 + len(answer) // 2


def test_a_right_draft_is_written_as_many_tokens_at_once_as_allowed() -> None:
    answer = list(range(1, 62))
    assert steps_to_write(answer, Chain([TokenDraft(answer, 0)], longest=20)) == 3  # of 21, 21 and 18 tokens


def test_the_chain_is_never_longer_than_allowed() -> None:
    chain = Chain([TokenDraft(range(1, 50), 0)], longest=4)
    assert len(chain.next([1])) <= 4


def test_nothing_is_proposed_until_something_new_is_written() -> None:
    chain = Chain([TokenDraft((1, 2, 3), 0)], longest=4)
    assert chain.next([1]) == [2, 3]
    assert chain.next([1]) == []
