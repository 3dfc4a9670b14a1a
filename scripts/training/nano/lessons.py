"""What nano saw on pages and what it would write next, kept for training a smaller model. Knows nano; trains nothing.

    python scripts/training/nano/lessons.py docparse_fast/data/nano checkpoints/lessons --pages 600 --regions 1500

One pass of nano over the true text gives its choice after each true beginning. Its eyes stay as they are, so what they
saw is kept and need not be computed again. Files are numbered by seed: a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
from held_out import Examined
from pages import Sample, press
from reader import lesson, pixel_values
from torch import Tensor

SEED = 40_000_003
PAGES_A_FILE, REGIONS_A_FILE = 20, 100


@dataclass(frozen=True, slots=True)
class Seen:
    """One sample through nano's eyes; tensors are in half precision."""

    text: str
    answer: list[int]  # the true text's tokens, with the end
    choices: list[int]  # nano's, each after the answer so far
    places: Tensor  # (3, answer): as in `reader.Lesson`
    grid: tuple[int, int]  # cells, down and across
    features: Tensor  # (2, cells, hidden): at the first text layer and after it


@torch.inference_mode()
def seen(examined: Examined, sample: Sample) -> Seen:
    shown = lesson(sample, examined.tokens)
    reader = examined.model.model
    grids = torch.tensor([shown.grid])
    vision = reader.get_image_features(pixel_values(shown.patches), grids, return_dict=True)
    features = torch.stack([vision.pooler_output[0], vision.deepstack_features[0][0]])
    inputs = examined.inputs(sample, shown.answer[:-1])
    del inputs["pixel_values"]
    reader.rope_deltas = None
    logits = examined.model(**inputs, mm_encoder_outputs={"image": vision}, logits_to_keep=len(shown.answer)).logits[0]
    return Seen(
        sample.text,
        shown.answer,
        logits.argmax(-1).tolist(),
        torch.from_numpy(np.asarray(shown.places)),
        (shown.grid[1] // 2, shown.grid[2] // 2),
        features.half(),
    )


def write(file: Path, examined: Examined, seed: int, *, pages: bool) -> None:
    maker = press(seed)
    samples = [maker.page() for _ in range(PAGES_A_FILE)] if pages else []
    while not pages and len(samples) < REGIONS_A_FILE:
        samples += maker.regions()
    found = [seen(examined, sample) for sample in samples]
    fields = Seen.__slots__
    part = file.with_suffix(".part")
    torch.save([{name: getattr(one, name) for name in fields} for one in found], part)
    part.replace(file)


def read(folder: Path, kind: str) -> list[Seen]:
    """All lessons of a kind: `page` or `region`."""
    return [Seen(**one) for file in sorted(folder.glob(f"{kind}-*.pt")) for one in torch.load(file, weights_only=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("nano", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--regions", type=int, default=1500)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    examined = Examined(arguments.nano)
    for kind, count, size in (
        ("region", arguments.regions, REGIONS_A_FILE),
        ("page", arguments.pages, PAGES_A_FILE),
    ):
        for number in range(-(-count // size)):
            file = arguments.out / f"{kind}-{number:04}.pt"
            if not file.exists():
                write(file, examined, SEED + number + (10_000 if kind == "page" else 0), pages=kind == "page")
                print(file.name, flush=True)


if __name__ == "__main__":
    main()
