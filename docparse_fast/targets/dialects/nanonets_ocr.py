r"""Nanonets-OCR's dialect: Markdown with tags for what stands beside the text. Knows no tensor and no other model.

    <watermark>OFFICIAL COPY</watermark>
    <page_number>9/22</page_number>

The prompt is the one of the cards of nanonets/Nanonets-OCR2-3B and Nanonets-OCR-s, copied exactly, and so is the system
message before it. The chat template is the checkpoint's; an answer ends with `<|im_end|>` or `<|endoftext|>`. The card
lets an answer have 15,000 tokens and asks for no repetition penalty. Formulas stand between `$` and `$`, displayed ones
between `$$` and `$$`, tables are HTML, check boxes the letters ☐, ☑ and ☒, as the card says. A figure is its caption or
a description within `<img>`, a signature stands within `<signature>`. Not established: the inside of tables (drafts are
plain `<table><tr><td>`), and how running heads are written (drafts have them as text).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from docparse_fast.document import Block, Category, Region
from docparse_fast.geometry import Size
from docparse_fast.targets.dialects.dialect import Answer, Phrase
from docparse_fast.targets.dialects.markdown import MarkdownDialect
from docparse_fast.targets.dialects.markdown_parts import unwrapped
from docparse_fast.targets.dialects.on_markdown import OnMarkdown

PAGE_PROMPT = (
    "Extract the text from the above document as if you were reading it naturally. Return the tables in html format. "
    "Return the equations in LaTeX representation. If there is an image in the document and image caption is not "
    "present, add a small description of the image inside the <img></img> tag; otherwise, add the image caption inside "
    "<img></img>. Watermarks should be wrapped in brackets. Ex: <watermark>OFFICIAL COPY</watermark>. Page numbers "
    "should be wrapped in brackets. Ex: <page_number>14</page_number> or <page_number>9/22</page_number>. "
    "Prefer using ☐ and ☑ for check boxes."
)
SYSTEM = "You are a helpful assistant."

_TAGS = {
    "page_number": Category.PAGE_NUMBER,
    "watermark": Category.TEXT,
    "signature": Category.TEXT,
    "img": Category.FIGURE,
}
_OPENING = re.compile(rf"(?m)^[ \t]*<({'|'.join(_TAGS)})>")  # those within a line or a table stay with its text
_MARK = re.compile(rf"</?(?:{'|'.join(_TAGS)})>")
_NUMBER = "<page_number>"

_MARKDOWN = MarkdownDialect(
    name="nanonets-ocr",
    page_prompt=PAGE_PROMPT,
    prompts={},
    stops=("<|im_end|>", "<|endoftext|>"),
)


class NanonetsOcrDialect(OnMarkdown):
    __slots__ = ()

    markdown = _MARKDOWN

    def phrase_page(self, regions: Sequence[Region], size: Size) -> tuple[Phrase, ...]:
        numbers = {(n,) for n, region in enumerate(regions) if region.category is Category.PAGE_NUMBER}
        phrases = super().phrase_page(regions, size)
        return tuple(
            replace(phrase, text=f"{_tagged(phrase.text.strip())}\n\n") if phrase.regions in numbers else phrase
            for phrase in phrases
        )

    def phrase_region(self, region: Region, text: str) -> str:
        worded = super().phrase_region(region, text)
        return _tagged(worded) if region.category is Category.PAGE_NUMBER else worded

    def parse(self, answer: str, size: Size) -> Answer:
        blocks: list[Block] = []
        lost: list[str] = []
        for category, text in _pieces(unwrapped(answer)):
            if category is None:
                read = super().parse(text, size)
                blocks += [replace(block, text=_MARK.sub("", block.text)) for block in read.blocks]
                lost.append(read.lost)
            elif text or category is Category.FIGURE:
                blocks.append(Block(category, text))
        return Answer(tuple(blocks), "\n".join(filter(None, lost)))

    def read_region(self, region: Region, answer: str) -> str:
        return _MARK.sub("", super().read_region(region, answer))


def _tagged(number: str) -> str:
    return f"{_NUMBER}{number}</page_number>"


def _pieces(answer: str) -> Iterator[tuple[Category | None, str]]:
    """The tagged pieces with their categories, and the Markdown between them; a tag without an end is Markdown."""
    done = 0
    unclosed = set()
    for opening in _OPENING.finditer(answer):
        tag = opening[1]
        if opening.start() < done or tag in unclosed:
            continue
        end = answer.find(f"</{tag}>", opening.end())
        if end < 0:
            unclosed.add(tag)  # nor has any later one
            continue
        yield None, answer[done : opening.start()]
        yield _TAGS[tag], answer[opening.end() : end].strip()
        done = end + len(f"</{tag}>")
    yield None, answer[done:]
