//===- ConfigKeys.h - the table of configuration keys -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_LIB_DIALECT_IR_CONFIGKEYS_H
#define DS_LIB_DIALECT_IR_CONFIGKEYS_H

#include "ds/Dialect/IR/Config.h"

#include "llvm/Support/JSON.h"

namespace ds::detail {

enum class KeyKind {
  Flag,    // true or false
  Number,  // an integer in [least, most]
  Word,    // one of 'words'
  Text,    // any text, a path
  Indices, // ascending distinct numbers
  Fusion,  // 'all', 'none', 'index[:k..]', 'auto', 'ddp', 'size:MB' or 'size:MB:firstMB', and parts
           // after ';': 'allgather=auto', 'reducescatter=size:MB'
  Mesh,    // 'dp=2,tp=4': names and sizes of axes
  Sizes,   // 'batch=64,x.1=28': names and sizes of dimensions
  Update,  // a mode and its options, as described in UpdateMode.h
  Compression, // likewise
  Duration,    // '500ms', '30s', or a number of seconds
};

struct Key {
  llvm::StringRef name;
  KeyKind kind;
  std::optional<ConfigValue> fallback; // in force if the key is not written
  std::vector<llvm::StringRef> words = {};
  int64_t least = 0;
  int64_t most = 0;
  /// A number between least and most that is not allowed.
  std::optional<std::pair<int64_t, int64_t>> hole = {};
  /// Texts of the values that are built; empty if all of them are, or none is.
  std::vector<llvm::StringRef> built = {};
  bool nothingBuilt = false;
  llvm::StringRef effect, instead, test;
};

/// The table of ConfigKeys.td, in alphabetical order.
llvm::ArrayRef<Key> keyTable();
llvm::Expected<const Key *> findKey(llvm::StringRef name);

/// Converts a value into the key's own form, or reports the expected and the given value.
llvm::Expected<ConfigValue> check(const Key &key, ConfigValue value);

/// Returns the part of 'comm_fusion' about one kind of collective: "", 'allgather' or
/// 'reducescatter'; none if it is absent. The key 'comm_fusion' is valid.
std::optional<llvm::StringRef> fusionPart(llvm::StringRef fusion, llvm::StringRef collective);

/// Parses the names and sizes of 'dp=2,tp=4'; none if the text has another form.
std::optional<std::vector<MeshAxis>> meshAxes(llvm::StringRef text);

/// Checks that each dimension of 'sizes' is named once and has elements.
llvm::Expected<ConfigValue> checkSizes(const Key &key, const std::vector<MeshAxis> &sizes);

/// Returns '500ms', '30s' or '30' in milliseconds; none outside (0, one day].
std::optional<int64_t> milliseconds(llvm::StringRef text);

/// Describes the values of the key: "true or false".
std::string expectation(const Key &key);

/// Formats data for a message: '{mode: size}'.
std::string dataText(const llvm::json::Value &data);

/// Returns the error for a value of the wrong kind or range.
llvm::Error mustBe(const Key &key, llvm::StringRef given);

/// Check which other keys 'update' and 'gradient_compression' exclude.
llvm::Error checkUpdate(const Config &config);
llvm::Error checkCompression(const Config &config);
/// The same for 'shared_replicas'.
llvm::Error checkSharing(const Config &config);

} // namespace ds::detail

#endif // DS_LIB_DIALECT_IR_CONFIGKEYS_H
