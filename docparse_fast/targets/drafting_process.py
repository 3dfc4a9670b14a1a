"""The process of a drafting model that runs ahead. Opens one model, then answers one request after another."""

from __future__ import annotations

import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, cast

from PIL import Image

from docparse_fast.errors import DocparseError, UsageError
from docparse_fast.speculative.drafting import NO_COSTS, DraftingModel
from docparse_fast.speculative.running_ahead import FarEnd
from docparse_fast.system.child_process import end_with
from docparse_fast.targets.draft_traits import DraftTraits
from docparse_fast.targets.far_messages import FarReady, FarRefused, FarSetup

if TYPE_CHECKING:
    from docparse_fast.targets.loading.document_model import DocumentModel


def main(descriptor: int, parent: int) -> None:
    end_with(parent)
    link = Connection(descriptor)
    try:
        model = _opened(link.recv(), link)
        if model is not None:
            FarEnd(link, _pages_of(model)).serve()
    except (EOFError, BrokenPipeError, ConnectionResetError):  # the target's process has ended
        return


def _opened(setup: FarSetup, link: Connection) -> DocumentModel | None:
    from docparse_fast.targets import open_target

    try:
        model = open_target(
            setup.name,
            device=setup.device,
            dtype=setup.dtype,
            offline=setup.offline,
            repetition_penalty=1.0,
            with_head=False,
        )
    except DocparseError as error:
        link.send(FarRefused(error))
        return None
    link.send(FarReady(DraftTraits.of(model), model.costs))
    return model


def _pages_of(model: DocumentModel) -> Callable[[object], DraftingModel]:
    from docparse_fast.targets.drafting_model import ModelDrafts

    def open_page(page: object) -> DraftingModel:
        view = model.page_view(cast(Image.Image, page))
        if view is None:
            raise UsageError(f"{model.identity.name} reads no pages")
        return ModelDrafts(model.decoder, lambda: view, NO_COSTS, passes=sys.maxsize)

    return open_page


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
