//===- Borrowed.cpp - Values borrowed from instances on GPUs --------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Instance.h"

#include "ds/Support/UserError.h"
#include "ds/Target/OnDevice.h"

#include <algorithm>

using namespace ds;
using namespace ds::capi;
using llvm::Error;
using llvm::Twine;

/// Checks one argument, before memory for the others exists.
Error ds_instance::checkBorrowed(const ds_borrowed &borrowed) const {
  const ds_instance *of = borrowed.of;
  if (!of || borrowed.argument < 0 || static_cast<size_t>(borrowed.argument) >= numArguments() ||
      borrowed.slot < 0 ||
      static_cast<size_t>(borrowed.slot) >=
          (borrowed.is_result ? of->numResults() : of->numArguments()))
    return userError("a borrowed argument takes slots and an instance that there are, got slots " +
                     Twine(borrowed.argument) + " and " + Twine(borrowed.slot));
  const ArgumentSpec &argument = manifest->arguments[borrowed.argument];
  auto describe = [](ElementType type, const std::vector<int64_t> &shape) {
    std::string text = std::string(toString(type)) + "[";
    for (size_t dim = 0; dim < shape.size(); ++dim)
      text += (dim ? ", " : "") + std::to_string(shape[dim]);
    return text + "]";
  };
  const std::string wanted = describe(argument.type, argument.shape);
  const ArgumentSpec *lent = borrowed.is_result ? nullptr : &of->manifest->arguments[borrowed.slot];
  const std::string found = lent ? describe(lent->type, lent->shape)
                                 : describe(of->manifest->results[borrowed.slot].type,
                                            of->manifest->results[borrowed.slot].shape);
  if (found != wanted)
    return userError("'" + argument.name + "' is " + wanted +
                     " on each rank, but what it borrows is " + found);
  for (const ResultSpec &result : manifest->results)
    if (result.updates == static_cast<unsigned>(borrowed.argument))
      return userError("'" + argument.name + "' is updated by the step, which cannot borrow it");
  if (!of->ranks[0]->instance().onDevice() ||
      static_cast<int64_t>(of->ranks.size()) != world->world->numLocalRanks())
    return userError(
        "'" + argument.name +
        "' borrows memory of an instance with other ranks or on the CPU, expected one on "
        "the same GPUs");
  return Error::success();
}

llvm::Expected<std::shared_ptr<SharedMemory>> ds_instance::borrow(const ds_step &step) {
  if (!step.step->canBorrow())
    return userError(
        "the step computes on the CPU, where ds_instance_place_argument gives an argument "
        "other memory; expected a step on GPUs");
  auto memory = std::make_shared<BorrowedMemory>();
  for (int64_t i = 0; i < options.num_borrowed; ++i) {
    const ds_borrowed &borrowed = options.borrowed[i];
    if (Error error = checkBorrowed(borrowed))
      return std::move(error);
    sharesMemory = borrowed.of->sharesMemory = true;
    for (const std::unique_ptr<Rank> &rank : borrowed.of->ranks) {
      rank->instance().finish();
      InstanceOnDevice *device = rank->instance().onDevice();
      memory->ofRank[rank->rank()][borrowed.argument] = borrowed.is_result
                                                            ? device->deviceResult(borrowed.slot)
                                                            : device->deviceArgument(borrowed.slot);
    }
    memoryBytes -= elementCount(manifest->arguments[borrowed.argument].shape) *
                   byteSize(manifest->arguments[borrowed.argument].type);
  }
  return memory;
}

/// Checks that each rank computes on the device of its lenders.
Error ds_instance::checkDevices() const {
  for (int64_t i = 0; i < options.num_borrowed; ++i)
    for (auto [own, other] : llvm::zip(ranks, options.borrowed[i].of->ranks)) {
      const int32_t here = own->instance().onDevice()->deviceNumber();
      const int32_t there = other->instance().onDevice()->deviceNumber();
      if (here != there)
        return userError("rank " + Twine(own->rank()) + " computes on GPU " + Twine(here) +
                         ", but what it borrows is on GPU " + Twine(there));
    }
  return Error::success();
}

/// The copies of each rank, and the memory that they copy.
struct ds_snapshot {
  struct Copy {
    InstanceOnDevice *device;
    void *original, *copy;
    int64_t bytes;
  };

  ds_snapshot(ds_instance &instance, llvm::ArrayRef<int32_t> results)
      : instance(instance), results(results) {
    for (const std::unique_ptr<Rank> &rank : instance.ranks)
      for (int32_t slot : results)
        if (const int64_t bytes = instance.resultBytesOfRank(slot)) {
          InstanceOnDevice *device = rank->instance().onDevice();
          copies.push_back(
              {device, device->deviceResult(slot), device->allocateBlock(bytes), bytes});
        }
  }
  ~ds_snapshot() {
    for (const Copy &copy : copies)
      copy.device->releaseBlock(copy.copy);
  }
  ds_snapshot(const ds_snapshot &) = delete;

  Error move(bool back) {
    for (const Copy &copy : copies)
      copy.device->copyBlock(back ? copy.original : copy.copy, back ? copy.copy : copy.original,
                             copy.bytes);
    for (const std::unique_ptr<Rank> &rank : instance.ranks)
      rank->instance().onDevice()->settle();
    return instance.firstFailure();
  }

  ds_instance &instance;
  const std::vector<int32_t> results;
  std::vector<Copy> copies;
};

extern "C" {

ds_status ds_instance_snapshot(ds_instance *instance, const int32_t *results, int64_t num_results,
                               ds_snapshot **snapshot) {
  if (!instance)
    return DS_INVALID_ARGUMENT;
  if (!snapshot || num_results < 0 || (num_results && !results) ||
      std::any_of(
          results, results + num_results,
          [&](int32_t slot) {
            return slot < 0 || static_cast<size_t>(slot) >= instance->numResults();
          }))
    return refuse(instance->context, "a snapshot takes slots of results from 0 to " +
                                         Twine(instance->numResults() - 1));
  return guarded(instance->context, [&]() -> Error {
    if (!instance->ranks[0]->instance().onDevice())
      return userError("the step computes on the CPU, where ds_instance_place_result lets it write "
                       "elsewhere; expected a step on GPUs");
    const llvm::ArrayRef<int32_t> slots(results, num_results);
    if (*snapshot &&
        (&(*snapshot)->instance != instance || slots != llvm::ArrayRef((*snapshot)->results)))
      return userError("the snapshot is one of other results");
    std::unique_ptr<ds_snapshot> made;
    if (!*snapshot)
      made = std::make_unique<ds_snapshot>(*instance, slots);
    if (Error error = (made ? made.get() : *snapshot)->move(/*back=*/false))
      return error;
    if (made)
      *snapshot = made.release();
    return Error::success();
  });
}

ds_status ds_snapshot_restore(ds_snapshot *snapshot) {
  if (!snapshot)
    return DS_INVALID_ARGUMENT;
  return guarded(snapshot->instance.context, [&] { return snapshot->move(/*back=*/true); });
}

void ds_snapshot_destroy(ds_snapshot *snapshot) { delete snapshot; }

} // extern "C"
