"""Makes README's two pictures: an invoice's table with its sums checked, and a photograph beside its Markdown.

    python scripts/readme_pictures.py            # writes docs/images/sums.png and photograph.png; needs chromium

What stands at the right of each is what `parse` says of the document at the left. The invoice is the sample, then the
same with one digit misread; the photograph is a drawn sheet, laid on a desk and seen from one side by arithmetic.
"""

from __future__ import annotations

import base64
import html
import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from docparse_fast import parse
from docparse_fast.api import DocumentTable
from docparse_fast.system.mupdf import pymupdf

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts/make_samples"))

import business  # noqa: E402
from setting import one_page, pdf_bytes  # noqa: E402

IMAGES = ROOT / "docs/images"
WIDTH, COLOURS = 1000, 96
PRINTED, MISREAD = "312.00", "372.00"
NOTICE = """<style>p, li { font-size: 13pt; }
body h1 { font-size: 22pt; text-align: left; } body h2 { font-size: 15pt; }</style>
<h1>Swimming lessons in the harbour</h1><p>From 10 June to 16 August, every weekday, at the steps below the Customs
House. Bring a towel and something warm. Children under seven come with a grown-up.</p><h2>Groups</h2>
<ul><li>Beginners: nine o'clock, twelve places, 35.00</li><li>Improvers: a quarter past ten, ten places, 40.00</li>
<li>Long distance: half past five, eight places, 48.00</li></ul>
<p>Names are taken at the Harbour Office until 1 June. If the water is colder than 15 degrees, we meet indoors.</p>"""
STYLE = """body { margin: 0; padding: 14px; font: 15px/1.4 "DejaVu Sans", sans-serif; color: #222; background: #fff;
display: flex; gap: 20px; align-items: flex-start; width: 972px; } img { border: 1px solid #ccc; } pre { margin: 0;
font: 12.5px/1.5 "DejaVu Sans Mono", monospace; white-space: pre-wrap; } table { border-collapse: collapse; }
td { border: 1px solid #ccc; padding: 3px 6px; font-size: 12px; white-space: nowrap; }
.held { color: #17692f; } .broken { color: #a11; }
td.marks { border: 0; } p { margin: 16px 0 6px; font-size: 13px; }"""


def main() -> None:
    whole = parse(pdf := pdf_bytes(business.invoice()), name="invoice.pdf").tables[-1]
    business.INVOICE_ITEMS = [[cell.replace(PRINTED, MISREAD) for cell in item] for item in business.INVOICE_ITEMS]
    spoilt = parse(pdf_bytes(business.invoice()), name="invoice.pdf").tables[-1]
    broken = [row for row in checked(spoilt) if "✗" in row]
    right = f"<table>{''.join(checked(whole))}</table><p>With one digit misread:</p><table>{''.join(broken)}</table>"
    save("sums.png", f"{image(drawn(pdf, 380, (40, 40, 555, 520)))}<div>{right}</div>", 385)
    photograph = on_a_desk(pdf_bytes(one_page(NOTICE, (60, 60, 535, 440))))
    markdown = parse(photograph, name="notice.jpg").markdown().partition("\n\n")[2]
    shown = image(Image.open(io.BytesIO(photograph)).resize((440, 377), Image.Resampling.LANCZOS))
    save("photograph.png", f"{shown}<pre>{html.escape(markdown)}</pre>", 407)


def checked(table: DocumentTable) -> list[str]:
    """The table's rows as they were read, with what its figures prove at the end of each."""
    assert table.sums is not None
    marks: dict[int, list[str]] = {row: [] for row in range(len(table.rows))}
    for each in table.sums.relations:
        if each.each == "row":
            for row in each.held:
                marks[row].append(held(" × ".join(table.rows[row][part] for part in each.parts)))
        else:
            marks[each.result].append(held(f"rows {each.parts[0]} to {each.parts[-1]}"))
    for cell in table.sums.misfits:
        marks[cell.row].append(f'<span class="broken">✗ {cell.needed}, not {cell.printed}</span>')
    cells = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in table.rows)
    return [f'<tr>{row}<td class="marks">{" ".join(marks[number])}</td>' for number, row in enumerate(cells)]


def held(words: str) -> str:
    return f'<span class="held">✓ {words}</span>'


def on_a_desk(pdf: bytes) -> bytes:
    """A JPEG of the first page's upper half: on wood, leaning, seen from one side, lit from one corner, with grain."""
    page = np.asarray(drawn(pdf, 1300, (0, 0, 595, 390)).convert("RGB"), np.float32)
    height, width = page.shape[:2]
    size = (1400, 1200)
    noise = np.random.default_rng(11)
    grain = cv2.resize(noise.normal(0, 1, (90, 6)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    desk = np.array([150, 108, 72], np.float32) * (1 + 0.12 * grain[:, :, None])
    corners = np.array([(150, 130), (1250, 70), (1340, 1090), (70, 1010)], np.float32)
    sheet = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    view = cv2.getPerspectiveTransform(sheet, corners)
    paper = cv2.warpPerspective(page * 0.93, view, size)
    covers = cv2.warpPerspective(np.ones((height, width), np.float32), view, size)[:, :, None]
    shadow = cv2.GaussianBlur(np.roll(covers[:, :, 0], (14, 18), (0, 1)), (0, 0), 16)[:, :, None]
    seen = paper * covers + desk * (1 - 0.45 * shadow) * (1 - covers)
    x, y = np.meshgrid(np.linspace(0, 1, size[0]), np.linspace(0, 1, size[1]))
    light = (1.02 - 0.38 * x * y - 0.1 * x)[:, :, None] * np.array([1.0, 0.97, 0.9])
    lit = cv2.GaussianBlur((seen * light).astype(np.float32), (0, 0), 0.9) + noise.normal(0, 5, (*seen.shape[:2], 1))
    stream = io.BytesIO()
    Image.fromarray(np.clip(lit, 0, 255).astype(np.uint8)).save(stream, "JPEG", quality=85)
    return stream.getvalue()


def drawn(pdf: bytes, width: int, clip: tuple[float, float, float, float]) -> Image.Image:
    with pymupdf.open(stream=pdf, filetype="pdf") as document:
        box = pymupdf.Rect(*clip)
        scale = 2 * width / box.width
        pixels = document[0].get_pixmap(matrix=pymupdf.Matrix(scale, scale), clip=box, alpha=False)
        found = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)
    return found.resize((width, round(width * found.height / found.width)), Image.Resampling.LANCZOS)


def image(picture: Image.Image) -> str:
    stream = io.BytesIO()
    picture.convert("RGB").save(stream, "PNG")
    return f'<img src="data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}">'


def save(name: str, body: str, height: int) -> None:
    """The HTML as Chromium shows it, in few colours."""
    with tempfile.TemporaryDirectory() as folder:
        page, shot = Path(folder) / "page.html", Path(folder) / "shot.png"
        page.write_text(f'<meta charset="utf-8"><style>{STYLE}</style>{body}', encoding="utf-8")
        flags = ("--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={WIDTH},{height}")
        command = [shutil.which("chromium") or "chromium", *flags, f"--screenshot={shot}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True)
        Image.open(shot).convert("RGB").quantize(COLOURS).save(IMAGES / name, "PNG", optimize=True)


if __name__ == "__main__":
    main()
