"""The baselines: they write what generate() writes, of pages and of text, and their seconds leave the prompt out."""

import pytest
import torch
from small_models import ARCHITECTURES, BEGIN, TEXT, VOCABULARY

from docparse_fast.bench.engine.generate import Baseline, chain, check_assisted, hf_generate, prompt_lookup
from docparse_fast.errors import UsageError
from docparse_fast.speculative.candidates import TokenDraft
from docparse_fast.targets.decoder.cache_names import CACHE
from docparse_fast.targets.decoder.vlm import VisionLanguageTarget

NEVER = frozenset({VOCABULARY})  # no id of these models
TOKENS = 40


def generated(model, inputs, **how):
    length = inputs["input_ids"].shape[1]
    return tuple(model.generate(**inputs, max_new_tokens=TOKENS, do_sample=False, **how)[0, length:].tolist())


def with_image_last(view):
    """A prompt whose end looks like the start of an image, so that lookup copies an image's place holders."""
    inputs = dict(view.inputs)
    more = {"input_ids": BEGIN, "attention_mask": 1, "mm_token_type_ids": 0}
    for name in more.keys() & inputs.keys():
        inputs[name] = torch.cat([inputs[name], inputs[name].new_tensor([[more[name]]])], dim=1)
    return inputs


HYBRID = "qwen3_5"
HYBRIDS = (HYBRID, "qwen3_5_moe")


@pytest.mark.parametrize("name", [name for name in ARCHITECTURES if name not in HYBRIDS])
def test_every_baseline_writes_what_generate_writes_of_a_page(name):
    architecture = ARCHITECTURES[name]
    model, inputs = architecture.model(), architecture.view(20, seed=1).inputs
    truth = generated(model, inputs)
    assert hf_generate(model, inputs, TOKENS, eos=NEVER).tokens == truth
    assert prompt_lookup(model, inputs, TOKENS, eos=NEVER).tokens == truth
    by_drafts = chain(model, inputs, TOKENS, eos=NEVER, drafts=[TokenDraft(truth, region=0)])
    assert by_drafts.tokens == truth
    assert by_drafts.tokens_per_step > 5  # all that is drafted is right, ten tokens at a time


def test_a_model_with_a_state_has_one_baseline():
    architecture = ARCHITECTURES[HYBRID]
    model, inputs = architecture.model(), architecture.view(20, seed=1).inputs
    assert hf_generate(model, inputs, TOKENS, eos=NEVER).tokens == generated(model, inputs)
    with pytest.raises(UsageError, match="--baselines chain"):
        check_assisted(model, "chain")


def test_prompt_lookup_survives_a_prompt_whose_image_it_would_copy():
    """transformers 5.23 raises: image features and image tokens do not match."""
    architecture = ARCHITECTURES["qwen3_vl"]
    model, inputs = architecture.model(), with_image_last(architecture.view(20, seed=1))
    with pytest.raises(ValueError, match="Image features and image tokens do not match"):
        generated(model, inputs, prompt_lookup_num_tokens=10)
    assert prompt_lookup(model, inputs, TOKENS, eos=NEVER).tokens == generated(model, inputs)


def test_a_baseline_restores_the_engines_attention():
    architecture = ARCHITECTURES["qwen3_vl"]
    model, view = architecture.model(), architecture.view(20, seed=1)
    target = VisionLanguageTarget(model, slots=1, eos=NEVER)
    attention = model.model.language_model.config._attn_implementation
    hf_generate(model, view.inputs, 4, eos=NEVER)
    assert model.model.language_model.config._attn_implementation == attention
    assert target.prefill({0: view})[0] == generated(model, view.inputs)[0]


def test_rows_of_a_batch_are_told_apart_and_end_by_themselves():
    model = ARCHITECTURES["qwen3_vl"].model()
    prompts = torch.randint(TEXT.start, TEXT.stop, (2, 12), generator=torch.Generator().manual_seed(3))
    singles = [hf_generate(model, {"input_ids": prompts[row : row + 1]}, TOKENS, eos=NEVER).tokens for row in (0, 1)]
    end = singles[0][3]
    rows = hf_generate(model, {"input_ids": prompts}, TOKENS, eos=frozenset({end})).answers
    assert rows == (singles[0][:4], singles[1])
    assert end not in singles[0][:3] + singles[1]


def test_the_prefill_is_not_a_step():
    architecture = ARCHITECTURES["qwen3_vl"]
    model, inputs = architecture.model(), architecture.view(20, seed=1).inputs
    plain = hf_generate(model, inputs, TOKENS, eos=NEVER)
    assert (plain.steps, plain.tokens_per_step) == (TOKENS - 1, 1.0)
    first = hf_generate(model, inputs, 1, eos=NEVER)
    assert (first.steps, first.decode_seconds, len(first.tokens)) == (0, 0.0, 1)


def test_plain_generation_goes_on_from_a_prefilled_cache_and_guessing_refuses_it():
    """transformers' assisted decoding would read the whole prompt again after a prefilled cache."""
    model = ARCHITECTURES["qwen3_vl"].model()
    prompt = torch.randint(TEXT.start, TEXT.stop, (1, 12), generator=torch.Generator().manual_seed(3))
    truth = hf_generate(model, {"input_ids": prompt}, TOKENS, eos=NEVER).tokens
    with torch.inference_mode():
        cache = model(prompt[:, :-1], use_cache=True)[CACHE]
    inputs = {"input_ids": prompt, CACHE: cache}
    with pytest.raises(ValueError, match="prefilled"):
        prompt_lookup(model, inputs, TOKENS, eos=NEVER)
    assert hf_generate(model, inputs, TOKENS, eos=NEVER).tokens == truth


def test_tokens_per_step_counts_the_longest_row_without_its_first_token():
    assert Baseline(((1, 2, 3), (1,)), 1.0, 2).tokens_per_step == 1.0
