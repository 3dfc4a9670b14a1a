#!/usr/bin/env python3
"""Makes the documents in samples/: python scripts/make_samples.py [FOLDER]

They are small and varied, and every run makes the same bytes, so that a sample changes only with this script. All their
content is invented. Born-digital samples use PyMuPDF's fonts; scans are pictures of such pages, grey, tilted and noisy.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from docparse_fast.mupdf import pymupdf

A4 = (595, 842)
SLIDE = (720, 405)
SCAN_DPI, FAX_DPI = 150, 200
GRAIN = 6.0  # grey levels, of a scan's noise

STYLE = """
body { font-family: serif; font-size: 10pt; line-height: 1.25; }
h1 { font-size: 19pt; text-align: center; } h2 { font-size: 12.5pt; } h3 { font-size: 11pt; }
p { text-align: justify; margin: 0 0 6pt 0; } .small { font-size: 8pt; } .center { text-align: center; }
table { border-collapse: collapse; } td, th { border: 0.7pt solid black; padding: 3pt 6pt; }
"""

PAPER_ABSTRACT = """Rivers remember the winters before them. We followed the temperature of forty small streams for
six years and ask how much of a summer's warmth can be told from the snow of the winter that preceded it. A plain
linear model with two terms explains most of what we saw; where it fails, it fails in streams that are fed by
lakes."""

PAPER_LEFT = """<h2>1 Introduction</h2> <p>The temperature of running water decides which fish can live in it, how
much oxygen it holds and how fast leaves decay on its bed. It follows the air with a delay of hours in shallow brooks
and of weeks where groundwater dominates. Melting snow lengthens that delay further, since a thick cover keeps feeding
cold water long after the last frost.</p> <p>Earlier work looked at single catchments or at single summers. Here we
compare forty streams between 310 and 1,840 metres above the sea, all of them read by the same kind of logger, every
ten minutes, from 2014 to 2019.</p> <h2>2 Methods</h2> <p>Each logger was placed in flowing water, shaded by a white
pipe, and checked twice a year against a calibrated thermometer. Readings that jumped by more than two degrees within
ten minutes were set aside; they make up 0.3 % of the record. Snow water equivalent was taken from the nearest of
eleven stations.</p>"""

PAPER_RIGHT = """<h2>3 Results</h2> <p>Warm summers followed winters with little snow in every single year. Between
streams the effect differs widely: it is strongest in the nine catchments that lie above 1,200 metres and vanishes in
the six that drain a lake.</p> <h3>3.1 Streams below a lake</h3> <p>A lake mixes the water of many weeks. Its outlet
is warm in autumn and cold in spring, whatever the winter was like, and our model misses it by up to 3.1 degrees.</p>
<h2>4 Conclusion</h2> <ul><li>Snow explains 61 % of the variance between summers.</li><li>Height above the sea adds
another 14 %.</li> <li>Streams below lakes need a model of their own.</li></ul>"""

PAPER_SYMBOLS = "where <i>S</i> is the snow water equivalent on 1 April and <i>h</i> the height of the gauge."

CHINESE = """<h1 style="font-size:20pt">城市雨水花园的设计与维护</h1>
<p>雨水花园是一种浅凹的绿地，用来收集屋顶和道路的雨水，让雨水慢慢渗入地下。与传统的排水管道相比，它能够减少洪峰流量，
改善水质，并且为昆虫和鸟类提供栖息地。</p><h2>一、选址</h2><p>花园应当离建筑物至少3米，地面坡度不超过12%。
土壤的渗透速度最好在每小时13毫米以上；如果低于这个数值，就需要更换表层土壤。</p><h2>二、植物</h2>
<p>应选择既耐旱又耐涝的本地植物，例如鸢尾、千屈菜和芦苇。种植密度一般为每平方米6至9株。第一年需要经常浇水和除草，
第二年以后，每年春天修剪一次就可以了。</p>"""

LETTER = """<p>Harbour Office<br>12 Quay Street<br>Port Ellery</p><p><br>4 March 1987</p><p><br>Dear Mr Lindqvist,</p>
<p>Thank you for your letter of 19 February about the berth on the north mole. The committee met on Monday and agreed
to let it to you for a further three years, from 1 April, at the rent you proposed.</p><p>Two conditions were added.
The crane at the head of the mole may not be used between ten at night and six in the morning, and any oil spilled on
the planks is to be reported to this office on the same day.</p><p>Please sign the enclosed copy and return it before
the end of the month. The key to the water tap can be collected from the watchman, who has been told to expect
you.</p><p><br>Yours sincerely,</p> <p><br>M. Okafor<br>Harbour Master</p>"""

REPORT = """<h2 style="font-size:15pt">Catch by port and season</h2><p>Landings fell for the second year. The decline
is steepest in the south, where two of the five boats were laid up for repairs until June. Weights are in tonnes,
gutted.</p> <table><tr><th>Port</th><th>Spring</th><th>Summer</th><th>Autumn</th></tr>
<tr><td>Ellery</td><td>41.2</td><td>58.7</td> <td>36.0</td></tr> <tr><td>Saint
Ann</td><td>17.9</td><td>22.4</td><td>19.3</td></tr> <tr><td>Korvik</td><td>63.5</td><td>71.1</td> <td>48.8</td></tr>
<tr><td>Low Head</td><td>8.4</td><td>12.6</td><td>9.9</td></tr></table><p><br>Herring made up more than half of the
total. Cod was landed at Korvik only, and in autumn not at all.</p>"""


FORM_TABLE = """<table><tr><th>Item</th><th>Quantity</th><th>Price</th></tr> <tr><td>Stand,
steel</td><td>4</td><td>36.00</td></tr> <tr><td>Anchors</td><td>16</td><td>1.20</td></tr> <tr><td
colspan='2'>Total</td><td>163.20</td></tr></table>"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parents[1] / "samples")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in samples():
        (folder / name).write_bytes(content)


def samples() -> Iterator[tuple[str, bytes]]:
    yield "paper.pdf", pdf_bytes(paper())
    yield "scanned-table.pdf", pdf_bytes(scanned(report(), tilt=0.7))
    yield "turned-letter.tif", turned(letter())
    yield "chinese.pdf", pdf_bytes(scanned(chinese(), tilt=-0.4))
    yield "mixed.pdf", pdf_bytes(mixed())
    yield "slide.pdf", pdf_bytes(slide())
    yield "form.pdf", pdf_bytes(form())


# ------------------------------------------------------------------------------------------ born digital


def paper() -> pymupdf.Document:
    document = pymupdf.open()
    page = document.new_page(width=A4[0], height=A4[1])
    write(page, (60, 28, 535, 44), "<p class='center small'>Journal of Small Waters 12 (2021)</p>")
    write(page, (60, 56, 535, 122), "<h1>How snow sets the summer temperature of streams</h1>")
    write(page, (60, 122, 535, 142), "<p class='center'>Ines Valder and Tomas Brekke</p>")
    write(page, (90, 148, 505, 222), f"<p class='small'><b>Abstract.</b> {PAPER_ABSTRACT}</p>")
    left = write(page, (60, 236, 288, 690), PAPER_LEFT)
    left = write(page, (60, left, 288, 760), "<p>The summer mean of a stream is then modelled as</p>")
    formula(page, 110, left + 8)
    write(page, (60, left + 22, 288, 775), f"<p>{PAPER_SYMBOLS}</p>")
    right = write(page, (307, 236, 535, 560), PAPER_RIGHT) + 10
    page.insert_image(pymupdf.Rect(320, right, 522, right + 150), stream=plot())
    write(
        page, (307, right + 156, 535, 775), "<p class='small'>Figure 1: Summer mean against snow, one dot a year.</p>"
    )
    write(
        page, (60, 782, 535, 802), "<p class='small'><sup>1</sup> Data are kept by the Institute for Small Waters.</p>"
    )
    write(page, (60, 808, 535, 826), "<p class='center small'>17</p>")
    return document


def formula(page: pymupdf.Page, x: float, y: float) -> None:
    """T = a + b S^2 + c h, with the glyphs and sizes of a typeset formula."""
    for words, size, rise in (("T = a + b S", 11, 0.0), ("2", 7.5, 4.0), (" + c h", 11, 0.0)):
        page.insert_text((x, y - rise), words, fontname="tiit", fontsize=size)
        x += pymupdf.get_text_length(words, "tiit", size) + 0.5


def plot() -> bytes:
    image = Image.new("RGB", (404, 300), "white")
    draw = ImageDraw.Draw(image)
    draw.line([(40, 20), (40, 260), (390, 260)], fill="black", width=3)
    for x, y in ((80, 60), (130, 95), (170, 90), (230, 150), (290, 170), (350, 225)):
        draw.ellipse((x - 9, y - 9, x + 9, y + 9), fill=(30, 90, 170))
    draw.line([(60, 50), (370, 235)], fill=(200, 60, 40), width=3)
    return png(image)


def report() -> pymupdf.Document:
    return one_page(REPORT, (70, 80, 525, 700))


def letter() -> pymupdf.Document:
    return one_page(LETTER, (90, 90, 505, 760))


def chinese() -> pymupdf.Document:
    return one_page(CHINESE, (80, 90, 515, 760))


def slide() -> pymupdf.Document:
    document = pymupdf.open()
    page = document.new_page(width=SLIDE[0], height=SLIDE[1])
    page.draw_rect(pymupdf.Rect(0, 0, SLIDE[0], 64), color=None, fill=(0.12, 0.3, 0.45))
    page.insert_text((36, 43), "Three ways to shorten the queue", fontname="hebo", fontsize=26, color=(1, 1, 1))
    lines = (
        (0, "Open the second counter at eight, not at nine"),
        (0, "Sort by need before people sit down"),
        (1, "Collections and returns: no ticket"),
        (1, "Questions about bills: counter four"),
        (0, "Print the waiting time at the door"),
    )
    for row, (level, words) in enumerate(lines):
        y = 120 + 44 * row
        page.insert_text((48 + 36 * level, y), "\u2022", fontname="helv", fontsize=20 - 3 * level)
        page.insert_text((68 + 36 * level, y), words, fontname="helv", fontsize=20 - 3 * level)
    page.insert_image(pymupdf.Rect(560, 110, 690, 207), stream=plot())
    page.insert_text((36, 390), "Service review, autumn", fontname="helv", fontsize=10, color=(0.4, 0.4, 0.4))
    page.insert_text((684, 390), "3", fontname="helv", fontsize=10, color=(0.4, 0.4, 0.4))
    return document


def form() -> pymupdf.Document:
    document = pymupdf.open()
    page = document.new_page(width=A4[0], height=A4[1])
    page.insert_text((60, 80), "Application for a bicycle stand", fontname="hebo", fontsize=18)
    fields = (
        ("Name", "Aino Heikkinen"),
        ("Street and number", "Linden Row 8"),
        ("Telephone", "555 0142"),
        ("Number of stands", "4"),
    )
    for row, (label, value) in enumerate(fields):
        y = 130 + 34 * row
        page.insert_text((60, y), f"{label}:", fontname="helv", fontsize=10.5)
        page.insert_text((200, y), value, fontname="cour", fontsize=11)
        page.draw_line((196, y + 4), (520, y + 4), width=0.6)
    for row, (words, ticked) in enumerate((("I own the house.", True), ("I rent the house.", False))):
        y = 286 + 24 * row
        box = pymupdf.Rect(60, y - 9, 71, y + 2)
        page.draw_rect(box, width=0.8)
        if ticked:
            page.insert_text((62, y), "x", fontname="hebo", fontsize=11)
        page.insert_text((82, y), words, fontname="helv", fontsize=10.5)
    write(page, (60, 350, 520, 520), FORM_TABLE)
    page.insert_text((60, 560), "Date and signature", fontname="helv", fontsize=9)
    page.draw_line((60, 545), (300, 545), width=0.6)
    return document


def mixed() -> pymupdf.Document:
    """A page of text, a scanned page and an empty page."""
    document = report()
    scan = scanned(letter(), tilt=0.4)
    document.insert_pdf(scan)
    document.new_page(width=A4[0], height=A4[1])
    return document


def one_page(html: str, box: tuple[float, float, float, float]) -> pymupdf.Document:
    document = pymupdf.open()
    write(document.new_page(width=A4[0], height=A4[1]), box, html)
    return document


def write(page: pymupdf.Page, box: tuple[float, float, float, float], html: str) -> float:
    """Sets the text in the box; returns its lower end."""
    spare, scale = page.insert_htmlbox(pymupdf.Rect(*box), html, css=STYLE)
    if spare < 0 or scale < 1:
        raise ValueError(f"{html[:60]!r} does not fit its box")
    return float(box[3] - spare)


# ------------------------------------------------------------------------------------------------- scans


def scanned(source: pymupdf.Document, *, tilt: float) -> pymupdf.Document:
    """The same pages as a scanner makes them: pictures only."""
    document = pymupdf.open()
    for page in source:
        picture = photographed(page, tilt)
        jpeg = io.BytesIO()
        picture.save(jpeg, "JPEG", quality=60)
        sheet = document.new_page(width=page.rect.width, height=page.rect.height)
        sheet.insert_image(sheet.rect, stream=jpeg.getvalue())
    return document


def turned(source: pymupdf.Document) -> bytes:
    """A letter from a fax machine: sideways, in pure black and white."""
    picture = photographed(source[0], tilt=0.3, dpi=FAX_DPI, grain=0).point(lambda grey: 255 * (grey > 150), "1")
    data = io.BytesIO()
    picture.rotate(90, expand=True).save(data, "TIFF", compression="group4", dpi=(FAX_DPI, FAX_DPI))
    return data.getvalue()


def photographed(page: pymupdf.Page, tilt: float, dpi: int = SCAN_DPI, grain: float = GRAIN) -> Image.Image:
    pixels = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
    image = Image.frombytes("L", (pixels.width, pixels.height), pixels.samples)
    image = image.rotate(tilt, resample=Image.Resampling.BICUBIC, fillcolor=255)
    noise = np.random.default_rng(7).normal(0.0, grain, (image.height, image.width))
    paper = 20 + np.asarray(image, dtype=np.float64) * (225 / 255)  # ink is not black and paper is not white
    return Image.fromarray(np.clip(paper + noise, 0, 255).astype(np.uint8))


def png(image: Image.Image) -> bytes:
    data = io.BytesIO()
    image.save(data, "PNG", optimize=True)
    return data.getvalue()


def pdf_bytes(document: pymupdf.Document) -> bytes:
    """The PDF without dates and random identifiers, which would differ between runs."""
    document.set_metadata({})
    return bytes(document.tobytes(garbage=4, deflate=True, no_new_id=True))


if __name__ == "__main__":
    main()
