"""What transformers calls the cache that a model is given and gives back. Both names are `cache` from 5.24 on."""

from __future__ import annotations

from transformers.modeling_outputs import BaseModelOutputWithPast

CACHE = "cache" if hasattr(BaseModelOutputWithPast, "cache") else "past_key_values"
STATES = "cache" if CACHE == "cache" else "cache_params"  # for a layer that keeps a state
