"""Prints a page and scans it again, as copiers, faxes, cameras and years do. Knows pictures alone, and one seed.

Each way takes a page drawn at 200 dots an inch and gives what came out of the machine, at the dots an inch it gives.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pymupdf
from numpy.typing import NDArray
from PIL import Image

Picture = NDArray[np.uint8]
DRAWN = 200  # dots an inch


@dataclass(frozen=True)
class Chance:
    """All that is left to chance: a few numbers, and noise."""

    few: random.Random
    noise: np.random.Generator

    @classmethod
    def of(cls, seed: str) -> Chance:
        few = random.Random(seed)
        return cls(few, np.random.default_rng(few.getrandbits(64)))


@dataclass(frozen=True)
class Scan:
    picture: Picture
    dpi: int = DRAWN


Way = Callable[[Picture, Chance], Scan]


def scanned(pdf: Path, way: str, seed: str) -> bytes:
    """The PDF as pictures that were spoilt in one way."""
    chance = Chance.of(f"{seed} {pdf.stem} {way}")
    with pymupdf.open(pdf) as document, pymupdf.open() as made:
        for page in document:
            scan = WAYS[way](_drawn(page), chance)
            height, width = scan.picture.shape[:2]
            sheet = made.new_page(width=width * 72 / scan.dpi, height=height * 72 / scan.dpi)
            sheet.insert_image(sheet.rect, stream=_stored(scan.picture, way))
        return bytes(made.tobytes(deflate=True))


def _drawn(page: pymupdf.Page) -> Picture:
    pixels = page.get_pixmap(dpi=DRAWN, colorspace=pymupdf.csGRAY)
    return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width)


def _stored(picture: Picture, way: str) -> bytes:
    stream = io.BytesIO()
    kind = "PNG" if way == "fax" else "JPEG"
    Image.fromarray(picture).save(stream, kind, quality=82)
    return stream.getvalue()


def plain(page: Picture, chance: Chance) -> Scan:
    return Scan(_noisy(cv2.GaussianBlur(page, (0, 0), 0.6), 4, chance))


def low_dpi(page: Picture, chance: Chance) -> Scan:
    return Scan(_noisy(_scaled(page, 0.5), 4, chance), DRAWN // 2)


def fax(page: Picture, chance: Chance) -> Scan:
    dots = _noisy(cv2.GaussianBlur(page, (0, 0), 0.8), 18, chance)
    return Scan(np.where(dots < chance.few.randint(130, 180), 0, 255).astype(np.uint8))


def jpeg(page: Picture, chance: Chance) -> Scan:
    stream = io.BytesIO()
    Image.fromarray(_scaled(page, 0.75)).save(stream, "JPEG", quality=chance.few.randint(8, 18))
    return Scan(np.asarray(Image.open(stream)), DRAWN * 3 // 4)


def blurred(page: Picture, chance: Chance) -> Scan:
    return Scan(_noisy(cv2.GaussianBlur(page, (0, 0), chance.few.uniform(1.6, 2.3)), 4, chance))


def bled_through(page: Picture, chance: Chance) -> Scan:
    back = cv2.GaussianBlur(np.roll(page[:, ::-1], 23, axis=0), (0, 0), 1.6).astype(np.float32)
    behind = 255 - (255 - back) * chance.few.uniform(0.15, 0.4)
    return Scan(_noisy(np.minimum(page, behind), 4, chance))


def skewed(page: Picture, chance: Chance) -> Scan:
    lean = chance.few.choice((-1, 1)) * chance.few.uniform(0.5, 3)
    height, width = page.shape
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), lean, 1.0)
    return plain(cv2.warpAffine(page, turn, (width, height), borderValue=235), chance)


def turned(page: Picture, chance: Chance) -> Scan:
    return plain(np.rot90(page, chance.few.choice((1, 2, 3))), chance)


def shadowed(page: Picture, chance: Chance) -> Scan:
    """A lamp at one side, and the dark gutter of a book at the other."""
    across = np.linspace(0, 1, page.shape[1])[None, :: chance.few.choice((-1, 1))]
    light = 1 - 0.55 * across**2 - 0.25 * np.exp(-across / 0.03)
    down = np.linspace(1, chance.few.uniform(0.7, 0.9), page.shape[0])[:, None]
    return Scan(_noisy(page * light * down, 5, chance))


def in_perspective(page: Picture, chance: Chance) -> Scan:
    """A sheet on a dark desk, seen by a camera from one side."""
    height, width = page.shape
    margin = 0.06
    corners = [(margin, margin), (1 - margin, margin), (1 - margin, 1 - margin), (margin, 1 - margin)]
    seen = [(x + chance.few.uniform(-0.05, 0.05), y + chance.few.uniform(-0.05, 0.05)) for x, y in corners]
    size = np.array([width, height], np.float32)
    there = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * size
    view = cv2.getPerspectiveTransform(there, np.array(seen, np.float32) * size)
    return shadowed(cv2.warpPerspective(page, view, (width, height), borderValue=70), chance)


def curved(page: Picture, chance: Chance) -> Scan:
    """A page of an open book: it rises to the gutter, its lines bend."""
    height, width = page.shape
    bend = chance.few.uniform(0.012, 0.03) * height
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    rise = bend * np.exp(-x / (0.35 * width)) if chance.few.random() < 0.5 else bend * np.sin(np.pi * x / width)
    bent = cv2.remap(page, x, (y - rise).astype(np.float32), cv2.INTER_LINEAR, borderValue=235)
    return shadowed(bent, chance)


def faint(page: Picture, chance: Chance) -> Scan:
    return Scan(_noisy(255 - (255 - page.astype(np.float32)) * chance.few.uniform(0.12, 0.3) - 30, 6, chance))


def speckled(page: Picture, chance: Chance) -> Scan:
    copy = _scaled(cv2.erode(page, np.ones((2, 2), np.uint8)), 1.0).copy()
    specks = cv2.GaussianBlur(chance.noise.random(page.shape, np.float32), (0, 0), 0.8)
    copy[specks < np.quantile(specks, 0.006)] = 0
    copy[specks > np.quantile(specks, 0.985)] = 255
    return Scan(copy)


def old_paper(page: Picture, chance: Chance) -> Scan:
    """Uneven brown paper with stains and folds, ink that has faded; in colour."""
    height, width = page.shape
    cloud = chance.noise.normal(0, 1, (12, 9)).astype(np.float32)
    paper = 205 + 14 * cv2.resize(cloud, (width, height), interpolation=cv2.INTER_CUBIC)
    for _ in range(3):
        paper[round(chance.few.uniform(0.05, 0.95) * height) :][:2] -= 40
    ink = (255 - cv2.GaussianBlur(page, (0, 0), 0.8).astype(np.float32)) / 255 * chance.few.uniform(0.5, 0.8)
    grey = _noisy(paper * (1 - ink), 7, chance)
    return Scan(np.stack([grey, grey * 0.9, grey * 0.72], axis=2).astype(np.uint8))


WAYS: dict[str, Way] = {
    "plain": plain,
    "100dpi": low_dpi,
    "fax": fax,
    "jpeg": jpeg,
    "blurred": blurred,
    "bled": bled_through,
    "skewed": skewed,
    "turned": turned,
    "shadow": shadowed,
    "perspective": in_perspective,
    "curved": curved,
    "faint": faint,
    "speckled": speckled,
    "old": old_paper,
}


def _noisy(page: NDArray[np.floating] | Picture, much: float, chance: Chance) -> Picture:
    return np.clip(page + chance.noise.normal(0, much, page.shape), 0, 255).astype(np.uint8)


def _scaled(page: Picture, scale: float) -> Picture:
    return np.asarray(cv2.resize(page, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
