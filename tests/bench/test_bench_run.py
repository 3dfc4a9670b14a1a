"""`bench run`, with scripted ways: the order of runs, what each figure counts, and how losses are reported."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest
from fake_document_target import FakeDocumentTarget
from PIL import Image
from rich.console import Console

from docparse_fast.bench.clock import Clock
from docparse_fast.bench.measuring_pages import measure
from docparse_fast.bench.record import PLAIN, Measurement, PageRecord, RunSettings, Steps, from_json, to_json
from docparse_fast.bench.report import report
from docparse_fast.bench.run import exit_code
from docparse_fast.bench.speedups import Figures, summary
from docparse_fast.bench.tables import markdown, show
from docparse_fast.bench.trial import Subject
from docparse_fast.bench.ways import DRAFTS, SPECULATIVE, PageWay, Plain, Speculative, Written
from docparse_fast.document import Box, Category, Draft, Page, PageDraft, PageSource, Region
from docparse_fast.errors import PageError, UsageError
from docparse_fast.options import SpeculationOptions

TEXT = "One page of plain words, long enough that a draft of it saves a step or two.\n\nAnd a second paragraph."
EXACT = SpeculationOptions(tau=1.0, stages="2", max_new_tokens=200)


@dataclass
class Hands:
    """A clock that a test moves."""

    at: float = 0.0

    def clock(self) -> Clock:
        return Clock("cpu", lambda: self.at)


@dataclass
class ScriptedWay:
    """A way that takes given seconds and writes a given answer."""

    name: str
    hands: Hands
    seconds: dict[str, float]
    tokens: tuple[int, ...] = (5, 6, 7, 8, 9)
    steps: Steps = field(default_factory=lambda: Steps((1, 1), (4, 1), (2, 0), (0, 0), (3, 1)))
    drafts: str = ""
    finish: str = "eos"
    fails: Callable[[str], bool] = lambda page: False
    ran: list[str] = field(default_factory=list)

    def run(self, job, target, timer) -> Written:
        self.ran.append(f"page {job.number}")
        if self.fails(f"page {job.number}"):
            raise PageError("out_of_memory", "no room")
        for span, seconds in self.seconds.items():
            with timer.span(span):
                self.hands.at += seconds
        self.hands.at += 1  # the look at the page's inputs, and the reading of the answer
        written, accepted = sum(self.steps.written), sum(self.steps.accepted)
        return Written(
            self.tokens, "", (), self.finish, written, len(self.steps), accepted, self.steps, stage_1=Steps()
        )


def subject(number: int, text: str = TEXT, error: PageError | None = None) -> Subject:
    def render() -> Image.Image:
        if error is not None:
            raise error
        return Image.new("RGB", (200, 100), (number, 0, 0))

    return Subject(f"page {number}", Page(number, 200, 100, 72.0, PageSource(render, lambda: None)), truth=text)


def drafted(subject: Subject) -> PageDraft:
    """A draft with one region per paragraph."""
    regions = [
        Region(Box(5, 10 + 40 * n, 195, 40 + 40 * n), Category.TEXT, (Draft(text, "recorded"),))
        for n, text in enumerate(str(subject.truth).split("\n\n"))
        if text
    ]
    return PageDraft(subject.page.number, 200, 100, tuple(regions), drafter="recorded")


def reading(texts: dict[int, str]) -> FakeDocumentTarget:
    return FakeDocumentTarget(lambda image, category: texts[image.getpixel((0, 0))[0]])


def settings(repeats: int = 1, **options) -> RunSettings:
    chosen = {"tau": 1.0, "stages": "2", "window": 3, **options}
    return RunSettings(
        "fake", "scripted", "cpu", "float32", "cpu", repeats, chosen, {"torch": "none", "transformers": "none"}
    )


def measured(subjects: list[Subject], ways: list[PageWay], repeats: int = 1, **choices) -> Measurement:
    target = choices.pop("target", None) or reading({one.page.number: str(one.truth) for one in subjects})
    choices = {"drafts": {DRAFTS: drafted}, "options": EXACT, "settings": settings(repeats), **choices}
    return measure(subjects, target, ways, **choices)


def scripted(hands: Hands, *, plain: float = 12.0, speculative: float = 3.0, **more) -> list[ScriptedWay]:
    one_by_one = Steps(*((1,) * 4,) * 2, *((0,) * 4,) * 2, (1,) * 4)
    return [
        ScriptedWay(PLAIN, hands, {"prefill": 2.0, "decode": plain}, steps=one_by_one),
        ScriptedWay(SPECULATIVE, hands, {"prefill": 2.0, "decode": speculative}, drafts=DRAFTS, **more),
    ]


def printed(found: Measurement, width: int = 120) -> str:
    stream = io.StringIO()
    show(report(found), Console(file=stream, width=width))
    return stream.getvalue()


# ------------------------------------------------------------------------------------------- who runs when


def test_ways_take_turns_at_being_first():
    order: list[str] = []

    @dataclass
    class Noting(ScriptedWay):
        def run(self, job, target, timer):
            order.append(self.name)
            return super().run(job, target, timer)

    ways = [Noting(name, Hands(), {"decode": 1.0}) for name in (PLAIN, "a", "b")]
    measured([subject(1)], ways, repeats=3, check_generate=False)
    assert order[3:] == [PLAIN, "a", "b", "a", "b", PLAIN, "b", PLAIN, "a"]  # after the warm-up


def test_every_way_runs_every_round_and_warms_up_once_on_the_first_page():
    ways = scripted(Hands())
    found = measured([subject(1), subject(2)], ways, repeats=3)
    assert ways[0].ran.count("page 1") == 4
    assert ways[0].ran.count("page 2") == 3
    assert {len(way.rounds) for page in found.pages for way in page.ways.values()} == {3}


def test_on_a_device_with_graphs_every_page_warms_up():
    hands = Hands()
    ways = scripted(hands)
    measured([subject(1), subject(2)], ways, clock=replace(hands.clock(), kind="wall"))
    assert ways[1].ran == ["page 1", "page 2", "page 1", "page 2"]


def test_a_page_is_drafted_once_for_all_ways_and_the_first_once_more_when_all_is_loaded():
    asked = []

    def draft(one: Subject) -> PageDraft:
        asked.append(one.name)
        return drafted(one)

    measured([subject(1), subject(2)], [Plain(EXACT), Speculative(EXACT)], repeats=2, drafts={DRAFTS: draft})
    assert asked == ["page 1", "page 2", "page 1"]


def test_a_measurement_needs_plain_decoding_and_a_drafter():
    with pytest.raises(ValueError, match="plain"):
        measured([subject(1)], [Speculative(EXACT)])
    with pytest.raises(ValueError, match="have no drafter"):
        measured([subject(1)], [Plain(EXACT), Speculative(EXACT, drafts="spoilt")])


# -------------------------------------------------------------------------------------- what is counted where


def test_drafting_and_stage_1_count_against_speculation_where_the_paper_counts_them():
    """Plain: 2 + 12 + 1 s. Speculative: 4 s of drafting, 2 of Stage 1, then 2 + 3 + 1."""
    hands = Hands()

    def draft(one: Subject) -> PageDraft:
        hands.at += 4
        return drafted(one)

    ways = scripted(hands)
    ways[1].seconds = {"stage_1": 2.0, **ways[1].seconds}
    found = measured([subject(1)], ways, clock=hands.clock(), drafts={DRAFTS: draft})
    figures = Figures.of(found.pages[0], SPECULATIVE)
    assert figures.engine_speedup == 12 / 3
    assert figures.decode_speedup == 12 / (4 + 2 + 3)
    assert figures.end_to_end_speedup == 15 / (4 + 2 + 6)
    assert figures.tokens_per_step == 2
    assert figures.average_acceptance_length == 1
    assert figures.efficiency == 4 / 2


def test_a_pages_seconds_are_the_median_of_its_rounds():
    hands = Hands()
    ways = scripted(hands)
    found = measured([subject(1)], ways, repeats=1, clock=hands.clock())
    page = found.pages[0]
    slow = {"prefill": 2.0, "decode": 100.0, "full": 103.0}
    way = replace(page.ways[SPECULATIVE], rounds=(slow, *page.ways[SPECULATIVE].rounds * 2))
    again = replace(page, ways={**page.ways, SPECULATIVE: way})
    assert Figures.of(again, SPECULATIVE) == Figures.of(page, SPECULATIVE)


def test_overall_figures_are_of_sums_so_that_long_pages_count_for_more():
    def page(name: str, plain: float, speculative: float) -> PageRecord:
        hands = Hands()
        return replace(
            measured([subject(1)], scripted(hands, plain=plain, speculative=speculative), clock=hands.clock()).pages[0],
            name=name,
        )

    found = Measurement(settings(), (page("short", 2.0, 2.0), page("long", 98.0, 14.0)))
    way = summary(found)["ways"][SPECULATIVE]
    assert way["engine_speedup"] == 100 / 16
    assert way["mean_of_pages"]["engine_speedup"] == (1 + 7) / 2
    assert way["slowest_page"] == {"name": "short", "engine_speedup": 1.0}
    assert way["efficiency"] == way["engine_speedup"] / way["tokens_per_step"]


def test_counts_of_the_engine_add_up():
    found = measured([subject(1), subject(2, "Other words, but as many of them as it takes.")], both_ways())
    for page in found.pages:
        for way in page.ways.values():
            assert sum(way.steps.written) == way.written == len(way.tokens) - 1
            assert way.passes == len(way.steps)
            assert sum(way.steps.accepted) == way.accepted == way.written - way.passes + _cut(way)
        assert Figures.of(page, PLAIN).tokens_per_step == 1
        assert Figures.of(page, SPECULATIVE).tokens_per_step > 3


def _cut(way) -> int:
    """A step that ends in a draft's own end of answer writes no token of the target's."""
    return sum(step == taken for step, taken in zip(way.steps.written, way.steps.accepted, strict=True))


def both_ways(options: SpeculationOptions = EXACT) -> list[PageWay]:
    return [Plain(options), Speculative(options)]


# -------------------------------------------------------------------------------------------- what is kept


def test_a_measurement_reads_back_from_its_json():
    bad = PageError("render_failed", "the file ends early")
    found = measured([subject(1), subject(2), subject(3, error=bad)], both_ways(), repeats=2)
    text = to_json(found, summary(found))
    assert from_json(text) == found
    assert json.loads(text)["summary"]["ways"][SPECULATIVE]["pages"] == 2


def test_a_file_of_another_kind_is_refused():
    with pytest.raises(UsageError, match="docparse-fast/bench"):
        from_json('{"format": "docparse-fast/run", "version": 1}')


def test_answers_are_kept_as_tokens_as_text_and_as_markdown():
    page = measured([subject(1, "# A heading\n\nAnd words.")], both_ways()).pages[0]
    for way in page.ways.values():
        assert way.answer == "# A heading\n\nAnd words."
        assert way.markdown == "# A heading\n\nAnd words.\n"
        assert way.finish == "eos"


def test_drafts_may_be_spoilt_by_name_within_one_run():
    def spoilt(one: Subject) -> PageDraft:
        return drafted(replace_truth(one, " ".join(word[::-1] for word in str(one.truth).split())))

    ways = [*both_ways(), Speculative(EXACT, name="spoilt", drafts="backwards")]
    page = measured([subject(1)], ways, drafts={DRAFTS: drafted, "backwards": spoilt}).pages[0]
    assert page.ways["spoilt"].same_as_plain
    assert page.ways["spoilt"].passes > 2 * page.ways[SPECULATIVE].passes
    assert page.drafts["backwards"].draft != page.drafts[DRAFTS].draft


def replace_truth(one: Subject, truth: str) -> Subject:
    return Subject(one.name, one.page, one.group, truth)


def test_pages_side_by_side_are_written_as_one_by_one():
    subjects = [subject(n, f"{TEXT} {'And so on. ' * n}") for n in range(1, 7)]
    found = measured(subjects, [Plain(EXACT)], repeats=2)
    (group,) = found.together
    assert group.rows == 4  # the fake's slots
    assert len(group.pages) == group.same_as_plain == 6
    assert len(group.rounds) == 2
    assert group.tokens == sum(len(page.ways[PLAIN].tokens) for page in found.pages)


# -------------------------------------------------------------------------------------- what goes wrong


def test_a_failed_page_is_reported_and_stops_no_other():
    bad = PageError("render_failed", "the file ends early")
    found = measured([subject(1, error=bad), subject(2)], both_ways())
    assert [page.measured for page in found.pages] == [False, True]
    assert summary(found)["failed"] == ["page 1"]
    assert exit_code(found) == 3
    assert "page 1: render_failed: the file ends early" in printed(found)


def test_where_every_page_fails_nothing_was_measured():
    found = measured([subject(1, error=PageError("render_failed", "the file ends early"))], both_ways())
    assert exit_code(found) == 1
    assert "render_failed" in printed(found)


def test_a_failed_way_affects_no_other_way():
    hands = Hands()
    ways = [*scripted(hands), ScriptedWay("fragile", hands, {"decode": 1.0}, fails=lambda page: page == "page 2")]
    found = measured([subject(1), subject(2)], ways, repeats=2)
    ways_of = summary(found)["ways"]
    assert (ways_of["fragile"]["pages"], ways_of["fragile"]["failed"]) == (1, 1)
    assert ways_of[SPECULATIVE]["pages"] == 2
    assert ways[2].ran.count("page 2") == 1  # asked no second time
    assert exit_code(found) == 3
    assert "page 2, fragile: out_of_memory: no room" in printed(found)


def test_a_blank_page_is_not_a_failure():
    found = measured([subject(1, text=""), subject(2)], both_ways())
    assert found.pages[0].blank
    assert not found.pages[0].ways
    assert summary(found)["blank"] == 1
    assert exit_code(found) == 0


def test_a_page_with_endless_repetition_is_left_out_and_named():
    hands = Hands()
    found = measured([subject(1), subject(2)], scripted(hands), clock=hands.clock())
    looping = replace(found.pages[0].ways[PLAIN], finish="repetition")
    pages = (replace(found.pages[0], ways={**found.pages[0].ways, PLAIN: looping}), found.pages[1])
    again = replace(found, pages=pages)
    assert summary(again)["looping"] == ["page 1"]
    assert summary(again)["counted"] == 1
    assert "goes round in circles: page 1" in printed(again)


def test_an_interrupted_measurement_keeps_finished_pages():
    hands = Hands()
    ways = scripted(hands)
    run, called = ways[1].run, []

    def interrupt(job, target, timer):
        called.append(job.number)
        if len(called) == 4:  # the warm-up, then two pages of the first round
            raise KeyboardInterrupt
        return run(job, target, timer)

    ways[1].run = interrupt  # type: ignore[method-assign]
    found = measured([subject(n) for n in (1, 2, 3, 4)], ways, repeats=3, clock=hands.clock())
    assert exit_code(found) == 130
    assert summary(found)["ways"][SPECULATIVE]["pages"] == 2
    assert summary(found)["blank"] == 0
    assert summary(found)["failed"] == []  # the others had not been come to
    assert from_json(to_json(found, {})) == found
    assert "Interrupted" in printed(found)


def test_pages_that_are_not_decoded_together_are_finished_one_by_one():
    hands, shown = Hands(), []
    found = measured(
        [subject(n) for n in (1, 2, 3)],
        scripted(hands),
        repeats=2,
        clock=hands.clock(),
        together=False,
        watch=shown.append,
    )
    assert len(found.pages) == 3
    rounds = [text for text in shown if text.startswith("round")]
    assert [text[-6:] for text in rounds[:2]] == [rounds[0][-6:]] * 2  # both rounds of the first page


def test_an_answer_that_differs_from_plain_is_reported_and_fails_the_run_at_tau_1():
    hands = Hands()
    ways = scripted(hands, tokens=(5, 6, 1, 8, 9))
    found = measured([subject(1)], ways)
    assert found.pages[0].ways[SPECULATIVE].first_difference == 2
    assert "speculative writes otherwise than plain: page 1 from token 2 on" in printed(found)
    assert exit_code(found) == 3
    tolerant = replace(found, settings=settings(tau=0.75))
    assert exit_code(tolerant) == 0
    assert "as it may at tau 0.75" in printed(tolerant)


def test_at_tau_1_every_round_must_equal_plain():
    found = measured([subject(1)], scripted(Hands()))
    assert exit_code(found) == 0
    (page,) = found.pages
    once_otherwise = replace(page.ways[SPECULATIVE], steady=False)
    assert exit_code(replace(found, pages=(replace(page, ways={**page.ways, SPECULATIVE: once_otherwise}),))) == 3


def test_a_way_whose_rounds_differ_is_named():
    @dataclass
    class Fickle(ScriptedWay):
        def run(self, job, target, timer):
            return replace(super().run(job, target, timer), tokens=(5, 6, len(self.ran)))

    hands = Hands()
    ways = [*scripted(hands), Fickle("fickle", hands, {"decode": 1.0})]
    found = measured([subject(1)], ways, repeats=2, clock=hands.clock())
    assert [way.steady for way in found.pages[0].ways.values()] == [True, True, False]
    assert "fickle wrote differently from round to round: page 1" in printed(found)


def test_answers_are_compared_with_the_models_own_generate():
    found = measured([subject(1)], both_ways())
    page = found.pages[0]
    assert page.generate_tokens == len(page.ways[PLAIN].tokens)
    assert all(way.same_as_generate for way in page.ways.values())
    unasked = measured([subject(1)], both_ways(), check_generate=False).pages[0]
    assert unasked.ways[PLAIN].same_as_generate is None


# ------------------------------------------------------------------------------------------- what is shown


def test_a_loss_is_shown_as_a_loss():
    hands = Hands()
    found = measured([subject(1)], scripted(hands, plain=3.0, speculative=6.0), clock=hands.clock())
    text = printed(found)
    assert "0.50x" in text
    assert "Slower than plain in decoding: 1 of 1 pages, at worst 0.50x (page 1)." in text
    assert "**0.50x, slower**" in markdown(report(found))


def test_a_gain_is_not_shown_as_a_loss():
    hands = Hands()
    found = measured([subject(1)], scripted(hands), clock=hands.clock())
    assert "4.00x" in printed(found)
    assert "Slower" not in printed(found)


def test_a_narrow_terminal_gets_fewer_columns_and_whole_words():
    hands = Hands()
    found = measured([subject(1), subject(2)], scripted(hands), clock=hands.clock())
    assert "…" not in printed(found, width=80)
    assert "speculative" in printed(found, width=80)
    assert "4.00x" in printed(found, width=80)
    assert "plain s" not in printed(found, width=80)


def test_numbers_stand_below_their_names():
    hands = Hands()

    def draft(one: Subject) -> PageDraft:
        hands.at += 4
        return drafted(one)

    found = measured([subject(1)], scripted(hands), clock=hands.clock(), drafts={DRAFTS: draft})
    line = next(line for line in printed(found).splitlines() if line.startswith(" page 1"))
    assert line.split()[2:] == ["5", "4.00", "12.00", "3.00", "2.00", "1.00", "4.00x", "2.00", "1.71x", "1.50x", "yes"]


def test_the_report_names_the_clock():
    found = measured([subject(1)], both_ways())
    assert "CPU seconds" in printed(found)
    on_gpu = replace(found, settings=replace(found.settings, clock="wall"))
    assert "wall seconds" in printed(on_gpu)
