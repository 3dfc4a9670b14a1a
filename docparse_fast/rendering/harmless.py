"""Which parts of a block's text may act as markup. Knows Markdown and table tags; knows no page.

A target reads what is printed and writes it down, and a page can print a tag, a link or a picture's address. So a few
tags pass, links only where a PDF has them itself, and pictures never. What is text already (`\\<`) stays as it is.
"""

from __future__ import annotations

import re

from docparse_fast.text.markup import is_address

SIGN = r"\\[!-/:-@\[-`{-~]"  # a sign that is text already
TAG = r"(?:</?(?:sup|sub|br|u|b|i|em|strong|del)\s*/?>|<a id=\"note-\d{1,6}-\d{1,3}\"></a>)"  # a footnote's place
TO_NOTE = r"\[[⁰¹²³⁴-⁹]{1,3}\]\(#note-\d{1,6}-\d{1,3}\)"  # it leads nowhere but to the footnote
OPENS_TAG = r"<(?=[A-Za-z/!?]|[^\s<>@]+@)"

_INLINE = re.compile(
    rf"{SIGN}|{TAG}|{TO_NOTE}"
    r"|(?<!`)(?P<fence>`+)(?!`)[^`](?:.*?[^`])??(?P=fence)(?!`)"  # code: nothing in it acts
    rf"|!?\[(?:{SIGN}|{TAG}|[^\[\]\\`<]){{1,2000}}\]\((?P<address>[^()\s<>\\`]{{1,4000}})\)"
    rf"|(?P<stray>`+|\](?=\()|{OPENS_TAG})"
)
_DEFINITION = re.compile(r"^([^\S\n]*+(?:(?:[-*+]|\d{1,9}[.)])[^\S\n]++)*)(?=\[(?:\\.|[^\[\]\\])*\]:)", re.MULTILINE)
_HTML_TAG = re.compile(
    r"<(/?)(table|thead|tbody|tfoot|tr|td|th|caption|br|sup|sub|b|i|u|em|strong|code|del)\b([^<>]*)>", re.IGNORECASE
)
_SPAN = re.compile(r"\b(rowspan|colspan)\s{0,9}=\s{0,9}[\"']?(\d{1,9})", re.IGNORECASE)
_WIDEST_SPAN = 1000  # browsers allow no more either
_PLAIN_TAG = re.compile(r"\s*/?")
_TABLE = re.compile(r"<table[\s>]", re.IGNORECASE)
_BLANK_LINES = re.compile(r"[\r\n]\s*[\r\n]")
UNSHOWN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")  # terminals obey some, HTML can't write them
COMMAND = (  # what MathJax and KaTeX make links, pictures and attributes of
    r"\\(?P<command>href|url|includegraphics|class|cssId|style|data|require|html(?:Class|Id|Style|Data))(?![A-Za-z])"
)
_ACTING_COMMAND = re.compile(COMMAND)
_COMMAND_IN_TEXT = re.compile(  # code is no formula, but where $ stands on both of its sides
    rf"{SIGN}|(?<![`$])(?P<fence>`+)(?!`)[^`](?:.*?[^`])??(?P=fence)(?!`)|{COMMAND}"
)
_COMMAND_IN_CELLS = re.compile(rf"(?<!\\)(?:\\\\)*{COMMAND}")
_FORMULA_MARK = re.compile(r"\$|\\[(\[]")
_LINE_END = re.compile(r"\r\n?")


def inline(line: str, *, links: bool) -> str:
    """A line in which nothing acts but a few tags and, with `links`, links.

    >>> print(inline("<b>not</b> \\\\<script> <script> ![x](http://a.org) `List<int>`", links=True))
    <b>not</b> \\<script> \\<script> \\![x](http://a.org) `List<int>`
    >>> print(inline("tubes[¹](#note-7-1), [x](#note-7-1)", links=False))
    tubes[¹](#note-7-1), [x\\](#note-7-1)
    """

    def harmless(found: re.Match[str]) -> str:
        if found["stray"]:
            return "".join("\\" + char for char in found[0])
        if found["address"] is None:
            return found[0]
        if links and is_address(found["address"]):
            return f"\\{found[0]}" if found[0][0] == "!" else found[0]
        label = found.start("address") - len("](") - found.start()
        return f"{found[0][:label]}\\{found[0][label:]}"

    return _INLINE.sub(harmless, line)


def formulas_within(text: str) -> str:
    """Text between whose words formulas stand, none of which makes a link.

    >>> print(formulas_within(r"so $\\href{javascript:alert(1)}{x}$, `\\href` is one"))
    so $\\text{href}{javascript:alert(1)}{x}$, `\\href` is one
    """
    return _without(_COMMAND_IN_TEXT, text)


def _without(commands: re.Pattern[str], text: str) -> str:
    if not _FORMULA_MARK.search(text) or not _ACTING_COMMAND.search(text):
        return text
    return commands.sub(_as_word, text)


def _as_word(found: re.Match[str]) -> str:
    command = found["command"]
    return found[0] if command is None else f"{found[0][: -len(command) - 1]}\\text{{{command}}}"


def without_definitions(text: str) -> str:
    """A paragraph that defines no address for links elsewhere.

    >>> print(without_definitions("[x]: http://a.org"))
    \\[x]: http://a.org
    """
    return _DEFINITION.sub(r"\1\\", text)


def is_html_table(text: str) -> bool:
    return _TABLE.match(text) is not None


def html_table(html: str) -> str:
    """A table's HTML, of which only the table acts; it has no blank line, behind which Markdown would begin again.

    >>> html_table('<table onclick="x"><tr><td colspan=2><script>1</script> &lt;</table>')
    '<table><tr><td colspan="2">&lt;script>1&lt;/script> &lt;</table>'
    """
    html = formulas_in_cells(html)
    made, at = "", 0
    for found in _HTML_TAG.finditer(html):
        made += html[at : found.start()].replace("<", "&lt;") + _tag(found)
        at = found.end()
    made += html[at:].replace("<", "&lt;")
    return _BLANK_LINES.sub("\n", made)


def formulas_in_cells(html: str) -> str:
    """As `formulas_within`, for a table, in which no sign makes code.

    >>> print(formulas_in_cells(r"<td>`$\\cssId{x}{y}$`"))
    <td>`$\\text{cssId}{x}{y}$`
    """
    return _without(_COMMAND_IN_CELLS, html)


def _tag(found: re.Match[str]) -> str:
    close, name, attributes = found.groups()
    if _PLAIN_TAG.fullmatch(attributes):
        return found[0]
    counts = {span.lower(): min(int(count), _WIDEST_SPAN) for span, count in _SPAN.findall(attributes)}
    spans = "".join(f' {span}="{count}"' for span, count in counts.items())
    return f"<{close}{name}{spans}>"


def visible(text: str) -> str:
    """Text without control characters, which a terminal that prints it would obey.

    >>> visible("red \\x1b[31m\\r\\n")
    'red \\ufffd[31m\\n'
    """
    return UNSHOWN.sub("\ufffd", _LINE_END.sub("\n", text))


def comment(words: str) -> str:
    """A comment on a line of its own, which nothing in `words` ends.

    >>> comment("a--->b.pdf")
    '<!-- a- - ->b.pdf -->'
    """
    shown = "".join(char if char.isprintable() else " " for char in words)
    return f"<!-- {re.sub('-(?=-)', '- ', shown)} -->"


def formula(latex: str) -> str:
    """LaTeX that says the same, and nothing to a reader who takes it for Markdown: in formulas blanks say nothing.

    >>> print(formula("a<b [x](y)"))
    a< b [x] (y)
    >>> print(formula(r"\\href{javascript:alert(1)}{x} \\hrefs"))
    \\text{href}{javascript:alert(1)}{x} \\hrefs
    """
    latex = _ACTING_COMMAND.sub(_as_word, latex)
    latex = re.sub(OPENS_TAG, "< ", latex)
    latex = re.sub(r"\](?=[(:])", "] ", latex)
    latex = re.sub(r"(?<=([`~]))(?=\1)", " ", latex)
    return _BLANK_LINES.sub("\n", latex)
