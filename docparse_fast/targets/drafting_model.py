"""A smaller model of the target's family as a drafting model: our engine runs both. Knows tensors; decides no gap.

One page may be shown to it in several ways at once. Each is a row of the same engine, so that a pass over all of them
reads the weights once; their distributions are averaged by weights (TABED, Algorithm 1), and every row reads the token
that the average chose. With one row this is an ordinary draft model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import torch
from PIL import Image
from torch import Tensor

from docparse_fast.errors import UsageError
from docparse_fast.speculative.draft_index import agreement
from docparse_fast.speculative.drafting import LONGEST, NO_COSTS, DraftedToken, DraftingCosts
from docparse_fast.speculative.ensemble import EVEN_WEIGHTS, Weighting
from docparse_fast.speculative.token_store import TokenStore
from docparse_fast.targets.decoder.judging import chain
from docparse_fast.targets.decoder.vlm import View, VisionLanguageTarget
from docparse_fast.targets.draft_traits import (
    READ_AT_ONCE,
    DraftingReader,
    DraftTraits,
    check_draft_model,
    drafting_costs,
)
from docparse_fast.targets.page_inputs import Sight, with_pooled_cells, with_text

NO_IMAGE = "\n"  # in its place, as in TABED (I.2)


class ModelDrafts:
    """Implements `speculative.drafting.DraftingModel` for one page.

    The model's slots belong to the page that was begun last.
    """

    def __init__(
        self,
        decoder: VisionLanguageTarget,
        views: Callable[[], Sequence[View]],
        costs: DraftingCosts,
        *,
        weighting: Weighting = EVEN_WEIGHTS,
        longest: int = LONGEST,
        sure: float = 0.0,
        passes: int = LONGEST,
    ) -> None:
        self.costs = costs
        self.longest = longest
        self._decoder = decoder
        self._views = views
        self._weighting = weighting
        self._sure = sure  # a token less likely than this ends a proposal
        self._store: TokenStore | None = None
        self._passes = passes  # the most for a proposal
        self._prompts: dict[int, int] = {}  # lengths, by slot
        self._cached: list[int] = []  # tokens of the answer in the cache
        self._told: list[list[int]] = []  # of the last proposal: each option's token at each place

    def begin(self, store: TokenStore | None) -> None:
        self._store = store
        for slot in list(self._decoder.cache.lengths):  # the page before may have had more rows
            self._decoder.release(slot)
        self._decoder.prefill(dict(enumerate(self._views())))
        self._prompts = dict(self._decoder.cache.lengths)
        self._cached = []

    def propose(self, written: Sequence[int]) -> Iterator[DraftedToken]:
        options = torch.tensor(self._weighting.options(len(self._prompts)), device=self._decoder.network.device)
        chosen = self._weighting.chosen
        self._told = []
        text = list(written)
        for _ in range(self._passes):
            guess = self._store.for_model(text) if self._store else []
            read = self._read_on(text) + 1 + len(guess)
            choices = _choices(options, chosen, self._read([text[-1], *guess]))
            for (tokens, chance), guessed in zip(choices, [*guess, None], strict=True):
                token = tokens[chosen]
                self._told.append(tokens)
                yield DraftedToken(token, chance, read)
                if token in self._decoder.eos or chance < self._sure:
                    return
                text.append(token)
                if token != guessed:
                    break
                read = 0

    def learn(self, written: Sequence[int]) -> None:
        """Tells the weights which options were right, up to where the proposal left the answer."""
        for told, token in zip(self._told, written, strict=False):
            self._weighting.learn([each == token for each in told])
            if told[self._weighting.chosen] != token:
                break

    def _read_on(self, text: Sequence[int]) -> int:
        """Forgets what was refused, reads what is new, but not the last token; how many that were."""
        shared = min(agreement(self._cached, text), len(text) - 1)
        for slot, prompt in self._prompts.items():
            self._decoder.cache.lengths[slot] = prompt + shared
        del self._cached[shared:]
        for start in range(shared, len(text) - 1, READ_AT_ONCE):
            self._read(text[start : min(start + READ_AT_ONCE, len(text) - 1)])
        return len(text) - 1 - shared

    @torch.inference_mode()
    def _read(self, tokens: Sequence[int]) -> Tensor:  # (tokens, rows, vocab)
        """Reads the tokens in every row; returns the logits after each."""
        logits = self._decoder.logits(dict.fromkeys(self._prompts, chain(list(tokens))))
        self._decoder.commit(dict.fromkeys(self._prompts, range(len(tokens))))
        self._cached += tokens
        return logits.view(len(self._prompts), len(tokens), -1).transpose(0, 1)


class _Choice(NamedTuple):
    tokens: list[int]  # each option's likeliest in the average of the rows
    chance: float  # of the chosen option's


@torch.inference_mode()
def _choices(options: Tensor, chosen: int, logits: Tensor) -> list[_Choice]:
    """After each token that was read: one transfer."""
    chances, tokens = (options @ logits.float().softmax(-1)).max(-1)  # (tokens, options)
    found = torch.cat([tokens.double(), chances[:, chosen : chosen + 1].double()], dim=1).tolist()
    return [_Choice([int(token) for token in each[:-1]], each[-1]) for each in found]


class SmallerModel:
    """A draft model opened for a target: `check` first."""

    def __init__(self, target: DraftingReader, draft: DraftingReader) -> None:
        check_draft_model(DraftTraits.of(target), DraftTraits.of(draft))
        self.draft = draft
        self._target = target

    def of_page(self, image: Image.Image) -> ModelDrafts:
        """Drafts for this page. The image is prepared when the model is first asked."""
        return ModelDrafts(self.draft.decoder, lambda: [self._view(image)], self.costs(image.width * image.height))

    def alone(self, image: Image.Image, *, longest: int, sure: float, passes: int = LONGEST) -> ModelDrafts:
        """Drafts that are asked for whatever they cost."""
        decoder, views = self.draft.decoder, lambda: [self._view(image)]
        return ModelDrafts(decoder, views, NO_COSTS, longest=longest, sure=sure, passes=passes)

    def ensemble(
        self, image: Image.Image, text: str, sights: Sequence[Sight], weighting: Weighting, *, longest: int
    ) -> ModelDrafts:
        """The page shown in several ways, `text` being what an OCR read on it; asked for whatever it costs."""

        def views() -> list[View]:
            whole = self._view(image)
            return [self._shown(whole, sight, text) for sight in sights]

        return ModelDrafts(self.draft.decoder, views, NO_COSTS, weighting=weighting, longest=longest)

    def _shown(self, view: View, sight: Sight, text: str) -> View:
        network = self.draft.decoder.network
        if sight == "P":
            return with_pooled_cells(view, network)
        if sight == "M":
            return view
        return with_text(view, network.config.image_token_id, self.draft.encode(text if sight == "C" else NO_IMAGE))

    def costs(self, pixels: int) -> DraftingCosts:
        """In plain passes of the target, from the stored costs of both."""
        passes = self.draft.decoder.costs
        return drafting_costs(self._target.decoder.costs, passes, self.draft.costs.reading.of([pixels]))

    def ratio(self, rows: int = 1) -> float:
        """T_q / T_p: a pass of the draft model over a token in so many rows, to a plain pass of the target."""
        ours, its = self._target.decoder.costs, self.draft.decoder.costs
        return its.cost(rows, 1) * its.seconds / ours.seconds

    def _view(self, image: Image.Image) -> View:
        view = self.draft.page_view(image)
        if view is None:
            raise UsageError(f"--draft-model: {self.draft.identity.name} reads no pages")
        return view
