r"""OvisOCR2's dialect: Markdown with an image tag for each picture, its box in the file's name. Knows no tensor.

    <img src="images/bbox_120_340_560_480.jpg" />

The prompt is the one of the card of ATH-MaaS/OvisOCR2, copied exactly from a public copy whose hash its users publish,
with the line break that it begins with. Crops have the same prompt. The chat template is the checkpoint's, without
thinking; an answer ends with `<|im_end|>` or `<|endoftext|>`. The card decodes greedily, up to 16,384 tokens, and shows
an image of 448 x 448 to 2,880 x 2,880 pixels. Boxes are in thousandths of the page. Running heads are written as text.
Not established: what stands around formulas (drafts have dollar signs) and the inside of tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docparse_fast.document import Block, Box, Category, Region
from docparse_fast.geometry import Size
from docparse_fast.targets.dialects.dialect import Answer, Phrase
from docparse_fast.targets.dialects.markdown import MarkdownDialect
from docparse_fast.targets.dialects.markdown_parts import unwrapped
from docparse_fast.targets.dialects.on_markdown import OnMarkdown

PAGE_PROMPT = (
    "\nExtract all readable content from the image in natural human reading order and output the result as a single "
    "Markdown document. For charts or images, represent them using an HTML image tag: "
    '<img src="images/bbox_{left}_{top}_{right}_{bottom}.jpg" />, where left, top, right, bottom are bounding box '
    "coordinates scaled to [0, 1000). Format formulas as LaTeX. Format tables as HTML: <table>...</table>. "
    "Transcribe all other text as standard Markdown. Preserve the original text without translation or paraphrasing."
)
SCALE = 1000
_IMAGE = re.compile(r'(?m)^[ \t]*<img src="images/bbox_(\d{1,4})_(\d{1,4})_(\d{1,4})_(\d{1,4})\.jpg" ?/>')
_OPENED = '<img src="images/bbox_'
_CUT = re.compile(rf"(?m)^{_OPENED}[^\n>]*\Z")

_MARKDOWN = MarkdownDialect(
    name="ovis-ocr2",
    page_prompt=PAGE_PROMPT,
    prompts={},
    stops=("<|im_end|>", "<|endoftext|>"),
)


class OvisOcr2Dialect(OnMarkdown):
    __slots__ = ()

    markdown = _MARKDOWN

    def phrase_page(self, regions: Sequence[Region], size: Size) -> tuple[Phrase, ...]:
        figures = [
            Phrase(f"{_tag(region.box, size)}\n\n", (n,), "layout")
            for n, region in enumerate(regions)
            if region.category is Category.FIGURE
        ]
        return tuple(sorted((*super().phrase_page(regions, size), *figures), key=lambda phrase: phrase.regions))

    def parse(self, answer: str, size: Size) -> Answer:
        answer = unwrapped(answer)
        cut = _CUT.search(answer)
        lost = [cut[0]] if cut else []
        blocks: list[Block] = []
        for box, text in _pieces(answer[: cut.start()] if cut else answer, size):
            if box is not None:
                blocks.append(Block(Category.FIGURE, "", box))
            else:
                read = super().parse(text, size)
                blocks += read.blocks
                lost.insert(len(lost) - bool(cut), read.lost)
        return Answer(tuple(blocks), "\n".join(filter(None, lost)))


def _tag(box: Box, size: Size) -> str:
    x, y = SCALE / size[0], SCALE / size[1]
    left, top, right, bottom = (
        min(round(edge), SCALE - 1) for edge in (box.x0 * x, box.y0 * y, box.x1 * x, box.y1 * y)
    )
    return f'{_OPENED}{left}_{top}_{right}_{bottom}.jpg" />'


def _pieces(answer: str, size: Size) -> Iterator[tuple[Box | None, str]]:
    """A figure's box, or the Markdown between figures."""
    x, y = size[0] / SCALE, size[1] / SCALE
    done = 0
    for found in _IMAGE.finditer(answer):
        yield None, answer[done : found.start()]
        left, top, right, bottom = map(int, found.groups())
        yield Box(left * x, top * y, right * x, bottom * y).clipped(*size), ""
        done = found.end()
    yield None, answer[done:]
