"""Turns an image and a conversation into a model's inputs, with the checkpoint's own processor. Knows no prompt.

Processors of models that also read videos need torchvision, which many machines don't have. Such a processor is built
without its video part, and its image part is transformers' own, based on PIL.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import transformers
from PIL import Image
from transformers import AutoConfig, AutoImageProcessor, AutoProcessor, AutoTokenizer, PreTrainedTokenizerFast
from transformers.models.auto.processing_auto import PROCESSOR_MAPPING_NAMES

from docparse_fast.errors import ModelError
from docparse_fast.targets.models.dots_ocr import DotsOcrProcessor

AGAIN = "download the model again, with its preprocessor and tokenizer files"
REMEMBERED = 1 << 13  # texts whose tokens are kept, and pairs of tokens whose text is
UNREADABLE = (ImportError, OSError, ValueError, KeyError, AttributeError, TypeError)

ToInputs = Callable[[Image.Image, str], Any]  # -> what the model's forward and generate take


def open_processor(folder: Path, model_type: str, pixels: tuple[int, int] | None = None) -> tuple[Any, ToInputs]:
    """The tokenizer, and a function from an image and the whole conversation to inputs.

    Where `pixels` is given, an image has at least and at most so many; else the checkpoint's own settings count.
    """
    if model_type == "dots_ocr":
        dots = DotsOcrProcessor.from_folder(folder)
        return dots.tokenizer, dots
    processor = _processor(folder, model_type)
    size = {} if pixels is None else {"size": {"shortest_edge": pixels[0], "longest_edge": pixels[1]}}
    limits = {"images_kwargs": size} if size else {}

    def to_inputs(image: Image.Image, text: str) -> Any:
        return processor(images=[image], text=[text], return_tensors="pt", **limits)

    return processor.tokenizer, to_inputs


def _processor(folder: Path, model_type: str) -> Any:
    rest = _first_way(folder, model_type)
    try:
        return rest(folder, model_type)
    except UNREADABLE as error:
        other = _another_way(model_type, str(error))
        if other is None:
            raise _unreadable(folder, model_type, error) from error
    try:
        return other(folder, model_type)
    except UNREADABLE as error:
        raise _unreadable(folder, model_type, error) from error


def _first_way(folder: Path, model_type: str) -> Callable[[Path, str], Any]:
    bare = model_type == "unlimited_ocr" and not (folder / "preprocessor_config.json").is_file()
    return _with_usual_settings if bare else _as_it_says


def _as_it_says(folder: Path, model_type: str) -> Any:
    return AutoProcessor.from_pretrained(folder, local_files_only=True, trust_remote_code=False)


def _another_way(model_type: str, error: str) -> Callable[[Path, str], Any] | None:
    if model_type == "hunyuan_vl" and "missing required attribute" in error:
        return _with_named_tokens
    if model_type == "unlimited_ocr":  # its images are read with torchvision alone
        return None
    return _without_video if "torchvision" in error.lower() else None


def _with_named_tokens(folder: Path, model_type: str) -> Any:
    """For snapshots of HunyuanOCR whose tokenizer doesn't name its image tokens: their ids are in the config."""
    config = AutoConfig.from_pretrained(folder, local_files_only=True)
    plain = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    ids = {
        "image_token": config.image_token_id,
        "image_start_token": config.im_start_id,
        "image_end_token": config.im_end_id,
    }
    tokenizer = AutoTokenizer.from_pretrained(
        folder,
        local_files_only=True,
        trust_remote_code=False,
        extra_special_tokens={name: plain.convert_ids_to_tokens(number) for name, number in ids.items()},
        pad_token=plain.pad_token or plain.eos_token,
    )
    images = AutoImageProcessor.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    return getattr(transformers, PROCESSOR_MAPPING_NAMES[model_type])(
        images, tokenizer, chat_template=_chat_of(folder, tokenizer)
    )


def _with_usual_settings(folder: Path, model_type: str) -> Any:
    """For Unlimited-OCR as it was first published: with code of its own instead of a processor's settings."""
    images = transformers.UnlimitedOcrImageProcessor()  # large pages in tiles, as its makers' program does by default
    tokenizer = PreTrainedTokenizerFast.from_pretrained(folder, local_files_only=True)
    return transformers.UnlimitedOcrProcessor(images, tokenizer)


def _without_video(folder: Path, model_type: str) -> Any:
    images = AutoImageProcessor.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    whole = getattr(transformers, PROCESSOR_MAPPING_NAMES[model_type])

    class WithoutVideo(whole):  # type: ignore[misc, valid-type]
        def check_argument_for_proper_class(self, argument_name: str, argument: Any) -> Any:
            return None if argument is None else super().check_argument_for_proper_class(argument_name, argument)

    WithoutVideo.__name__ = whole.__name__
    return WithoutVideo(
        image_processor=images,
        tokenizer=tokenizer,
        video_processor=None,
        chat_template=_chat_of(folder, tokenizer),
    )


def _chat_of(folder: Path, tokenizer: Any) -> str:
    template = folder / "chat_template.jinja"
    return template.read_text(encoding="utf-8") if template.is_file() else tokenizer.chat_template


def check_tokenizer(tokenizer: Any, folder: Path, *, chats: bool) -> None:
    """Where its files are missing transformers makes one that knows no letter, or no conversation."""
    has_words = bool(tokenizer("a", add_special_tokens=False)["input_ids"])
    if not has_words or (chats and tokenizer.chat_template is None):
        missing = "chat template" if has_words else "vocabulary"
        raise ModelError("model_missing", f"{folder} has a tokenizer without a {missing}", remedy=AGAIN)


def encoder_of(tokenizer: Any) -> Callable[[str], tuple[int, ...]]:
    """What encodes a text as `tokenizer(text, add_special_tokens=False)` does.

    That spends 33 of 48 microseconds on its options; a page asks some hundred times, often as the page before did.
    """
    if not tokenizer.is_fast:
        return lambda text: tuple(tokenizer(text, add_special_tokens=False)["input_ids"])
    fast = tokenizer.backend_tokenizer
    fast.no_truncation()  # a checkpoint's file may ask for it; transformers asks for neither
    fast.no_padding()

    @lru_cache(maxsize=REMEMBERED)
    def encode(text: str) -> tuple[int, ...]:
        return tuple(fast.encode(text, add_special_tokens=False).ids)

    return encode


def decoder_of(tokenizer: Any) -> Callable[[Sequence[int]], str]:
    """What decodes tokens, special ones too, as `tokenizer.decode` does without tidying up blanks.

    That spends 2 of 3 microseconds on its options. A page asks some hundred times for a token's text behind another
    one, mostly as the page before did.
    """

    def decode(tokens: Sequence[int]) -> str:
        if tokenizer.is_fast:
            return str(tokenizer.backend_tokenizer.decode(tokens, skip_special_tokens=False))
        return str(tokenizer.decode(tokens, skip_special_tokens=False, clean_up_tokenization_spaces=False))

    @lru_cache(maxsize=REMEMBERED)
    def of_two(first: int, second: int) -> str:
        return decode([first, second])

    return lambda tokens: of_two(*tokens) if len(tokens) == 2 else decode(list(tokens))


def _unreadable(folder: Path, model_type: str, error: Exception) -> ModelError:
    if "torchvision" in str(error).lower():  # transformers 5.17 reads no image without it
        newer = "" if model_type == "unlimited_ocr" else ", or 'transformers>=5.23'"
        return ModelError(
            "model_missing",
            f"this transformers ({transformers.__version__}) reads {folder.name}'s images with torchvision",
            remedy=f"pip install torchvision{newer}",
        )
    said = str(error).strip().splitlines() or [""]
    return ModelError(
        "model_missing",
        f"{folder} has no usable processor ({type(error).__name__}: {said[0][:120]})",
        remedy=AGAIN,
    )
