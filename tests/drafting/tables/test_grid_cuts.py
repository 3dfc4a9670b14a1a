"""Where a grid's rows and columns are cut: the price of each place is how many words it would cross."""

import random

from docparse_fast.document import Box
from docparse_fast.drafting.tables.grid import PULL, _candidates, _separable


def test_a_place_costs_as_much_as_it_crosses_words_and_lies_off():
    chance = random.Random(5)
    for _ in range(40):
        starts = [chance.randrange(0, 90) for _ in range(30)]
        cores = [(float(start), float(start + chance.randrange(0, 25))) for start in starts]
        low, high = 20.0, 80.0
        for place, price in _candidates(low, high, 47.0, cores):
            crossed = sum(start < place < end for start, end in cores)
            assert price == crossed + PULL * abs(place - 47.0) / (0.5 * (high - low))


def test_words_close_together_are_parted_by_a_rule_alone():
    words = (Box(300, 0, 340, 10), "net"), (Box(343, 0, 390, 10), "weight")
    assert not _separable(*words, 10.0, lambda _: False)
    assert _separable(*words, 10.0, lambda gap: gap.x0 < 341 < 342 < gap.x1)
