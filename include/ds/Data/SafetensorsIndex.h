//===- SafetensorsIndex.h - A checkpoint in several files -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The index of a checkpoint in several files, in the form that transformers writes:
//
//   {"metadata": {"total_size": 80}, "weight_map": {"w": "m-00001-of-00002.safetensors", ..}}
//
// ds adds members that other readers leave alone: "shares" with the bytes and the checksum of each
// file, and "sharded" for tensors whose parts are in several files:
//
//   "sharded": {"m": {"shape": [8, 2], "parts": [
//     {"file": "m-00001-of-00002.safetensors", "name": "m@0", "at": [[[0, 4]], [[0, 2]]]}, ..]}}
//
// `at` has, for each dimension, the runs of positions that the part holds.
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_SAFETENSORSINDEX_H
#define DS_DATA_SAFETENSORSINDEX_H

#include "ds/Data/Parts.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>

namespace ds {

struct SafetensorsIndex {
  struct Share {
    int64_t bytes;
    std::string checksum;
  };
  struct Part {
    std::string file, name; // of the tensor in the file
    PositionRuns at;
  };
  struct Sharded {
    std::vector<int64_t> shape;
    std::vector<Part> parts;
  };
  std::map<std::string, std::string> metadata;
  std::map<std::string, std::string> files; // of tensors that are whole in one file
  std::map<std::string, Sharded> sharded;
  std::map<std::string, Share> shares; // by file; empty in the index of another program
};

/// Reads the index; none if the file is not one. Names of files are names in the index's folder,
/// and parts lie within their tensor and apart from each other.
llvm::Expected<std::optional<SafetensorsIndex>> readSafetensorsIndex(llvm::StringRef path);

/// Writes like writeFileAtomically, with a checksum; `bytes` is the size of all tensors.
llvm::Error writeSafetensorsIndex(llvm::StringRef path, const SafetensorsIndex &index,
                                  int64_t bytes, std::optional<unsigned> mode);

} // namespace ds

#endif // DS_DATA_SAFETENSORSINDEX_H
