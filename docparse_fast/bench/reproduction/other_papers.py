"""The tables of the other papers: what each of them needs, and what measures it. Measures nothing itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from docparse_fast.bench.reproduction import double, judge_sweep, latency, rules_on_models, rules_table, tabed
from docparse_fast.bench.reproduction.comparing import Compared
from docparse_fast.bench.reproduction.table_request import TableRequest
from docparse_fast.errors import UsageError


@dataclass(frozen=True, slots=True)
class OtherTable:
    measured: Callable[[TableRequest], Compared]
    has_draft_model: bool = True
    least_data: int = 0
    most_data: float = 1

    def check(self, request: TableRequest) -> None:
        """UsageError if more or less is named than the table needs."""
        right = len(request.targets) == 1 and self.least_data <= len(request.data) <= self.most_data
        if not right or bool(request.options.draft_model) != self.has_draft_model:
            raise UsageError(f"{request.table} is measured with {self._needs}", remedy="name these")

    @property
    def _needs(self) -> str:
        data = "one --data" if self.least_data else "at most one --data"
        models = "a --draft-model" if self.has_draft_model else "no --draft-model"
        return ", ".join(["one --target", *([data] if self.most_data == 1 else []), models])


TABLES: Mapping[str, OtherTable] = {
    **dict.fromkeys(tabed.TABLES, OtherTable(tabed.measured, most_data=math.inf)),
    latency.TABLE: OtherTable(latency.measured),
    **dict.fromkeys(double.TABLES, OtherTable(double.measured, least_data=1)),
    judge_sweep.TABLE: OtherTable(judge_sweep.measured, has_draft_model=False),
    rules_table.TABLE: OtherTable(rules_table.measured, has_draft_model=False),
    rules_on_models.TABLE: OtherTable(rules_on_models.measured),
}
