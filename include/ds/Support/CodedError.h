//===- CodedError.h - Errors that programs can distinguish ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_CODEDERROR_H
#define DS_SUPPORT_CODEDERROR_H

#include "ds-c/codes.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace ds {

/// The part of an error for programs: a code of ds-c/codes.h and its fields, a JSON object.
struct ErrorKind {
  ds_code code = DS_CODE_NONE;
  std::string fields;
};

/// A message for the user, with a kind.
class CodedError final : public llvm::ErrorInfo<CodedError> {
public:
  static char ID;
  CodedError(ErrorKind kind, const llvm::Twine &what) : kind(std::move(kind)), what(what.str()) {}

  const ErrorKind kind;

  void log(llvm::raw_ostream &stream) const override { stream << what; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string what;
};

/// Makes a CodedError, or a userError if the kind has no code.
llvm::Error codedError(ErrorKind kind, const llvm::Twine &what);

/// Returns the kind of the first CodedError of `error`, which is not consumed.
ErrorKind kindOf(llvm::Error &error);

/// The samples of a result are in `dim`, or in no dimension.
ErrorKind resultSamples(int64_t result, std::optional<int64_t> dim);
/// `argument` holds an index outside its range: `found` follows "holds" in the sentence.
ErrorKind indexRange(llvm::StringRef argument, llvm::StringRef found);

} // namespace ds

#endif // DS_SUPPORT_CODEDERROR_H
