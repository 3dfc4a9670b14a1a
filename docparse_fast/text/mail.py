"""Mail addresses as papers print them. Knows text only."""

from __future__ import annotations

import re

_NAME = r"[\w.+-]{1,64}"
_DOMAIN = r"[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}"
_ADDRESS = rf"(?:[{{(\[]?\s?{_NAME}(?:\s?[,;|/]\s?{_NAME}){{0,12}}\s?[}})\]]?\s?@\s?{_DOMAIN})"
_HELD = re.compile(_ADDRESS)
# Possessive, and with something between two addresses: a domain's end could else be the next name, in many ways
_ONLY = re.compile(rf"\W{{0,2}}{_ADDRESS}(?:(?:[\s,;|/]++|(?=[{{(\[])){_ADDRESS})*+\W{{0,2}}")


def holds_mail(text: str) -> bool:
    return "@" in text and _HELD.search(text) is not None


def is_mail(text: str) -> bool:
    """Whether nothing but mail addresses stands there.

    >>> [is_mail(text) for text in ("a.b@c.org", "{ana, jo}@inf.uni.edu, x@y.de", "ssh a@b.org", "git@host:x.git")]
    [True, True, False, False]
    """
    return "@" in text and _ONLY.fullmatch(text.strip()) is not None
