"""Where a line of text stands on an image: a slanted rectangle, and what is cut out by it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.measures import DOWNWARDS

LEVEL = 0.5  # degrees: what leans less is cut out as it stands


@dataclass(frozen=True, slots=True)
class Quad:
    """A slanted rectangle: centre, width along the text, height across it, angle in degrees (clockwise positive)."""

    x: float
    y: float
    width: float
    height: float
    angle: float

    @property
    def box(self) -> Box:
        cos, sin = abs(math.cos(math.radians(self.angle))), abs(math.sin(math.radians(self.angle)))
        half_width = (self.width * cos + self.height * sin) / 2
        half_height = (self.width * sin + self.height * cos) / 2
        return Box(self.x - half_width, self.y - half_height, self.x + half_width, self.y + half_height)

    def between(self, top: float, bottom: float) -> Quad:
        """Its part from `top` to `bottom`, measured from its upper side."""
        down = (top + bottom - self.height) / 2
        slope = math.radians(self.angle)
        x, y = self.x - down * math.sin(slope), self.y + down * math.cos(slope)
        return replace(self, x=x, y=y, height=bottom - top)


def crop(image: Pixels, quad: Quad) -> Pixels:
    """The line cut out and set level; a column of upright characters is laid on its side as the recogniser wants it."""
    level = level_crop(image, quad)
    return np.rot90(level) if quad.height > DOWNWARDS * quad.width else level


def level_crop(image: Pixels, quad: Quad) -> Pixels:
    if abs(quad.angle) < LEVEL:
        box = quad.box
        x0, y0 = max(0, math.floor(box.x0)), max(0, math.floor(box.y0))
        return image[y0 : max(y0 + 1, math.ceil(box.y1)), x0 : max(x0 + 1, math.ceil(box.x1))]
    turn = cv2.getRotationMatrix2D((quad.x, quad.y), quad.angle, 1.0)
    turn[:, 2] += quad.width / 2 - quad.x, quad.height / 2 - quad.y
    size = (max(1, math.ceil(quad.width)), max(1, math.ceil(quad.height)))
    level = cv2.warpAffine(image, turn, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(level, np.uint8)
