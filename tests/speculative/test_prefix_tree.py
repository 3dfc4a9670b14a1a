"""The tree has exactly its candidates' prefixes, packed so that the decoder can use it directly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.speculative.guess_tree import Guess, GuessTree
from docparse_fast.speculative.prefix_tree import Chance, PrefixTree, TreeBuilder

tokens = st.lists(st.integers(0, 3), max_size=6).map(tuple)
candidate_lists = st.lists(tokens, max_size=6)
shares = st.floats(0.01, 0.99)
chance_of = st.builds(Chance, shares, shares, st.dictionaries(st.integers(1, 4), shares, max_size=2))


@st.composite
def guesses(draw):
    candidates = draw(candidate_lists)
    return candidates, [draw(chance_of) for _ in candidates]


def paths_of(tree):
    """The tokens on the path to every node."""
    return [tuple(tree.tokens[node] for node in tree.path(node)[1:]) for node in range(len(tree))]


def prefixes_of(candidates):
    return {tuple(candidate[:size]) for candidate in candidates for size in range(len(candidate) + 1)} | {()}


@given(candidate_lists)
def test_with_room_for_all_the_tree_holds_exactly_its_candidates_prefixes(candidates):
    paths = paths_of(PrefixTree.build(9, candidates, budget=100))
    assert len(paths) == len(set(paths))
    assert set(paths) == prefixes_of(candidates)


@given(guesses(), st.integers(1, 20))
def test_a_budget_limits_the_number_of_prefixes(guesses, budget):
    candidates, chances = guesses
    tree = PrefixTree.build(9, candidates, budget, chances)
    assert len(tree) == min(budget, len(prefixes_of(candidates)))
    assert set(paths_of(tree)) <= prefixes_of(candidates)


@given(guesses(), st.integers(1, 20))
def test_nodes_are_packed_parent_first_in_depth_first_order(guesses, budget):
    tree = PrefixTree.build(9, guesses[0], budget, guesses[1])
    assert tree.tokens[0] == 9 and tree.parents[0] == -1
    for node in range(1, len(tree)):
        assert tree.depths[node] == tree.depths[tree.parents[node]] + 1
        assert tree.children[tree.parents[node]][tree.tokens[node]] == node
        assert tree.child(tree.parents[node], tree.tokens[node]) == node
        assert tree.parents[node] in tree.path(node - 1)  # the next node hangs on the path just left
    assert sum(map(len, tree.children)) == len(tree) - 1


@given(guesses(), st.integers(1, 20), st.integers(1, 20))
def test_a_smaller_tree_is_part_of_a_larger_one(guesses, small, large):
    builder = TreeBuilder(*guesses, limit=20)
    small, large = sorted((small, large))
    assert set(paths_of(builder.tree(9, small))) <= set(paths_of(builder.tree(9, large)))


@given(guesses(), st.integers(1, 20))
def test_every_node_names_a_candidate_that_leads_through_it(guesses, budget):
    tree = PrefixTree.build(9, guesses[0], budget, guesses[1])
    for source, path in zip(tree.sources[1:], paths_of(tree)[1:], strict=True):
        assert tuple(guesses[0][source][: len(path)]) == path


@given(guesses())
def test_chances_never_rise_along_a_path_and_siblings_share_their_parents(guesses):
    builder = TreeBuilder(*guesses, limit=50)
    chances = dict(zip(paths_of_growth(builder), builder.chances, strict=True))
    for path, chance in chances.items():
        children = [chances[other] for other in chances if other and other[:-1] == path]
        assert sum(children) <= chance + 1e-9


def paths_of_growth(builder):
    """The node that each size adds, in the builder's order."""
    known, order = set(), []
    for size in range(1, len(builder) + 1):
        [fresh] = set(paths_of(builder.tree(9, size))) - known
        known.add(fresh)
        order.append(fresh)
    return order


def test_the_likeliest_branch_comes_first_so_that_taking_it_moves_nothing():
    tree = PrefixTree.build(9, [(1, 2), (3, 4), (5,)], 6, [Chance(0.2, 0.9), Chance(0.9, 0.9), Chance(0.1, 0.9)])
    assert tree.tokens == [9, 3, 4, 1, 2, 5]
    assert tree.path(2) == [0, 1, 2]


def test_a_budget_goes_to_the_likely_branch_before_the_others():
    likely, unlikely = tuple(range(20)), tuple(range(50, 70))
    tree = PrefixTree.build(9, [unlikely, likely], 16, [Chance(0.1, 0.5), Chance(0.9, 0.99)])
    assert tree.tokens[1:16] == list(likely[:15])


def test_without_chances_earlier_candidates_go_first_and_whole():
    assert PrefixTree.build(9, [(1, 2, 3), (4, 5), (6,)], budget=5).tokens == [9, 1, 2, 3, 4]


def test_an_unlikely_branch_yields_to_the_next():
    tree = PrefixTree.build(9, [(1,) * 9, (2,) * 9], 9, [Chance(0.5, 0.5), Chance(0.5, 0.5)])
    assert {1, 2} <= set(tree.tokens)


def test_a_token_with_a_known_chance_uses_it():
    sure = Chance(0.9, 0.99)
    turning = Chance(0.9, 0.99, {2: 0.01})
    assert TreeBuilder([range(4)], [sure], 9).chances[3] == pytest.approx(0.9 * 0.99**2)
    assert TreeBuilder([range(4)], [turning], 9).chances[2:4] == pytest.approx([0.9 * 0.99, 0.9 * 0.99 * 0.01])


def test_nodes_below_the_least_chance_are_not_grown():
    builder = TreeBuilder([range(9), range(20, 29)], [Chance(0.8, 0.5), Chance(0.3, 0.5)], 50, 0.15)
    assert builder.chances == [1.0, 0.8, 0.4, 0.2]


def test_a_sibling_gets_what_the_likelier_one_left():
    builder = TreeBuilder([(1,), (2,), (3,)], [Chance(0.6), Chance(0.5), Chance(0.5)], 9)
    assert builder.chances == pytest.approx([1.0, 0.6, 0.4 * 0.5, 0.2 * 0.5])


def test_a_branch_off_the_middle_of_a_run_gets_what_the_run_left():
    builder = TreeBuilder([(1, 2, 3, 4), (1, 2, 9)], [Chance(0.9, 0.8), Chance(0.3, 0.5)], 9)
    assert builder.tree(0, 9).tokens == [0, 1, 2, 3, 4, 9]
    assert builder.chances[-1] == pytest.approx(builder.chances[2] * 0.5 * 0.2)


@given(guesses(), st.integers(1, 20))
def test_ancestry_is_true_at_a_node_and_its_ancestors_only(guesses, budget):
    tree = PrefixTree.build(9, guesses[0], budget, guesses[1])
    expected = np.zeros((len(tree), len(tree)), dtype=bool)
    for node in range(len(tree)):
        expected[node, tree.path(node)] = True
    assert (tree.ancestry() == expected).all()


def test_without_candidates_the_tree_is_its_root():
    tree = PrefixTree.build(9, [], budget=5)
    assert (tree.tokens, tree.parents, tree.depths, tree.sources, tree.children) == ([9], [-1], [0], [-1], [{}])


def endless(chance):
    """Guesses 1 and, less likely, 2 after everything."""
    pair = [Guess(chance, 1, None), Guess(chance / 2, 2, None)]
    return GuessTree(pair, lambda guess, reach: pair)


@given(guesses(), st.integers(1, 20), st.floats(0.1, 0.9))
def test_guesses_are_added_where_they_are_likelier_than_candidates(guesses, size, chance):
    candidates, chances = guesses
    builder = TreeBuilder([*candidates, ()], [*chances, Chance(0.9)], 20, 0.01, endless(chance))
    tree = builder.tree(9, size)
    assert len(set(zip(tree.parents, tree.tokens, strict=True))) == len(tree) <= size
    assert all(parent < node for node, parent in enumerate(tree.parents))
    assert all(0.0 <= reach <= 1.0 for reach in builder.chances)


def test_a_guess_goes_on_below_a_candidates_node():
    builder = TreeBuilder([(1, 5), ()], [Chance(0.6, 0.5), Chance(0.5)], 8, 0.01, endless(0.8))
    tree = builder.tree(9, 8)
    below = tree.children[0][1]
    assert tree.sources[below] == 0
    assert tree.sources[tree.children[below][1]] == 1


def test_guesses_are_asked_for_only_below_likely_nodes():
    asked = []
    once = [Guess(0.5, 1, None)]
    tree = GuessTree(once, lambda guess, reach: asked.append(reach) or once)
    TreeBuilder([()], [Chance(1.0)], 64, 0.1, tree)
    assert asked == pytest.approx([0.5, 0.25, 0.125])


def test_the_likeliest_path_leaves_out_branches():
    builder = TreeBuilder([(1, 2, 3, 4), (1, 9)], [Chance(0.9, 0.8), Chance(0.8, 0.5)], 9)
    assert builder.likeliest(3) == [1, 2, 3]
    assert TreeBuilder([], [], 9).likeliest(3) == []
