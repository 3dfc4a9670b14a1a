"""A PDF of invisible text, page by page, to be laid over the visible pages. Knows lines with boxes.

Its one font has no shapes: a code for each character that is used, all of one width, and a table that says which
character each code is. So every script can be searched and copied, and nothing has to be embedded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docparse_fast.searchable.ink_rows import PlacedLine
from docparse_fast.system.mupdf import pymupdf

WIDTH = 0.5  # of each character, in its type size
NARROWEST = 0.5  # of that: where letters lie closer, poppler takes double ones for one that is printed twice
DESCENT = 0.2  # of a line's height
MOST_CODES = 65_535
MAPPED_AT_ONCE = 100  # the most lines that a table of codes may have in one piece

DESCRIPTOR = (
    "<</Type/FontDescriptor/FontName/Invisible/Flags 4/FontBBox[0 -200 500 800]/ItalicAngle 0/Ascent 800"
    "/Descent -200/CapHeight 800/StemV 80>>"
)
DESCENDANT = (
    "<</Type/Font/Subtype/CIDFontType2/BaseFont/Invisible/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)"
    "/Supplement 0>>/FontDescriptor {descriptor} 0 R/DW 500/CIDToGIDMap/Identity>>"
)
FONT = (
    "<</Type/Font/Subtype/Type0/BaseFont/Invisible/Encoding/Identity-H/DescendantFonts[{descendant} 0 R]"
    "/ToUnicode {unicode} 0 R>>"
)
CMAP = """/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CMapName /Invisible def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
{mappings}
endcmap CMapName currentdict /CMap defineresource pop end end
"""


class Overlay:
    """Add pages in order; `document` is the PDF."""

    def __init__(self) -> None:
        self.document = pymupdf.open()
        self._codes: dict[str, int] = {}
        self._font, self._unicode = self._make_font()

    def add(self, lines: Iterable[PlacedLine], width: float, height: float, scale: float) -> None:
        """A page of so many points; `scale` makes points of the pixels in which the lines' boxes are."""
        page = self.document.new_page(width=width, height=height)
        shown = "\n".join(self._line(line, height, scale) for line in lines)
        contents = self._stream(f"BT 3 Tr\n{shown}\nET".encode("ascii"))
        self.document.xref_set_key(page.xref, "Contents", f"{contents} 0 R")
        self.document.xref_set_key(page.xref, "Resources", f"<</Font<</F {self._font} 0 R>>>>")

    def finish(self) -> None:
        """Writes which characters the codes stand for."""
        self.document.update_stream(self._unicode, CMAP.format(mappings=_mappings(list(self._codes))).encode("ascii"))

    def close(self) -> None:
        self.document.close()

    def _line(self, line: PlacedLine, height: float, scale: float) -> str:
        codes = [self._code(char) for char in line.text]
        widest = line.box.width * scale / (len(codes) * WIDTH * NARROWEST)
        size = max(min(line.box.height * scale, widest), 1.0)
        stretch = 100 * line.box.width * scale / (len(codes) * WIDTH * size)
        x, y = line.box.x0 * scale, height - line.box.y1 * scale + DESCENT * size
        text = "".join(f"{code:04X}" for code in codes)
        return f"/F {size:.2f} Tf {stretch:.2f} Tz 1 0 0 1 {x:.2f} {y:.2f} Tm <{text}> Tj"

    def _code(self, char: str) -> int:
        if len(self._codes) >= MOST_CODES:
            return self._codes.get(char, 1)
        return self._codes.setdefault(char, len(self._codes) + 1)

    def _make_font(self) -> tuple[int, int]:
        unicode = self._stream(b" ")
        descriptor = self._object(DESCRIPTOR)
        descendant = self._object(DESCENDANT.format(descriptor=descriptor))
        return self._object(FONT.format(descendant=descendant, unicode=unicode)), unicode

    def _object(self, text: str) -> int:
        xref: int = self.document.get_new_xref()
        self.document.update_object(xref, text)
        return xref

    def _stream(self, data: bytes) -> int:
        xref = self._object("<<>>")
        self.document.update_stream(xref, data, new=True)
        return xref


def _mappings(chars: Sequence[str]) -> str:
    lines = [f"<{code:04X}> <{_utf16(char)}>" for code, char in enumerate(chars, 1)]
    pieces = [lines[at : at + MAPPED_AT_ONCE] for at in range(0, len(lines), MAPPED_AT_ONCE)]
    return "\n".join(f"{len(piece)} beginbfchar\n" + "\n".join(piece) + "\nendbfchar" for piece in pieces)


def _utf16(char: str) -> str:
    return char.encode("utf-16-be", "replace").hex().upper()
