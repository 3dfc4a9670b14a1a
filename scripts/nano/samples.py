"""Sets the sample pages that ship with the repository, with their truth. Knows the generator only.

    python scripts/nano/samples.py samples/nano

Twelve held-out pages, three of each subject, every other one a bad copy. Nothing here was trained on.
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
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(PAGES):
        maker = press(SEED + number, held_out=True, rare=RARE)
        page = maker.page(SUBJECTS[number % len(SUBJECTS)], worn=number // len(SUBJECTS) % 2 == number % 2)
        name = f"page-{number + 1:02}"
        Image.fromarray(page.image).save(folder / f"{name}.png", optimize=True)
        (folder / f"{name}.md").write_text(page.text + "\n")


if __name__ == "__main__":
    main()
