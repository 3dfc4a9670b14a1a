"""The tables of the other papers: what each of them needs, and what measures and shows it. Measures nothing itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from docparse_fast.bench.reproduction import (
    double,
    double_report,
    judge_sweep,
    latency,
    rules_on_models,
    rules_table,
    tabed,
    tabed_report,
)
from docparse_fast.bench.reproduction.table_request import TableRequest
from docparse_fast.bench.tables import Part
from docparse_fast.errors import UsageError
from docparse_fast.system.typed_json import written

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

VERSION = 1

Found = TypeVar("Found", bound="DataclassInstance")


@dataclass(frozen=True, slots=True)
class OtherTable(Generic[Found]):
    measured: Callable[[TableRequest], Found]
    report: Callable[[Found], Iterable[Part]]
    format: str
    exit_code: Callable[[Found], int] = lambda found: 0
    has_draft_model: bool = True
    least_data: int = 0
    most_data: float = 1

    def check(self, request: TableRequest) -> None:
        """UsageError if more or less is named than the table needs."""
        right = len(request.targets) == 1 and self.least_data <= len(request.data) <= self.most_data
        if not right or bool(request.options.draft_model) != self.has_draft_model:
            raise UsageError(f"{request.table} is measured with {self._needs}", remedy="name these")

    def to_json(self, found: Found) -> str:
        return written(found, format=self.format, version=VERSION) + "\n"

    @property
    def _needs(self) -> str:
        data = "one --data" if self.least_data else "at most one --data"
        models = "a --draft-model" if self.has_draft_model else "no --draft-model"
        return ", ".join(["one --target", *([data] if self.most_data == 1 else []), models])


TABED = OtherTable(
    tabed.measured, tabed_report.report, tabed_report.FORMAT, lambda found: found.exit_code, most_data=math.inf
)
DOUBLE = OtherTable(
    double.measured, double_report.report, double_report.FORMAT, lambda found: found.exit_code, least_data=1
)
TABLES: Mapping[str, OtherTable[Any]] = {
    **dict.fromkeys(tabed.TABLES, TABED),
    latency.TABLE: OtherTable(latency.measured, latency.report, latency.FORMAT),
    **dict.fromkeys(double.TABLES, DOUBLE),
    judge_sweep.TABLE: OtherTable(judge_sweep.measured, judge_sweep.report, judge_sweep.FORMAT, has_draft_model=False),
    rules_table.TABLE: OtherTable(rules_table.measured, rules_table.report, rules_table.FORMAT, has_draft_model=False),
    rules_on_models.TABLE: OtherTable(rules_on_models.measured, rules_on_models.report, rules_on_models.FORMAT),
}
