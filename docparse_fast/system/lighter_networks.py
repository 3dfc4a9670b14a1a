"""Changes the ONNX file of PyMuPDF's picture network in memory: the same answers, to the bit, in half the time.

The network ends with a copy of five maps into one (`Concat`): they are left apart. Its `PRelu` have one slope each:
called `LeakyRelu`, ONNX Runtime joins them to the convolutions before them. Knows as much of the format as it needs,
since no package that edits such files is installed; knows nothing of pages.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docparse_fast.system.onnx import open_session

MessageField = tuple[int, int, Any]  # of a message in the file: its number, how it is written, what it says
Maps = NDArray[np.float32]

OF_PICTURES, WHOLE = "feature_imf1.onnx", "combined"  # the file, and its answer that is put together

VARINT, FIXED_8, BYTES, FIXED_4 = 0, 1, 2, 5  # how a field is written
GRAPH = 7  # of the model
NODE, WEIGHT, ANSWER = 1, 5, 12  # of the graph
GIVEN, MADE, DOES, SETTING = 1, 2, 4, 5  # of a node
KIND, NAME, RAW = 2, 8, 9  # of a weight
FLOATS = 1  # a weight's kind


class InParts:
    """A session that leaves one of its answers in the parts which the file would have put together."""

    def __init__(self, session: Any, whole: str, parts: Sequence[str]) -> None:
        self._session = session
        self._parts = list(parts)
        self._others = [each.name for each in session.get_outputs() if each.name not in parts]
        self._names = [whole, *self._others]

    def get_inputs(self) -> Any:
        return self._session.get_inputs()

    def get_outputs(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name=name) for name in self._names]

    def run(self, _names: Sequence[str], given: dict[str, Any]) -> list[Any]:
        found = self._session.run([*self._parts, *self._others], given)
        return [tuple(found[: len(self._parts)]), *found[len(self._parts) :]]


def lighten(model_module: Any, threads: int) -> None:
    """PyMuPDF's module opens its sessions here from now on, and pools maps that are in parts."""
    pool = importlib.import_module("pymupdf.layout.roi_pooling").extract_bbox_features_by_roi_pooling
    model_module.extract_bbox_features_by_roi_pooling = partial(pooled_in_parts, pool)
    model_module.make_session = lambda weights, providers=None: _opened(Path(weights), threads)


def _opened(weights: Path, threads: int) -> Any:
    if weights.name != OF_PICTURES:
        return open_session(weights, threads)
    content, parts = lighter(weights.read_bytes(), WHOLE)
    session = open_session(content, threads)
    return InParts(session, WHOLE, parts) if parts else session


def pooled_in_parts(
    pool: Callable[..., Maps], maps: Maps | tuple[Maps, ...], *given: Any, pooling_ops: Sequence[str], **more: Any
) -> Maps:
    """What `pool` says of maps that may be in parts: way by way, all parts of each."""
    if not isinstance(maps, tuple):
        return pool(maps, *given, pooling_ops=pooling_ops, **more)
    found = [pool(part, *given, pooling_ops=pooling_ops, **more) for part in maps]
    by_way = [each.reshape(len(each), len(pooling_ops), -1) for each in found]
    return np.concatenate(by_way, axis=2).reshape(len(found[0]), -1)


def lighter(model: bytes, whole: str) -> tuple[bytes, tuple[str, ...]]:
    """The file without the detours, and the names of the parts of `whole`, if it is put together of some."""
    parts: list[bytes] = []
    written = list[MessageField]()
    for number, way, value in fields(model):
        written.append(
            (number, way, _lighter_graph(fields(value), whole.encode(), parts) if number == GRAPH else value)
        )
    return message(written), tuple(part.decode() for part in parts)


def _lighter_graph(graph: Sequence[MessageField], whole: bytes, parts: list[bytes]) -> bytes:
    nodes = [fields(value) for number, _, value in graph if number == NODE]
    slopes = dict(filter(None, (_slope(fields(value)) for number, _, value in graph if number == WEIGHT)))
    # where one goes into a scaling that stands alone, the runtime would join that, too, and round differently
    scaled = {_all(node, GIVEN)[0] for node in nodes if _all(node, DOES) == [b"BatchNormalization"]}
    kept = []
    for node in nodes:
        if _all(node, DOES) == [b"Concat"] and _all(node, MADE) == [whole]:
            parts += _all(node, GIVEN)
        else:
            kept.append(node if _all(node, MADE)[0] in scaled else _with_slope(node, slopes))
    others = [f for f in graph if f[0] != NODE and not (parts and f[0] == ANSWER and (1, BYTES, whole) in fields(f[2]))]
    a_float = message([(2, BYTES, message([(1, BYTES, message([(1, VARINT, FLOATS)]))]))])
    answers = [(ANSWER, BYTES, message([(1, BYTES, part)]) + a_float) for part in parts]
    return message([*((NODE, BYTES, message(node)) for node in kept), *others, *answers])


def _slope(weight: Sequence[MessageField]) -> tuple[bytes, bytes] | None:
    """The name and the four bytes of a weight that is one number."""
    raw = _all(weight, RAW)
    return (_all(weight, NAME)[0], raw[0]) if _all(weight, KIND) == [FLOATS] and raw and len(raw[0]) == 4 else None


def _with_slope(node: Sequence[MessageField], slopes: dict[bytes, bytes]) -> Sequence[MessageField]:
    given = _all(node, GIVEN)
    if _all(node, DOES) != [b"PRelu"] or given[1] not in slopes:
        return node
    slope = message([(1, BYTES, b"alpha"), (2, FIXED_4, slopes[given[1]]), (20, VARINT, 1)])
    others = [field for field in node if field[0] not in (GIVEN, DOES)]
    return [(GIVEN, BYTES, given[0]), *others, (DOES, BYTES, b"LeakyRelu"), (SETTING, BYTES, slope)]


def _all(fields: Iterable[MessageField], number: int) -> list[Any]:
    return [value for n, _, value in fields if n == number]


# ------------------------------------------------------------------------------------------- messages


def fields(data: bytes) -> list[MessageField]:
    """The fields of a message in the format that ONNX files have, protobuf.

    >>> fields(b"\\x08\\x96\\x01\\x12\\x02hi")
    [(1, 0, 150), (2, 2, b'hi')]
    """
    found: list[MessageField] = []
    at = 0
    while at < len(data):
        key, at = _number(data, at)
        way = key & 7
        if way == VARINT:
            value, at = _number(data, at)
            found.append((key >> 3, way, value))
            continue
        size = {FIXED_8: 8, FIXED_4: 4}.get(way, 0)
        if way == BYTES:
            size, at = _number(data, at)
        found.append((key >> 3, way, data[at : at + size]))
        at += size
    return found


def message(fields: Iterable[MessageField]) -> bytes:
    """
    >>> message([(1, 0, 150), (2, 2, b"hi")])
    b'\\x08\\x96\\x01\\x12\\x02hi'
    """
    written = bytearray()
    for number, way, value in fields:
        written += _varint(number << 3 | way)
        written += _varint(value) if way == VARINT else _varint(len(value)) + value if way == BYTES else value
    return bytes(written)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, and where it ends."""
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])
