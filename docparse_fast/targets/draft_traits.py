"""What a target must know of a draft model before it asks for tokens. Knows plain values, so that they can be sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

from docparse_fast.errors import UsageError
from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.drafting import DraftingCosts

if TYPE_CHECKING:
    from PIL import Image

    from docparse_fast.targets.decoder.vlm import View, VisionLanguageTarget
    from docparse_fast.targets.identity import Identity
    from docparse_fast.targets.reading import StageCosts

READ_AT_ONCE = 64  # tokens that were written since the last proposal
SEEN_ALIKE = ("patch_size", "spatial_merge_size", "temporal_patch_size")


class DraftingReader(Protocol):
    """What is needed of `DocumentModel`, which imports this file."""

    decoder: VisionLanguageTarget
    identity: Identity

    @property
    def costs(self) -> StageCosts: ...

    def page_view(self, image: Image.Image) -> View | None: ...

    def encode(self, text: str) -> tuple[int, ...]: ...

    def vocabulary(self) -> dict[str, int]: ...


@dataclass(frozen=True, slots=True)
class DraftTraits:
    name: str
    sight: Mapping[str, object]  # kind of model, and how it cuts an image
    logits: int
    vocabulary: Mapping[str, int]
    is_hybrid: bool  # can't take back what it has read

    @classmethod
    def of(cls, model: DraftingReader) -> Self:
        from docparse_fast.targets.decoder.network import is_hybrid  # imported late: it needs torch

        config = model.decoder.network.config
        sight = {"kind": config.model_type}
        sight |= {name: getattr(config.vision_config, name, None) for name in SEEN_ALIKE}
        logits = config.get_text_config().vocab_size
        return cls(model.identity.name, sight, logits, model.vocabulary(), is_hybrid(model.decoder.network))


def check_draft_model(target: DraftTraits, draft: DraftTraits) -> None:
    """UsageError if the two models differ in their inputs or their tokens, or if the draft can't take back a token."""
    pairs = {name: (draft.sight[name], wanted) for name, wanted in target.sight.items()}
    wrong = [f"its {what} is {mine}, not {wanted}" for what, (mine, wanted) in pairs.items() if mine != wanted]
    if draft.logits > target.logits:
        wrong.append("it has more logits")  # a token beyond the target's would break its pass
    if not wrong and target.vocabulary != draft.vocabulary:
        wrong = ["its tokens differ"]
    if not wrong and draft.is_hybrid:
        wrong = ["it can't take back what it has read"]
    if wrong:
        raise UsageError(
            f"{draft.name} can't draft for {target.name}: {', '.join(wrong)}",
            remedy="name a smaller model of the target's own family",
        )


def drafting_costs(target: CostTable, draft: CostTable, looking: float) -> DraftingCosts:
    """In plain passes of the target; `looking`, at the page, is in those of the draft model."""
    ratio = draft.cost(1, 1) * draft.seconds / target.seconds
    further = (draft.cost(1, READ_AT_ONCE) - 1.0) / (READ_AT_ONCE - 1)
    return DraftingCosts(looking * ratio, ratio, further * ratio)
