"""A line of text on a page, whoever read it: OCR or the page's own text layer. What assembly groups into regions."""

from __future__ import annotations

from dataclasses import dataclass

from docparse_fast.document import Box


@dataclass(frozen=True, slots=True)
class Line:
    """`text` is Markdown within the line (links, emphasis); `plain` is what stands on the page."""

    box: Box
    text: str
    size: float  # of the type, in pixels: its body height, not the box's
    source: str  # the draft's source: "embedded", "text-layer"
    bold: bool = False
    italic: bool = False
    mono: bool = False
    confidence: float | None = None
    plain: str = ""
    words: tuple[tuple[Box, str], ...] = ()  # where each word stands, for whoever must split a line

    def __post_init__(self) -> None:
        if not self.plain:
            object.__setattr__(self, "plain", self.text)
