"""All known targets by name: dialect, hub id, size. Knows no tensor and reads no disk.

A new model needs one dialect file and one entry here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from docparse_fast.targets.decoder.repeats import NoRepeats
from docparse_fast.targets.dialects.chandra_ocr2 import ChandraOcr2Dialect
from docparse_fast.targets.dialects.deepseek_ocr2 import DeepSeekOcr2Dialect
from docparse_fast.targets.dialects.dialect import Dialect
from docparse_fast.targets.dialects.doctags import SMOLDOCLING_CONVERSATION, DocTagsDialect
from docparse_fast.targets.dialects.dots_ocr import MAX_PIXELS, MIN_PIXELS, DotsOcrDialect
from docparse_fast.targets.dialects.general import NAME as GENERAL
from docparse_fast.targets.dialects.general import general
from docparse_fast.targets.dialects.glm_ocr import GLM_OCR
from docparse_fast.targets.dialects.got_ocr2 import GOT_OCR2
from docparse_fast.targets.dialects.hunyuan_ocr import HUNYUAN_OCR
from docparse_fast.targets.dialects.lighton_ocr import LIGHTON_OCR
from docparse_fast.targets.dialects.mineru2_5 import MINERU2_5
from docparse_fast.targets.dialects.mineru2_5 import SYSTEM as MINERU_SYSTEM
from docparse_fast.targets.dialects.nano import NANO
from docparse_fast.targets.dialects.nanonets_ocr import SYSTEM as NANONETS_SYSTEM
from docparse_fast.targets.dialects.nanonets_ocr import NanonetsOcrDialect
from docparse_fast.targets.dialects.olmocr2 import OlmOcr2Dialect
from docparse_fast.targets.dialects.ovis_ocr2 import OvisOcr2Dialect
from docparse_fast.targets.dialects.paddleocr_vl import PADDLEOCR_VL
from docparse_fast.targets.dialects.qwen3_vl import QWEN3_VL
from docparse_fast.targets.dialects.unlimited_ocr import UnlimitedOcrDialect

LONGEST = 8192


def _always(dialect: Dialect) -> Callable[[], Dialect]:
    return lambda: dialect


@dataclass(frozen=True, slots=True)
class Recipe:
    name: str
    model_type: str  # as in config.json
    hub: str  # where its weights are published; empty: they ship with the package
    dialect: Callable[[], Dialect]
    may_be_auto: bool = True  # whether `auto` may choose it
    served_prompt: str = "{prompt}"  # the text beside the picture in a message to a server
    whole: int = 1  # pixels: paper is added until an image's sides are multiples of this, before any stretching
    system: str | None = None  # the message before the user's; None: there is none
    longest: int = LONGEST  # tokens of an answer, as its makers let it write
    repetition_penalty: float = 1.0  # where the checkpoint's own settings have none
    no_repeats: NoRepeats | None = None  # likewise
    prompt_first: bool = False  # before the image, in one message
    longer_side: int | None = None  # pixels: a larger image is shrunk to this, as its makers do
    pixels: tuple[int, int] | None = None  # the fewest and most of an image; None: as the checkpoint's processor has it
    thinks: bool | None = None  # what the chat template is told of thinking; None: nothing
    is_general: bool = False  # whether any checkpoint of its architecture is asked so, unless it is known by name
    only_by_name: bool = False  # whether none other of its architecture is asked so


def _dots(name: str, hub: str) -> Recipe:
    return Recipe(
        name,
        "dots_ocr",
        hub,
        DotsOcrDialect,
        pixels=(MIN_PIXELS, MAX_PIXELS),
        longest=24_000,  # as the paper's own code has it; its makers' programs allow 16,384 to 32,768
        served_prompt="<|img|><|imgpad|><|endofimg|>{prompt}",  # else the server puts a line break there
    )


def _nanonets(name: str, hub: str) -> Recipe:
    return Recipe(name, "qwen2_5_vl", hub, NanonetsOcrDialect, system=NANONETS_SYSTEM, longest=15_000)


def _general(name: str, model_type: str, hub: str, *, thinks: bool | None = None) -> Recipe:
    """A model that reads documents among other things: `auto` leaves it to its other uses."""
    return Recipe(name, model_type, hub, _always(QWEN3_VL), may_be_auto=False, is_general=True, thinks=thinks)


# Best first: `auto` takes the first that is on this machine and fits.
CATALOG = (
    _dots("dots.ocr", "rednote-hilab/dots.ocr"),
    _dots("dots.mocr", "rednote-hilab/dots.mocr"),  # has the same class, prompts and answers
    Recipe(
        "chandra-ocr-2",
        "qwen3_5",
        "datalab-to/chandra-ocr-2",
        ChandraOcr2Dialect,
        longest=12_384,
        pixels=(1792 * 28, 3072 * 2048),
    ),
    Recipe(
        "ovis-ocr2",
        "qwen3_5",
        "ATH-MaaS/OvisOCR2",
        OvisOcr2Dialect,
        longest=16_384,
        pixels=(448**2, 2880**2),
        thinks=False,
    ),
    # both releases are asked after an empty system message; release 1.5 decodes with the penalty
    Recipe(
        "hunyuan-ocr",
        "hunyuan_vl",
        "tencent/HunyuanOCR",
        _always(HUNYUAN_OCR),
        system="",
        longest=16_384,
        repetition_penalty=1.08,
    ),
    Recipe(
        "olmocr-2",
        "qwen2_5_vl",
        "allenai/olmOCR-2-7B-1025",
        OlmOcr2Dialect,
        prompt_first=True,
        longer_side=1288,
        longest=8000,
    ),
    _nanonets("nanonets-ocr2", "nanonets/Nanonets-OCR2-3B"),
    _nanonets("nanonets-ocr-s", "nanonets/Nanonets-OCR-s"),
    Recipe("qwen3-vl-8b", "qwen3_vl", "Qwen/Qwen3-VL-8B-Instruct", _always(QWEN3_VL)),
    Recipe("qwen3-vl-2b", "qwen3_vl", "Qwen/Qwen3-VL-2B-Instruct", _always(QWEN3_VL)),
    Recipe("paddleocr-vl", "paddleocr_vl", "PaddlePaddle/PaddleOCR-VL", _always(PADDLEOCR_VL)),
    Recipe("paddleocr-vl-1.6", "paddleocr_vl", "PaddlePaddle/PaddleOCR-VL-1.6", _always(PADDLEOCR_VL)),
    Recipe("glm-ocr", "glm_ocr", "zai-org/GLM-OCR", _always(GLM_OCR)),
    Recipe("lighton-ocr", "lighton_ocr", "lightonai/LightOnOCR-2-1B", _always(LIGHTON_OCR), longer_side=1540),
    Recipe("lighton-ocr-3", "lighton_ocr", "lightonai/LightOnOCR-3-1B", _always(LIGHTON_OCR), longer_side=1540),
    Recipe(
        "lighton-ocr-3-4b", "qwen3_5", "lightonai/LightOnOCR-3-4B", _always(LIGHTON_OCR), longer_side=2048, thinks=False
    ),
    Recipe(
        "lighton-ocr-3-0.8b",
        "qwen3_5",
        "lightonai/LightOnOCR-3-0.8B",
        _always(LIGHTON_OCR),
        longer_side=2048,
        thinks=False,
    ),
    Recipe("got-ocr2", "got_ocr2", "stepfun-ai/GOT-OCR-2.0-hf", _always(GOT_OCR2)),
    Recipe("deepseek-ocr2", "deepseek_ocr2", "deepseek-community/DeepSeek-OCR-2", DeepSeekOcr2Dialect),
    Recipe(
        "unlimited-ocr",
        "unlimited_ocr",
        "baidu/Unlimited-OCR",
        UnlimitedOcrDialect,
        longest=32_768,
        no_repeats=NoRepeats(35, window=128),
        served_prompt="<image>{prompt}",  # its template on a server adds nothing
        prompt_first=True,
    ),
    Recipe(
        "mineru2.5-pro",
        "qwen2_vl",
        "opendatalab/MinerU2.5-Pro-2605-1.2B",
        _always(MINERU2_5),
        system=MINERU_SYSTEM,
    ),
    Recipe("granite-docling", "idefics3", "ibm-granite/granite-docling-258M", DocTagsDialect, only_by_name=True),
    Recipe(
        "smoldocling",
        "idefics3",
        "docling-project/SmolDocling-256M-preview",
        _always(DocTagsDialect(SMOLDOCLING_CONVERSATION)),
        only_by_name=True,
    ),
    # asked as Qwen3-VL; the prompt was written for Qwen2-VL
    _general("qwen2.5-vl-7b", "qwen2_5_vl", "Qwen/Qwen2.5-VL-7B-Instruct"),
    _general("qwen2.5-vl-3b", "qwen2_5_vl", "Qwen/Qwen2.5-VL-3B-Instruct"),
    _general("qwen2-vl-7b", "qwen2_vl", "Qwen/Qwen2-VL-7B-Instruct"),
    _general("qwen3.5-4b", "qwen3_5", "Qwen/Qwen3.5-4B", thinks=False),
    _general("qwen3.5-35b-a3b", "qwen3_5_moe", "Qwen/Qwen3.5-35B-A3B", thinks=False),
    # reads only its own small synthetic domain, so it is never chosen for a user's pages
    Recipe("nano", "qwen3_vl", "", _always(NANO), may_be_auto=False, whole=16),
)
BY_NAME = {recipe.name: recipe for recipe in CATALOG}


def recipe_of(model_type: str, name: str = "") -> Recipe | None:
    """The recipe for a checkpoint: by its name, hub id or folder's name, else by its architecture.

    >>> recipe_of("qwen3_vl").name, recipe_of("qwen3_vl", "nano").name, recipe_of("bert")
    ('qwen3-vl-8b', 'nano', None)
    >>> recipe_of("qwen2_5_vl", "nanonets/Nanonets-OCR2-3B").name, recipe_of("qwen2_5_vl", "mine").name
    ('nanonets-ocr2', 'qwen2.5-vl-7b')
    """
    alike = [recipe for recipe in CATALOG if recipe.model_type == model_type]
    named = (recipe for recipe in alike if last_part(name) in (recipe.name, last_part(recipe.hub) or None))
    general = (recipe for recipe in alike if recipe.is_general)
    others = (recipe for recipe in alike if not recipe.only_by_name)
    return next(named, None) or next(general, None) or next(others, None)


def in_markdown(prompt: str = "") -> Recipe:
    """How any other model is asked, in the user's words or in the general ones."""
    return Recipe(GENERAL, "", "", _always(general(prompt)), may_be_auto=False)


SIZE = re.compile(r"(?<!\d)\d++(?:\.\d++)?b")  # parameters, in a model's name


def likely(*names: str) -> Recipe | None:
    """Of a model that isn't known: the recipe whose name stands in one of its own, sizes left out; the longest wins.

    >>> likely("acme/dots-ocr-invoices").name, likely("Qwen3-VL-30B-A3B-Instruct").name, likely("gpt-4o")
    ('dots.ocr', 'qwen3-vl-8b', None)
    """
    told = [_letters(name) for name in names]
    found = [
        (len(letters), recipe)
        for recipe in CATALOG
        for letters in {_letters(recipe.name), _letters(last_part(recipe.hub))}
        if letters and any(letters in own for own in told)
    ]
    return max(found, key=lambda one: one[0])[1] if found else None


def _letters(name: str) -> str:
    """
    >>> _letters("Qwen3-VL-8B"), _letters("dots.ocr")
    ('qwen3vl', 'dotsocr')
    """
    return re.sub(r"[^a-z0-9]", "", SIZE.sub("", name.lower()))


def most_pixels(name: str) -> int | None:
    """Of a page, as the makers of the target with this name, hub id or folder show it; None: not known.

    >>> most_pixels("rednote-hilab/dots.ocr"), most_pixels("auto")
    (11289600, None)
    """
    found = (recipe.pixels for recipe in CATALOG if last_part(name) in (recipe.name, last_part(recipe.hub) or None))
    pixels = next(found, None)
    return None if pixels is None else pixels[1]


def last_part(name: str) -> str:
    """Of a hub id or folder.

    >>> last_part("rednote-hilab/dots.ocr")
    'dots.ocr'
    """
    return name.rstrip("/").rpartition("/")[2].lower()
