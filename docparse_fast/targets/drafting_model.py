"""A smaller model of the target's family as a drafting model: our engine runs both. Knows tensors; decides no gap."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import torch
from PIL import Image
from torch import Tensor

from docparse_fast.errors import UsageError
from docparse_fast.speculative.draft_index import agreement
from docparse_fast.speculative.drafting import LONGEST, NO_COSTS, DraftedToken, DraftingCosts
from docparse_fast.speculative.token_store import TokenStore
from docparse_fast.targets.decoder.judging_pass import chain
from docparse_fast.targets.decoder.vlm import View, VisionLanguageTarget
from docparse_fast.targets.draft_traits import (
    READ_AT_ONCE,
    DraftingReader,
    DraftTraits,
    check_draft_model,
    drafting_costs,
)

SLOT = 0


class ModelDrafts:
    """Implements `speculative.drafting.DraftingModel` for one page.

    The model's slot belongs to the page that was begun last.
    """

    def __init__(
        self,
        decoder: VisionLanguageTarget,
        view: Callable[[], View],
        costs: DraftingCosts,
        *,
        longest: int = LONGEST,
        sure: float = 0.0,
        passes: int = LONGEST,
    ) -> None:
        self.costs = costs
        self.longest = longest
        self._decoder = decoder
        self._view = view
        self._sure = sure  # a token less likely than this ends a proposal
        self._store: TokenStore | None = None
        self._passes = passes  # the most for a proposal
        self._prompt = 0  # its length
        self._cached: list[int] = []  # tokens of the answer in the cache

    def begin(self, store: TokenStore | None) -> None:
        self._store = store
        self._decoder.release(SLOT)
        self._decoder.prefill({SLOT: self._view()})
        self._prompt = self._decoder.cache.lengths[SLOT]
        self._cached = []

    def propose(self, written: Sequence[int]) -> Iterator[DraftedToken]:
        text = list(written)
        for _ in range(self._passes):
            guess = self._store.after(text) if self._store else []
            read = self._read_on(text) + 1 + len(guess)
            choices = _choices(self._read([text[-1], *guess]))
            for (token, chance), guessed in zip(choices, [*guess, None], strict=True):
                yield DraftedToken(token, chance, read)
                if token in self._decoder.eos or chance < self._sure:
                    return
                text.append(token)
                if token != guessed:
                    break
                read = 0

    def _read_on(self, text: Sequence[int]) -> int:
        """Forgets what was refused, reads what is new, but not the last token; how many that were."""
        shared = min(agreement(self._cached, text), len(text) - 1)
        self._decoder.cache.lengths[SLOT] = self._prompt + shared
        del self._cached[shared:]
        for start in range(shared, len(text) - 1, READ_AT_ONCE):
            self._read(text[start : min(start + READ_AT_ONCE, len(text) - 1)])
        return len(text) - 1 - shared

    @torch.inference_mode()
    def _read(self, tokens: Sequence[int]) -> Tensor:  # (tokens, vocab)
        """Reads the tokens; returns the logits after each."""
        logits = self._decoder.logits({SLOT: chain(list(tokens))})
        self._decoder.commit({SLOT: range(len(tokens))})
        self._cached += tokens
        return logits.view(len(tokens), -1)


@torch.inference_mode()
def _choices(logits: Tensor) -> list[tuple[int, float]]:
    """The likeliest token after each that was read, and its chance: one transfer."""
    chances, tokens = logits.float().softmax(-1).max(-1)
    found = torch.stack([tokens.double(), chances.double()], dim=1).tolist()
    return [(int(token), chance) for token, chance in found]


class SmallerModel:
    """A draft model opened for a target: `check` first."""

    def __init__(self, target: DraftingReader, draft: DraftingReader) -> None:
        check_draft_model(DraftTraits.of(target), DraftTraits.of(draft))
        self.draft = draft
        self._target = target

    def of_page(self, image: Image.Image) -> ModelDrafts:
        """Drafts for this page. The image is prepared when the model is first asked."""
        return ModelDrafts(self.draft.decoder, lambda: self._view(image), self.costs(image.width * image.height))

    def alone(self, image: Image.Image, *, longest: int, sure: float) -> ModelDrafts:
        """Drafts that are asked for whatever they cost."""
        return ModelDrafts(self.draft.decoder, lambda: self._view(image), NO_COSTS, longest=longest, sure=sure)

    def costs(self, pixels: int) -> DraftingCosts:
        """In plain passes of the target, from the stored costs of both."""
        passes = self.draft.decoder.costs
        return drafting_costs(self._target.decoder.costs, passes, self.draft.costs.reading.of([pixels]))

    def _view(self, image: Image.Image) -> View:
        view = self.draft.page_view(image)
        if view is None:
            raise UsageError(f"--draft-model: {self.draft.identity.name} reads no pages")
        return view
