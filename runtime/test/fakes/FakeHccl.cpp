//===- FakeHccl.cpp - HCCL without an NPU -----------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that the hccl backend calls, as strict as HCCL's documentation for Atlas A2:
// initialisation blocks until all ranks are there or HCCL_CONNECT_TIMEOUT has passed, two ranks may
// not share a device, reductions exist for the documented types only, and nothing can be aborted.
//
//===----------------------------------------------------------------------===//
#include "FakeAscendcl.h"
#include "FakeWire.h"

#include <cstdlib>
#include <cstring>
#include <unistd.h>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

enum Result : int {
  success = 0,
  parameter = 1,
  pointer = 2,
  internal = 4,
  notSupported = 5,
  systemCall = 8,
  timeout = 9,
  runtimeError = 15,
  remote = 21
};

struct RootInfo {
  char internal[4108];
};

struct Item {
  int type; // 0: send, 1: receive
  void *data;
  uint64_t count;
  int dataType;
  uint32_t remoteRank;
};

struct Communicator {
  std::unique_ptr<fake::Wire> wire;
  int32_t device = 0;
  fake::Stream *lastStream = nullptr;
};

fake::Handles &communicators() {
  static fake::Handles *instance = new fake::Handles;
  return *instance;
}

bool elementOf(int type, fake::Element &out) {
  using fake::Element;
  static const Element elements[] = {Element::i8,  Element::i16, Element::i32, Element::f16,
                                     Element::f32, Element::i64, Element::u64, Element::u8,
                                     Element::u16, Element::u32, Element::f64, Element::bf16};
  if (type < 0 || type > 11)
    return false;
  out = elements[type];
  return true;
}

/// What A2 reduces.
bool reduces(fake::Element element, int op) {
  constexpr int prod = 1;
  switch (element) {
  case fake::Element::i8:
  case fake::Element::i32:
  case fake::Element::i64:
  case fake::Element::f16:
  case fake::Element::f32:
    return true;
  case fake::Element::i16:
  case fake::Element::bf16:
    return op != prod;
  case fake::Element::u8:
  case fake::Element::u16:
  case fake::Element::u32:
  case fake::Element::u64:
  case fake::Element::f64:
    return false;
  }
  return false;
}

constexpr int noReduction = -1;

/// Checks device and health and queues the operation, with the fault that is planned for it.
int launch(Communicator &comm, const fake::Operation &operation, void *streamHandle) {
  fake::Stream *stream = fake::aclStream(streamHandle, comm.device);
  if (!stream || fake::currentAclDevice() != comm.device)
    return runtimeError;
  if (comm.wire->health() != fake::Wire::Health::good)
    return comm.wire->health() == fake::Wire::Health::failed ? internal : remote;
  const fake::Fault fault = comm.wire->nextFault();
  if (fault.action == fake::Action::error)
    return systemCall;
  fake::Wire *wire = comm.wire.get();
  stream->push([wire, operation, fault] { wire->run(operation, fault); });
  comm.lastStream = stream;
  return success;
}

int submit(fake::Kind kind, const void *send, void *recv, uint64_t sendCount, uint64_t recvCount,
           uint64_t count, int type, int op, uint32_t root, void *handle, void *streamHandle) {
  if (!send || !recv || !handle || !streamHandle)
    return pointer;
  if (!communicators().has(handle))
    return parameter;
  auto &comm = *static_cast<Communicator *>(handle);
  fake::Operation operation;
  operation.kind = kind;
  if (!elementOf(type, operation.element))
    return notSupported;
  if (op != noReduction && (op < 0 || op > 3))
    return parameter;
  if (op != noReduction && !reduces(operation.element, op))
    return notSupported;
  static const fake::Fold folds[] = {fake::Fold::sum, fake::Fold::prod, fake::Fold::max,
                                     fake::Fold::min};
  if (op != noReduction)
    operation.fold = folds[op];
  const size_t size = fake::sizeOf(operation.element);
  if (count > UINT64_MAX / size / 64 || root >= static_cast<uint32_t>(comm.wire->ranks()) ||
      reinterpret_cast<uintptr_t>(send) % size != 0 ||
      reinterpret_cast<uintptr_t>(recv) % size != 0)
    return parameter;
  if (count == 0)
    return success;
  operation.count = count;
  operation.root = static_cast<int32_t>(root);
  operation.send = fake::reach(send, sendCount * size);
  operation.recv = fake::reach(recv, recvCount * size);
  if (!operation.send || !operation.recv)
    return parameter;
  for (int32_t m = 0; kind == fake::Kind::allToAll && m < comm.wire->ranks(); ++m) {
    operation.sendTo.push_back(operation.send + m * count * size);
    operation.recvFrom.push_back(operation.recv + m * count * size);
  }
  return launch(comm, operation, streamHandle);
}

uint64_t ranksOf(void *handle) {
  return communicators().has(handle)
             ? static_cast<uint64_t>(static_cast<Communicator *>(handle)->wire->ranks())
             : 1;
}

} // namespace

EXPORT int HcclGetRootInfo(RootInfo *info) {
  if (!info)
    return pointer;
  if (fake::currentAclDevice() < 0)
    return runtimeError;
  std::memset(info, 0, sizeof *info);
  return fake::Wire::makeId(info->internal) ? success : systemCall;
}

EXPORT int HcclCommInitRootInfo(uint32_t ranks, const RootInfo *info, uint32_t rank, void **out) {
  if (!info || !out)
    return pointer;
  if (fake::currentAclDevice() < 0)
    return runtimeError;
  auto comm = std::make_unique<Communicator>();
  comm->device = fake::currentAclDevice();
  comm->wire.reset(fake::Wire::open(info->internal, static_cast<int32_t>(ranks),
                                    static_cast<int32_t>(rank), comm->device));
  if (!comm->wire)
    return parameter;
  const char *limit = std::getenv("HCCL_CONNECT_TIMEOUT");
  for (int64_t left = (limit ? std::atoll(limit) : 120) * 5000; !comm->wire->complete(); --left) {
    if (left <= 0)
      return timeout;
    usleep(200);
  }
  if (comm->wire->sharesDevice())
    return parameter;
  communicators().add(comm.get());
  *out = comm.release();
  return success;
}

EXPORT int HcclCommDestroy(void *handle) {
  if (!communicators().remove(handle))
    return parameter;
  auto *comm = static_cast<Communicator *>(handle);
  if (comm->lastStream)
    comm->lastStream->mark()->wait();
  delete comm;
  return success;
}

EXPORT int HcclGetCommAsyncError(void *handle, int *error) {
  if (!error)
    return pointer;
  if (!communicators().has(handle))
    return parameter;
  switch (static_cast<Communicator *>(handle)->wire->health()) {
  case fake::Wire::Health::good:
    *error = success;
    break;
  case fake::Wire::Health::failed:
    *error = internal;
    break;
  case fake::Wire::Health::connectionLost:
    *error = remote;
    break;
  }
  return success;
}

EXPORT const char *HcclGetErrorString(int code) {
  switch (code) {
  case success:
    return "no error";
  case parameter:
    return "parameter error";
  case pointer:
    return "empty pointer";
  case internal:
    return "internal error";
  case notSupported:
    return "not support feature";
  case systemCall:
    return "call system interface error";
  case timeout:
    return "timeout";
  case runtimeError:
    return "call runtime api fail";
  case remote:
    return "error cqe";
  }
  return "unknown error";
}

EXPORT int HcclAllReduce(void *send, void *recv, uint64_t count, int type, int op, void *comm,
                         void *stream) {
  return submit(fake::Kind::allReduce, send, recv, count, count, count, type, op, 0, comm, stream);
}

EXPORT int HcclReduceScatter(void *send, void *recv, uint64_t count, int type, int op, void *comm,
                             void *stream) {
  return submit(fake::Kind::reduceScatter, send, recv, count * ranksOf(comm), count, count, type,
                op, 0, comm, stream);
}

EXPORT int HcclAllGather(void *send, void *recv, uint64_t count, int type, void *comm,
                         void *stream) {
  return submit(fake::Kind::allGather, send, recv, count, count * ranksOf(comm), count, type,
                noReduction, 0, comm, stream);
}

EXPORT int HcclAlltoAll(const void *send, uint64_t sendCount, int sendType, void *recv,
                        uint64_t recvCount, int recvType, void *comm, void *stream) {
  if (sendCount != recvCount || sendType != recvType || (send && send == recv))
    return parameter;
  const uint64_t all = sendCount * ranksOf(comm);
  return submit(fake::Kind::allToAll, send, recv, all, all, sendCount, sendType, noReduction, 0,
                comm, stream);
}

/// As strict as ds needs: one of each direction at most, equally long.
EXPORT int HcclBatchSendRecv(const Item *items, uint32_t count, void *handle, void *streamHandle) {
  if (!items || !handle || !streamHandle)
    return pointer;
  if (!communicators().has(handle) || count == 0 || count > 2 ||
      (count == 2 && (items[0].type == items[1].type || items[0].count != items[1].count ||
                      items[0].dataType != items[1].dataType)))
    return parameter;
  auto &comm = *static_cast<Communicator *>(handle);
  fake::Operation operation;
  operation.sendTo.resize(ranksOf(handle));
  operation.recvFrom.resize(ranksOf(handle));
  for (const Item *item = items; item != items + count; ++item) {
    if (!item->data)
      return pointer;
    char *data = elementOf(item->dataType, operation.element)
                     ? fake::reach(item->data, item->count * fake::sizeOf(operation.element))
                     : nullptr;
    if (!data || item->remoteRank >= ranksOf(handle) || item->type < 0 || item->type > 1)
      return parameter;
    if (item->type == 0)
      operation.sendTo[item->remoteRank] = data;
    else
      operation.recvFrom[item->remoteRank] = data;
  }
  operation.count = items[0].count;
  if (!operation.complete(comm.wire->rank()))
    return parameter;
  operation.kind = fake::Kind::permute;
  return launch(comm, operation, streamHandle);
}

EXPORT int HcclBroadcast(void *data, uint64_t count, int type, uint32_t root, void *comm,
                         void *stream) {
  return submit(fake::Kind::broadcast, data, data, count, count, count, type, noReduction, root,
                comm, stream);
}
