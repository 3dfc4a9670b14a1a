"""A network's file without detours, on PyMuPDF's own network of a page's picture."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from pymupdf.layout.roi_pooling import extract_bbox_features_by_roi_pooling as pool

from docparse_fast.system.lighter_networks import OF_PICTURES, WHOLE, InParts, fields, lighter, message, pooled_in_parts
from docparse_fast.system.onnx import open_session

BOXES = [(20.0, 30.0, 280.0, 44.0), (20.0, 50.0, 130.0, 64.0), (5.0, 5.0, 6.0, 6.0)]


@pytest.fixture(scope="module")
def weights():
    return Path(find_spec("pymupdf").origin).parent / "layout" / "resources" / "onnx" / OF_PICTURES


@pytest.fixture(scope="module")
def answers(weights):
    """What the file says of a picture, and what it says without the detours."""
    content, parts = lighter(weights.read_bytes(), WHOLE)
    picture = {"input": np.random.default_rng(1).random((1, 1, 300, 300), dtype=np.float32)}
    plain = open_session(weights, 1)
    names = [each.name for each in plain.get_outputs()]
    light = InParts(open_session(content, 1), WHOLE, parts)
    assert [each.name for each in light.get_outputs()] == names
    return plain.run(names, picture), light.run(names, picture)


def test_a_lighter_network_says_the_same_to_the_bit(answers):
    (whole, logits), (parts, same_logits) = answers
    assert len(parts) == 5
    assert np.array_equal(np.concatenate(parts, axis=1), whole)
    assert np.array_equal(same_logits, logits)


def test_maps_in_parts_are_pooled_as_one(answers):
    (whole, _), (parts, _) = answers
    ways = {"pooling_ops": ("mean", "max")}
    assert np.array_equal(pooled_in_parts(pool, parts, BOXES, 300, 400, **ways), pool(whole, BOXES, 300, 400, **ways))
    assert np.array_equal(pooled_in_parts(pool, whole, BOXES, 300, 400, **ways), pool(whole, BOXES, 300, 400, **ways))


def test_a_network_whose_answer_is_not_put_together_stays_whole(weights):
    _, parts = lighter(weights.read_bytes(), "another")
    assert parts == ()


def test_a_file_that_is_read_and_written_is_the_same(weights):
    content = weights.read_bytes()
    assert message(fields(content)) == content
