"""What is asked for a table of another paper. Knows options and folders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from docparse_fast.bench.reproduction.sources import samples
from docparse_fast.opening import open_smaller
from docparse_fast.options import TargetOptions
from docparse_fast.targets import open_target

if TYPE_CHECKING:
    from docparse_fast.targets.drafting_model import SmallerModel
    from docparse_fast.targets.loading.document_model import DocumentModel


@dataclass(frozen=True, slots=True)
class TableRequest:
    """`options` give the device and the draft model; their target's name is ignored in favour of `targets`."""

    table: str
    targets: Sequence[str]
    options: TargetOptions
    data: Sequence[Path] = ()
    drafter: str = "auto"
    max_pages: int | None = None  # per data set
    watch: Callable[[str], None] = lambda what: None

    @property
    def folders(self) -> Sequence[Path]:
        """Nano's samples, if no folder is named."""
        return self.data or [samples()]

    def open_target(self) -> DocumentModel:
        """Without a penalty on repetition: a draft model has none either."""
        [name], options = self.targets, self.options
        return open_target(
            name, device=options.device, dtype=options.dtype, offline=options.offline, repetition_penalty=1.0
        )

    def open_smaller(self, target: DocumentModel) -> SmallerModel:
        return open_smaller(target, self.options.draft_model, self.options)
