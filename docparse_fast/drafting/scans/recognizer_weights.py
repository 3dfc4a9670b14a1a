"""Chooses one of the recogniser's two sets of weights for this processor. Knows processors and files; opens no model.

The eight-bit copy (scripts/training/make_ocr_weights.py) where the processor has an instruction for it: two thirds of
the time, as many errors. Elsewhere that copy was never measured, and AVX2's products of eight bits can overflow.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

from docparse_fast.system.digests import SHOWN_DIGITS, packaged_digests, wheel_digests
from docparse_fast.system.providers import CPU, chosen

EIGHT_BITS = "PP-OCRv6_rec_small_int8.onnx"  # in this package
FLOATS = "PP-OCRv6_rec_small.onnx"  # in rapidocr's wheel
VNNI = 23  # OpenCV's number for AVX-512's eight-bit dot products
DATA = Path(__file__).parents[2] / "data" / "models"


def recognizer_weights() -> str:
    """The name of the weights' file."""
    return EIGHT_BITS if chosen() == CPU and _has_vnni() else FLOATS


def recognizer_identity() -> str:
    """The file's name and the start of its recorded digest; a page's text depends on both."""
    name = recognizer_weights()
    if name == EIGHT_BITS:
        digest = packaged_digests(DATA)[name]
    else:
        digest = wheel_digests("rapidocr").get(f"rapidocr/models/{name}", "")
    return f"{name} sha256:{digest[:SHOWN_DIGITS]}" if digest else name


@cache
def _has_vnni() -> bool:
    if sys.platform == "linux":  # the kernel says so too, and without loading OpenCV
        flags = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE)
        return flags is not None and "avx512_vnni" in flags[1].split()
    import cv2

    return bool(cv2.checkHardwareSupport(VNNI))
