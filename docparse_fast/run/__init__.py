"""A run over documents: what goes in, how each ended, what is left behind, and what an earlier run left."""
