"""What both stages would cost real models on real pages whose answers are stored: counted, page by page.

    python scripts/stages_of_answers.py KIT --drafts FOLDER --json stages.json

KIT is one of `bench replay`'s. It has no answers for crops. For each region, the stretch of the page's answer that is
most like the region's drafts is taken instead; a region that is like no stretch is not read. Costs are plain passes, a
GPU's as assumed, of passes and of looks at crops; the look at the page is left out, since every way takes it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rapidfuzz.fuzz import partial_ratio_alignment

from docparse_fast.bench.replay.kept_drafts import KeptDrafts
from docparse_fast.bench.replay.kit import Entry, Words, read_kit, words_of
from docparse_fast.bench.replay.replaying import EXACT
from docparse_fast.bench.replay.stored import StoredTarget
from docparse_fast.document import Category, PageDraft, Region
from docparse_fast.drafted import DraftedPage
from docparse_fast.options import DraftOptions
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.growing_answer import Decoded, Row
from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.speculative.target import Verification
from docparse_fast.targets.reading import ReadingCosts, StageCosts
from docparse_fast.timing import Timer
from docparse_fast.verification.page import verify_page
from docparse_fast.verification.policy import misread_letters, plan
from docparse_fast.verification.regions import MARGIN, verify_regions

LOOKS = ReadingCosts(each=1.0, together=0.25, pixel=2e-5)  # as for nano's pages (`training/nano/stages.py`): cheap
SLOTS = 8
ALIKE = 40.0  # of 100: a stretch less like a region's drafts is another region's


@dataclass(frozen=True, slots=True)
class Crop:
    answer: tuple[int, ...]
    pixels: int


class Crops:
    """Writes the known answers of several crops side by side, and adds up what that costs."""

    slots = SLOTS

    def __init__(self, end: int, costs: StageCosts) -> None:
        self.eos, self.costs, self.cost, self.looks = frozenset({end}), costs.passes, 0.0, 0.0
        self._reading = costs.reading
        self._rows: dict[int, tuple[int, ...]] = {}
        self._written: dict[int, int] = {}

    def prefill(self, views: Mapping[int, Any], expected: Mapping[int, int] | None = None) -> dict[int, int]:
        self.looks += self._reading.of([crop.pixels for crop in views.values()]) if views else 0.0
        for slot, crop in views.items():
            self._rows[slot], self._written[slot] = crop.answer, 0
        return {slot: crop.answer[0] for slot, crop in views.items()}

    def verify(self, trees: Mapping[int, PrefixTree], *, tolerant: bool = False) -> dict[int, Verification]:
        self.cost += self.costs.cost(len(trees), max(map(len, trees.values())))
        return {slot: Verification([self._at(slot, deep) for deep in tree.depths]) for slot, tree in trees.items()}

    def _at(self, slot: int, deep: int) -> int:
        row = self._rows[slot]
        return row[min(self._written[slot] + 1 + deep, len(row) - 1)]

    def commit(self, paths: Mapping[int, Sequence[int]]) -> None:
        for slot, path in paths.items():
            self._written[slot] += len(path)

    def room(self, slot: int) -> int:
        return 1 << 20

    def release(self, slot: int) -> None:
        del self._rows[slot]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The page's image: its size, and which region a crop is of."""

    width: int
    height: int

    def crop(self, box: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
        return box


class BothStages(StoredTarget):
    """A page's stored answer, and crops' as they follow from it."""

    def __init__(self, entry: Entry, words: Words, page: DraftedPage) -> None:
        from docparse_fast.targets.decoder.measuring import ON_A_GPU

        super().__init__(entry.answer, entry.dialect, words, ON_A_GPU)
        self.costs: Any = StageCosts(ON_A_GPU, LOOKS, SLOTS)
        self.crops = Crops(words.end, self.costs)
        said = "\n\n".join(block.text for block in entry.dialect.parse(entry.answer, page.size).blocks)
        self.known = {number: text for number, region in enumerate(page.regions) if (text := stretch(region, said))}
        self._by_box = {page.crop(page.regions[number].box, MARGIN): number for number in self.known}
        self._page = page

    def region_view(self, image: Any, category: Category) -> Crop:
        number = self._by_box[image]
        text = self.dialect.phrase_region(self._page.regions[number], self.known[number])
        left, top, right, bottom = image
        return Crop((*self.encode(text), self.end), (right - left) * (bottom - top))

    def decode_rows(self, rows: Any, speculation: Speculation, timer: Timer) -> Iterator[Decoded]:
        listed: list[Row] = list(rows)
        are_crops = any(isinstance(row.view, Crop) for row in listed)
        return spec_decode(self.crops if are_crops else self.decoder, listed, speculation, timer)


def stretch(region: Region, said: str) -> str:
    """The words of the answer that are most like the region's text; none if nothing is like it.

    >>> from docparse_fast.document import Box, Draft
    >>> region = Region(Box(0, 0, 9, 9), Category.TEXT, (Draft("the secand line", "embedded"),))
    >>> stretch(region, "The first line. The second line. The third.")
    'The second line.'
    """
    text = region.text
    found = partial_ratio_alignment(text, said, score_cutoff=ALIKE) if 0 < len(text) <= len(said) else None
    if found is None:
        return ""
    start, end = found.dest_start, found.dest_end
    while start and not said[start - 1].isspace():
        start -= 1
    while end < len(said) and not said[end].isspace():
        end += 1
    return said[start:end].strip()


def counted(entry: Entry, size: tuple[int, int], draft: PageDraft, words: Words) -> dict[str, Any]:
    page = DraftedPage(entry.page, draft, picture=Sheet(*size))  # type: ignore[arg-type]
    found: dict[str, Any] = {"page": entry.name}
    for way in ("2", "auto", "both"):
        target = BothStages(entry, words, page)
        chosen = [number for number in plan(page, target, way).regions if number in target.known]
        readings = verify_regions([(page, tuple(chosen))], target, EXACT, Timer()) if chosen else {}
        decoded = verify_page(page, readings.get(page.number, {}), target, EXACT, Timer()).decoded
        assert decoded.tokens == (*target.answer, target.end), entry.name
        found[way] = {
            "stage 2": target.decoder.cost,
            "stage 1": target.crops.cost,
            "looks": target.crops.looks,
            "crops": len(chosen),
        }
        found |= {"tokens": len(decoded.tokens)} if way != "2" else {"steps": len(decoded.steps)}
    found["misread"] = sum(misread_letters(region) for region in page.regions if region.drafts)
    return found


def whole(cost: Mapping[str, float], *, free: bool = False) -> float:
    return cost["stage 2"] + cost["stage 1"] + (0.0 if free else cost["looks"])


def said_of(found: Mapping[str, Any]) -> str:
    alone, auto, both = (found[way] for way in ("2", "auto", "both"))
    return (
        f"{found['page']}: {found['tokens'] / found['steps']:.1f} tokens a step, {found['misread']:.0f} letters said "
        f"to be misread; Stage 2 alone {whole(alone):.0f}, auto {whole(auto):.0f} ({auto['crops']} crops), both "
        f"{whole(both):.0f} ({both['crops']} crops), {whole(both, free=True):.0f} if looks were free"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kit", type=Path)
    parser.add_argument("--drafts", type=Path, help="keeps the drafts there")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    words, drafts = words_of(asked.kit, None), KeptDrafts(DraftOptions(), asked.drafts)
    found = []
    for entry in read_kit(asked.kit):
        found.append(counted(entry, *drafts.of(entry), words))
        print(said_of(found[-1]), flush=True)
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
