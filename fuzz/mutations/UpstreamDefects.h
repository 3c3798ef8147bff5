//===- UpstreamDefects.h - What MLIR itself dies of -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_UNITTESTS_MUTATIONS_UPSTREAMDEFECTS_H
#define DS_UNITTESTS_MUTATIONS_UPSTREAMDEFECTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Regex.h"

namespace ds {

/// MLIR 22.1.8 itself dies of a list in linalg.broadcast, transpose or reduce that is not well
/// formed, of iterator types that are no strings, and of an array of index in its parser.
inline bool hitsUpstreamDefect(llvm::StringRef text) {
  static const llvm::Regex wellFormed("^ *= *\\[ *[0-9]{1,9}( *, *[0-9]{1,9})* *\\]");
  static const llvm::Regex strings("^ *= *\\[ *(\"[a-z]*\"( *, *\"[a-z]*\")*)? *\\]");
  static const llvm::Regex ofIndex("array *< *index");
  if (ofIndex.match(text))
    return true;
  for (llvm::StringRef key : {"dimensions", "permutation", "iterator_types"})
    for (size_t at = text.find(key); at != llvm::StringRef::npos; at = text.find(key, at + 1))
      if (!(key == "iterator_types" ? strings : wellFormed)
               .match(text.substr(at + key.size(), 200)))
        return true;
  return false;
}

} // namespace ds

#endif // DS_UNITTESTS_MUTATIONS_UPSTREAMDEFECTS_H
