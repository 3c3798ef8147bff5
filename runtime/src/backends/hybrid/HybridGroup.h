//===- HybridGroup.h - Members of a group, on several processes -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_HYBRID_HYBRIDGROUP_H
#define DSRT_SRC_BACKENDS_HYBRID_HYBRIDGROUP_H

#include "Placement.h"
#include "backends/local/LocalWorld.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>

namespace dsrt::hybrid {

/// The ranks of one process, and what connects it with the others.
struct Process {
  std::shared_ptr<local::World> world;
  Placement placement;
  int32_t index = 0; // of this process
  const dsrt_backend *between = nullptr;
  void *state = nullptr;                 // of `between`; owned by the caller
  int64_t chunkBytes = 0, timeoutMs = 0; // of the options
  std::mutex mutex;                      // of `groups`
  std::vector<std::weak_ptr<struct Group>> groups;
};

/// The part of a call that a process sends before its data, so that all compare their calls.
struct Card {
  CallSignature signature;
  static constexpr int64_t inlineBytes = 512;
  /// A small reduction's values, of one member after the other: they need no exchange of their own.
  char data[inlineBytes];
};

/// The members of a group that are ranks of this process. The first of them speaks for all with the
/// other processes.
struct Group {
  Group(std::shared_ptr<Process> process, std::shared_ptr<local::SharedGroup> shared,
        uint64_t generation);
  ~Group();

  const std::shared_ptr<Process> process;
  const std::shared_ptr<local::SharedGroup> shared;
  const Layout layout;
  /// How often its ranks have made it. One may make it anew before another has left the last one.
  const uint64_t generation;

  std::mutex creating;
  void *between = nullptr; // the group of processes; null if all members are here
  bool created = false;
  std::atomic<bool> failed{false};

  // The first member writes these while the others wait, or work on other data.
  uint64_t sequence = 0; // of calls between processes
  Card card = {};
  std::vector<Card> cards;
  std::vector<char> sent, received;
  uint64_t waited = 0;
  /// By the parity of a phase: one may still be read while the next is written.
  struct Outcome {
    dsrt_status status = DSRT_OK;
    dsrt_error error = {};
  } outcomes[2];
};

/// Gives a buffer this many bytes at least.
inline void reserve(std::vector<char> &memory, int64_t bytes) {
  memory.resize(std::max(memory.size(), static_cast<size_t>(bytes)));
}

/// Makes an error of `between`, which counts processes, name ranks and processes.
void namePlaces(const Placement &placement, dsrt_status status, int64_t timeoutMs,
                dsrt_error *error);

/// One member's part of one collective (HybridCollectives.cpp).
class Exchange final : public local::Crossing {
public:
  Exchange(Group &group, const dsrt_call &call)
      : group(group), call(call), layout(group.layout), size(dsrt_dtype_size(call.dtype)) {}
  dsrt_status run(local::SharedGroup &shared, int32_t index, dsrt_error *error) override;

  Exchange(const Exchange &) = delete;
  Exchange &operator=(const Exchange &) = delete;

private:
  friend class ProcessChain;
  /// The first member's message to the other processes: the fields in which calls differ.
  struct Talk {
    dsrt_op op;
    int64_t numBuffers;
    const void *const *inputs;
    void *const *outputs;
    const int64_t *elements;
    dsrt_dtype dtype = DSRT_U8;
    int32_t root = 0;
    const int64_t *sources = nullptr;
    bool first = false;    // of the call
    int32_t partner = -1;  // the only other process in it; -1: all of the group are
    uint64_t sequence = 0; // of a call with a partner
  };
  dsrt_status talk(const Talk &talk);
  dsrt_status talkBytes(dsrt_op op, const void *input, void *output, int64_t bytes,
                        bool first = false);
  /// Exchanges `bytes` with one other process.
  dsrt_status talkWith(int32_t partner, const void *input, void *output, int64_t bytes,
                       uint64_t sequence);

  bool leads() const { return index == 0; }
  int32_t here() const { return layout.count(layout.me); }
  int32_t member() const { return layout.first[layout.me] + index; }
  const dsrt_call &callOf(int32_t local) const { return *group.shared->slots[local].call; }
  void meet();
  /// Runs `talks` on the first member and `works` on all others, or on the first one alone, and
  /// returns the outcome of `talks` on all.
  template <typename Talks, typename Works> dsrt_status phase(Talks talks, Works works);
  template <typename Talks> dsrt_status phase(Talks talks) {
    return phase(talks, [](int32_t, int32_t) {});
  }

  bool isInline() const;
  int64_t contribution() const;
  dsrt_status showCards();
  dsrt_status reduce();
  void reduceGathered(const char *values, int64_t stride);
  void packValues(char *to) const;
  int64_t pieceBytes(int64_t parts) const;
  dsrt_status allGather();
  dsrt_status allToAll();
  dsrt_status broadcast();
  dsrt_status permute();

  Group &group;
  const dsrt_call &call;
  const Layout &layout;
  const int64_t size;
  int32_t index = 0; // among the members of this process
  uint32_t phases = 0;
  dsrt_error *error = nullptr;
};

template <typename Talks, typename Works> dsrt_status Exchange::phase(Talks talks, Works works) {
  Group::Outcome &outcome = group.outcomes[phases++ % 2];
  if (leads())
    outcome.status = talks();
  if (here() == 1)
    works(0, 1);
  else if (!leads())
    works(index - 1, here() - 1);
  meet();
  if (outcome.status != DSRT_OK)
    *error = outcome.error;
  return outcome.status;
}

} // namespace dsrt::hybrid

#endif // DSRT_SRC_BACKENDS_HYBRID_HYBRIDGROUP_H
