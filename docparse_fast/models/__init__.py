"""The weights that docparse-fast uses: listed, found, checked and downloaded."""

from __future__ import annotations

from docparse_fast.models.downloading import download
from docparse_fast.models.inventory import Model, all_models, model_named
from docparse_fast.models.verifying import WeightsVerdict, verify

__all__ = ["Model", "WeightsVerdict", "all_models", "download", "model_named", "verify"]
