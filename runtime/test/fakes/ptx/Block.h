//===- Block.h - The threads of a block and their state ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_PTX_BLOCK_H
#define DSRT_TEST_FAKES_PTX_BLOCK_H

#include "Program.h"
#include "Region.h"

namespace fake::ptx {

/// Runs one block after another of a launch.
class Block {
public:
  Block(const Kernel &kernel, const Launch &launch, Memory &memory);
  ~Block();
  void run(Dim index, uint32_t number);
  uint64_t threadInstructions() const { return executed; }

  //===--------------------------------------------------------------------===//
  // For instructions.
  //===--------------------------------------------------------------------===//

  /// A register of all threads.
  template <typename T> T *cells(uint32_t reg) {
    return reinterpret_cast<T *>(&file[positions[reg] * stride]);
  }
  unsigned threads() const { return numThreads; }
  const char *parameters() const { return arguments.data(); }
  size_t parameterBytes() const { return arguments.size(); }
  [[noreturn]] void fail(const Instruction &at, unsigned lane, const std::string &what,
                         Finding::Kind kind = Finding::Kind::other) const;

  /// A bit for each byte of a register that nothing has written, of each thread.
  uint8_t *unwritten(uint32_t reg) { return &shadow[reg * stride]; }
  /// Whether `unwritten` of a thread may be other than 0.
  bool mayBeUnwritten(uint32_t reg) const { return partial[reg]; }
  void setMayBeUnwritten(uint32_t reg) { partial[reg] = 1; }
  /// Every byte of `reg` is written in the threads `lanes`.
  void setWritten(uint32_t reg, const Lanes &lanes);
  /// Fails if a thread would use bytes of `reg`, or the first `bytes` of it, that nothing has
  /// written.
  void requireWritten(const Instruction &at, uint32_t reg, const Lanes &lanes, const char *use,
                      unsigned bytes = 8);

  /// The allocation at `address`, of which `bytes` bytes are accessed.
  Region &region(const Instruction &at, unsigned lane, uint64_t address, unsigned bytes,
                 bool write);
  uint32_t number() const { return blockNumber; }

  /// Shared memory: its bytes, and what happened to them since the last barrier.
  std::vector<char> shared;
  struct Touch {
    uint32_t writePhase = 0, readPhase = 0; // counts barriers; 0: never
    uint16_t writer = 0, reader = 0;
    bool severalReaders = false;
  };
  std::vector<Touch> touches;
  uint32_t phase = 0, firstPhase = 0; // of this block

private:
  struct Group {
    uint32_t place;
    std::vector<uint16_t> lanes;
  };
  void start(Dim index, uint32_t number);
  void step(Group &group);
  void execute(const Instruction &instruction, const Lanes &lanes);
  void executeUnwritten(const Instruction &instruction, const Lanes &lanes);
  void advance(Group group);
  /// Which of the threads have the guard; the others.
  void split(const Instruction &instruction, const std::vector<uint16_t> &lanes,
             std::vector<uint16_t> &yes, std::vector<uint16_t> &no);
  static void join(std::vector<Group> &groups, Group group);
  /// Keeps threads back from a shuffle until what still runs of their warps is here, too.
  void awaitWarps(Group &group);
  void openBarrier();
  void charge(const Instruction &instruction, size_t threads);

  const Kernel &kernel;
  const Launch &launch;
  Memory &memory;
  const unsigned numThreads, stride;
  std::vector<uint32_t> positions;
  std::vector<char> file, arguments;
  std::vector<uint8_t> shadow, partial;
  std::vector<Region *> cached;     // by memory site
  std::vector<Region *> visited;    // in this launch
  std::vector<Group> ready, parked; // parked: at a barrier
  std::vector<Group> waiting;       // for others of their warps
  std::vector<uint16_t> guarded, others;
  Dim blockIndex;
  uint32_t blockNumber = 0;
  uint64_t executed = 0;
};

} // namespace fake::ptx

#endif // DSRT_TEST_FAKES_PTX_BLOCK_H
