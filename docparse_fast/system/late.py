"""Packages that take long to load and that few pages need: each is loaded when something of it is first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any


class _Late:
    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)


if TYPE_CHECKING:
    import cv2 as cv2
    from PIL import Image as Image
else:
    cv2 = _Late("cv2")
    Image = _Late("PIL.Image")
