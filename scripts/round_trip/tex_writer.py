"""Writes a document as LaTeX for pdfTeX, XeTeX and LuaTeX. Knows macros."""

from __future__ import annotations

from collections.abc import Sequence

from html_writer import font
from material import Block, Document, Run
from styles import PAPERS, PageStyle

SPECIAL = {char: "\\" + char for char in "#$%&_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\^{}",
    "\\": r"\textbackslash{}",
}
STYLED = {"bold": r"\textbf{%s}", "italic": r"\textit{%s}", "code": r"\texttt{%s}"}
HEADINGS = ("section", "subsection", "subsubsection")
LANGUAGES = {"he": "hebrew", "ar": "arabic", "ru": "russian", "fr": "french", "de": "german"}


def tex(document: Document, style: PageStyle, producer: str) -> str:
    width, height = PAPERS[style.paper]
    words = "\n\n".join(map(_Writer(style).block, _with_lists(document.blocks)))
    head = document.running_head if style.running_head else ""
    name = "article" if style.size > 9 else "extarticle"
    gap = "" if style.indented else r"\setlength{\parindent}{0pt}\setlength{\parskip}{0.6em}"
    return rf"""\documentclass[{style.size}pt{",twocolumn" if style.columns > 1 else ""}]{{{name}}}
\usepackage[paperwidth={width}mm,paperheight={height}mm,margin={style.margin}mm]{{geometry}}
\usepackage{{booktabs,graphicx,xcolor,colortbl,fancyvrb,tikz,fancyhdr,hyperref,framed}}
\hypersetup{{hidelinks}}\pagestyle{{fancy}}\fancyhf{{}}\cfoot{{\thepage}}
\renewcommand{{\headrulewidth}}{{{0.4 if head else 0}pt}}
{gap}
\setcounter{{secnumdepth}}{{{3 if style.numbered else 0}}}\definecolor{{shadecolor}}{{gray}}{{0.92}}
{_fonts(document, style, producer)}
\chead{{{head}}}
\begin{{document}}
{words}
\end{{document}}
"""


def _fonts(document: Document, style: PageStyle, producer: str) -> str:
    if producer == "pdftex":
        sans = (
            r"\renewcommand{\familydefault}{\sfdefault}\usepackage{helvet}"
            if not style.serif
            else r"\usepackage{lmodern}"
        )
        return rf"\usepackage[utf8]{{inputenc}}\usepackage[T1]{{fontenc}}{sans}"
    language = document.language
    extra = "" if document.from_the_right else r"\setmonofont{DejaVu Sans Mono}[Scale=0.85]"
    fonts = rf"\usepackage{{fontspec}}\setmainfont{{{font(style, language)}}}{extra}"
    if language == "zh":
        return fonts + r'\XeTeXlinebreaklocale "zh"\XeTeXlinebreakskip = 0pt plus 1pt'
    if not document.from_the_right:
        return fonts
    name = LANGUAGES[language]
    script = name.capitalize()
    return (
        fonts + rf"\usepackage{{polyglossia}}\setmainlanguage{{{name}}}\setotherlanguage{{english}}"
        rf"\newfontfamily\{name}font[Script={script}]{{{font(style, language)}}}"
        rf"\newfontfamily\{name}fonttt[Script={script}]{{DejaVu Sans Mono}}"
        r"\newfontfamily\englishfonttt{DejaVu Sans Mono}"
    )


def _with_lists(blocks: Sequence[Block]) -> list[Block | str]:
    """Blocks, and between them the commands that begin and end lists."""
    found: list[Block | str] = []
    open_: list[str] = []
    for block in (*blocks, None):
        depth = block.level if block is not None and block.kind == "item" else 0
        while len(open_) > depth:
            found.append(rf"\end{{{open_.pop()}}}")
        if block is not None and len(open_) < depth:
            open_.append("enumerate" if block.ordered else "itemize")
            found.append(rf"\begin{{{open_[-1]}}}")
        if block is not None:
            found.append(block)
    return found


class _Writer:
    def __init__(self, style: PageStyle) -> None:
        self.style = style

    def block(self, block: Block | str) -> str:
        return block if isinstance(block, str) else getattr(self, f"_{block.kind}")(block)

    def _heading(self, block: Block) -> str:
        return rf"\{HEADINGS[block.level - 1]}{{{runs(block.runs)}}}"

    def _paragraph(self, block: Block) -> str:
        return runs(block.runs)

    def _item(self, block: Block) -> str:
        return rf"\item {runs(block.runs)}"

    def _code(self, block: Block) -> str:
        option = {"framed": "[frame=single,fontsize=\\small]", "plain": "[xleftmargin=8mm,fontsize=\\small]"}.get(
            self.style.code, "[fontsize=\\small]"
        )
        verbatim = f"\\begin{{Verbatim}}{option}\n" + "\n".join(block.lines) + "\n\\end{Verbatim}"
        return f"\\begin{{snugshade}}\n{verbatim}\n\\end{{snugshade}}" if self.style.code == "grey" else verbatim

    def _figure(self, block: Block) -> str:
        bars = "".join(
            rf"\fill[blue!50] ({n / 2},0) rectangle +(0.3,{size / 50});\node at ({n / 2 + 0.15},-0.2) {{\tiny {size}}};"
            for n, size in enumerate(block.sizes)
        )
        picture = rf"\begin{{tikzpicture}}{bars}\end{{tikzpicture}}\caption{{{runs(block.runs)}}}"
        return rf"\begin{{figure}}[ht]\centering{picture}\end{{figure}}"

    def _table(self, block: Block) -> str:
        width, kind = max(map(len, block.rows)), self.style.table
        wide = _wider_than(block, self.style)
        column = f"p{{{0.8 / width:.2f}\\linewidth}}" if wide else "l"
        bar, top, middle, bottom = {
            "grid": ("|", r"\hline", r"\hline", r"\hline"),
            "booktabs": ("", r"\toprule", "", r"\bottomrule"),
            "lines": ("", r"\hline", r"\hline", r"\hline"),
        }.get(kind, ("", "", "", ""))
        rows = []
        for n, row in enumerate(block.rows):
            cells = [runs(cell) for cell in row]
            if len(row) < width:
                cells = [rf"\multicolumn{{{width}}}{{{bar}c{bar}}}{{{cells[0]}}}"]
            if n <= block.spanned and kind in ("none", "shaded"):
                cells = [rf"\bfseries {cell}" if len(row) == width else cell for cell in cells]
            shade = r"\rowcolor{gray!20}" if kind == "shaded" and n % 2 == 0 else ""
            below = r"\midrule" if kind == "booktabs" and n == int(block.spanned) else middle
            rows.append(f"{shade}{' & '.join(cells)} \\\\ {below if n < len(block.rows) - 1 else ''}")
        columns = bar + bar.join([column] * width) + bar
        body = "\n".join(rows)
        table = f"\\begin{{tabular}}{{{columns}}}{top}\n{body} {bottom}\n\\end{{tabular}}"
        return f"\\begin{{center}}\\small\n{table}\n\\end{{center}}"


def _wider_than(block: Block, style: PageStyle) -> bool:
    """Whether a table's cells must be broken into lines."""
    rows = [[len(cell[0].text) + 3 for cell in row] for row in block.rows if len(row) > 1]
    letters = (PAPERS[style.paper][0] - 2 * style.margin) / style.columns / (0.18 * style.size)
    return sum(map(max, zip(*rows, strict=True))) > letters


def runs(pieces: Sequence[Run]) -> str:
    return "".join(map(_run, pieces))


def _run(run: Run) -> str:
    text = "".join(SPECIAL.get(char, char) for char in run.text)
    if run.style == "link":
        return rf"\href{{{run.aside}}}{{{text}}}"
    if run.style == "note":
        return rf"\footnote{{{''.join(SPECIAL.get(char, char) for char in run.aside)}}}"
    return STYLED[run.style] % text if run.style else text
