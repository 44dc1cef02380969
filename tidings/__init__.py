"""Tidings: a business messaging gateway. ARCHITECTURE.md is the plan of the house."""

__version__ = "0.2.0"
