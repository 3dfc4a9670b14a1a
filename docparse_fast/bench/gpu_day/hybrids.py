"""The part about layers that keep a state: is the answer generate()'s, and what does a pass cost?"""

from __future__ import annotations

from typing import Any

from docparse_fast.bench.gpu_day.asked import Given
from docparse_fast.bench.gpu_day.ends import WrongError

TOKENS, PROMPT = 48, 200
FIRST = 10  # the lowest id of a random prompt
SPOILT = 9  # every ninth token of the drafts is wrong
WIDTHS = (1, 8, 32, 64)
TRIALS = 5
LASTING = -3.0  # states last for tens of tokens
LOUD = 3.0  # logits far apart
DIVERSE = 12  # different tokens in an answer that proves anything
# as in the config of Qwen3.5-0.8B; small: for a processor
TEXT = {
    "vocab_size": 248320, "hidden_size": 1024, "intermediate_size": 3584, "num_hidden_layers": 24,
    "num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 256, "linear_num_key_heads": 16,
    "linear_num_value_heads": 16, "max_position_embeddings": 4096,
}  # fmt: skip
SMALL = {
    "vocab_size": 2048, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 4, "head_dim": 16,
    "linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 16, "linear_value_head_dim": 16,
}  # fmt: skip
ROPE = {"rope_type": "default", "rope_theta": 1e7, "mrope_interleaved": True}


def hybrids(given: Given) -> dict[str, Any]:
    """A random model of Qwen3.5's architecture, in fp32: with spoilt drafts it writes what its generate() writes."""
    import torch

    from docparse_fast.speculative.candidates import TokenDraft
    from docparse_fast.speculative.costs import CostTable
    from docparse_fast.speculative.decoding import Speculation, spec_decode
    from docparse_fast.speculative.growing_answer import Row
    from docparse_fast.targets.decoder.vlm import View, VisionLanguageTarget

    torch.manual_seed(0)
    model = _model(given.small).to(given.device).eval()
    flat = CostTable((1,), (1, 4, 64), ((1.0, 1.0, 1.0),))
    target = VisionLanguageTarget(model, slots=1, eos=frozenset(), costs=flat)
    ids = torch.randint(FIRST, model.config.get_text_config().vocab_size, (1, PROMPT))
    view = View({"input_ids": ids, "attention_mask": torch.ones_like(ids)})
    inputs = {name: part.to(model.device) for name, part in view.inputs.items()}
    with torch.inference_mode():
        written = model.generate(**inputs, max_new_tokens=TOKENS, do_sample=False, eos_token_id=None)
    answer = tuple(written[0, PROMPT:].tolist())
    draft = TokenDraft([FIRST if n % SPOILT == SPOILT - 1 else token for n, token in enumerate(answer)], 0)
    (one,) = spec_decode(target, [Row(view, [draft], max_tokens=TOKENS)], Speculation(tau=1.0, widest=24))
    found = {"tokens": len(one.tokens), "passes": len(one.steps), "different tokens": len(set(answer))}
    if len(set(answer)) < DIVERSE:
        raise WrongError("the model writes in circles, which proves nothing", found)
    if one.tokens != answer:
        raise WrongError("the answer with drafts is not generate()'s", found)
    return {**found, "seconds of a pass by width": _pass_seconds(target, view)}


def _model(small: bool) -> Any:
    import transformers

    sizes = {**TEXT, **(SMALL if small else {})}
    sections = [2, 1, 1] if small else [11, 11, 10]
    rotated = {"mrope_section": sections, "partial_rotary_factor": 2 * sum(sections) / sizes["head_dim"]}
    config = transformers.Qwen3_5Config(
        text_config={**sizes, "rope_parameters": {**ROPE, **rotated}, "eos_token_id": None},
        vision_config={"depth": 1, "hidden_size": 32, "intermediate_size": 48, "num_heads": 2, "out_hidden_size": 64},
        tie_word_embeddings=False,
    )
    model = transformers.Qwen3_5ForConditionalGeneration(config)
    model.generation_config.pad_token_id = 0
    _draw(model)
    return model


def _draw(model: Any) -> None:
    """So that answers are diverse: with the usual weights they are one token over and over, which any state gives."""
    import torch

    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "embed_tokens" in name:
                weight.normal_()
            elif "A_log" in name:
                weight.fill_(LASTING)
            elif weight.dim() == 2:
                weight.normal_(0, (LOUD if "lm_head" in name else 1.0) * weight.shape[1] ** -0.5)


def _pass_seconds(target: Any, view: Any) -> dict[int, float]:
    from docparse_fast.speculative.prefix_tree import PrefixTree
    from docparse_fast.targets.decoder.clocks import device_clock

    clock = device_clock(target.network.device)
    target.prefill({0: view})
    seconds = {}
    for width in WIDTHS:
        tree = {0: PrefixTree.build(1, [range(2, width + 1)], budget=width)}
        times = []
        for _ in range(TRIALS):
            start = clock()
            target.verify(tree)
            times.append(clock() - start)
        seconds[width] = round(min(times), 5)
    return seconds
