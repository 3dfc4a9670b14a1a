"""The tokenizer: a small vocabulary, and the ids around an answer as the real chat template puts them.

Knows text and ids; no images, no model. Digits stand alone, a word carries its leading space, a run of table tags is
one piece, so that `</td><td>` costs one token and no token straddles a tag and a word. The pieces are found by merging
pairs of bytes, but a word is cut into the longest pieces from the left. Which piece comes next then shows in the next
few letters; merge order would depend on the whole word, and the reader meets words that it has never seen.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from tokenizers import Tokenizer

SPECIAL = (
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<|video_pad|>",
)
PROMPT = "Read."
BEFORE_IMAGE = "<|im_start|>user\n<|vision_start|>"
AFTER_IMAGE = f"<|vision_end|>{PROMPT}<|im_end|>\n<|im_start|>assistant\n"


class Tokens:
    """Text to ids and back."""

    def __init__(self, file: Path) -> None:
        self.tokenizer = Tokenizer.from_file(str(file))

    def special(self, name: str) -> int:
        return SPECIAL.index(name)

    @property
    def image(self) -> int:
        return self.special("<|image_pad|>")

    @property
    def end(self) -> int:
        return self.special("<|im_end|>")

    @cached_property
    def before(self) -> list[int]:
        return list(self.tokenizer.encode(BEFORE_IMAGE).ids)

    @cached_property
    def after(self) -> list[int]:
        return list(self.tokenizer.encode(AFTER_IMAGE).ids)

    def prompt(self, image_tokens: int) -> list[int]:
        return self.before + [self.image] * image_tokens + self.after

    def encode(self, text: str) -> list[int]:
        return list(self.tokenizer.encode(text).ids)

    def decode(self, ids: list[int]) -> str:
        return str(self.tokenizer.decode(ids, skip_special_tokens=True))
