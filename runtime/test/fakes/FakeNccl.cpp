//===- FakeNccl.cpp - NCCL without a GPU ------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that the nccl backend calls, as strict as NCCL's documentation: buffers must be
// device memory of the communicator's device, in-place buffers must lie where NCCL allows it,
// communicators that are not blocking report ncclInProgress and may not be used before that is
// over, and two ranks may share a device only with NCCL_MULTI_RANK_GPU_ENABLE=1.
// DS_FAKE_NCCL_VERSION sets the version it claims (23007: 2.30.7).
//
//===----------------------------------------------------------------------===//
#include "FakeNccl.h"

#include "FakeCuda.h"
#include "FakeRegistrations.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define EXPORT extern "C" __attribute__((visibility("default")))

using namespace fake::nccl;

namespace {

struct UniqueId {
  char internal[128];
};

struct Config {
  size_t size;
  unsigned magic, version;
  int blocking;
};

fake::Handles &communicators() {
  static fake::Handles *instance = new fake::Handles;
  return *instance;
}
thread_local int depth = 0;
thread_local std::vector<Call> queued;
thread_local Result groupResult = success;
thread_local std::string lastError;

bool elementOf(int type, fake::Element &out) {
  using fake::Element;
  static const Element elements[] = {Element::i8,  Element::u8,  Element::i32, Element::u32,
                                     Element::i64, Element::u64, Element::f16, Element::f32,
                                     Element::f64, Element::bf16};
  if (type < 0 || type > 9)
    return false;
  out = elements[type];
  return true;
}

Result stateOf(Communicator &comm) {
  if (!comm.wire->complete())
    return inProgress;
  if (comm.wire->sharesDevice() && comm.wire->ranks() > 1) {
    const char *allowed = std::getenv("NCCL_MULTI_RANK_GPU_ENABLE");
    if (!allowed || std::strcmp(allowed, "1") != 0) {
      lastError = "Duplicate GPU detected";
      return invalidUsage;
    }
  }
  switch (comm.wire->health()) {
  case fake::Wire::Health::good:
    break;
  case fake::Wire::Health::failed:
    lastError = "a planned fault of the device";
    return internalError;
  case fake::Wire::Health::connectionLost:
    lastError = "connection closed by remote peer";
    return remoteError;
  }
  const bool isLaunching = comm.launched && !*comm.launched;
  return isLaunching || comm.busyQueries > 0 ? inProgress : success;
}

/// Checks what all collectives have in common and queues or launches the call.
Result submit(const char *name, fake::Kind kind, const void *send, void *recv, size_t sendCount,
              size_t recvCount, size_t count, int type, int op, int root, void *handle,
              void *streamHandle) {
  const std::string what = name;
  if (!communicators().has(handle))
    return fail(invalidArgument, what + ": not a communicator");
  auto &comm = *static_cast<Communicator *>(handle);
  if (Result state = stateOf(comm); state != success)
    return fail(state == inProgress ? invalidUsage : state,
                what + ": the communicator is not ready");
  if (fake::currentCudaDevice() != comm.device)
    return fail(invalidUsage, what + ": the current device is not the communicator's");
  fake::Stream *stream = fake::cudaStream(streamHandle, comm.device);
  if (!stream)
    return fail(cudaError, what + ": not a stream of the device");
  fake::Operation operation;
  operation.kind = kind;
  if (!elementOf(type, operation.element))
    return fail(invalidArgument, what + ": no such data type");
  const size_t size = fake::sizeOf(operation.element);
  if (count > SIZE_MAX / size / 64)
    return fail(invalidArgument, what + ": count is out of range");
  auto scaling = comm.scalings.find(op);
  if (op >= 0 && op <= 4) {
    static const fake::Fold folds[] = {fake::Fold::sum, fake::Fold::prod, fake::Fold::max,
                                       fake::Fold::min, fake::Fold::mean};
    operation.fold = folds[op];
  } else if (scaling != comm.scalings.end() && scaling->second.first == type) {
    operation.scaled = true;
    std::memcpy(operation.factor, scaling->second.second.data(), scaling->second.second.size());
  } else {
    return fail(invalidArgument, what + ": no such reduction, or of another type");
  }
  if (root < 0 || root >= comm.wire->ranks())
    return fail(invalidArgument, what + ": root is no rank");
  operation.count = count;
  operation.root = root;
  operation.send = sendCount ? fake::reach(send, sendCount * size) : nullptr;
  operation.recv = recvCount ? fake::reach(recv, recvCount * size) : nullptr;
  if ((sendCount && !operation.send) || (recvCount && !operation.recv))
    return fail(invalidArgument, what + ": a buffer is not device memory, or too short");
  // In place means the same buffer, or this rank's part of the larger one; nothing else may
  // overlap.
  const char *in = static_cast<const char *>(send);
  char *out = static_cast<char *>(recv);
  const size_t sendBytes = sendCount * size, recvBytes = recvCount * size;
  const size_t part = comm.wire->rank() * count * size;
  const bool overlap = sendCount && recvCount && in < out + recvBytes && out < in + sendBytes;
  bool allowed = in == out;
  if (kind == fake::Kind::reduceScatter)
    allowed = out == in + part;
  if (kind == fake::Kind::allGather)
    allowed = in == out + part;
  if (overlap && !allowed)
    return fail(invalidArgument, what + ": buffers overlap and are not in place");
  const int64_t places[] = {fake::Registrations::all().offsetOf(&comm, send, sendBytes),
                            fake::Registrations::all().offsetOf(&comm, recv, recvBytes)};
  ++comm.calls;
  comm.callsRegistered += (!sendCount || places[0] >= 0) && (!recvCount || places[1] >= 0);
  if (sendCount && recvCount)
    for (int i = 0; i < 2; ++i) {
      const bool isPart = kind == (i == 0 ? fake::Kind::allGather : fake::Kind::reduceScatter);
      operation.places[i] = isPart ? std::min<int64_t>(places[i], 0) : places[i];
    }
  if (kind == fake::Kind::allToAll)
    operation.makeExchange(comm.wire->ranks());
  const Call call = {&comm, operation, stream, {{recv, recvBytes}}};
  if (depth > 0) {
    queued.push_back(call);
    return success;
  }
  return count ? launch({call}) : success;
}

} // namespace

Result fake::nccl::fail(Result result, const std::string &text) {
  lastError = text;
  if (depth > 0)
    groupResult = result;
  return result;
}

EXPORT int ncclGetVersion(int *version) {
  if (!version)
    return invalidArgument;
  const char *claimed = std::getenv("DS_FAKE_NCCL_VERSION");
  *version = claimed ? std::atoi(claimed) : 23007;
  return success;
}

EXPORT const char *ncclGetLastError(void *) { return lastError.c_str(); }

EXPORT int ncclGetUniqueId(UniqueId *id) {
  return id && fake::Wire::makeId(id->internal) ? success : fail(systemError, "no shared memory");
}

EXPORT int ncclCommInitRankConfig(void **out, int ranks, UniqueId id, int rank, Config *config) {
  if (!out || !config || config->magic != 0xcafebeef || config->version < 21400)
    return fail(invalidArgument, "the configuration is not initialised");
  if (config->blocking != 0 && config->blocking != 1 && config->blocking != INT_MIN)
    return fail(invalidArgument, "blocking is neither 0 nor 1");
  if (fake::currentCudaDevice() < 0)
    return fail(cudaError, "no device is current");
  auto comm = std::make_unique<Communicator>();
  comm->device = fake::currentCudaDevice();
  comm->blocking = config->blocking != 0;
  comm->wire.reset(fake::Wire::open(id.internal, ranks, rank, comm->device));
  if (!comm->wire)
    return fail(systemError, "the unique id leads nowhere, or rank and size do not fit");
  communicators().add(comm.get());
  Communicator &made = *comm.release();
  *out = &made;
  if (!made.blocking)
    return inProgress;
  while (!made.wire->complete())
    std::this_thread::yield();
  return stateOf(made);
}

EXPORT int ncclCommGetAsyncError(void *handle, int *state) {
  if (!communicators().has(handle) || !state)
    return fail(invalidArgument, "ncclCommGetAsyncError: not a communicator");
  auto &comm = *static_cast<Communicator *>(handle);
  *state = stateOf(comm);
  if (comm.busyQueries > 0)
    --comm.busyQueries;
  return success;
}

static int end(void *handle, bool abort) {
  if (!communicators().remove(handle))
    return fail(invalidArgument, "not a communicator, or ended already");
  auto *comm = static_cast<Communicator *>(handle);
  awaitLaunch(*comm);
  fake::Registrations::all().drop(handle);
  if (std::getenv("DS_FAKE_NCCL_COUNTS") && comm->wire->ranks() > 1)
    std::fprintf(stderr,
                 "fake NCCL: rank %d: %d registrations, %d of %d messages in registered memory\n",
                 comm->wire->rank(), comm->registrations, comm->callsRegistered, comm->calls);
  if (abort) {
    comm->wire->abort();
    return success; // what is queued behind work that never ends still names it
  }
  if (comm->lastStream)
    comm->lastStream->mark()->wait();
  delete comm;
  return success;
}

EXPORT int ncclCommDestroy(void *handle) { return end(handle, false); }
EXPORT int ncclCommAbort(void *handle) { return end(handle, true); }

EXPORT int ncclGroupStart() {
  if (depth++ == 0)
    groupResult = success;
  return success;
}

EXPORT int ncclGroupEnd() {
  if (depth == 0)
    return fail(invalidUsage, "ncclGroupEnd without ncclGroupStart");
  if (--depth > 0)
    return success;
  std::vector<Call> calls;
  for (Call &call : queued)
    if (call.operation.count > 0)
      calls.push_back(call);
  queued.clear();
  return groupResult == success ? launch(std::move(calls)) : groupResult;
}

EXPORT int ncclAllReduce(const void *send, void *recv, size_t count, int type, int op, void *comm,
                         void *stream) {
  return submit("ncclAllReduce", fake::Kind::allReduce, send, recv, count, count, count, type, op,
                0, comm, stream);
}

static size_t ranksOf(void *comm) {
  return communicators().has(comm) ? static_cast<Communicator *>(comm)->wire->ranks() : 1;
}

EXPORT int ncclReduceScatter(const void *send, void *recv, size_t count, int type, int op,
                             void *comm, void *stream) {
  return submit("ncclReduceScatter", fake::Kind::reduceScatter, send, recv, count * ranksOf(comm),
                count, count, type, op, 0, comm, stream);
}

EXPORT int ncclAllGather(const void *send, void *recv, size_t count, int type, void *comm,
                         void *stream) {
  return submit("ncclAllGather", fake::Kind::allGather, send, recv, count, count * ranksOf(comm),
                count, type, 0, 0, comm, stream);
}

EXPORT int ncclBroadcast(const void *send, void *recv, size_t count, int type, int root, void *comm,
                         void *stream) {
  return submit("ncclBroadcast", fake::Kind::broadcast, send, recv, count, count, count, type, 0,
                root, comm, stream);
}

EXPORT int ncclSend(const void *send, size_t count, int type, int peer, void *comm, void *stream) {
  return submit("ncclSend", fake::Kind::allToAll, send, nullptr, count, 0, count, type, 0, peer,
                comm, stream);
}

EXPORT int ncclRecv(void *recv, size_t count, int type, int peer, void *comm, void *stream) {
  return submit("ncclRecv", fake::Kind::allToAll, nullptr, recv, 0, count, count, type, 0, peer,
                comm, stream);
}

EXPORT int ncclRedOpCreatePreMulSum(int *op, void *scalar, int type, int residence, void *handle) {
  fake::Element element;
  if (!communicators().has(handle) || !op || !scalar || !elementOf(type, element) || residence != 1)
    return fail(invalidArgument, "ncclRedOpCreatePreMulSum: an argument is wrong");
  auto &comm = *static_cast<Communicator *>(handle);
  int number = 16;
  while (comm.scalings.count(number))
    ++number;
  comm.scalings[number] = {type,
                           std::string(static_cast<const char *>(scalar), fake::sizeOf(element))};
  *op = number;
  return success;
}

EXPORT int ncclRedOpDestroy(int op, void *handle) {
  return communicators().has(handle) && static_cast<Communicator *>(handle)->scalings.erase(op) != 0
             ? success
             : fail(invalidArgument, "ncclRedOpDestroy: no such operation");
}

EXPORT int ncclCommRegister(void *handle, void *data, size_t bytes, void **out) {
  if (!communicators().has(handle) || !out || !fake::reach(data, bytes))
    return fail(invalidArgument, "ncclCommRegister: an argument is wrong");
  if (!fake::isVirtual(data, bytes))
    return fail(invalidUsage, "ncclCommRegister: not memory of ncclMemAlloc");
  if (fake::nextCudaFault("register") != fake::CudaFault::none)
    return fail(systemError, "a planned fault of the system");
  fake::Registrations::all().add(handle, data, bytes);
  ++static_cast<Communicator *>(handle)->registrations;
  *out = data;
  return success;
}

EXPORT int ncclCommDeregister(void *handle, void *registered) {
  return communicators().has(handle) && fake::Registrations::all().remove(handle, registered)
             ? success
             : fail(invalidArgument, "ncclCommDeregister: not registered");
}
