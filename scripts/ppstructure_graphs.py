"""ONNX graphs around published models, so that PaddleX finds the inputs and outputs of the models that it knows.

`layout` turns PicoDet's heads into boxes, `cells` turns the table model into a detector of cells, `constant` answers
the same for any image. A detector gives rows of class, score and corners in the image's own pixels, and their number.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, compose, helper, numpy_helper, parser

LAYOUT_SIZE = (800, 608)  # height and width, fixed in the model
STRIDES = (8, 16, 32, 64)
STEPS = 8  # each side of a box is a distribution over so many steps of a stride
MOST, OVERLAP, SURE = 100, 0.5, 0.3
TABLE_SIZE = 488  # pixels of the table model's square
SMALL = {"zero": 0, "one": 1, "two": 2, "three": 3}

BOXES = """
<ir_version: 8, opset_import: ["" : 13]>
boxes ({inputs}, float[1, 2] scale_factor) => (float[n, 6] found, int32[1] count)
{{
    scores = Concat <axis = 1> ({scores})
    by_class = Transpose <perm = [0, 2, 1]> (scores)
    sides = Concat <axis = 1> ({sides})
    steps = Reshape (sides, four_by_steps)
    likely = Softmax <axis = 3> (steps)
    far = MatMul (likely, numbers)
    distances = Mul (far, outwards)
    corners = Add (distances, centers)
    kept = NonMaxSuppression (corners, by_class, most, overlap, sure)
    classes = Slice (kept, one, two, one)
    places = Slice (kept, two, three, one)
    score = GatherND (by_class, kept)
    scored = Unsqueeze (score, one)
    label = Gather (labels, classes)
    all_corners = Squeeze (corners, zero)
    flat = Squeeze (places, one)
    chosen = Gather (all_corners, flat)
    scales = Gather <axis = 1> (scale_factor, x_y_x_y)
    placed = Div (chosen, scales)
    inside = Max (placed, nothing)
    boxes = Concat <axis = 1> (label, scored, inside)
    found = Concat <axis = 0> (boxes, none)
    size = Shape (found)
    many = Gather (size, zero)
    count = Cast <to = 6> (many)
}}
"""
PADDED = """
<ir_version: 7, opset_import: ["" : 14]>
padded (float[1, 3, h, w] image) => (float[1, 3, s, s] square)
{
    blue_first = Gather <axis = 1> (image, backwards)
    size = Shape (image)
    missing = Sub (full, size)
    pads = Concat <axis = 0> (no_pads, missing)
    square = Pad (blue_first, pads)
}
"""
CELLS = """
<ir_version: 7, opset_import: ["" : 14]>
cells (float[1, t, 8] polygons, float[1, t, 50] tokens, float[1, 2] scale_factor)
    => (float[n, 6] found, int32[1] count)
{
    likeliest = ArgMax <axis = 2, keepdims = 0> (tokens)
    begins = Gather (is_cell, likeliest)
    flags = Squeeze (begins, zero)
    score = ReduceMax <axes = [2], keepdims = 0> (tokens)
    scores = Squeeze (score, zero)
    kept_scores = Compress <axis = 0> (scores, flags)
    scored = Unsqueeze (kept_scores, one)
    label = Mul (scored, nothing)
    all_polygons = Squeeze (polygons, zero)
    kept = Compress <axis = 0> (all_polygons, flags)
    pixels = Mul (kept, table_size)
    x = Gather <axis = 1> (pixels, even)
    y = Gather <axis = 1> (pixels, odd)
    left = ReduceMin <axes = [1]> (x)
    right = ReduceMax <axes = [1]> (x)
    top = ReduceMin <axes = [1]> (y)
    bottom = ReduceMax <axes = [1]> (y)
    corners = Concat <axis = 1> (left, top, right, bottom)
    scales = Gather <axis = 1> (scale_factor, x_y_x_y)
    placed = Div (corners, scales)
    found = Concat <axis = 1> (label, scored, placed)
    many = Shape (kept_scores)
    count = Cast <to = 6> (many)
}
"""
CONSTANT = """
<ir_version: 8, opset_import: ["" : 13]>
constant (float[n, 3, h, w] x) => (float[n, c] answers)
{
    size = Shape (x)
    images = Slice (size, zero, one)
    shape = Concat <axis = 0> (images, across)
    answers = Expand (answer, shape)
}
"""


def layout(picodet: ModelProto, labels: Sequence[int]) -> ModelProto:
    """PicoDet's heads, scores first and sides after them, as boxes; its class n becomes `labels[n]`."""
    centers, strides = _grid()
    scores = [f"s{stride}" for stride in STRIDES]
    sides = [f"b{stride}" for stride in STRIDES]
    inputs = [f"float[1, n{stride}, {len(labels)}] s{stride}" for stride in STRIDES]
    inputs += [f"float[1, n{stride}, {4 * STEPS}] b{stride}" for stride in STRIDES]
    text = BOXES.format(inputs=", ".join(inputs), scores=", ".join(scores), sides=", ".join(sides))
    values = {
        "four_by_steps": np.array([1, -1, 4, STEPS]),
        "numbers": np.arange(STEPS, dtype=np.float32),
        "outwards": strides[None, :, None] * np.array([-1, -1, 1, 1], np.float32),
        "centers": np.tile(centers, 2)[None],
        "most": np.array([MOST]),
        "overlap": np.array([OVERLAP], np.float32),
        "sure": np.array([SURE], np.float32),
        "labels": np.array(labels, np.float32),
        "x_y_x_y": np.array([1, 0, 1, 0]),
        "nothing": np.array(0, np.float32),
        "none": np.zeros((1, 6), np.float32),  # PaddleX stumbles where a detector answers nothing at all
    }
    heads = [output.name for output in picodet.graph.output]
    return _detector(compose.merge_models(picodet, _graph(text, values), list(zip(heads, scores + sides, strict=True))))


def cells(table_model: ModelProto) -> ModelProto:
    """The table model as a detector of its own cells, which it says as polygons within its square."""
    tokens = ["", *metadata(table_model), ""]
    before = {
        "backwards": np.array([2, 1, 0]),
        "full": np.array([1, 3, TABLE_SIZE, TABLE_SIZE]),
        "no_pads": np.zeros(4, np.int64),
    }
    after = {
        "is_cell": np.array([token in ("<td", "<td></td>") for token in tokens]),
        "table_size": np.array(TABLE_SIZE, np.float32),
        "even": np.arange(0, 8, 2),
        "odd": np.arange(1, 8, 2),
        "x_y_x_y": np.array([1, 0, 1, 0]),
        "nothing": np.array(0, np.float32),
    }
    (image,), outputs = table_model.graph.input, [output.name for output in table_model.graph.output]
    squared = compose.merge_models(_graph(PADDED, before), table_model, [("square", image.name)])
    return _detector(
        compose.merge_models(squared, _graph(CELLS, after), list(zip(outputs, ("polygons", "tokens"), strict=True)))
    )


def constant(answer: NDArray[np.float32]) -> ModelProto:
    """The same answer to each image."""
    return _graph(CONSTANT, {"answer": answer[None], "across": np.array([len(answer)])})


def _grid() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The centre of each place where PicoDet looks for a box, x first, and the stride there."""
    centers, strides = [], []
    for stride in STRIDES:
        rows, columns = (math.ceil(side / stride) for side in LAYOUT_SIZE)
        y, x = np.mgrid[:rows, :columns]
        centers.append((np.stack([x.ravel(), y.ravel()], axis=1) + 0.5) * stride)
        strides.append(np.full(rows * columns, stride))
    return np.concatenate(centers).astype(np.float32), np.concatenate(strides).astype(np.float32)


def _graph(text: str, values: Mapping[str, NDArray[np.generic]]) -> ModelProto:
    model = parser.parse_model(text)
    known = {**values, **{name: np.array([number]) for name, number in SMALL.items()}}
    used = {name for node in model.graph.node for name in node.input}
    model.graph.initializer.extend(numpy_helper.from_array(known[name], name) for name in known if name in used)
    return model


def _detector(model: ModelProto) -> ModelProto:
    """With the size of the image as its first input, which PaddleX hands to each of its detectors."""
    model.graph.input.insert(0, helper.make_tensor_value_info("im_shape", 1, [1, 2]))
    return model


def metadata(model: ModelProto) -> list[str]:
    return next(entry.value for entry in model.metadata_props if entry.key == "character").split("\n")
