import numpy as np

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.components import LOOK, Ink


def paper(*rectangles: tuple[int, int, int, int]) -> np.ndarray:
    """White, with dark rectangles: left, top, right, bottom."""
    grey = np.full((60, 100), 250, np.uint8)
    for left, top, right, bottom in rectangles:
        grey[top:bottom, left:right] = 20
    return grey


def test_each_connected_piece_of_ink_has_its_box():
    found = [piece.box for piece in Ink(paper((10, 10, 20, 30), (40, 15, 70, 20))).pieces]
    assert sorted(found, key=lambda box: box.x0) == [Box(10, 10, 20, 30), Box(40, 15, 70, 20)]


def test_a_speck_is_no_piece():
    assert len(Ink(paper((10, 10, 20, 30), (50, 50, 51, 51))).pieces) == 1


def test_a_piece_fills_its_look_in_its_proportions():
    (piece,) = Ink(paper((10, 10, 20, 50))).pieces
    rows, columns = np.nonzero(piece.look[0] > 128)
    assert rows.max() - rows.min() > LOOK - 8
    assert (columns.max() - columns.min()) * 3 < rows.max() - rows.min()


def test_the_second_look_shows_what_stands_around():
    alone = Ink(paper((40, 20, 50, 40))).pieces[0]
    beside = next(p for p in Ink(paper((40, 20, 50, 40), (60, 20, 70, 40))).pieces if p.box.x0 < 50)
    assert (alone.look[0] == beside.look[0]).all()
    assert beside.look[1].sum() > alone.look[1].sum()


def test_touching_pieces_are_cut_where_they_are_thinnest():
    ink = Ink(paper((10, 10, 30, 40), (30, 24, 40, 26), (40, 10, 60, 40)))
    (piece,) = ink.pieces
    left, right = ink.halves(piece, 1)[0]
    assert 28 <= left.box.x1 <= 42
    assert left.box.height > 25
    assert right.box.height > 25


def test_an_image_without_ink_has_no_pieces():
    assert Ink(np.full((40, 40), 255, np.uint8)).pieces == []


def test_the_third_look_shows_the_piece_alone_where_it_stands():
    alone = Ink(paper((40, 20, 50, 40))).pieces[0]
    beside = next(p for p in Ink(paper((40, 20, 50, 40), (60, 20, 70, 40))).pieces if p.box.x0 < 50)
    assert (alone.look[2] == alone.look[1]).all()
    assert (beside.look[2] == alone.look[2]).all()


def test_what_is_longer_than_its_surroundings_is_cut_off():
    (piece,) = Ink(paper((2, 28, 98, 32))).pieces
    assert piece.look[2].any()
