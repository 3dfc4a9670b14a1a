"""A smaller model in a process of its own, as a target uses it. Knows the process and its patience; no tensor."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from docparse_fast.errors import ModelError
from docparse_fast.options import MAX_PIXELS
from docparse_fast.speculative.drafting import LONGEST, DraftingCosts
from docparse_fast.speculative.running_ahead import RunningAhead
from docparse_fast.system.child_process import ChildProcess
from docparse_fast.targets.draft_traits import DraftTraits, check_draft_model, drafting_costs
from docparse_fast.targets.far_messages import FarReady, FarRefused, FarSetup
from docparse_fast.targets.reading import StageCosts

if TYPE_CHECKING:
    from PIL import Image

    from docparse_fast.targets.loading.document_model import DocumentModel

MODULE = "docparse_fast.targets.drafting_process"
PATIENCE = 20.0  # seconds for an answer, and as many looks at a page as large as there are


class FarModel:
    """A draft model opened for a target, in another process, which ends when this object is gone."""

    def __init__(self, target: DocumentModel, setup: FarSetup, *, patience: float | None = None) -> None:
        self.process = ChildProcess(MODULE, quiet=True)
        self._end = weakref.finalize(self, self.process.kill)
        self._lost = ""
        self._last: RunningAhead | None = None
        self._target = target
        ready = self._ready(setup)
        check_draft_model(DraftTraits.of(target), ready.traits)
        self._costs = ready.costs
        self.process.be_patient_for(patience or PATIENCE * (1 + self._look(ready.costs)))

    @staticmethod
    def _look(costs: StageCosts) -> float:
        return costs.reading.of([MAX_PIXELS]) * costs.passes.seconds

    def _ready(self, setup: FarSetup) -> FarReady:
        try:
            self.send(setup)
            said = self.recv()
        except RuntimeError as error:
            raise ModelError("model_missing", f"the draft model can't be opened: {error}") from error
        if isinstance(said, FarRefused):
            raise said.error
        assert isinstance(said, FarReady)
        return said

    def of_page(self, image: Image.Image) -> RunningAhead:
        """Drafts for this page. The model looks at it at once."""
        first = self._last.number if self._last else 0
        self._last = RunningAhead(self, image, self.costs, ahead=self.ahead, first=first)
        return self._last

    @property
    def costs(self) -> DraftingCosts:
        """The target waits for no look: its own takes at least as long."""
        return drafting_costs(self._target.decoder.costs, self._costs.passes, looking=0.0)

    @property
    def ahead(self) -> int:
        """The tokens that it drafts during a plain pass of the target."""
        return max(1, min(LONGEST, int(1 / self.costs.token)))

    def send(self, message: object) -> None:
        self._check()
        try:
            self.process.connection.send(message)
        except OSError as error:
            raise self._lost_by(error) from error

    def recv(self) -> object:
        self._check()
        try:
            return self.process.connection.recv()
        except (EOFError, OSError) as error:
            raise self._lost_by(error) from error

    def _check(self) -> None:
        if self._lost:
            raise RuntimeError(self._lost)

    def _lost_by(self, error: Exception) -> RuntimeError:
        """Ends it for good: what it says later could be about anything."""
        silent = isinstance(error, BlockingIOError)
        self._lost = "its process did not answer" if silent else f"its process ended: {self.process.ending()}"
        self._end()
        return RuntimeError(self._lost)
