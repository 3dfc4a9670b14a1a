"""Figures as they are printed in many countries."""

from __future__ import annotations

import pytest

from docparse_fast.sums.figures import figures_of


def value(text: str) -> float | None:
    figure = figures_of([[text]])[0][0]
    return figure.value if figure else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.234,56", 1234.56),
        ("1\u202f234,56 €", 1234.56),
        ("1 234,56", 1234.56),
        ("1,234.56", 1234.56),
        ("CHF 1’234.50", 1234.5),
        ("(1,234.50)", 1234.5),
        ("1,234-", -1234.0),
        ("−5.30 €", -5.3),
        ("-$5.3", -5.3),
        ("1,23,456.78", 123456.78),
        ("١٬٢٣٤٫٥٦", 1234.56),
        ("१,२३४.५", 1234.5),
        ("１，２３４．５６", 1234.56),
        ("19 %", 19.0),
        ("12 pcs", 12.0),
        ("36,000 (2)", 36000.0),
        (".5", 0.5),
        ("zł 5", 5.0),
        ("Rs.500", 500.0),
    ],
)
def test_a_figure_is_read_in_the_format_of_its_country(text, expected):
    assert value(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("2025-09-24", "12.11.2025", "08:42", "12 May 2024", "030 1234 5678", "1234 5678 9012 3456"),
        *("VP65471481", "AB-123", "0123", "<0.5", "3–5", "12,34,5", "3 of the boxes", "Total", ""),
    ],
)
def test_dates_times_codes_and_telephone_numbers_are_no_figures(text):
    assert value(text) is None


def test_the_column_says_what_a_point_means():
    rows = figures_of([["1.234", "1.234"], ["5,50", "2.5"]])
    assert [each.value for each in rows[0] if each] == [1234.0, 1.234]


def test_the_whole_table_says_it_where_the_column_does_not():
    rows = figures_of([["1.234", "0,5"], ["7.000", "1,25"]])
    assert [row[0].value for row in rows if row[0]] == [1234.0, 7000.0]


def test_brackets_are_a_minus_unless_the_whole_column_has_them():
    assert [row[0].value for row in figures_of([["(5)"], ["7"]]) if row[0]] == [-5.0, 7.0]
    assert [row[0].value for row in figures_of([["(5)"], ["(7)"]]) if row[0]] == [5.0, 7.0]
