"""Chances start from fixed priors and follow how often each kind of candidate is right, offered or not."""

from __future__ import annotations

import pytest

from docparse_fast.speculative.candidates import Candidate, CandidateKind, Turn
from docparse_fast.speculative.guess_tree import Guess, GuessTree
from docparse_fast.speculative.hit_rates import FIRST, KEEP, TURN, HitRates, Rate


def candidate(kind, *tokens, turns=()):
    return Candidate(list(tokens), kind, 0, 0, turns)


def chance(rates, *candidates):
    ranked, chances = rates.ranked(candidates)
    return dict(zip(map(id, ranked), chances, strict=True))[id(candidates[0])]


def test_a_rate_starts_at_its_prior_and_moves_to_what_is_seen():
    rate = Rate(0.8, weight=3.0)
    assert rate.value == pytest.approx(0.8)
    rate.learn(0, 1)
    assert rate.value == pytest.approx(0.8 * 3 * 0.9 / (3 * 0.9 + 1))
    for _ in range(60):
        rate.learn(0, 1)
    assert rate.value < 0.01
    for _ in range(10):
        rate.learn(1, 0)
    assert rate.value > 0.6  # what is long ago is forgotten


def test_every_kind_has_a_prior_and_every_prior_is_a_chance():
    assert set(FIRST) == set(CandidateKind)
    assert all(0 < prior < 1 for prior in (*FIRST.values(), KEEP, TURN))


def test_a_kind_that_is_right_half_of_the_time_gets_even_chances():
    rates, window = HitRates(), candidate(CandidateKind.WINDOW, 1, 2)
    seen = []
    for written in [[1], [9]] * 40:
        rates.learn([window], written)
        seen.append(chance(rates, window).first)
    assert sum(seen[-2:]) / 2 == pytest.approx(0.5, abs=0.01)


def test_runs_that_break_after_every_right_token_get_even_chances_to_go_on():
    rates = HitRates()
    for _ in range(80):
        rates.learn([candidate(CandidateKind.WINDOW, 1, 2, 3)], [1, 2, 9])  # the first token is no part of going on
    assert chance(rates, candidate(CandidateKind.WINDOW, 1)).keep == pytest.approx(0.5, abs=0.01)


def test_a_turn_that_goes_well_half_of_the_time_gets_even_chances():
    follow = candidate(CandidateKind.WINDOW, 1, 2, 3, 4, turns=(Turn(2, 1, 0),))
    rates, seen = HitRates(), []
    for written in [[1, 2, 3, 4], [1, 2, 7, 7]] * 40:
        ranked, chances = rates.ranked([follow])
        seen.append(chances[0].at[2])
        rates.learn(ranked, written)
    assert sum(seen[-2:]) / 2 == pytest.approx(0.5, abs=0.01)


def test_candidates_are_ranked_by_their_kinds_chance():
    ranked, chances = HitRates().ranked(
        [candidate(CandidateKind.OWN, 1), candidate(CandidateKind.WINDOW, 2), candidate(CandidateKind.NEAR, 3)]
    )
    assert [one.kind for one in ranked] == [CandidateKind.WINDOW, CandidateKind.OWN, CandidateKind.NEAR]
    assert [one.first for one in chances] == sorted((one.first for one in chances), reverse=True)


def test_a_right_kind_gains_chance_and_a_wrong_one_loses_it():
    rates = HitRates()
    window, near, own = (
        candidate(CandidateKind.WINDOW, 1, 2),
        candidate(CandidateKind.NEAR, 5, 6),
        candidate(CandidateKind.OWN, 7, 8),
    )
    before = [chance(rates, one).first for one in (window, near, own)]
    rates.learn([window, near, own], [5, 6])
    after = [chance(rates, one).first for one in (window, near, own)]
    assert after[0] < before[0] and after[1] > before[1] and after[2] == before[2]


def test_a_wrong_guess_is_a_miss_even_for_a_kind_that_is_mostly_wrong():
    rates, head = HitRates(), candidate(CandidateKind.NEAR, 1)
    rates.learn([head], [9])
    assert chance(rates, head).first < FIRST[CandidateKind.NEAR]


def test_a_candidate_that_repeats_a_wrong_guess_is_not_scored():
    rates = HitRates()
    window, near = candidate(CandidateKind.WINDOW, 1, 2), candidate(CandidateKind.NEAR, 1, 3)
    rates.learn([window, near], [9])
    assert chance(rates, near).first == pytest.approx(FIRST[CandidateKind.NEAR])


def test_long_runs_raise_the_chance_to_go_on_and_broken_ones_lower_it():
    rates = HitRates()
    before = chance(rates, candidate(CandidateKind.WINDOW, 1)).keep
    rates.learn([candidate(CandidateKind.WINDOW, *range(30))], list(range(30)))
    long = chance(rates, candidate(CandidateKind.WINDOW, 1)).keep
    rates.learn([candidate(CandidateKind.WINDOW, 1, 2, 3)], [1, 9])
    broken = chance(rates, candidate(CandidateKind.WINDOW, 1)).keep
    assert long > before and broken < long


def test_a_draft_that_simply_ended_was_not_wrong():
    rates = HitRates()
    before = chance(rates, candidate(CandidateKind.WINDOW, 1)).keep
    rates.learn([candidate(CandidateKind.WINDOW, 1)], [1, 9])
    assert chance(rates, candidate(CandidateKind.WINDOW, 1)).keep == before


def test_own_output_learns_apart_from_drafts():
    rates = HitRates()
    before = chance(rates, candidate(CandidateKind.WINDOW, 1)).keep
    rates.learn([candidate(CandidateKind.OWN, 1, 2, 3)], [1, 9])
    assert chance(rates, candidate(CandidateKind.WINDOW, 1)).keep == before
    assert chance(rates, candidate(CandidateKind.OWN, 1)).keep < before


@pytest.mark.parametrize(("written", "verdict"), [([1, 2, 3, 9], 1), ([1, 2, 9, 9], -1), ([1, 9, 9, 9], 0)])
def test_a_wrong_turn_does_not_lower_the_runs_chance(written, verdict):
    rates = HitRates()
    turning = candidate(CandidateKind.WINDOW, 1, 2, 3, 4, turns=(Turn(2, 1, 0),))
    assert chance(rates, turning).at == {2: TURN}
    keep = chance(rates, turning).keep
    rates.learn([turning], written)
    turn = chance(rates, turning).at[2]
    assert (turn > TURN + 0.01) - (turn < TURN - 0.01) == verdict
    if verdict == -1:
        assert chance(rates, turning).keep > keep  # the token before the turn was right


def guesses(*first):
    return GuessTree([Guess(chance, token, None) for token, chance in first], lambda guess, chance: ())


def guessed_chance(rates):
    return rates.ranked([], guesses((1, 0.5)))[1][0].first


def test_guesses_that_are_too_sure_lose_chance():
    rates = HitRates()
    before = guessed_chance(rates)
    rates.learn(rates.ranked([], guesses((1, 0.8)))[0], [9])
    assert guessed_chance(rates) < before


def test_all_guesses_of_a_step_are_scored_as_one():
    rates, one = HitRates(), HitRates()
    rates.learn(rates.ranked([], guesses((1, 0.5), (3, 0.5)))[0], [3])
    one.learn(one.ranked([], guesses((3, 0.75)))[0], [3])
    assert guessed_chance(rates) == pytest.approx(guessed_chance(one))


def test_a_guess_that_begins_like_a_candidate_is_not_scored():
    rates, follow = HitRates(), candidate(CandidateKind.WINDOW, 1, 2)
    before = guessed_chance(rates)
    rates.learn(rates.ranked([follow], guesses((1, 0.9)))[0], [7])
    assert guessed_chance(rates) == before


def test_the_best_candidate_is_the_one_of_the_likeliest_kind():
    rates = HitRates()
    assert (
        rates.best([candidate(CandidateKind.NEAR, 1), candidate(CandidateKind.WINDOW, 1)])
        == FIRST[CandidateKind.WINDOW]
    )
    assert rates.best([]) == 0.0


def test_a_rephrased_draft_goes_before_the_drafts_that_begin_alike():
    rates = HitRates()
    rephrased, window = candidate(CandidateKind.REPHRASED, 1, 2), candidate(CandidateKind.WINDOW, 1, 3)
    for _ in range(8):
        rates.learn([rephrased], [9])
    ranked, chances = rates.ranked([window, rephrased])
    assert ranked == [rephrased, window]
    assert chances[0].first == chances[1].first == FIRST[CandidateKind.WINDOW]


def test_a_candidate_that_claims_little_is_less_likely_and_loses_little_if_it_is_wrong():
    rates = HitRates()
    sure, doubtful = (Candidate([1, 2], CandidateKind.REPHRASED, 0, 0, doubts=doubts) for doubts in ({}, {0: 0.25}))
    assert chance(rates, doubtful).first == pytest.approx(0.25 * chance(rates, sure).first)
    once, twice = HitRates(), HitRates()
    once.learn([doubtful], [9])
    twice.learn([sure], [9])
    assert chance(once, sure).first > chance(twice, sure).first + 0.1


def test_a_rephrased_draft_is_credited_for_a_beginning_that_it_shares():
    rates = HitRates()
    rephrased, window = candidate(CandidateKind.REPHRASED, 1, 2), candidate(CandidateKind.WINDOW, 1, 3)
    for _ in range(8):
        rates.learn([rephrased], [9])
    before = chance(rates, rephrased).first
    for _ in range(8):
        ranked, _ = rates.ranked([window, rephrased])
        rates.learn(ranked, [1, 2])
    assert chance(rates, rephrased).first > before + 0.3


def test_rephrased_drafts_learn_how_they_go_on_apart_from_drafts():
    rates, follow = HitRates(), candidate(CandidateKind.WINDOW, 1, 2, 3)
    for _ in range(20):
        rates.learn([follow], [1, 2, 9])
    assert chance(rates, follow).keep < 0.7
    assert chance(rates, candidate(CandidateKind.REPHRASED, 1, 2, 3)).keep == KEEP
