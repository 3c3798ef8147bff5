//===- codes.h - Kinds of errors that programs go by -----------*- C -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one table of codes: C++ includes it, and scripts/generate-codes writes
// python/dstep/base/codes.py from it. A program decides by `code` and `fields` of ds_diagnostic,
// never by the text of a message. Numbers keep their meaning; a new kind gets the next one. After
// each code stand its fields, the members of the JSON object.
//
//===----------------------------------------------------------------------===//
#ifndef DS_C_CODES_H
#define DS_C_CODES_H

typedef enum ds_code {
  /// The message is for people.
  DS_CODE_NONE = 0,
  /// {"result": 2, "dim": 1}: the samples of a result lie in another dimension than its mark has;
  /// "dim" is null where no dimension holds them.
  DS_CODE_RESULT_SAMPLES = 1,
  /// {"argument": "y", "found": "12, expected an index from 0 to 9; 1 of 8 is out of range"}: an
  /// argument holds an index outside of its range.
  DS_CODE_INDEX_RANGE = 2
} ds_code;

#endif // DS_C_CODES_H
