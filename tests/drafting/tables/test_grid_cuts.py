"""Where a grid's rows and columns are cut: the price of each place is how many words it would cross."""

import random

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.grid import PULL, Slot, _candidates, _separable, fill


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


def test_a_head_that_a_network_put_over_two_columns_is_parted_where_both_words_begin_in_line_below():
    """An order's `Reference Description`, a narrow blank apart, stood over both columns."""

    def said(y, *words):
        boxes = [(Box(x, y, x + 6 * len(word), y + 10), word) for x, word in words]
        box, text = Box.around(box for box, _ in boxes), " ".join(word for _, word in boxes)
        return Line(box, text, 9, "text-layer", words=tuple(boxes))

    body = [said(20 * n, (x, word)) for n in (1, 2, 3) for x, word in ((0, f"A-{n}"), (58, f"Bolt{n}"))]
    slots = [Slot(0, 0, Box(0, 0, 150, 12), columns=2)]
    slots += [Slot(n, c, Box(58 * c, 20 * n, 58 + 92 * c, 20 * n + 12)) for n in (1, 2, 3) for c in (0, 1)]

    def head(*words):
        cells = fill(slots, [said(0, *words), *body], lambda _: False).cells()
        return [cell.text for cell in cells if cell.row == 0]

    assert head((0, "Reference"), (58, "Description")) == ["Reference", "Description"]
    assert head((12, "Reference"), (70, "Description")) == ["Reference Description"]
