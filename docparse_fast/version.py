"""The version, where every module can have it."""

__version__ = "0.2.0"
