//===- WriteModels.h - Models of choices as JSON ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_PREVIEW_WRITEMODELS_H
#define DS_LIB_PREVIEW_WRITEMODELS_H

#include "ds/Transforms/Search/ExplainShardings.h"

#include "llvm/Support/Error.h"

namespace ds {

/// Writes the models to a file, atomically: for each axis the costs of the labels of every
/// variable, and pairs [first, second, table]; null is a forbidden entry.
llvm::Error writeModels(llvm::StringRef path, const std::vector<SearchedModel> &models);

} // namespace ds

#endif // DS_LIB_PREVIEW_WRITEMODELS_H
