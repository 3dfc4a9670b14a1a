"""Weights of two drafts, in tenths."""

from docparse_fast.speculative.ensemble import ByTenths


def test_tenths_go_from_the_first_draft_alone_to_the_second_alone():
    options = ByTenths().options(2)
    assert (options[0], options[-1]) == ([1.0, 0.0], [0.0, 1.0])
    assert all(abs(sum(each) - 1) < 1e-9 for each in options)
