//===- DeviceBackend.cpp - The common part of nccl and hccl -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls of a vendor's library are in Device.h; how members meet before them is in Meeting.h.
//
//===----------------------------------------------------------------------===//
#include "DeviceState.h"
#include "Meeting.h"
#include "base/Threads.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <new>

namespace dsrt::device {
namespace {

Rank &rankOf(void *state) { return *static_cast<Rank *>(state); }

std::vector<int32_t> counting(int32_t n) {
  std::vector<int32_t> list(n);
  for (int32_t i = 0; i < n; ++i)
    list[i] = i;
  return list;
}

/// Finds out whether all buffers of the call are device memory; refuses a mixture.
dsrt_status findMemory(Rank &rank, const dsrt_call &call, bool &onDevice, dsrt_error *error) {
  int64_t first = -1;
  onDevice = false;
  for (int64_t b = 0; b < call.n_buffers; ++b) {
    if (call.elements[b] == 0)
      continue;
    for (const void *data : {call.inputs[b], static_cast<const void *>(call.outputs[b])}) {
      const bool here = rank.device->isDeviceMemory(data);
      if (first >= 0 && here != onDevice)
        return failWith(error, DSRT_INVALID_ARGUMENT,
                        "buffer %" PRId64 " is %s memory and buffer %" PRId64
                        " is %s memory, expected one kind",
                        first, onDevice ? "device" : "host", b, here ? "device" : "host");
      onDevice = here;
      first = first < 0 ? b : first;
    }
  }
  return DSRT_OK;
}

dsrt_status shutdown(void *state, int32_t, dsrt_error *error) {
  Rank *rank = &rankOf(state);
  (void)rank->device->bind(error);
  if (rank->broken) {
    // Work that never ends may still write there; the process should end.
    rank->staging->abandon();
    rank->device->abandon();
  }
  rank->staging.reset();
  delete rank;
  return DSRT_OK;
}

/// Returns a name for a group: short, and the same on all members.
std::string nameOf(const std::vector<int32_t> &ranks, int64_t made) {
  return std::to_string(ranks.size()) + '.' + std::to_string(hashRanks(ranks)) + '.' +
         std::to_string(made);
}

dsrt_status groupCreate(void *state, int32_t numRanks, const int32_t *ranks, int64_t timeoutMs,
                        void **outGroup, dsrt_error *error) {
  Rank &rank = rankOf(state);
  auto group = std::make_unique<Group>();
  group->ranks.assign(ranks, ranks + numRanks);
  group->index =
      static_cast<int32_t>(std::lower_bound(ranks, ranks + numRanks, rank.place.rank) - ranks);
  group->name = nameOf(group->ranks, rank.madeGroups[group->ranks]++);
  dsrt_status status = rank.device->bind(error);
  std::string id;
  if (status == DSRT_OK && group->index == 0)
    status = rank.vendor.newId(id, error);
  std::vector<std::string> ids;
  if (status == DSRT_OK)
    status = rank.store.exchange("group/" + group->name, group->ranks, group->index, id, timeoutMs,
                                 ids, error);
  if (status != DSRT_OK)
    return status;
  Waiting waiting(rank.store, rank.vendor.limitTimeout(timeoutMs));
  status = rank.vendor.connect(*rank.device, rank.options, numRanks, group->index, ids[0], waiting,
                               group->communicator, error);
  if (status != DSRT_OK)
    return status;
  for (const Span &span : rank.registered)
    if (status == DSRT_OK)
      status = group->communicator->add(span.data, span.bytes, error);
  if (status != DSRT_OK)
    return status;
  rank.groups.push_back(group.get());
  *outGroup = group.release();
  return DSRT_OK;
}

void groupDestroy(void *state, void *group, int32_t failed) {
  Rank &rank = rankOf(state);
  auto *members = static_cast<Group *>(group);
  dsrt_error ignored = {};
  (void)rank.device->bind(&ignored);
  if (failed)
    members->communicator->abort();
  rank.groups.erase(std::find(rank.groups.begin(), rank.groups.end(), members));
  delete members;
}

dsrt_status collective(void *state, void *groupState, const dsrt_call *call, dsrt_error *error) {
  Rank &rank = rankOf(state);
  Group &group = *static_cast<Group *>(groupState);
  const int64_t timeoutMs = rank.vendor.limitTimeout(call->timeout_ms);
  const uint64_t begin = now();
  Arrival mine;
  mine.signature = signatureOf(*call);
  bool onDevice = false;
  dsrt_status status = rank.device->bind(error);
  if (status == DSRT_OK)
    status = findMemory(rank, *call, onDevice, error);
  mine.onDevice = onDevice;
  if (status == DSRT_OK && isCarried(*call, onDevice)) {
    status = gatherByStore(rank, group, *call, mine, timeoutMs, error);
    *call->waiting_ns = now() - begin;
    if (call->ready)
      rank.device->forgetCaller(call->ready);
    return status;
  }
  const bool meets = !(rank.queues && onDevice) || rank.meetsToQueue;
  if (status == DSRT_OK && rank.options.check_calls && group.size() > 1 && meets)
    status = meet(rank, group, mine, timeoutMs, error);
  *call->waiting_ns = now() - begin;
  if (status != DSRT_OK) {
    if (call->ready)
      rank.device->forgetCaller(call->ready);
    return status;
  }
  if (call->ready)
    status = rank.device->waitForCaller(call->ready, error);
  Waiting waiting(rank.store, timeoutMs);
  if (status == DSRT_OK)
    status = moveData(rank, group, *call, !onDevice, waiting, error);
  if (status == DSRT_OK)
    return status;
  rank.broken = true; // messages may be queued already
  if (status == DSRT_TIMEOUT)
    status = probeLiveness(rank, group, *call, timeoutMs, error);
  group.communicator->abort();
  return status;
}

void failed(void *state, dsrt_status status, const char *text, const dsrt_error *) {
  rankOf(state).store.fail(status, text);
}

dsrt_status poll(void *state, dsrt_error *error) {
  Rank &rank = rankOf(state);
  return rank.store.poll(rank.options.timeout_ms, error);
}

void abortWorld(void *state, const char *reason) { rankOf(state).store.fail(DSRT_ABORTED, reason); }

dsrt_status bufferRegister(void *state, void *data, int64_t bytes, dsrt_error *error) {
  Rank &rank = rankOf(state);
  if (dsrt_status status = rank.device->bind(error); status != DSRT_OK)
    return status;
  if (!rank.device->isDeviceMemory(data))
    return DSRT_OK; // host memory is staged
  dsrt_status status = DSRT_OK;
  for (Group *group : rank.groups)
    if (status == DSRT_OK)
      status = group->communicator->add(data, bytes, error);
  if (status == DSRT_OK)
    rank.registered.push_back({data, bytes});
  else
    for (Group *group : rank.groups)
      group->communicator->remove(data);
  return status;
}

void bufferUnregister(void *state, void *data) {
  Rank &rank = rankOf(state);
  auto found = std::find_if(rank.registered.begin(), rank.registered.end(),
                            [&](const Span &span) { return span.data == data; });
  if (found == rank.registered.end())
    return;
  for (Group *group : rank.groups)
    group->communicator->remove(data);
  rank.registered.erase(found);
}

void describe(void *state, dsrt_capabilities *capabilities) {
  Rank &rank = rankOf(state);
  capabilities->device = 1;
  capabilities->registers = rank.device->registers();
  capabilities->multiprocess = rank.store.acrossProcesses();
  capabilities->largest_message = rank.vendor.largestMessage();
}

dsrt_status memoryAlloc(void *state, int64_t bytes, void **outData, dsrt_error *error) {
  Rank &rank = rankOf(state);
  dsrt_status status = rank.device->bind(error);
  return status == DSRT_OK ? rank.device->allocate(bytes, outData, error) : status;
}

void memoryFree(void *state, void *data) {
  Rank &rank = rankOf(state);
  dsrt_error ignored = {};
  // Freeing waits for the device, which may hang.
  if (!rank.broken && rank.device->bind(&ignored) == DSRT_OK)
    rank.device->release(data);
}

dsrt_status mark(void *state, void **outMark, dsrt_error *error) {
  Rank &rank = rankOf(state);
  if (!rank.callersStream)
    return DSRT_OK;
  dsrt_status status = rank.device->bind(error);
  return status == DSRT_OK ? rank.device->markCaller(rank.callersStream, outMark, error) : status;
}

dsrt_status memoryCopy(void *state, void *to, const void *from, int64_t bytes, int64_t timeoutMs,
                       dsrt_error *error) {
  Rank &rank = rankOf(state);
  void *ready = nullptr;
  dsrt_status status = rank.device->bind(error);
  if (status == DSRT_OK)
    status = mark(state, &ready, error);
  if (status == DSRT_OK && ready)
    status = rank.device->waitForCaller(ready, error);
  Waiting waiting(rank.store, timeoutMs);
  if (status == DSRT_OK)
    status = copyNow(rank, to, from, bytes, waiting, error);
  if (status != DSRT_OK)
    rank.broken = true;
  return status;
}

dsrt_status setStream(void *state, void *stream, dsrt_error *) {
  rankOf(state).callersStream = stream;
  return DSRT_OK;
}

/// Returns the settings that all ranks must share, because they decide how calls are cut into
/// messages.
Arrival settings(const Rank &rank) {
  Arrival mine;
  mine.signature.op = rendezvousJoin;
  for (int64_t value :
       {static_cast<int64_t>(rank.options.deterministic), rank.options.chunk_bytes,
        static_cast<int64_t>(rank.options.check_calls), rank.vendor.largestMessage()})
    mine.signature.elementsHash =
        (mine.signature.elementsHash ^ static_cast<uint64_t>(value)) * 1099511628211u + 1;
  return mine;
}

/// Makes all ranks register memory, or none.
dsrt_status agreeOnRegistration(Rank &rank, const Group &everyone, dsrt_error *error) {
  dsrt_status status = rank.device->bind(error);
  if (status != DSRT_OK)
    return status;
  std::vector<std::string> values;
  status = rank.store.exchange("registers", everyone.ranks, everyone.index,
                               rank.device->canRegister() ? "1" : "0", rank.options.timeout_ms,
                               values, error);
  rank.device->useRegistration(status == DSRT_OK &&
                               std::all_of(values.begin(), values.end(),
                                           [](const std::string &value) { return value == "1"; }));
  return status;
}

} // namespace

dsrt_status join(Vendor &vendor, const dsrt_options *options, const dsrt_place *place,
                 void **outState, dsrt_error *error) {
  auto rank = std::make_unique<Rank>(vendor, *options, *place);
  dsrt_status status = vendor.open(*options, place->local_rank, rank->device, error);
  if (status != DSRT_OK)
    return status;
  rank->staging = std::make_unique<Staging>(*rank->device);
  Group everyone;
  everyone.ranks = counting(place->num_ranks);
  everyone.index = place->rank;
  everyone.name = "join";
  status = meet(*rank, everyone, settings(*rank), options->timeout_ms, error);
  if (status == DSRT_OK)
    status = agreeOnRegistration(*rank, everyone, error);
  if (status == DSRT_OK)
    *outState = rank.release();
  return status;
}

dsrt_backend makeTable(const char *name, uint32_t (*reductionsOf)(dsrt_dtype), int32_t (*devices)(),
                       decltype(dsrt_backend::join) joinVendor) {
  dsrt_backend table = {};
  table.name = name;
  for (int d = 0; d < DSRT_NUM_DTYPES; ++d)
    table.reductions[d] = reductionsOf(static_cast<dsrt_dtype>(d));
  table.devices = devices;
  table.join = joinVendor;
  table.abi_version = DSRT_BACKEND_ABI_VERSION;
  table.struct_size = sizeof(dsrt_backend);
  table.capabilities = DSRT_CAP_THREADS;
  table.alignment = 64;
  table.moves = (1u << DSRT_NUM_DTYPES) - 1;
  table.shutdown = shutdown;
  table.group_create = groupCreate;
  table.group_destroy = groupDestroy;
  table.collective = collective;
  table.failed = failed;
  table.poll = poll;
  table.abort = abortWorld;
  table.buffer_register = bufferRegister;
  table.buffer_unregister = bufferUnregister;
  table.describe = describe;
  table.memory_alloc = memoryAlloc;
  table.memory_free = memoryFree;
  table.memory_copy = memoryCopy;
  table.set_stream = setStream;
  table.mark = mark;
  return table;
}

} // namespace dsrt::device
