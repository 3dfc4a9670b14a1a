"""GOT-OCR2's conversation, compared with the one that transformers builds."""

import re

from PIL import Image
from transformers.models.got_ocr2 import GotOcr2Processor
from transformers.models.got_ocr2.image_processing_pil_got_ocr2 import GotOcr2ImageProcessorPil

from docparse_fast.targets.dialects.got_ocr2 import GOT_OCR2
from tests.targets.dots_models import small_tokenizer


def test_got_ocr2_asks_as_its_processor_does():
    """The text of the tokens that transformers' own processor makes for an image."""
    tokenizer = small_tokenizer()
    tokenizer.add_special_tokens({"additional_special_tokens": ["<|im_start|>", "<|im_end|>", "<imgpad>"]})
    processor = GotOcr2Processor(GotOcr2ImageProcessorPil(), tokenizer)
    ids = processor(images=Image.new("RGB", (40, 40)), format=True)["input_ids"][0]
    theirs = re.sub(r"(<imgpad>)+", "<imgpad>", tokenizer.decode(ids))
    assert theirs == GOT_OCR2.conversation.format(prompt=GOT_OCR2.page_prompt)
