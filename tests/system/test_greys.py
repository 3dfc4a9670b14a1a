"""The greys of a picture, counted."""

import numpy as np

from docparse_fast.system.greys import percentiles


def test_percentiles_are_those_of_numpy():
    chance = np.random.default_rng(7)
    for size in (1, 2, 3, 40, 999):
        greys = chance.integers(0, 256, size).astype(np.uint8)
        assert (
            percentiles(greys, 0, 0.5, 3, 50, 90, 99, 100)
            == np.percentile(greys, (0, 0.5, 3, 50, 90, 99, 100)).tolist()
        )


def test_a_picture_of_one_grey_has_that_alone():
    assert percentiles(np.full((4, 6), 200, np.uint8)[::2, ::3], 1, 50, 99) == [200, 200, 200]
