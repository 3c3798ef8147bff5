//===- CompiledStep.h - A compiled step, loaded -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CompiledStep owns code and plans that all ranks share; a StepInstance owns one rank's memory
// (arena and slots). Once the instance exists a step allocates nothing.
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

/// The cost of one call of the driver in all steps so far; name of the kernel, contraction or
/// collective.
struct CallProfile {
  std::string name;
  uint64_t calls;
  double milliseconds;
};

/// One call of a step: the number of its CallProfile, and its begin and end in nanoseconds of the
/// steady clock.
struct CallTime {
  size_t call;
  int64_t beginNs, endNs;
};

/// The bytes of a slot where the host can read them, dense row-major: the slot itself if the host
/// has its memory, else a copy that lives as long as the view. They do not change until the
/// instance runs, is written to, or ends.
using HostView = std::shared_ptr<const void>;

class InstanceOnDevice;

/// One rank's memory of a step, on the host or on a device. A copy that fails on a device is an
/// error of the next run().
class StepInstance {
public:
  virtual ~StepInstance() = default;
  /// Sets the rank's context, before anything else: a wait for a device outside of a step then
  /// lasts no longer than the context's timeout, and a failure there ends the context.
  virtual void join(dsrt_context *context) {}
  /// Gives an argument a new value: `fill` writes every byte of it, dense row-major. The bytes
  /// before need not be the old value of the slot.
  virtual void write(unsigned argument, llvm::function_ref<void(char *bytes)> fill) = 0;
  /// True if an argument need not be written: a device holds the bytes of the last write(), and
  /// `matches` finds that they are the value it is to have.
  virtual bool holds(unsigned argument, llvm::function_ref<bool(const char *bytes)> matches) const {
    return false;
  }
  /// Returns the value of an argument. Parameters and states have their new one after run().
  virtual HostView readArgument(unsigned slot) const = 0;
  /// Returns the value of a result; if the result updates an argument, that argument's value.
  virtual HostView readResult(unsigned slot) const = 0;
  /// Returns the slot itself, which may be written as well, for the life of the instance; null if
  /// the host cannot reach it.
  virtual void *argumentMemory(unsigned slot) { return nullptr; }
  virtual void *resultMemory(unsigned slot) { return nullptr; }
  /// Returns the memory of an instance on a GPU; null on the host.
  virtual InstanceOnDevice *onDevice() { return nullptr; }

  /// Places the slot in `memory`, which the caller owns, of as many bytes and aligned to 64: the
  /// step reads or writes it in place. Null: the instance's own memory again. False where that is
  /// impossible: on a device, for values that ranks share, and for an argument that a result
  /// updates.
  virtual bool placeArgument(unsigned slot, void *memory) { return false; }
  virtual bool placeResult(unsigned slot, void *memory) { return false; }
  /// Returns a second memory for an argument, made at the first call, which another thread may fill
  /// while the step runs; null if there is none. It moves with each swapSpare().
  virtual char *spareMemory(unsigned slot) { return nullptr; }
  /// Called by the thread that has filled the spare memory: it may go to a device while the step
  /// runs.
  virtual void sendSpare(unsigned slot) {}
  /// Makes the contents of the spare memory the argument's value. On the host the two memories
  /// change places.
  virtual void swapSpare(unsigned slot) {}
  /// Executes one step on the calling thread, which is the rank's. `context` may be null for a step
  /// without collectives. Errors of collectives are sticky in the context: check it after the call.
  virtual void run(dsrt_context *context) = 0;
  /// Does the same with `work` on the calling thread while a device computes, on the host before
  /// the step.
  virtual void runBeside(dsrt_context *context, llvm::function_ref<void()> work) {
    work();
    run(context);
  }
  /// Does the same, but on a device the step may still run when this returns; the one before it has
  /// ended. Calls that wait for the end report the step's errors: finish(), the next step, and all
  /// that read or write parameters, states or results.
  virtual void runAhead(dsrt_context *context, llvm::function_ref<void()> work) {
    runBeside(context, work);
  }
  /// True if a step may still run.
  virtual bool isRunning() const { return false; }
  /// Returns when no step runs.
  virtual void finish() {}
  /// Returns a metric of one element of the newest step that has ended; valid until two steps
  /// later.
  virtual HostView readMetric(unsigned slot) const { return readResult(slot); }
  /// Returns one entry per call in the text of the driver; empty unless compiled with `profile`.
  virtual std::vector<CallProfile> profile() const = 0;
  /// Returns the calls of the step that ran last, in order, up to the number that a step of
  /// reasonable length has; empty unless compiled with `profile`.
  virtual std::vector<CallTime> lastCalls() const { return {}; }
};

/// Memory that the instances of one process have in common; see CompiledStep::makeShared.
class SharedMemory {
public:
  virtual ~SharedMemory() = default;
};

/// The part of a step that all ranks share. It outlives its instances.
class CompiledStep {
public:
  virtual ~CompiledStep() = default;
  virtual const Manifest &manifest() const = 0;
  /// Returns the bytes of scratch memory that each instance holds.
  virtual size_t arenaBytes() const = 0;
  /// Returns the bytes that each instance takes for itself: arguments, results and arena.
  virtual int64_t memoryBytes() const = 0;
  /// Returns how many of them are on the host.
  virtual int64_t hostMemoryBytes() const { return memoryBytes(); }
  /// Returns the bytes that the instances of one process take once: values that its ranks share.
  virtual int64_t sharedBytes() const { return 0; }
  /// Returns the times of the stages of compiling, if this process compiled the step, and of
  /// loading, in order.
  virtual const std::vector<StageTime> &compileTimes() const = 0;
  /// Returns the hashes of the distinct kernels, in order of their first call.
  virtual const std::vector<std::string> &kernelNames() const = 0;
  /// Returns the distinct library calls, and the library's implementation of each, such as
  /// "convolution brgconv:avx512_core".
  virtual std::vector<std::pair<std::string, std::string>> libraryCalls() const = 0;
  /// Describes the device and how it runs the step, for a run's start: `cuda: NVIDIA H100, sm_90,
  /// 23 kernels`. Empty: on the host.
  virtual std::string describeDevice() const { return ""; }
  /// True if instances can have arguments in memory of others on their device: `shared` of
  /// instantiate() is then null or a BorrowedMemory (OnDevice.h).
  virtual bool canBorrow() const { return false; }
  /// Makes shared memory for one set of instances, one of each rank; null where ranks share
  /// nothing. Where they do, all ranks are threads of this process, and all give a shared slot the
  /// same values in the same order: the first one writes.
  virtual std::shared_ptr<SharedMemory> makeShared() const { return nullptr; }
  /// Makes the memory of one rank: zero-filled slots. `shared` is the result of makeShared() for
  /// the set.
  virtual std::unique_ptr<StepInstance> instantiate(std::shared_ptr<SharedMemory> shared = nullptr,
                                                    int64_t rank = 0) const = 0;
};

} // namespace ds

#endif // DS_TARGET_COMPILEDSTEP_H
