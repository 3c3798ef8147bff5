//===- InstanceCalls.cpp - The calls on instances ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Instance.h"

#include <algorithm>
#include <cstring>

using namespace ds;
using namespace ds::capi;
using llvm::Error;
using llvm::Twine;

/// Runs `work` if the slot exists.
template <typename Work>
static ds_status atSlot(ds_instance *instance, int32_t slot, size_t slots, const void *data,
                        Work work) {
  if (!instance)
    return DS_INVALID_ARGUMENT;
  if (slot < 0 || static_cast<size_t>(slot) >= slots)
    return refuse(instance->context,
                  "there is no slot " + Twine(slot) + ", expected 0 to " + Twine(slots - 1));
  if (!data)
    return refuse(instance->context, "the value of slot " + Twine(slot) + " is null");
  return guarded(instance->context, work);
}

static size_t argumentsOf(const ds_instance *instance) {
  return instance ? instance->numArguments() : 0;
}
static size_t resultsOf(const ds_instance *instance) {
  return instance ? instance->numResults() : 0;
}

static bool isPlace(const ds_instance *instance, int64_t local_rank, int32_t slot, size_t slots) {
  return slot >= 0 && static_cast<size_t>(slot) < slots && local_rank >= 0 &&
         static_cast<size_t>(local_rank) < instance->ranks.size();
}

static bool isAligned(const void *memory) { return reinterpret_cast<uintptr_t>(memory) % 64 == 0; }

extern "C" {

void ds_instance_options_init_sized(ds_instance_options *options, uint32_t struct_size) {
  ds_instance_options defaults = {};
  defaults.struct_size = struct_size;
  memcpy(options, &defaults, std::min<size_t>(struct_size, sizeof defaults));
}

ds_status ds_instance_create(ds_step *step, ds_world *world, const ds_instance_options *options,
                             ds_instance **out_instance) {
  if (out_instance)
    *out_instance = nullptr;
  if (!step || !out_instance)
    return refuse(step ? step->context : nullptr, "ds_instance_create takes a step");
  if (step->isFunction != !world)
    return refuse(step->context, step->isFunction
                                     ? "the step is a function, which was compiled without a world"
                                     : "the step was compiled for a world, got none");
  return guarded(step->context, [&]() -> Error {
    auto made = std::make_unique<ds_instance>();
    ds_instance_options_init(&made->options);
    if (options) {
      if (Error error = checkSize(options->struct_size, offsetof(ds_instance_options, compares),
                                  alignof(int32_t), "ds_instance_options_init to set it"))
        return error;
      memcpy(&made->options, options, std::min<size_t>(options->struct_size, sizeof made->options));
    }
    if (made->options.on_index < DS_INDEX_STOP || made->options.on_index > DS_INDEX_OFF ||
        made->options.batches < DS_WHOLE || made->options.batches > DS_LOCAL)
      return misuse("an option of the instance is out of range");
    made->context = step->context;
    made->world = world;
    if (!world) {
      auto alone = World::create(1, "local", {});
      if (!alone)
        return alone.takeError();
      made->alone.reset(new ds_world{step->context, std::move(*alone), {}});
      made->world = made->alone.get();
    }
    if (Error error = made->create(*step))
      return error;
    *out_instance = made.release();
    return Error::success();
  });
}

void ds_instance_destroy(ds_instance *instance) { delete instance; }

ds_status ds_instance_write(ds_instance *instance, int32_t slot, ds_part part, const void *data,
                            int64_t bytes) {
  return atSlot(instance, slot, argumentsOf(instance), data,
                [&] { return instance->write(slot, part, data, bytes); });
}

ds_status ds_instance_write_seeds(ds_instance *instance, uint64_t seed, int64_t step) {
  if (!instance)
    return DS_INVALID_ARGUMENT;
  return guarded(instance->context, [&]() -> Error {
    for (const std::unique_ptr<Rank> &rank : instance->ranks)
      rank->writeSeeds(seed, step);
    return Error::success();
  });
}

ds_status ds_instance_broadcast(ds_instance *instance) {
  if (!instance)
    return DS_INVALID_ARGUMENT;
  return guarded(instance->context, [&] { return instance->broadcast(); });
}

ds_status ds_instance_read_argument(ds_instance *instance, int32_t slot, void *data,
                                    int64_t bytes) {
  return atSlot(instance, slot, argumentsOf(instance), data,
                [&] { return instance->readArgument(slot, data, bytes); });
}

ds_status ds_instance_read_result(ds_instance *instance, int32_t slot, void *data, int64_t bytes) {
  return atSlot(instance, slot, resultsOf(instance), data,
                [&] { return instance->readResult(slot, data, bytes); });
}

ds_status ds_instance_read_local(ds_instance *instance, int32_t slot, void *data, int64_t bytes) {
  return atSlot(instance, slot, resultsOf(instance), data,
                [&] { return instance->readLocal(slot, data, bytes); });
}

void *ds_instance_argument(ds_instance *instance, int64_t local_rank, int32_t slot) {
  if (!isPlace(instance, local_rank, slot, argumentsOf(instance)))
    return nullptr;
  return instance->ranks[local_rank]->instance().argumentMemory(slot);
}

void *ds_instance_result(ds_instance *instance, int64_t local_rank, int32_t slot) {
  if (!isPlace(instance, local_rank, slot, resultsOf(instance)))
    return nullptr;
  return instance->ranks[local_rank]->instance().resultMemory(slot);
}

ds_status ds_instance_place_argument(ds_instance *instance, int64_t local_rank, int32_t slot,
                                     void *memory) {
  if (!isPlace(instance, local_rank, slot, argumentsOf(instance)))
    return DS_INVALID_ARGUMENT;
  StepInstance &held = instance->ranks[local_rank]->instance();
  return isAligned(memory) && held.placeArgument(slot, memory) ? DS_OK : DS_INVALID_ARGUMENT;
}

ds_status ds_instance_place_result(ds_instance *instance, int64_t local_rank, int32_t slot,
                                   void *memory) {
  if (!isPlace(instance, local_rank, slot, resultsOf(instance)))
    return DS_INVALID_ARGUMENT;
  StepInstance &held = instance->ranks[local_rank]->instance();
  return isAligned(memory) && held.placeResult(slot, memory) ? DS_OK : DS_INVALID_ARGUMENT;
}

ds_status ds_instance_run(ds_instance *instance, const void *const *inputs) {
  if (!instance)
    return DS_INVALID_ARGUMENT;
  return guarded(instance->context, [&] { return instance->run(inputs, nullptr); });
}

ds_status ds_instance_run_ahead(ds_instance *instance, const void *const *inputs,
                                const void *const *next) {
  if (!instance)
    return DS_INVALID_ARGUMENT;
  return guarded(instance->context, [&] { return instance->run(inputs, next); });
}

ds_status ds_instance_run_steps(ds_instance *instance, int64_t count, const void *const *inputs,
                                void *const *outputs) {
  if (!instance || count < 0)
    return refuse(instance ? instance->context : nullptr, "the number of steps is negative");
  return guarded(instance->context, [&]() -> Error {
    auto inputsOf = [&](int64_t step) {
      return inputs && step < count ? inputs + step * instance->numArguments() : nullptr;
    };
    for (int64_t step = 0; step < count; ++step) {
      if (Error error = instance->run(inputsOf(step), inputsOf(step + 1)))
        return error;
      for (size_t slot = 0; outputs && slot < instance->numResults(); ++slot)
        if (void *data = outputs[step * instance->numResults() + slot])
          if (Error error = instance->readResult(slot, data, instance->resultBytes(slot)))
            return error;
    }
    return Error::success();
  });
}

ds_status ds_instance_statistics(const ds_instance *instance, ds_statistics *out_statistics) {
  if (!instance || !out_statistics)
    return refuse(instance ? instance->context : nullptr, "ds_instance_statistics takes a struct");
  if (Error error = checkSize(out_statistics->struct_size, offsetof(ds_statistics, step_ns),
                              alignof(ds_statistics), "sizeof(ds_statistics)"))
    return fail(instance->context, std::move(error));
  dsrt_statistics exchanged = {};
  exchanged.struct_size = sizeof exchanged;
  if (dsrt_get_statistics(instance->ranks[0]->context(), &exchanged) != DSRT_OK)
    exchanged = {};
  ds_statistics all = {};
  all.struct_size = out_statistics->struct_size;
  all.steps = instance->steps;
  all.step_ns = instance->stepNs;
  all.collectives = exchanged.calls;
  all.exchanged = exchanged.bytes;
  all.exposed_ns = exchanged.exposed_ns;
  all.memory_bytes = instance->memoryBytes;
  memcpy(out_statistics, &all, std::min<size_t>(out_statistics->struct_size, sizeof all));
  return DS_OK;
}

} // extern "C"
