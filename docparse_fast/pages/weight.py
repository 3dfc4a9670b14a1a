"""Estimates how much MuPDF would draw and read for a PDF page, before it does. Knows streams and forms; draws nothing.

A file of a few kilobytes can unpack to gigabytes of drawing commands, or call a form that calls a form ten times over
until a page would take a year to draw. MuPDF has no limit and can't be stopped on the way, so the amount must be known
beforehand. Streams are unpacked and counted without being kept; a form counts as often as it is called, a pattern as
often as something is painted with it. Letters that are drawings (Type 3) and masks are not followed, and no count tells
how long shadings and patterns take: pages with one may take any time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from typing import Any

from docparse_fast.system.mupdf import pymupdf

MOST_DRAWN = 200_000_000  # bytes of drawing commands; long lines and large areas take hours long before: --page-timeout
MOST_CHARACTERS = 500_000  # of text; the densest newspaper page has a tenth
MOST_LOOKED_INTO = 32_000_000  # bytes of one stream; of a longer one only the length counts
DEEPEST = 40  # forms within forms
# What a page has at most that is known to be drawn within seconds: 2,000 rectangles of its own size take two
QUICK_DRAWN, QUICK_CHARACTERS, QUICK_PAINTED = 500_000, 20_000, 2_000
STEP = 1 << 20
_PICTURES = frozenset({"JBIG2Decode", "JPXDecode", "DCTDecode", "DCT", "CCITTFaxDecode", "CCF"})

_CALL = re.compile(rb"/([^\s/<>\[\](){}%]+)\s+Do\b")
# possessive: what stands in a string is taken once, without a way back for each of its millions of letters
_STRING = re.compile(rb"\(((?:[^()\\]++|\\.)*+)(\)?)|<([0-9A-Fa-f\s]++)>", re.DOTALL)
_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")
_PAINTED = re.compile(rb"\b(?:re|[SsfFBb])(?=[\s*])")
_WITH_PATTERN = re.compile(
    rb"/([^\s/<>\[\](){}%]+)\s+(?:scn|SCN)\b(.*?)(?=\b(?:scn|SCN|rg|RG|cs|CS|[gGkK])\s|\Z)", re.DOTALL
)
_LASTING = re.compile(rb"/[^\s/<>\[\](){}%]+\s+(?:scn|SCN|sh)\b")
_SET_UP = re.compile(rb"\b(?:W|gs|Do)(?=[\s*])")
_OUTLINED = re.compile(rb"\b[26]\s+Tr\b")


@dataclass(frozen=True, slots=True)
class Weight:
    """
    >>> 3 * Weight(10, 2) + Weight(1)
    Weight(drawn=31, characters=6, outlined=0, painted=0, set_up=0, lasting=0)
    """

    drawn: int = 0  # bytes of drawing commands, counted as often as they are executed
    characters: int = 0  # bytes in text strings
    outlined: int = 0  # commands from which letters are both filled and stroked
    painted: int = 0  # paths and rectangles
    set_up: int = 0  # clips, states and pictures
    lasting: int = 0  # what takes any time: shadings, patterns, masks, fonts whose letters are drawings

    @property
    def may_last(self) -> bool:
        """Whether MuPDF may be busy with it for more than some seconds, or for ever."""
        many = self.drawn > QUICK_DRAWN or self.characters > QUICK_CHARACTERS
        return many or self.painted + self.set_up > QUICK_PAINTED or self.lasting > 0

    def __add__(self, other: Weight) -> Weight:
        return Weight(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    def __rmul__(self, times: int) -> Weight:
        return Weight(*(times * each for each in astuple(self)))


TOO_HEAVY = Weight(MOST_DRAWN + 1, MOST_CHARACTERS + 1, painted=MOST_DRAWN)


def weigh(page: pymupdf.Page) -> Weight:
    """The sum of the page's own commands, of the forms that it calls, and of its annotations."""
    scales, pdf_page = _Scales(page.parent), pymupdf._as_pdf_page(page)
    resources = pymupdf.mupdf.pdf_page_resources(pdf_page)
    own = scales.commands(page.get_contents(), resources, 0)
    return sum((scales.form(xref, resources, 0) for xref in _appearances(pdf_page)), own)


class _Scales:
    def __init__(self, document: pymupdf.Document) -> None:
        self._document = document
        self._pdf = pymupdf._as_pdf_document(document)
        self._known: dict[int, Weight] = {}

    def commands(self, xrefs: list[int], resources: Any, depth: int) -> Weight:
        """Weighs content streams, which may be split anywhere between two commands."""
        lengths = [self._length(xref) for xref in xrefs]
        length = sum(lengths)
        if length > MOST_LOOKED_INTO:
            return Weight(max(length, MOST_LOOKED_INTO), length, painted=length)
        data = b"\n".join(map(self._unpacked, xrefs))
        outlined, painted, set_up = (len(each.findall(data)) for each in (_OUTLINED, _PAINTED, _SET_UP))
        lasting = len(_LASTING.findall(data)) + _takes_any_time(resources)
        total = Weight(length, _characters(data), outlined, painted, set_up, lasting)
        if forms := _named(resources, "XObject", "Form") if b"Do" in data else {}:
            total += self._called(Counter(_CALL.findall(data)), forms, resources, depth)
        if patterns := _named(resources, "Pattern", "") if b"scn" in data.lower() else {}:
            filled = Counter[bytes]()
            for found in _WITH_PATTERN.finditer(data):
                filled[found[1]] += len(_PAINTED.findall(found[2]))
            total += self._called(filled, patterns, resources, depth)
        return total

    def _called(self, times: Mapping[bytes, int], named: Mapping[bytes, int], resources: Any, depth: int) -> Weight:
        """What forms or patterns weigh, each as many times as its name is called."""
        total = Weight()
        for name, count in times.items():
            xref = named.get(_ESCAPE.sub(lambda found: bytes.fromhex(found[1].decode()), name))
            if xref is not None:
                total += count * self.form(xref, resources, depth + 1)
        return total

    def form(self, xref: int, resources: Any, depth: int) -> Weight:
        if depth > DEEPEST:
            return TOO_HEAVY
        if xref not in self._known:
            self._known[xref] = Weight()  # MuPDF does not follow a form into itself
            own = _get(pymupdf.mupdf.pdf_new_indirect(self._pdf, xref, 0), "Resources")
            has_own = pymupdf.mupdf.pdf_is_dict(own)
            self._known[xref] = self.commands([xref], own if has_own else resources, depth)
        return self._known[xref]

    def _unpacked(self, xref: int) -> bytes:
        try:
            return self._document.xref_stream(xref) or b""
        except Exception:  # it has no stream, so nothing is drawn
            return b""

    def _length(self, xref: int) -> int:
        """The unpacked size in bytes, at most a little over MOST_DRAWN; the data is not kept."""
        if _PICTURES & set(_filters(self._pdf, xref)):
            return MOST_DRAWN + 1  # no commands stand in a picture, and unpacking one may take minutes
        length = 0
        try:
            stream = pymupdf.mupdf.pdf_open_stream_number(self._pdf, xref)
            while length <= MOST_DRAWN and (step := pymupdf.mupdf.fz_skip(stream, STEP)):
                length += step
        except Exception:  # broken from here on; drawing it stops here too
            return length
        return length


def _filters(pdf: Any, xref: int) -> Iterator[str]:
    """The names of a stream's filters: one, or a list."""
    found = _get(pymupdf.mupdf.pdf_new_indirect(pdf, xref, 0), "Filter")
    yield pymupdf.mupdf.pdf_to_name(found)
    for index in range(pymupdf.mupdf.pdf_array_len(found)):
        yield pymupdf.mupdf.pdf_to_name(pymupdf.mupdf.pdf_array_get(found, index))


def _characters(data: bytes) -> int:
    if len(data) <= MOST_CHARACTERS // 1000:  # too small to matter, unless a form is called a thousand times
        return len(data)
    return sum(_shown(found) for found in _STRING.finditer(data))


def _shown(found: re.Match[bytes]) -> int:
    """How many characters a string has; none if it is not closed, as bytes of a picture may look."""
    if found[3] is not None:
        return len(found[3]) // 2
    return len(found[1]) if found[2] else 0


def _takes_any_time(resources: Any) -> bool:
    """Whether there is a font whose letters are drawings, or a mask: they call for streams that are not followed."""
    fonts, states = (_entries(resources, kind) for kind in ("Font", "ExtGState"))
    drawn = any(pymupdf.mupdf.pdf_to_name(_get(font, "Subtype")) == "Type3" for font in fonts)
    return drawn or any(pymupdf.mupdf.pdf_is_dict(_get(state, "SMask")) for state in states)


def _entries(resources: Any, kind: str) -> Iterator[Any]:
    named = _get(resources, kind)
    return (pymupdf.mupdf.pdf_dict_get_val(named, n) for n in range(pymupdf.mupdf.pdf_dict_len(named)))


def _named(resources: Any, kind: str, subtype: str) -> dict[bytes, int]:
    """The named streams of a kind and subtype, by their xrefs; patterns have no subtype."""
    named = _get(resources, kind)
    found = {}
    for index in range(pymupdf.mupdf.pdf_dict_len(named)):
        entry = pymupdf.mupdf.pdf_dict_get_val(named, index)
        if pymupdf.mupdf.pdf_to_name(_get(entry, "Subtype")) == subtype and pymupdf.mupdf.pdf_is_stream(entry):
            name = pymupdf.mupdf.pdf_to_name(pymupdf.mupdf.pdf_dict_get_key(named, index))
            found[name.encode("utf-8", "surrogateescape")] = pymupdf.mupdf.pdf_to_num(entry)
    return found


def _appearances(page: Any) -> Iterator[int]:
    """The forms that show annotations: one for each, or one for each of its states."""
    annotations = _get(page.obj(), "Annots")
    for index in range(pymupdf.mupdf.pdf_array_len(annotations)):
        looks = _get(_get(pymupdf.mupdf.pdf_array_get(annotations, index), "AP"), "N")
        if pymupdf.mupdf.pdf_is_stream(looks):
            yield pymupdf.mupdf.pdf_to_num(looks)
            continue
        for state in range(pymupdf.mupdf.pdf_dict_len(looks)):
            yield pymupdf.mupdf.pdf_to_num(pymupdf.mupdf.pdf_dict_get_val(looks, state))


def _get(dictionary: Any, name: str) -> Any:
    return pymupdf.mupdf.pdf_dict_gets(dictionary, name)
