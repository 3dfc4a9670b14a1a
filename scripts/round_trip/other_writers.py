"""Writes a document for Typst, for groff (ms and tbl) and with ReportLab. Knows the three ways of saying things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from html_writer import font
from material import Block, Document, Run
from styles import PAPERS, PageStyle

# ------------------------------------------------------------------------------------------------ Typst


def typst(document: Document, style: PageStyle) -> str:
    width, height = PAPERS[style.paper]
    head = f"header: align(center)[{document.running_head}]," if style.running_head else ""
    way = "rtl" if document.from_the_right else "ltr"
    code = {"grey": "fill: luma(235), inset: 5pt", "framed": "stroke: 0.5pt, inset: 5pt"}.get(
        style.code, "inset: (left: 20pt)"
    )
    number = '(..n) => if n.pos().len() > 1 { n.pos().slice(1).map(str).join(".") }' if style.numbered else "none"
    prefix = f"""#set page(width: {width}mm, height: {height}mm, margin: {style.margin}mm, numbering: "1")
#set page(columns: {style.columns}, {head})
#set text(font: "{font(style, document.language)}", size: {style.size}pt, lang: "{document.language}", dir: {way})
#set par(justify: true, {"first-line-indent: 1.5em, spacing: 0.65em" if style.indented else "spacing: 1.2em"})
#set heading(numbering: {number})
#show raw: set text(font: "DejaVu Sans Mono", dir: ltr)
#show raw.where(block: true): it => block(width: 100%, {code}, it)
"""
    return prefix + "\n\n".join(_typst_block(block, style) for block in document.blocks)


def _typst_block(block: Block, style: PageStyle) -> str:
    words = _typst_runs(block.runs)
    if block.kind == "heading":
        return "=" * block.level + " " + words
    if block.kind == "item":
        return "  " * (block.level - 1) + ("+ " if block.ordered else "- ") + words
    if block.kind == "code":
        return "```\n" + "\n".join(block.lines) + "\n```"
    if block.kind == "figure":
        bars = ",".join(
            f"stack(spacing: 2pt, rect(width: 10pt, height: {0.6 * s}pt, fill: blue), text(size: 6pt)[{s}])"
            for s in block.sizes
        )
        return f"#figure(stack(dir: ltr, spacing: 6pt, {bars}), caption: [{words}])"
    return _typst_table(block, style) if block.kind == "table" else words


def _typst_table(block: Block, style: PageStyle) -> str:
    width = max(map(len, block.rows))
    stroke = {"grid": "0.5pt", "lines": "(bottom: 0.5pt)"}.get(style.table, "none")
    rule = "table.hline(),\n" if style.table == "booktabs" else ""
    fill = "fill: (_, y) => if calc.odd(y) { luma(230) }," if style.table == "shaded" else ""
    rows = ""
    for n, row in enumerate(block.rows):
        cells = [f"[{_typst_runs(cell)}]" if n > block.spanned else f"strong[{_typst_runs(cell)}]" for cell in row]
        rows += f"table.cell(colspan: {width}, {cells[0]}),\n" if len(row) < width else ", ".join(cells) + ",\n"
        rows += rule if n == block.spanned else ""
    return f"#table(columns: {width}, stroke: {stroke}, {fill}\n{rule}{rows}{rule})"


def _typst_runs(runs: Sequence[Run]) -> str:
    return "".join(map(_typst_run, runs))


def _typst_run(run: Run) -> str:
    text = "".join("\\" + char if char in "\\#*_`$<>@[]~-=+/" else char for char in run.text)
    match run.style:
        case "bold" | "italic":
            return f"#{'strong' if run.style == 'bold' else 'emph'}[{text}]"
        case "code":
            return f"`{run.text}`"
        case "link":
            return f'#link("{run.aside}")[{text}]'
        case "note":
            return f"#footnote[{run.aside}]"
    return text


# ------------------------------------------------------------------------------------------------ groff


def groff(document: Document, style: PageStyle) -> str:
    width, height = PAPERS[style.paper]
    step, margin = 12 if style.size < 11 else 14, style.margin / 10
    head = f".ds CH {document.running_head}\n" if style.running_head else ".ds CH\n"
    family = "T" if style.serif else "H"
    prefix = (
        f".pl {height / 10}c\n.nr PO {margin}c\n.nr LL {width / 10 - 2 * margin}c\n.nr HM {margin}c\n.nr FM {margin}c\n"
        f".nr PS {style.size}\n.nr VS {step}\n.nr PI 2n\n.fam {family}\n{head}.ds CF %\n"
    )
    columns = ".2C\n" if style.columns > 1 else ""
    return prefix + columns + "".join(_groff_block(block, style, count) for block, count in counted(document.blocks))


def counted(blocks: Sequence[Block]) -> Iterator[tuple[Block, int]]:
    """Each block, and which item of its list it is."""
    count = 0
    for block in blocks:
        count = count + (block.level == 1) if block.kind == "item" else 0
        yield block, count


def _groff_block(block: Block, style: PageStyle, count: int) -> str:
    words = _groff_runs(block.runs)
    if block.kind == "heading":
        return f"{'.NH ' + str(block.level) if style.numbered else '.SH ' + str(block.level)}\n{words}\n"
    if block.kind == "item":
        item = f'.IP "{f"{count}." if block.ordered else chr(92) + "(bu"}" 3n\n{words}\n'
        return f".RS\n{item}.RE\n" if block.level > 1 else item
    if block.kind == "code":
        return ".DS I\n.ft CR\n" + "\n".join(_groff_text(line) for line in block.lines) + "\n.ft\n.DE\n"
    if block.kind == "figure":
        return f".PP\n{words}\n"
    if block.kind == "table":
        return _groff_table(block, style)
    return f".{'PP' if style.indented else 'LP'}\n{words}\n"


def _groff_table(block: Block, style: PageStyle) -> str:
    width = max(map(len, block.rows))
    option = {"grid": "allbox ", "lines": "", "booktabs": ""}.get(style.table, "")
    first = "c" + " s" * (width - 1) + "\n" if block.spanned else ""
    rows = []
    for n, row in enumerate(block.rows):
        rows.append(
            "\t".join(
                "T{\n" + _groff_runs(cell) + "\nT}" if len(cell[0].text) > 25 else _groff_runs(cell) for cell in row
            )
        )
        if style.table == "lines" or (style.table == "booktabs" and n in (block.spanned, len(block.rows) - 1)):
            rows.append("_")
    rule = "_\n" if style.table in ("lines", "booktabs") else ""
    shape = first + " ".join(["l"] * width)
    body = "\n".join(rows)
    return f".LP\n.TS\n{option}center;\n{shape}.\n{rule}{body}\n.TE\n"


def _groff_text(text: str) -> str:
    text = text.replace("\\", r"\[rs]").replace("-", r"\-")
    return r"\&" + text if text[:1] in (".", "'") else text


def _groff_runs(runs: Sequence[Run]) -> str:
    fonts = {"bold": r"\fB%s\fP", "italic": r"\fI%s\fP", "code": r"\f(CR%s\fP"}
    text = ""
    for run in runs:
        if run.style == "note":
            text += f"\\**\n.FS\n{_groff_text(run.aside)}\n.FE\n"
        else:
            text += fonts.get(run.style, "%s") % _groff_text(run.text)
    return text.replace("\n ", "\n").rstrip("\n")


# -------------------------------------------------------------------------------------------- ReportLab


def reportlab(document: Document, style: PageStyle, path: Path) -> None:
    from reportlab.lib import colors
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.lib.units import mm
    from reportlab.platypus import (
        BaseDocTemplate,
        Frame,
        ListFlowable,
        ListItem,
        PageTemplate,
        Paragraph,
        Preformatted,
        Spacer,
        Table,
    )

    faces = _registered_faces("Serif" if style.serif else "Sans")
    width, height = (side * mm for side in PAPERS[style.paper])
    base = ParagraphStyle("base", fontName=faces, fontSize=style.size, leading=1.3 * style.size)
    text = ParagraphStyle("p", base, firstLineIndent=15 * style.indented, spaceAfter=0 if style.indented else 6)
    grounds = {
        "grey": {"backColor": colors.HexColor("#ececec")},
        "framed": {"borderWidth": 0.5, "borderColor": colors.black},
    }
    small, indent = 0.85 * style.size, 0 if style.code in grounds else 20
    code = ParagraphStyle("c", base, fontName="DejaVuMono", fontSize=small, leading=style.size, leftIndent=indent)
    code = ParagraphStyle("c", code, spaceBefore=6, spaceAfter=6, borderPadding=3, **grounds.get(style.code, {}))
    lines = {
        "grid": [("GRID", (0, 0), (-1, -1), 0.5, colors.black)],
        "booktabs": [
            ("LINEABOVE", (0, 0), (-1, 0), 1, colors.black),
            ("LINEBELOW", (0, -1), (-1, -1), 1, colors.black),
        ],
        "lines": [("LINEBELOW", (0, 0), (-1, -1), 0.5, colors.black)],
        "shaded": [("ROWBACKGROUNDS", (0, 0), (-1, -1), [colors.white, colors.HexColor("#e4e4e4")])],
        "none": [],
    }[style.table]
    notes: list[str] = []
    story: list[Any] = []

    def words(runs: Sequence[Run]) -> str:
        return "".join(_reportlab_run(run, notes) for run in runs)

    def table(block: Block) -> Table:
        wide = max(map(len, block.rows))
        rows = [[Paragraph(words(cell), base) for cell in row] + [""] * (wide - len(row)) for row in block.rows]
        spans = [("SPAN", (0, 0), (-1, 0))] if block.spanned else []
        return Table(rows, style=[*lines, *spans, ("VALIGN", (0, 0), (-1, -1), "TOP")], spaceBefore=8, spaceAfter=8)

    numbers = [0, 0, 0]
    for block, count in counted(document.blocks):
        if block.kind == "heading":
            numbers = [n + 1 if i == block.level - 1 else n * (i < block.level) for i, n in enumerate(numbers)]
            number = ".".join(map(str, numbers[1 : block.level])) + " " if style.numbered and block.level > 1 else ""
            size = style.size * (2.2, 1.5, 1.2)[block.level - 1]
            shape = ParagraphStyle(
                "h", base, fontSize=size, leading=1.2 * size, spaceBefore=size, spaceAfter=6, keepWithNext=1
            )
            story.append(Paragraph(f"<b>{number}{words(block.runs)}</b>", shape))
        elif block.kind == "item":
            item = ListItem(Paragraph(words(block.runs), base), value=count if block.ordered else None)
            shape = {"bulletType": "1"} if block.ordered else {"bulletType": "bullet", "start": "•"}
            story.append(ListFlowable([item], leftIndent=18 * block.level, **shape))
        elif block.kind == "code":
            story.append(Preformatted("\n".join(block.lines), code))
        elif block.kind == "table":
            story.append(table(block))
        else:
            story += [Paragraph(words(block.runs), text)]
    story += [Spacer(1, 12), *(Paragraph(note, text) for note in notes)]
    margin, gap = style.margin * mm, 6 * mm
    across = (width - 2 * margin - gap * (style.columns - 1)) / style.columns
    frames = [
        Frame(margin + n * (across + gap), margin, across, height - 2 * margin, 0, 0, 0, 0)
        for n in range(style.columns)
    ]

    def decorate(canvas: Any, _: Any) -> None:
        canvas.setFont(faces, 8)
        canvas.drawCentredString(width / 2, margin / 2, str(canvas.getPageNumber()))
        if style.running_head:
            canvas.drawCentredString(width / 2, height - margin / 2, document.running_head)

    BaseDocTemplate(
        str(path), pagesize=(width, height), pageTemplates=[PageTemplate("t", frames, onPage=decorate)]
    ).build(story)


def _registered_faces(kind: str) -> str:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    folder = Path("/usr/share/fonts/truetype/dejavu")
    italic = "DejaVuSerif-Italic" if (folder / "DejaVuSerif-Italic.ttf").exists() else f"DejaVu{kind}"
    for name, file in (
        (f"DejaVu{kind}", f"DejaVu{kind}"),
        (f"DejaVu{kind}-B", f"DejaVu{kind}-Bold"),
        ("DejaVu-I", italic),
        ("DejaVuMono", "DejaVuSansMono"),
    ):
        pdfmetrics.registerFont(TTFont(name, folder / f"{file}.ttf"))
    pdfmetrics.registerFontFamily(f"DejaVu{kind}", f"DejaVu{kind}", f"DejaVu{kind}-B", "DejaVu-I", f"DejaVu{kind}-B")
    return f"DejaVu{kind}"


def _reportlab_run(run: Run, notes: list[str]) -> str:
    text = escape(run.text)
    match run.style:
        case "bold" | "italic":
            return f"<{run.style[0]}>{text}</{run.style[0]}>"
        case "code":
            return f'<font face="DejaVuMono">{text}</font>'
        case "link":
            return f'<a href="{run.aside}" color="blue">{text}</a>'
        case "note":
            notes.append(f"<super>{len(notes) + 1}</super> {escape(run.aside)}")
            return f"<super>{len(notes)}</super>"
    return text
