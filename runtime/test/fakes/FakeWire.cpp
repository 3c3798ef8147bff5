//===- FakeWire.cpp - Fake communicators, across threads and processes -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeWire.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/futex.h>
#include <random>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <vector>

namespace fake {

static constexpr int32_t maxRanks = 64;
static constexpr size_t laneBytes = 1 << 18; // per rank, in each round

struct Wire::Shared {
  std::atomic<uint64_t> token;
  std::atomic<uint32_t> attached, arrived, generation, lost;
  struct Slot {
    std::atomic<uint32_t> here;
    int32_t device;
    Kind kind;
    Element element;
    Fold fold;
    uint64_t count;
    int32_t root, ranks;
    int64_t places[2];
  } slots[maxRanks];
  /// Whose lane holds a message for whom.
  struct Mail {
    std::atomic<int32_t> to; // a rank + 1, or 0: the lane is free
    Element element;
    uint64_t count;
  } mails[maxRanks];
};

static constexpr size_t headerBytes = 1 << 16;
static constexpr size_t wireBytes = headerBytes + maxRanks * laneBytes;

namespace {
struct Id {
  int32_t pid, file;
  uint64_t token;
};
} // namespace

bool Wire::makeId(char *out) {
  const int file = memfd_create("fake-wire", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, wireBytes) != 0)
    return false;
  std::random_device random;
  const Id id = {getpid(), file, (uint64_t(random()) << 32 | random()) | 1};
  void *memory = mmap(nullptr, headerBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED)
    return false;
  static_cast<Shared *>(memory)->token = id.token;
  munmap(memory, headerBytes);
  std::memset(out, 0, 128);
  std::memcpy(out, &id, sizeof id);
  return true;
}

Wire *Wire::open(const char *bytes, int32_t ranks, int32_t rank, int32_t device) {
  static_assert(sizeof(Shared) <= headerBytes);
  Id id;
  std::memcpy(&id, bytes, sizeof id);
  if (ranks < 1 || ranks > maxRanks || rank < 0 || rank >= ranks || id.token == 0)
    return nullptr;
  const std::string path = "/proc/" + std::to_string(id.pid) + "/fd/" + std::to_string(id.file);
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0)
    return nullptr;
  void *memory = mmap(nullptr, wireBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED)
    return nullptr;
  auto *shared = static_cast<Shared *>(memory);
  Shared::Slot &slot = shared->slots[rank];
  if (shared->token != id.token || slot.here.exchange(1) != 0) {
    munmap(memory, wireBytes);
    return nullptr;
  }
  slot.device = device;
  slot.ranks = ranks;
  Wire *wire = new Wire;
  wire->shared = shared;
  wire->numRanks = ranks;
  wire->ownRank = rank;
  // The maker's file has served when the last rank has opened it.
  if (shared->attached.fetch_add(1) + 1 == static_cast<uint32_t>(ranks) && id.pid == getpid())
    ::close(id.file);
  return wire;
}

Wire::~Wire() { munmap(shared, wireBytes); }

bool Wire::complete() const { return shared->attached >= static_cast<uint32_t>(numRanks); }

bool Wire::sharesDevice() const {
  for (int32_t a = 0; a < numRanks; ++a)
    for (int32_t b = 0; b < a; ++b)
      if (shared->slots[a].device == shared->slots[b].device)
        return true;
  return false;
}

char *Wire::lane(int32_t rank) const {
  return reinterpret_cast<char *>(shared) + headerBytes + rank * laneBytes;
}

//===----------------------------------------------------------------------===//
// Faults.
//===----------------------------------------------------------------------===//

Fault Wire::nextFault() {
  Fault fault;
  if (numRanks == 1)
    return fault;
  ++calls;
  const char *plan = std::getenv("DS_FAKE_FAULTS");
  for (std::string rest = plan ? plan : ""; !rest.empty();) {
    const size_t end = rest.find(';');
    const std::string entry = rest.substr(0, end);
    rest = end == std::string::npos ? "" : rest.substr(end + 1);
    int rank = -1, milliseconds = 0;
    unsigned long long call = 0;
    char action[16] = {};
    if (std::sscanf(entry.c_str(), " rank=%d,call=%llu,do=%15[a-z-],ms=%d", &rank, &call, action,
                    &milliseconds) < 3) {
      std::fprintf(stderr, "DS_FAKE_FAULTS: cannot read '%s'\n", entry.c_str());
      std::_Exit(3);
    }
    if (rank != ownRank || call != calls)
      continue;
    const std::pair<const char *, Action> names[] = {{"error", Action::error},
                                                     {"hang", Action::hang},
                                                     {"slow", Action::slow},
                                                     {"die", Action::die},
                                                     {"disconnect", Action::disconnect},
                                                     {"async-error", Action::asyncError}};
    for (auto &[name, value] : names)
      if (std::strcmp(name, action) == 0)
        fault = {value, milliseconds};
    if (fault.action == Action::none) {
      std::fprintf(stderr, "DS_FAKE_FAULTS: no action '%s'\n", action);
      std::_Exit(3);
    }
  }
  return fault;
}

//===----------------------------------------------------------------------===//
// Rendezvous.
//===----------------------------------------------------------------------===//

bool Wire::stopped() const { return aborted || failed || shared->lost != 0; }

void Wire::abort() { aborted = true; }

Wire::Health Wire::health() const {
  if (failed)
    return Health::failed;
  return shared->lost != 0 ? Health::connectionLost : Health::good;
}

void Wire::hang() {
  while (!aborted)
    usleep(1000);
}

bool Wire::barrier() {
  const uint32_t generation = shared->generation;
  auto futex = [&](int operation, uint32_t value, const timespec *time) {
    syscall(SYS_futex, reinterpret_cast<uint32_t *>(&shared->generation), operation, value, time,
            nullptr, 0);
  };
  if (shared->arrived.fetch_add(1) + 1 == static_cast<uint32_t>(numRanks)) {
    shared->arrived = 0;
    ++shared->generation;
    futex(FUTEX_WAKE, INT32_MAX, nullptr);
    return true;
  }
  const timespec nap = {0, 2000000};
  while (shared->generation == generation) {
    if (stopped())
      return false;
    futex(FUTEX_WAIT, generation, &nap);
  }
  return true;
}

void Wire::run(const Operation &operation, Fault fault) {
  if (stopped())
    return hang(); // the library accepts nothing any more; the stream stands still until abort
  switch (fault.action) {
  case Action::none:
  case Action::error:
    break;
  case Action::hang:
    return hang();
  case Action::slow:
    usleep(static_cast<useconds_t>(fault.milliseconds) * 1000);
    break;
  case Action::die:
    std::raise(SIGKILL);
    break;
  case Action::disconnect:
    shared->lost = 1;
    return hang();
  case Action::asyncError:
    failed = true;
    return hang();
  }
  if (operation.kind == Kind::permute)
    return permute(operation);
  Shared::Slot &mine = shared->slots[ownRank];
  mine.kind = operation.kind;
  mine.element = operation.element;
  mine.fold = operation.fold;
  mine.count = operation.count;
  mine.root = operation.root;
  std::copy_n(operation.places, 2, mine.places);
  if (!barrier())
    return hang();
  for (int32_t r = 0; r < numRanks; ++r) {
    const Shared::Slot &other = shared->slots[r];
    if (other.kind != mine.kind || other.element != mine.element || other.fold != mine.fold ||
        other.count != mine.count || other.root != mine.root)
      return hang();
    if (!std::equal(other.places, other.places + 2, mine.places)) {
      std::fprintf(stderr,
                   "fake wire: ranks %d and %d give a collective memory that is registered "
                   "at one of them, or at other offsets: %lld, %lld and %lld, %lld\n",
                   ownRank, r, (long long)mine.places[0], (long long)mine.places[1],
                   (long long)other.places[0], (long long)other.places[1]);
      std::abort();
    }
  }
  if (!barrier())
    return hang();
  switch (operation.kind) {
  case Kind::allReduce:
    return allReduce(operation);
  case Kind::reduceScatter:
    return reduceScatter(operation);
  case Kind::allGather:
    return allGather(operation);
  case Kind::broadcast:
    return broadcast(operation);
  case Kind::allToAll:
    return allToAll(operation);
  case Kind::permute:
    break; // ranks that have no part in it do not come
  }
}

//===----------------------------------------------------------------------===//
// Data.
//===----------------------------------------------------------------------===//

void Wire::allReduce(const Operation &operation) {
  const size_t size = sizeOf(operation.element), chunk = laneBytes / size;
  for (size_t begin = 0; begin < operation.count; begin += chunk) {
    const size_t n = std::min<size_t>(chunk, operation.count - begin);
    std::memcpy(lane(ownRank), operation.send + begin * size, n * size);
    if (operation.scaled)
      scale(operation.element, lane(ownRank), n, operation.factor);
    if (!barrier())
      return hang();
    combine(operation, 0, n, operation.recv + begin * size);
    if (!barrier())
      return hang();
  }
}

void Wire::reduceScatter(const Operation &operation) {
  const size_t size = sizeOf(operation.element), chunk = laneBytes / size / numRanks;
  for (size_t begin = 0; begin < operation.count; begin += chunk) {
    const size_t n = std::min<size_t>(chunk, operation.count - begin);
    for (int32_t m = 0; m < numRanks; ++m)
      std::memcpy(lane(ownRank) + m * n * size,
                  operation.send + (m * operation.count + begin) * size, n * size);
    if (!barrier())
      return hang();
    combine(operation, ownRank * n * size, n, operation.recv + begin * size);
    if (!barrier())
      return hang();
  }
}

void Wire::allGather(const Operation &operation) {
  const size_t size = sizeOf(operation.element), chunk = laneBytes / size;
  for (size_t begin = 0; begin < operation.count; begin += chunk) {
    const size_t n = std::min<size_t>(chunk, operation.count - begin);
    std::memcpy(lane(ownRank), operation.send + begin * size, n * size);
    if (!barrier())
      return hang();
    for (int32_t m = 0; m < numRanks; ++m)
      std::memcpy(operation.recv + (m * operation.count + begin) * size, lane(m), n * size);
    if (!barrier())
      return hang();
  }
}

void Wire::broadcast(const Operation &operation) {
  const size_t size = sizeOf(operation.element), chunk = laneBytes / size;
  for (size_t begin = 0; begin < operation.count; begin += chunk) {
    const size_t n = std::min<size_t>(chunk, operation.count - begin);
    if (ownRank == operation.root)
      std::memcpy(lane(ownRank), operation.send + begin * size, n * size);
    if (!barrier())
      return hang();
    std::memmove(operation.recv + begin * size, lane(operation.root), n * size);
    if (!barrier())
      return hang();
  }
}

void Wire::allToAll(const Operation &operation) {
  const size_t size = sizeOf(operation.element), chunk = laneBytes / size / numRanks;
  for (size_t begin = 0; begin < operation.count; begin += chunk) {
    const size_t n = std::min<size_t>(chunk, operation.count - begin), bytes = n * size;
    for (int32_t m = 0; m < numRanks; ++m)
      std::memcpy(lane(ownRank) + m * bytes, operation.sendTo[m] + begin * size, bytes);
    if (!barrier())
      return hang();
    for (int32_t m = 0; m < numRanks; ++m)
      std::memcpy(operation.recvFrom[m] + begin * size, lane(m) + ownRank * bytes, bytes);
    if (!barrier())
      return hang();
  }
}

template <typename T> static int32_t placeOf(const std::vector<T> &messages) {
  for (size_t m = 0; m < messages.size(); ++m)
    if (messages[m])
      return static_cast<int32_t>(m);
  return -1;
}

void Wire::permute(const Operation &operation) {
  const size_t size = sizeOf(operation.element), chunk = laneBytes / size;
  const int32_t to = placeOf(operation.sendTo), from = placeOf(operation.recvFrom);
  size_t sent = to < 0 ? operation.count : 0, received = from < 0 ? operation.count : 0;
  Shared::Mail &mine = shared->mails[ownRank];
  auto next = [&](size_t begin) { return std::min<size_t>(chunk, operation.count - begin); };
  while (sent < operation.count || received < operation.count || mine.to != 0) {
    if (stopped())
      return hang();
    bool moved = false;
    if (sent < operation.count && mine.to == 0) {
      std::memcpy(lane(ownRank), operation.sendTo[to] + sent * size, next(sent) * size);
      mine.element = operation.element;
      mine.count = operation.count;
      sent += next(sent);
      mine.to = to + 1;
      moved = true;
    }
    if (received < operation.count && shared->mails[from].to == ownRank + 1) {
      Shared::Mail &theirs = shared->mails[from];
      if (theirs.element != operation.element || theirs.count != operation.count)
        return hang();
      std::memcpy(operation.recvFrom[from] + received * size, lane(from), next(received) * size);
      received += next(received);
      theirs.to = 0;
      moved = true;
    }
    if (!moved)
      usleep(20);
  }
}

} // namespace fake
