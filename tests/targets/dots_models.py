"""A small dots.ocr with random weights whose greedy answers vary, and its folder as a checkpoint would have it."""

import json

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from docparse_fast.targets.models.dots_ocr import DotsOcrConfig, DotsOcrForConditionalGeneration, published_name

SPECIAL = ["<|endoftext|>", "<|img|>", "<|imgpad|>", "<|endofimg|>", "<|user|>", "<|endofuser|>", "<|assistant|>"]
SPECIAL += ["<|endofassistant|>"]
VOCABULARY = 400  # every byte, the special tokens, and rows that stay unused as in the real checkpoint

# As the real checkpoint has them, but small: text settings flat, the tower's apart, keys that only older code reads.
CONFIG = {
    "architectures": ["DotsOCRForCausalLM"],
    "model_type": "dots_ocr",
    "auto_map": {"AutoModelForCausalLM": "modeling_dots_ocr.DotsOCRForCausalLM"},
    "attention_bias": True,
    "attention_dropout": 0.0,
    "hidden_act": "silu",
    "hidden_size": 64,
    "initializer_range": 0.02,
    "intermediate_size": 96,
    "max_position_embeddings": 2048,
    "max_window_layers": 3,
    "num_attention_heads": 4,
    "num_hidden_layers": 3,
    "num_key_value_heads": 2,
    "rms_norm_eps": 1e-06,
    "rope_scaling": None,
    "rope_theta": 1000000,
    "sliding_window": 131072,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
    "use_cache": True,
    "use_sliding_window": False,
    "vocab_size": VOCABULARY,
    "image_token_id": 256 + SPECIAL.index("<|imgpad|>"),
    "video_token_id": 399,
    "vision_config": {
        "embed_dim": 48,
        "hidden_size": 64,
        "intermediate_size": 80,
        "num_hidden_layers": 2,
        "num_attention_heads": 3,
        "num_channels": 3,
        "patch_size": 14,
        "post_norm": True,
        "rms_norm_eps": 1e-05,
        "spatial_merge_size": 2,
        "temporal_patch_size": 1,
        "use_bias": False,
        "attn_implementation": "flash_attention_2",
        "init_merger_std": 0.02,
        "initializer_range": 0.02,
        "is_causal": False,
        "gradient_checkpointing": False,
    },
}


def small_config(**changes):
    return DotsOcrConfig.from_dict({**CONFIG, **changes})


def small_model(seed=0, **changes):
    """Random weights of sizes with which greedy answers neither loop nor depend on rounding."""
    model = DotsOcrForConditionalGeneration(small_config(**changes)).eval()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            weight.copy_(_drawn(name, weight.shape, generator))
    return model


def _drawn(name, shape, generator):
    noise = torch.randn(shape, generator=generator)
    if len(shape) == 1:
        return 0.1 * noise + (name.endswith("weight"))
    if "embed_tokens" in name:
        return noise
    gains = {"lm_head": 3.0, "q_proj": 1.6, "k_proj": 1.6, "v_proj": 0.7, "o_proj": 0.7, "language_model": 1.7}
    gain = next((gain for part, gain in gains.items() if part in name), 1.0)
    return noise * gain / torch.tensor(shape[1:]).prod().sqrt()


def small_tokenizer():
    """One token a byte, and the special ones: what text becomes can be counted by hand."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={letter: n for n, letter in enumerate(alphabet)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer)
    fast.add_special_tokens({"additional_special_tokens": SPECIAL})
    return fast


def save_checkpoint(model, folder):
    """The folder of a checkpoint: config.json, generation_config.json, tokenizer, one safetensors file."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {**CONFIG, "tie_word_embeddings": model.config.tie_word_embeddings}
    (folder / "config.json").write_text(json.dumps(config))
    ends = [256 + SPECIAL.index(token) for token in ("<|endoftext|>", "<|endofassistant|>")]
    (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": ends, "pad_token_id": ends[0]}))
    small_tokenizer().save_pretrained(folder)
    save_file(published_tensors(model), folder / "model.safetensors", metadata={"format": "pt"})


def published_tensors(model):
    tied = model.config.tie_word_embeddings
    return {
        published_name(name): tensor.contiguous()
        for name, tensor in model.state_dict().items()
        if not (tied and name == "lm_head.weight")
    }
