"""Sets held-out pages with their truth: the samples that ship, or others to measure on. Knows the generator only.

    python scripts/training/nano/samples.py samples/nano
    python scripts/training/nano/samples.py PAGES --pages 32 --seed 20201123

As many of each subject, every other one a bad copy. Nothing here was trained on.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from held_out import RARE, SUBJECTS
from pages import press
from PIL import Image

SEED = 8_000_111
PAGES = 12


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(arguments.pages):
        maker = press(arguments.seed + number, held_out=True, rare=RARE)
        page = maker.page(SUBJECTS[number % len(SUBJECTS)], worn=number // len(SUBJECTS) % 2 == number % 2)
        name = f"page-{number + 1:02}"
        Image.fromarray(page.image).save(folder / f"{name}.png", optimize=True)
        (folder / f"{name}.md").write_text(page.text + "\n")


if __name__ == "__main__":
    main()
