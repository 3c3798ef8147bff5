//===- Run.cpp - A run of a program -----------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device holds a block of a sharded array; ds reads and returns global arrays, and shards them
// over its ranks itself. So blocks are assembled before a step and cut out after it. A result that
// comes back as the argument that it updates is not copied in: the instance still holds it.
//
//===----------------------------------------------------------------------===//
#include "Plugin.h"

#include <algorithm>
#include <cstring>

using namespace ds::pjrt;

/// Copies between a device's part, which is dense, and its place in the global array.
static void copyPart(const Slot &slot, size_t device, char *whole, char *part, bool isIntoWhole) {
  const size_t numDims = slot.whole.size(), bytes = bytesOf(slot.type);
  if (!product(slot.part))
    return;
  const int64_t *offset = slot.offsets.data() + device * numDims;
  // The last dimensions that a part covers completely are copied in one piece.
  size_t last = numDims - 1;
  while (last > 0 && slot.part[last] == slot.whole[last])
    --last;
  int64_t inner = bytes;
  for (size_t dim = last + 1; dim < numDims; ++dim)
    inner *= slot.whole[dim];
  const int64_t piece = slot.part[last] * inner;
  std::vector<int64_t> at(last, 0);
  for (;;) {
    int64_t position = 0;
    for (size_t dim = 0; dim < last; ++dim)
      position = (position + offset[dim] + at[dim]) * slot.whole[dim + 1];
    char *place = whole + (position + offset[last]) * inner;
    memcpy(isIntoWhole ? place : part, isIntoWhole ? part : place, piece);
    part += piece;
    size_t dim = last;
    while (dim > 0 && ++at[dim - 1] == slot.part[dim - 1])
      at[--dim] = 0;
    if (dim == 0)
      return;
  }
}

namespace {

/// One run of a program.
struct Run {
  Run(Compiled &program, const LoadedExecutableExecute &args)
      : program(program), args(args), numDevices(args.numDevices) {
    for (size_t i = 0; args.options && i < args.options->numNotDonated; ++i)
      notDonated.push_back(args.options->notDonated[i]);
  }

  Error *run();

private:
  Buffer &argument(size_t device, size_t slot) const { return *args.arguments[device][slot]; }
  Device *device(size_t number) const {
    return args.device ? args.device : program.devices[number];
  }
  bool isDonated(size_t slot) const {
    return program.arguments[slot].isDonated &&
           std::find(notDonated.begin(), notDonated.end(), int64_t(slot)) == notDonated.end();
  }
  Error *check() const;
  bool isThere(size_t slot) const;
  const void *input(size_t slot);
  std::shared_ptr<HostMemory> memoryOf(const Slot &result, size_t device);
  Error *give(size_t result);

  Compiled &program;
  const LoadedExecutableExecute &args;
  const size_t numDevices;
  std::vector<int64_t> notDonated;
  std::vector<std::unique_ptr<HostMemory>> wholes;
};

} // namespace

Error *Run::check() const {
  if (numDevices != program.devices.size() || args.numArguments != program.arguments.size())
    return fail("'" + program.name + "' takes " + std::to_string(program.arguments.size()) +
                    " arguments on " + std::to_string(program.devices.size()) + " devices, got " +
                    std::to_string(args.numArguments) + " on " + std::to_string(numDevices),
                ErrorCode::invalidArgument);
  for (size_t number = 0; number < numDevices; ++number)
    for (size_t slot = 0; slot < args.numArguments; ++slot) {
      const Buffer &buffer = argument(number, slot);
      if (!buffer.memory)
        return fail("argument " + std::to_string(slot) + " of '" + program.name +
                        "' has been deleted or donated",
                    ErrorCode::invalidArgument);
      if (buffer.bytes() !=
          product(program.arguments[slot].part) * bytesOf(program.arguments[slot].type))
        return fail("argument " + std::to_string(slot) + " of '" + program.name + "' has " +
                        std::to_string(buffer.bytes()) + " bytes, expected " +
                        std::to_string(product(program.arguments[slot].part) *
                                       bytesOf(program.arguments[slot].type)),
                    ErrorCode::invalidArgument);
    }
  return nullptr;
}

/// True if the instance still holds an argument's value from the previous run.
bool Run::isThere(size_t slot) const {
  const int64_t result = program.arguments[slot].other;
  if (result < 0)
    return false;
  const Origin last = {program.id, program.runs, size_t(result)};
  for (size_t number = 0; number < numDevices; ++number)
    if (!(argument(number, slot).origin == last))
      return false;
  return true;
}

const void *Run::input(size_t slot) {
  const Slot &described = program.arguments[slot];
  if (isThere(slot))
    return nullptr;
  if (!described.isSharded())
    return argument(0, slot).data();
  wholes.push_back(
      std::make_unique<HostMemory>(product(described.whole) * bytesOf(described.type)));
  if (char *whole = wholes.back()->data)
    for (size_t number = 0; number < numDevices; ++number)
      copyPart(described, number, whole, argument(number, slot).data(), /*isIntoWhole=*/true);
  return wholes.back()->data;
}

/// Returns the memory of the argument donated to a result if no other buffer or reader uses it,
/// else new memory. Devices with a replicated array share it.
std::shared_ptr<HostMemory> Run::memoryOf(const Slot &result, size_t number) {
  const size_t end = result.isSharded() ? number + 1 : numDevices;
  if (result.other >= 0 && isDonated(result.other)) {
    std::shared_ptr<HostMemory> &donated = argument(number, result.other).memory;
    std::vector<Buffer *> holders;
    for (size_t at = number; at < end; ++at)
      if (Buffer &buffer = argument(at, result.other); buffer.memory == donated && donated)
        holders.push_back(&buffer);
    bool isRead = std::any_of(holders.begin(), holders.end(),
                              [](const Buffer *holder) { return holder->numReaders > 0; });
    if (!isRead && donated && donated.use_count() == long(holders.size())) {
      std::shared_ptr<HostMemory> memory = donated;
      for (Buffer *holder : holders)
        holder->memory.reset();
      return memory;
    }
  }
  return std::make_shared<HostMemory>(product(result.part) * bytesOf(result.type));
}

Error *Run::give(size_t at) {
  const Slot &result = program.results[at];
  const int64_t bytes = product(result.whole) * bytesOf(result.type);
  std::unique_ptr<HostMemory> whole;
  if (result.isSharded())
    whole = std::make_unique<HostMemory>(bytes);
  std::shared_ptr<HostMemory> memory;
  for (size_t number = 0; number < numDevices; ++number) {
    if (number == 0 || whole)
      memory = memoryOf(result, number);
    if (!memory->data || (whole && !whole->data))
      return hasNoMemory(bytes);
    if (number == 0 && bytes &&
        hooks.read(program.instance, int32_t(at), whole ? whole->data : memory->data, bytes))
      return fail("result " + std::to_string(at) + " of '" + program.name + "' cannot be read");
    if (whole)
      copyPart(result, number, whole->data, memory->data, /*isIntoWhole=*/false);
    auto *buffer = new Buffer(result.type, result.part, device(number), memory);
    buffer->origin = {program.id, program.runs, at};
    args.outputs[number][at] = buffer;
  }
  return nullptr;
}

Error *Run::run() {
  if (Error *error = check())
    return error;
  std::vector<const void *> inputs;
  for (size_t slot = 0; slot < args.numArguments; ++slot) {
    inputs.push_back(input(slot));
    if (!inputs.back() && !isThere(slot))
      return hasNoMemory(product(program.arguments[slot].whole));
  }
  inputs.push_back(nullptr); // the argument that dstep.jax adds to a step without updates
  if (program.instance && hooks.run(program.instance, inputs.data())) {
    std::string text(4096, '\0');
    if (hooks.failure)
      hooks.failure(program.handle, text.data(), text.size());
    ++program.runs; // no buffer refers to the instance's values any more
    return fail(text.c_str());
  }
  ++program.runs;
  for (size_t result = 0; result < program.results.size(); ++result)
    if (Error *error = give(result))
      return error;
  for (size_t number = 0; number < numDevices; ++number)
    for (size_t slot = 0; slot < args.numArguments; ++slot)
      if (isDonated(slot))
        deleteBuffer(argument(number, slot));
  for (size_t number = 0; args.completed && number < numDevices; ++number)
    args.completed[number] = new Event;
  return nullptr;
}

Error *ds::pjrt::execute(LoadedExecutableExecute *args) {
  if (args->executable->isDeleted)
    return fail("the program has been deleted", ErrorCode::invalidArgument);
  Compiled &program = *args->executable->compiled;
  std::lock_guard<std::mutex> lock(program.running);
  return Run(program, *args).run();
}
