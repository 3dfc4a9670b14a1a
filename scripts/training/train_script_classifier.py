"""Trains the classifier that says in which script a line is written: data/models/line_script.onnx.

Words are CLDR's names of languages, countries, currencies and dates (package babel); fonts are Debian's
(fonts-noto-core, fonts-noto-cjk, fonts-dejavu-core, fonts-liberation, fonts-hosny-amiri, culmus). Lines are rendered,
spoilt as a scanner does it, and cut to windows. Handwriting counts as Latin: the fonts that imitate it are Latin.

    pip install babel onnx torch pillow opencv-python-headless
    python scripts/training/train_script_classifier.py line_script.onnx --hold-out 'SerifCJK|DejaVuSerif'
"""

from __future__ import annotations

import argparse
import random
import re
import unicodedata
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np
import torch
from babel import Locale
from babel.localedata import locale_identifiers
from PIL import Image, ImageDraw, ImageFont

FONTS = Path("/usr/share/fonts")
EUROPEAN = (r"NotoSans(Mono|Display)?-", r"NotoSerif(Display)?-", r"DejaVu", r"Liberation", r"open-sans|Roboto")
HANDWRITTEN = r"breip|dancingscript|femkeklaver|fifthhorseman|rufscript|sjfonts"
SCRIPTS = {  # name: (first word of the letters' Unicode names, patterns of font files, each taken as often)
    "latin": ("LATIN", (*EUROPEAN, HANDWRITTEN, HANDWRITTEN, r"lmroman|texgyre|EBGaramond|Carlito|Caladea")),
    "han": ("CJK", (r"NotoSansCJK-", r"NotoSerifCJK-", r"uming|ukai|wqy")),
    "cyrillic": ("CYRILLIC", (*EUROPEAN, r"paratype|FreeSerif\b|FreeSans\b")),
    "greek": ("GREEK", (*EUROPEAN, r"didot|neohellenic|FreeSerif\b|FreeSans\b")),
    "hangul": ("HANGUL", (r"NotoSansCJK-", r"NotoSerifCJK-", r"UnBatang|UnGraphic|nanum|baekmuk")),
    "arabic": ("ARABIC", (r"Noto\w*(Arabic|Urdu)", r"DejaVuSans\b|[Aa]miri-", r"kacst|farsiweb")),
    "hebrew": ("HEBREW", (r"Noto\w*Hebrew", r"DejaVuSans\b|culmus/")),
    "devanagari": ("DEVANAGARI", (r"Noto\w*Devanagari", r"Gargi|Nakula|Lohit-Devanagari")),
    "thai": ("THAI", (r"Noto\w*Thai", r"tlwg/", r"arundina")),
    "bengali": ("BENGALI", (r"Noto\w*Bengali", r"Lohit-Bengali")),
    "gujarati": ("GUJARATI", (r"Noto\w*Gujarati",)),
    "gurmukhi": ("GURMUKHI", (r"Noto\w*Gurmukhi",)),
    "kannada": ("KANNADA", (r"Noto\w*Kannada",)),
    "malayalam": ("MALAYALAM", (r"Noto\w*Malayalam",)),
    "tamil": ("TAMIL", (r"Noto\w*Tamil-", r"Lohit-Tamil")),
    "telugu": ("TELUGU", (r"Noto\w*Telugu", r"Lohit-Telugu")),
    "sinhala": ("SINHALA", (r"Noto\w*Sinhala",)),
    "armenian": ("ARMENIAN", (r"Noto\w*Armenian", r"DejaVuS")),
    "georgian": ("GEORGIAN", (r"Noto\w*Georgian", r"DejaVuS")),
    "ethiopic": ("ETHIOPIC", (r"Noto\w*Ethiopic",)),
    "khmer": ("KHMER", (r"Noto\w*Khmer",)),
    "lao": ("LAO", (r"Noto\w*Lao", r"DejaVuSans\b|truetype/lao")),
    "myanmar": ("MYANMAR", (r"Noto\w*Myanmar", r"padauk")),
}
CLASSES = [*SCRIPTS, "none"]  # none: pictures, rules, smudges
KANA = ("HIRAGANA", "KATAKANA")
HEIGHT, WIDTHS = 32, (64, 128, 256)
MOST_WORDS = 4000
KEPT = 100  # batches that may be seen again


def words_by_script() -> dict[str, list[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    of = {first: name for name, (first, _) in SCRIPTS.items()} | dict.fromkeys(KANA, "han")
    for identifier in locale_identifiers():
        locale = Locale.parse(identifier)
        names = [*locale.languages.values(), *locale.territories.values(), *locale.currencies.values()]
        names += [day for kinds in locale.days.values() for days in kinds.values() for day in days.values()]
        names += [month for kinds in locale.months.values() for months in kinds.values() for month in months.values()]
        for word in " ".join(map(str, names)).split():
            letters = {unicodedata.name(c, "?").split(" ")[0].split("-")[0] for c in word if c.isalpha()}
            scripts = {of.get(first, "") for first in letters}
            if len(scripts) == 1 and "" not in scripts:
                found[scripts.pop()].add(word)
    chosen = random.Random(1)
    return {name: chosen.sample(sorted(words), min(MOST_WORDS, len(words))) for name, words in found.items()}


def fonts_by_script(folders: list[Path], held_out: str) -> dict[str, list[list[str]]]:
    files = [str(p) for folder in folders for p in folder.rglob("*") if p.suffix in (".ttf", ".ttc", ".otf")]
    kept = [name for name in sorted(files) if not held_out or not re.search(held_out, name)]
    found = {
        script: [[name for name in kept if re.search(one, name)] for one in fonts]
        for script, (_, fonts) in SCRIPTS.items()
    }
    return {script: [group for group in groups if group] for script, groups in found.items()}


class Lines:
    """Endless windows of spoilt lines, with their class."""

    def __init__(self, folders: list[Path], held_out: str, seed: int) -> None:
        self.words, self.fonts = words_by_script(), fonts_by_script(folders, held_out)
        self.random = random.Random(seed)
        self.noise = np.random.default_rng(seed)
        for name in SCRIPTS:
            print(f"{name:<12}{len(self.words[name]):>6} words {sum(map(len, self.fonts[name])):>4} fonts", flush=True)

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor]:
        width = self.random.choice(WIDTHS)
        # Latin, Cyrillic and Greek share letters and are the hardest to tell apart
        weights = [3.0 if name in ("latin", "cyrillic", "greek", "han", "none") else 1.0 for name in CLASSES]
        names = self.random.choices(CLASSES, weights, k=size)
        pixels = np.stack([self.window(name, width) for name in names])
        classes = torch.tensor([CLASSES.index(name) for name in names])
        return torch.from_numpy(pixels)[:, None].float() / 127.5 - 1.0, classes

    def window(self, name: str, width: int) -> np.ndarray:
        line = self.nothing() if name == "none" else self.line(name, width)
        return self.cut(self.spoilt(line), width)

    def text(self, name: str) -> str:
        pick = self.random
        words = pick.sample(self.words[name], pick.randint(2, 7))
        case = pick.random()
        words = [w.upper() if case < 0.1 else w.lower() if case < 0.6 else w for w in words]
        if pick.random() < 0.4:
            extra = str(pick.randint(0, 99999)) + pick.choice(["", ".", ",", "%", ")"])
            words.insert(pick.randint(0, len(words)), extra)
        if name == "latin" and pick.random() < 0.1:  # figures alone belong to no other script
            words = [f"{pick.randint(0, 9999)}{pick.choice('.,/-:')}{pick.randint(0, 999)}" for _ in range(5)]
        joint = "" if name in ("han", "thai", "lao", "khmer", "myanmar") and pick.random() < 0.8 else " "
        return joint.join(words)

    def line(self, name: str, width: int) -> np.ndarray:
        font = ImageFont.truetype(self.random.choice(self.random.choice(self.fonts[name])), self.random.randint(16, 44))
        text = self.text(name)
        left, top, right, bottom = font.getbbox(text)
        if right - left < 4 or bottom - top < 4:
            return self.line(name, width)
        while (right - left) / (bottom - top) < 1.2 * width / HEIGHT:
            text = f"{text} {self.text(name)}"
            left, top, right, bottom = font.getbbox(text)
        rise, fall = (round(self.random.uniform(-0.04, 0.35) * (bottom - top)) for _ in range(2))
        image = Image.new("L", (right - left + 8, max(8, bottom - top + rise + fall)), 255)
        ImageDraw.Draw(image).text((4 - left, rise - top), text, 0, font)
        return np.asarray(image)

    def nothing(self) -> np.ndarray:
        pick = self.random
        image = np.full((48, 480), 255, np.uint8)
        for _ in range(pick.randint(1, 14)):
            a, b = ((pick.randint(-20, 500), pick.randint(-10, 58)) for _ in range(2))
            match pick.randint(0, 3):
                case 0:
                    cv2.line(image, a, b, pick.randint(0, 160), pick.randint(1, 6))
                case 1:
                    cv2.rectangle(image, a, b, pick.randint(0, 200), pick.choice([-1, 1, 3]))
                case 2:
                    cv2.ellipse(
                        image, a, (pick.randint(2, 40), pick.randint(2, 25)), 0, 0, 360, pick.randint(0, 200), 2
                    )
                case 3:
                    size = (pick.randint(4, 48), pick.randint(20, 480))
                    image[: size[0], : size[1]] = self.noise.integers(0, 255, size, np.uint8)
        return cv2.GaussianBlur(image, (0, 0), pick.uniform(0.3, 3))

    def spoilt(self, line: np.ndarray) -> np.ndarray:
        pick = self.random
        height, width = line.shape
        if pick.random() < 0.5:  # thin type and thick
            kernel = np.ones((2, pick.choice([1, 2])), np.uint8)
            line = cv2.erode(line, kernel) if pick.random() < 0.5 else cv2.dilate(line, kernel)
        lean = cv2.getRotationMatrix2D((width / 2, height / 2), pick.uniform(-0.6, 0.6), 1)
        line = cv2.warpAffine(line, lean, (width, height), borderValue=255)
        small = pick.uniform(14, 40) / height
        line = cv2.resize(
            line, (max(8, round(width * small)), max(8, round(height * small))), interpolation=cv2.INTER_AREA
        )
        line = cv2.GaussianBlur(line, (0, 0), pick.uniform(0.2, 1.1))
        paper, ink = pick.uniform(170, 255), pick.uniform(0, 110)
        grey = ink + line.astype(np.float32) / 255 * (paper - ink)
        grey += self.noise.normal(0, pick.uniform(0, 14), line.shape)
        return np.clip(255 - grey if pick.random() < 0.06 else grey, 0, 255).astype(np.uint8)

    def cut(self, line: np.ndarray, width: int) -> np.ndarray:
        scaled = max(width, round(line.shape[1] * HEIGHT / line.shape[0] * self.random.uniform(0.85, 1.15)))
        line = cv2.resize(line, (scaled, HEIGHT), interpolation=cv2.INTER_LINEAR)
        start = self.random.randint(0, scaled - width)
        return line[:, start : start + width]


class LineScript(torch.nn.Module):
    """Grey lines, 32 pixels high and of any width, to a probability per class: the mean over the line."""

    def __init__(self) -> None:
        super().__init__()
        steps = [
            (1, 16, (2, 2)),
            (16, 32, (2, 2)),
            (32, 48, (1, 1)),
            (48, 64, (2, 2)),
            (64, 96, (2, 1)),
            (96, 96, (1, 1)),
        ]
        layers: list[torch.nn.Module] = []
        for before, after, stride in steps:
            layers += [
                torch.nn.Conv2d(before, after, 3, stride, 1, bias=False),
                torch.nn.BatchNorm2d(after),
                torch.nn.ReLU(),
            ]
        self.look = torch.nn.Sequential(*layers)
        self.drop = torch.nn.Dropout(0.1)
        self.tell = torch.nn.Linear(96 * 2, len(CLASSES))

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        seen = self.look(pixels)  # (lines, 96, 2, columns)
        return self.tell(self.drop(seen.flatten(1, 2).mean(dim=2)))


class Probabilities(torch.nn.Module):
    def __init__(self, model: LineScript) -> None:
        super().__init__()
        self.model = model

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.model(pixels).softmax(dim=1)


def train(lines: Lines, steps: int, size: int) -> LineScript:
    model = LineScript()
    optimizer = torch.optim.AdamW(model.parameters(), 3e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=steps)
    right = seen = 0
    kept: list[tuple[torch.Tensor, torch.Tensor]] = []
    for step in range(1, steps + 1):
        if step % 2:  # drawing takes longer than learning: every batch is seen about twice
            kept = [*kept, lines.batch(size)][-KEPT:]
        pixels, classes = kept[-1] if step % 2 else lines.random.choice(kept)
        scores = model(pixels)
        loss = torch.nn.functional.cross_entropy(scores, classes, label_smoothing=0.02)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        right, seen = right + int((scores.argmax(1) == classes).sum()), seen + size
        if step % 100 == 0:
            print(f"step {step}: loss {loss.item():.3f}, {100 * right / seen:.1f} % right", flush=True)
            right = seen = 0
    return model.eval()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--hold-out", default="", help="pattern of font files that are not trained on")
    parser.add_argument("--fonts", nargs="+", type=Path, default=[FONTS], help="folders of font files")
    parser.add_argument("--steps", type=int, default=2500)
    asked = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    model = train(Lines(asked.fonts, asked.hold_out, 1), asked.steps, 64)
    example = torch.zeros(1, 1, HEIGHT, 256)
    torch.onnx.export(
        Probabilities(model),
        (example,),
        str(asked.out),
        input_names=["line"],
        output_names=["scripts"],
        dynamic_axes={"line": {0: "lines", 3: "width"}, "scripts": {0: "lines"}},
        dynamo=False,
    )
    import onnx

    stored = onnx.load(str(asked.out))
    onnx.helper.set_model_props(stored, {"classes": " ".join(CLASSES), "height": str(HEIGHT)})
    onnx.save(stored, str(asked.out))


if __name__ == "__main__":
    main()
