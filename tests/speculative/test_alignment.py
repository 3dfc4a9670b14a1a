"""Finds where a draft continues: with the paper's window, and with two other sources where that finds nothing."""

from __future__ import annotations

from docparse_fast.speculative.alignment import ANCHOR_REACH, BLIND_REACH, NEAREST, Alignment
from docparse_fast.speculative.candidates import Candidate, CandidateKind, Part, TokenDraft, Turn


def drafts(*tokens, regions=None):
    return [TokenDraft(draft, number) for number, draft in enumerate(tokens)]


def write(alignment, *tokens):
    """One step: asks for candidates, then writes these tokens."""
    alignment.follow(alignment.candidates(64), list(tokens))


def offered(alignment, kind, limit=64):
    return [list(candidate.tokens) for candidate in alignment.candidates(limit) if candidate.kind is kind]


# ----------------------------------------------------------------------------------------------- window


def test_only_the_matches_nearest_to_the_place_are_offered():
    rows = [[1, 2, 3, 100 + row] for row in range(20)]
    alignment = Alignment(drafts([7, *(token for row in rows for token in row)]))
    for token in (7, *rows[0], *rows[1], *rows[2]):
        write(alignment, token)
    write(alignment, 1, 2, 3)
    firsts = [tokens[0] for tokens in offered(alignment, CandidateKind.WINDOW)]
    assert firsts[0] == 103  # the place itself
    assert len(firsts) == NEAREST and set(firsts) == {102, 103, 104}


def test_the_later_of_two_equally_near_matches_is_offered_first():
    """The expected place is between them; if all are offered, the order says which branch is likelier."""
    before, ahead = [[1, 2, 3, 100 + number] for number in range(2)], [[1, 2, 3, 200 + number] for number in range(2)]
    flat = [token for row in (*before, *ahead) for token in row]
    alignment = Alignment(drafts([7, *flat[:8], 1, 2, 3, 55, *flat[8:]]))
    for token in (7, *flat[:8]):
        write(alignment, token)
    write(alignment, 1, 2, 3)
    firsts = [tokens[0] for tokens in offered(alignment, CandidateKind.WINDOW)]
    assert firsts == [55, 200, 101]


def test_the_first_match_in_the_drafts_can_be_among_the_nearest():
    rows = [[1, 2, 3, 100 + row] for row in range(20)]
    alignment = Alignment(drafts([7, *(token for row in rows for token in row)]))
    for token in (7, *rows[0]):
        write(alignment, token)
    write(alignment, 1, 2, 3)
    assert [tokens[0] for tokens in offered(alignment, CandidateKind.WINDOW)] == [101, 102, 100]


def test_a_candidate_has_exactly_the_length_asked_for():
    alignment = Alignment(drafts(range(1, 50)))
    write(alignment, 1)
    assert all(len(candidate.tokens) == 7 for candidate in alignment.candidates(7))


def test_no_place_is_offered_twice():
    alignment = Alignment(drafts([1, 2, 3, 4, 5, 6, 7, 8]))
    write(alignment, 1, 2, 3, 4)
    assert [list(candidate.tokens) for candidate in alignment.candidates(9)] == [[5, 6, 7, 8]]


# ------------------------------------------------------------------------------------------- cold start


def test_before_the_first_token_every_drafts_head_is_a_candidate():
    alignment = Alignment(drafts(*[[10 + number, 5] for number in range(20)]))
    assert {candidate.tokens[0] for candidate in alignment.candidates(1)} == {10 + number for number in range(20)}


def test_the_first_token_chooses_among_the_heads():
    alignment = Alignment(drafts([1, 2, 3], [4, 5, 6], [7, 8]))
    write(alignment, 4)
    assert offered(alignment, CandidateKind.WINDOW) == [[5, 6, 7, 8]]


def test_drafts_that_begin_alike_stay_rivals_until_they_differ():
    alignment = Alignment(drafts([1, 2, 3, 4], [1, 2, 5, 6], [1, 2, 7]))
    write(alignment, 1)
    write(alignment, 2)
    assert [tokens[:2] for tokens in offered(alignment, CandidateKind.WINDOW)] == [[3, 4], [5, 6], [7]]
    write(alignment, 5)
    assert [tokens[0] for tokens in offered(alignment, CandidateKind.WINDOW)] == [6]


# ------------------------------------------------------------------------------------------------- gaps


def after_a_mismatch(*own):
    """The draft has 1, 2, 3, 4, 5 then 20, 21, ... and the target wrote `own` in place of 20."""
    alignment = Alignment(drafts([1, 2, 3, 4, 5, *range(20, 60)]))
    write(alignment, 1)
    write(alignment, 2, 3, 4, 5)
    for token in own:
        write(alignment, token)
    return alignment


def test_after_a_mismatch_the_draft_is_resumed_at_once_as_if_substituted_inserted_or_deleted():
    alignment = after_a_mismatch(99)
    assert [tokens[0] for tokens in offered(alignment, CandidateKind.NEAR)] == [21, 20, 22, 23]


def test_each_further_token_of_its_own_moves_the_places_by_one():
    alignment = after_a_mismatch(99, 98)
    assert [tokens[0] for tokens in offered(alignment, CandidateKind.NEAR)] == [22, 21, 23, 24]


def in_a_gap(draft, *written):
    """The prefill wrote 1; then a step wrote `written`, which leaves the draft somewhere."""
    alignment = Alignment(drafts(draft))
    write(alignment, 1)
    write(alignment, *written)
    return alignment


def test_the_draft_is_resumed_after_a_nearby_copy_of_the_last_token():
    draft = [1, 2, 3, 4, 5, *range(20, 60)]
    assert offered(in_a_gap(draft, 2, 3, 99, 25), CandidateKind.NEAR)[0][0] == 26


def test_the_two_nearest_anchors_are_offered_nearest_first():
    draft = [1, 2, 3, 8, 9, 7, 40, 9, 41, 9, 42, 43]
    assert [tokens[0] for tokens in offered(in_a_gap(draft, 2, 3, 99, 98, 9), CandidateKind.NEAR)][:2] == [7, 41]
    assert [tokens[0] for tokens in offered(in_a_gap(draft, 2, 3, 99, 98, 97, 96, 9), CandidateKind.NEAR)] == [41, 42]


def test_an_anchor_may_lead_to_a_drafts_last_token_but_not_past_it():
    assert offered(in_a_gap([1, 2, 3, 8, 9, 40], 2, 3, 99, 98, 9), CandidateKind.NEAR) == [[40]]
    assert offered(in_a_gap([1, 2, 3, 8, 9], 2, 3, 99, 98, 9), CandidateKind.NEAR) == []


def test_resuming_by_count_ends_first_and_by_anchors_later():
    assert offered(after_a_mismatch(*[99] * BLIND_REACH), CandidateKind.NEAR) != []
    assert offered(after_a_mismatch(*[99] * (BLIND_REACH + 1)), CandidateKind.NEAR) == []
    draft = [1, 2, 3, *[8] * 30]
    assert offered(in_a_gap(draft, 2, 3, *[99] * (ANCHOR_REACH - 1), 8), CandidateKind.NEAR) != []
    assert offered(in_a_gap(draft, 2, 3, *[99] * ANCHOR_REACH, 8), CandidateKind.NEAR) == []


def test_nothing_is_offered_beyond_a_drafts_end():
    alignment = Alignment(drafts([1, 2, 3, 4]))
    write(alignment, 1)
    write(alignment, 2, 3)
    write(alignment, 9)
    assert [candidate.tokens for candidate in alignment.candidates(9)] == [[4]]


def test_a_resumed_draft_is_followed_from_its_first_right_token():
    alignment = after_a_mismatch(99)
    for token in (21, 22, 23, 24):
        write(alignment, token)
        assert offered(alignment, CandidateKind.WINDOW)[0][0] == token + 1


def test_a_rival_that_has_ended_is_not_offered():
    alignment = Alignment([TokenDraft([1, 2, 3], 0), TokenDraft([1, 2], 0)])
    write(alignment, 1)
    write(alignment, 2)
    assert [list(candidate.tokens) for candidate in alignment.candidates(9)] == [[3]]


# -------------------------------------------------------------------------------------------- next region


def test_a_draft_goes_on_into_the_next_unread_region():
    alignment = Alignment(drafts([1, 2, 3], [4, 5], [6, 7]), separators=[(0,)])
    write(alignment, 1)
    [candidate] = alignment.candidates(64)
    assert candidate.tokens == [2, 3, 0, 4, 5, 0, 6, 7]
    assert candidate.parts(0, 8) == [
        Part(CandidateKind.WINDOW, 0, 1, 2),
        Part(CandidateKind.WINDOW, 1, -1, 3),
        Part(CandidateKind.WINDOW, 2, -1, 3),
    ]
    assert candidate.parts(3, 6) == [Part(CandidateKind.WINDOW, 1, 0, 2), Part(CandidateKind.WINDOW, 2, -1, 1)]


def test_where_a_draft_ends_the_next_regions_draft_is_offered():
    alignment = Alignment(drafts([1, 2], [3, 4], [5, 6], [7, 8]), separators=[(0,)])
    write(alignment, 5)
    write(alignment, 6)
    assert offered(alignment, CandidateKind.WINDOW) == [[0, 7, 8]]
    write(alignment, 0, 7, 8)
    assert alignment.candidates(64) == []


def test_a_half_read_draft_counts_as_read_with_its_alternatives():
    alignment = Alignment([TokenDraft([1, 2, 3, 4], 1), TokenDraft([1, 2, 9, 4], 1), *regions_around(1)])
    write(alignment, 1)
    write(alignment, 2, 3, 4)
    assert after_the_first(alignment) == [53, 80, 81]


def test_a_draft_of_several_regions_leads_to_the_one_after_them():
    alignment = Alignment([*drafts([1, 2], [3, 4], [5, 6], [7, 8]), TokenDraft([20, 21, 22, 23, 24], 0, 1)])
    write(alignment, 20)
    assert offered(alignment, CandidateKind.WINDOW) == [[21, 22, 23, 24, 5, 6, 7, 8]]
    write(alignment, 21, 22, 23, 24)
    assert offered(alignment, CandidateKind.WINDOW) == [[5, 6, 7, 8]]


def test_a_draft_left_before_its_middle_is_still_unread():
    alignment = Alignment([TokenDraft([1, 2, 3, 4, 5, 6, 7, 8, 9], 1), *regions_around(1)])
    write(alignment, 1)
    write(alignment, 2, 3, 4)
    assert after_the_first(alignment) == [53, 1, 2, 3, 4, 5, 6, 7, 8, 9, 80, 81]


def regions_around(middle):
    return [TokenDraft([50, 51, 52, 53], middle - 1), TokenDraft([80, 81], middle + 1)]


def after_the_first(alignment):
    """What follows in the region before all others, once the window finds it."""
    write(alignment, 50, 51, 52)
    [tokens] = offered(alignment, CandidateKind.WINDOW)
    return tokens


def test_the_next_region_follows_the_one_read_even_after_the_first_draft():
    """Drafts need not come in reading order: the first one may be of a later region."""
    alignment = Alignment([TokenDraft([1, 2], 5), TokenDraft([10, 11], 0), TokenDraft([20, 21], 6)])
    write(alignment, 1)
    assert offered(alignment, CandidateKind.WINDOW) == [[2, 20, 21]]


def test_a_region_read_in_passing_is_not_offered_again():
    alignment = Alignment(drafts([1, 2, 2, 2, 2, 2], [3, 4], [5, 6], [7, 8], [9, 9]))
    write(alignment, 3)
    write(alignment, 4, 5, 6, 7)
    write(alignment, 1, 2, 2)
    assert [2, 2, 2, 9, 9] in offered(alignment, CandidateKind.WINDOW)


# ---------------------------------------------------------------------------------------- late drafts, own


def test_a_late_draft_of_an_unread_region_is_its_best_one():
    alignment = Alignment(drafts([1, 2], [3, 4]))
    write(alignment, 1)
    alignment.add(TokenDraft([3, 5], 1))
    assert offered(alignment, CandidateKind.WINDOW) == [[2, 3, 5]]


def test_a_late_draft_ranks_before_the_regions_earlier_drafts():
    alignment = Alignment([TokenDraft([1, 2], 0), TokenDraft([5, 6], 1), TokenDraft([5, 7], 1)])
    write(alignment, 1)
    alignment.add(TokenDraft([5, 8], 1))
    assert offered(alignment, CandidateKind.WINDOW) == [[2, 5, 8]]


def test_a_matching_draft_decides_the_place_at_any_rank():
    """The row's own output may rank first, although it is not a place in a draft."""
    alignment = Alignment(drafts([90, 91, 92, 1, 2, 3, 4, 5]))
    for step in ([1, 2, 3], [7], [90], [91, 92, 1, 2, 3]):
        write(alignment, *step)
    candidates = sorted(alignment.candidates(9), key=lambda candidate: candidate.kind is not CandidateKind.OWN)
    assert candidates[0].kind is CandidateKind.OWN
    alignment.follow(candidates, [4])
    assert offered(alignment, CandidateKind.WINDOW) == [[5]]


def test_what_the_row_wrote_itself_is_offered_when_it_comes_again():
    alignment = Alignment(drafts([50]))
    write(alignment, 1, 2, 3, 4, 5)
    write(alignment, 1, 2, 3)
    assert offered(alignment, CandidateKind.OWN) == [[4, 5, 1, 2, 3]]


def test_own_output_is_found_however_steps_divided_it():
    alignment = Alignment(drafts([90, 91]))
    for step in ([1, 2, 3], [4], [5, 6], [1, 2], [3]):
        write(alignment, *step)
    assert offered(alignment, CandidateKind.OWN) == [[4, 5, 6, 1, 2, 3]]


def test_without_drafts_not_even_own_output_is_offered():
    alignment = Alignment()
    write(alignment, 1, 2, 3, 4, 1, 2, 3)
    assert alignment.candidates(9) == []


def test_own_output_is_not_counted_as_a_draft():
    alignment = Alignment(drafts([50, 51]))
    for token in (1, 2, 3, 4, 1, 2, 3):
        write(alignment, token)
    assert {candidate.draft for candidate in alignment.candidates(8) if candidate.kind is CandidateKind.OWN} == {-1}


def test_a_candidate_cut_where_it_turns_has_no_empty_part():
    candidate = Candidate([1, 2, 3, 4, 5, 6], CandidateKind.WINDOW, 0, 0, (Turn(2, 1, 0), Turn(4, 2, 0)))
    assert [part.length for part in candidate.parts(0, 4)] == [2, 2]
