"""Checks weights: reads every file again and compares its digest with the record. Changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from docparse_fast.models.inventory import Model
from docparse_fast.system.digests import Differences, differences


@dataclass(frozen=True, slots=True)
class WeightsVerdict:
    model: Model
    found: Differences | None  # None: not here, or nothing was recorded to compare with

    @property
    def intact(self) -> bool:
        return self.found is not None and not self.found

    @property
    def in_words(self) -> str:
        """
        >>> model = Model("m", "target", "", "", "", Path("m"), ("a", "b"))
        >>> WeightsVerdict(model, Differences(1, missing=("a",), extra=("x.py", "y.py"))).in_words
        'missing: a; extra: x.py, y.py'
        """
        if not self.model.here:
            return "not on this machine"
        if self.found is None:
            return "nothing was recorded to compare with"
        if not self.found:
            return f"intact, {self.found.intact} file{'' if self.found.intact == 1 else 's'}"
        parts = {"missing": self.found.missing, "changed": self.found.changed, "extra": self.found.extra}
        return "; ".join(f"{what}: {', '.join(names)}" for what, names in parts.items() if names)


def verify(model: Model) -> WeightsVerdict:
    """Reads every byte: this takes seconds a gigabyte.

    >>> verify(Model("m", "target", "", "", "")).in_words
    'not on this machine'
    """
    if model.folder is None or model.recorded is None:
        return WeightsVerdict(model, None)
    return WeightsVerdict(model, differences(Path(model.folder), model.recorded, model.files))
