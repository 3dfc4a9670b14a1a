"""One target over one model: its memory, inputs, answers and errors. test_architectures checks exactness."""

from __future__ import annotations

import pytest
import torch
import transformers
from known import Known, generate, path_along
from small_models import ARCHITECTURES, TEXT
from spoilt import corrupted, decoded

from docparse_fast.errors import ModelError, PageError
from docparse_fast.speculative.candidates import TokenDraft
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.growing_answer import Finish, Row
from docparse_fast.speculative.judged_tokens import judge_texts
from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.targets.decoder.cache_names import CACHE
from docparse_fast.targets.decoder.judging_pass import STRETCH
from docparse_fast.targets.decoder.network import forget_rope_deltas, refuse_what_trees_break
from docparse_fast.targets.decoder.sampling import Decoding
from docparse_fast.targets.decoder.vlm import View, VisionLanguageTarget

EXACT = Speculation(tau=1.0)
CLOSE = 1e-3  # between logits (spread 3): a pass over other shapes rounds otherwise, by about 1e-5


def logits_after(model, view: View, tokens: list[int]) -> torch.Tensor:
    """(vocab,) by the model's own forward over view and tokens in one go."""
    ids = torch.cat([view.inputs["input_ids"], torch.tensor([tokens], dtype=torch.long)], dim=1)
    inputs = {**view.inputs, "input_ids": ids, "attention_mask": torch.ones_like(ids)}
    if "mm_token_type_ids" in inputs:
        kinds = inputs["mm_token_type_ids"]
        inputs["mm_token_type_ids"] = torch.cat([kinds, kinds.new_zeros(1, len(tokens))], dim=1)
    forget_rope_deltas(model)
    with torch.no_grad():
        return model(**inputs, **knowing_its_prompt(model, len(view.ids))).logits[0, -1]


def knowing_its_prompt(model, length: int) -> dict[str, object]:
    """A model whose tokens see the prompt and a window must be told where the prompt ends, as its generate() does."""
    if model.config.model_type != "unlimited_ocr":
        return {}
    cache = transformers.DynamicCache(config=model.config.get_text_config())
    for layer in cache.layers:
        layer.set_prefill_length(length)
    return {CACHE: cache, "use_cache": True}


def row_entries(target: VisionLanguageTarget, slot: int) -> torch.Tensor:
    start = slot * target.cache.capacity
    places = slice(start, start + target.cache.lengths[slot])
    return torch.stack([target.cache.keys[:, :, places], target.cache.values[:, :, places]])


def bushy(root: int, answer: list[int]) -> PrefixTree:
    """A tree whose true branch is packed last, among false ones."""
    wrong = [(token + 7) % 200 + TEXT.start for token in answer]
    return PrefixTree.build(root, [wrong, [*answer[:2], *wrong[2:]], answer], budget=32)


def test_the_logits_of_every_node_are_those_of_its_plain_sequence(any_known: Known):
    view, answer = any_known.views[1], list(any_known.answers[1])
    target, model = any_known.target(), any_known.model
    target.prefill({0: any_known.views[0], 2: view})
    tree = bushy(answer[0], answer[1:6])
    with torch.inference_mode():
        logits = target._passes.logits({2: tree}, {2: target._rows[2].delta})
    for node in range(len(tree)):
        path = [tree.tokens[step] for step in tree.path(node)]
        torch.testing.assert_close(logits[node], logits_after(model, view, path), atol=CLOSE, rtol=0)


def test_rows_that_were_looked_at_before_they_begin_write_what_generate_writes(any_known: Known):
    target = any_known.target()
    rows = [
        Row(view, corrupted(answer, 0.3, n), max_tokens=20)
        for n, (view, answer) in enumerate(zip(any_known.views, any_known.answers, strict=True))
    ]
    for row in rows[1:3]:
        target.look(row.view)
    found = decoded(target, rows)
    assert [one.tokens for one in found] == [answer[:20] for answer in any_known.answers]
    assert not any(row.view.read for row in rows), "what was read is taken once"


def test_the_cache_after_commits_is_that_of_a_fresh_prefill(any_known: Known):
    view, answer = any_known.views[1], list(any_known.answers[1])
    target = any_known.target()
    target.prefill({1: view, 0: any_known.views[0]})
    for start in (0, 6):
        tree = bushy(answer[start], answer[start + 1 : start + 6])
        target.verify({1: tree})
        target.commit({1: path_along(tree, answer[start + 1 : start + 6])})
    ids = torch.cat([view.inputs["input_ids"], torch.tensor([answer[:12]])], dim=1)
    inputs = {**view.inputs, "input_ids": ids, "attention_mask": torch.ones_like(ids)}
    if "mm_token_type_ids" in inputs:
        inputs["mm_token_type_ids"] = torch.nn.functional.pad(inputs["mm_token_type_ids"], (0, 12))
    target.prefill({2: View(inputs)})
    torch.testing.assert_close(row_entries(target, 1), row_entries(target, 2), atol=CLOSE, rtol=0)


def test_tolerance_gets_the_plain_sequences_log_probabilities(qwen: Known):
    view, answer = qwen.views[2], list(qwen.answers[2])
    target, model = qwen.target(), qwen.model
    target.prefill({0: qwen.views[0], 1: view})
    tree = bushy(answer[0], answer[1:4])
    other = PrefixTree.build(qwen.answers[0][0], [qwen.answers[0][1:3]], budget=3)
    verification = target.verify({0: other, 1: tree}, tolerant=True)[1]
    for node in range(len(tree)):
        path = tree.path(node)
        logprobs = logits_after(model, view, [tree.tokens[step] for step in path]).log_softmax(-1)
        assert verification.choices[node] == int(logprobs.argmax())
        assert verification.choice_logprobs[node] == pytest.approx(float(logprobs.max()), abs=CLOSE)
        for child, place in tree.children[node].items():
            assert verification.logprobs[place] == pytest.approx(float(logprobs[child]), abs=CLOSE)


def test_a_text_is_judged_by_the_plain_sequences_probabilities(any_known: Known):
    """Longer than one stretch, beside a shorter one."""
    view, model = any_known.views[1], any_known.model
    text = torch.randint(TEXT.start, TEXT.stop, (STRETCH + 20,), generator=torch.Generator().manual_seed(1)).tolist()
    target = any_known.target()
    found = target.judge({0: any_known.views[0], 2: view}, {0: text[:3], 2: text})
    assert [len(found[slot]) for slot in (0, 2)] == [3, len(text)]
    for place in (0, 1, 5, STRETCH, len(text) - 1):
        logits = logits_after(model, view, text[:place])
        token, rivals = text[place], logits.clone()
        rivals[token] = -torch.inf
        share, other = found[2][place]
        assert other == int(rivals.argmax())
        assert share == pytest.approx(float((logits[token] - rivals.max()).sigmoid()), abs=CLOSE)


def test_judging_an_answer_leaves_decoding_as_it_was(qwen: Known):
    target = qwen.target()
    answer = list(qwen.answers[0][:20])
    (found,) = judge_texts(target, [(qwen.views[0], answer)])
    assert all(share > 0.5 for share, _ in found), "the model's own answer is its own choice"
    (one,) = spec_decode(target, [Row(qwen.views[0], max_tokens=20)], EXACT)
    assert list(one.tokens) == answer


def test_a_page_judged_after_another_is_judged_as_alone(qwen: Known):
    second = (qwen.views[1], list(TEXT[40:60]))
    alone = list(judge_texts(qwen.target(), [second]))
    target = qwen.target()
    list(judge_texts(target, [(qwen.views[0], list(TEXT[:300]))]))
    assert list(judge_texts(target, [second])) == alone


def test_a_text_beyond_the_models_last_place_is_judged_up_to_there(qwen: Known):
    target = qwen.target()
    target.cache.limit = qwen.views[0].inputs["input_ids"].shape[1] + 9
    (found,) = judge_texts(target, [(qwen.views[0], list(TEXT[:40]))])
    assert len(found) == 10


def test_a_repetition_penalty_along_each_path_gives_what_generate_gives(any_known: Known):
    view = any_known.views[0]
    expected = generate(any_known.model, view, 48, repetition_penalty=1.5)
    assert expected != any_known.answers[0][:48], "the penalty should change something"
    target = any_known.target(decoding=Decoding(repetition_penalty=1.5))
    for rate in (0.0, 0.3):
        row = Row(view, corrupted(expected, rate, 1), max_tokens=48)
        (one,) = spec_decode(target, [row], Speculation(tau=1.0, widest=24))
        assert one.tokens == expected


def test_a_rows_positions_survive_the_next_rows_prefill(qwen: Known):
    """Rope deltas are the model's state, and every prefill overwrites them."""
    target = qwen.target()
    target.prefill({0: qwen.views[0]})
    first = target._rows[0].delta
    text = View({"input_ids": torch.tensor([list(TEXT[:12])])})
    target.prefill({1: qwen.views[3], 2: text})
    assert target._rows[0].delta == first != target._rows[1].delta
    assert target._rows[2].delta == 0, "a view without an image has none of the last one's"


def test_a_released_slot_takes_the_next_row_and_its_neighbour_does_not_notice(qwen: Known):
    target = qwen.target(slots=2)
    assert target.prefill({0: qwen.views[0]})[0] == qwen.answers[0][0]
    target.release(0)
    firsts = target.prefill({0: qwen.views[1], 1: qwen.views[2]})
    assert firsts == {0: qwen.answers[1][0], 1: qwen.answers[2][0]}
    target.release(0)
    tree = PrefixTree.build(qwen.answers[2][0], [], budget=1)
    assert target.verify({1: tree})[1].choices == [qwen.answers[2][1]]


def test_an_image_is_read_in_bf16_as_processors_give_it_in_fp32(any_known: Known):
    """bf16 is what a GPU gets; DeepSeek-OCR 2's first convolution took no fp32 pixels and ended the page."""
    target = VisionLanguageTarget(any_known.model.bfloat16(), costs=any_known.target().costs, eos=frozenset(), slots=2)
    rows = [Row(view, corrupted(any_known.answers[n], 0.2, n), max_tokens=12) for n, view in enumerate(any_known.views)]
    assert [len(one.tokens) for one in spec_decode(target, rows, EXACT)] == [12] * len(rows)


def test_bf16_parts_from_plain_decoding_only_at_near_ties():
    model = ARCHITECTURES["qwen3_vl"].model().bfloat16()
    exact = ARCHITECTURES["qwen3_vl"].model()
    exact.load_state_dict({name: weight.float() for name, weight in model.state_dict().items()})
    target = Known("qwen3_vl", (), ()).target(slots=1)
    target = VisionLanguageTarget(model, slots=1, eos=frozenset(), costs=target.costs)
    parted = 0
    for seed in range(4):
        view = ARCHITECTURES["qwen3_vl"].view(20, seed)
        (plain,) = spec_decode(target, [Row(view, max_tokens=40)], Speculation(tau=1.0))
        row = Row(view, corrupted(plain.tokens, 0.1, seed), max_tokens=40)
        (wide,) = spec_decode(target, [row], Speculation(tau=1.0, widest=24))
        place = next((at for at in range(40) if plain.tokens[at] != wide.tokens[at]), None)
        if place is not None:
            parted += 1
            top = logits_after(exact, view, list(plain.tokens[:place])).topk(2).values
            assert float(top[0] - top[1]) < 0.25, "bf16 keeps logits of 10 to within 0.06"
    assert parted < 4


def test_a_view_longer_than_the_model_reads_is_an_error_of_its_page(qwen: Known):
    target = qwen.target()
    with pytest.raises(PageError) as refused:
        target.prefill({0: View({"input_ids": torch.full((1, 1025), 9)})})
    assert refused.value.code == "out_of_memory"
    assert target.prefill({0: qwen.views[0]})[0] == qwen.answers[0][0]


def near_the_end(qwen: Known) -> tuple[View, tuple[int, ...], int]:
    """A view that leaves the model few places, an answer that fills them, and the number of its tokens."""
    view = ARCHITECTURES["qwen3_vl"].view(960, 7)
    room = qwen.target().cache.limit - len(view.ids) + 1
    return view, generate(qwen.model, view, max_new_tokens=room), room


def test_drafts_may_reach_beyond_the_models_last_place_and_the_answer_may_not(qwen: Known):
    view, answer, room = near_the_end(qwen)
    assert 30 < room < 64 == EXACT.widest
    beyond = [TokenDraft((*answer, *range(8, 72)), 0), TokenDraft((*answer[:9], *range(8, 72)), 1)]
    ending = answer[room - 8]
    end = answer.index(ending)
    (cut_off,) = spec_decode(qwen.target(), [Row(view, beyond, max_tokens=500)], EXACT)
    assert (cut_off.tokens, cut_off.finish) == (answer, Finish.LENGTH)
    target = qwen.target(eos=frozenset({ending}))
    (ended,) = spec_decode(target, [Row(view, beyond, max_tokens=500)], EXACT)
    assert (ended.tokens, ended.finish) == (answer[: end + 1], Finish.EOS)


def test_a_row_at_the_models_last_place_ends_and_its_neighbour_goes_on(qwen: Known):
    view, answer, _ = near_the_end(qwen)
    rows = [Row(view, max_tokens=500, name="long"), Row(qwen.views[0], max_tokens=60, name="short")]
    found = {one.row.name: one for one in spec_decode(qwen.target(slots=2), rows, EXACT)}
    assert found["long"].tokens == answer
    assert found["short"].tokens == qwen.answers[0][:60]


def test_a_view_that_is_none_is_refused(qwen: Known):
    with pytest.raises(TypeError, match="dict is not a View"):
        qwen.target().prefill({0: qwen.views[0].inputs})


def _lighton(**text: object):
    config = ARCHITECTURES["lighton_ocr"].model().config
    return type(config)(
        text_config={**config.text_config.to_dict(), "layer_types": None, **text},
        vision_config=config.vision_config.to_dict(),
        image_token_id=3,
        tie_word_embeddings=False,
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ({"use_sliding_window": True, "sliding_window": 16, "max_window_layers": 1}, "sliding_attention"),
        ({"rope_parameters": {"rope_type": "dynamic", "rope_theta": 1e4, "factor": 2.0}}, "dynamic"),
        (
            {"rope_parameters": {
                "rope_type": "longrope", "rope_theta": 1e4, "short_factor": [1.0] * 8, "long_factor": [2.0] * 8,
                "original_max_position_embeddings": 64,
            }},
            "longrope",
        ),
    ],
)  # fmt: skip
def test_models_that_branches_would_break_are_refused_by_name(text: dict[str, object], reason: str):
    model = transformers.LightOnOcrForConditionalGeneration(_lighton(**text))
    with pytest.raises(ModelError, match=f"qwen3.*{reason}") as refused:
        VisionLanguageTarget(model)
    assert refused.value.code == "unsupported"


def test_linear_attention_is_refused():
    model = ARCHITECTURES["lighton_ocr"].model()
    model.config.text_config.layer_types = ["linear_attention", "full_attention", "full_attention"]
    with pytest.raises(ModelError, match="linear_attention"):
        refuse_what_trees_break(model)


def test_the_models_own_generate_still_works_beside_the_target(qwen: Known):
    """`--check-exact` asks the same model that the target uses."""
    target = qwen.target()
    target.prefill({0: qwen.views[1]})
    assert generate(target.network, qwen.views[0]) == qwen.answers[0]
    tree = PrefixTree.build(qwen.answers[1][0], [qwen.answers[1][1:4]], budget=8)
    assert target.verify({0: tree})[0].choices[:4] == list(qwen.answers[1][1:5])


def test_the_ends_of_an_answer_come_from_the_generation_config():
    model = ARCHITECTURES["qwen3_vl"].model()
    for given, ends in ((7, {7}), ([7, 9], {7, 9}), (None, set())):
        model.generation_config.eos_token_id = given
        assert VisionLanguageTarget(model).eos == ends
