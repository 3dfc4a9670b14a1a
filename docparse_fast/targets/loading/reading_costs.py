"""Measures what looking at images costs a loaded model here, and stores it. Knows blank images and clocks; no page."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol

from PIL import Image

from docparse_fast.document import Category
from docparse_fast.errors import OutputError
from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.system.files import write
from docparse_fast.system.typed_json import read, written
from docparse_fast.targets.decoder.clocks import device_clock
from docparse_fast.targets.decoder.machine import Machine, torch_installed
from docparse_fast.targets.decoder.pass_costs import default_folder
from docparse_fast.targets.decoder.vlm import VisionLanguageTarget
from docparse_fast.targets.reading import ReadingCosts

SMALL, LARGE = (256, 64), (512, 256)  # pixels: a crop of a few lines, and of a large table
TOGETHER = 4  # small ones
ROUNDS = 2  # the quickest counts: noise only adds time
PLAIN = 3  # passes in a round

log = logging.getLogger(__name__)


class CropReader(Protocol):
    """What is measured: `DocumentModel`, which imports this file."""

    decoder: VisionLanguageTarget

    def region_view(self, image: Image.Image, category: Category) -> object | None: ...

    def page_view(self, image: Image.Image) -> object | None: ...


def reading_costs(model: CropReader, folder: Path | None) -> ReadingCosts:
    """The stored costs, or new ones, which are stored for later runs."""
    path = reading_costs_path(model, folder)
    try:
        if path.stat().st_mtime >= torch_installed():
            return read(ReadingCosts, json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        pass
    except (OSError, ValueError, TypeError) as error:
        log.warning("the costs %s can't be read (%s); measuring again", path, error)
    costs = measured(model)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, written(costs))
    except (OSError, OutputError) as error:
        log.warning("the costs can't be kept at %s (%s); the next run may measure others", path, error)
    return costs


def measured(model: CropReader) -> ReadingCosts:
    """Plain passes are timed beside, on the same rows, so that a busy machine slows both down."""
    clock = device_clock(model.decoder.network.device)
    rounds = [_round(model, clock) for _ in range(ROUNDS)]
    small, large, several, plain = (min(seconds) for seconds in zip(*rounds, strict=True))
    pixel = max(0.0, large - small) / (_pixels(LARGE) - _pixels(SMALL))
    own = pixel * _pixels(SMALL)
    each = max(0.0, small - own)
    together = min(each, max(0.0, (several - small) / (TOGETHER - 1) - own))
    return ReadingCosts(each / plain, together / plain, pixel / plain)


def _round(model: CropReader, clock: Callable[[], float]) -> tuple[float, float, float, float]:
    """The seconds of a small image, a large one, several small ones together, and of a plain pass after them."""
    decoder, seconds = model.decoder, []
    for sizes in ([SMALL], [LARGE], [SMALL] * TOGETHER):
        views = {slot: _view(model, Image.new("RGB", size, "white")) for slot, size in enumerate(sizes)}
        seconds.append(_timed(clock, partial(decoder.prefill, views)))
        for slot in range(1, len(views)):
            decoder.release(slot)
    root = {0: PrefixTree.build(0, [], budget=1)}
    seconds.append(min(_timed(clock, partial(decoder.verify, root)) for _ in range(PLAIN)))
    decoder.release(0)
    return seconds[0], seconds[1], seconds[2], seconds[3]


def _view(model: CropReader, image: Image.Image) -> object:
    """A crop, or what comes nearest to it where text has no prompt of its own."""
    return model.region_view(image, Category.TEXT) or model.page_view(image)


def _timed(clock: Callable[[], float], work: Callable[[], object]) -> float:
    start = clock()
    work()
    return clock() - start


def _pixels(size: tuple[int, int]) -> int:
    return size[0] * size[1]


def reading_costs_path(model: CropReader, folder: Path | None) -> Path:
    """Named by the pass costs' setting, and by the vision tower."""
    network = model.decoder.network
    setting = hashlib.sha256(repr(network.config.to_dict()).encode()).hexdigest()[:12]
    return (folder or default_folder()) / f"{Path(Machine.of(network).file_name).stem}-reading-{setting}.json"
