//===- HybridBackend.cpp - Ranks that share processes -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HybridBackend.h"
#include "HybridGroup.h"
#include "backends/HostTable.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <map>

namespace dsrt::hybrid {

Group::Group(std::shared_ptr<Process> process, std::shared_ptr<local::SharedGroup> shared,
             uint64_t generation)
    : process(std::move(process)), shared(std::move(shared)),
      layout(this->process->placement, this->shared->everyone, this->process->index),
      generation(generation) {}

Group::~Group() {
  if (between)
    process->between->group_destroy(process->state, between, failed);
}

static std::vector<int32_t> ranksOf(const Placement &placement, int32_t process) {
  std::vector<int32_t> ranks;
  for (int32_t r = placement.first(process); r < placement.first(process + 1); ++r)
    ranks.push_back(r);
  return ranks;
}

void namePlaces(const Placement &placement, dsrt_status status, int64_t timeoutMs,
                dsrt_error *error) {
  std::vector<int32_t> processes(error->late, error->late + error->num_late), ranks;
  std::string names;
  for (int32_t process : processes) {
    names += (names.empty() ? "" : ", ") + std::to_string(process);
    for (int32_t rank : ranksOf(placement, process))
      ranks.push_back(rank);
  }
  if (status == DSRT_TIMEOUT && !processes.empty()) {
    const char *rest = std::strstr(error->text, ", which ");
    const std::string more = rest ? rest : "";
    setLate(error, timeoutMs, ranks);
    std::snprintf(error->text, sizeof error->text,
                  "timed out after %" PRId64 " ms waiting for %s of process%s %s%s", timeoutMs,
                  nameRanks(ranks).c_str(), processes.size() > 1 ? "es" : "", names.c_str(),
                  more.c_str());
    return;
  }
  int process = 0, end = 0;
  if (std::sscanf(error->text, "rank %d%n", &process, &end) != 1 || process < 0 ||
      process >= placement.processes)
    return;
  const std::string text = "process " + std::to_string(process) + " (" +
                           nameRanks(ranksOf(placement, process)) + ")" + (error->text + end);
  std::snprintf(error->text, sizeof error->text, "%s", text.c_str());
  error->num_late =
      static_cast<int32_t>(std::min(ranks.size(), sizeof error->late / sizeof error->late[0]));
  std::copy_n(ranks.begin(), error->num_late, error->late);
}

namespace {

struct Rank {
  std::shared_ptr<Process> process;
  local::Rank local;
  std::map<std::vector<int32_t>, uint64_t> generations; // of the groups that it has made
};

struct Membership {
  std::shared_ptr<Group> group;
  local::Membership local;
};

Rank &rankOf(void *state) { return *static_cast<Rank *>(state); }

dsrt_status shutdown(void *state, int32_t, dsrt_error *) {
  delete static_cast<Rank *>(state);
  return DSRT_OK;
}

std::shared_ptr<Group> findGroup(const std::shared_ptr<Process> &process,
                                 const std::vector<int32_t> &ranks, uint64_t generation) {
  std::lock_guard<std::mutex> lock(process->mutex);
  auto &all = process->groups;
  all.erase(std::remove_if(all.begin(), all.end(), [](auto &weak) { return weak.expired(); }),
            all.end());
  for (auto &weak : all)
    if (auto existing = weak.lock();
        existing && existing->generation == generation && existing->shared->everyone == ranks)
      return existing;
  auto made = std::make_shared<Group>(process, process->world->makeGroup(ranks), generation);
  all.push_back(made);
  return made;
}

/// The first member of this process that comes meets the other processes.
dsrt_status connect(Group &group, int64_t timeoutMs, dsrt_error *error) {
  std::lock_guard<std::mutex> lock(group.creating);
  if (group.created || group.layout.number() == 1)
    return DSRT_OK;
  const Process &process = *group.process;
  const std::vector<int32_t> &processes = group.layout.processes;
  const dsrt_status status = process.between->group_create_apart(
      process.state, group.layout.number(), processes.data(),
      hashRanks(group.shared->everyone) + group.generation, timeoutMs, &group.between, error);
  group.created = status == DSRT_OK;
  if (status != DSRT_OK)
    namePlaces(process.placement, status, timeoutMs, error);
  return status;
}

dsrt_status groupCreate(void *state, int32_t numRanks, const int32_t *ranks, int64_t timeoutMs,
                        void **outGroup, dsrt_error *error) {
  Rank &rank = rankOf(state);
  const std::vector<int32_t> all(ranks, ranks + numRanks);
  std::shared_ptr<Group> group = findGroup(rank.process, all, ++rank.generations[all]);
  if (dsrt_status status = connect(*group, timeoutMs, error); status != DSRT_OK)
    return status;
  const std::vector<int32_t> &here = group->shared->ranks;
  const auto index = std::lower_bound(here.begin(), here.end(), rank.local.rank) - here.begin();
  *outGroup = new Membership{group, {group->shared, static_cast<int32_t>(index)}};
  return DSRT_OK;
}

void groupDestroy(void *, void *group, int32_t failed) {
  auto *membership = static_cast<Membership *>(group);
  if (failed)
    membership->group->failed = true;
  delete membership;
}

dsrt_status collective(void *state, void *group, const dsrt_call *call, dsrt_error *error) {
  auto &membership = *static_cast<Membership *>(group);
  local::Rank &rank = rankOf(state).local;
  if (!membership.group->between)
    return local::runCollective(rank, membership.local, *call, error);
  Exchange exchange(*membership.group, *call);
  return local::runCollective(rank, membership.local, *call, error, &exchange);
}

void failed(void *state, dsrt_status status, const char *text, const dsrt_error *details) {
  Rank &rank = rankOf(state);
  std::vector<int32_t> late;
  if (details)
    late.assign(details->late, details->late + details->num_late);
  rank.process->world->end(status, rank.local.rank, text, late); // the core informs processes
}

dsrt_status poll(void *state, dsrt_error *error) {
  Rank &rank = rankOf(state);
  const Process &process = *rank.process;
  dsrt_status status = process.world->statusFor(rank.local.rank, error);
  if (status != DSRT_OK || !process.between->poll)
    return status;
  status = process.between->poll(process.state, error);
  if (status != DSRT_OK)
    namePlaces(process.placement, status, process.timeoutMs, error);
  return status;
}

void abortWorld(void *state, const char *reason) {
  Rank &rank = rankOf(state);
  const Process &process = *rank.process;
  process.world->end(DSRT_ABORTED, rank.local.rank, reason, {});
  const std::string text = "rank " + std::to_string(rank.local.rank) + " of " +
                           std::to_string(process.placement.ranks) + ": " + reason;
  process.between->abort(process.state, text.c_str());
}

void describe(void *state, dsrt_capabilities *capabilities) {
  const Process &process = *rankOf(state).process;
  if (process.between->describe)
    process.between->describe(process.state, capabilities);
  capabilities->backend = process.between->name;
  capabilities->deterministic = 1;
  capabilities->multiprocess = 1;
  const int32_t onHost = capabilities->ranks_on_host;
  capabilities->ranks_on_host = onHost == process.placement.processes
                                    ? process.placement.ranks
                                    : onHost * process.placement.count(process.index);
}

dsrt_status init(const dsrt_options *, void **, int32_t *, int32_t *, dsrt_error *error) {
  return failWith(error, DSRT_UNSUPPORTED, "its ranks are made by dsrt_ranks_create");
}

dsrt_backend makeBackend() {
  dsrt_backend table = makeHostTable("hybrid", DSRT_CAP_IN_ORDER | DSRT_CAP_THREADS | DSRT_CAP_NAN |
                                                   DSRT_CAP_MULTIPROCESS);
  table.init = init;
  table.shutdown = shutdown;
  table.group_create = groupCreate;
  table.group_destroy = groupDestroy;
  table.collective = collective;
  table.failed = failed;
  table.poll = poll;
  table.abort = abortWorld;
  table.describe = describe;
  return table;
}

} // namespace

const dsrt_backend *backend() {
  static const dsrt_backend table = makeBackend();
  return &table;
}

std::vector<void *> createRanks(const Placement &placement, int32_t index,
                                const dsrt_backend *between, void *state,
                                const dsrt_options &options) {
  auto process = std::make_shared<Process>();
  process->placement = placement;
  process->index = index;
  process->between = between;
  process->state = state;
  process->chunkBytes = options.chunk_bytes;
  process->timeoutMs = options.timeout_ms;
  const int32_t first = placement.first(index), here = placement.count(index);
  process->world = std::make_shared<local::World>(placement.ranks, first, here);
  std::vector<std::unique_ptr<Rank>> ranks;
  for (int32_t r = 0; r < here; ++r)
    ranks.push_back(
        std::make_unique<Rank>(Rank{process, local::Rank{process->world, first + r, nullptr}, {}}));
  std::vector<void *> states;
  for (auto &rank : ranks)
    states.push_back(rank.release());
  return states;
}

} // namespace dsrt::hybrid
