"""Operations of MLIR: building and walking them, expressions of StableHLO, annotations."""
