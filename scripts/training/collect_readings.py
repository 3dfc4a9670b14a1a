"""Renders text that is known, spoils it as copiers, faxes and cameras do, reads it, and stores what was read.

    python scripts/training/collect_readings.py TEXTS FONTS... -o readings.jsonl --pages 150

TEXTS holds a file a language (`de.txt`), a paragraph a line. FONTS are folders of fonts. Languages, families of fonts
and ways of spoiling are parted in two before anything is read: one half calibrates (`fit_confidence.py`), the other is
held out. Each page is one line of JSON: the lines that stand on it, and the lines that were read.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from docparse_fast.drafting.scans.ocr import Ocr  # noqa: E402
from docparse_fast.drafting.scans.quads import crop  # noqa: E402
from docparse_fast.drafting.scans.quoted_words import unread_ink  # noqa: E402

Picture = NDArray[np.uint8]
LANGUAGES = {
    "calibration": ["en", "de", "fr", "pl", "pt", "zh", "ru", "th"],
    "held-out": ["es", "it", "nl", "cs", "sv", "da", "fi", "ro", "he", "el", "hi"],
}
FAMILIES = {
    "calibration": ["DejaVu", "NotoSans-", "NotoSerif-", "Liberation", "NotoSansCJK"],
    "held-out": [
        "EBGaramond",
        "LinLibertine",
        "Carlito",
        "Caladea",
        "lmroman10-regular",
        "lmsans10-regular",
        "Roboto-Regular",
    ],
}
FOREIGN = {  # family of fonts for letters that the families above may lack
    "th": "NotoSansThai-",
    "he": "DavidCLM-Medium",
    "hi": "NotoSansDevanagari-",
    "zh": "NotoSansCJK",
    "el": "DejaVuSerif",
}
RARE = 0.4
RARELY = frozenset(["ru", "th", "he", "el", "hi"])  # the recogniser's alphabet lacks them
PARTS = ("calibration", "held-out")
WIDTH, HEIGHT, MARGIN = 1654, 480, 110
SIZES = (21, 38)  # pixels at 200 dots an inch


def faint(page: Picture, much: float, _: np.random.Generator) -> Picture:
    return np.asarray(255 - (255 - page.astype(np.float32)) * (0.9 - 0.86 * much), np.uint8)


def blurred(page: Picture, much: float, _: np.random.Generator) -> Picture:
    return np.asarray(cv2.GaussianBlur(page, (0, 0), 0.4 + 5.5 * much))


def noisy(page: Picture, much: float, chance: np.random.Generator) -> Picture:
    noise = chance.normal(0, 10 + 170 * much, page.shape)
    return _jpeg(np.clip(page + noise, 0, 255).astype(np.uint8), 70 - 55 * much)


def coarse(page: Picture, much: float, _: np.random.Generator) -> Picture:
    small = cv2.resize(page, None, fx=1 - 0.8 * much, fy=1 - 0.8 * much, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, page.shape[1::-1], interpolation=cv2.INTER_LINEAR))


def faxed(page: Picture, much: float, chance: np.random.Generator) -> Picture:
    small = cv2.resize(page, None, fx=1 - 0.5 * much, fy=1 - 0.5 * much, interpolation=cv2.INTER_AREA)
    small = small + chance.normal(0, 10 + 40 * much, small.shape)
    ink = np.where(small < 150 + 60 * (chance.random() - 0.5), 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(ink, page.shape[1::-1], interpolation=cv2.INTER_NEAREST))


def bled_through(page: Picture, much: float, _: np.random.Generator) -> Picture:
    back = cv2.GaussianBlur(page[:, ::-1], (0, 0), 2.0).astype(np.float32)
    behind = 255 - (255 - np.roll(back, 17, axis=0)) * (0.2 + 0.6 * much)
    return np.asarray(np.minimum(page, behind), np.uint8)


def copied(page: Picture, much: float, chance: np.random.Generator) -> Picture:
    work = cv2.erode(page, np.ones((2, 2), np.uint8), iterations=1 + round(much))
    specks = chance.random(page.shape)
    work = np.where(specks < 0.02 * much, 0, np.where(specks > 1 - 0.12 * much, 255, work)).astype(np.uint8)
    return np.asarray(cv2.GaussianBlur(work, (0, 0), 0.7 + much))


def shadowed(page: Picture, much: float, chance: np.random.Generator) -> Picture:
    across = np.linspace(1, 1 - 0.8 * much, page.shape[1])[None, :]
    moved = cv2.filter2D(page, -1, np.eye(1 + 2 * round(1 + 4 * much)) / (1 + 2 * round(1 + 4 * much)))
    return _jpeg(np.clip(moved * across + chance.normal(0, 6, page.shape), 0, 255).astype(np.uint8), 40)


def clean(page: Picture, much: float, chance: np.random.Generator) -> Picture:
    return page


Spoil = Callable[[Picture, float, np.random.Generator], Picture]
SPOILING: dict[str, list[Spoil]] = {
    "calibration": [clean, faint, blurred, noisy, coarse],
    "held-out": [faxed, bled_through, copied, shadowed],
}


def _jpeg(page: Picture, quality: float) -> Picture:
    stream = io.BytesIO()
    Image.fromarray(page).save(stream, "JPEG", quality=round(quality))
    return np.asarray(Image.open(stream))


def drawn(words: Sequence[str], font: ImageFont.FreeTypeFont, blank: str) -> tuple[Picture, list[dict[str, Any]]]:
    """A page of these words, and its lines: where each stands and what it says."""
    page = Image.new("L", (WIDTH, HEIGHT), 255)
    pen = ImageDraw.Draw(page)
    lines: list[dict[str, Any]] = []
    left, top, step = MARGIN, MARGIN // 2, round(1.45 * font.size)
    rest = list(words)
    while rest and top + step < HEIGHT - MARGIN // 2:
        line = rest.pop(0)
        while rest and pen.textlength(f"{line}{blank}{rest[0]}", font=font) < WIDTH - 2 * MARGIN:
            line += f"{blank}{rest.pop(0)}"
        pen.text((left, top), line, fill=0, font=font)
        lines.append({"text": line, "y": top + step / 2, "step": step})
        top += step
    return np.asarray(page), lines


def read(page: Picture, ocr: Ocr) -> list[dict[str, Any]]:
    image = np.ascontiguousarray(np.repeat(page[:, :, None], 3, axis=2))
    found = []
    for quad in ocr.detector.find(image):
        cut = crop(image, quad)
        [reading] = ocr.recognizer.read([cut])
        found.append(
            {
                "place": [round(value, 1) for value in (quad.x, quad.y, quad.width, quad.height)],
                "letters": [letter for letter, _ in reading.marks],
                "sureness": [round(value, 4) for value in reading.sureness],
                "unread": unread_ink(cut, [at for letter, at in reading.marks if letter.strip()]),
            }
        )
    return found


def font_files(folders: Sequence[Path]) -> list[Path]:
    return sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in (".ttf", ".otf", ".ttc"))


def chosen_font(part: str, language: str, files: Sequence[Path], chance: random.Random) -> Path:
    families = [FOREIGN[language]] if language in FOREIGN else FAMILIES[part]
    fitting = [path for path in files if path.name.startswith(chance.choice(families))]
    plain = [path for path in fitting if "Italic" not in path.name and "Oblique" not in path.name]
    return chance.choice(plain or [path for path in files if path.name.startswith(tuple(families))])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path)
    parser.add_argument("fonts", type=Path, nargs="+")
    parser.add_argument("-o", type=Path, required=True)
    parser.add_argument("--pages", type=int, default=150, help="of each part")
    parser.add_argument("--first", type=int, default=0, help="number of the first page")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    asked = parser.parse_args()
    files, ocr = font_files(asked.fonts), Ocr()
    with asked.o.open("w", encoding="utf-8") as out:
        for number in range(2 * asked.first, 2 * (asked.first + asked.pages)):
            part = PARTS[number % 2]
            if part not in asked.parts:
                continue
            chance = random.Random(f"{part}{number}")
            names = [name for name in LANGUAGES[part] if name not in RARELY or chance.random() < RARE]
            language, spoil, much = chance.choice(names), chance.choice(SPOILING[part]), chance.random()
            text = (asked.texts / f"{language}.txt").read_text("utf-8").splitlines()
            words = " ".join(chance.sample(text, min(12, len(text)))).split()
            if language == "zh":
                words = [letter for word in words for letter in word]
            path = chosen_font(part, language, files, chance)
            font = ImageFont.truetype(path, chance.randint(*SIZES))
            page, lines = drawn(words, font, "" if language == "zh" else " ")
            spoilt = spoil(page, much, np.random.default_rng(number))
            record = {"part": part, "language": language, "font": path.stem, "spoilt": spoil.__name__}
            record |= {"much": round(much, 3), "lines": lines, "read": read(spoilt, ocr)}
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
