from __future__ import annotations

from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from docparse_fast.bench.spoiling import (
    DRAFT_SPOILERS,
    IMAGE_SPOILERS,
    MARKUP,
    MOST_JITTER,
    SpoilDraft,
    SpoilImage,
    downscaled,
    jittered,
    misread,
)
from docparse_fast.document import Box, Category, Draft, PageDraft, Region
from docparse_fast.errors import UsageError

SAMPLES = Path(__file__).parents[2] / "samples" / "nano"
PROSE = "Landings fell for the second year; the decline is steepest in the south, 41 boats of 97. " * 4
TABLE = "<table><tr><td colspan=2>Port &amp; pier</td></tr><tr><td>41.2</td><td>58.7</td></tr></table>"
DRAFT = PageDraft(
    3,
    400,
    500,
    (
        Region(Box(20, 30, 380, 90), Category.TEXT, (Draft(PROSE, "embedded"), Draft(PROSE.upper(), "text-layer"))),
        Region(Box(20, 120, 380, 240), Category.TABLE, (Draft(TABLE, "embedded"),)),
        Region(Box(100, 300, 300, 320), Category.FIGURE),
    ),
)
LEVELS = {"blur": (0.5, 1, 2), "noise": (5, 20, 60), "jpeg": (50, 80, 97), "downscaling": (0.2, 0.5, 0.8)}
image_spoilers = pytest.mark.parametrize("name, spoil", IMAGE_SPOILERS.items())
draft_spoilers = pytest.mark.parametrize("spoil", DRAFT_SPOILERS.values(), ids=DRAFT_SPOILERS)


@pytest.fixture(scope="module")
def page() -> Image.Image:
    return Image.open(SAMPLES / "page-01.png").convert("RGB")


def pixels(image: Image.Image) -> np.ndarray:
    return np.asarray(image, dtype=float)


def kept(one: str, other: str) -> set[int]:
    """The places where two texts agree."""
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return {place for block in blocks for place in range(block.a, block.a + block.size)}


@image_spoilers
def test_an_image_at_level_0_is_untouched(page: Image.Image, name: str, spoil: SpoilImage) -> None:
    assert spoil(page, 0, 1) is page


@image_spoilers
def test_an_image_gets_worse_with_the_level(page: Image.Image, name: str, spoil: SpoilImage) -> None:
    harm = [np.abs(pixels(spoil(page, level, 1)) - pixels(page)).mean() for level in LEVELS[name]]
    assert 0 < harm[0] < harm[1] < harm[2]


@image_spoilers
def test_an_image_is_spoilt_the_same_way_every_time(page: Image.Image, name: str, spoil: SpoilImage) -> None:
    once, again = (spoil(page, LEVELS[name][1], 7) for _ in range(2))
    assert (pixels(once) == pixels(again)).all()


def test_another_seed_grains_an_image_otherwise(page: Image.Image) -> None:
    one, other = (pixels(IMAGE_SPOILERS["noise"](page, 20, seed)) for seed in (1, 2))
    assert (one != other).any()


@image_spoilers
def test_a_spoilt_image_keeps_its_size_so_that_boxes_mean_the_same(
    page: Image.Image, name: str, spoil: SpoilImage
) -> None:
    assert spoil(page, LEVELS[name][2], 1).size == page.size


def test_an_image_cannot_lose_all_its_resolution(page: Image.Image) -> None:
    with pytest.raises(UsageError, match="can't lose 1 of its resolution"):
        downscaled(page, 1.0)


@draft_spoilers
def test_a_draft_at_level_0_is_untouched(spoil: SpoilDraft) -> None:
    assert spoil(DRAFT, 0, 1) == DRAFT


@draft_spoilers
def test_a_draft_is_spoilt_the_same_way_every_time(spoil: SpoilDraft) -> None:
    assert spoil(DRAFT, 0.1, 7) == spoil(DRAFT, 0.1, 7) != spoil(DRAFT, 0.1, 8)


def test_what_is_misread_at_one_level_is_misread_at_the_next() -> None:
    """A higher level leaves fewer letters unchanged, and only letters that a lower level leaves unchanged too."""
    text = "".join(chr(0x4E00 + place) for place in range(2000))  # each its own, so that it is told who is missing
    draft = PageDraft(1, 100, 100, (Region(Box(0, 0, 90, 90), Category.TEXT, (Draft(text, "x"),)),))
    left_alone = [kept(text, misread(draft, level, 1).regions[0].text) for level in (0.02, 0.1, 0.3)]
    assert left_alone[0] > left_alone[1] > left_alone[2]  # as sets


def test_misreading_hits_the_share_it_is_told() -> None:
    text = "".join(chr(0x4E00 + place) for place in range(5000))  # each its own, so that it is told who is missing
    draft = PageDraft(1, 100, 100, (Region(Box(0, 0, 90, 90), Category.TEXT, (Draft(text, "x"),)),))
    spoilt = misread(draft, 0.1, 1).regions[0].text
    assert 0.08 < 1 - len(kept(text, spoilt)) / len(text) < 0.12


def test_misreading_leaves_markup_and_blanks_whole() -> None:
    table = misread(DRAFT, 1.0, 1).regions[1].text
    assert MARKUP.findall(table) == MARKUP.findall(TABLE)
    assert MARKUP.sub("", table) != MARKUP.sub("", TABLE)


def test_every_reading_of_a_region_is_misread_in_its_own_places() -> None:
    first, second = misread(DRAFT, 0.2, 1).regions[0].drafts
    assert first.text != PROSE and second.text != PROSE.upper()
    assert first.text.upper() != second.text


def test_letters_are_taken_for_others_of_the_same_page() -> None:
    spoilt = misread(DRAFT, 1.0, 1)
    known = set("".join(r.text for region in DRAFT.regions for r in region.drafts))
    assert set("".join(r.text for region in spoilt.regions for r in region.drafts)) <= known


def test_boxes_are_moved_further_at_a_higher_level_and_stay_boxes_on_the_page() -> None:
    boxes = [[region.box for region in jittered(DRAFT, level, 1).regions] for level in (0.05, 0.2, MOST_JITTER)]
    for at, region in enumerate(DRAFT.regions):
        shared = [region.box.iou(moved[at]) for moved in boxes]
        assert 1 > shared[0] > shared[1] > shared[2] > 0
    assert all(0 <= b.x0 < b.x1 <= 400 and 0 <= b.y0 < b.y1 <= 500 for moved in boxes for b in moved)


def test_jitter_leaves_the_words_alone() -> None:
    assert [r.drafts for r in jittered(DRAFT, 0.3, 1).regions] == [r.drafts for r in DRAFT.regions]


def test_boxes_cannot_be_jittered_inside_out() -> None:
    with pytest.raises(UsageError, match=r"by 0\.5 of their sides"):
        jittered(DRAFT, 0.5)
