//===- FakeWire.h - Fake communicators, across threads and processes -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranks of a communicator share a memory file without a name: its maker keeps it open and the
// others open it through the maker's file table, so nothing stays behind when processes are killed.
// Data goes through it in chunks between barriers. As with the real libraries, ranks that call
// differently hang, and nobody knows why.
//
// DS_FAKE_FAULTS plans faults: "rank=1,call=3,do=hang; rank=0,call=5,do=slow,ms=50". `call` counts
// the collectives of that rank in one communicator of more than one rank, from 1. What it can do:
//   error        the call returns an error
//   hang         the rank's part never begins
//   slow         it begins `ms` later
//   die          the process is killed once its part has begun
//   disconnect   the other ranks learn that the connection is lost
//   async-error  the call is accepted and fails later
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_FAKEWIRE_H
#define DSRT_TEST_FAKES_FAKEWIRE_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fake {

enum class Element { i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 };
enum class Fold { sum, prod, max, min, mean };
enum class Kind { allReduce, reduceScatter, allGather, broadcast, allToAll, permute };

size_t sizeOf(Element element);
/// data[i] *= factor, in the element's own precision.
void scale(Element element, char *data, size_t count, const void *factor);
/// The same in f32, rounded once; for floats of up to 32 bits.
void scaleInF32(Element element, char *data, size_t count, float factor);

/// One collective; pointers are those of the device's threads.
struct Operation {
  Kind kind;
  Element element;
  Fold fold = Fold::sum;
  uint64_t count = 0; // of a part, where there are parts
  int32_t root = 0;
  int64_t places[2] = {-1, -1}; // what must be equal on all ranks of where the buffers lie
  const char *send = nullptr;
  char *recv = nullptr;
  bool scaled = false; // every contribution is multiplied first
  char factor[8] = {};
  // For allToAll and permute, by rank: where each part lies.
  std::vector<const char *> sendTo;
  std::vector<char *> recvFrom;

  /// Of one message to or from `root`, for `ranks` ranks.
  void makeExchange(int32_t ranks);
  /// Adds the messages of another one, if it fits and these are not there yet.
  bool take(const Operation &message);
  /// Whether the messages of `rank` are an exchange among all, or else, which makes it a permute,
  /// one to a rank and one from a rank at most, both or none to itself.
  bool complete(int32_t rank);
};

enum class Action { none, error, hang, slow, die, disconnect, asyncError };
struct Fault {
  Action action = Action::none;
  int milliseconds = 0;
};

class Wire {
public:
  /// Something with which the others find the wire; at most 128 bytes, zero-filled.
  static bool makeId(char *out);
  /// Null if the id leads nowhere or the numbers make no sense. Waits for nobody.
  static Wire *open(const char *id, int32_t ranks, int32_t rank, int32_t device);
  ~Wire();

  int32_t ranks() const { return numRanks; }
  int32_t rank() const { return ownRank; }
  /// All ranks are here.
  bool complete() const;
  /// Two of the ranks, once complete, are on one device.
  bool sharesDevice() const;

  /// The plan for the next collective; counts it.
  Fault nextFault();
  /// Runs a collective on the calling thread, to its end or until abort().
  void run(const Operation &operation, Fault fault);
  void abort();

  enum class Health { good, failed, connectionLost };
  Health health() const;

private:
  struct Shared;
  Wire() = default;
  bool stopped() const;
  /// False if stopped.
  bool barrier();
  void hang();
  void allReduce(const Operation &operation);
  void reduceScatter(const Operation &operation);
  void allGather(const Operation &operation);
  void broadcast(const Operation &operation);
  void allToAll(const Operation &operation);
  void permute(const Operation &operation);
  void combine(const Operation &operation, size_t offset, size_t count, char *out);
  char *lane(int32_t rank) const;

  Shared *shared = nullptr;
  int32_t numRanks = 0, ownRank = 0;
  uint64_t calls = 0;
  std::atomic<bool> aborted{false}, failed{false};
};

} // namespace fake

#endif // DSRT_TEST_FAKES_FAKEWIRE_H
