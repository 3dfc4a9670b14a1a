r"""olmOCR 2's dialect: Markdown under a front matter of five facts about the page. Knows no tensor and no other model.

    ---
    primary_language: en
    is_rotation_valid: True
    rotation_correction: 0
    is_table: False
    is_diagram: False
    ---
    # Results

The prompt is `build_no_anchoring_v4_yaml_prompt` of its makers' toolkit (allenai/olmocr, `olmocr/prompts/prompts.py`,
release 0.4), copied exactly from public copies, "LateX" included. As in the card of allenai/olmOCR-2-7B-1025 it stands
*before* the image, whose longer side has 1,288 pixels. The chat template is the checkpoint's, which is
Qwen2.5-VL's with its own system message. The toolkit lets an answer have 8,000 tokens, and draws at temperature 0.1;
we don't draw. The model was trained to leave out running heads and feet, so none are drafted. A figure is
`![what it shows](page_x_y_width_height.png)`; the box is not used. Formulas stand between `\(` and `\)`, displayed ones
between `\[` and `\]`, as its users say; the blanks within them are not established, and neither is the inside of
tables (drafts are plain `<table><tr><td>`).
A page that the model calls rotated is not turned and asked again, as the toolkit does: our pages are upright before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import FURNITURE, Category, Region
from docparse_fast.geometry import Size
from docparse_fast.targets.dialects.dialect import Answer, Phrase
from docparse_fast.targets.dialects.markdown import MarkdownDialect
from docparse_fast.targets.dialects.markdown_parts import unwrapped
from docparse_fast.targets.dialects.on_markdown import OnMarkdown

PAGE_PROMPT = (
    "Attached is one page of a document that you must process. "
    "Just return the plain text representation of this document as if you were reading it naturally. "
    "Convert equations to LateX and tables to HTML.\n"
    "If there are any figures or charts, label them with the following markdown syntax "
    "![Alt text describing the contents of the figure](page_startx_starty_width_height.png)\n"
    "Return your output as markdown, with a front matter section on top specifying values for the primary_language, "
    "is_rotation_valid, rotation_correction, is_table, and is_diagram parameters."
)
MOSTLY = 0.5  # of a page's letters or regions
_KEYS = "primary_language|is_rotation_valid|rotation_correction|is_table|is_diagram"
# whole, or cut off anywhere after its first key
_FRONT = re.compile(
    rf"\s*---[ \t]*\n(?=(?:{_KEYS}):)(?:\w+:[^\n]*\n)*(?:---[ \t]*(?:\n|\Z)|\w*(?::[^\n]*)?\Z|-{{1,2}}\Z)"
)

_MARKDOWN = MarkdownDialect(
    name="olmocr-2",
    page_prompt=PAGE_PROMPT,
    prompts={},
    stops=("<|im_end|>", "<|endoftext|>"),
    display=("\\[", "\\]"),
    inline=("\\(", "\\)"),
    undrafted=FURNITURE | {Category.FIGURE},
)


class OlmOcr2Dialect(OnMarkdown):
    __slots__ = ()

    markdown = _MARKDOWN

    def phrase_page(self, regions: Sequence[Region], size: Size) -> tuple[Phrase, ...]:
        """Every reading of the first region that is written stands after the front matter, and alone.

        The front matter itself stands alone where a page has no words to draft.
        """
        phrases = super().phrase_page(regions, size)
        first = [phrase for phrase in phrases if phrase.regions == phrases[0].regions]
        front = front_matter(regions)
        if regions and not phrases:
            return (Phrase(front, (0,), "layout"),)
        return (*(replace(phrase, text=front + phrase.text) for phrase in first), *phrases)

    def phrase_region(self, region: Region, text: str) -> str:
        return front_matter([region]) + super().phrase_region(region, text)

    def parse(self, answer: str, size: Size) -> Answer:
        return super().parse(_body(answer), size)

    def read_region(self, region: Region, answer: str) -> str:
        return super().read_region(region, _body(answer))


def front_matter(regions: Sequence[Region]) -> str:
    """What the model probably says of a page with these regions. A wrong value costs one token of the draft."""
    letters = sum(len(region.text) for region in regions)
    tables = sum(len(region.text) for region in regions if region.category is Category.TABLE)
    figures = sum(region.category is Category.FIGURE for region in regions)
    return (
        "---\nprimary_language: en\nis_rotation_valid: True\nrotation_correction: 0\n"
        f"is_table: {tables > MOSTLY * letters}\nis_diagram: {figures > MOSTLY * len(regions)}\n---\n"
    )


def _body(answer: str) -> str:
    answer = unwrapped(answer)
    found = _FRONT.match(answer)
    return answer[found.end() :] if found else answer
