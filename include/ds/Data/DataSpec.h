//===- DataSpec.h - Which file feeds which argument -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPEC of the command line: `x=train-images.gz:scale=1/255,y=labels.npz:key`. Each item is
// argument = file [:key] [:scale=NUMBER[/NUMBER]] [:reshape=AxBx..]; a backslash keeps a comma, a
// colon or a brace literal.
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_DATASPEC_H
#define DS_DATA_DATASPEC_H

#include "ds/Data/Convert.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace ds {

struct DataSource {
  std::string argument;
  std::string file; // or several, see `filesOf`
  std::string key;  // array in an .npz or .safetensors
  std::optional<Scale> scale;
  std::optional<std::vector<int64_t>> reshape; // of one sample
  std::optional<Array> array;                  // in memory, instead of the file
};

llvm::Expected<std::vector<DataSource>> parseDataSpec(llvm::StringRef spec);

/// True if each rank has files of its own: `x=part-{rank}.npy`.
bool namesRank(llvm::StringRef spec);

/// Returns the specification of one rank: {rank} and {ranks} become numbers, with leading zeros for
/// {rank:05}. A backslash keeps a brace literal.
llvm::Expected<std::string> specOfRank(llvm::StringRef spec, int64_t rank, int64_t numRanks);

/// Returns the files that FILE of a specification names: one file; all files that match a pattern
/// with `*` and `?` in its last component, sorted by name; or, after `@`, the files that a text
/// file lists, one a line, relative to its folder.
llvm::Expected<std::vector<std::string>> filesOf(llvm::StringRef file);

/// Reads one array of any supported format, which its contents determine. Without a key, reads the
/// array called `argument`, or the only one.
llvm::Expected<Array> readArray(llvm::StringRef path, llvm::StringRef key,
                                llvm::StringRef argument);

} // namespace ds

#endif // DS_DATA_DATASPEC_H
