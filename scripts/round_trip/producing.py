"""Makes PDFs: asks each producer for each style. Knows how each is run; a producer that isn't installed is left out."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from html_writer import html
from material import Author, Document
from other_writers import groff, reportlab, typst
from spoiling import WAYS, scanned
from styles import LANGUAGES, PAPERS, STYLES, PageStyle, is_held_out
from tex_writer import tex

TEX = {"pdftex": "pdflatex", "xetex": "xelatex", "luatex": "lualatex"}
PATIENCE = 180  # seconds for one document


def make(out: Path, seed: str, *, held_out: bool, sections: int) -> None:
    """One case for each producer and style of the part asked for; what was made before is left as it is."""
    out.mkdir(parents=True, exist_ok=True)
    for producer, style, language in cases(held_out=held_out):
        name = f"{producer}-{style.name}-{language}"
        if (out / f"{name}.pdf").exists():
            continue
        document = Author(language, f"{seed} {producer} {style.name}").document(sections)
        try:
            pdf = produced(document, style, producer)
        except (OSError, ImportError, subprocess.SubprocessError) as error:
            print(f"{name}: not made: {error}", file=sys.stderr)
            continue
        (out / f"{name}.json").write_text(json.dumps(asdict(document), ensure_ascii=False), encoding="utf-8")
        (out / f"{name}.pdf").write_bytes(pdf)


def scan(pdfs: Path, out: Path, seed: str, each: int) -> None:
    """Each document printed and scanned in `each` ways, which go round."""
    out.mkdir(parents=True, exist_ok=True)
    ways = cycle(WAYS)
    for pdf in sorted(pdfs.glob("*.pdf")):
        for way in islice(ways, each):
            made = out / f"{pdf.stem}-{way}.pdf"
            if not made.exists():
                shutil.copy(pdf.with_suffix(".json"), made.with_suffix(".json"))
                made.write_bytes(scanned(pdf, way, seed))


def cases(*, held_out: bool) -> Iterator[tuple[str, PageStyle, str]]:
    for producer, languages in LANGUAGES.items():
        for n, style in enumerate(STYLES):
            if is_held_out(producer, style.name) == held_out:
                yield producer, style, languages[n % len(languages)]


def produced(document: Document, style: PageStyle, producer: str) -> bytes:
    with TemporaryDirectory() as name:
        folder = Path(name)
        if producer == "reportlab":
            reportlab(document, style, folder / "a.pdf")
        else:
            _written(document, style, producer, folder)
        return (folder / "a.pdf").read_bytes()


def _written(document: Document, style: PageStyle, producer: str, folder: Path) -> None:
    def run(*command: str) -> None:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=PATIENCE)

    if producer in TEX:
        (folder / "a.tex").write_text(tex(document, style, producer), encoding="utf-8")
        for _ in range(2):
            run(TEX[producer], "-interaction=nonstopmode", "a.tex")
    elif producer == "typst":
        (folder / "a.typ").write_text(typst(document, style), encoding="utf-8")
        import typst as compiler

        compiler.compile(folder / "a.typ", output=folder / "a.pdf")
    elif producer == "groff":
        (folder / "a.ms").write_text(groff(document, style), encoding="utf-8")
        width, height = PAPERS[style.paper]
        made = subprocess.run(
            ["groff", "-Kutf8", "-t", "-ms", "-Tpdf", f"-P-p{height / 10}c,{width / 10}c", "a.ms"],
            cwd=folder, check=True, capture_output=True, timeout=PATIENCE,
        )  # fmt: skip
        (folder / "a.pdf").write_bytes(made.stdout)
    else:
        (folder / "a.html").write_text(html(document, style, footnotes=producer == "weasyprint"), encoding="utf-8")
        if producer == "weasyprint":
            run(sys.executable, "-m", "weasyprint", "a.html", "a.pdf")
        elif producer == "libreoffice":
            run(
                "soffice",
                f"-env:UserInstallation=file://{folder}/profile",
                "--infilter=HTML (StarWriter)",
                "--convert-to",
                "pdf:writer_pdf_Export",
                "a.html",
            )
        else:
            browser = shutil.which("chromium") or "chromium"
            run(
                browser,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-pdf-header-footer",
                "--print-to-pdf=a.pdf",
                "a.html",
            )
