"""The numeral one of Chinese, and dashes read as one."""

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.scans.lone_dashes import with_dashes


def texts(*said):
    lines = [Line(Box(0, 30 * n, 90, 30 * n + 20), text, 14, "embedded") for n, text in enumerate(said)]
    return [line.text for line in with_dashes(lines)]


def test_a_numeral_alone_among_latin_lines_is_a_dash():
    assert texts("Flow rate", "一") == ["Flow rate", "–"]


def test_among_chinese_lines_it_is_the_numeral():
    assert texts("第一章", "一") == ["第一章", "一"]
