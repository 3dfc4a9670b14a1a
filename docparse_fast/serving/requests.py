"""The drafts of a request, as they arrive at a server, to the chain that proposes them. Knows JSON and tokenizers."""

from __future__ import annotations

import json
from typing import Any

from docparse_fast.speculative.candidates import TokenDraft
from docparse_fast.speculative.chain import Chain
from docparse_fast.targets.hosts.remote import DRAFTS
from docparse_fast.verification.rephrasing import Rephrasing

__all__ = ["DRAFTS", "chain_of"]

MOST_LETTERS = 400_000  # of all drafts of a page; more is no page


def chain_of(said: object, tokenizer: Any, vocabulary: int, *, longest: int) -> Chain:
    """Raises ValueError if the drafts are not what a client of ours sends."""
    texts, ends = _checked(said)

    def encode(text: str) -> tuple[int, ...]:
        tokens = tuple(tokenizer.encode(text, add_special_tokens=False))
        if any(not 0 <= token < vocabulary for token in tokens):  # such a token would end the server's engine
            raise ValueError("a draft has a token outside the vocabulary")
        return tokens

    def decode(tokens: Any) -> str:
        return str(tokenizer.decode(list(tokens), skip_special_tokens=False))

    end = tokenizer.eos_token_id
    drafts = [
        TokenDraft((*encode(text), end) if ends[n] and end is not None else encode(text), region)
        for n, (region, text) in enumerate(texts)
    ]
    rephrasing = Rephrasing([text for _, text in texts], drafts, encode, decode)
    return Chain(drafts, rephrasing, longest=longest)


def _checked(said: object) -> tuple[list[tuple[int, str]], list[bool]]:
    if not isinstance(said, str) or len(said) > MOST_LETTERS:
        raise ValueError("drafts are a string of at most so many letters")
    drafts = json.loads(said)["drafts"]
    for region, text, ends in drafts:
        if type(region) is not int or type(text) is not str or type(ends) is not bool:
            raise ValueError("a draft is a region's number, a text, and whether the answer ends there")
    return [(region, text) for region, text, _ in drafts], [ends for *_, ends in drafts]
