//===- EntrySlots.h - Arguments of a step's entry ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TARGET_ENTRYSLOTS_H
#define DS_TARGET_ENTRYSLOTS_H

#include "ds/Step/Executable.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <utility>
#include <vector>

struct dsrt_context;

namespace ds {

/// Name of the function of a step's code that takes the slots.
inline constexpr char kEntryName[] = "ds_step_entry";
using EntryFunction = void (*)(void **slots);

/// The addresses of one rank's memory, on the host or on a device.
struct RankAddresses {
  using ByNumber = llvm::function_ref<void *(unsigned)>;
  void *library; // handed to library calls
  void *arena;
  ByNumber peerArena, argument, result;
};

/// The array that the entry takes: made once, and given the context of the rank's thread in each
/// step.
class EntrySlots {
public:
  EntrySlots(const std::vector<DriverArgument> &arguments, const RankAddresses &addresses) {
    for (const DriverArgument &argument : arguments) {
      if (argument.kind == DriverArgument::context)
        contexts.push_back(slots.size());
      if (argument.kind == DriverArgument::argument)
        this->arguments.emplace_back(slots.size(), argument.index);
      if (argument.kind == DriverArgument::result)
        results.emplace_back(slots.size(), argument.index);
      slots.push_back(addressOf(argument, addresses));
    }
  }
  EntrySlots() = default;

  void setContext(dsrt_context *context) {
    for (size_t slot : contexts)
      slots[slot] = context;
  }
  void setArgument(unsigned index, void *address) { set(arguments, index, address); }
  void setResult(unsigned index, void *address) { set(results, index, address); }
  void **data() { return slots.data(); }

private:
  using Places = std::vector<std::pair<size_t, unsigned>>; // a slot, and the number of its value

  void set(const Places &places, unsigned index, void *address) {
    for (auto [slot, of] : places)
      if (of == index)
        slots[slot] = address;
  }
  static void *addressOf(const DriverArgument &argument, const RankAddresses &addresses) {
    switch (argument.kind) {
    case DriverArgument::context:
      return nullptr;
    case DriverArgument::library:
      return addresses.library;
    case DriverArgument::arena:
      return addresses.arena;
    case DriverArgument::peerArena:
      return addresses.peerArena(argument.index);
    case DriverArgument::argument:
      return addresses.argument(argument.index);
    case DriverArgument::result:
      return addresses.result(argument.index);
    }
    return nullptr;
  }

  std::vector<void *> slots;
  std::vector<size_t> contexts; // slots that receive the context
  Places arguments, results;
};

} // namespace ds

#endif // DS_TARGET_ENTRYSLOTS_H
