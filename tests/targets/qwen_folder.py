"""The folder of a small Qwen3-VL with random weights: config, processor, tokenizer, safetensors, as a hub has them.

Its tokenizer has one token a character, so that whatever the model writes is a text that reads back as the same tokens.
"""

from __future__ import annotations

import json
from pathlib import Path

from small_models import ARCHITECTURES, TEXT, VOCABULARY
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

SPECIAL = ("<|endoftext|>", "<|video_pad|>", "<|im_end|>", "<|image_pad|>", "<|vision_start|>", "<|vision_end|>")
SPECIAL += ("<|im_start|>", "<|unknown|>")  # the images' ids are those of small_models
ASCII = "\n" + "".join(map(chr, range(32, 127)))
LETTERS = "".join(letter for letter in map(chr, range(0xC0, 0x250)) if letter.isalpha())
CHAT = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{% for part in message.content %}"
    "{% if part.type == 'image' %}<|vision_start|><|image_pad|><|vision_end|>{% else %}{{ part.text }}{% endif %}"
    "{% endfor %}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def save_qwen3_vl(folder: Path) -> Path:
    model = ARCHITECTURES["qwen3_vl"].model()
    model.generation_config.eos_token_id = SPECIAL.index("<|im_end|>")
    model.config.text_config.max_position_embeddings = 4096  # the prompt alone is 1,900 characters
    model.save_pretrained(folder)
    small_tokenizer().save_pretrained(folder)
    image = {
        "image_processor_type": "Qwen2VLImageProcessorFast",
        "processor_class": "Qwen3VLProcessor",
        "patch_size": 8,
        "merge_size": 2,
        "temporal_patch_size": 2,
        "size": {"shortest_edge": 256, "longest_edge": 16384},
    }
    (folder / "preprocessor_config.json").write_text(json.dumps(image))
    return folder


def small_tokenizer(**more: object) -> PreTrainedTokenizerFast:
    characters = (ASCII + LETTERS)[: len(TEXT)]
    vocabulary = {piece: n for n, piece in enumerate((*SPECIAL, *characters))}
    assert len(vocabulary) == VOCABULARY
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<|unknown|>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    tokenizer.decoder = decoders.Fuse()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        unk_token="<|unknown|>",
        additional_special_tokens=list(SPECIAL[:-1]),
        **more,
    )
    fast.chat_template = CHAT
    return fast
