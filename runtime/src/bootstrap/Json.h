//===- Json.h - Reads the JSON of rank tables -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RFC 8259 for small files from outside: bounded depth and number of values, no exceptions, the
// place of the first mistake. The runtime stands alone, so LLVM's reader is not at hand.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_JSON_H
#define DSRT_SRC_BOOTSTRAP_JSON_H

#include <string>
#include <utility>
#include <vector>

namespace dsrt::bootstrap {

struct Json {
  enum class Kind { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  std::string text; // of a string; a number or boolean as it was written
  std::vector<Json> elements;
  std::vector<std::pair<std::string, Json>> members;

  /// The member of that name, or null.
  const Json *find(const char *name) const;
};

/// False: `why` says what is wrong and in which line.
bool parseJson(const std::string &text, Json &out, std::string &why);

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_JSON_H
