"""Our plug-in for vLLM, beside a scheduler that has only what it uses: bad drafts harm no request."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from docparse_fast.targets.hosts.word_tokens import WordTokens

VOCABULARY = 1000


class StubScheduler:
    """What vLLM's scheduler has that the plug-in uses."""

    def __init__(self) -> None:
        model = SimpleNamespace(tokenizer="none", tokenizer_revision=None, get_vocab_size=lambda: VOCABULARY)
        self.vllm_config = SimpleNamespace(model_config=model)
        self.num_spec_tokens = 8
        self.requests: dict[str, Any] = {}
        self.given: dict[str, list[int]] = {}

    def add_request(self, request: Any) -> None:
        self.requests[request.request_id] = request

    def update_draft_token_ids(self, drafts: Any) -> None:
        self.given = dict(zip(drafts.req_ids, drafts.draft_token_ids, strict=True))

    def _free_request(self, request: Any, *_: Any, **__: Any) -> str:
        return f"freed {self.requests.pop(request.request_id).request_id}"


class StubTokenizer(WordTokens):
    eos_token_id = 0

    def encode(self, text: str, add_special_tokens: bool = True) -> tuple[int, ...]:
        return super().encode(text)

    def decode(self, tokens: Any, skip_special_tokens: bool = True) -> str:
        return super().decode(tokens)


TOKENIZER = StubTokenizer()


@pytest.fixture
def plugin(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    for name in ("vllm", "vllm.v1", "vllm.v1.core", "vllm.v1.core.sched"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    scheduler, tokenizers = ModuleType("vllm.v1.core.sched.scheduler"), ModuleType("vllm.tokenizers")
    vars(scheduler)["Scheduler"] = StubScheduler
    vars(tokenizers)["get_tokenizer"] = lambda *_, **__: TOKENIZER
    monkeypatch.setitem(sys.modules, scheduler.__name__, scheduler)
    monkeypatch.setitem(sys.modules, tokenizers.__name__, tokenizers)
    yield importlib.import_module("docparse_fast.serving.vllm")
    sys.modules.pop("docparse_fast.serving.vllm")


def drafted(*texts: str) -> str:
    return json.dumps({"drafts": [[n, text, n == len(texts) - 1] for n, text in enumerate(texts)]})


def request(name: str, drafts: object = None, output: str = "") -> Any:
    return SimpleNamespace(
        request_id=name,
        sampling_params=SimpleNamespace(extra_args=None if drafts is None else {"docparse_drafts": drafts}),
        output_token_ids=list(TOKENIZER.encode(output)),
        is_finished=lambda: False,
        is_prefill_chunk=False,
    )


def step(scheduler: Any, *names: str) -> dict[str, str]:
    """What each request gets, as text; the token that ends an answer has none."""
    scheduler.update_draft_token_ids(SimpleNamespace(req_ids=list(names), draft_token_ids=[[] for _ in names]))
    return {name: TOKENIZER.decode(tokens) for name, tokens in scheduler.given.items()}


def test_a_requests_own_draft_goes_on_after_what_it_has_written(plugin: Any) -> None:
    scheduler = plugin.DraftScheduler()
    scheduler.add_request(request("a", drafted("one two three four"), "one"))
    scheduler.add_request(request("b", drafted("ten nine eight seven"), "ten"))
    assert step(scheduler, "a", "b") == {"a": " two three four", "b": " nine eight seven"}


def test_a_request_without_drafts_gets_none(plugin: Any) -> None:
    scheduler = plugin.DraftScheduler()
    scheduler.add_request(request("a", None, "one"))
    assert step(scheduler, "a") == {"a": ""}


@pytest.mark.parametrize(
    "drafts",
    [
        [1, 2, 3],
        "no json",
        "{}",
        '{"drafts": [[0, "a"]]}',
        '{"drafts": [["0", "a", false]]}',
        "x" * 500_000,
    ],
    ids=["list", "no json", "nothing", "short", "region", "long"],
)
def test_drafts_of_another_form_are_left_alone(plugin: Any, drafts: object) -> None:
    scheduler = plugin.DraftScheduler()
    scheduler.add_request(request("a", drafts, "one"))
    assert step(scheduler, "a") == {"a": ""}
    assert "a" in scheduler.requests


def test_a_token_outside_the_vocabulary_never_reaches_the_engine(plugin: Any) -> None:
    scheduler = plugin.DraftScheduler()
    scheduler._vocabulary = 1
    scheduler.add_request(request("a", drafted("one two three four"), "one"))
    assert step(scheduler, "a") == {"a": ""}


def test_a_finished_request_or_one_still_being_read_gets_no_draft(plugin: Any) -> None:
    scheduler = plugin.DraftScheduler()
    for name, change in (("ended", {"is_finished": lambda: True}), ("begun", {"is_prefill_chunk": True})):
        asked = request(name, drafted("one two three four"), "one")
        vars(asked).update(change)
        scheduler.add_request(asked)
    assert step(scheduler, "ended") == {"ended": ""}
    assert step(scheduler, "begun", "unknown") == {"begun": "", "unknown": ""}


def test_an_error_of_ours_costs_one_request_its_drafts(plugin: Any) -> None:
    scheduler = plugin.DraftScheduler()
    scheduler.add_request(request("a", drafted("one two three four"), "one"))
    scheduler.add_request(request("b", drafted("ten nine eight seven"), "ten"))
    scheduler.requests["a"].output_token_ids = None
    assert step(scheduler, "a", "b") == {"a": "", "b": " nine eight seven"}


def test_of_a_larger_batch_all_have_drafts_or_none(plugin: Any) -> None:
    scheduler = plugin.DraftScheduler()
    for name in ("a", "b", "c"):
        scheduler.add_request(request(name, drafted("one two three four") if name != "c" else None, "one"))
    assert set(step(scheduler, "a", "b", "c").values()) == {""}
    assert set(step(scheduler, "a", "b").values()) == {" two three four"}


def test_nothing_is_kept_of_a_request_that_has_ended(plugin: Any) -> None:
    scheduler = plugin.DraftScheduler()
    asked = request("a", drafted("one two"), "one")
    scheduler.add_request(asked)
    assert scheduler._free_request(asked) == "freed a"
    assert not scheduler._chains


def test_the_proposer_proposes_nothing_for_each_row(plugin: Any) -> None:
    assert plugin.Nothing(None).propose([[1], [2]], None) == [[], []]
