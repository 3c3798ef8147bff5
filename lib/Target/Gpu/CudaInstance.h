//===- CudaInstance.h - One rank's memory and its step on a GPU -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_CUDAINSTANCE_H
#define DS_LIB_TARGET_GPU_CUDAINSTANCE_H

#include "BatchFeed.h"
#include "CallEvents.h"
#include "RankMover.h"
#include "StagedCollectives.h"
#include "StepProgress.h"
#include "StepReports.h"
#include "ds/Target/CallMarks.h"
#include "ds/Target/EntrySlots.h"
#include "ds/Target/OnDevice.h"

namespace ds::gpu {

class CudaInstance final : public StepInstance, public InstanceOnDevice {
public:
  /// Borrowed slots stay where they are.
  CudaInstance(const CudaStep &step, const DeviceCode &code, std::string failure, int64_t rank,
               const BorrowedSlots &borrowed);
  ~CudaInstance() override;

  void write(unsigned argument, llvm::function_ref<void(char *)> fill) override;
  bool holds(unsigned argument, llvm::function_ref<bool(const char *)> matches) const override {
    return feeds[argument] && feeds[argument]->holds(matches);
  }
  HostView readArgument(unsigned slot) const override {
    return download(arguments[slot], slotBytesOf(step.manifest().arguments[slot]));
  }
  HostView readResult(unsigned slot) const override;
  HostView readMetric(unsigned slot) const override;
  char *spareMemory(unsigned slot) override;
  void sendSpare(unsigned slot) override { batches[slot]->send(); }
  void swapSpare(unsigned slot) override;
  void join(dsrt_context *context) override;
  void run(dsrt_context *context) override {
    runBeside(context, [] {});
  }
  void runBeside(dsrt_context *context, llvm::function_ref<void()> work) override;
  void runAhead(dsrt_context *context, llvm::function_ref<void()> work) override;
  bool isRunning() const override { return lastEnded < numSteps; }
  void finish() override;

  InstanceOnDevice *onDevice() override { return this; }
  int32_t deviceNumber() const override { return queue.device.number; }
  void *stream() const override { return queue.stream; }
  void *deviceArgument(unsigned slot) const override { return address(arguments[slot]); }
  void *deviceResult(unsigned slot) const override { return address(results[slot]); }
  void copyOnDevice(unsigned argument, const void *from, llvm::ArrayRef<Piece> pieces) override;
  bool download(void *to, const void *from, int64_t bytes) override;
  void *allocateBlock(int64_t bytes) override;
  void releaseBlock(void *data) override;
  void copyBlock(void *to, const void *from, int64_t bytes) override;
  void settle() override;
  void follow(void *stream) override;
  void lead(void *stream) override;
  std::vector<CallProfile> profile() const override;
  std::vector<CallTime> lastCalls() const override { return marks.lastCalls(); }

  void launch(int64_t number, void **parameters);
  void callLibrary(int64_t plan, DevicePointer lhs, DevicePointer rhs, DevicePointer out,
                   DevicePointer bias);
  void *constant(int64_t number) const { return reinterpret_cast<void *>(code.constants[number]); }
  void mark(int64_t call) { events->mark(call); }

private:
  template <typename Spec> static size_t slotBytesOf(const Spec &spec) {
    return slotBytes(spec.type, spec.shape);
  }
  static void *address(DevicePointer data) { return reinterpret_cast<void *>(data); }
  DevicePointer allocate(size_t bytes);
  HostView download(DevicePointer data, size_t bytes) const;
  /// Copies through pinned memory: a copy to other memory waits in the driver, for ever if need be.
  void copyOut(char *to, DevicePointer from, size_t bytes) const;
  void tellFailure() const;
  bool isContextWell() const;
  bool fits(const BorrowedSlots &borrowed);
  bool isArenaRegistered() const;
  void takeArena();
  static std::string describe(const LaunchRecord &record);
  static std::string describe(const LibraryCallSpec &call);
  void setWork(const std::string &what);
  void endWork();
  /// How the exchanges of a step are made.
  enum class Way { none, staged, byMover, byBackend };
  Way wayOf(dsrt_context *context);
  bool waitsTogether() const { return way == Way::byMover || way == Way::byBackend; }
  void queueStep();
  void queueAmongRanks(bool isGraph);
  void queueCalls();
  void capture();
  void captureTogether();
  void endCapture();
  void launchGraph();
  bool canRunAhead() const;
  void begin(dsrt_context *context, bool mayRun);
  void endStepsUntil(int64_t number);
  void endStep(int64_t number);
  /// Called before reading or writing anything but a step's own inputs.
  void awaitSteps() const { const_cast<CudaInstance *>(this)->finish(); }
  std::string firstUnended() const;
  void waitForDevice();
  void waitFor(void *event);
  static int32_t look(void *instance, int64_t *exchanges);

  const CudaStep &step;
  const DeviceCode &code;
  const int64_t rank;
  bool hasMemory = false, hasRoomAhead = false;
  mutable CudaQueue queue;
  AddressTables tables{queue};
  Exchanges exchanges;
  std::optional<RankMover> mover;
  std::optional<StepProgress> progress;
  std::vector<DevicePointer> memory; // all of it, but for an arena of the runtime's
  DevicePointer arena = 0, workspace = 0, metrics = 0;
  size_t metricBytes = 0;
  uint64_t arenaOf = 0; // number of the context that has allocated it
  std::vector<DevicePointer> arguments, results;
  std::vector<std::optional<size_t>> metricOffsets; // in a report, of results in it
  std::optional<StepReports> reports;
  void *pinned = nullptr; // for values that are written once, and for reads
  size_t pinnedBytes = 0;
  // For arguments that each step gets anew; made when they are first written.
  std::vector<std::optional<ArgumentFeed>> feeds;
  std::vector<std::optional<BatchFeed>> batches;
  std::optional<SideStream> copies;
  void *graph = nullptr;    // the step, once it is captured; of rank 0, those of all
  void *ended = nullptr;    // event after work that is waited for within a step
  void *handover = nullptr; // event of another program's stream, or for it
  void *copiedIn = nullptr; // event after copies of memory that another program holds until a step
  bool hasCopied = false;   // since the last step
  EntrySlots slots;
  int64_t numSteps = 0, lastEnded = 0; // begun; ended and checked
  bool isRestored = false;             // results are not those of the last step
  CallMarks marks;
  std::optional<CallEvents> events; // only if calls are marked
  // About the step that was queued last.
  dsrt_context *context = nullptr;
  uint64_t contextNumber = 0;
  int64_t numExchanges = 0;
  std::string work;        // for messages
  void *awaited = nullptr; // event that is waited for
  Way way = Way::none;
  uint64_t registeredWith = 0;       // number of the context that knows the arena
  std::unique_lock<std::mutex> turn; // of capturing with the other ranks
};

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_CUDAINSTANCE_H
