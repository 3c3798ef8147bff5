//===- Session.cpp - A step of ds-compile, loaded -------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Session.h"

#include "ds/Run/Ranks/Batch.h"
#include "ds/Run/Train/Metrics.h"
#include "ds/Step/Executable.h"
#include "ds/Support/Escape.h"
#include "ds/Support/UserError.h"
#include "ds/Support/Version.h"
#include "ds/Target/DeviceVariables.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

void Session::hear(const ds_diagnostic *diagnostic, void *session) {
  if (diagnostic->severity == DS_ERROR)
    static_cast<Session *>(session)->said = diagnostic->message;
  else
    llvm::errs() << "ds-run-bundle: warning: " << oneLine(diagnostic->message) << "\n";
}

Error Session::check(ds_status status) {
  return status == DS_OK ? Error::success() : userError(said);
}

Expected<std::unique_ptr<Session>> Session::open(const BundleOptions &options) {
  std::unique_ptr<Session> session(new Session);
  session->context = ds_context_create(hear, session.get());
  if (Error error = session->load(options))
    return error;
  return session;
}

Error Session::load(const BundleOptions &options) {
  const ds_compiled_step *compiled = nullptr;
  if (Error error = check(ds_compiled_step_open(context, options.library.c_str(), &compiled)))
    return error;
  const bool isForGpu = compiled->device;
  auto [device, numbers] = StringRef(options.device).split(':');
  if (!device.empty() && (device == "cuda") != isForGpu)
    return userError("--device is '" + device + "', but '" + options.library +
                     "' was compiled for " + (isForGpu ? "cuda" : "cpu"));
  if (options.checkLaunches && !isForGpu)
    return userError("--check-launches looks at launches of a GPU, but '" + options.library +
                     "' was compiled for cpu");
  if (!numbers.empty())
    setenv(kDevicesVariable, numbers.str().c_str(), /*overwrite=*/1);
  if (options.checkLaunches)
    setenv(kCheckLaunchesVariable, "1", /*overwrite=*/1);
  if (Error error = check(ds_program_load(context, compiled, &program)))
    return error;
  std::optional<Executable> executable =
      readExecutable({static_cast<const char *>(compiled->description),
                      static_cast<size_t>(compiled->description_bytes)});
  if (!executable) // this program has to parse what libdsaot.so has parsed, too
    return userError("'" + options.library +
                     "' was compiled by another version of ds-compile, expected that "
                     "of " DS_VERSION_STRING "; compile it again");
  description = std::move(executable->manifest);
  if (Error error = check(ds_world_join(program, &world)))
    return error;
  if (!world)
    if (Error error = check(ds_world_create(program, description.numRanks, &world)))
      return error;
  metricNames = Metrics(description, description.numRanks, /*combined=*/true).names();
  if (Error error = check(ds_program_compile(program, world, &step)))
    return error;
  ds_instance_options given;
  ds_instance_options_init(&given);
  given.on_index = options.onIndex;
  return check(ds_instance_create(step, world, &given, &instance));
}

Session::~Session() {
  ds_instance_destroy(instance);
  ds_step_destroy(step);
  ds_world_destroy(world);
  ds_program_destroy(program);
  ds_context_destroy(context);
}

Error Session::write(unsigned argument, const Array &whole) {
  return check(ds_instance_write(instance, argument, DS_WHOLE, whole.data, whole.bytes()));
}

Expected<Array> Session::readArgument(unsigned slot) {
  const ArgumentSpec &argument = description.arguments[slot];
  uint8_t *bytes = nullptr;
  Array array = Array::allocate(toDataType(argument.type),
                                wholeShape(description, argument, numRanks()), &bytes);
  if (Error error = check(ds_instance_read_argument(instance, slot, bytes, array.bytes())))
    return error;
  return array;
}

Expected<Array> Session::readResult(unsigned slot) {
  const ResultSpec &result = description.results[slot];
  uint8_t *bytes = nullptr;
  Array array =
      Array::allocate(toDataType(result.type), wholeShape(description, result, numRanks()), &bytes);
  if (Error error = check(ds_instance_read_result(instance, slot, bytes, array.bytes())))
    return error;
  return array;
}

} // namespace ds
