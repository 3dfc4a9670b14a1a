"""Both stages over scripted pages: the use of each, and that nothing is lost if a target fails."""

from __future__ import annotations

import math
from itertools import count

import pytest
from fake_document_target import FakeDocumentTarget
from scenes import Scene, region, steps, texts, verified

from docparse_fast.document import Category
from docparse_fast.errors import ModelError, PageError
from docparse_fast.speculative.decoding import Speculation
from docparse_fast.targets.dialects.dots_ocr import DotsOcrDialect
from docparse_fast.targets.hosts.word_tokens import WordTokens

ONE = "Glaciers store about seventy percent of the fresh water on earth and shrink a little every summer."
TWO = "Rivers that they feed carry less each year so farmers downstream must plan for drier fields."
THREE = "Most models agree on the trend although the regions where it bites first remain disputed."
RIGHT = (ONE, TWO, THREE)


def misread(text: str) -> str:
    """The text with every third word wrong, so that no window of three words or marks matches."""
    return " ".join(word[::-1] if n % 3 == 1 else word for n, word in enumerate(text.split(" ")))


def whole(parts=RIGHT) -> str:
    return "\n\n".join(parts)


def scene(number=1, *, drafted=None, page=None, crops=RIGHT) -> Scene:
    drafted = drafted or [misread(text) for text in RIGHT]
    regions = [region(n, text) for n, text in enumerate(drafted)]
    return Scene(number, regions, whole() if page is None else page, crops)


def place_of(word: str, target_text: str) -> int:
    """The index of the word's token in the answer; the fake has one token for each word."""
    words = WordTokens()
    return words.encode(target_text).index(words.encode(word)[0])


# --------------------------------------------------------------------------------- what the hierarchy is for


def test_each_level_of_the_hierarchy_takes_fewer_stage_2_steps():
    """The paper's Table 8 in miniature: the page alone, then with Stage 1 exact, then with tolerance.

    The page and the crops are read alike but for two words, between which the target wavers.
    """
    seen = [ONE.replace("shrink", "recede"), TWO.replace("plan", "prepare"), THREE]
    page = scene(crops=seen)
    doubts = {place_of("shrink", whole()): {"recede": 0.48}, place_of("plan", whole()): {"prepare": 0.48}}
    alone, exact, tolerant = (
        verified([page], stages=stages, tau=tau, doubts=doubts)[0][0]
        for stages, tau in (("2", 1.0), ("both", 1.0), ("both", 0.75))
    )
    assert steps(alone) > steps(exact) > steps(tolerant)
    assert texts(alone) == texts(exact) == list(RIGHT)
    assert texts(tolerant) == seen
    assert tolerant.evidence.stage_2.tokens["tolerated"] == 2


def test_a_perfect_draft_of_a_page_takes_no_more_steps_than_trees_of_its_length():
    (outcome,), _ = verified([scene(drafted=RIGHT)], stages="2")
    assert steps(outcome) == math.ceil(outcome.evidence.stage_2.tokens["written"] / Speculation().widest)


def test_accepted_tolerated_and_own_tokens_add_up_to_the_answer():
    (outcome,), _ = verified([scene()], stages="both", tau=0.75)
    for stage in ("stage_1", "stage_2"):
        tokens = getattr(outcome.evidence, stage).tokens
        assert tokens["written"] == tokens["accepted"] + tokens["tolerated"] + tokens["own"] > 0


def test_crops_of_several_pages_are_read_together():
    """Rows of Stage 1 come from the next pages too: three pages of one region each take one pass of three rows."""
    pages = [Scene(n, [region(0, ONE)], ONE, [ONE]) for n in (1, 2, 3)]
    _, target = verified(pages, stages="both")
    assert target.decoder.passes[0][0] == 3


def test_pages_read_together_keep_their_own_text():
    pages = [scene(1), Scene(2, [region(0, misread(TWO))], TWO, [TWO]), scene(3)]
    outcomes, _ = verified(pages, stages="both")
    assert [texts(outcome) for outcome in outcomes] == [list(RIGHT), [TWO], list(RIGHT)]


def test_a_page_says_which_stage_verified_it():
    outcomes = [verified([scene()], stages=stages)[0][0] for stages in ("1", "2", "both")]
    assert [outcome.verified for outcome in outcomes] == ["region", "page", "page"]
    assert [outcome.evidence.stage_1 is not None for outcome in outcomes] == [True, False, True]
    assert texts(outcomes[0]) == list(RIGHT)


def test_a_page_without_drafts_is_written_by_the_target_alone():
    (outcome,), _ = verified([Scene(1, [region(0, "", Category.FIGURE)], ONE)])
    assert ONE in texts(outcome)
    assert outcome.evidence.stage_2.tokens["accepted"] == 0


# ------------------------------------------------------------------------------------ when a target misbehaves


def test_a_looping_target_is_stopped_and_its_loop_written_once():
    loop = "again and again the same words. "
    (outcome,), _ = verified([scene(page=ONE + "\n\n" + loop * 90)], stages="2")
    assert (outcome.status, outcome.error.code) == ("partial", "repetition")
    assert texts(outcome)[0] == ONE
    assert sum(text.count("again and again") for text in texts(outcome)) <= 2
    assert {misread(TWO), misread(THREE)} <= set(texts(outcome))


def test_an_answer_that_is_cut_off_goes_on_with_the_drafts():
    (outcome,), _ = verified([scene()], stages="2", max_new_tokens=40)
    assert (outcome.status, outcome.error.code) == ("partial", "truncated")
    assert texts(outcome)[0] == ONE
    assert texts(outcome)[-1] == misread(THREE)
    assert outcome.blocks[-1].sources == ("embedded",)


def test_an_answer_may_be_as_long_as_its_makers_let_it_unless_the_user_says_how_long():
    class Brief(FakeDocumentTarget):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            self.longest = 40

    outcomes = [verified([scene()], stages="2", kind=Brief, max_new_tokens=each)[0][0] for each in (None, 400)]
    assert [outcome.error and outcome.error.code for outcome in outcomes] == ["truncated", None]


def test_a_target_that_stops_early_leaves_omissions():
    """It ended the answer itself, so the answer is complete; its omissions are reported."""
    (outcome,), _ = verified([scene(drafted=RIGHT, page=whole(RIGHT[:2]))], stages="2")
    assert texts(outcome) == list(RIGHT[:2])
    assert outcome.status == "ok"
    assert "models agree on the trend" in " ".join(each.text for each in outcome.evidence.omissions)
    assert outcome.agreed < 0.75


def test_garbage_instead_of_json_leaves_the_drafts():
    (outcome,), _ = verified([scene(page="I am sorry, but I cannot read this.")], dialect=DotsOcrDialect(), stages="2")
    assert (outcome.status, outcome.error.code, outcome.verified) == ("partial", "truncated", "none")
    assert texts(outcome) == [misread(text) for text in RIGHT]
    assert outcome.evidence.lost == "I am sorry, but I cannot read this."


@pytest.mark.parametrize("answer", ["", " \n\n"])
def test_an_empty_answer_for_a_page_with_text_leaves_the_drafts(answer):
    """It was ok, and exit code 0."""
    (outcome,), _ = verified([scene(page=answer)], stages="2")
    assert (outcome.status, outcome.error.code, outcome.verified) == ("partial", "truncated", "none")
    assert texts(outcome) == [misread(text) for text in RIGHT]


def test_json_that_breaks_off_keeps_its_whole_elements():
    element = f'{{"bbox": [11, 4, 190, 36], "category": "Text", "text": "{ONE}"}}'
    broken = f'[{element}, {{"bbox": [11, 44, 190, 76], "category": "Text", "text": "Rivers that'
    (outcome,), _ = verified([scene(page=broken)], dialect=DotsOcrDialect(), stages="2")
    assert (outcome.status, outcome.verified) == ("partial", "page")
    assert texts(outcome) == [ONE, misread(TWO), misread(THREE)]


def test_a_deadline_keeps_what_is_written_and_the_drafts_of_the_rest():
    """The clock ticks whenever it is read, which decoding does at every step."""
    (outcome,), _ = verified([scene()], stages="2", page_timeout=12, clock=count().__next__)
    assert (outcome.status, outcome.error.code, outcome.verified) == ("partial", "timeout", "page")
    assert texts(outcome)[0] == ONE
    begun, rest = texts(outcome)[1:3]
    assert TWO.startswith(begun)
    assert f"{begun} {rest}".split()[-5:] == misread(TWO).split()[-5:]
    # the word at the cut may stand there twice: as the target wrote it, and as it was misread
    assert len(f"{begun} {rest}".split()) - len(TWO.split()) in (0, 1)
    assert texts(outcome)[3:] == [misread(THREE)]
    assert [block.sources for block in outcome.blocks[2:]] == [("embedded",), ("embedded",)]


def test_a_table_that_breaks_off_is_its_draft():
    """Half a table looks like a whole one."""
    rows = [[f"item {n}", str(n * 17)] for n in range(12)]
    table = "<table>" + "".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in rows) + "</table>"
    page = Scene(1, [region(0, ONE), region(1, table, Category.TABLE)], whole([ONE, table]))
    (outcome,), _ = verified([page], stages="2", max_new_tokens=120)
    assert (outcome.status, texts(outcome)) == ("partial", [ONE, table])


def test_a_deadline_that_has_passed_leaves_the_drafts():
    (outcome,), _ = verified([scene()], stages="2", page_timeout=0.001, clock=count().__next__)
    assert (outcome.status, outcome.error.code) == ("partial", "timeout")
    assert texts(outcome) == [misread(text) for text in RIGHT]


def test_stage_1_out_of_time_leaves_the_page_what_it_has_read():
    """Each stage has a deadline of its own: the page is still completed."""
    (outcome,), _ = verified([scene()], stages="both", page_timeout=30, clock=SlowAtFirst(4).tell)
    assert "deadline" in outcome.evidence.stage_1.finish
    assert (outcome.status, texts(outcome)) == ("ok", list(RIGHT))


class SlowAtFirst:
    """A clock that advances by a minute at each of its first readings, and later not at all."""

    def __init__(self, looks: int) -> None:
        self._left, self._now = looks, 0.0

    def tell(self) -> float:
        if self._left:
            self._left -= 1
            self._now += 60
        return self._now


def test_a_region_that_runs_away_is_left_to_the_page():
    """A crop's answer far past its draft ends there; Stage 2 has the raw draft and reads the page as it stands."""
    babble = " ".join(f"word{n}" for n in range(400))
    (outcome,), _ = verified([scene(crops=(ONE, babble, THREE))], stages="both")
    assert outcome.evidence.stage_1.finish == {"eos": 2, "length": 1}
    assert (outcome.status, texts(outcome)) == ("ok", list(RIGHT))


def test_in_stage_1_alone_a_region_that_runs_away_keeps_its_draft():
    babble = " ".join(f"word{n}" for n in range(400))
    (outcome,), _ = verified([scene(crops=(ONE, babble, THREE))], stages="1")
    assert (outcome.status, outcome.error.code) == ("partial", "truncated")
    assert texts(outcome) == [ONE, misread(TWO), THREE]


class OutOfMemoryError(RuntimeError):
    """Named like a device's own error."""


@pytest.mark.parametrize("error", [MemoryError(), OutOfMemoryError("CUDA out of memory")])
def test_memory_that_runs_out_in_stage_1_leaves_stage_2(error):
    (outcome,), _ = verified([scene(crops=(ONE, error, THREE))], stages="both")
    assert (outcome.status, outcome.verified, texts(outcome)) == ("ok", "page", list(RIGHT))


def test_memory_that_runs_out_in_stage_2_leaves_what_stage_1_read():
    (outcome,), _ = verified([scene(page=OutOfMemoryError())], stages="both")
    assert (outcome.status, outcome.verified, outcome.error.code) == ("partial", "region", "out_of_memory")
    assert texts(outcome) == list(RIGHT)


def test_memory_that_runs_out_costs_its_page_alone():
    outcomes, _ = verified([scene(1), scene(2, page=MemoryError()), scene(3)], stages="2")
    assert [outcome.status for outcome in outcomes] == ["ok", "partial", "ok"]
    assert (outcomes[1].verified, outcomes[1].error.code) == ("none", "out_of_memory")
    assert texts(outcomes[1]) == [misread(text) for text in RIGHT]


@pytest.mark.parametrize("stages", ["2", "both"])
def test_memory_that_runs_out_within_a_pass_leaves_the_target_usable(stages):
    """The broken row's slot is freed: otherwise a target with one slot could not read the next page."""

    class Hungry(FakeDocumentTarget):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            verify, passes = self.decoder.verify, count()

            def once(trees, *, tolerant=False):
                if next(passes) == 2:
                    raise OutOfMemoryError("CUDA out of memory")
                return verify(trees, tolerant=tolerant)

            self.decoder.verify = once

    outcomes, _ = verified([scene(1), scene(2)], stages=stages, kind=Hungry, slots=1)
    assert [o.status for o in outcomes] == (["partial", "ok"] if stages == "2" else ["ok", "ok"])
    assert texts(outcomes[1]) == list(RIGHT)


def test_a_page_too_long_for_the_model_says_so_and_keeps_its_drafts():
    too_long = PageError("out_of_memory", "a row needs 2000 positions, the model takes 1024")
    (outcome, other), _ = verified([scene(1, page=too_long), scene(2)], stages="2")
    assert (outcome.status, outcome.error.code, other.status) == ("partial", "out_of_memory", "ok")
    assert "2000 positions" in outcome.error.message
    assert texts(outcome) == [misread(text) for text in RIGHT]


def test_another_error_costs_its_page_and_is_not_hidden(caplog):
    caplog.set_level("DEBUG", logger="docparse_fast")
    error = RuntimeError("shapes do not match\nand advice")
    outcomes, _ = verified([scene(1), scene(2, page=error), scene(3)], stages="2")
    assert [outcome.status for outcome in outcomes] == ["ok", "partial", "ok"]
    broken = outcomes[1]
    assert (broken.verified, texts(broken)) == ("none", [misread(text) for text in RIGHT])
    assert broken.error.code == "worker_crashed"
    assert "RuntimeError: shapes do not match)" in broken.error.message
    assert any(record.exc_info and record.exc_info[1] is error for record in caplog.records)


@pytest.mark.parametrize(("stages", "seen"), [("both", ["page", "page", "page"]), ("1", ["region", "none", "region"])])
def test_an_error_at_a_crop_marks_its_page_and_leaves_the_other_pages_their_crops(stages, seen):
    scenes = [scene(1), scene(2, crops=(ONE, RuntimeError("no kernel for this crop"), THREE)), scene(3)]
    outcomes, _ = verified(scenes, stages=stages)
    assert [outcome.status for outcome in outcomes] == ["ok", "partial", "ok"]
    assert [outcome.verified for outcome in outcomes] == seen
    assert "no kernel for this crop" in outcomes[1].error.message
    assert outcomes[0].evidence.stage_1.rows == outcomes[2].evidence.stage_1.rows == 3


@pytest.mark.parametrize("stages", ["1", "both"])
def test_a_crop_that_the_processor_refuses_is_not_read_and_the_others_are(stages):
    """dots.ocr takes no image more than 200 times as long as it is wide."""
    page = scene(crops=(ONE, ValueError("an image of 4600 x 22 is too long"), THREE))
    (outcome,), _ = verified([page], stages=stages)
    assert (outcome.status, outcome.error) == ("ok", None)
    assert outcome.evidence.stage_1.finish == {"eos": 2}
    assert texts(outcome) == ([ONE, misread(TWO), THREE] if stages == "1" else list(RIGHT))


def test_words_that_are_no_table_do_not_replace_one():
    """A target may answer "Extract the text content" with the cells' words alone."""
    table = "<table><tr><td>Item</td><td>17</td></tr></table>"
    page = Scene(1, [region(0, ONE), region(1, table, Category.TABLE)], "", [ONE, "Item 17"])
    (outcome,), _ = verified([page], stages="1")
    assert texts(outcome) == [ONE, table]
    read = table.replace("17", "71")
    page = Scene(1, [region(0, ONE), region(1, table, Category.TABLE)], "", [ONE, read])
    (outcome,), _ = verified([page], stages="1")
    assert texts(outcome) == [ONE, read]


def test_memory_that_runs_out_in_stage_1_alone_is_reported():
    (outcome,), _ = verified([scene(crops=(ONE, MemoryError(), THREE))], stages="1")
    assert (outcome.status, outcome.error.code, outcome.verified) == ("partial", "out_of_memory", "none")


def test_an_error_of_the_check_leaves_the_answer():
    class Unchecked(FakeDocumentTarget):
        def generate(self, view, max_tokens):
            raise RuntimeError("generate() has no cache")

    (outcome,), _ = verified([scene()], stages="2", check_exact=True, kind=Unchecked)
    assert (outcome.status, outcome.verified, outcome.exact) == ("partial", "page", None)
    assert (texts(outcome), outcome.error.code) == (list(RIGHT), "worker_crashed")


def test_an_error_that_concerns_every_page_is_raised():
    with pytest.raises(ModelError):
        verified([scene(page=ModelError("model_missing", "the weights are gone"))], stages="2")


class AcceleratorError(RuntimeError):
    """Named like a device's own error since torch 2.8."""


LOST = [
    AcceleratorError("CUDA error: device-side assert triggered"),
    RuntimeError("CUDA error: an illegal memory access was encountered\nCompile with TORCH_USE_CUDA_DSA"),
]


@pytest.mark.parametrize("stages", ["2", "both"])
@pytest.mark.parametrize("error", LOST, ids=["by name", "by message"])
def test_a_lost_device_gets_no_more_pages(error, stages):
    scenes = [scene(1), scene(2, page=error), *(scene(n) for n in range(3, 8))]
    outcomes, target = verified(scenes, stages=stages)
    assert [outcome.verified for outcome in outcomes][:1] == ["page"]
    assert {outcome.status for outcome in outcomes[1:]} == {"partial"}
    assert all(texts(outcome) == [misread(text) for text in RIGHT] for outcome in outcomes[2:])
    assert len({outcome.error for outcome in outcomes[2:]}) == 1
    assert [look.category for look in target.looks if look.category is None] == [None]


def test_a_device_lost_in_stage_1_leaves_drafts():
    scenes = [scene(n, crops=(ONE, LOST[0], THREE) if n == 2 else RIGHT) for n in (1, 2, 3)]
    outcomes, _ = verified(scenes, stages="both")
    assert [(outcome.status, outcome.verified) for outcome in outcomes] == [("partial", "none")] * 3


def test_a_device_without_memory_is_not_lost():
    error = AcceleratorError("CUDA error: out of memory")
    outcomes, _ = verified([scene(1, page=error), scene(2)], stages="2")
    assert [outcome.status for outcome in outcomes] == ["partial", "ok"]
    assert outcomes[0].error.code == "out_of_memory"
