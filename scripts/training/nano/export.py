"""Turns a training checkpoint into a model folder that the ordinary loading code reads. Knows files, no training.

python scripts/training/nano/export.py checkpoints/nano docparse_fast/data/nano
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import torch
from reader import MERGE, PATCH, Reader, configuration
from tokens import SPECIAL, Tokens
from transformers import GenerationConfig

LARGEST_PAGE = 384 * 512  # pixels it was trained on; a larger image is shrunk to that
SMALLEST_CROP = 16 * 16

# What the real model's chat template does for messages of text and images.
CHAT_TEMPLATE = """\
{%- for message in messages -%}
{{- '<|im_start|>' + message.role + '\\n' -}}
{%- if message.content is string -%}
{{- message.content -}}
{%- else -%}
{%- for part in message.content -%}
{%- if part.type == 'image' -%}
{{- '<|vision_start|><|image_pad|><|vision_end|>' -}}
{%- elif part.type == 'text' -%}
{{- part.text -}}
{%- endif -%}
{%- endfor -%}
{%- endif -%}
{{- '<|im_end|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{- '<|im_start|>assistant\\n' -}}
{%- endif -%}
"""

TOKENIZER_CONFIG = {
    "tokenizer_class": "PreTrainedTokenizerFast",  # the Qwen2 class would not split text as tokenizer.json says
    "processor_class": "Qwen3VLProcessor",
    "eos_token": "<|im_end|>",
    "pad_token": "<|endoftext|>",
    "additional_special_tokens": list(SPECIAL),
    "model_max_length": 4096,
    "clean_up_tokenization_spaces": False,
    "chat_template": CHAT_TEMPLATE,
}

IMAGE_CONFIG = {
    "image_processor_type": "Qwen2VLImageProcessorFast",
    "processor_class": "Qwen3VLProcessor",
    "patch_size": PATCH,
    "merge_size": MERGE,
    "temporal_patch_size": 2,
    "image_mean": [0.5, 0.5, 0.5],
    "image_std": [0.5, 0.5, 0.5],
    "size": {"shortest_edge": SMALLEST_CROP, "longest_edge": LARGEST_PAGE},  # areas, whatever they are called
}


def export(checkpoint: Path, folder: Path) -> None:
    tokens = Tokens(checkpoint / "tokenizer.json")
    weights = torch.load(checkpoint / "last.pt", weights_only=True)["reader"]
    reader = Reader(configuration(tokens))
    reader.load_state_dict(weights)
    model = reader.model.to(torch.float16)
    model.generation_config = GenerationConfig(
        do_sample=False,
        eos_token_id=[tokens.end, tokens.special("<|endoftext|>")],
        pad_token_id=tokens.special("<|endoftext|>"),
    )
    model.config.docparse_fast_target = "nano"  # so that a copy of the folder is known for what it is
    model.save_pretrained(folder)
    shutil.copy(checkpoint / "tokenizer.json", folder)
    for name, content in (("tokenizer_config.json", TOKENIZER_CONFIG), ("preprocessor_config.json", IMAGE_CONFIG)):
        (folder / name).write_text(json.dumps(content, indent=2) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkpoint", type=Path, help="train.py's OUT")
    parser.add_argument("folder", type=Path, help="where the model goes")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    export(arguments.checkpoint, arguments.folder)
    size = (arguments.folder / "model.safetensors").stat().st_size
    print(f"{arguments.folder}: {size / 1e6:.1f} MB of weights")


if __name__ == "__main__":
    main()
