"""The index finds what sliding a window over every draft finds."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from docparse_fast.speculative.draft_index import DraftIndex, agreement, reference_window

token_lists = st.lists(st.integers(0, 2), max_size=12)


def naive(drafts, window):
    """Eq. 4-5 as written: slide w over every draft, keep what follows."""
    n = len(window)
    return [
        draft[j + n :]
        for draft in drafts
        for j in range(len(draft) - n + 1)
        if draft[j : j + n] == window and j + n < len(draft)
    ]


def rest(index, place):
    return index.text[place : index.ends[index.draft_at(place)]]


@given(st.lists(token_lists, max_size=5), st.lists(st.integers(0, 2), min_size=1, max_size=4))
def test_the_index_finds_what_equation_5_says(drafts, window):
    index = DraftIndex()
    for draft in drafts:
        index.add(draft)
    expected = naive(drafts, window)
    assert [rest(index, place) for place in index.after(window)] == expected
    assert [rest(index, place) for place in index.scan(window)] == expected


@given(st.lists(token_lists, max_size=3), token_lists, st.lists(st.integers(0, 2), min_size=1, max_size=3))
def test_a_draft_added_after_a_look_up_is_found_as_well(drafts, late, window):
    index = DraftIndex()
    for draft in drafts:
        index.add(draft)
    index.after(window)
    index.add(late)
    assert [rest(index, place) for place in index.after(window)] == naive([*drafts, late], window)


@given(token_lists, st.lists(token_lists, max_size=3), st.integers(1, 4))
@example([0, 1, 2], [[0], [1, 2]], 1)  # across two drafts is in neither
def test_the_index_holds_exactly_the_tokens_of_single_drafts(tokens, drafts, window):
    index = DraftIndex()
    for draft in drafts:
        index.add(draft)
    if len(tokens) > window:
        within = any(draft[at : at + len(tokens)] == tokens for draft in drafts for at in range(len(draft)))
        assert index.holds(tokens, window) == within


@given(token_lists, st.integers(1, 4))
def test_the_reference_window_is_the_last_tokens_or_all_there_are(accepted, window):
    w = reference_window(accepted, window)
    assert list(w) == accepted[len(accepted) - len(w) :]
    assert len(w) == min(window, len(accepted))


@given(token_lists, token_lists)
def test_agreement_is_the_common_beginning(one, other):
    agreed = agreement(one, other)
    assert one[:agreed] == other[:agreed]
    assert agreed == min(len(one), len(other)) or one[agreed] != other[agreed]
