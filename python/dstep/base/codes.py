"""Kinds of errors that programs go by: RunError.code, with RunError.fields. scripts/generate-codes writes this from include/ds-c/codes.h."""

# The message is for people.
NONE = 0

# {"result": 2, "dim": 1}: the samples of a result lie in another dimension than its mark has;
# "dim" is null where no dimension holds them.
RESULT_SAMPLES = 1

# {"argument": "y", "found": "12, expected an index from 0 to 9; 1 of 8 is out of range"}: an
# argument holds an index outside of its range.
INDEX_RANGE = 2
