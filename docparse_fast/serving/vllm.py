"""A plug-in for vLLM's own server: drafts that come with a request are verified there, token for token.

The only file that imports vllm; it runs inside the server's process, so nothing here may raise. vLLM offers two knobs,
a scheduler class and a proposer class. Its proposer isn't told which request it proposes for, so it proposes nothing;
the scheduler, which knows each request and what it has written, puts the drafts in.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from vllm.tokenizers import get_tokenizer
from vllm.v1.core.sched.scheduler import Scheduler

from docparse_fast.serving.requests import DRAFTS, chain_of
from docparse_fast.speculative.chain import Chain

ALONE = 2  # up to so many requests at once, each may have drafts or not; above, all of a batch have them or none

log = logging.getLogger("docparse_fast")


class Nothing:
    """The proposer that vLLM wants; it makes vLLM verify whatever the scheduler puts in."""

    def __init__(self, vllm_config: Any) -> None:
        pass

    def load_model(self, *_: Any, **__: Any) -> None:
        pass

    def propose(self, sampled_token_ids: Sequence[Any], *_: Any, **__: Any) -> list[list[int]]:
        return [[] for _ in sampled_token_ids]


class DraftScheduler(Scheduler):  # type: ignore[misc]  # vllm isn't here when types are checked
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._chains: dict[str, Chain] = {}
        model = self.vllm_config.model_config
        self._tokenizer = get_tokenizer(model.tokenizer, revision=model.tokenizer_revision)
        self._vocabulary = model.get_vocab_size()

    def add_request(self, request: Any) -> None:
        super().add_request(request)
        parameters = request.sampling_params
        drafts = ((parameters.extra_args if parameters else None) or {}).get(DRAFTS)
        if drafts is None:
            return
        try:
            chain = chain_of(drafts, self._tokenizer, self._vocabulary, longest=self.num_spec_tokens)
        except Exception as error:  # bad drafts leave their own request without drafts, and no other
            log.warning("%s: its drafts can't be used (%s)", request.request_id, error)
        else:
            self._chains[request.request_id] = chain

    def update_draft_token_ids(self, draft_token_ids: Any) -> None:
        names = draft_token_ids.req_ids
        if len(names) <= ALONE or all(name in self._chains for name in names):
            draft_token_ids.draft_token_ids = [self._next(name) for name in names]
        super().update_draft_token_ids(draft_token_ids)

    def _next(self, name: str) -> list[int]:
        chain, request = self._chains.get(name), self.requests.get(name)
        if chain is None or request is None or request.is_finished() or request.is_prefill_chunk:
            return []
        try:
            return chain.next(request.output_token_ids)
        except Exception:  # our bug: this request goes on without drafts, the others don't notice
            log.warning("%s goes on without drafts", name, exc_info=True)
            del self._chains[name]
            return []

    def _free_request(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        self._chains.pop(request.request_id, None)
        return super()._free_request(request, *args, **kwargs)
