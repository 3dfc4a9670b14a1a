"""Markdown to the text a reader sees, for comparing. Knows marks, tags and entities; knows no data set.

Two answers that differ only in how something is marked up, spaced or hyphenated are to be the same here: `letters`
keeps nothing but letters and digits, as the official OmniDocBench tool does; `running_text` keeps the words apart.
"""

from __future__ import annotations

import re
import unicodedata
from html import unescape

from docparse_fast.bench.scores.latex import readable_latex

CJK = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"

# Quotes and dashes that one can't tell apart in print, as olmOCR-Bench takes them for one another.
PLAIN_LETTERS = str.maketrans(
    {**dict.fromkeys("‘’‚", "'"), **dict.fromkeys("“”„", '"'), **dict.fromkeys("–—‑‒−", "-"), "＿": "_", "µ": "μ"}
)
INLINE_FORMULA = re.compile(r"(?<!\\)\$([^$\n]+)(?<!\\)\$|\\\((.+?)\\\)")

# In this order: what is taken out first can't be mistaken for something else later.
MARKS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"<!--.*?-->", re.DOTALL), " "),
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), " "),  # pictures
    (re.compile(r"\[([^\]]*)\]\([^()\s]*\)"), r"\1"),  # links
    (re.compile(r"^[ \t]*(?:`{3,}|~{3,}).*$", re.MULTILINE), ""),  # fences of code
    (re.compile(r"</?(?:b|i|u|em|strong|sup|sub|span)\b[^<>]*>", re.IGNORECASE), ""),  # these part no words
    (re.compile(r"</?[A-Za-z][^<>]*>"), " "),
    (re.compile(r"^[ \t]*(?:#{1,6}|>|[-*+•])[ \t]+", re.MULTILINE), ""),  # headings, quotations, list items
    (re.compile(r"^[ \t]*(?:[-*_=][ \t]*){3,}$", re.MULTILINE), ""),  # rules
    (re.compile(r"\*\*|__|~~|`"), ""),
    (re.compile(r"(?<!\w)([*_])(?=\S)(.+?)(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),  # escaped punctuation
)


def plain(markdown: str) -> str:
    """What is left when everything that marks up is gone; lines stay as they are.

    >>> plain("## **Two** [links](a.html) and <b>x</b> &amp; $\\\\alpha_{1}$")
    'Two links and x & α1'
    """
    text = INLINE_FORMULA.sub(lambda found: readable_latex(found[1] or found[2]), markdown)
    for mark, instead in MARKS:
        text = mark.sub(instead, text)
    return unicodedata.normalize("NFKC", unescape(text))


def letters(markdown: str) -> str:
    """
    >>> letters("A hyphen-\\nated line, *so to say*.")
    'Ahyphenatedlinesotosay'
    """
    return re.sub(r"[\W_]+", "", plain(markdown))


def running_text(markdown: str) -> str:
    """
    >>> running_text("# One\\n\\ntwo  three")
    'One two three'
    """
    return " ".join(plain(markdown).split())


def words(text: str) -> list[str]:
    """Words between blanks; where Chinese is written, its characters one by one and other runs between them.

    >>> words("two words, 港口的 tide")
    ['two', 'words,', '港', '口', '的', 'tide']
    """
    return re.findall(rf"[{CJK}]|[^\s{CJK}]+", text)


def word_pairs(text: str) -> list[str]:
    """Words between blanks, and of Chinese each two neighbouring characters: nearly its words, without a dictionary.

    >>> word_pairs("two words, 港口的 tide 潮")
    ['two', 'words,', '港口', '口的', 'tide', '潮']
    """
    runs = re.findall(rf"[{CJK}]+|[^\s{CJK}]+", text)
    return [word for run in runs for word in (_neighbours(run) if re.match(f"[{CJK}]", run) else [run])]


def _neighbours(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(max(1, len(run) - 1))]
