"""The review page in a browser: keys, corrections, edges. Run with -m slow, where Chromium is installed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser import CHROMIUM, Browser
from PIL import Image, ImageDraw

from docparse_fast.document import Block, Box, Category, ParsedDocument, ParsedPage
from docparse_fast.options import ParseOptions
from docparse_fast.options.recording import recorded
from docparse_fast.review.review_server import ReviewServer
from docparse_fast.review.shelf import Shelf
from docparse_fast.run.edits import Edit, read_edits
from docparse_fast.run.outputs import DocumentFolder, file_digest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")]

HOSTILE = "</textarea><img src=x onerror=alert(1)><script>alert(2)</script>"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two pages, the second more doubtful than the first."""
    monkeypatch.chdir(tmp_path)
    sheets = [Image.new("RGB", (800, 1000), "white") for _ in range(2)]
    for sheet in sheets:
        ImageDraw.Draw(sheet).text((100, 100), "Two boats left.", fill="black", font_size=30)
    sheets[0].save("a.tif", save_all=True, append_images=sheets[1:])
    block = Block(Category.TEXT, "Tow boats left.", Box(90, 90, 500, 140), confidence=0.99)
    unsure = Block(Category.TEXT, f"Tow baots {HOSTILE}", Box(90, 190, 500, 240), confidence=0.4)
    pages = (ParsedPage(1, 800, 1000, blocks=(block,)), ParsedPage(2, 800, 1000, blocks=(block, unsure)))
    output = DocumentFolder(Path("out/a"), ParseOptions())
    output.begin()
    for page in pages:
        output.page(page)
    output.end(ParsedDocument("a.tif", file_digest(Path("a.tif")), pages, options=recorded(ParseOptions())))
    return Path("out/a")


@pytest.fixture
def browser(folder):
    with at_the_page() as opened:
        yield opened


@contextmanager
def at_the_page() -> Iterator[Browser]:
    with ReviewServer(Shelf(Path("out"))) as server, Browser() as opened:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        opened.address = server.address
        yield opened
        server.shutdown()


def arrive(browser: Browser, **size: int) -> None:
    browser.open(browser.address, **size)
    browser.wait("Boolean(document.querySelector('.block.on'))")


def write(browser: Browser, words: str) -> None:
    browser.ask(f"document.querySelector('textarea').value = {words!r}")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", modifiers=2)
    browser.wait("document.querySelector('#saved').textContent === 'saved'")


@pytest.mark.parametrize("width", [1400, 390])
def test_the_keys_lead_to_a_correction_in_the_file(browser, folder, width):
    arrive(browser, width=width, height=844)
    assert "page 2, 1 of 2" in browser.ask("document.querySelector('#where').textContent")
    assert browser.ask("document.querySelector('.block.on').dataset.block") == "1"
    browser.press("e")
    write(browser, "Two boats")
    assert read_edits(folder).edits == (Edit(2, 1, f"Tow baots {HOSTILE}", "Two boats"),)
    assert "Two boats" in (folder / "page-0002.md").read_text()
    browser.press("a")
    browser.wait("document.querySelector('#where').textContent.includes('page 1')")
    assert (browser.complaints, browser.dialogs) == ([], [])
    assert all(request.startswith(browser.address) for request in browser.requests)


def test_a_table_is_put_right_in_its_grid(folder):
    """A cell is typed in, a row added; what was not touched keeps its emphasis."""
    table = "<table><tr><th>Port</th></tr><tr><td><b>Korvik</b></td></tr></table>"
    page = ParsedPage(1, 800, 1000, blocks=(Block(Category.TABLE, table, Box(90, 90, 500, 140)),))
    output = DocumentFolder(folder, ParseOptions())
    output.begin()
    output.page(page)
    output.end(ParsedDocument("a.tif", file_digest(Path("a.tif")), (page,), options=recorded(ParseOptions())))
    with at_the_page() as browser:
        add_a_row(browser)
        assert (browser.complaints, browser.dialogs) == ([], [])
    assert "<b>Korvik</b></td></tr><tr><td>Ellery</td></tr>" in (folder / "page-0001.md").read_text()


def add_a_row(browser: Browser) -> None:
    arrive(browser)
    browser.press("e")
    browser.wait("Boolean(document.querySelector('.grid td'))")
    browser.ask("document.querySelector('.grid td').focus()")
    buttons = "[...document.querySelectorAll('.grid-bar button')]"
    browser.ask(f"{buttons}.find((each) => each.textContent === 'Row below').click()")
    browser.ask("document.querySelectorAll('.grid td')[1].textContent = 'Ellery'")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", modifiers=2)
    browser.wait("document.querySelector('#saved').textContent === 'saved'")


def test_a_paragraph_is_made_a_heading_of_a_level(browser, folder):
    arrive(browser)
    browser.press("e")
    assert browser.ask("document.querySelectorAll('.editor select')[1].hidden")
    browser.ask(
        "(([kind, depth]) => { kind.value = 'section_header'; kind.dispatchEvent(new Event('change'));"
        " depth.value = '4' })(document.querySelectorAll('.editor select'))"
    )
    write(browser, "Boats")
    assert "#### Boats" in (folder / "page-0002.md").read_text()
    browser.press("e")
    write(browser, "Two boats")
    assert "#### Two boats" in (folder / "page-0002.md").read_text()
    browser.press("u")
    browser.wait("!document.querySelector('.block.edited')")
    assert read_edits(folder).edits == ()


def test_what_was_typed_is_not_lost_by_a_stray_click(browser):
    arrive(browser)
    browser.press("e")
    browser.ask("document.querySelector('textarea').value = 'half a'")
    browser.click("#after")
    assert browser.ask("document.querySelector('textarea').value") == "half a"
    assert "save first" in browser.ask("document.querySelector('#saved').textContent")


def test_a_server_that_has_ended_is_said(browser):
    arrive(browser)
    browser.press("e")
    browser.ask("document.querySelector('textarea').value = 'too late'; fetch = () => Promise.reject(new TypeError())")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", modifiers=2)
    browser.wait("document.querySelector('#saved').textContent.includes('has ended')")
    assert browser.ask("document.querySelector('textarea').value") == "too late"


@pytest.mark.parametrize("width", [1400, 760, 390, 320])
def test_nothing_stands_over_the_edge(browser, width):
    arrive(browser, width=width, height=844)
    browser.wait("document.querySelector('#sheet image').getBoundingClientRect().width > 50")
    assert browser.ask("document.documentElement.scrollWidth") <= width
    assert browser.ask(
        "[...document.querySelectorAll('.bar button')].every(b => b.getBoundingClientRect().right <= innerWidth)"
    )
