"""Classifies a line's script by its looks. Knows no letters and no language; reads no text.

A small network of our own (scripts/train_script_classifier.py), asked only about lines that the recogniser could not
read: about 1 CPU millisecond a line.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.drafting.onnx import open_session, packaged

WEIGHTS = "line_script.onnx"
HEIGHT = 32  # pixels of a line, as the network was trained
NARROWEST, WIDEST = 32, 1024


class LineScripts:
    """
    >>> LineScripts().of(crop)["cyrillic"]           # doctest: +SKIP
    0.98
    """

    @cached_property
    def _session(self) -> Any:
        return open_session(packaged(WEIGHTS), 1)

    @cached_property
    def _names(self) -> list[str]:
        return str(self._session.get_modelmeta().custom_metadata_map["classes"]).split()

    def of(self, crop: NDArray[np.uint8]) -> Mapping[str, float]:
        """A probability for each script; `none` is a picture, a rule, a smudge."""
        height, width = crop.shape[:2]
        columns = min(max(round(width * HEIGHT / height), NARROWEST), WIDEST)
        grey = cv2.resize(cv2.cvtColor(np.ascontiguousarray(crop), cv2.COLOR_RGB2GRAY), (columns, HEIGHT))
        line = (grey.astype(np.float32) / 127.5 - 1.0)[None, None]
        found = self._session.run(None, {"line": line})[0][0]
        return dict(zip(self._names, map(float, found), strict=True))
