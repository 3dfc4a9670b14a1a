"""Makes drafts worse by any level: worse images for the drafter, misread letters, shifted boxes.

The same seed spoils a page in the same way every time, and a higher level spoils everything that a lower one does and
more, so that draft quality depends on the level only. Level 0 changes nothing. Runs no drafter.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from PIL import Image, ImageFilter

from docparse_fast.document import Box, PageDraft
from docparse_fast.errors import UsageError

SpoilImage = Callable[[Image.Image, float, int], Image.Image]  # an image, a level, a seed
SpoilDraft = Callable[[PageDraft, float, int], PageDraft]

MOST_JITTER = 0.45  # share of a box's side; at half of it two edges could meet
MARKUP = re.compile(r"<[^<>]*>|&#?\w+;|\s")  # never misread


# ------------------------------------------------------------------------------------- the drafter's image


def blurred(image: Image.Image, level: float, seed: int = 0) -> Image.Image:
    """`level`: the blur's radius in thousandths of the image's longer side."""
    radius = level * max(image.size) / 1000
    return image.filter(ImageFilter.GaussianBlur(radius)) if radius else image


def noisy(image: Image.Image, level: float, seed: int = 0) -> Image.Image:
    """`level`: the standard deviation of the grain, in grey levels of 255."""
    if not level:
        return image
    pixels = np.asarray(image.convert("RGB"), dtype=np.float32)
    grain = np.random.default_rng([seed, *image.size]).standard_normal(pixels.shape[:2], dtype=np.float32)
    spoilt = np.clip(pixels + level * grain[:, :, None], 0, 255)
    return Image.fromarray(spoilt.round().astype(np.uint8))


def jpeg_coded(image: Image.Image, level: float, seed: int = 0) -> Image.Image:
    """`level`: 100 minus JPEG's quality."""
    if not level:
        return image
    file = io.BytesIO()
    image.convert("RGB").save(file, "JPEG", quality=max(1, round(100 - level)))
    with Image.open(file) as coded:
        return coded.convert("RGB")


def downscaled(image: Image.Image, level: float, seed: int = 0) -> Image.Image:
    """`level`: the lost part of each side's resolution. The size stays, so that boxes still fit."""
    if not level:
        return image
    if not 0 < level < 1:
        raise UsageError(f"an image can't lose {level:g} of its resolution", remedy="give a level from 0 to below 1")
    width, height = (max(1, round(side * (1 - level))) for side in image.size)
    small = image.resize((width, height), Image.Resampling.BOX)
    return small.resize(image.size, Image.Resampling.BICUBIC)


IMAGE_SPOILERS: Mapping[str, SpoilImage] = {
    "blur": blurred,
    "noise": noisy,
    "jpeg": jpeg_coded,
    "downscaling": downscaled,
}


# -------------------------------------------------------------------------------------- the draft itself


def misread(draft: PageDraft, level: float, seed: int = 0) -> PageDraft:
    """`level`: the share of letters that are replaced by another of the page, dropped or doubled; never markup."""
    letters = sorted({letter for text in _texts(draft) for letter in MARKUP.sub("", text)})
    regions = (
        replace(
            region,
            drafts=tuple(
                replace(reading, text=_misread(reading.text, letters, level, _generator(seed, draft, at, n)))
                for n, reading in enumerate(region.drafts)
            ),
        )
        for at, region in enumerate(draft.regions)
    )
    return replace(draft, regions=tuple(regions))


def jittered(draft: PageDraft, level: float, seed: int = 0) -> PageDraft:
    """`level`: the most that an edge moves, as a share of the box's side."""
    if not 0 <= level <= MOST_JITTER:
        raise UsageError(f"boxes can't be jittered by {level:g} of their sides", remedy=f"0 to {MOST_JITTER:g}")
    if not level:
        return draft
    regions = (
        replace(region, box=_jittered(region.box, draft, level, _generator(seed, draft, at)))
        for at, region in enumerate(draft.regions)
    )
    return replace(draft, regions=tuple(regions))


DRAFT_SPOILERS: Mapping[str, SpoilDraft] = {"misreading": misread, "box jitter": jittered}


def _texts(draft: PageDraft) -> list[str]:
    return [reading.text for region in draft.regions for reading in region.drafts]


def _generator(seed: int, draft: PageDraft, *place: int) -> np.random.Generator:
    return np.random.default_rng([seed, draft.number, zlib.crc32(repr(draft.regions[place[0]].box).encode()), *place])


def _misread(text: str, letters: list[str], level: float, generator: np.random.Generator) -> str:
    """Draws for each letter independently of the level, so that a higher level repeats a lower level's errors."""
    luck = generator.random((len(text), 3))
    within = {at for found in MARKUP.finditer(text) for at in range(*found.span())}
    written = []
    for at, letter in enumerate(text):
        hit, kind, which = luck[at]
        if at in within or hit >= level:
            written.append(letter)
        elif kind < 2 / 3:  # OCR mistakes one letter for another more often than it loses or doubles one
            others = [other for other in letters if other != letter] or [letter]
            written.append(others[int(which * len(others))])
        elif kind < 5 / 6:
            written.append(letter * 2)
    return "".join(written)


def _jittered(box: Box, draft: PageDraft, level: float, generator: np.random.Generator) -> Box:
    left, top, right, bottom = level * generator.uniform(-1, 1, 4)
    moved = Box(
        box.x0 + left * box.width, box.y0 + top * box.height, box.x1 + right * box.width, box.y1 + bottom * box.height
    )
    return moved.clipped(draft.width, draft.height)
