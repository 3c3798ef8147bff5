//===- CompiledStep.h - A compiled step, loaded -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CompiledStep owns code and plans that all ranks share; a StepInstance owns one rank's memory
// (arena and slots). After the instance exists a step allocates nothing.
//
//===----------------------------------------------------------------------===//
#ifndef DS_TARGET_COMPILEDSTEP_H
#define DS_TARGET_COMPILEDSTEP_H

#include "ds/Step/Manifest.h"
#include "ds/Support/StageTimer.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

struct dsrt_context;

namespace ds {

/// What one call of the driver cost in all steps so far; name of the kernel, contraction or
/// collective.
struct CallProfile {
  std::string name;
  uint64_t calls;
  double milliseconds;
};

/// One call of a step: the number of its CallProfile, and from when to when, in nanoseconds of the
/// steady clock.
struct CallTime {
  size_t call;
  int64_t beginNs, endNs;
};

/// The bytes of a slot where the host can read them, dense row-major: the slot itself if the host
/// has its memory, else a copy that lives as long as the view. They stay as they are until the
/// instance runs, is written to, or ends.
using HostView = std::shared_ptr<const void>;

class InstanceOnDevice;

/// One rank's memory of a step, wherever that is. What a device cannot copy is an error of the next
/// run().
class StepInstance {
public:
  virtual ~StepInstance() = default;
  /// The rank's context, before anything else: what waits for a device outside of a step does so no
  /// longer than its timeout, and what fails there ends it.
  virtual void join(dsrt_context *context) {}
  /// Gives an argument a new value: `fill` writes every byte of it, dense row-major. What is there
  /// before need not be what the slot held.
  virtual void write(unsigned argument, llvm::function_ref<void(char *bytes)> fill) = 0;
  /// Whether an argument need not be written: a device has what write() gave it last, which
  /// `matches` the value that it is to have.
  virtual bool holds(unsigned argument, llvm::function_ref<bool(const char *bytes)> matches) const {
    return false;
  }
  /// The value of an argument. Parameters and states have their new one after run().
  virtual HostView readArgument(unsigned slot) const = 0;
  /// The value of a result; of one that updates an argument, that argument's.
  virtual HostView readResult(unsigned slot) const = 0;
  /// The slot itself, which may be written as well, for the life of the instance; null where the
  /// host cannot reach it.
  virtual void *argumentMemory(unsigned slot) { return nullptr; }
  virtual void *resultMemory(unsigned slot) { return nullptr; }
  /// The memory of an instance on a GPU; null on the host.
  virtual InstanceOnDevice *onDevice() { return nullptr; }

  /// From now on the slot is `memory`, the caller's, of as many bytes and aligned to 64, which the
  /// step reads, or writes, in place; null: the instance's own again. False where that cannot be:
  /// on a device, of what ranks share, and of an argument that a result updates.
  virtual bool placeArgument(unsigned slot, void *memory) { return false; }
  virtual bool placeResult(unsigned slot, void *memory) { return false; }
  /// A second memory for an argument, made when it is first asked for, which another thread may
  /// fill while the step runs; null where there is none. It moves with each swapSpare().
  virtual char *spareMemory(unsigned slot) { return nullptr; }
  /// Spare memory has been filled, by the calling thread: it may go to a device while the step
  /// runs.
  virtual void sendSpare(unsigned slot) {}
  /// What is in the spare memory becomes the argument's value. Where the host has its memory they
  /// change places.
  virtual void swapSpare(unsigned slot) {}
  /// Executes one step on the calling thread, which is the rank's. `context` may be null for a step
  /// without collectives. Errors of collectives are sticky in the context: check it after the call.
  virtual void run(dsrt_context *context) = 0;
  /// The same with `work` on the calling thread while a device computes, on the host before it.
  virtual void runBeside(dsrt_context *context, llvm::function_ref<void()> work) {
    work();
    run(context);
  }
  /// The same, but on a device the step may still run when this returns; the one before it has
  /// ended. Who waits for the end is told the step's errors: finish(), the next step, and all that
  /// reads or writes parameters, states or results.
  virtual void runAhead(dsrt_context *context, llvm::function_ref<void()> work) {
    runBeside(context, work);
  }
  /// Whether a step may still run.
  virtual bool isRunning() const { return false; }
  /// Returns when no step runs.
  virtual void finish() {}
  /// Of the newest step that has ended, a metric of one element, until two steps later.
  virtual HostView readMetric(unsigned slot) const { return readResult(slot); }
  /// One entry per call in the text of the driver; empty unless compiled with `profile`.
  virtual std::vector<CallProfile> profile() const = 0;
  /// The calls of the step that ran last, in order, so many as a step of reasonable length has;
  /// empty unless compiled with `profile`.
  virtual std::vector<CallTime> lastCalls() const { return {}; }
};

/// Memory that the instances of one process have in common; see CompiledStep::makeShared.
class SharedMemory {
public:
  virtual ~SharedMemory() = default;
};

/// What all ranks share. It outlives its instances.
class CompiledStep {
public:
  virtual ~CompiledStep() = default;
  virtual const Manifest &manifest() const = 0;
  /// Bytes of scratch memory that each instance holds.
  virtual size_t arenaBytes() const = 0;
  /// Bytes that each instance takes for itself: arguments, results and arena.
  virtual int64_t memoryBytes() const = 0;
  /// Those of them that are the host's.
  virtual int64_t hostMemoryBytes() const { return memoryBytes(); }
  /// Bytes that the instances of one process take once: values that its ranks share.
  virtual int64_t sharedBytes() const { return 0; }
  /// Where the time of compiling, if this process compiled it, and of loading went, in order.
  virtual const std::vector<StageTime> &compileTimes() const = 0;
  /// Hashes of the distinct kernels, in order of their first call.
  virtual const std::vector<std::string> &kernelNames() const = 0;
  /// The distinct library calls, and what the library runs for each, such as "convolution
  /// brgconv:avx512_core".
  virtual std::vector<std::pair<std::string, std::string>> libraryCalls() const = 0;
  /// What it runs on and how, for a run's start: `cuda: NVIDIA H100, sm_90, 23 kernels`. Empty: on
  /// the host.
  virtual std::string describeDevice() const { return ""; }
  /// Whether instances can have arguments in memory of others on their device: `shared` of
  /// instantiate() is then null or a BorrowedMemory (OnDevice.h).
  virtual bool canBorrow() const { return false; }
  /// For one set of instances, one of each rank; null where ranks share nothing. Where they do, all
  /// ranks are threads of this process, and all give a shared slot the same values in the same
  /// order: the first one writes.
  virtual std::shared_ptr<SharedMemory> makeShared() const { return nullptr; }
  /// The memory of one rank: zero-filled slots. `shared` is what makeShared() has made for the set.
  virtual std::unique_ptr<StepInstance> instantiate(std::shared_ptr<SharedMemory> shared = nullptr,
                                                    int64_t rank = 0) const = 0;
};

} // namespace ds

#endif // DS_TARGET_COMPILEDSTEP_H
