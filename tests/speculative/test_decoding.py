"""Correct: no draft changes the target's answer. Useful: good drafts save steps. Cheap: bad drafts cost little."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from fake_targets import FREE, ScriptedTarget, SeededTarget
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.options import SpeculationOptions
from docparse_fast.speculative.acceptance import Acceptance
from docparse_fast.speculative.candidates import Candidate, CandidateKind, TokenDraft, Turn
from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.growing_answer import Decoded, Finish, Row, RunningRow, TokenOrigin
from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.timing import Timer

EOS = 0
# bf16 and fp32 on two CPU cores, as measured in the first trial; a GPU as in a roofline model
CPU = CostTable(
    (1, 8), (1, 2, 4, 8, 16, 32, 64), ((1, 1.02, 1.08, 1.2, 1.7, 2.4, 3.8), (1.4, 1.7, 2.4, 3.7, 6.5, 11, 21))
)
CPU_FP32 = CostTable((1,), (1, 2, 4, 8, 16, 32, 64), ((1, 1.75, 1.75, 2.1, 2.8, 4.25, 7.2),))
GPU = CostTable((1, 8), (1, 2, 64), ((1, 1.02, 1.1), (1.05, 1.08, 1.4)))

exact = Speculation(tau=1.0)


def drafts(*tokens, region=None):
    return [TokenDraft(tuple(draft), number if region is None else region) for number, draft in enumerate(tokens)]


def spoilt(tokens, rate, rng, vocabulary=50):
    """`tokens` with substitutions, insertions and deletions, a third of `rate` each."""
    out = []
    for token in tokens:
        chance = rng.random() / rate if rate else 1
        if chance < 1 / 3:
            out.append(rng.randrange(1, vocabulary))
        elif chance < 2 / 3:
            out += [token, rng.randrange(1, vocabulary)]
        elif chance >= 1:
            out.append(token)
    return out


def decode(target, row, speculation=exact) -> Decoded:
    [decoded] = spec_decode(target, [row], speculation)
    return decoded


@st.composite
def draft_sets(draw, answer, vocabulary):
    """Pieces of the answer, spoilt and shuffled, and some random tokens."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    rate = draw(st.sampled_from([0.0, 0.05, 0.2, 0.6]))
    size = draw(st.integers(1, 30))
    pieces = [spoilt(answer[at : at + size], rate, rng, vocabulary) for at in range(0, len(answer), size)]
    pieces += [[rng.randrange(vocabulary) for _ in range(rng.randrange(20))] for _ in range(draw(st.integers(0, 3)))]
    if draw(st.booleans()):
        rng.shuffle(pieces)
    regions = draw(st.integers(1, 8))
    return [TokenDraft(tuple(piece), number // regions) for number, piece in enumerate(pieces)]


@given(data=st.data())
def test_at_tau_1_the_answer_is_the_targets_own(data):
    vocabulary = data.draw(st.sampled_from([4, 12, 50]))
    costs = data.draw(st.sampled_from([FREE, CPU, CPU_FP32, GPU]))
    target = SeededTarget(
        seed=data.draw(st.integers(0, 1000)),
        vocabulary=vocabulary,
        slots=data.draw(st.integers(1, 3)),
        eos=data.draw(st.sampled_from([(), (EOS,), (EOS, 3)])),
        costs=costs,
    )
    rows = []
    for view in range(data.draw(st.integers(1, 4))):
        longest = data.draw(st.integers(1, 60))
        answer = target.answer(view, 60)
        row = Row(view, data.draw(draft_sets(answer, vocabulary)), max_tokens=longest)
        row.separators = data.draw(st.sampled_from([(), ((1,),), ((1, 2), (3,))]))
        rows.append(row)
    speculation = Speculation(
        tau=1.0, window=data.draw(st.integers(1, 4)), widest=data.draw(st.sampled_from([1, 2, 5, 64]))
    )
    for decoded in spec_decode(target, rows, speculation):
        assert decoded.tokens == target.answer(decoded.row.view, decoded.row.max_tokens)


# ------------------------------------------------------------------------------------------------- useful


def read_out(answer, row_drafts, speculation=exact, costs=FREE, **of_row):
    target = ScriptedTarget({"page": answer}, eos=(EOS,), costs=costs)
    decoded = decode(target, Row("page", row_drafts, **of_row), speculation)
    return decoded, target


def story(length, seed=0, vocabulary=5000):
    """Tokens in which no three occur twice."""
    return [1 + (token * 7919 + seed * 31) % vocabulary for token in range(length)]


@pytest.mark.parametrize("widest", [2, 8, 64])
def test_a_perfect_draft_among_decoys_needs_the_fewest_steps_its_budget_allows(widest):
    answer = story(300)
    decoys = [story(75, seed=seed, vocabulary=997) for seed in range(1, 40)]
    decoded, _ = read_out(answer, drafts(*decoys[:20], answer, *decoys[20:]), Speculation(tau=1.0, widest=widest))
    assert len(decoded.steps) == -(-len(answer) // widest)  # one token came with the prefill, one is the end


def test_a_perfect_draft_opens_the_width_at_its_first_step():
    for costs, least in ((GPU, 60), (CPU, 24), (CPU_FP32, 12)):
        decoded, _ = read_out(story(300), drafts(story(300)), costs=costs)
        assert decoded.steps[0].width >= least


def test_with_no_drafts_every_step_is_a_plain_one():
    decoded, target = read_out(story(50) + story(50), [])
    assert {(step.nodes, step.width, step.written) for step in decoded.steps} == {(1, 1, 1)}
    assert target.cost == 100  # the end of the answer is written as well; the first token came with the prefill


@pytest.mark.parametrize("size", [4, 8])
def test_short_regions_are_read_through_without_a_step_for_each(size):
    """The paper's window alone aligns anew in every region, which takes a step or more each."""
    answer = story(400)
    regions = [answer[at : at + size] for at in range(0, 400, size)]
    decoded, _ = read_out(answer, drafts(*regions))
    assert len(decoded.steps) <= 400 / 64 + 3


def test_regions_in_another_order_cost_a_window_each():
    """By tokens alone; rewording finds their letters sooner."""
    answer = story(400)
    regions = [answer[at : at + 10] for at in range(0, 400, 10)]
    random.Random(1).shuffle(regions)
    decoded, _ = read_out(answer, drafts(*regions))
    assert len(decoded.steps) <= 3 * len(regions)


def test_missing_separators_are_added_between_drafts():
    pieces = [story(10, seed=seed) for seed in range(1, 31)]
    answer = [token for piece in pieces for token in (*piece, 77)][:-1]
    decoded, _ = read_out(answer, drafts(*pieces), separators=[(77,)])
    assert len(decoded.steps) <= len(answer) / 64 + 3


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda tokens, at: [*tokens[:at], 9001, *tokens[at + 1 :]], id="substitution"),
        pytest.param(lambda tokens, at: [*tokens[:at], *tokens[at + 1 :]], id="insertion"),
        pytest.param(lambda tokens, at: [*tokens[:at], 9001, *tokens[at:]], id="deletion"),
    ],
)
def test_a_mismatch_costs_one_or_two_steps_not_a_whole_window(change):
    answer = story(600)
    draft = answer
    for at in range(590, 20, -30):  # nineteen differences, thirty tokens apart
        draft = change(draft, at)
    decoded, _ = read_out(answer, drafts(draft))
    fewest = len(read_out(answer, drafts(answer))[0].steps)
    assert len(decoded.steps) - fewest <= 1.5 * 19


def test_an_alternative_draft_helps_where_the_first_is_wrong():
    alone = both = 0
    for seed in range(8):
        rng = random.Random(seed)
        answer = story(400, seed=seed)
        one, other = spoilt(answer, 0.06, rng, 5000), spoilt(answer, 0.06, rng, 5000)
        alone += len(read_out(answer, drafts(one, region=0))[0].steps)
        both += len(read_out(answer, drafts(one, other, region=0))[0].steps)
    assert both < 0.88 * alone


def test_a_late_draft_is_used_from_the_next_step_on():
    answer = story(200)
    target = ScriptedTarget({"region": answer[100:], "page": answer}, eos=(EOS,), slots=2)
    page = Row("page", drafts(answer[:10]))
    region = Row("region", drafts(answer[100:]))
    for decoded in spec_decode(target, [page, region], exact):
        if decoded.row is region:
            page.drafts.append(TokenDraft(decoded.tokens[:-1], 1))
        else:
            assert decoded.accepted[CandidateKind.WINDOW] > 80


# ---------------------------------------------------------------------------------------------- never dear


@pytest.mark.parametrize("costs", [CPU, CPU_FP32, GPU], ids=["cpu", "cpu-fp32", "gpu"])
@pytest.mark.parametrize("kind", ["other text", "same words", "lures", "a few", "nothing"])
def test_hopeless_drafts_cost_at_most_three_per_cent_of_plain_decoding(costs, kind):
    rng = random.Random(5)
    answer = [rng.randrange(1, 300) for _ in range(400)]
    made = {
        "other text": [[rng.randrange(300, 600) for _ in range(75)] for _ in range(40)],
        "same words": [[rng.randrange(1, 300) for _ in range(75)] for _ in range(40)],
        # every window is found, and what follows it is always wrong
        "lures": [[*answer[at : at + 3], *(rng.randrange(300, 600) for _ in range(40))] for at in range(390)],
        "a few": [spoilt(answer, 2.5, rng, 300)],
        "nothing": [],
    }[kind]
    decoded, target = read_out(answer, drafts(*made), costs=costs)
    assert target.cost <= (len(decoded.tokens) - 1) / 0.97


def test_hopeless_drafts_hardly_slow_a_short_page():
    """With an opening credit of two tokens, 64 tokens were decoded at 0.957 of plain decoding's speed."""
    rng = random.Random(7)
    answer = [rng.randrange(1, 300) for _ in range(64)]
    nonsense = [[rng.randrange(300, 600) for _ in range(75)] for _ in range(5)]
    _, target = read_out(answer, drafts(*nonsense), costs=CPU)
    assert target.cost <= len(answer) / 0.97


def test_many_rows_with_hopeless_drafts_cost_little_more_than_plain_ones():
    rng = random.Random(6)
    answers = {view: [rng.randrange(1, 300) for _ in range(200)] for view in range(8)}
    nonsense = [[rng.randrange(1, 300) for _ in range(75)] for _ in range(20)]
    costs = []
    for made in ([], nonsense):
        target = ScriptedTarget(answers, eos=(EOS,), slots=8, costs=CPU)
        list(spec_decode(target, [Row(view, drafts(*made)) for view in answers], exact))
        costs.append(target.cost)
    assert costs[1] <= costs[0] / 0.97


def test_a_page_that_turns_good_after_a_hopeless_beginning_is_still_sped_up():
    answer = story(800)
    lures = [[*answer[at : at + 3], *story(20, seed=at + 7)] for at in range(0, 400, 2)]
    _, target = read_out(answer, drafts(*lures, answer[400:]), costs=CPU)
    assert target.cost < 0.6 * len(answer)


# ------------------------------------------------------------------------------------------- how rows end


@pytest.mark.parametrize("widest", [1, 64])
def test_a_loop_that_ends_within_the_checked_step_stops_the_row(widest):
    answer = story(100) + [7, 8, 9] * 95 + story(60, seed=3)
    decoded, _ = read_out(answer, drafts(answer[372:430]), Speculation(tau=1.0, widest=widest))
    assert (decoded.finish, len(decoded.tokens)) == (Finish.REPETITION, 384)
    assert decoded.spans[-1].stop == 384  # whatever more was accepted in that step
    assert sum(step.accepted for step in decoded.steps) == sum(decoded.accepted.values())


def test_an_end_inside_an_accepted_path_ends_the_row_there():
    answer = story(30)
    decoded, _ = read_out(answer, drafts([*answer, EOS, 5, 6, 7]))
    assert decoded.tokens == (*answer, EOS)
    assert decoded.finish is Finish.EOS
    assert decoded.spans[-1].stop == len(decoded.tokens)  # what the draft says after the end is not evidence
    assert decoded.steps[-1].accepted == decoded.steps[-1].written


def test_an_answer_may_end_with_its_first_token():
    decoded, target = read_out([], drafts([1, 2]))
    assert (decoded.tokens, decoded.finish, decoded.steps) == ((EOS,), Finish.EOS, ())
    assert target.passes == []


@pytest.mark.parametrize("most", [1, 2, 9, 10])
def test_max_tokens_cuts_an_accepted_path_at_the_exact_token(most):
    answer = story(40)
    decoded, target = read_out(answer, drafts(answer), max_tokens=most)
    assert decoded.tokens == tuple(answer[:most])
    assert decoded.finish is Finish.LENGTH
    assert all(width <= most for _, width in target.passes)  # nothing is verified that could not be written


@pytest.mark.parametrize("longest", [1, 2, 9])
def test_a_row_ends_where_the_target_has_no_more_room(longest):
    answer = story(40)
    target = ScriptedTarget({"page": answer}, eos=(EOS,))
    target.longest = longest
    decoded = decode(target, Row("page", drafts(answer)))
    assert (decoded.tokens, decoded.finish) == (tuple(answer[:longest]), Finish.LENGTH)
    assert all(width <= longest for _, width in target.passes)


def test_an_end_that_is_the_last_token_allowed_is_an_end():
    answer = story(9)
    assert read_out(answer, drafts(answer), max_tokens=10)[0].finish is Finish.EOS


@pytest.mark.parametrize("widest", [1, 3, 64])
def test_a_loop_stops_the_row_at_the_same_token_however_it_is_stepped(widest):
    answer = story(100) + [7, 8, 9] * 1000
    decoded, _ = read_out(answer, drafts(story(100)), Speculation(tau=1.0, widest=widest))
    assert decoded.finish is Finish.REPETITION
    assert len(decoded.tokens) == 384  # the first check with 256 tokens of it


def test_a_long_table_of_empty_cells_that_a_draft_has_is_no_loop():
    cells = [7, 8, 9] * 200
    answer = story(400) + cells + story(50, seed=3)
    assert read_out(answer, drafts(story(400)))[0].finish is Finish.REPETITION
    decoded, _ = read_out(answer, drafts(story(400), cells))
    assert decoded.finish is Finish.EOS


def test_a_draft_excuses_no_more_than_twice_what_it_has():
    decoded, _ = read_out([7, 8, 9] * 1000, drafts([7, 8, 9] * 200))
    assert decoded.finish is Finish.REPETITION
    assert 1200 <= len(decoded.tokens) <= 1264


class Clock:
    """A clock that advances by a second whenever it is read."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 1.0
        return self.now


def test_a_row_past_its_deadline_keeps_what_it_has():
    target = ScriptedTarget({"page": story(500)}, eos=(EOS,))
    [decoded] = spec_decode(target, [Row("page", deadline=30.0)], exact, Timer(clock=Clock()))
    assert decoded.finish is Finish.DEADLINE
    assert 5 < len(decoded.tokens) < 40
    assert decoded.tokens == tuple(story(500)[: len(decoded.tokens)])


def test_a_row_whose_deadline_passed_while_it_waited_is_not_prefilled():
    target = ScriptedTarget({"page": story(50)}, eos=(EOS,))
    rows = [Row("page", name="in time"), Row("no such view", deadline=10.0, name="late")]
    finished = {decoded.row.name: decoded for decoded in spec_decode(target, rows, exact, Timer(clock=Clock()))}
    assert finished["in time"].finish is Finish.EOS
    assert (finished["late"].finish, finished["late"].tokens) == (Finish.DEADLINE, ())


# ----------------------------------------------------------------------------------------- rows side by side


def test_a_finished_rows_slot_goes_to_the_next_one_waiting():
    answers = {view: story(10 + 20 * (view % 3), seed=view) for view in range(9)}
    target = ScriptedTarget(answers, eos=(EOS,), slots=3)
    names = [decoded.row.view for decoded in spec_decode(target, [Row(view) for view in answers], exact)]
    assert sorted(names) == list(answers)
    assert Counter(rows for rows, _ in target.passes)[3] > 0.6 * len(target.passes)


def test_rows_are_drawn_only_when_a_slot_is_free():
    drawn = []

    def rows():
        for view in range(4):
            drawn.append(view)
            yield Row(view)

    target = ScriptedTarget({view: story(10, seed=view) for view in range(4)}, eos=(EOS,), slots=2)
    finished = spec_decode(target, rows(), exact)
    next(finished)
    assert drawn == [0, 1]
    assert len(list(finished)) == 3


def test_a_call_that_is_abandoned_leaves_every_slot_free():
    target = ScriptedTarget({view: story(10 * view + 5, seed=view) for view in range(3)}, eos=(EOS,), slots=3)
    finished = spec_decode(target, [Row(view) for view in range(3)], exact)
    next(finished)
    finished.close()
    assert len(list(spec_decode(target, [Row(view) for view in range(3)], exact))) == 3


def test_only_a_rows_own_history_decides_its_drafts():
    """Promise 5: the same row gives the same steps, whatever was decoded before it."""
    target = SeededTarget(seed=4, vocabulary=30, costs=CPU)
    rng = random.Random(1)
    given = drafts(spoilt(target.answer("page", 100), 0.1, rng, 30))
    first = decode(target, Row("page", given, max_tokens=100))
    decode(target, Row("other", drafts([1, 2, 3] * 20), max_tokens=100))
    assert decode(target, Row("page", given, max_tokens=100)).steps == first.steps


def test_time_goes_to_prefill_and_decode():
    timer = Timer(clock=Clock())
    target = ScriptedTarget({"page": story(50)}, eos=(EOS,))
    list(spec_decode(target, [Row("page")], exact, timer))
    assert set(timer.seconds) == {"prefill", "decode"}
    assert timer.seconds["decode"] > timer.seconds["prefill"] > 0


def test_by_default_the_answer_is_the_targets_own_and_the_window_the_papers():
    assert (Speculation().tau, Speculation().window) == (1.0, 3)
    assert (SpeculationOptions().tau, SpeculationOptions().window) == (1.0, 3)


@pytest.mark.parametrize(("tau", "asked"), [(1.0, False), (0.75, True)])
def test_log_probabilities_are_requested_only_with_tolerance(tau, asked):
    """They cost a pass over the vocabulary and the transfer from the device."""
    seen = set()

    class Noting(ScriptedTarget):
        def verify(self, trees, *, tolerant=False):
            seen.add(tolerant)
            return super().verify(trees, tolerant=tolerant)

    target = Noting({"page": range(1, 30)}, eos=(EOS,))
    decode(target, Row("page", drafts(range(1, 20))), Speculation(tau))
    assert seen == {asked}


@pytest.mark.parametrize("wrong", [{"tau": 0.0}, {"tau": 1.1}, {"window": 0}, {"widest": 0}])
def test_settings_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ValueError, match=r"is in|at least 1"):
        Speculation(**wrong)


def test_a_row_that_may_write_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one token"):
        Row("page", max_tokens=0)


# ------------------------------------------------------------------------------------ tolerance, provenance


def test_tolerance_takes_a_drafts_token_where_the_target_is_unsure_and_says_so():
    answer = story(60)
    draft = [*answer[:20], 9001, *answer[21:]]
    target = ScriptedTarget({"page": answer}, eos=(EOS,), doubts={20: {9001: 0.45}, 40: {9002: 0.45}})
    strict = decode(target, Row("page", drafts(draft)), Speculation(tau=1.0))
    loose = decode(target, Row("page", drafts(draft)), Speculation(tau=0.7))
    assert strict.tokens == (*answer, EOS)
    assert loose.tokens == (*draft, EOS)
    assert [
        (span.start, span.stop, span.draft, span.position)
        for span in loose.spans
        if span.origin is TokenOrigin.TOLERATED
    ] == [(20, 21, 0, 20)]
    assert sum(step.tolerated for step in loose.steps) == 1
    assert len(loose.steps) < len(strict.steps)


@given(data=st.data())
def test_every_token_has_one_origin_and_drafts_named_have_the_token_there(data):
    target = SeededTarget(seed=data.draw(st.integers(0, 99)), vocabulary=12, eos=(EOS,), costs=GPU)
    answer = target.answer("page", 60)
    row = Row("page", data.draw(draft_sets(answer, 12)), max_tokens=60, separators=((1,),))
    decoded = decode(target, row, Speculation(tau=data.draw(st.sampled_from([0.4, 0.8, 1.0])), window=2))
    assert [span.start for span in decoded.spans] == [0, *(span.stop for span in decoded.spans[:-1])]
    assert decoded.spans[-1].stop == len(decoded.tokens)
    for span in decoded.spans:
        if span.origin is TokenOrigin.OWN:
            assert (span.kind, span.draft, span.position) == (None, -1, -1)
            continue
        sources = [decoded.tokens] if span.kind is CandidateKind.OWN else [draft.tokens for draft in row.drafts]
        source = [*row.separators[0], *sources[span.draft if span.kind is not CandidateKind.OWN else 0]]
        first = span.position + 1  # the separator stands before the draft
        assert tuple(source[first : first + span.stop - span.start]) == decoded.tokens[span.start : span.stop]


def test_what_was_offered_is_counted_where_one_draft_goes_on_below_anothers_tokens():
    row = RunningRow(Row("page", drafts([1, 2, 3, 4, 5])), eos=frozenset(), window=3)
    row.begin(1, room=99)
    row._candidates = [
        Candidate([1, 2, 3, 4, 5], CandidateKind.NEAR, 0, 0, (Turn(1, 0, 1),)),
        Candidate([1, 2, 3, 9], CandidateKind.WINDOW, 0, 0),
    ]
    # as TreeBuilder makes them: the first candidate's nodes at depths 1, 4 and 5, between them the second's at 2 and 3
    row.tree = PrefixTree([7, 1, 2, 3, 4, 5, 9], [-1, 0, 1, 2, 3, 4, 3], [0, 1, 2, 3, 4, 5, 4], [-1, 0, 1, 1, 0, 0, 1])
    row.accepted = Acceptance([0, 1, 2, 3], [1, 2, 3, 6], [])
    row.write(rows=1, width=7)
    assert row.result().offered == {CandidateKind.NEAR: 3, CandidateKind.WINDOW: 3}


@given(data=st.data())
def test_steps_spans_and_kinds_agree(data):
    target = SeededTarget(seed=data.draw(st.integers(0, 99)), vocabulary=12, eos=(EOS,), costs=GPU)
    answer = target.answer("page", 60)
    row = Row("page", data.draw(draft_sets(answer, 12)), max_tokens=60)
    decoded = decode(target, row, Speculation(tau=0.6))
    drafted = [span for span in decoded.spans if span.origin is not TokenOrigin.OWN]
    assert sum(step.accepted for step in decoded.steps) == sum(span.stop - span.start for span in drafted)
    assert sum(step.accepted for step in decoded.steps) == sum(decoded.accepted.values())
    assert sum(step.nodes - 1 for step in decoded.steps) == sum(decoded.offered.values())
    assert sum(step.written for step in decoded.steps) == len(decoded.tokens) - 1
    assert all(decoded.accepted[kind] <= decoded.offered[kind] for kind in CandidateKind)
    assert all(step.nodes <= step.width for step in decoded.steps)


# ------------------------------------------------------------------------------------------------- sampling

CRITICAL = 51.2  # chi-square with 24 degrees of freedom, one in a thousand


@pytest.mark.parametrize(
    "given_drafts", [[], [(3,), (1, 2)], [(0,), (1,), (2,), (3,), (4,)]], ids=["none", "two", "all"]
)
def test_at_a_temperature_tokens_are_drawn_as_the_target_would_draw_them(given_drafts):
    trials = 1200
    target = SeededTarget(seed=11, vocabulary=5, temperature=0.8)
    first, then = softmax(target.logits("page", ()) / 0.8), {}
    counts = Counter()
    for _ in range(trials):
        decoded = decode(target, Row("page", drafts(*given_drafts), max_tokens=2))
        counts[decoded.tokens] += 1
    expected = {}
    for one in range(5):
        then[one] = softmax(target.logits("page", (one,)) / 0.8)
        for two in range(5):
            expected[one, two] = trials * first[one] * then[one][two]
    chi_square = sum((counts[pair] - mean) ** 2 / mean for pair, mean in expected.items())
    assert chi_square < CRITICAL


def softmax(logits):
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


@given(data=st.data())
def test_rows_apart_are_written_as_if_each_were_alone(data):
    """Below tau 1 as well: they share passes, and neither trees nor credit."""
    target = SeededTarget(seed=data.draw(st.integers(0, 99)), vocabulary=12, eos=(EOS,), costs=CPU)
    apart = Speculation(tau=data.draw(st.sampled_from([0.5, 1.0])), apart=True)
    rng = random.Random(data.draw(st.integers(0, 99)))
    views = ["one", "two", "three"]
    texts = {view: spoilt(target.answer(view, 40), 0.2, rng, 12) for view in views}

    def rows(some):
        return [Row(view, drafts(texts[view]), max_tokens=40, name=view) for view in some]

    def written(decoded):
        return decoded.tokens, decoded.spans, [step._replace(rows=1, width=step.nodes) for step in decoded.steps]

    together = {each.row.name: written(each) for each in spec_decode(target, rows(views), apart)}
    assert together == {view: written(decode(target, rows([view])[0], apart)) for view in views}
