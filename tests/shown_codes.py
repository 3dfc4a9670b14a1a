"""Pages on which codes are shown in a font that a test makes."""

import pymupdf

from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages


def text_of(file: pymupdf.Document, font: int, shown: str, folder) -> str:
    """What the text layer has for these codes, as hexadecimal digits, on the file's first page."""
    page = file[0]
    file.xref_set_key(page.xref, "Resources", f"<</Font<</M {font} 0 R>>>>")
    file.update_stream(page.get_contents()[0], f"BT /M 12 Tf 72 700 Td <{shown}> Tj ET".encode())
    file.save(folder / "page.pdf")
    with open_pages(folder / "page.pdf", RasterOptions()) as document:
        layer = next(iter(document.pages())).text_layer
        return "".join(line.text for block in layer.blocks for line in block)


def page_with(stream: str = "") -> tuple[pymupdf.Document, int, int]:
    """A file of one page, an object with this stream, and an empty one for the font."""
    file = pymupdf.open()
    file.new_page().insert_text((72, 72), "x", fontname="helv")
    held, font = file.get_new_xref(), file.get_new_xref()
    file.update_object(held, "<<>>")
    file.update_stream(held, stream.encode())
    return file, held, font
