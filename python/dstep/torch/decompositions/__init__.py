"""Operations of ATen in terms of others, before the graph is lowered (rules.py)."""
from .rules import table

__all__ = ["table"]
