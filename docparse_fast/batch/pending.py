"""A task that some worker has, or had, and what came of it. Knows messages; no worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docparse_fast.batch.messages import Answer, PageTask, Task
from docparse_fast.drafted import TellImage
from docparse_fast.errors import DocparseError

if TYPE_CHECKING:
    from PIL import Image


@dataclass(eq=False, slots=True)
class PendingTask:
    task: Task
    since: float | None  # when its document was opened; None if that is the task
    tries: int = 0  # at which a worker died
    answer: Answer | None = None
    error: DocparseError | None = None
    sight: TellImage | None = None  # called with the page's image as soon as it is there
    seen: Image.Image | None = None

    def see(self, picture: Image.Image) -> None:
        self.seen = picture
        self._tell()

    def tell(self, sight: TellImage | None) -> None:
        """From now on; at once if the image has come already."""
        self.sight = sight
        self._tell()

    def _tell(self) -> None:
        if self.sight is not None and self.seen is not None and isinstance(self.task, PageTask):
            self.sight(self.task.number, self.seen)

    @property
    def is_settled(self) -> bool:
        return self.answer is not None or self.error is not None
