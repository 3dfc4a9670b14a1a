"""Parts of a line of text that may be a formula's."""

import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.found_symbols import Symbol
from docparse_fast.drafting.formulas.line_parts import Type, _is_script_comma


@pytest.mark.parametrize(
    ("top", "foot", "is_script"), [(97, 103, False), (99.8, 106, True), (93, 100, False), (90, 96, True)]
)
def test_a_comma_is_a_scripts_where_it_stands_lower_or_higher(top, foot, is_script):
    comma = Symbol(",", "roman", Box(50, top, 53, foot), foot, 20, 1.0)
    assert _is_script_comma(comma, Type(size=20, baseline=100)) == is_script
