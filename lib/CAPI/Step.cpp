//===- Step.cpp - A program compiled for the ranks of a world -------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Handles.h"

#include "ds/Support/UserError.h"

using namespace ds;
using namespace ds::capi;
using llvm::Error;

extern "C" {

void ds_program_destroy(ds_program *program) { delete program; }

ds_status ds_program_compile(ds_program *program, ds_world *world, ds_step **out_step) {
  if (out_step)
    *out_step = nullptr;
  if (!program || !out_step)
    return refuse(program ? program->context : nullptr, "ds_program_compile takes a program");
  ds_status status = guarded(program->context, [&]() -> Error {
    if (world && !world->failure.empty())
      return userError(world->failure);
    auto made = std::make_unique<ds_step>();
    made->context = program->context;
    made->isFunction = !world;
    if (Error error = program->compile(world, *made))
      return error;
    *out_step = made.release();
    return Error::success();
  });
  program->tellWarnings();
  return status;
}

void ds_step_destroy(ds_step *step) { delete step; }

ds_status ds_step_manifest(const ds_step *step, ds_string_callback out, void *user_data) {
  if (!step)
    return DS_INVALID_ARGUMENT;
  return guarded(step->context, [&]() -> Error {
    giveJson(out, user_data, toJson(step->step->manifest()));
    return Error::success();
  });
}

int64_t ds_step_memory_bytes(const ds_step *step) {
  return step ? step->step->memoryBytes() +
                    step->step->sharedBytes() / step->step->manifest().numRanks
              : 0;
}

} // extern "C"
