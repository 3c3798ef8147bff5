//===- Device.cpp - Instances beside other work of their GPUs -------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Instance.h"

#include "ds/Support/UserError.h"
#include "ds/Target/OnDevice.h"

#include <cstring>

using namespace ds;
using namespace ds::capi;
using llvm::Error;
using llvm::Twine;

void ds_instance::view(Rank &rank, bool isResult, unsigned slot, ds_view &view) const {
  StepInstance &memory = rank.instance();
  ds_view found = {};
  found.struct_size = view.struct_size;
  found.device_type = DS_DEVICE_CPU;
  found.data = isResult ? memory.resultMemory(slot) : memory.argumentMemory(slot);
  if (InstanceOnDevice *device = memory.onDevice()) {
    found.device_type = DS_DEVICE_CUDA;
    found.device_id = device->deviceNumber();
    found.data = isResult ? device->deviceResult(slot) : device->deviceArgument(slot);
  }
  const ArgumentSpec *argument = isResult ? nullptr : &manifest->arguments[slot];
  const std::vector<int64_t> &shape = argument ? argument->shape : manifest->results[slot].shape;
  found.type = toString(argument ? argument->type : manifest->results[slot].type);
  found.num_dimensions = shape.size();
  found.shape = shape.data();
  found.strides = (isResult ? results : arguments)[slot].strides.data();
  memcpy(&view, &found, std::min<size_t>(view.struct_size, sizeof found));
}

Error ds_instance::writeDevice(unsigned slot, ds_part part, const void *data, int64_t bytes,
                               int32_t number) {
  const Division &division = arguments[slot];
  const std::string &name = manifest->arguments[slot].name;
  if (Error error = checkPart(slot, part, bytes))
    return error;
  InstanceOnDevice *first = ranks[0]->instance().onDevice();
  if (!first)
    return userError("'" + name + "' lies on GPU " + Twine(number) +
                     ", but the step computes on the CPU; expected a value on the host");
  for (const std::unique_ptr<Rank> &rank : ranks)
    if (const int32_t own = rank->instance().onDevice()->deviceNumber(); own != number)
      return userError("'" + name + "' lies on GPU " + Twine(number) + ", but rank " +
                       Twine(rank->rank()) + " computes on GPU " + Twine(own) +
                       "; expected a value there, or on the host");
  if (Error error = checkIndicesOnDevice(slot, part, data, bytes))
    return error;
  for (size_t local = 0; local < ranks.size(); ++local) {
    std::vector<Piece> pieces;
    const Together &all = division.of(part);
    if (all.ofRank.empty())
      pieces.push_back({0, 0, division.rankBytes});
    else
      forEachPiece(all.shape, all.ofRank[local], division.elementBytes,
                   [&](int64_t large, int64_t small, int64_t size) {
                     pieces.push_back({large, small, size});
                   });
    InstanceOnDevice *device = ranks[local]->instance().onDevice();
    if (device != first)
      device->follow(first->stream());
    device->copyOnDevice(slot, data, pieces);
  }
  return Error::success();
}

Error ds_instance::checkIndicesOnDevice(unsigned slot, ds_part part, const void *data,
                                        int64_t bytes) {
  if (!manifest->arguments[slot].indexRange || options.on_index == DS_INDEX_OFF)
    return Error::success();
  std::vector<char> copy(bytes);
  if (!ranks[0]->instance().onDevice()->download(copy.data(), data, bytes))
    return Error::success(); // the next step reports the reason
  return checkIndices(slot, part, copy.data());
}

/// Runs work(rank), which returns an llvm::Error, if the rank exists.
template <typename Work>
static ds_status onRank(ds_instance *instance, int64_t local_rank, Work work) {
  if (!instance)
    return DS_INVALID_ARGUMENT;
  if (local_rank < 0 || static_cast<size_t>(local_rank) >= instance->ranks.size())
    return refuse(instance->context, "this process has no rank " + Twine(local_rank) +
                                         ", expected 0 to " + Twine(instance->ranks.size() - 1));
  return guarded(instance->context, [&] { return work(*instance->ranks[local_rank]); });
}

static ds_status viewOf(ds_instance *instance, int64_t local_rank, bool isResult, int32_t slot,
                        ds_view *out_view) {
  return onRank(instance, local_rank, [&](Rank &rank) -> Error {
    const size_t slots = isResult ? instance->numResults() : instance->numArguments();
    if (!out_view || slot < 0 || static_cast<size_t>(slot) >= slots)
      return misuse("a view takes a struct and a slot from 0 to " + Twine(slots - 1) +
                    ", got slot " + Twine(slot));
    if (Error error = checkSize(out_view->struct_size, offsetof(ds_view, type), alignof(ds_view),
                                "sizeof(ds_view)"))
      return error;
    instance->view(rank, isResult, slot, *out_view);
    return Error::success();
  });
}

extern "C" {

ds_status ds_instance_view_argument(ds_instance *instance, int64_t local_rank, int32_t slot,
                                    ds_view *out_view) {
  return viewOf(instance, local_rank, /*isResult=*/false, slot, out_view);
}

ds_status ds_instance_view_result(ds_instance *instance, int64_t local_rank, int32_t slot,
                                  ds_view *out_view) {
  return viewOf(instance, local_rank, /*isResult=*/true, slot, out_view);
}

void *ds_instance_stream(ds_instance *instance, int64_t local_rank) {
  if (!instance || local_rank < 0 || static_cast<size_t>(local_rank) >= instance->ranks.size())
    return nullptr;
  InstanceOnDevice *device = instance->ranks[local_rank]->instance().onDevice();
  return device ? device->stream() : nullptr;
}

ds_status ds_instance_lead(ds_instance *instance, int64_t local_rank, void *stream) {
  return onRank(instance, local_rank, [&](Rank &rank) -> Error {
    if (InstanceOnDevice *device = rank.instance().onDevice())
      device->lead(stream);
    return Error::success();
  });
}

ds_status ds_instance_follow(ds_instance *instance, int64_t local_rank, void *stream) {
  return onRank(instance, local_rank, [&](Rank &rank) -> Error {
    if (InstanceOnDevice *device = rank.instance().onDevice())
      device->follow(stream);
    return Error::success();
  });
}

ds_status ds_instance_write_device(ds_instance *instance, int32_t slot, ds_part part,
                                   const void *data, int64_t bytes, int32_t device_id) {
  return onRank(instance, 0, [&](Rank &) -> Error {
    if (!data || slot < 0 || static_cast<size_t>(slot) >= instance->numArguments())
      return userError("a value takes an address and a slot from 0 to " +
                       Twine(instance->numArguments() - 1) + ", got slot " + Twine(slot));
    return instance->writeDevice(slot, part, data, bytes, device_id);
  });
}

} // extern "C"
