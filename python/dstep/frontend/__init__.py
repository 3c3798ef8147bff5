"""StableHLO text -> a module on upstream dialects (func, linalg, tensor, arith, math, scf) with the roles of ds.

    mlir_text = normalise(stablehlo_text, manifest)

Only jaxlib is needed, so the same function serves every framework that can print StableHLO. See manifest.py for the
form of the manifest; without one the function keeps the attributes of its exporter.
"""
from ..base.errors import FrontendError
from .normalise import normalise

__all__ = ["FrontendError", "normalise"]
