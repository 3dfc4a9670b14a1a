"""Turns an image and a conversation into a model's inputs, with the checkpoint's own processor. Knows no prompt.

Processors of models that also read videos need torchvision, which many machines don't have. Such a processor is built
without its video part, and its image part is transformers' own, based on PIL.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import transformers
from PIL import Image
from transformers import AutoImageProcessor, AutoProcessor, AutoTokenizer
from transformers.models.auto.processing_auto import PROCESSOR_MAPPING_NAMES

from docparse_fast.errors import ModelError
from docparse_fast.targets.models.dots_ocr import DotsOcrProcessor

ToInputs = Callable[[Image.Image, str], Any]  # -> what the model's forward and generate take


def open_processor(folder: Path, model_type: str) -> tuple[Any, ToInputs]:
    """The tokenizer, and a function from an image and the whole conversation to inputs."""
    if model_type == "dots_ocr":
        dots = DotsOcrProcessor.from_folder(folder)
        return dots.tokenizer, dots
    processor = _processor(folder, model_type)

    def to_inputs(image: Image.Image, text: str) -> Any:
        return processor(images=[image], text=[text], return_tensors="pt")

    return processor.tokenizer, to_inputs


def _processor(folder: Path, model_type: str) -> Any:
    try:
        return AutoProcessor.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except (ImportError, ValueError) as error:
        if "torchvision" not in str(error):
            raise _unreadable(folder, error) from error
    except OSError as error:
        raise _unreadable(folder, error) from error
    try:
        return _without_video(folder, model_type)
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise _unreadable(folder, error) from error


def _without_video(folder: Path, model_type: str) -> Any:
    images = AutoImageProcessor.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    whole = getattr(transformers, PROCESSOR_MAPPING_NAMES[model_type])

    class WithoutVideo(whole):  # type: ignore[misc, valid-type]
        def check_argument_for_proper_class(self, argument_name: str, argument: Any) -> Any:
            return None if argument is None else super().check_argument_for_proper_class(argument_name, argument)

    WithoutVideo.__name__ = whole.__name__
    template = folder / "chat_template.jinja"
    chat = template.read_text(encoding="utf-8") if template.is_file() else tokenizer.chat_template
    return WithoutVideo(image_processor=images, tokenizer=tokenizer, video_processor=None, chat_template=chat)


def _unreadable(folder: Path, error: Exception) -> ModelError:
    return ModelError(
        "model_missing",
        f"{folder} has no usable processor ({type(error).__name__}: {str(error).splitlines()[0][:120]})",
        remedy="download the model again, with its preprocessor and tokenizer files",
    )
