//===- Context.h - One rank: its backend, groups, errors and queue -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The core above the backends. Checks arguments once for all of them, keeps the first error, and
// runs started collectives on one worker per context. Only the rank's own thread and that worker
// touch a context, never at once.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_CORE_CONTEXT_H
#define DSRT_SRC_CORE_CONTEXT_H

#include "FlightRecorder.h"
#include "base/Fiber.h"
#include "base/Messages.h"
#include "bootstrap/Store.h"
#include "dsrt/events.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace dsrt {

/// A group of this context; its handle is its index in dsrt_context::groups.
struct Group {
  std::vector<int32_t> ranks; // ascending ranks of the world
  void *backendGroup = nullptr;
  int64_t references = 0; // 0: the entry is free
  uint64_t calls = 0;
  uint64_t queued = 0; // hash of the queued calls, or 0
};

/// An axis of the mesh that the ranks form, used for errors alone.
struct Axis {
  std::string name;
  int32_t size;
};

struct Arena {
  char *data;
  int64_t bytes;
};

} // namespace dsrt

/// A started collective. Entries are reused, so a step that starts as many collectives as the last
/// one allocates nothing.
struct dsrt_pending {
  std::vector<const void *> inputs;
  std::vector<void *> outputs;
  std::vector<int64_t> elements, sources;
  dsrt_call call = {};
  dsrt::Group *group = nullptr;
  bool inUse = false;
  bool done = false;
  dsrt_status status = DSRT_OK;
  uint64_t linkEnds = 0;  // on the steady clock
  uint32_t number = 0;    // of the start
  void *queued = nullptr; // dsrt_call.done
};

namespace dsrt {

/// Runs started collectives in order: on a thread, or, where the backend hands control back from
/// its waits (DSRT_CAP_POLLED), on a fiber of the rank's own thread. Made by the first start.
class Worker {
public:
  explicit Worker(dsrt_context &context);
  /// Runs the started collectives to their end.
  ~Worker();

  /// Returns a free entry, which the caller keeps until wait().
  dsrt_pending *take();
  void enqueue(dsrt_pending *pending);
  /// Blocks until the collective is done, frees its entry and returns its status. Sets `known` to
  /// false if the entry is not one of this worker's. `number`: of its start; `linkEnds`: when it
  /// leaves the modelled link; `queued`: dsrt_call.done.
  dsrt_status wait(dsrt_pending *pending, bool &known, uint32_t &number, uint64_t &linkEnds,
                   void *&queued);
  /// Blocks until every enqueued collective is done.
  void drain();
  /// Lets the fiber poll once for arrived data, unless it has done so just now. Returns how many
  /// collectives have not ended.
  int64_t progress();

private:
  void runThread();
  void runFiber();
  /// Takes the next collective out of the queue; it is done when this returns.
  void runNext(std::unique_lock<std::mutex> &lock);
  static int32_t yield(void *worker);
  void resumeUntil(const std::function<bool()> &over);

  dsrt_context &context;
  std::mutex mutex;
  std::condition_variable work, finished;
  std::vector<std::unique_ptr<dsrt_pending>> places;
  std::deque<dsrt_pending *> queue;
  bool busy = false, stop = false;
  std::thread thread;
  std::unique_ptr<Fiber> fiber; // instead of the thread
  bool callerWaits = false;     // so that the fiber may wait as well
  uint64_t looked = 0;          // when the fiber last had its turn
};

/// The number of a context, for dsrt_context_exists.
struct Existence {
  Existence();
  ~Existence();
  const uint64_t number;
};

} // namespace dsrt

struct dsrt_context {
  const dsrt::Existence existence;
  const dsrt_backend *backend = nullptr;
  void *state = nullptr;
  int32_t rank = 0;
  int32_t numRanks = 1;
  dsrt_options options = {};
  std::shared_ptr<dsrt::bootstrap::Store> store; // null unless the backend joined by one
  int64_t lastWordsMs = 2000; // of the store after a failure, for the others to learn of it

  std::deque<std::unique_ptr<dsrt::Group>> groups; // [0] is the world
  std::map<std::string, dsrt_group> namedGroups;   // each holds a reference
  std::vector<dsrt::Arena> arenas;
  std::unique_ptr<dsrt::Worker> worker;

  std::vector<dsrt::Axis> axes; // of the ranks' mesh; guarded by errorMutex
  uint64_t step = 0;            // dsrt_set_step

  // The sticky error: text and late ranks are written once, before `status`.
  mutable std::atomic<dsrt_status> status{DSRT_OK};
  mutable std::mutex errorMutex;
  mutable std::string error;
  mutable std::vector<int32_t> lateRanks;

  dsrt::FlightRecorder recorder; // of the thread that runs the calls: the rank's or the worker
  std::atomic<bool> inCollective{false};
  std::atomic<uint64_t> calls{0}, bytes{0}, totalNs{0}, waitingNs{0}, exposedNs{0}, linkNs{0};
  bool keepsEvents = false;
  std::vector<dsrt_event> events; // of the rank's own thread
  uint32_t starts = 0;            // of this context
  uint64_t linkFree = 0;          // when this rank's modelled link has carried the earlier calls
  bool queues = false;            // queue.h
  uint64_t queueWaits = 0;
  const char *queuedWork = nullptr;  // for messages, or null
  dsrt_context *processes = nullptr; // over which this rank was made; they fail with it

  /// Makes the error sticky unless there is one, notifies the backend, and returns the sticky
  /// status.
  dsrt_status fail(dsrt_status newStatus, const std::string &text,
                   const dsrt_error *details = nullptr);
  /// Returns the sticky status, after asking the backend whether another rank has ended the world.
  dsrt_status check() const;
  /// Returns the group of a handle, or null.
  dsrt::Group *groupOf(dsrt_group handle) const;
  /// Runs a checked call on the calling thread. `linkEnds`: until when the modelled link carries
  /// it; `queued`: dsrt_call.done.
  dsrt_status execute(dsrt::Group &group, dsrt_call &call, uint64_t &linkEnds, void *&queued);
  /// Makes the caller's stream wait for a queued call, given its dsrt_call.done.
  dsrt_status follow(void *queued);
  void note(dsrt_event_kind kind, uint32_t exchange, uint64_t ns);
  /// Sleeps until `linkEnds`. Not DSRT_OK: the world has ended before.
  dsrt_status waitForLink(uint64_t linkEnds) const;

private:
  std::string withCoordinates(const std::string &text, const dsrt_error *details) const;
  bool setSticky(dsrt_status newStatus, const std::string &text, const dsrt_error *details) const;
};

namespace dsrt {

/// Returns the backend of that name, or null.
const dsrt_backend *findBackend(const std::string &name);

/// Wraps one rank's backend state as a context with the world as group 0. On failure shuts the
/// state down.
dsrt_status makeContext(const dsrt_backend *backend, void *state, int32_t rank, int32_t numRanks,
                        const dsrt_options &options, std::shared_ptr<bootstrap::Store> store,
                        dsrt_context **outContext, dsrt_error *error);

/// Joins a backend's world by a store, as the rank of `place`, and wraps it. A failure is that of
/// all ranks of the store.
dsrt_status joinAt(const dsrt_backend *backend, const dsrt_options &options, dsrt_place place,
                   std::shared_ptr<bootstrap::Store> store, dsrt_context **outContext,
                   dsrt_error *error);

/// Checks the caller's options and fills the defaults of fields that it does not know.
dsrt_status readOptions(const dsrt_options *options, dsrt_options &out, dsrt_error *error);

/// Remembers why a call without a context failed, for dsrt_last_error(nullptr) on this thread.
dsrt_status failWithoutContext(dsrt_status status, const std::string &text);

/// True if the buffers of a call are one ascending run with gaps below 64 bytes, each gap inside
/// one registered arena.
bool isOneSpan(const std::vector<Arena> &arenas, int64_t numBuffers, void *const *buffers,
               const int64_t *elements, int64_t elementSize);

} // namespace dsrt

#endif // DSRT_SRC_CORE_CONTEXT_H
