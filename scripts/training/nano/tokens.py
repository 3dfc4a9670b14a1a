"""The tokenizer: a small vocabulary, and the ids around an answer as the real chat template puts them.

Knows text and ids; no images, no model. Digits stand alone, a word carries its leading space, a run of table tags is
one piece, so that `</td><td>` costs one token and no token straddles a tag and a word. The pieces are found by merging
pairs of bytes, but a word is cut into the longest pieces from the left. Which piece comes next then shows in the next
few letters; merge order would depend on the whole word, and the reader meets words that it has never seen.

    python scripts/training/nano/tokens.py OUT     # trains tokenizer.json from the generator's text
"""

from __future__ import annotations

import argparse
from functools import cached_property
from pathlib import Path

import pages
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

SPECIAL = (
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<|video_pad|>",
)
VOCABULARY = 1024
PROMPT = "Read."
BEFORE_IMAGE = "<|im_start|>user\n<|vision_start|>"
AFTER_IMAGE = f"<|vision_end|>{PROMPT}<|im_end|>\n<|im_start|>assistant\n"
PIECES = r"(?:</?(?:table|tr|td)>)+| ?[A-Za-z]+|[0-9]| ?[^\sA-Za-z0-9]+|\n+| +"


class Tokens:
    """Text to ids and back, and where each token's letters are."""

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

    def encode(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """Ids, and for each the letters it spells, from and to."""
        encoding = self.tokenizer.encode(text)
        return list(encoding.ids), list(encoding.offsets)

    def decode(self, ids: list[int]) -> str:
        return str(self.tokenizer.decode(ids, skip_special_tokens=True))


def train(samples: int = 8000) -> Tokenizer:
    """Pieces that are frequent in what the generator writes."""
    press = pages.press(101)
    texts = [press.block().text for _ in range(samples // 4)]
    texts += [region.text for _ in range(samples // 16) for region in press.regions(count=12)]
    texts += [f"user\n{PROMPT}\nassistant\n"] * 200  # so that the words of the prompt are few tokens
    tokenizer = _empty(models.BPE())
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=list(SPECIAL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return longest_first(tokenizer.get_vocab())


def longest_first(vocabulary: dict[str, int]) -> Tokenizer:
    model = models.WordPiece(
        vocabulary, unk_token=SPECIAL[0], continuing_subword_prefix="", max_input_chars_per_word=100_000
    )
    tokenizer = _empty(model)
    tokenizer.add_special_tokens(list(SPECIAL))
    return tokenizer


def _empty(model: models.Model) -> Tokenizer:
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECES), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, metavar="OUT", help="folder for tokenizer.json")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    train().save(str(out / "tokenizer.json"))
    tokens = Tokens(out / "tokenizer.json")
    texts = [pages.press(102).page().text for _ in range(1)]
    texts += [pages.press(seed).page().text for seed in range(103, 143)]
    lengths = [len(tokens.encode(text)[0]) for text in texts]
    print(f"{sum(map(len, texts)) / sum(lengths):.2f} letters a token, {sum(lengths) / len(lengths):.0f} tokens a page")
    print(tokens.tokenizer.encode(AFTER_IMAGE).tokens)
    assert all(tokens.decode(tokens.encode(text)[0]) == text for text in texts)


if __name__ == "__main__":
    main()
