//===- Handles.h - The structs of the handles in ds.h -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Failures are llvm::Error inside; at the border they become a diagnostic and a status.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CAPI_HANDLES_H
#define DS_LIB_CAPI_HANDLES_H

#include "ds-c/ds.h"
#include "ds/Dialect/IR/Config.h"
#include "ds/Run/Ranks/World.h"
#include "ds/Support/CodedError.h"
#include "ds/Target/CompiledStep.h"

#include "llvm/Support/JSON.h"

#include <exception>
#include <new>
#include <optional>

namespace ds {
class Program;
}

struct ds_context {
  ds_diagnostic_callback handler = nullptr;
  void *userData = nullptr;

  /// Passes on one sentence, in the form of the tools: "file:3:7: error: the message".
  void tell(ds_severity severity, llvm::StringRef sentence, const ds::ErrorKind &kind = {}) const;
};

/// A step that was parsed (Parsed.h), or one that ds-compile has compiled (Compiled.cpp).
struct ds_program {
  ds_program(ds_context *context, std::string name) : context(context), name(std::move(name)) {}
  virtual ~ds_program() = default;
  virtual const ds::Config &config() const = 0;
  /// Compiles for the ranks of a world, or as a function of one device.
  virtual llvm::Error compile(ds_world *world, ds_step &step) = 0;
  /// Returns null once it is compiled.
  virtual ds::Program *source() { return nullptr; }
  /// Hash of the step as written, without its locations; empty once it is compiled.
  virtual std::string writtenHash() const { return ""; }
  virtual void tellWarnings() {}
  /// Called when its process is about to join a launched world.
  virtual void joins() const {}
  /// The number of ranks of a program that is compiled already.
  virtual std::optional<int64_t> compiledFor() const { return std::nullopt; }
  virtual bool computesOnDevices() const { return false; }

  ds_context *const context;
  const std::string name;
};

struct ds_world {
  ds_context *context;
  std::unique_ptr<ds::World> world;
  std::string failure; // the first, which every later run repeats

  /// Calls World::run, until a rank fails.
  llvm::Error run(llvm::function_ref<llvm::Error(int64_t rank, dsrt_context *context)> body);
};

struct ds_step {
  ds_context *context;
  std::unique_ptr<ds::CompiledStep> step;
  std::string hash;
  uint64_t exchanges = 0;       // hash of the collectives of a step compiled per process; else 0
  bool isFunction = false;      // compiled without a world
  bool combinesMetrics = false; // by itself, so that all ranks have the same metrics
};

namespace ds::capi {

/// An error of the caller alone: arguments that are wrong in every state.
class Misuse final : public llvm::ErrorInfo<Misuse> {
public:
  static char ID;
  explicit Misuse(const llvm::Twine &what) : what(what.str()) {}
  void log(llvm::raw_ostream &stream) const override { stream << what; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string what;
};
inline llvm::Error misuse(const llvm::Twine &what) { return llvm::make_error<Misuse>(what); }

/// Checks that a struct of a caller has the size of one of its versions; `least` is less than the
/// first one's, and `init` names the function that sets it.
llvm::Error checkSize(uint32_t size, size_t least, size_t alignment, llvm::StringRef init);

ds_status fail(ds_context *context, llvm::Error error);
ds_status refuse(ds_context *context, const llvm::Twine &what);

/// Runs work(), which returns an llvm::Error; a C++ exception becomes an error as well.
template <typename Work> ds_status guarded(ds_context *context, Work work) {
  try {
    if (llvm::Error error = work())
      return fail(context, std::move(error));
    return DS_OK;
  } catch (const std::bad_alloc &) {
    return refuse(context, "out of memory"), DS_FAILED;
  } catch (const std::exception &exception) {
    return refuse(context, exception.what()), DS_FAILED;
  }
}

void give(ds_string_callback out, void *userData, llvm::StringRef text);
void giveJson(ds_string_callback out, void *userData, llvm::json::Value value);

/// The manifest in the form that ds_step_manifest returns.
llvm::json::Object toJson(const Manifest &manifest);

} // namespace ds::capi

#endif // DS_LIB_CAPI_HANDLES_H
