"""`--carry-habits`: a page's drafts are worded as the target wrote the pages before it; no answer changes."""

from __future__ import annotations

import pytest
from scenes import Scene, region, steps, texts, verified

from docparse_fast.verification.habits import Habits, site

DRAFTED = "one two · three four; five six = seven eight + nine ten ~ eleven twelve"


def pages(count):
    """The target writes each mark between words otherwise than it is drafted."""
    answer = DRAFTED.translate(str.maketrans("·;=+~", "–,:&-"))
    return [Scene(n, [region(0, DRAFTED)], answer) for n in range(1, count + 1)]


@pytest.mark.parametrize(("together", "first"), [(False, 1), (True, 4)])
def test_a_page_begins_as_the_pages_before_it_were_written(together, first):
    """Those read side by side begin alike."""
    forgotten, _ = verified(pages(first + 1), stages="2", pages_together=together)
    carried, _ = verified(pages(first + 1), stages="2", pages_together=together, carry_habits=True)
    assert [texts(page) for page in carried] == [texts(page) for page in forgotten]
    assert [steps(page) for page in carried[:first]] == [steps(page) for page in forgotten[:first]]
    assert steps(carried[first]) < steps(forgotten[first])


def test_what_another_page_showed_is_turned_over_sooner_than_what_this_one_did():
    shown, place = Habits(), site("a", "b")
    for _ in range(2):
        shown.learn(" · ", " – ", place)
    carried = shown.faded()
    assert shown.likely(" · ", place)[0].text == carried.likely(" · ", place)[0].text == " – "
    for habits in (shown, carried):
        habits.learn(" · ", " + ", place)
    assert shown.likely(" · ", place)[0].text == " – "
    assert carried.likely(" · ", place)[0].text == " + "


def test_a_page_goes_on_as_the_pages_before_it_did_where_no_draft_can_tell():
    """Each page ends in words that no draft has."""
    count = 3
    scenes = [Scene(n, [region(0, "one two")], "one two ⟪eight–nine⟫ ¶ ten «seven» ¶ six") for n in range(1, count + 1)]
    forgotten, _ = verified(scenes, stages="2")
    carried, _ = verified(scenes, stages="2", carry_habits=True)
    assert [texts(page) for page in carried] == [texts(page) for page in forgotten]
    assert steps(carried[count - 1]) < steps(forgotten[count - 1])


def test_only_the_last_answers_are_remembered():
    habits = Habits()
    for answer in "abcde":
        habits.remember(answer)
        habits = habits.faded()
    assert habits.answers == ("c", "d", "e")
