"""Layers with a state instead of keys and values: trees read it, and only an accepted path moves it."""

from __future__ import annotations

import pytest
import torch
from known import Known, generate, known, path_along
from small_models import TEXT
from torch import Tensor
from transformers.models.qwen3_5.modeling_qwen3_5 import torch_recurrent_gated_delta_rule

from docparse_fast.speculative.prefix_tree import PrefixTree, ancestry_of
from docparse_fast.targets.decoder.passes import PaddedPasses
from docparse_fast.targets.decoder.recurrent import rows_alike, tree_delta_rule, windows_of
from docparse_fast.targets.decoder.vlm import View, VisionLanguageTarget

CLOSE = 1e-4
PARENTS = (-1, 0, 0, 1, 1, 2, 3, 6)  # a tree whose branches lie among each other


@pytest.fixture(scope="module", params=["qwen3_5", "qwen3_5_moe"])
def hybrid(request: pytest.FixtureRequest) -> Known:
    return known(request.param)


def states_of(target: VisionLanguageTarget, slot: int) -> list[Tensor]:
    recurrent = target.cache.recurrent
    return [recurrent.states[:, slot].clone(), recurrent.tails[:, slot].clone()]


def prefilled_with(target: VisionLanguageTarget, slot: int, view: View, answer: list[int]) -> None:
    ids = torch.cat([view.inputs["input_ids"], torch.tensor([answer])], dim=1)
    kinds = torch.nn.functional.pad(view.inputs["mm_token_type_ids"], (0, len(answer)))
    more = {"input_ids": ids, "attention_mask": torch.ones_like(ids), "mm_token_type_ids": kinds}
    target.prefill({slot: View({**view.inputs, **more})})


def branching(answer: list[int], right: int) -> PrefixTree:
    """A tree from the answer's first token, whose draft is right for so many tokens, packed behind a wrong one."""
    wrong = [(token + 7) % 200 + TEXT.start for token in answer[1:]]
    return PrefixTree.build(answer[0], [wrong, [*answer[1 : 1 + right], *wrong[right:]]], budget=32)


@pytest.mark.parametrize("right", [0, 1, 2, 4])
@pytest.mark.parametrize("padded", [False, True], ids=["packed", "of fixed shape"])
def test_the_state_after_a_partly_accepted_draft_is_that_of_a_fresh_prefill(hybrid: Known, right: int, padded: bool):
    """Twice, because a convolution's last inputs may come from before the second tree."""
    view, answer = hybrid.views[1], list(hybrid.answers[1])
    target = hybrid.target()
    if padded:
        target._passes = PaddedPasses(target._passes.model, target.cache)
    target.prefill({0: hybrid.views[0], 1: view})
    read = 0
    for _ in range(2):
        tree = branching(answer[read : read + 6], right)
        target.verify({0: branching(list(hybrid.answers[0][:3]), 1), 1: tree})
        target.commit({1: path_along(tree, answer[read + 1 : read + 1 + right])})
        read += 1 + right
    prefilled_with(target, 2, view, answer[:read])
    for ours, fresh in zip(states_of(target, 1), states_of(target, 2), strict=True):
        torch.testing.assert_close(ours, fresh, atol=CLOSE, rtol=0)


def test_a_pass_moves_no_state_before_it_is_accepted(hybrid: Known):
    """Else a refused draft would stay in the state for good."""
    target = hybrid.target()
    target.prefill({0: hybrid.views[2]})
    before, tree = states_of(target, 0), branching(list(hybrid.answers[2][:9]), 3)
    first = target.verify({0: tree})[0].choices
    assert all(torch.equal(one, other) for one, other in zip(states_of(target, 0), before, strict=True))
    assert target.verify({0: tree})[0].choices == first
    target.commit({0: [0]})
    assert not torch.equal(states_of(target, 0)[0], before[0])


def test_a_row_that_is_not_in_a_commit_keeps_its_state(hybrid: Known):
    target = hybrid.target()
    target.prefill({0: hybrid.views[0], 1: hybrid.views[1]})
    before = states_of(target, 0)
    trees = {slot: branching(list(hybrid.answers[slot][:5]), 2) for slot in (0, 1)}
    target.verify(trees)
    target.commit({1: path_along(trees[1], list(hybrid.answers[1][1:3]))})
    assert all(torch.equal(one, other) for one, other in zip(states_of(target, 0), before, strict=True))


def test_a_released_slots_state_does_not_reach_the_next_row(hybrid: Known):
    target = hybrid.target(slots=1)
    for row in (0, 1):
        target.prefill({0: hybrid.views[row]})
        tree = PrefixTree.build(hybrid.answers[row][0], [hybrid.answers[row][1:6]], budget=8)
        assert target.verify({0: tree})[0].choices == list(hybrid.answers[row][1:7])
        target.commit({0: [0, 1, 2]})
        target.release(0)


def test_the_models_own_generate_still_works_beside_the_rows(hybrid: Known):
    target = hybrid.target()
    target.prefill({0: hybrid.views[1]})
    assert generate(target.network, hybrid.views[0]) == hybrid.answers[0]
    tree = PrefixTree.build(hybrid.answers[1][0], [hybrid.answers[1][1:4]], budget=8)
    assert target.verify({0: tree})[0].choices[:4] == list(hybrid.answers[1][1:5])


def test_every_node_gets_what_the_layers_own_recurrence_gives_along_its_path():
    random = torch.Generator().manual_seed(0)
    query, key, value = (torch.randn(1, 2, len(PARENTS), 4, generator=random) for _ in range(3))
    key = torch.nn.functional.normalize(key, dim=-1)
    decay = -torch.rand(1, 2, len(PARENTS), generator=random)
    beta, state = torch.rand(1, 2, len(PARENTS), generator=random), torch.randn(1, 2, 4, 4, generator=random)
    ancestry = torch.from_numpy(ancestry_of(PARENTS))[None]
    out, deltas, decays = tree_delta_rule(query, key, value, decay, beta, state, ancestry)
    for node in range(len(PARENTS)):
        path = ancestry[0, node].nonzero()[:, 0]
        inputs = [part[:, :, path].transpose(1, 2) for part in (query * 2, key, value, decay, beta)]
        theirs, moved = torch_recurrent_gated_delta_rule(*inputs, initial_state=state, output_final_state=True)
        torch.testing.assert_close(out[:, :, node], theirs[:, -1], atol=1e-5, rtol=1e-5)
        left = (decays[:, :, path[-1:]] - decays[:, :, path]).exp()[..., None]
        ours = decays[:, :, node].exp()[..., None, None] * state + (key[:, :, path] * left).mT @ deltas[:, :, path]
        torch.testing.assert_close(ours, moved, atol=1e-5, rtol=1e-5)


def test_a_convolution_sees_a_nodes_own_ancestors_and_then_the_rows_last_inputs():
    windows = windows_of(torch.from_numpy(ancestry_of(PARENTS))[None])[0].tolist()
    assert windows[0] == [0, 1, 2, 3], "the root: three inputs of the tail and its own"
    assert windows[5] == [2, 3, 5, 8], "a grandchild: one of the tail, the root, its parent, itself"
    assert windows[7] == [4, 6, 9, 10], "deep enough for no tail"


def test_rows_of_one_shape_are_packed_one_after_another():
    rows = rows_alike([2, 0], 5, PARENTS)
    assert (rows.slots, rows.tokens, rows.ancestry.shape) == ([2, 0], slice(5, 21), (2, 8, 8))


def test_two_targets_may_share_a_model(hybrid: Known):
    """Costs are measured by a second target over the same model."""
    target = hybrid.target()
    beside = VisionLanguageTarget(target.network, costs=target.costs, eos=frozenset())
    beside.prefill({0: hybrid.views[0]})
    tree = PrefixTree.build(hybrid.answers[0][0], [hybrid.answers[0][1:6]], budget=8)
    assert beside.verify({0: tree})[0].choices == list(hybrid.answers[0][1:7])


def test_what_a_pass_costs_can_be_measured(hybrid: Known):
    """With rows that were never prefilled."""
    target = hybrid.target(slots=2)
    target.pretend(300)
    assert target.verify({1: PrefixTree.build(9, [[10, 11]], budget=4)})[1].choices
