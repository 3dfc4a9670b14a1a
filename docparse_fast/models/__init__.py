"""The weights docparse-fast works with: which there are, where they are, whether they are whole, how to get them."""

from __future__ import annotations

from docparse_fast.models.downloading import download
from docparse_fast.models.inventory import Model, all_models, model_named
from docparse_fast.models.verifying import Verdict, verify

__all__ = ["Model", "Verdict", "all_models", "download", "model_named", "verify"]
