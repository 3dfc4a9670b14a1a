"""Typesets formulas with pdfTeX, one a page, and reads off where each symbol stands: the truth that a detector learns.

    apt-get install texlive-latex-extra texlive-fonts-recommended texlive-fonts-extra
    pip install freetype-py pymupdf numpy
    python scripts/training/formulas/train_pages.py FOLDER --formulas grammar.txt real.txt --fonts train

Leaves FOLDER/FONT.pdf and FOLDER/FONT.json: for every page its LaTeX, symbols and rules. A symbol is
[character, style, x0, y0, x1, y1, baseline, size], in points; a box is of ink. A page with an error in it is left out.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import re
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import freetype
import pymupdf
from train_glyphs import character, joined, probes, style

FONTS = {  # name: preamble
    "cm10": "",
    "cm11": "",
    "cm12": "",
    "lm": "\\usepackage{lmodern}\\usepackage[T1]{fontenc}",
    "palatino": "\\usepackage{mathpazo}",
    "times": "\\usepackage{mathptmx}",
    "newtx": "\\usepackage{newtxtext,newtxmath}",
    "newpx": "\\usepackage{newpxtext,newpxmath}",
    "euler": "\\usepackage{eulervm}",
    "charter": "\\usepackage[charter]{mathdesign}",
    "garamond": "\\usepackage[utopia]{mathdesign}",
    "stix": "\\usepackage{stix}",
    "bright": "\\usepackage{cmbright}",
    "iwona": "\\usepackage[math]{iwona}",
    "antt": "\\usepackage[math]{anttor}",
    "txfonts": "\\usepackage{txfonts}",
    "arev": "\\usepackage{arev}",
    "libertine": "\\usepackage{libertinus-type1}\\usepackage{libertinust1math}",
    "scholax": "\\usepackage{scholax}\\usepackage[scaled=1.075,ncf,vvarbb]{newtxmath}",
}
HELD_OUT = {
    "kp": "\\usepackage{kpfonts}",
    "fourier": "\\usepackage{fourier}",
    "stix2": "\\usepackage{stix2}",
    "pxfonts": "\\usepackage{pxfonts}",
    "kurier": "\\usepackage[math]{kurier}",
    "xcharter": "\\usepackage{XCharter}\\usepackage[xcharter,vvarbb]{newtxmath}",
}
TUNING = {  # to look at mistakes on
    "fbb": "\\usepackage{fbb}\\usepackage[libertine]{newtxmath}",
    "cochineal": "\\usepackage{cochineal}\\usepackage[cochineal,vvarbb]{newtxmath}",
    "noto": "\\usepackage{notomath}",
    "mlmodern": "\\usepackage{mlmodern}",
}
OFTEN = {"cm10": 4, "cm11": 2, "cm12": 2, "lm": 2, "times": 2, "newtx": 2}
HEAD = r"""\documentclass[%s]{article}
\usepackage{amsmath}%s
\makeatletter\@ifundefined{mathbb}{\usepackage{amssymb}}{}\@ifundefined{mathfrak}{\usepackage{amsfonts}}{}
\@ifundefined{leqslant}{\usepackage{amssymb}}{}
\@ifundefined{triangleq}{\usepackage{amssymb}}{}\makeatother
\pdfcompresslevel=9 \pdfhorigin=0pt \pdfvorigin=0pt \tolerance=9000 \hbadness=10000 \hfuzz=\maxdimen \vfuzz=\maxdimen
\newcommand\ship{\setbox0\hbox{\kern8pt\box0\kern8pt}\pdfpagewidth=\wd0 \setbox0\vbox{\kern8pt\box0\kern8pt}%%
  \pdfpageheight=\dimexpr\ht0+\dp0\relax\shipout\box0 \message{^^J@@shipped}}
\providecommand\operatornamewithlimits[1]{\operatorname*{#1}}
\newcommand\shown[2]{\message{^^J<<#1>>}\setbox0\hbox{$\displaystyle #2$}\ship}
\newcommand\prose[3]{\message{^^J<<#1>>}\setbox0\vbox{\hsize=#2pt \parindent=0pt #3\par}\ship}
\begin{document}\message{^^J<<start>>}
"""
MOST_POINTS = 2000.0
PROSE_SHARE = 0.12


def document(name: str, preamble: str, formulas: list[str], words: list[str], seed: int) -> str:
    pick = random.Random(seed)
    size = {"cm11": "11pt", "cm12": "12pt"}.get(name, "10pt")
    parts = [HEAD % (size, preamble)]
    parts += [f"\\shown{{p{n}}}{{{probe}_{{{probe}_{{{probe}}}}}}}" for n, (probe, _, _) in enumerate(probes())]
    for n, latex in enumerate(formulas):
        if pick.random() < PROSE_SHARE:
            parts.append(f"\\prose{{{n}}}{{{pick.randint(120, 340)}}}{{{_paragraph(pick, formulas, words)}}}")
        else:
            parts.append(f"\\shown{{{n}}}{{{latex}}}")
    return "\n".join([*parts, "\\end{document}"])


def _paragraph(pick: random.Random, formulas: list[str], words: list[str]) -> str:
    short = [latex for latex in formulas if len(latex) < 40 and "\\\\" not in latex] or ["x"]
    parts = []
    for _ in range(pick.randint(2, 9)):
        start = pick.randrange(len(words) - 20)
        parts.append(" ".join(words[start : start + pick.randint(2, 9)]))
        parts.append(f"${pick.choice(short)}$" + pick.choice(["", "", ",", "."]))
    return f"{pick.choice(['', '', '', chr(92) + 'itshape ', chr(92) + 'small '])}{' '.join(parts)}."


def prose_words(folders: list[Path]) -> list[str]:
    """Running words out of documentation, without what TeX would take for its own."""
    found: list[str] = []
    for folder in folders:
        for path in sorted(folder.rglob("*.py"))[:400]:
            for block in re.findall(r'"""(.*?)"""', path.read_text(encoding="utf-8", errors="replace"), re.DOTALL):
                for paragraph in re.split(r"\n\s*\n", block):
                    if re.fullmatch(r"[A-Za-z0-9 \n,.;:()'\"?!/-]{120,2000}", paragraph):
                        found += paragraph.replace('"', "''").split()
    return found[:200_000] or ["the", "of", "let", "be", "a", "and", "is"] * 10


def typeset(folder: Path, name: str, text: str) -> list[str]:
    """Makes the PDF; the numbers of the formulas that came out, in the order of its pages ("" where with an error)."""
    (folder / f"{name}.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", f"{name}.tex"]
    subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=900)
    log = (folder / f"{name}.log").read_text(encoding="latin-1")
    pages = []
    for part in log.split("<<")[1:]:
        number, _, rest = part.partition(">>")
        bad = re.search(r"^! |Missing character", rest, re.MULTILINE) is not None
        pages += [("" if bad else number)] * len(re.findall(r"^@@shipped", rest, re.MULTILINE))
    return pages


LONGEST_NAME = 24  # MuPDF cuts a font's name in its traces


class Faces:
    """A PDF's fonts: each glyph's name and ink."""

    def __init__(self, document: pymupdf.Document) -> None:
        self._faces: dict[str, Any] = {}
        self.full: dict[str, str] = {}
        self.seen: dict[tuple[str, str], tuple[str, str]] = {}  # font and glyph: character and style
        for number in range(len(document)):
            for font in document.get_page_fonts(number):
                name = font[3].split("+")[-1]
                if name[:LONGEST_NAME] not in self._faces:
                    self.full[name[:LONGEST_NAME]] = name
                    self._open(name[:LONGEST_NAME], document.extract_font(font[0])[3])

    def _open(self, name: str, file: bytes) -> None:
        """A font that can't be opened is left out, and so are the pages that use it."""
        try:
            self._faces[name] = freetype.Face(io.BytesIO(file))
        except freetype.ft_errors.FT_Exception:
            return

    def learn(self, font: str, gid: int, char: str, drawn: str) -> None:
        try:
            self.seen.setdefault((font, self.glyph(font, gid)[0]), (char, drawn))
        except KeyError:
            return

    @cache  # noqa: B019 (one a document)
    def glyph(self, font: str, gid: int) -> tuple[str, tuple[float, float, float, float]]:
        """A name, and the ink's left, bottom, right and top in parts of the size."""
        face = self._faces[font[:LONGEST_NAME]]
        try:
            face.load_glyph(gid, freetype.FT_LOAD_NO_SCALE)
        except freetype.ft_errors.FT_Exception as error:
            raise KeyError(f"{font} {gid}") from error
        box = face.glyph.outline.get_bbox()
        unit = face.units_per_EM
        return face.get_glyph_name(gid).decode(), (box.xMin / unit, box.yMin / unit, box.xMax / unit, box.yMax / unit)


def look(document: pymupdf.Document, numbers: list[str], faces: Faces) -> None:
    """Learns the letters of the fonts from the pages that show them; a glyph is what it was asked for as first."""
    known = probes()
    for index, number in enumerate(numbers):
        if not number.startswith("p"):
            continue
        _, char, drawn = known[int(number[1:])]
        for span in document[index].get_texttrace():
            for _, gid, _, _ in span["chars"]:
                if gid >= 0 and span["font"][:LONGEST_NAME] in faces.full:
                    faces.learn(span["font"], gid, char, drawn)


def symbols(page: pymupdf.Page, faces: Faces) -> list[list[Any]]:
    found = []
    for span in page.get_texttrace():
        font, size = span["font"], span["size"]
        for shown, gid, (x, y), _ in span["chars"]:
            if gid < 0:  # the second letter of a ligature
                continue
            name, (left, bottom, right, top) = faces.glyph(font, gid)
            if right <= left or name in (".notdef", "space"):
                continue
            seen = faces.seen.get((font, name))
            char, drawn = seen or (character(name, shown) or f"?{name}", "")
            box = [x + left * size, y - top * size, x + right * size, y - bottom * size]
            drawn = drawn or style(faces.full[font[:LONGEST_NAME]], char)
            found.append([char, drawn, *box, y, size, name])
    return joined(found)


def rules(page: pymupdf.Page) -> list[list[float]]:
    found = []
    for drawing in page.get_drawings():
        box, width = drawing["rect"], drawing["width"] or 0.0
        thin = box.height + width < 2.0 and box.width > 1.5
        if thin:
            found.append([box.x0, box.y0 - width / 2, box.x1, box.y1 + width / 2])
    return found


def read_off(folder: Path, name: str, formulas: list[str], numbers: list[str], text: str) -> int:
    document = pymupdf.open(folder / f"{name}.pdf")
    faces = Faces(document)
    look(document, numbers, faces)
    prose = set(re.findall(r"^\\prose\{(\d+)\}", text, re.MULTILINE))
    pages, unknown = [], Counter[str]()
    for index, number in enumerate(numbers):
        page = document[index]
        if not number.isdigit() or max(page.rect.width, page.rect.height) > MOST_POINTS:
            continue
        latex = "" if number in prose else formulas[int(number)]
        try:
            found = symbols(page, faces)
        except KeyError as error:  # a glyph that is not in its font
            unknown[str(error)] += 1
            continue
        nameless = [symbol[0] for symbol in found if symbol[0].startswith("?")]
        if nameless:
            unknown[nameless[0]] += 1
            continue
        pages.append({"page": index, "latex": latex, "symbols": found, "rules": rules(page)})
    (folder / f"{name}.json").write_text(json.dumps(pages, ensure_ascii=False), encoding="utf-8")
    print("left out:", unknown.most_common(6))
    return len(pages)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--formulas", nargs="+", type=Path, required=True)
    parser.add_argument("--fonts", choices=["train", "tuning", "held-out"], default="train")
    parser.add_argument("--words", nargs="*", type=Path, default=[])
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    formulas = [line for path in asked.formulas for line in path.read_text(encoding="utf-8").splitlines()]
    random.Random(asked.seed).shuffle(formulas)
    words = prose_words(asked.words)
    fonts = {"train": FONTS, "tuning": TUNING, "held-out": HELD_OUT}[asked.fonts]
    shares = [name for name in fonts for _ in range(OFTEN.get(name, 1))]
    for n, name in enumerate(fonts):
        mine = [latex for m, latex in enumerate(formulas) if shares[m % len(shares)] == name]
        text = document(name, fonts[name], mine, words, asked.seed + n)
        numbers = typeset(asked.folder, name, text)
        print(name, len(mine), "formulas", read_off(asked.folder, name, mine, numbers, text), "pages", flush=True)


if __name__ == "__main__":
    main()
