//===- ExactRequest.cpp - The options of --check=exact --------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Options/ExactRequest.h"

#include "ds/Run/Report/Certificate.h"
#include "ds/Support/File.h"
#include "ds/Support/UserError.h"

namespace ds {

using llvm::Error;
using llvm::Expected;

Expected<bool> ExactRequest::read(llvm::StringRef text) {
  if (text != "exact" && !text.starts_with("exact:"))
    return false;
  isAsked = true;
  if (text.consume_front("exact:") && (text.getAsInteger(10, seconds) || seconds < 1))
    return userError("--check is 'exact:" + text +
                     "', expected exact or exact:SECONDS, as many as it may take");
  return true;
}

Error ExactRequest::takeFiles(bool isConfigured, std::vector<std::string> &config) {
  isAsked |= !certificate.empty() || !verify.empty();
  if (!certificate.empty())
    if (Error error = checkWritable(certificate))
      return error;
  if (verify.empty() || isConfigured)
    return Error::success();
  auto certified = Certificate::read(verify);
  if (!certified)
    return certified.takeError();
  config = certified->assignments();
  return Error::success();
}

} // namespace ds
