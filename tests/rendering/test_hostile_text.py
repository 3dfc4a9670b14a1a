"""Printed text stays text in every Markdown reader, and reads back unchanged."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from html import unescape
from html.parser import HTMLParser
from itertools import cycle

import pymupdf
import pytest
from hostile import HOSTILE, TERMINAL
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docparse_fast import parse
from docparse_fast.document import Block, Category, ParsedDocument, ParsedPage, Provenance, TableCell
from docparse_fast.drafting.tables.table_html import table_html
from docparse_fast.options import DraftOptions, ParseOptions, TargetOptions
from docparse_fast.rendering.chunks import render_chunks
from docparse_fast.rendering.docling import render_docling
from docparse_fast.rendering.harmless import comment
from docparse_fast.rendering.html_report import render_report
from docparse_fast.rendering.json import render_json
from docparse_fast.rendering.markdown import has_links, render_markdown, render_page
from docparse_fast.text.markup import as_read, as_text, as_texts, linked

READERS: dict[str, Callable[[str], str]] = {
    "markdown-it": MarkdownIt("commonmark").enable("table").render,
    "markdown-it with GitHub's extensions": MarkdownIt("gfm-like", {"linkify": False, "html": True}).render,
}
with suppress(ImportError):  # a second and a third opinion, where they are installed
    import commonmark

    READERS["commonmark"] = commonmark.commonmark
with suppress(ImportError):
    import cmarkgfm
    from cmarkgfm.cmark import Options

    READERS["cmark-gfm"] = lambda markdown: cmarkgfm.markdown_to_html_with_extensions(
        markdown, Options.CMARK_OPT_UNSAFE, extensions=["table", "strikethrough"]
    )
CMARK = shutil.which("cmark")
HARMLESS = {"p", "h1", "h2", "h3", "ul", "ol", "li", "table", "thead", "tbody", "tr", "td", "th", "pre", "code", "br"}
HARMLESS |= {"sup", "sub", "b", "i", "u", "em", "strong", "s", "del", "hr", "blockquote", "h4", "h5", "h6"}
ATTRIBUTES = {"colspan", "rowspan", "class", "start", "style", "align"}
USUAL = "This is how most of the page is set, so that whatever else there is stands out from it, bold or not."
SIGNS = "<>[]()!`*_\\&;:#/|~-=$\"'{} @.a1\n"
texts = st.text(st.sampled_from(SIGNS)) | st.lists(st.sampled_from(HOSTILE)).map(" ".join)


class Seen(HTMLParser):
    """The tags that a browser would find."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.live: list[str] = []
        self.words = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in HARMLESS or any(name not in ATTRIBUTES for name, _ in attrs):
            self.live.append(self.get_starttag_text() or tag)

    def handle_comment(self, data: str) -> None:
        self.live.append(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        self.live.append(decl)

    unknown_decl = handle_pi = handle_decl

    def handle_data(self, data: str) -> None:
        self.words += data


def block(category: Category, text: str, **rest: object) -> Block:
    return Block(category, text, **rest)


def drafted(category: Category, words: str) -> Block:
    """The words as a text layer's drafter writes them."""
    return Block(category, as_text(words), sources=("text-layer",))


def written(category: Category, words: str) -> Block:
    """The words as a target writes them after reading a picture."""
    return Block(category, words, sources=("text-layer", "mine"), spans=(Provenance(words, "own"),))


def table(words: str) -> Block:
    return Block(Category.TABLE, table_html([TableCell(0, 0, "first row"), TableCell(1, 0, words)]))


def every_block(words: str) -> Iterator[Block]:
    for category in Category:
        if category is Category.TABLE:
            yield table(words)
            yield written(category, f"<table><tr><td>{words}</td></tr></table>")
            yield written(category, f"<table><tr><td title='{words}'>\n\n{words}</table>")
        else:
            yield drafted(category, words)
        yield written(category, words)
        yield Block(category, words)


def page(*blocks: Block) -> ParsedPage:
    return ParsedPage(1, blocks=blocks)


def bare(words: str) -> str:
    return " ".join(words.split())


@pytest.mark.parametrize("tables", ["html", "pipe"])
def test_printed_text_never_becomes_active(tables):
    for made in (block for words in HOSTILE for block in every_block(words)):
        markdown = render_page(page(made), tables=tables)
        for name, read in READERS.items():
            assert Seen(read(markdown)).live == [], (name, made.category, markdown)


@pytest.mark.parametrize("words", HOSTILE)
def test_printed_text_never_becomes_active_in_chunks(words):
    document = ParsedDocument("a.pdf", "", (page(*every_block(words)),))
    for line in render_chunks(document).splitlines():
        for read in READERS.values():
            assert Seen(read(json.loads(line)["text"])).live == []


@pytest.mark.parametrize("words", HOSTILE)
def test_no_formula_becomes_active_where_docling_writes_it(words):
    """Its Markdown escapes the tags of a text, and nothing of a formula."""
    doc = pytest.importorskip("docling_core.types.doc")
    blocks = [made for made in every_block(words) if made.category is Category.FORMULA]
    exported = json.loads(render_docling(ParsedDocument("a.pdf", "", (page(*blocks),))))
    markdown = doc.DoclingDocument.model_validate(exported).export_to_markdown()
    for read in READERS.values():
        assert Seen(read(markdown)).live == [], markdown


ACTING = (
    r"$\href{javascript:alert(1)}{x}$",
    "$$\n\\href{javascript:alert(1)}{x}\n$$",
    r"$`\href{javascript:alert(1)}{x}`$",
    r"$a \\\url{javascript:alert(1)}$",
    r"\(\cssId{x}{y}\)",
)


@pytest.mark.parametrize("tables", ["html", "pipe"])
@pytest.mark.parametrize("words", ACTING)
def test_no_command_of_a_formula_within_text_acts(words, tables):
    """MathJax obeys them on any page that it sets. Of two backslashes the first takes the meaning from the second."""
    acting = re.compile(r"(?<!\\)(?:\\\\)*\\(?:href|url|cssId)\b")
    for made in every_block(words):
        if made.category is not Category.CODE:
            markdown = render_page(page(made), tables=tables)
            assert not acting.search(markdown), (made.category, markdown)


def test_commands_that_stand_in_no_formula_stay_as_they_are():
    words = "Write `\\href` or \\href for a link."
    assert render_page(page(Block(Category.TEXT, words))) == words + "\n"


@pytest.mark.skipif(CMARK is None, reason="needs Debian's cmark")
def test_printed_text_never_becomes_active_in_the_reference_reader():
    """cmark is CommonMark's own; --unsafe, because only then it shows what a page smuggled in."""
    made = [block for words in HOSTILE for block in every_block(words)]
    pages = [render_page(page(block), tables=tables) for block in made for tables in ("html", "pipe")]
    asked = {"input": "\n<div></div>\n\n".join(pages), "text": True, "encoding": "utf-8"}
    html = subprocess.run([str(CMARK), "--unsafe"], capture_output=True, check=True, **asked).stdout
    shown = html.split("<div></div>")
    assert len(shown) == len(pages)
    assert [(each, seen) for each, html in zip(pages, shown, strict=True) if (seen := Seen(html).live)] == []


@given(texts, st.sampled_from(["html", "pipe"]), st.sampled_from(list(READERS)))
def test_combined_printed_text_never_becomes_active(words, tables, reader):
    for made in every_block(words):
        markdown = render_page(page(made), tables=tables)
        assert Seen(READERS[reader](markdown)).live == [], (made.category, markdown)


@given(st.lists(texts, min_size=2, max_size=4))
def test_neighbouring_texts_do_not_activate_each_other(several):
    blocks = [made for words in several for made in (drafted(Category.TEXT, words), written(Category.LIST_ITEM, words))]
    markdown = render_page(page(*blocks))
    for read in READERS.values():
        assert Seen(read(markdown)).live == [], markdown


@pytest.mark.parametrize("category", [Category.TEXT, Category.TITLE, Category.CAPTION, Category.FIGURE])
def test_printed_samples_read_back(category):
    for words in (words for words in HOSTILE if not re.match(r"[-*+]|\d+[.)]", words)):
        markdown = render_page(page(drafted(category, words)))
        assert bare(Seen(READERS["markdown-it"](markdown)).words) == bare(words), markdown


@given(st.text(st.sampled_from(SIGNS.replace("\n", ""))))
def test_any_printed_text_reads_back(words):
    heading = drafted(Category.TITLE, f"A {words} Z")
    assert bare(Seen(READERS["markdown-it"](render_page(page(heading)))).words) == bare(f"A {words} Z")


@pytest.mark.parametrize("words", HOSTILE)
def test_a_cell_reads_back_in_html_and_in_pipes(words):
    for tables in ("html", "pipe"):
        seen = Seen(READERS["markdown-it"](render_page(page(table(words)), tables=tables)))
        shown = bare(seen.words.replace("first row", ""))
        assert shown.replace("< ", "<") == bare(words).replace("< ", "<")  # a formula's sign gets a blank


@given(st.lists(st.text(st.sampled_from(SIGNS)), max_size=4))
def test_words_are_escaped_alike_in_parts_and_whole(parts):
    assert "".join(as_texts(parts)) == as_text("".join(parts))
    assert as_read(as_text("".join(parts))) == "".join(parts)


@pytest.mark.parametrize("words", ["1,234 [12] (see p. 3)", "a_b", "5 * 3 * 2", "f(x) < 3 & y > 2", "$5 to $6", "x!"])
def test_ordinary_text_stays_as_it_is(words):
    assert as_text(words) == words
    assert render_page(page(drafted(Category.TEXT, words))) == words + "\n"


def test_a_link_of_the_pdf_is_a_link():
    text = as_text("wow! ") + linked(as_text("[here]"), "https://a.org/?a=1&b=2")
    (made,) = READERS["markdown-it"](
        render_page(page(Block(Category.TEXT, text, sources=("text-layer",))))
    ).splitlines()
    assert made == '<p>wow! <a href="https://a.org/?a=1&amp;b=2">[here]</a></p>'


def test_a_link_right_behind_an_exclamation_mark_is_no_picture():
    text = as_text("wow!") + linked("here", "https://a.org/")
    html = READERS["markdown-it"](render_page(page(Block(Category.TEXT, text, sources=("text-layer",)))))
    assert "<img" not in html
    assert 'wow!<a href="https://a.org/">here</a>' in html


@pytest.mark.parametrize("sources", [(), ("embedded",), ("ppstructure",), ("text-layer", "mine")])
def test_only_a_text_layer_holds_links(sources):
    made = Block(Category.TEXT, "[x](https://a.org/)", sources=sources)
    assert not has_links(made)
    assert "<a" not in READERS["markdown-it"](render_page(page(made)))


@pytest.mark.parametrize("words", HOSTILE)
def test_no_text_looks_like_the_mark_between_pages(words):
    pages = [ParsedPage(n, blocks=tuple(every_block(words))) for n in (1, 2)]
    pages = [ParsedPage(p.number, blocks=tuple(b for b in p.blocks if b.category is not Category.CODE)) for p in pages]
    markdown = render_markdown(ParsedDocument("a.pdf", "", tuple(pages)))
    assert re.findall(r"(?<!\\)<!--.*?-->", markdown) == ["<!-- page 1 -->", "<!-- page 2 -->"]


@pytest.mark.parametrize("words", HOSTILE)
def test_printed_text_never_becomes_active_in_the_report(words):
    plain = render_html_of("words")
    shown = render_html_of(words)
    assert counted(shown) == counted(plain)


def render_html_of(words: str) -> str:
    blocks = [drafted(Category.TEXT, words), written(Category.TEXT, words), drafted(Category.LIST_ITEM, f"- {words}")]
    return "".join(render_report(ParsedDocument("a.pdf", "", (page(*blocks),)), lambda number: None))


def counted(html: str) -> list[str]:
    harmless = {"b", "i", "sup", "sub", "br", "u", "code", "em", "strong", "del", "span"}
    return [tag for tag in re.findall(r"<([a-z0-9]+)", html) if tag not in harmless]


def test_the_report_shows_what_was_printed():
    words = "![x](http://evil.example) \\<script> *a* &lt; `b`"
    assert words in unescape(re.sub(r"<[^>]*>", "", render_html_of(words)))


FONTS = ("helv", "hebo", "heit", "cour", "cobi")


def test_a_pdf_that_prints_them_all_reads_back(tmp_path):
    """Each in one of the fonts, since every page costs as much."""
    printed = [bare(words) for words in HOSTILE if not re.match(r"[-*+]\s|\d+[.)]\s|[-=]{3}$", words)]
    with pymupdf.open() as file:
        for words, font in zip(printed, cycle(FONTS), strict=False):
            page = file.new_page(width=700, height=200)
            page.insert_text((50, 150), USUAL)
            page.insert_text((50, 60), f"a {words} z", fontname=font)
        file.save(tmp_path / "a.pdf")
    options = ParseOptions(drafting=DraftOptions(drafter="text-layer"), target=TargetOptions(name="none"))
    document = parse(tmp_path / "a.pdf", options)
    for words, page in zip(printed, document.pages, strict=True):
        seen = Seen(READERS["markdown-it"](render_page(page)))
        assert seen.live == []
        if not any(made.category is Category.FORMULA for made in page.blocks):  # some look like one
            assert bare(seen.words) == f"a {words} z {USUAL}"


NAMES = [
    "a--><script>.pdf",
    "a--->b.pdf",
    "----->",
    "--!><b>",
    "-",
    "->",
    "a\n\n<script>",
    "a\x1b[2J\r\n\n# b",
    "a\udcffb",
    "--",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_stays_within_its_comment(name):
    line = comment(name)
    assert line.isprintable()
    for read in READERS.values():
        seen = Seen(read(f"{line}\n\nwords\n"))
        assert (len(seen.live), bare(seen.words)) == (1, "words")


@pytest.mark.parametrize("words", TERMINAL)
def test_no_output_holds_what_a_terminal_obeys(words):
    for made in every_block(words):
        document = ParsedDocument(f"{words}.pdf", "", (page(made),))
        outputs = [render_json(document), render_chunks(document), "".join(render_report(document, lambda _: None))]
        outputs += [render_markdown(document, tables=tables) for tables in ("html", "pipe")]
        for output in outputs:
            assert [char for char in output if char not in "\n\t" and unicodedata.category(char) == "Cc"] == []


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_text_in_the_report(name):
    def report(source: str) -> str:
        return "".join(render_report(ParsedDocument(source, "", (page(),)), lambda number: None))

    assert counted(report(name)) == counted(report("words"))
