"""What dialects share that are Markdown with something around it. Knows Markdown's dialect and no model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from docparse_fast.document import Category, Region
from docparse_fast.geometry import Size
from docparse_fast.targets.dialects.dialect import Answer, Phrase
from docparse_fast.targets.dialects.markdown import MarkdownDialect


class OnMarkdown:
    """Answers as `markdown` does, except where a subclass says otherwise."""

    __slots__ = ()

    markdown: ClassVar[MarkdownDialect]

    @property
    def name(self) -> str:
        return self.markdown.name

    @property
    def page_prompt(self) -> str | None:
        return self.markdown.page_prompt

    @property
    def conversation(self) -> str | None:
        return self.markdown.conversation

    @property
    def stops(self) -> tuple[str, ...]:
        return self.markdown.stops

    @property
    def examples(self) -> tuple[str, ...]:
        return self.markdown.examples

    def region_prompt(self, category: Category) -> str | None:
        return self.markdown.region_prompt(category)

    def phrase_page(self, regions: Sequence[Region], size: Size) -> tuple[Phrase, ...]:
        return self.markdown.phrase_page(regions, size)

    def phrase_region(self, region: Region, text: str) -> str:
        return self.markdown.phrase_region(region, text)

    def parse(self, answer: str, size: Size) -> Answer:
        return self.markdown.parse(answer, size)

    def read_region(self, region: Region, answer: str) -> str:
        return self.markdown.read_region(region, answer)
