"""Addresses on the web as text: which arguments are one, how they are shown, and what a document is called."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

LONGEST_NAME = 200  # bytes, of at most 255 that a file's name may have


def is_url(text: str) -> bool:
    """
    >>> is_url("https://example.org/a.pdf"), is_url("a.pdf"), is_url("ftp:a.pdf")
    (True, False, False)
    """
    return text.lower().startswith(("http://", "https://"))


def is_other_url(text: str) -> bool:
    """
    >>> is_other_url("s3://box/a.pdf"), is_other_url("https://example.org/a.pdf"), is_other_url("a.pdf")
    (True, False, False)
    """
    return not is_url(text) and re.match(r"[a-z][a-z\d+.-]+://", text, re.IGNORECASE) is not None


def shown_url(url: str) -> str:
    """Without what may be secret: a query often holds a signature.

    >>> shown_url("https://example.org/a.pdf?token=5d41#page")
    'https://example.org/a.pdf'
    """
    return re.sub(r"[?#].*", "", re.sub(r"//[^/@]*@", "//", url, count=1), count=1, flags=re.DOTALL)


def file_name(url: str) -> str:
    """A name for the document, from the end of its path.

    >>> file_name("https://example.org/a%20b.pdf?x=1"), file_name("https://example.org/")
    ('a b.pdf', 'example.org')
    """
    last = unquote(urlsplit(url).path).rstrip("/").rpartition("/")[2] or (urlsplit(url).hostname or "")
    name = re.sub(r"[^\w .()+-]", "_", last).encode("utf-8", "replace")[-LONGEST_NAME:].decode("utf-8", "ignore")
    return name.lstrip(". -") or "document"
