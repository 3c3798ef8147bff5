//===- Context.cpp - Diagnostics and versions -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Handles.h"

#include "ds/Support/Escape.h"
#include "ds/Support/Version.h"

#include "llvm/Support/FormatVariadic.h"

using namespace ds;
using llvm::StringRef;

/// Removes the place from the front of a sentence: "step.mlir:3:7", or a name alone.
static std::string takePlace(StringRef &sentence, StringRef severity, ds_diagnostic &diagnostic) {
  std::string mark = (": " + severity + ": ").str();
  auto [place, text] = sentence.split(mark);
  if (place.size() == sentence.size())
    return "";
  sentence = text;
  auto [rest, column] = place.rsplit(':');
  auto [file, line] = rest.rsplit(':');
  if (column.getAsInteger(10, diagnostic.column) || line.getAsInteger(10, diagnostic.line)) {
    diagnostic.line = diagnostic.column = 0;
    return place == "ds-run" ? "" : place.str(); // the tool is not a place
  }
  return file.str();
}

void ds_context::tell(ds_severity severity, StringRef sentence, const ErrorKind &kind) const {
  if (!handler)
    return;
  ds_diagnostic diagnostic = {};
  diagnostic.struct_size = sizeof diagnostic;
  diagnostic.severity = severity;
  std::string line = oneLine(sentence);
  StringRef rest = line;
  rest.consume_front("warning: ");
  std::string file = takePlace(rest, severity == DS_ERROR ? "error" : "warning", diagnostic);
  std::string message = rest.str();
  diagnostic.message = message.c_str();
  diagnostic.file = file.empty() ? nullptr : file.c_str();
  diagnostic.code = kind.code;
  diagnostic.fields = kind.code == DS_CODE_NONE ? nullptr : kind.fields.c_str();
  handler(&diagnostic, userData);
}

char capi::Misuse::ID = 0;

ds_status ds::capi::fail(ds_context *context, llvm::Error error) {
  const ds_status status = error.isA<Misuse>() ? DS_INVALID_ARGUMENT : DS_FAILED;
  const ErrorKind kind = kindOf(error);
  context->tell(DS_ERROR, llvm::toString(std::move(error)), kind);
  return status;
}

llvm::Error ds::capi::checkSize(uint32_t size, size_t least, size_t alignment, StringRef init) {
  constexpr uint32_t most = 4096; // a larger size was never set
  if (size >= least && size <= most && size % alignment == 0)
    return llvm::Error::success();
  return misuse("struct_size is " + llvm::Twine(size) + ", expected " + init);
}

ds_status ds::capi::refuse(ds_context *context, const llvm::Twine &what) {
  if (context)
    context->tell(DS_ERROR, what.str());
  return DS_INVALID_ARGUMENT;
}

void ds::capi::give(ds_string_callback out, void *userData, StringRef text) {
  if (out)
    out(text.data(), text.size(), userData);
}

void ds::capi::giveJson(ds_string_callback out, void *userData, llvm::json::Value value) {
  if (out)
    give(out, userData, StringRef(llvm::formatv("{0}", value).str()));
}

extern "C" {

const char *ds_version(void) { return DS_VERSION_STRING; }
uint32_t ds_abi_version(void) { return DS_ABI_VERSION; }

ds_context *ds_context_create(ds_diagnostic_callback handler, void *user_data) {
  return new (std::nothrow) ds_context{handler, user_data};
}

void ds_context_destroy(ds_context *context) { delete context; }

} // extern "C"
