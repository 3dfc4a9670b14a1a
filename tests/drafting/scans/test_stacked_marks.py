from docparse_fast.drafting.scans.quads import Quad
from docparse_fast.drafting.scans.stacked_lines import with_stacked_marks

LINE = Quad(300, 100, 500, 50, 0)


def test_tone_marks_make_their_line_taller():
    [line] = with_stacked_marks([LINE, Quad(200, 72, 60, 24, 0)])
    assert (line.box.y0, line.box.y1) == (60, LINE.box.y1)


def test_a_line_close_above_is_no_mark():
    above = Quad(300, 65, 400, 30, 0)
    assert with_stacked_marks([LINE, above]) == [LINE, above]


def test_a_short_line_beside_is_no_mark():
    beside = Quad(600, 90, 60, 24, 0)
    assert with_stacked_marks([LINE, beside]) == [LINE, beside]


def test_marks_on_a_leaning_line_are_left():
    leaning = Quad(300, 100, 500, 50, 9)
    assert len(with_stacked_marks([leaning, Quad(200, 72, 60, 24, 0)])) == 2
