//===- CodedError.cpp - Errors that programs can distinguish ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Support/CodedError.h"

#include "ds/Support/UserError.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace ds {

using llvm::Error;

char CodedError::ID = 0;

static ErrorKind makeKind(ds_code code, llvm::json::Object fields) {
  return {code, llvm::formatv("{0}", llvm::json::Value(std::move(fields))).str()};
}

ErrorKind resultSamples(int64_t result, std::optional<int64_t> dim) {
  llvm::json::Value at = nullptr;
  if (dim)
    at = *dim;
  return makeKind(DS_CODE_RESULT_SAMPLES,
                  llvm::json::Object{{"result", result}, {"dim", std::move(at)}});
}

ErrorKind indexRange(llvm::StringRef argument, llvm::StringRef found) {
  return makeKind(DS_CODE_INDEX_RANGE,
                  llvm::json::Object{{"argument", argument}, {"found", found}});
}

Error codedError(ErrorKind kind, const llvm::Twine &what) {
  if (kind.code == DS_CODE_NONE)
    return userError(what);
  return llvm::make_error<CodedError>(std::move(kind), what);
}

ErrorKind kindOf(Error &error) {
  ErrorKind kind;
  error = llvm::handleErrors(std::move(error), [&](std::unique_ptr<CodedError> coded) -> Error {
    if (kind.code == DS_CODE_NONE)
      kind = coded->kind;
    return Error(std::move(coded));
  });
  return kind;
}

} // namespace ds
