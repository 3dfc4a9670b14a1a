"""Heads that checkpoints carry: they change no answer, and draft what they would if they read everything at once."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest
import torch
from drawn_heads import BLOCK, DFLASH, head_of, save_dflash, save_mtp
from known import FLAT, TOKENS, Known, known
from safetensors.torch import load_file, save_file
from small_models import ARCHITECTURES
from spoilt import corrupted, decoded
from transformers import Qwen3Config

from docparse_fast.speculative.candidates import CandidateKind
from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.drafting import DraftingCosts
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.targets.decoder.passes import PaddedPasses
from docparse_fast.targets.decoder.vlm import VisionLanguageTarget
from docparse_fast.targets.heads.dflash import DFlashLayers
from docparse_fast.targets.heads.entries import Entries
from docparse_fast.targets.heads.head import Head, weights_read
from docparse_fast.targets.heads.mtp import MtpDrafts, MtpHead, MtpLayer
from docparse_fast.targets.loading.heads import GLM, QWEN, mtp_head, open_head

DEAR = CostTable((1,), (1, 4, 64), ((1.0, 1.0, 1.0),))  # all layers plain: a head compares states that are equal
CARRY = ("qwen3_5", "qwen3_5_moe", "glm_ocr", "hunyuan_vl")


class Carrying(NamedTuple):
    known: Known
    target: VisionLanguageTarget
    head: Head


@pytest.fixture(scope="module", params=CARRY)
def carrying(request, tmp_path_factory) -> Carrying:
    small = known(request.param)
    network = small.model
    head = head_of(tmp_path_factory.mktemp(request.param), network)
    target = VisionLanguageTarget(network, slots=3, eos=frozenset(), costs=FLAT, taps=head.taps)
    return Carrying(small, target, head)


def drawn(network) -> MtpHead:
    return mtp_head(network, MtpLayer(network.model.language_model).state_dict(), goes_on_normed=False)


def free(drafts):
    """Asked at every gap: what it costs is another test's."""
    drafts.__dict__["costs"] = DraftingCosts(0.0, 0.0, 0.0)
    return drafts


@pytest.mark.parametrize("rate", [0.0, 0.3, None], ids=["true drafts", "spoilt drafts", "no drafts"])
def test_rows_write_what_generate_writes_with_a_head_that_knows_nothing(carrying: Carrying, rate):
    small, target, head = carrying
    rows = [
        Row(view, corrupted(answer, rate, n) if rate is not None else [], max_tokens=TOKENS // 2,
            drafting=free(head.drafts(target, view)))
        for n, (view, answer) in enumerate(zip(small.views[:3], small.answers[:3], strict=True))
    ]  # fmt: skip
    found = decoded(target, rows)
    assert [one.tokens for one in found] == [answer[: TOKENS // 2] for answer in small.answers[:3]]
    assert not any(one.model.failure for one in found)
    if rate is None:
        assert all(one.offered[CandidateKind.MODEL] for one in found), "its tokens stand in the tree"
    if rate == 0.3:
        assert any(one.offered[CandidateKind.MODEL] for one in found)


def test_a_page_that_was_looked_at_early_is_drafted_for_as_any_other(carrying: Carrying):
    small, target, head = carrying
    view = small.views[1]
    found = []
    for early in (False, True):
        if early:
            target.look(view)
        row = Row(view, [], max_tokens=20, drafting=free(head.drafts(target, view)))
        found += decoded(target, [row])
    assert found[0].tokens == found[1].tokens == small.answers[1][:20]
    assert found[0].offered == found[1].offered
    assert not any(one.model.failure for one in found)


def test_passes_of_fixed_shape_tap_the_same_states(carrying: Carrying):
    small, _, head = carrying
    other = VisionLanguageTarget(small.model, slots=3, eos=frozenset(), costs=FLAT, taps=head.taps)
    other._passes = PaddedPasses(other._passes.model, other.cache)
    rows = [
        Row(view, corrupted(answer, 0.3, n), max_tokens=30, drafting=free(head.drafts(other, view)))
        for n, (view, answer) in enumerate(zip(small.views[:3], small.answers, strict=False))
    ]
    found = decoded(other, rows)
    assert [one.tokens for one in found] == [answer[:30] for answer in small.answers[:3]]
    assert not any(one.model.failure for one in found)


def test_what_it_drafts_does_not_depend_on_how_the_answer_came_about(carrying: Carrying):
    """Branches that were refused, what it drafted itself, and other rows leave nothing behind."""
    small, _, head = carrying
    target = VisionLanguageTarget(small.model, slots=3, eos=frozenset(), costs=DEAR, taps=head.taps)
    view, answer = small.views[1], small.answers[1]
    once = drafted_after(target, head, view, answer[:20], steps=[20])
    in_steps = drafted_after(target, head, view, answer[:20], steps=[3, 1, 7, 9], beside=small.views[2])
    assert [token for token, _ in in_steps] == [token for token, _ in once]
    torch.testing.assert_close([chance for _, chance in in_steps], [chance for _, chance in once], atol=2e-4, rtol=0)


def drafted_after(target, head, view, answer, steps, beside=None):
    """Tokens and chances after these tokens of the answer, which are kept so many at a time, in trees with decoys."""
    drafts = head.drafts(target, view)
    target.prefill({0: view} | ({1: beside} if beside is not None else {}))
    drafts.begin(None)
    place = 0
    for step in steps:
        tokens = answer[place : place + step]
        after = [*tokens[1:]]
        tree = PrefixTree.build(tokens[0], [[9, 10, 11], after, [*after[:1], 12]], budget=24)
        trees = {0: tree} | ({1: PrefixTree.build(9, [[10, 11]], budget=3)} if beside is not None else {})
        target.verify(trees)
        path, at = [0], 0
        for token in tokens[1:]:
            at = next(n for n in range(len(tree)) if tree.parents[n] == at and tree.tokens[n] == token)
            path.append(at)
        target.commit({0: path} | ({1: [0, 1]} if beside is not None else {}))
        place += step
        if place < len(answer):
            list(islice(drafts.propose([*answer[: place + 1]]), 3))  # and is refused
    found = [(each.token, each.chance) for each in islice(drafts.propose([*answer, 30]), 4)]
    for slot in (0, 1):
        target.release(slot)
    return found


def test_a_layer_drafts_from_what_the_target_thinks_of_the_whole_page():
    """Read by the model's own forward, all at once: prompt, image and answer."""
    small, (view, answer) = known("glm_ocr"), (known("glm_ocr").views[0], known("glm_ocr").answers[0][:12])
    network = small.model
    head = drawn(network)
    target = VisionLanguageTarget(network, slots=1, eos=frozenset(), costs=DEAR, taps=head.taps)
    drafted = drafted_after(target, head, view, answer, steps=[12])
    with torch.inference_mode(), head.taps.on_prompt(network.model.language_model) as tapped:
        ids = torch.cat([view.inputs["input_ids"], torch.tensor([[*answer, 30]])], 1)
        kinds = torch.cat([view.inputs["mm_token_type_ids"], torch.zeros(1, len(answer) + 1, dtype=torch.int)], 1)
        network.model.rope_deltas = None
        network(**{**view.inputs, "input_ids": ids, "mm_token_type_ids": kinds, "attention_mask": torch.ones_like(ids)})
    whole = tapped[0].row(0, ids.shape[1], 0)
    with torch.inference_mode():
        thoughts = head.read(whole.take()[:-1], whole.embeds[1:], whole, Entries())
        [(token, chance)] = head.said(thoughts[-1:])[0]
    assert token == drafted[0][0]
    assert chance == pytest.approx(drafted[0][1], abs=2e-4)


# ------------------------------------------------------------------------------------------------ what is published

# Shapes of Qwen3.5-2B's tensors in its published index, and of GLM-OCR's
PUBLISHED_QWEN = {
    "fc.weight": (2048, 4096), "norm.weight": (2048,),
    "pre_fc_norm_embedding.weight": (2048,), "pre_fc_norm_hidden.weight": (2048,),
    "layers.0.input_layernorm.weight": (2048,), "layers.0.post_attention_layernorm.weight": (2048,),
    "layers.0.self_attn.q_proj.weight": (4096, 2048), "layers.0.self_attn.k_proj.weight": (512, 2048),
    "layers.0.self_attn.v_proj.weight": (512, 2048), "layers.0.self_attn.o_proj.weight": (2048, 2048),
    "layers.0.self_attn.q_norm.weight": (256,), "layers.0.self_attn.k_norm.weight": (256,),
    "layers.0.mlp.gate_proj.weight": (6144, 2048), "layers.0.mlp.up_proj.weight": (6144, 2048),
    "layers.0.mlp.down_proj.weight": (2048, 6144),
}  # fmt: skip
PUBLISHED_GLM = {
    "enorm.weight": (1536,), "hnorm.weight": (1536,), "eh_proj.weight": (1536, 3072),
    "shared_head.norm.weight": (1536,), "shared_head.head.weight": (59392, 1536), "embed_tokens.weight": (59392, 1536),
    "input_layernorm.weight": (1536,), "post_self_attn_layernorm.weight": (1536,),
    "post_attention_layernorm.weight": (1536,), "post_mlp_layernorm.weight": (1536,),
    "self_attn.q_proj.weight": (2048, 1536), "self_attn.k_proj.weight": (1024, 1536),
    "self_attn.v_proj.weight": (1024, 1536), "self_attn.o_proj.weight": (1536, 2048),
    "mlp.gate_up_proj.weight": (9216, 1536), "mlp.down_proj.weight": (1536, 4608),
}  # fmt: skip

# Names in a layer of the makers' own program for HunyuanOCR-1.5
PUBLISHED_DFLASH_LAYER = (
    "input_layernorm", "post_attention_layernorm", "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj",
    "self_attn.o_proj", "self_attn.q_norm", "self_attn.k_norm", "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj",
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "names", "published", "sizes"),
    [
        ("qwen3_5", QWEN, PUBLISHED_QWEN, {"hidden_size": 2048, "intermediate_size": 6144, "num_attention_heads": 8,
                                           "num_key_value_heads": 2, "head_dim": 256}),
        ("glm_ocr", GLM, PUBLISHED_GLM, {"hidden_size": 1536, "intermediate_size": 4608, "num_attention_heads": 16,
                                         "num_key_value_heads": 8, "head_dim": 128}),
    ],
)  # fmt: skip
def test_a_published_layer_has_the_tensors_that_are_read(name, names, published, sizes):
    text = ARCHITECTURES[name].model().model.language_model
    for size, value in sizes.items():
        setattr(text.config, size, value)
    with torch.device("meta"):
        layer = MtpLayer(text)
    read = {ours: shape for theirs, shape in published.items() if (ours := names.ours(theirs))}
    assert read == {ours: tuple(weight.shape) for ours, weight in layer.state_dict().items()}


def test_hunyuans_drafter_has_the_weights_and_the_names_that_its_makers_say():
    """90.7 million, at the sizes of its published config."""
    sizes = {"hidden_size": 1024, "intermediate_size": 3584, "num_hidden_layers": 5, "num_attention_heads": 16}
    sizes |= {"num_key_value_heads": 8, "head_dim": 128, "vocab_size": 120818}
    sizes["dflash_config"] = {"mask_token_id": 120817, "target_layer_ids": [1, 8, 15, 22]}
    with torch.device("meta"):
        layers = DFlashLayers(Qwen3Config(**{**DFLASH, **sizes}))
    assert round(sum(weight.numel() for weight in layers.parameters()) / 1e6, 1) == 90.7
    assert set(layers.state_dict()) == {"fc.weight", "hidden_norm.weight", "norm.weight"} | {
        f"layers.{layer}.{part}.weight" for layer in range(5) for part in PUBLISHED_DFLASH_LAYER
    }


# ------------------------------------------------------------------------------------------------------ left out


def test_a_checkpoint_without_a_head_has_none(tmp_path: Path):
    assert open_head(tmp_path, known("qwen3_5").model) is None
    assert open_head(tmp_path, known("qwen3_vl").model) is None


@pytest.mark.parametrize("fault", ["lacks a tensor", "has one of another shape", "is cut"])
def test_a_head_that_cannot_be_read_is_left_out_with_a_notice(tmp_path: Path, caplog, fault):
    network = known("qwen3_5").model
    file = save_mtp(tmp_path, network) / "model-mtp.safetensors"
    tensors = load_file(file)
    if fault == "lacks a tensor":
        del tensors["mtp.norm.weight"]
    elif fault == "has one of another shape":
        tensors["mtp.norm.weight"] = torch.zeros(3)
    save_file(tensors, file)
    if fault == "is cut":
        file.write_bytes(file.read_bytes()[:-10])
    assert open_head(tmp_path, network) is None
    assert "is left out" in caplog.text


def test_a_drafter_for_another_target_is_left_out(tmp_path: Path, caplog):
    config = save_dflash(tmp_path) / "dflash" / "config.json"
    config.write_text(config.read_text().replace('"hidden_size": 64', '"hidden_size": 32'))
    assert open_head(tmp_path, known("hunyuan_vl").model) is None
    assert "it is 32 wide, and the target 64" in caplog.text


# -------------------------------------------------------------------------------------------------------- costs


def test_a_head_costs_as_much_of_a_pass_as_its_weights_are_of_the_targets(tmp_path: Path):
    network = known("glm_ocr").model
    head = head_of(tmp_path, network)
    last = network.lm_head.weight.numel()
    plain = sum(weight.numel() for weight in network.model.language_model.layers.parameters()) + last
    own = sum(weight.numel() for weight in head.layer.parameters())
    costs = head.share.costs(CostTable((1,), (1, 2), ((1.0, 1.5),)), prompt=3)
    assert costs.token == pytest.approx((own + last) / plain)
    assert costs.further == pytest.approx(costs.token / 2)
    assert costs.reading == pytest.approx(2 * own / plain)


def test_of_a_mixture_of_experts_a_pass_reads_the_chosen_ones(tmp_path: Path):
    """All were counted, and the last layer, which every pass of a head reads whole, seemed to cost next to nothing."""
    network = known("qwen3_5_moe").model
    layers, config = network.model.language_model.layers, network.model.language_model.config
    names = dict(layers.named_parameters())
    experts = sum(weight.numel() for name, weight in names.items() if "mlp.experts." in name)
    others = sum(weight.numel() for name, weight in names.items() if "mlp.experts." not in name)
    assert experts > 0
    assert weights_read(layers, config) == others + experts * config.num_experts_per_tok / config.num_experts


def test_a_block_costs_one_pass_and_gives_all_its_masks(tmp_path: Path):
    head = head_of(tmp_path, known("hunyuan_vl").model)
    costs = head.share.costs(CostTable((1,), (1, 2), ((1.0, 1.0),)), prompt=3, block=BLOCK)
    assert costs.at_once == BLOCK - 1
    assert [bool(costs.of_next(drafted)) for drafted in range(BLOCK)] == [True, False, False, False, False, True]


def test_states_of_another_length_than_the_answer_are_not_drafted_from():
    """A row whose states went missing would be drafted from the wrong ones."""
    small = known("glm_ocr")
    network = small.model
    head = drawn(network)
    target = VisionLanguageTarget(network, slots=1, eos=frozenset(), costs=DEAR, taps=head.taps)
    drafts = head.drafts(target, small.views[0])
    assert isinstance(drafts, MtpDrafts)
    target.prefill({0: small.views[0]})
    with pytest.raises(RuntimeError, match="states for a prompt"):
        next(drafts.propose(small.answers[0][:3]))


def test_states_are_kept_only_for_rows_whose_head_may_ask(carrying: Carrying):
    """Those of a page are as large as its picture."""
    small, target, head = carrying
    view, other = small.views[:2]
    drafts = head.drafts(target, view)
    target.prefill({0: view, 1: other})
    assert target.tapped(view).length == len(view.ids)
    with pytest.raises(LookupError):
        target.tapped(other)
    target.release(0)
    del drafts
    target.prefill({0: view})
    with pytest.raises(LookupError):
        target.tapped(view)
    for slot in (0, 1):
        target.release(slot)
