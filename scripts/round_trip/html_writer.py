"""Writes a document as HTML for Chromium, WeasyPrint and LibreOffice. Knows tags and style sheets."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from material import Block, Document, Run
from styles import PAPERS, PageStyle

FONTS = {
    (True, ""): "Noto Serif",
    (False, ""): "Noto Sans",
    (True, "ar"): "Amiri",
    (False, "ar"): "Noto Sans Arabic",
    (True, "he"): "David CLM",
    (False, "he"): "DejaVu Sans",
    (True, "zh"): "Noto Serif CJK SC",
    (False, "zh"): "Noto Sans CJK SC",
    (True, "ko"): "Noto Serif CJK KR",
    (False, "ko"): "Noto Sans CJK KR",
}
TAGS = {"bold": "b", "italic": "i", "code": "code"}
TABLES = {
    "grid": "td,th{border:0.5pt solid #000}",
    "booktabs": "table{border-top:1pt solid;border-bottom:1pt solid}th{border-bottom:0.5pt solid}",
    "lines": "td,th{border-bottom:0.5pt solid #555}",
    "shaded": "tr:nth-child(even){background:#e4e4e4}th{background:#b8c8d8}",
    "none": "th{font-weight:bold}",
}
CODE = {
    "grey": "background:#ececec;padding:4pt",
    "framed": "border:0.5pt solid #000;padding:4pt",
    "plain": "margin-left:20pt",
}
BAR = 0.6  # points of height for each unit


def font(style: PageStyle, language: str) -> str:
    return FONTS.get((style.serif, language), FONTS[style.serif, ""])


def html(document: Document, style: PageStyle, *, footnotes: bool) -> str:
    """`footnotes` stand at the page's foot where the producer can do that, else they end the document."""
    body = _Body(style, footnotes)
    words = "\n".join(body.block(block, above) for above, block in pairwise((None, *document.blocks)) if block)
    ends = "".join(f"<p>{note}</p>" for note in body.ends)
    way = "rtl" if document.from_the_right else "ltr"
    head = f'<meta charset="utf-8"><style>{_sheet(document, style)}</style>'
    page = f"<head>{head}</head><body>{words}{body.close()}{ends}</body>"
    return f'<!DOCTYPE html><html lang="{document.language}" dir="{way}">{page}</html>'


class _Body:
    def __init__(self, style: PageStyle, footnotes: bool) -> None:
        self.style, self.footnotes = style, footnotes
        self.ends: list[str] = []
        self.numbers = [0, 0, 0]
        self.lists: list[str] = []

    def block(self, block: Block, above: Block | None) -> str:
        opened = self._items(block, above) if block.kind == "item" else self.close()
        return opened + getattr(self, f"_{block.kind}")(block)

    def close(self, depth: int = 0) -> str:
        """Ends lists until `depth` are left."""
        ends = "".join(f"</{tag}>" for tag in reversed(self.lists[depth:]))
        del self.lists[depth:]
        return ends

    def _items(self, block: Block, above: Block | None) -> str:
        ended = self.close(block.level)
        if len(self.lists) == block.level:
            return ended
        self.lists.append("ol" if block.ordered else "ul")
        return f"{ended}<{self.lists[-1]}>"

    def _item(self, block: Block) -> str:
        return f"<li>{self.runs(block.runs)}</li>"

    def _heading(self, block: Block) -> str:
        self.numbers[block.level - 1] += 1
        self.numbers[block.level :] = [0] * (3 - block.level)
        number = (
            ".".join(map(str, self.numbers[1 : block.level])) + " " if self.style.numbered and block.level > 1 else ""
        )
        return f"<h{block.level}>{number}{self.runs(block.runs)}</h{block.level}>"

    def _paragraph(self, block: Block) -> str:
        return f"<p>{self.runs(block.runs)}</p>"

    def _code(self, block: Block) -> str:
        return f'<pre dir="ltr">{escape(chr(10).join(block.lines))}</pre>'

    def _figure(self, block: Block) -> str:
        bars = "".join(
            f'<rect x="{18 * n + 4}" y="{BAR * (100 - size)}" width="12" height="{BAR * size}" fill="#47a"/>'
            f'<text x="{18 * n + 5}" y="70" font-size="7">{size}</text>'
            for n, size in enumerate(block.sizes)
        )
        picture = f'<svg width="120" height="76" viewBox="0 0 120 76">{bars}</svg>'
        return f'<div class="f">{picture}<br>{self.runs(block.runs)}</div>'

    def _table(self, block: Block) -> str:
        width = max(map(len, block.rows))
        rows = []
        for n, row in enumerate(block.rows):
            tag = "th" if n <= block.spanned else "td"
            span = f' colspan="{width}"' if len(row) < width else ""
            rows.append("<tr>" + "".join(f"<{tag}{span}>{self.runs(cell)}</{tag}>" for cell in row) + "</tr>")
        return f'<table cellspacing="0" width="100%">{"".join(rows)}</table>'

    def runs(self, runs: Sequence[Run]) -> str:
        return "".join(map(self._run, runs))

    def _run(self, run: Run) -> str:
        text = escape(run.text)
        if run.style == "link":
            return f'<a href="{run.aside}">{text}</a>'
        if run.style == "note" and self.footnotes:
            return f'<span class="note">{escape(run.aside)}</span>'
        if run.style == "note":
            self.ends.append(f"<sup>{len(self.ends) + 1}</sup> {escape(run.aside)}")
            return f"<sup>{len(self.ends)}</sup>"
        return f"<{TAGS[run.style]}>{text}</{TAGS[run.style]}>" if run.style else text


def _sheet(document: Document, style: PageStyle) -> str:
    width, height = PAPERS[style.paper]
    head = f'@top-center{{content:"{document.running_head}"}}' if style.running_head else ""
    columns = f"columns:{style.columns};column-gap:6mm;" if style.columns > 1 else ""
    gap = "margin:0;text-indent:1.5em" if style.indented else "margin:0 0 0.6em"
    return (
        f"@page{{size:{width}mm {height}mm;margin:{style.margin}mm;{head}@bottom-center{{content:counter(page)}}}}"
        f"body{{font:{style.size}pt/1.3 '{font(style, document.language)}';{columns}margin:0}}p{{{gap}}}"
        "code,pre{font-family:'DejaVu Sans Mono';font-size:0.85em}table{margin:8pt 0}"
        "td,th{padding:2pt 6pt;text-align:start}a{color:#00c}.f{text-align:center;margin:8pt 0}.note{float:footnote}"
        f"{TABLES[style.table]}pre{{{CODE[style.code]}}}"
    )
