"""Draws the born-digital samples with text in them: a paper, a slide, a form, letters."""

from __future__ import annotations

from PIL import Image, ImageDraw
from setting import one_page, png, sheet, write
from texts import CHINESE, FORM_TABLE, LETTER, PAPER_ABSTRACT, PAPER_LEFT, PAPER_RIGHT, PAPER_SYMBOLS, REPORT

from docparse_fast.system.mupdf import pymupdf

SLIDE = (720, 405)


def paper() -> pymupdf.Document:
    document = pymupdf.open()
    page = sheet(document)
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
    page = sheet(document)
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
