"""The report: what it says, that nothing in a document can act in it, and that it can be read and worked in a browser.

The tests with a browser run where Chromium is installed.
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from browser import CHROMIUM, Browser
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from recorded_drafts import RecordedDrafter

from docparse_fast.cli import run
from docparse_fast.document import (
    Block,
    Box,
    Category,
    Draft,
    Failure,
    Page,
    PageDraft,
    ParsedDocument,
    ParsedPage,
    Provenance,
    Region,
)
from docparse_fast.errors import PageError
from docparse_fast.evidence import JudgeEvidence, PageEvidence
from docparse_fast.options import ParseOptions, RasterOptions
from docparse_fast.pages import open_pages
from docparse_fast.pipeline import Pipeline
from docparse_fast.rendering.aligning import aligned
from docparse_fast.rendering.html_blocks import MarkedBlock
from docparse_fast.rendering.html_inline import inline
from docparse_fast.rendering.html_report import render_report
from docparse_fast.rendering.html_table import table
from docparse_fast.rendering.origins import find_words, origins
from docparse_fast.rendering.picture import page_picture
from docparse_fast.run.outputs import DocumentFolder
from docparse_fast.system.files import NOTES

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")

SAMPLES = Path(__file__).parents[2] / "samples"
HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "</style><img src=x onerror=alert(3)>",
    '"><svg onload=alert(4)>',
    "[click](javascript:alert(5)) [and](data:text/html,<script>alert(6)</script>)",
    "<a href='javascript:alert(7)'>x</a> <b onmouseover=alert(8)>y</b>",
    "<https://a.org/'onmouseover='alert(9)> <!-- --> <![CDATA[ ]]> &lt;script&gt;",
    "![](https://evil.example/track.png) <img src=https://evil.example/pixel.png> @import url(//evil.example)",
    "<base href=https://evil.example/><meta http-equiv=refresh content='0;url=https://evil.example'>",
    "\x00\x1b[2J\ud800 \u202e]]>",
)
HOSTILE_TABLE = (
    '<table onclick="alert(1)" style="position:fixed"><tr onload=alert(2)><td colspan="2" onmouseover="alert(3)" '
    "rowspan=99999999><script>alert(4)</script><img src=x onerror=alert(5)>cell</td><td><table><tr><td>inner</td></tr>"
    '</table></td></tr></table><iframe src="https://evil.example"></iframe><form action=//evil.example><input></form>'
)


def report(*pages: ParsedPage, pictures: dict[int, bytes] | None = None, **document) -> str:
    whole = ParsedDocument("a.pdf", "5d41", pages, **document)
    return "".join(render_report(whole, (pictures or {}).get))


def verified(*blocks: Block, **stats) -> ParsedPage:
    evidence = PageEvidence.from_json(stats)
    return ParsedPage(1, 600, 800, 72.0, verified="page", blocks=blocks, evidence=evidence, seconds={"draft": 0.5})


def written(text: str, *spans: tuple[str, str], category=Category.TEXT, box=None) -> Block:
    made = tuple(Provenance(words, origin, "embedded" if origin != "own" else "") for words, origin in spans)
    return Block(category, text, box or Box(10, 10, 300, 60), sources=("embedded", "nano"), spans=made)


def hostile_pages() -> tuple[ParsedPage, ...]:
    blocks = [
        Block(category, text, Box(10, 10, 90, 40), sources=(text,))
        for text in (*HOSTILE, HOSTILE_TABLE)
        for category in Category
    ]
    findings = {
        "corrections": [{"drafted": text, "target": text, "box": None} for text in HOSTILE],
        "omissions": [{"text": text, "box": {"x0": 1, "y0": 1, "x1": 5, "y1": 5}} for text in HOSTILE],
        "inventions": [{"block": 0, "text": text} for text in HOSTILE],
        "warnings": list(HOSTILE),
    }
    failed = ParsedPage(2, 600, 800, label=HOSTILE[3], status="failed", error=Failure(HOSTILE[0], HOSTILE[1]))
    return (
        ParsedPage(1, 600, 800, verified="page", blocks=tuple(blocks), evidence=PageEvidence.from_json(findings)),
        failed,
    )


def hostile_report() -> str:
    document = ParsedDocument(
        f"{HOSTILE[0]}.pdf",
        HOSTILE[2],
        hostile_pages(),
        options={"lang": HOSTILE[3]},
        models={"target": HOSTILE[0], HOSTILE[1]: HOSTILE[2]},
        warnings=HOSTILE,
    )
    return "".join(render_report(document, lambda _: None))


class Elements(HTMLParser):
    """The tags that a browser would see, with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


# --------------------------------------------------------------------------------------- who wrote what


def test_a_page_says_how_its_structure_stands_and_how_much_is_left_out():
    page = replace(verified(written("Text"), written("A running head", category=Category.PAGE_HEADER)), structure=0.875)
    assert ">structure 0.88<" in report(page) and ">3 left out<" in report(page)
    assert "left out" not in report(verified(written("Text")))


def test_each_character_is_marked_with_who_wrote_it():
    block = written("The cat sat.", ("The c", "accepted"), ("at s", "own"), ("at.", "tolerated"))
    assert MarkedBlock(block).html() == (
        '<span class="ka">The c</span><span class="ko">at s</span><span class="kt">at.</span>'
    )


def test_marks_and_escapes_of_the_answer_do_not_shift_who_wrote_what():
    """In dots.ocr's JSON a line end is `\\n`, one character more than in the text."""
    block = written("# one\ntwo", ("# one", "accepted"), ("\\ntwo", "own"), category=Category.TITLE)
    assert "".join(kind[:1] for kind in origins(block) if kind) == "aaaaaaooo"


def test_what_was_accepted_from_no_draft_is_the_targets_own():
    span = Provenance("again", "accepted", source="")
    assert MarkedBlock(Block(Category.TEXT, "again", spans=(span,))).html() == '<span class="ko">again</span>'


@given(st.text("abc ", max_size=40), st.text("abc ", max_size=40))
def test_partners_have_the_same_letter_and_never_cross(wanted, given_):
    partners = aligned(wanted, given_)
    there = [(n, partner) for n, partner in enumerate(partners) if partner is not None]
    assert len(partners) == len(wanted)
    assert all(wanted[n] == given_[partner] for n, partner in there)
    assert [partner for _, partner in there] == sorted({partner for _, partner in there})


def test_a_correction_is_marked_where_its_words_stand_and_listed():
    block = written("a cat and a cot", ("a cat and a c", "accepted"), ("o", "own"), ("t", "accepted"))
    html = report(verified(block, corrections=[{"drafted": "cat", "target": "cot", "box": None}]))
    assert 'class="kc" data-note="c1-1" id="c1-1" title="drafted: cat">cot</span>' in html
    assert '<a href="#c1-1"><span class="at">1</span><del>cat</del>' in html


def test_the_same_correction_twice_is_marked_in_two_places():
    block = written("cot, cot", ("c", "accepted"), ("o", "own"), ("t, c", "accepted"), ("o", "own"), ("t", "accepted"))
    twice = [{"drafted": "cat", "target": "cot", "box": None}] * 2
    html = report(verified(block, corrections=twice))
    assert html.index('id="c1-1"') < html.index('id="c1-2"')


def test_a_correction_is_looked_for_in_the_block_of_its_box_first():
    other, there = Box(10, 10, 300, 60), Box(10, 100, 300, 160)
    blocks = [written("cot", ("cot", "own"), box=box) for box in (other, there)]
    box = {"x0": 10, "y0": 100, "x1": 300, "y1": 158}
    html = report(verified(*blocks, corrections=[{"drafted": "cat", "target": "cot", "box": box}]))
    assert '<a href="#c1-1"><span class="at">2</span>' in html


def test_words_are_found_across_marks_and_never_inside_other_words():
    assert find_words("1 2", "(1), 2; 11 2") == [(1, 6)]
    assert find_words("中文", "是中文。") == [(1, 3)]
    assert find_words("cat", "concatenate") == []


def test_missing_and_unsupported_words_are_listed():
    page = verified(
        written("Made up words here.", ("Made up words here.", "own")),
        omissions=[{"text": "lost in between", "box": {"x0": 1, "y0": 2, "x1": 30, "y1": 40}}],
        inventions=[{"block": 0, "text": "Made up words here"}],
    )
    html = report(page)
    assert 'id="rm1-1"' in html  # where it stood on the page
    assert "1 missing" in html and "lost in between" in html
    assert 'class="ku" data-note="u1-1"' in html


def test_a_page_without_a_target_says_that_nothing_is_verified():
    html = report(ParsedPage(1, 600, 800, blocks=(Block(Category.TEXT, "x", Box(1, 1, 9, 9), sources=("embedded",)),)))
    assert "nothing here is verified" in html
    assert 'class="block draft"' in html and 'class="ka"' not in html


def test_a_draft_that_stands_in_for_a_broken_answer_looks_like_one():
    stand_in = Block(Category.TEXT, "rest", Box(1, 1, 9, 9), sources=("embedded",))
    html = report(verified(written("seen", ("seen", "own")), stand_in), models={"target": "nano@1 on cpu"})
    assert re.findall(r'class="block (\w+)"', html) == ["seen", "draft"]
    assert ">draft</span></label>" in html  # the legend explains it


def test_the_bar_counts_as_own_what_no_draft_gave():
    tokens = {"written": 10, "accepted": 8, "tolerated": 0, "own": 2}
    stage = {"tokens": tokens, "candidates": {"own": {"offered": 3, "accepted": 3}}}
    assert "10 tokens: 50.0 % accepted, 0.0 % tolerated, 50.0 % own" in report(verified(stage_2=stage))


# -------------------------------------------------------------------------------------------- rendered text


def test_inline_markdown_is_rendered_and_the_rest_is_text():
    text = "**b** *i* `co*d*e` H<sub>2</sub>O [l](https://a.org/x) 2 * 3 x_y_z <sup>"
    html = MarkedBlock(Block(Category.TEXT, text, sources=("text-layer",))).html()
    assert html == (
        "<b>b</b> <i>i</i> <code>co*d*e</code> H<sub>2</sub>O "
        '<a href="https://a.org/x" title="https://a.org/x" rel="noopener noreferrer nofollow" target="_blank">l</a>'
        " 2 * 3 x_y_z &lt;sup&gt;"
    )


@pytest.mark.parametrize(
    "address",
    ["javascript:alert%281%29", "JavaScript:x", "data:text/html;base64,AA==", "vbscript:x", "//evil", "file:///x"],
)
def test_only_an_address_of_the_web_becomes_a_link(address):
    assert "<a " not in MarkedBlock(Block(Category.TEXT, f"[click]({address})")).html()


@given(st.text("ab*_`$[]()<>&;\\/supbr! \n#", max_size=60))
def test_pieces_of_a_line_know_where_they_stood(text):
    for piece in inline(text):
        if piece.at >= 0 and "&" not in text:
            assert text[piece.at : piece.at + len(piece.text)] == piece.text


def test_a_table_keeps_its_spans_and_loses_everything_else():
    html = "".join(piece.text for piece in table(HOSTILE_TABLE))
    assert {tag for tag, _ in Elements(html).found} <= {"table", "tr", "td", "th", "br"}
    assert [attributes for _, attributes in Elements(html).found if attributes] == [{"colspan": "2", "rowspan": "1000"}]
    assert "cell" in html and "inner" in html


def test_a_broken_table_is_shown_as_text():
    assert "| a | b |" in report(verified(written("| a | b |", ("| a | b |", "own"), category=Category.TABLE)))


def test_very_long_hostile_text_becomes_no_tag(patience):
    for piece in ("*", "`", "$a", "[a](", "<b>", "_a ", "&", "<", "<td ", "\\"):
        for category, text in ((Category.TEXT, piece * 10_000), (Category.TABLE, "<" + piece * 10_000)):
            found = Elements(MarkedBlock(Block(category, text)).html()).found
            assert {tag for tag, _ in found} <= {"code", "table", "tr", "td"}


# ------------------------------------------------------------------------------------------------- safety


def test_nothing_in_a_document_becomes_markup():
    allowed = {"href", "id", "class", "title", "dir", "tabindex", "role", "rel", "target", "open", "colspan", "rowspan"}
    allowed |= {"data-number", "data-note", "data-step", "data-kind", "type", "checked", "method", "lang", "charset"}
    allowed |= {"x", "y", "width", "height", "viewbox", "preserveaspectratio", "http-equiv", "content", "name"}
    elements = Elements(hostile_report()).found
    assert sum(tag == "script" for tag, _ in elements) == sum(tag == "style" for tag, _ in elements) == 1
    assert not {tag for tag, _ in elements} & {"img", "iframe", "object", "embed", "base", "link", "input "}
    for tag, attributes in elements:
        odd = {name for name in attributes if name not in allowed and not name.startswith("aria-")}
        assert not odd, (tag, odd)
        address = attributes.get("href") or "#"
        assert address.startswith(("#", "data:image/webp;base64,", "https://a.org/")), address


def test_the_policy_lets_in_this_style_and_this_script_only():
    html = hostile_report()
    policy = next(a["content"] for tag, a in Elements(html).found if a.get("http-equiv"))
    assert policy.startswith("default-src 'none'; img-src data:; ")
    for kind, tag in (("style-src", "style"), ("script-src", "script")):
        text = re.search(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind} 'sha256-{digest}';" in policy
    assert "unsafe" not in policy and "http" not in policy


# ------------------------------------------------------------------------------------------------ pictures


def test_a_picture_stays_small_for_any_page():
    noise = Image.effect_noise((2400, 3200), 120).convert("RGB")
    assert len(page_picture(noise)) < 200_000
    assert len(page_picture(Image.new("1", (1, 4000)))) < 5_000


def test_pictures_wait_on_disk_and_are_cleared_away(tmp_path):
    """A run that was killed between a page and its document leaves nothing behind the next one."""
    options = ParseOptions(formats=("html",))
    killed = DocumentFolder(tmp_path / "a", options)
    killed.begin()
    killed.keep_page(1, page_picture(Image.new("L", (40, 60), 255)))
    killed.keep_page(7, page_picture(Image.new("L", (40, 60), 255)))
    again = DocumentFolder(tmp_path / "a", options)
    again.begin()
    assert list((tmp_path / "a").iterdir()) == []
    again.keep_page(1, page_picture(Image.new("L", (40, 60), 255)))
    again.end(ParsedDocument("a.pdf", "", (ParsedPage(1, 40, 60),)))
    assert {path.name for path in (tmp_path / "a").iterdir()} == {"document.html", NOTES}
    assert "data:image/webp;base64,UklGR" in (tmp_path / "a" / "document.html").read_text("utf-8")


def test_no_page_is_rendered_for_a_run_without_a_report():
    assert DocumentFolder(Path("nowhere"), ParseOptions()).keep_page is None


def test_convert_writes_a_report_and_a_run_without_one_removes_it(tmp_path):
    sample = str(SAMPLES / "form.pdf")
    assert run(["convert", sample, "-o", str(tmp_path), "--target", "none", "--format", "html", "-q"]) == 0
    assert {path.name for path in (tmp_path / "form").iterdir()} == {"document.html", NOTES}
    assert run(["convert", sample, "-o", str(tmp_path), "--target", "none", "-q"]) == 0
    assert not (tmp_path / "form" / "document.html").exists()


def test_a_page_that_cannot_be_rendered_has_no_picture_and_keeps_its_text():
    class Unseeing(RecordedDrafter):
        def draft(self, page: Page) -> PageDraft:
            def fail():
                raise PageError("render_failed", "its image is broken")

            page.source.render = fail if page.number == 2 else page.source.render
            return super().draft(page)

    region = Region(Box(1, 1, 9, 9), Category.TEXT, (Draft("words", "text-layer"),))
    seen: list[int] = []
    with open_pages(SAMPLES / "mixed.pdf", RasterOptions(dpi=30)) as document:
        drafter = Unseeing([PageDraft(n, 248, 351, (region,)) for n in (1, 2, 3)])
        pages = list(Pipeline(drafter).pages(document, None, lambda number, _: seen.append(number)))
    assert seen == [1, 3]
    assert [page.status for page in pages] == ["ok", "ok", "ok"]
    assert "no picture" in report(pages[1])


def test_the_picture_stands_upright_as_the_boxes_do(tmp_path):
    Image.new("RGB", (100, 60), "white").save(tmp_path / "lying.png")
    shown: list[tuple[int, int]] = []
    with open_pages(tmp_path / "lying.png") as document:
        drafter = RecordedDrafter([PageDraft(1, 60, 100, turned=90)])
        list(
            Pipeline(drafter).pages(
                document, None, lambda _, picture: shown.append(Image.open(io.BytesIO(picture)).size)
            )
        )
    assert shown == [(60, 100)]


def test_markdown_on_stdout_and_a_report_exclude_each_other(capsys):
    assert run(["convert", str(SAMPLES / "form.pdf"), "-o", "-", "--format", "md,html"]) == 2
    assert "name a folder for other formats" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------- in a browser


@pytest.fixture(scope="module")
def browser():
    with Browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def sample_report(tmp_path_factory):
    out = tmp_path_factory.mktemp("report")
    assert (
        run(["convert", str(SAMPLES / "mixed.pdf"), "-o", str(out), "--target", "none", "--format", "html", "-q"]) == 0
    )
    return out / "mixed" / "document.html"


@needs_browser
@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("dark", [False, True])
def test_a_browser_shows_it_without_a_complaint_and_asks_for_nothing(browser, sample_report, width, dark):
    browser.open(sample_report, width=width, dark=dark)
    browser.settle()
    assert browser.complaints == []
    assert browser.requests == [sample_report.resolve().as_uri()]
    assert browser.ask("document.querySelectorAll('section.page').length") == 3
    assert browser.ask("document.documentElement.scrollWidth <= innerWidth")  # nothing to scroll to on the side
    light = browser.ask("getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).map(Number)[0] > 128")
    assert light is not dark


@needs_browser
def test_boxes_lie_on_the_picture_where_their_blocks_are(browser, sample_report):
    browser.open(sample_report)
    picture = browser.ask(
        "(r => [r.x, r.y, r.width, r.height])(document.querySelector('.image').getBoundingClientRect())"
    )
    sheet = browser.ask(
        "(r => [r.x, r.y, r.width, r.height])(document.querySelector('.boxes').getBoundingClientRect())"
    )
    assert picture == pytest.approx(sheet, abs=1)
    box = browser.ask("document.querySelector('#r1-1 > rect').getBoundingClientRect().width")
    share = browser.ask("parseFloat(document.querySelector('#r1-1 > rect').getAttribute('width')) / 100")
    assert box == pytest.approx(share * picture[2], abs=2)


@needs_browser
def test_keys_lead_from_page_to_page_and_block_to_block(browser, sample_report):
    browser.open(sample_report)
    here = "document.querySelector('.where b').textContent"
    chosen = "(document.querySelector('.block.on') || {}).id"
    assert browser.ask(here) == "-"
    browser.press("n")
    assert browser.ask(here) == "1"
    browser.press("ArrowRight")
    assert browser.ask(here) == "2"
    browser.press("j")
    assert browser.ask(chosen) == "b2-1"
    browser.press("j")
    assert browser.ask(chosen) == "b2-2" and browser.ask("!!document.querySelector('#r2-2.on')")
    browser.press("k")
    browser.press("k")
    assert browser.ask(chosen) == "b1-4"  # the last block of the page before
    browser.press("Escape")
    assert browser.ask(chosen) is None
    browser.press("?")
    assert browser.ask("document.querySelector('dialog').open")


@needs_browser
def test_a_box_links_to_its_text_and_a_number_to_its_box(browser, sample_report):
    browser.open(sample_report)
    browser.click("#r1-3 > svg > rect")
    assert browser.ask("document.activeElement.id") == "b1-3"
    browser.click("#b2-1 > .number")
    assert browser.ask("!!document.querySelector('#r2-1.on')")


@needs_browser
def test_a_correction_links_to_its_words(browser, tmp_path):
    blocks = [written("The cat sat down.", ("The cat s", "accepted"), ("a", "own"), ("t down.", "accepted"))] * 30
    page = verified(*blocks, corrections=[{"drafted": "set", "target": "sat", "box": None}])
    (tmp_path / "a.html").write_text(report(page, page), "utf-8")
    browser.open(tmp_path / "a.html")
    browser.click(".notes a")
    assert browser.ask("document.querySelector('.flash').textContent") == "sat"
    browser.press("Escape")
    browser.press("c")
    assert browser.ask("document.querySelector('.notes a.on').hash") == "#c1-1"
    seen = "(r => r.top >= 0 && r.bottom <= innerHeight)(document.querySelector('.flash').getBoundingClientRect())"
    assert browser.ask(seen)


@needs_browser
def test_hostile_text_is_inert(browser, tmp_path):
    (tmp_path / "a.html").write_bytes(hostile_report().encode("utf-8", "replace"))
    browser.open(tmp_path / "a.html")
    for link in range(browser.ask("document.querySelectorAll('.notes a').length")):
        browser.ask(f"document.querySelectorAll('.notes a')[{link}].click()")
    browser.settle()
    assert browser.dialogs == [] and browser.complaints == []
    assert browser.requests == [(tmp_path / "a.html").resolve().as_uri()]
    assert browser.ask("[...document.scripts].length") == 1
    assert "<script>alert(1)</script>" in browser.ask("document.querySelector('h1').textContent")


@needs_browser
def test_the_policy_blocks_an_injected_script(browser, tmp_path):
    """If a tag were not escaped, the browser still would not run it or fetch its address."""
    html = report(verified()).replace("</main>", "<script>alert(1)</script><img src=https://evil.example/x></main>")
    (tmp_path / "a.html").write_text(html, "utf-8")
    browser.open(tmp_path / "a.html")
    browser.settle()
    assert browser.dialogs == [] and len(browser.complaints) >= 2


def test_seconds_stand_apart_so_that_reports_can_be_compared():
    page = verified(written("x", ("x", "own")))
    html = report(page)
    assert re.findall(r'class="seconds"[^>]*>([^<]*)<', html) == ["0.50 s", "0.50 s"]
    slower = report(replace(page, seconds={"draft": 7.25}))
    without = re.compile(r'class="seconds"[^>]*>[^<]*<')
    assert without.sub("", html) == without.sub("", slower)


# ------------------------------------------------------------------------------------- verified by a target


def test_verify_writes_the_report_anew(tmp_path, monkeypatch):
    """The run records its formats, so `verify` writes the report again, now with colours."""
    pytest.importorskip("torch")
    monkeypatch.chdir(SAMPLES.parent)
    sample = str(Path("samples", "nano", "page-05.png"))
    assert run(["convert", sample, "-o", str(tmp_path), "--target", "none", "--format", "html,json", "-q"]) == 0
    path = tmp_path / "page-05" / "document.html"
    drafted = path.read_text("utf-8")
    assert 'class="ka"' not in drafted.split("</header>")[1]
    assert run(["verify", str(tmp_path), "--target", "nano", "-q", "--log-json", str(tmp_path / "log")]) == 0
    verified_ = path.read_text("utf-8")
    assert '<span class="ka">' in verified_ and "verified by <b>nano@" in verified_
    assert "data:image/webp;base64," in verified_  # its picture, too
    assert not (tmp_path / "page-05" / "document.md").exists()
    assert '"verified": "page"' in (tmp_path / "log").read_text("ascii")


def test_a_judged_page_is_not_called_verified():
    judged = PageEvidence(judge=JudgeEvidence(0.7, 1, 1))
    page = ParsedPage(1, 100, 100, blocks=(Block(Category.TEXT, "words", judged=0.9),), evidence=judged)
    report = "".join(render_report(ParsedDocument("a.pdf", "", (page,)), lambda _: None))
    assert "drafts, judged by the target" in report
    assert "nothing here is verified" in report
    assert "no target has looked" not in report
