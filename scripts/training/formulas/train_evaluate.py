"""How well formulas are read from pictures of them: held-out formulas in held-out fonts, drawn and spoilt like scans.

python scripts/training/formulas/train_evaluate.py HELD_PAGES --count 1000 --real real-held.txt --json figures.json
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pymupdf
from normal import normal
from rapidfuzz.distance import Levenshtein
from train_patches import spoilt

from docparse_fast.drafting.formulas.detection import SymbolDetector
from docparse_fast.drafting.formulas.finding import formula_of

POINTS = 10.0
OLD = {"rm": "mathrm", "bf": "mathbf", "cal": "mathcal", "sf": "mathsf", "tt": "mathtt", "it": "mathit"}
KINDS = (
    ("rows", r"\\\\|matrix|cases"),
    ("fraction", r"frac|binom|\\over\b"),
    ("big", r"\\(sum|prod|int|oint|big(cup|cap|oplus|otimes|vee|wedge)|coprod|lim|iint)"),
    ("root", r"sqrt"),
    ("script", r"[_^']"),
    ("plain", ""),
)
LENGTHS = (8, 16, 32, 64)  # tokens


def signs(latex: str) -> list[str]:
    modern = re.sub(r"\{\\(rm|bf|cal|sf|tt|it)\b", lambda match: f"\\{OLD[match[1]]}{{", latex)
    found = normal(modern).split()
    while found and found[-1] in (",", ".", ";"):
        found.pop()
    return found


def kind(latex: str) -> str:
    return next(name for name, pattern in KINDS if re.search(pattern, latex))


def length(found: list[str]) -> str:
    return next((f"up to {most}" for most in LENGTHS if len(found) <= most), f"over {LENGTHS[-1]}")


def drawn(page: Any, dpi: float, noise: np.random.Generator) -> np.ndarray[Any, Any]:
    picture = page.get_pixmap(matrix=pymupdf.Matrix(dpi / 72, dpi / 72), colorspace=pymupdf.csGRAY, alpha=False)
    grey = np.frombuffer(picture.samples, np.uint8).reshape(picture.height, picture.stride)[:, : picture.width]
    return spoilt(np.ascontiguousarray(grey), noise)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--real", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lowest", type=int, default=150)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    real = set(asked.real.read_text(encoding="utf-8").splitlines())
    rows = [
        (path.with_suffix(".pdf"), page)
        for path in sorted(asked.pages.glob("*.json"))
        for page in json.loads(path.read_text(encoding="utf-8"))
        if page["latex"]
    ]
    random.Random(asked.seed).shuffle(rows)
    books = {path: pymupdf.open(path) for path, _ in rows}
    detector = SymbolDetector()
    scores: dict[str, list[float]] = defaultdict(list)
    spent = 0.0
    for n, (path, page) in enumerate(rows[: asked.count]):
        noise = np.random.default_rng((asked.seed, n))
        dpi = float(noise.choice([150, 200, 300])) if asked.lowest <= 150 else float(asked.lowest)
        image = drawn(books[path][page["page"]], dpi, noise)
        clock = time.process_time()
        read = formula_of(detector.find(image, POINTS * dpi / 72))
        spent += time.process_time() - clock
        truth, told = signs(page["latex"]), signs(read.latex)
        score = float(Levenshtein.normalized_similarity(truth, told))
        source = "real" if page["latex"] in real else "grammar"
        for key in ("all", source, f"{source} {kind(page['latex'])}", f"{source} {length(truth)}",
                    f"{source} {dpi:.0f} dpi",
                    f"confidence {int(read.confidence * 20) / 20:.2f}", f"font {path.stem}"):  # fmt: skip
            scores[key].append(score)
        if score < 1 and asked.show > 0 and source == "real":
            asked.show -= 1
            print(f"{score:.2f} {read.confidence:.2f} {path.stem} {dpi:.0f}\n   {page['latex']}\n   {read.latex}")
    table = {
        key: {
            "count": len(v),
            "exact": round(100 * sum(s == 1 for s in v) / len(v), 1),
            "alike": round(100 * sum(v) / len(v), 1),
        }
        for key, v in sorted(scores.items())
    }
    for key, row in table.items():
        print(f"{key:<24}{row['count']:>6}{row['exact']:>8}{row['alike']:>8}")
    print(f"{spent / max(1, len(rows[: asked.count])):.4f} CPU seconds a formula")
    if asked.json:
        asked.json.write_text(json.dumps(table, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
