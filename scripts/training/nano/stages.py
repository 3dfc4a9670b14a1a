"""What pages cost by Stage 2 alone, by both stages, as `auto` decides, and in shared passes: counted, by kind of draft.

    python scripts/training/nano/samples.py PAGES --pages 16 --seed 20201123
    python scripts/training/nano/stages.py PAGES --json stages.json        # at costs that are assumed for a GPU
    python scripts/training/nano/stages.py PAGES --costs docs/figures/bench-run-nano-0.3b.json   # at those of a CPU
    python scripts/training/nano/stages.py PAGES --costs own --ways 2,auto,both  # at this machine's, in seconds too

nano reads pages and crops; what is counted are plain passes that all its passes and looks would cost. `free` are both
stages without what Stage 1's looks at crops cost: more than any cheaper look could gain. Drafts are read of the page as
it is, of a worse image, or spoilt afterwards with a confidence that tells the truth about it. All answers of a page
must be alike. `each` in the JSON has, of each page, the letters that its drafts' confidences call misread, and what
Stage 2 costs without and after Stage 1.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch

from docparse_fast.bench.datasets import load
from docparse_fast.bench.reproduction.subjects import subjects
from docparse_fast.bench.spoiling import downscaled, misread, noisy
from docparse_fast.document import Page, PageDraft, PageSource
from docparse_fast.drafted import DraftedPage
from docparse_fast.drafting import Drafter, open_drafter
from docparse_fast.options import DraftOptions, SpeculationOptions
from docparse_fast.speculative.costs import CostTable
from docparse_fast.targets import open_target
from docparse_fast.targets.decoder.measuring import ON_A_GPU
from docparse_fast.targets.decoder.vlm import VisionLanguageTarget
from docparse_fast.targets.reading import ReadingCosts, StageCosts
from docparse_fast.verification.policy import misread_letters
from docparse_fast.verification.stages import Stages

# Assumed: a look at one of nano's pages costs four plain passes, less than real pages do. Good for Stage 1.
GPU_LOOKS = ReadingCosts(each=1.0, together=0.25, pixel=2e-5)
WINDOW = 4
OWN = "own"  # costs measured on this machine
WAYS = ("2", "auto", "both", "free", "together")


class Counted(VisionLanguageTarget):
    """Adds up what its passes and looks would cost."""

    looks: ReadingCosts
    passes_cost = looks_cost = 0.0

    def prefill(self, views: Mapping[int, Any], expected: Mapping[int, int] | None = None) -> dict[int, int]:
        side = self.network.config.vision_config.patch_size
        pixels = [int(view.inputs["image_grid_thw"].prod()) * side**2 for view in views.values()]
        self.looks_cost += self.looks.of(pixels) if pixels else 0.0
        return super().prefill(views, expected)

    def verify(self, trees: Mapping[int, Any], *, tolerant: bool = False) -> dict[int, Any]:
        sizes = [len(tree) for tree in trees.values()]
        width = sum(sizes) / len(sizes) if self.costs.packed else max(sizes)
        self.passes_cost += self.costs.cost(len(sizes), width)
        return super().verify(trees, tolerant=tolerant)


@dataclass(frozen=True, slots=True)
class Kind:
    name: str
    draft: Callable[[Drafter, Page], PageDraft]


def of_worse_image(spoil: Callable[..., Any], level: float) -> Callable[[Drafter, Page], PageDraft]:
    def draft(drafter: Drafter, page: Page) -> PageDraft:
        source = PageSource(lambda: spoil(page.image, level, 0), lambda: None)
        return drafter.draft(Page(page.number, page.width, page.height, page.dpi, source))

    return draft


def spoilt(level: float) -> Callable[[Drafter, Page], PageDraft]:
    def draft(drafter: Drafter, page: Page) -> PageDraft:
        found = misread(drafter.draft(page), level)
        regions = tuple(
            replace(region, drafts=tuple(replace(one, confidence=1 - level) for one in region.drafts))
            for region in found.regions
        )
        return replace(found, regions=regions)

    return draft


KINDS = (
    Kind("as read", lambda drafter, page: drafter.draft(page)),
    Kind("of an image with grain (60)", of_worse_image(noisy, 60)),
    Kind("of an image with grain (90)", of_worse_image(noisy, 90)),
    Kind("of an image at 0.4 of its size", of_worse_image(downscaled, 0.6)),
    Kind("5 % spoilt", spoilt(0.05)),
    Kind("10 % spoilt", spoilt(0.1)),
    Kind("30 % spoilt", spoilt(0.3)),
    Kind("60 % spoilt", spoilt(0.6)),
)


class Counter:
    def __init__(self, target: str, passes: CostTable | None = None, looks: ReadingCosts | None = None) -> None:
        """Without costs at those of this machine."""
        self.target: Any = open_target(target, device="cpu", dtype="float32")
        decoder = self.target.decoder
        passes, looks = passes or self.target.costs.passes, looks or self.target.costs.reading
        counted = Counted(decoder.network, slots=decoder.slots, eos=decoder.eos, costs=passes)
        counted.looks = looks
        self.target.decoder = counted
        self.target.costs = StageCosts(passes, looks, counted.slots)

    def window(self, pages: Sequence[DraftedPage], way: str) -> dict[str, Any]:
        """The cost of these pages in this way, the answers, and how many pages Stage 1 read crops of."""
        stages = {"free": "both", "together": "2"}.get(way, way)
        options = SpeculationOptions(tau=1.0, stages=stages, pages_together=way == "together")
        run, counted = Stages(self.target, options), self.target.decoder
        counted.passes_cost = counted.looks_cost = 0.0
        start = time.process_time()
        regions = run.verify_regions(pages)
        crops = counted.looks_cost
        spent, texts = [counted.passes_cost + crops], []
        groups = [pages] if options.pages_together else [[page] for page in pages]
        for group in groups:
            texts += [
                [block.text for block in outcome.blocks] for outcome in run.verify_pages(group, regions) if outcome
            ]
            spent.append(counted.passes_cost + counted.looks_cost)
        return {
            "cost": spent[-1] - (crops if way == "free" else 0.0),
            "stage_1": spent[0],
            "seconds": time.process_time() - start,
            "pages": sum(bool(readings) for readings in regions.readings.values()),
            "each": [after - before for before, after in pairwise(spent)],
            "texts": texts,
        }


def measured(counter: Counter, pages: Sequence[DraftedPage], ways: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {way: {"cost": 0.0, "stage_1": 0.0, "seconds": 0.0, "pages": 0, "each": []} for way in ways}
    alike = True
    for at in range(0, len(pages), WINDOW):
        texts = []
        for way in ways:
            one = counter.window(pages[at : at + WINDOW], way)
            texts.append(one.pop("texts"))
            for name, value in one.items():
                found[way][name] += value
        alike = alike and all(other == texts[0] for other in texts)
    told = [sum(misread_letters(region) for region in page.regions if region.drafts) for page in pages]
    return {**found, "misread": [round(letters, 1) for letters in told], "alike": alike}


def tables(record: str, dearer: float) -> tuple[CostTable, ReadingCosts]:
    if not record:
        return ON_A_GPU, ReadingCosts(*(dearer * part for part in asdict(GPU_LOOKS).values()))
    costs = json.loads(Path(record).read_text("utf-8"))["settings"]["costs"]
    looks = ReadingCosts(**{name: dearer * part for name, part in costs.pop("reading").items()})
    return CostTable.from_json(json.dumps(costs)), looks


def summary(found: Mapping[str, Any], ways: Sequence[str]) -> Iterator[str]:
    for kind, each in found.items():
        base = each["2"]["cost"]
        cells = [
            f"{way} {each[way]['cost']:.0f} ({base / each[way]['cost']:.2f}x), {each[way]['seconds']:.1f} CPU s"
            for way in ways
        ]
        read = each["auto"]["pages"] if "auto" in each else 0
        yield f"{kind}: {', '.join(cells)}; auto read crops of {read} pages; alike: {each['alike']}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=Path)
    parser.add_argument("--target", default="nano")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=16)
    parser.add_argument("--costs", default="", help=f"a record of bench run, or {OWN}; else a GPU's are assumed")
    parser.add_argument("--looks", type=float, default=1.0, help="times as dear as they are assumed to be, or were")
    parser.add_argument("--kinds", type=int, nargs="+", default=list(range(len(KINDS))), help="numbers, from 0")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    counter = Counter(asked.target, *(() if asked.costs == OWN else tables(asked.costs, asked.looks)))
    drafter = open_drafter(DraftOptions("embedded", ocr="always"))
    ways, found = asked.ways.split(","), {}
    chosen = list(subjects(load(asked.pages)))[asked.first : asked.first + asked.count]
    for kind in (KINDS[number] for number in asked.kinds):
        pages = []
        for number, subject in enumerate(chosen, start=1):
            draft = replace(kind.draft(drafter, subject.page), number=number)
            pages.append(DraftedPage(number, draft, picture=subject.page.image))
        found[kind.name] = measured(counter, pages, ways)
        print("\n".join(summary({kind.name: found[kind.name]}, ways)), flush=True)
        if asked.json:
            asked.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
