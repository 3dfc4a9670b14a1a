"""A target that runs on a server. It is asked over HTTP and verifies our drafts if it has our plug-in. No torch here.

It implements `verification.target.DocumentTarget`. What came from which draft is found by writing the answer once more
against the drafts, which costs milliseconds; its tokens are words and marks, because servers don't tell theirs.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import logging
import math
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PIL import Image

from docparse_fast.document import Category
from docparse_fast.options import urls_in
from docparse_fast.options.declaring import one_of
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.growing_answer import Decoded, Finish, Row, Step
from docparse_fast.speculative.stored_answer import StoredAnswer
from docparse_fast.system.prefetching import mapped
from docparse_fast.targets.dialects.dialect import Dialect
from docparse_fast.targets.dialects.general import NAME as GENERAL
from docparse_fast.targets.hosts.openai_server import ANSWER, Reply, Served
from docparse_fast.targets.hosts.room import MOST
from docparse_fast.targets.hosts.servers import Servers, open_servers
from docparse_fast.targets.hosts.word_tokens import END, WordTokens
from docparse_fast.targets.identity import Identity, TieBreak
from docparse_fast.targets.loading.catalog import BY_NAME, CATALOG, Recipe, in_markdown, last_part, likely
from docparse_fast.targets.paper import shrunk, with_paper
from docparse_fast.timing import Timer

KEY = "DOCPARSE_API_KEY"
DRAFTS = "docparse_drafts"  # the name under which drafts travel with a request
AT_ONCE = 8  # pages on their way, unless the user says otherwise
WORDS_A_TOKEN = 4  # and marks, at most: a model's token is seldom more than two, a blank and a word
FAIR_TRIALS = 3  # answers that used no draft, after which no more are sent


notices = logging.getLogger("docparse_fast.notices")


@dataclass(frozen=True, slots=True)
class Question:
    """A view: the picture as it travels, and what is asked."""

    picture: str  # a data URL
    prompt: str
    seed: int


class RemoteTarget:
    """
    >>> target = open_remote("http://localhost:8000/v1")                        # doctest: +SKIP
    >>> target.identity.name, target.identity.device                            # doctest: +SKIP
    ('dots.ocr', 'a server')
    """

    end = END
    leaves_processors = True
    looks_early = False  # a server looks when it is asked

    def __init__(
        self,
        servers: Servers,
        recipe: Recipe,
        *,
        in_flight: int = AT_ONCE,
        temperature: float = 0.0,
        repetition_penalty: float | None = None,
        is_vllm: bool = False,
    ) -> None:
        self.dialect: Dialect = recipe.dialect()
        root = next((seat.served.root for seat in servers.seats if seat.served), "unknown")
        self.identity = Identity(recipe.name, root + _asked(self.dialect), "a server", "unknown")
        self.in_flight = in_flight
        self.costs = None
        self._servers = servers
        self._recipe = recipe
        self._is_vllm = is_vllm
        self._temperature = temperature
        self._repetition_penalty = recipe.repetition_penalty if repetition_penalty is None else repetition_penalty
        self._system = [] if recipe.system is None else [{"role": "system", "content": recipe.system}]
        self.longest = recipe.longest
        self._unused = 0 if is_vllm else FAIR_TRIALS  # answers in a row that used no draft of ours
        self._words = WordTokens()
        self.encode = self._words.encode
        self.decode = self._words.decode

    def look(self, image: Image.Image) -> Question | None:
        return self.page_view(image)

    def page_view(self, image: Image.Image) -> Question | None:
        prompt = self.dialect.page_prompt
        return None if prompt is None else self._question(image, prompt)

    def region_view(self, image: Image.Image, category: Category) -> Question | None:
        prompt = self.dialect.region_prompt(category)
        return None if prompt is None else self._question(image, prompt)

    def page_drafting(self, image: Image.Image, view: object) -> None:
        """None: a server's own passes are not ours to help."""

    def decode_rows(self, rows: Iterable[Row], speculation: Speculation, timer: Timer) -> Iterator[Decoded]:
        """Asks for all rows, several at once; the server accepts a draft only where it is its own choice."""
        rows = list(rows)
        at_once = max(1, min(self.in_flight, len(rows)))
        with timer.span("decode"):
            replies = list(mapped(lambda row: self._reply(row, timer), rows, at_once, self.give_up))
        for row, reply in zip(rows, replies, strict=True):
            yield self._decoded(row, reply, speculation.window)

    def generate(self, view: object, max_tokens: int) -> tuple[int, ...]:
        """The answer without drafts."""
        return self._tokens(self._servers.ask(self._body(view, None), ANSWER))[:max_tokens]

    def tie_break(self, view: object, written: Sequence[int], other: int) -> TieBreak | None:
        """A server doesn't tell its logits."""
        return None

    def give_up(self) -> None:
        self._servers.give_up()

    # ---------------------------------------------------------------------------------------------- asking

    def _question(self, image: Image.Image, prompt: str) -> Question:
        image = shrunk(with_paper(image.convert("RGB"), self._recipe.whole), self._recipe.longer_side)
        png = io.BytesIO()
        image.save(png, "PNG", compress_level=1)
        picture = "data:image/png;base64," + base64.b64encode(png.getvalue()).decode("ascii")
        return Question(picture, prompt, zlib.crc32(image.tobytes()))

    def _reply(self, row: Row, timer: Timer) -> Reply | None:
        """None if the row's time is over before it is asked."""
        seconds = min(row.deadline - timer.clock(), ANSWER)
        if seconds <= 0:
            return None
        drafts = self._drafts(row) if self._unused < FAIR_TRIALS else ""
        asked = {DRAFTS: drafts} if drafts else {}
        reply = self._servers.ask(self._body(row.view, row.max_tokens, asked), seconds)
        if drafts:
            self._unused = 0 if reply.drafted else self._unused + 1
        return reply

    def _body(self, view: object, max_tokens: int | None, extra: dict[str, str] | None = None) -> dict[str, Any]:
        if not isinstance(view, Question):
            raise TypeError(f"a {type(view).__name__} is not a Question")
        picture = {"type": "image_url", "image_url": {"url": view.picture}}
        text = self._recipe.served_prompt.replace("{prompt}", view.prompt)
        content = [picture, {"type": "text", "text": text}] if text else [picture]
        if self._recipe.prompt_first:
            content.reverse()
        body: dict[str, Any] = {
            "messages": [*self._system, {"role": "user", "content": content}],
            "temperature": self._temperature,
        }
        if self._is_vllm:
            body["skip_special_tokens"] = False  # some dialects are written with them
        if self._recipe.thinks is not None:
            body["chat_template_kwargs"] = {"enable_thinking": self._recipe.thinks}
        if self._temperature:
            body["seed"] = view.seed
        if self._repetition_penalty != 1:
            body["repetition_penalty"] = self._repetition_penalty
        if max_tokens is not None:
            body["max_tokens"] = max_tokens
        return body | ({"vllm_xargs": extra} if extra else {})

    def _drafts(self, row: Row) -> str:
        """The row's drafts as they travel: texts, because only the server knows its tokens."""
        if not row.drafts:
            return ""
        drafts = [[draft.region, self.decode(draft.tokens), END in draft.tokens] for draft in row.drafts]
        return json.dumps({"drafts": drafts})

    # ------------------------------------------------------------------------------------------- its answer

    def _tokens(self, reply: Reply) -> tuple[int, ...]:
        tokens = self.encode(reply.text)
        return (*tokens, END) if reply.whole or not tokens else tokens

    def _decoded(self, row: Row, reply: Reply | None, window: int) -> Decoded:
        if reply is None:
            return Decoded(row, (), Finish.DEADLINE, (), (), {}, {})
        tokens = self._tokens(reply)
        if len(tokens) > WORDS_A_TOKEN * row.max_tokens:  # the server has written more than it was asked for
            tokens = tokens[: WORDS_A_TOKEN * row.max_tokens]
        again = replace(row, max_tokens=len(tokens), deadline=math.inf)
        writer = StoredAnswer(tokens, END)
        found = next(spec_decode(writer, [again], Speculation(1.0, window)))
        return replace(found, row=row, steps=_steps(reply), offered={}, accepted={})


def _asked(dialect: Dialect) -> str:
    """Which words a model is asked in, where they may be the user's: other words are another target's."""
    if dialect.name != GENERAL:
        return ""
    return f", asked {hashlib.sha256((dialect.page_prompt or '').encode()).hexdigest()[:12]}"


def _steps(reply: Reply) -> tuple[Step, ...]:
    """The server's own passes: one for each token, unless it counts them. The first token came with the prompt."""
    written = max(0, reply.tokens - 1)
    passes = written if reply.passes is None else max(1, min(reply.passes, written))
    if not written:
        return ()
    share, more = divmod(written, passes)
    each = [share + (n < more) for n in range(passes)]
    return tuple(Step(1, tokens, tokens, tokens - 1, 0, tokens) for tokens in each)


# ---------------------------------------------------------------------------------------------------- opening


def open_remote(
    url: str,
    *,
    model: str = "",
    dialect: str = "",
    prompt: str = "",
    in_flight: int | None = None,
    temperature: float = 0.0,
    repetition_penalty: float | None = None,
) -> RemoteTarget:
    """The model that a server has, or several, whose addresses stand with commas.

    The key, if they want one, is read from the environment and never written down.
    """
    urls = urls_in(url)
    servers = open_servers(urls, os.environ.get(KEY), model, in_flight)
    known = [seat for seat in servers.seats if seat.served]
    recipe = next(_recipe(seat.served, dialect, prompt) for seat in known if seat.served)
    return RemoteTarget(
        servers,
        recipe,
        in_flight=len(urls) * (MOST if in_flight is None else in_flight),
        temperature=temperature,
        repetition_penalty=repetition_penalty,
        is_vllm=all(seat.server.is_vllm() for seat in known),
    )


def _recipe(served: Served, dialect: str, prompt: str) -> Recipe:
    """How the model is asked: named by the user, recognised by the name or folder it is served from, or guessed."""
    if dialect == GENERAL:
        return in_markdown(prompt)
    if dialect:
        return BY_NAME[one_of("--dialect", dialect, (*BY_NAME, GENERAL))]
    for known in (served.root, served.name):
        for recipe in CATALOG:
            if last_part(known) in (last_part(recipe.hub), recipe.name):
                return recipe
    guess = likely(served.root, served.name) or in_markdown()
    notices.warning(
        "the server's model %r is none that is known here: it is asked as %s; say otherwise with --dialect NAME, or "
        "--dialect %s --prompt FILE",
        served.name,
        guess.name,
        GENERAL,
    )
    return guess
