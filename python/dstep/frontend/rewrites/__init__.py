"""Operations of StableHLO that upstream dialects or ds do not have, in terms of others: one family per module."""
