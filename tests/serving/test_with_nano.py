"""nano behind a server, with drafts and without: the answers are those of nano in this process, in fewer steps.

The server here is a stub that verifies drafts as our plug-in does. A real one, started by `docparse-fast serve --model
nano -- --dtype float32`, is asked as well if DOCPARSE_VLLM_URL names it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from targets.hosts.stub_server import Stub, serving

from docparse_fast.document import Box, Category, Draft, PageDraft, Region
from docparse_fast.drafted import DraftedPage
from docparse_fast.options import SpeculationOptions
from docparse_fast.serving.requests import DRAFTS, chain_of
from docparse_fast.speculative.decoding import Speculation
from docparse_fast.speculative.draft_index import agreement
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.targets import open_target
from docparse_fast.targets.hosts.remote import RemoteTarget, open_remote
from docparse_fast.timing import Timer
from docparse_fast.verification.page import verify_page

SAMPLES = Path(__file__).parents[2] / "samples" / "nano"
LONGEST = 20
EXACT = SpeculationOptions(tau=1.0, stages="2")


@pytest.fixture(scope="module")
def nano() -> Any:
    return open_target("nano", device="cpu", dtype="float32")


class NanoServer:
    """Writes nano's own answer; counts the steps that a host needs which verifies the request's drafts."""

    def __init__(self, nano: Any) -> None:
        self.nano = nano
        self._answers: dict[bytes, tuple[int, ...]] = {}

    def __call__(self, picture: Image.Image, body: dict[str, Any]) -> dict[str, Any]:
        answer = self.answer(picture)
        sent = body.get("vllm_xargs", {}).get(DRAFTS)
        accepted, offered = self._verified(answer, sent) if sent else (0, 0)
        counted = {"num_accepted_draft_tokens": accepted, "num_draft_tokens": offered}
        message = {"content": self.nano.decode(answer)}
        choice = {"message": message, "finish_reason": "stop" if answer[-1] in self.nano.decoder.eos else "length"}
        usage = {"completion_tokens": len(answer)}
        return {"choices": [choice], "usage": usage, "metrics": {"speculative_decoding": counted}}

    def answer(self, picture: Image.Image) -> tuple[int, ...]:
        key = picture.convert("RGB").tobytes()
        if key not in self._answers:
            row = Row(self.nano.page_view(picture), max_tokens=900)
            self._answers[key] = next(iter(self.nano.decode_rows([row], Speculation(1.0), Timer()))).tokens
        return self._answers[key]

    def _verified(self, answer: tuple[int, ...], sent: str) -> tuple[int, int]:
        chain = chain_of(sent, self.nano._tokenizer, len(self.nano.vocabulary()), longest=LONGEST)
        written, accepted, offered = 1, 0, 0
        while written < len(answer):
            proposed = chain.next(answer[:written])
            taken = min(agreement(proposed, answer[written:]), len(answer) - written - 1)
            written, accepted, offered = written + taken + 1, accepted + taken, offered + len(proposed)
        return accepted, offered


@pytest.fixture(scope="module")
def server(nano: Any) -> Iterator[Stub]:
    with serving(Stub(NanoServer(nano), models=[{"id": "nano"}], is_vllm=True)) as stub:
        yield stub


def page_of(sample: str) -> DraftedPage:
    """A sample's page with its own text as draft, with mistakes such as an OCR makes."""
    picture = Image.open(SAMPLES / f"{sample}.png")
    truth = (SAMPLES / f"{sample}.md").read_text("utf-8")
    texts = [text.replace("rn", "m").lstrip("#-* ") for text in truth.split("\n\n") if text.strip()]
    regions = tuple(
        Region(Box(0, 9 * n, 99, 9 * n + 8), Category.TEXT, drafts=(Draft(text, "ocr", 0.9),))
        for n, text in enumerate(texts)
    )
    return DraftedPage(1, PageDraft(1, *picture.size, regions), picture=picture)


def answers(target: RemoteTarget, page: DraftedPage) -> tuple[str, str, int]:
    """The answer without drafts, the answer with them, and the steps of the latter."""
    plain = target.decode(target.generate(target.page_view(page.image), 900))
    read = verify_page(page, {}, target, EXACT, Timer())
    return plain, target.decode(read.decoded.tokens), len(read.decoded.steps)


def test_a_served_nano_writes_what_nano_writes_here_in_fewer_steps(server: Stub, nano: Any) -> None:
    page = page_of("page-04")
    ours = NanoServer(nano).answer(page.image)
    plain, drafted, steps = answers(open_remote(server.url), page)
    assert plain == drafted == nano.decode(ours)
    assert steps < len(ours) / 2


@pytest.mark.skipif("DOCPARSE_VLLM_URL" not in os.environ, reason="DOCPARSE_VLLM_URL names no server")
def test_vllm_with_our_plug_in_writes_what_nano_writes_here(nano: Any) -> None:
    reader, target = NanoServer(nano), open_remote(os.environ["DOCPARSE_VLLM_URL"])
    for sample in sorted(path.stem for path in SAMPLES.glob("*.png")):
        page = page_of(sample)
        ours = reader.answer(page.image)
        plain, drafted, steps = answers(target, page)
        assert plain == drafted == nano.decode(ours), sample
        assert steps < len(ours) / 2, sample
