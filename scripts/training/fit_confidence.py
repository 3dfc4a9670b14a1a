"""Fits the probability that a word was read right, and shows on held-out pages how far it can be trusted.

    python scripts/training/collect_readings.py TEXTS FONTS... -o readings.jsonl
    python scripts/training/fit_confidence.py readings.jsonl --fit       prints weights for drafting/scans/certainty.py
    python scripts/training/fit_confidence.py readings.jsonl --json FILE   the curve with the weights that are there

Only pages of the calibration part are fitted to; the curve is that of the held-out part, which has other languages,
other families of type and other ways of spoiling.
"""

from __future__ import annotations

import argparse
import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from docparse_fast.drafting.scans import certainty  # noqa: E402
from docparse_fast.drafting.scans.certainty import SIGNS, certainty_of, probability, words_in  # noqa: E402
from docparse_fast.drafting.scans.ocr import HALFWIDTH, LEAST_CONFIDENCE  # noqa: E402
from docparse_fast.evidence import Certainty  # noqa: E402

BINS = 10
ALIKE = str.maketrans("‘’‚“”„«»–—‑‐−", "''''''''-----"[:13])
LINES_OF_A_BLOCK = 4
PENALTY = 1e-3


@dataclass(frozen=True, slots=True)
class ReadLine:
    letters: list[str]
    sureness: list[float]
    unread: float
    place: tuple[float, float, float, float]  # centre, width and height

    @property
    def kept(self) -> bool:
        return bool(self.sureness) and float(np.mean(self.sureness)) >= LEAST_CONFIDENCE


@dataclass(frozen=True, slots=True)
class Measured:
    """A word, a line, a block or a page: what was expected of it, and what was true."""

    expected: float  # share of right words
    right: float
    words: float


@dataclass(frozen=True, slots=True)
class LineOfPage:
    signs: list[dict[str, float]]  # of each word that was read
    truth: list[bool]
    certainty: Certainty
    standing: int  # words that stand there


def plain(word: str) -> str:
    return unicodedata.normalize("NFKC", word.translate(HALFWIDTH)).translate(ALIKE)


def words(text: str) -> list[str]:
    return [plain(word.text) for word in words_in(list(text), [1.0] * len(text))]


def lines_of(page: Mapping[str, Any]) -> Iterator[LineOfPage]:
    """The lines that stand on a page, each with what was read at its height, from the left."""
    read = [ReadLine(r["letters"], r["sureness"], r["unread"], tuple(r["place"])) for r in page["read"]]
    for line in page["lines"]:
        here = sorted((r for r in read if abs(r.place[1] - line["y"]) < line["step"] / 2), key=lambda r: r.place[0])
        yield _line(words(line["text"]), here)


def _line(truth: Sequence[str], read: Sequence[ReadLine]) -> LineOfPage:
    found: list[str] = []
    signs: list[dict[str, float]] = []
    expected, right = 0.0, 0.0
    for line in read:
        width = line.place[2] / max(1.0, line.place[3])
        if not line.kept:
            expected += width * certainty.WORDS_PER_HEIGHT
            continue
        own = words_in(line.letters, line.sureness)
        found += [plain(word.text) for word in own]
        signs += certainty.signs_of(own, line.unread)
        of_line = certainty_of(line.letters, line.sureness, line.unread, width)
        expected, right = expected + of_line.words, right + of_line.right
    return LineOfPage(signs, matched(found, truth), Certainty(expected, right), len(truth))


def matched(found: Sequence[str], truth: Sequence[str]) -> list[bool]:
    """Which of the words found are right.

    >>> matched(["the", "hause", "is"], ["the", "house", "is"])
    [True, False, True]
    """
    right = [False] * len(found)
    for match in SequenceMatcher(None, found, truth, autojunk=False).get_matching_blocks():
        right[match.a : match.a + match.size] = [True] * match.size
    return right


# ------------------------------------------------------------------------------------------------ fitting


def fitted(signs: NDArray[np.float64], truth: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of a logistic model, the last its bias, by Newton's method."""
    inputs = np.hstack([signs, np.ones((len(signs), 1))])
    weights = np.zeros(inputs.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (truth - chance) - PENALTY * weights
        curve = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + PENALTY * np.eye(len(weights))
        weights += np.linalg.solve(curve, slope)
    return weights


def fit(pages: Sequence[Mapping[str, Any]]) -> None:
    lines = [line for page in pages for line in lines_of(page)]
    signs = np.array([[word[name] for name in SIGNS] for line in lines for word in line.signs])
    truth = np.array([float(right) for line in lines for right in line.truth])
    weights = fitted(signs, truth)
    print(f"{len(truth)} words on {len(pages)} pages, {truth.mean():.1%} right")
    print("WEIGHTS =", {name: round(float(value), 3) for name, value in zip(SIGNS, weights, strict=False)})
    print("BIAS =", round(float(weights[-1]), 3))
    wide = [r["place"][2] / r["place"][3] for page in pages for r in page["read"] if r["place"][3]]
    print("WORDS_PER_HEIGHT =", round(sum(line.standing for line in lines) / sum(wide), 3))


# ---------------------------------------------------------------------------------------------- measuring


def measured(pages: Sequence[Mapping[str, Any]]) -> dict[str, list[Measured]]:
    found: dict[str, list[Measured]] = {"words": [], "blocks": [], "pages": []}
    for page in pages:
        lines = list(lines_of(page))
        found["words"] += [
            Measured(probability(signs), float(right), 1)
            for line in lines
            for signs, right in zip(line.signs, line.truth, strict=True)
        ]
        parts = [lines[n : n + LINES_OF_A_BLOCK] for n in range(0, len(lines), LINES_OF_A_BLOCK)]
        found["blocks"] += [together for part in parts if (together := _together(part)).words]
        found["pages"].append(_together(lines))
    return found


def share_right(page: Mapping[str, Any]) -> float:
    return _together(list(lines_of(page))).right


def _together(lines: Sequence[LineOfPage]) -> Measured:
    """Of the words that stand there, how many were read right, and how many were expected to be."""
    expected, right = sum(line.certainty.words for line in lines), sum(line.certainty.right for line in lines)
    standing = sum(line.standing for line in lines)
    return Measured(
        right / expected if expected else 0.0, sum(sum(line.truth) for line in lines) / max(1, standing), standing
    )


def curve(measures: Sequence[Measured]) -> list[dict[str, float]]:
    found = []
    for n in range(BINS):
        inside = [m for m in measures if n / BINS <= m.expected < (n + 1) / BINS or (n == BINS - 1 and m.expected == 1)]
        count = sum(m.words for m in inside)
        means = [sum(getattr(m, key) * m.words for m in inside) / count if count else 0.0 for key in KEYS]
        found.append({"from": n / BINS, "expected": means[0], "right": means[1], "words": count})
    return found


KEYS = ("expected", "right")


def calibration_error(bins: Sequence[Mapping[str, float]]) -> float:
    total = sum(each["words"] for each in bins)
    return sum(each["words"] * abs(each["expected"] - each["right"]) for each in bins) / max(1.0, total)


def found_in_worst(measures: Sequence[Measured], share: float) -> float:
    """Of all wrong words, the share that stands in the worst part of blocks or pages."""
    wrong = [(m.expected, (1 - m.right) * m.words, m.words) for m in sorted(measures, key=lambda m: m.expected)]
    room, seen = share * sum(words for _, _, words in wrong), 0.0
    for _, bad, words in wrong:
        taken = min(1.0, room / words) if words else 0.0
        seen, room = seen + taken * bad, room - taken * words
    return seen / max(1e-9, sum(bad for _, bad, _ in wrong))


def shown(name: str, measures: Sequence[Measured]) -> dict[str, Any]:
    bins = curve(measures)
    right = sum(m.right * m.words for m in measures) / sum(m.words for m in measures)
    error, worst = calibration_error(bins), [found_in_worst(measures, share) for share in (0.05, 0.1)]
    print(f"\n{name}: {len(measures)}, {right:.1%} of the words right, calibration error {error:.3f}")
    print(f"in the worst 5 %: {worst[0]:.0%} of the wrong words, in the worst 10 %: {worst[1]:.0%}")
    for each in bins:
        print(f"| {each['from']:.1f} | {each['words']:.0f} | {each['expected']:.3f} | {each['right']:.3f} |")
    return {"bins": bins, "error": error, "worst": worst}


def read_pages(path: Path) -> Iterable[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text("utf-8").splitlines())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("readings", type=Path)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--part", default="held-out", help="whose curve is shown")
    parser.add_argument("--least-right", type=float, default=0.0, help="leave out pages with fewer right words")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    pages = list(read_pages(asked.readings))
    if asked.fit:
        fit([page for page in pages if page["part"] == "calibration"])
        return
    chosen = [page for page in pages if page["part"] == asked.part]
    found = measured([page for page in chosen if share_right(page) >= asked.least_right])
    results = {name: shown(name, measures) for name, measures in found.items()}
    if asked.json:
        asked.json.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
