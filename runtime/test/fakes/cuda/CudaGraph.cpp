//===- CudaGraph.cpp - Captures and graphs of the fake driver ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is queued on a capturing stream becomes a node, NCCL's collectives and products included,
// because all of them go through fake::Stream::push. A replay runs the nodes in a random order that
// their events allow: work that lacks an event sees what is there too early. CUDA promises no two
// graphs of a device to run at the same time, so here they never do.
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"

#include <algorithm>
#include <array>
#include <random>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

enum : int {
  success = 0,
  invalidValue = 1,
  invalidHandle = 400,
  captureInvalidated = 901,
  captureUnmatched = 903,
  captureUnjoined = 904,
  illegalState = 401,
  unknown = 999
};

struct Graph {
  std::shared_ptr<fake::Recording> recording;
};

fake::Handles &graphs() {
  static auto *handles = new fake::Handles;
  return *handles;
}
fake::Handles &executables() {
  static auto *handles = new fake::Handles;
  return *handles;
}

/// Whether every node comes before the end of the stream that began.
bool joined(const fake::Recording &recording, std::vector<size_t> open) {
  std::vector<bool> reached(recording.nodes.size());
  while (!open.empty()) {
    const size_t node = open.back();
    open.pop_back();
    if (reached[node])
      continue;
    reached[node] = true;
    const std::vector<size_t> &after = recording.nodes[node].after;
    open.insert(open.end(), after.begin(), after.end());
  }
  return std::all_of(reached.begin(), reached.end(), [](bool is) { return is; });
}

void replay(const fake::Recording &recording, uint64_t seed, int32_t device) {
  static std::array<std::mutex, 64> turns;
  std::lock_guard<std::mutex> lock(turns[static_cast<size_t>(device) % turns.size()]);
  std::mt19937_64 random(seed);
  std::vector<size_t> waits(recording.nodes.size()), ready;
  std::vector<std::vector<size_t>> followers(recording.nodes.size());
  for (size_t node = 0; node < recording.nodes.size(); ++node) {
    waits[node] = recording.nodes[node].after.size();
    for (size_t before : recording.nodes[node].after)
      followers[before].push_back(node);
    if (waits[node] == 0)
      ready.push_back(node);
  }
  while (!ready.empty()) {
    std::swap(ready[random() % ready.size()], ready.back());
    const size_t node = ready.back();
    ready.pop_back();
    recording.nodes[node].work();
    for (size_t follower : followers[node])
      if (--waits[follower] == 0)
        ready.push_back(follower);
  }
}

} // namespace

EXPORT int cuStreamBeginCapture_v2(void *handle, int mode) {
  if (int state = fake::cudaReady(); state != success)
    return state;
  fake::Stream *stream = fake::cudaStream(handle);
  if (!stream)
    return invalidHandle;
  if (mode < 0 || mode > 2)
    return invalidValue;
  if (stream->recording() || fake::cudaCapture())
    return illegalState;
  auto recording = std::make_shared<fake::Recording>();
  fake::cudaCapture() = recording;
  stream->record(recording, {});
  return success;
}

EXPORT int cuStreamEndCapture(void *handle, void **graph) {
  if (int state = fake::cudaReady(); state != success)
    return state;
  fake::Stream *stream = fake::cudaStream(handle);
  if (!stream)
    return invalidHandle;
  if (!graph)
    return invalidValue;
  std::shared_ptr<fake::Recording> recording = stream->recording();
  if (!recording)
    return illegalState;
  if (recording != fake::cudaCapture() || recording->streams.front() != stream)
    return captureUnmatched;
  const bool whole = joined(*recording, stream->lastNodes());
  for (fake::Stream *other : recording->streams)
    other->stopRecording();
  recording->ended = true;
  fake::cudaCapture() = nullptr;
  *graph = nullptr;
  if (recording->invalid)
    return captureInvalidated;
  if (!whole)
    return captureUnjoined;
  auto *made = new Graph{std::move(recording)};
  graphs().add(made);
  *graph = made;
  return success;
}

EXPORT int cuStreamIsCapturing(void *handle, int *status) {
  fake::Stream *stream = fake::cudaStream(handle);
  if (!stream)
    return invalidHandle;
  if (!status)
    return invalidValue;
  *status = !stream->recording() ? 0 : stream->recording()->invalid ? 2 : 1;
  return success;
}

EXPORT int cuGraphGetNodes(void *graph, void **nodes, size_t *count) {
  if (!graphs().has(graph))
    return invalidHandle;
  if (nodes || !count)
    return invalidValue; // nobody asks for the nodes themselves
  *count = static_cast<Graph *>(graph)->recording->nodes.size();
  return success;
}

EXPORT int cuGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long flags) {
  if (int state = fake::cudaReadyUncaptured(); state != success)
    return state;
  if (!graphs().has(graph))
    return invalidHandle;
  if (!executable || flags > 15)
    return invalidValue;
  auto *made = new Graph(*static_cast<Graph *>(graph));
  executables().add(made);
  *executable = made;
  return success;
}

EXPORT int cuGraphLaunch(void *executable, void *handle) {
  if (int state = fake::cudaReady(); state != success)
    return state;
  fake::Stream *stream = fake::cudaStream(handle);
  if (!executables().has(executable) || !stream)
    return invalidHandle;
  const fake::CudaFault fault = fake::nextCudaFault("graph");
  if (fault == fake::CudaFault::error)
    return unknown;
  static std::atomic<uint64_t> launches{0};
  const int32_t device = fake::cudaDeviceOf(handle);
  fake::pushWithFault(*stream, device, fault,
                      [recording = static_cast<Graph *>(executable)->recording, seed = ++launches,
                       device] { replay(*recording, seed, device); });
  return success;
}

EXPORT int cuGraphExecDestroy(void *executable) {
  if (!executables().remove(executable))
    return invalidHandle;
  delete static_cast<Graph *>(executable);
  return success;
}

EXPORT int cuGraphDestroy(void *graph) {
  if (!graphs().remove(graph))
    return invalidHandle;
  delete static_cast<Graph *>(graph);
  return success;
}
