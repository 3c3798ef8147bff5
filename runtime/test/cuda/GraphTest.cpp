//===- GraphTest.cpp - Captures and replays on the fake driver --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CudaFixture.h"

using namespace cuda;

namespace {

class Graphs : public Cuda {
protected:
  void begin() { ASSERT_EQ(cuStreamBeginCapture_v2(stream, 1), 0); }
  int end() { return cuStreamEndCapture(stream, &graph); }
  void replay(int times = 1) {
    void *executable = nullptr;
    ASSERT_EQ(cuGraphInstantiateWithFlags(&executable, graph, 0ull), 0);
    for (int time = 0; time < times; ++time)
      ASSERT_EQ(cuGraphLaunch(executable, stream), 0);
    ASSERT_EQ(cuStreamSynchronize(stream), 0) << finding();
    EXPECT_EQ(cuGraphExecDestroy(executable), 0);
  }
  /// `to` comes after all that is queued on `from`.
  void order(void *from, void *to) {
    void *event = makeEvent();
    ASSERT_EQ(cuEventRecord(event, from), 0);
    ASSERT_EQ(cuStreamWaitEvent(to, event, 0u), 0);
  }
  void *graph = nullptr;
};

TEST_F(Graphs, a_capture_runs_nothing_and_a_replay_all) {
  const uint64_t x = upload(std::vector<float>(64, 2)), y = upload(std::vector<float>(64, 1));
  begin();
  ASSERT_EQ(saxpy(stream, x, y, 1, 64), 0);
  ASSERT_EQ(saxpy(stream, x, y, 1, 64), 0);
  int status = 0;
  ASSERT_EQ(cuStreamIsCapturing(stream, &status), 0);
  EXPECT_EQ(status, 1);
  ASSERT_EQ(end(), 0);
  ASSERT_EQ(cuStreamIsCapturing(stream, &status), 0);
  EXPECT_EQ(status, 0);
  size_t nodes = 0;
  ASSERT_EQ(cuGraphGetNodes(graph, static_cast<void **>(nullptr), &nodes), 0);
  EXPECT_EQ(nodes, 2u);
  EXPECT_EQ(download(y, 64), std::vector<float>(64, 1));
  replay(3);
  EXPECT_EQ(download(y, 64), std::vector<float>(64, 13));
  EXPECT_EQ(cuGraphDestroy(graph), 0);
  EXPECT_EQ(cuGraphDestroy(graph), 400);
}

// A second stream takes part from the event that it waits for.
TEST_F(Graphs, streams_fork_and_join) {
  void *other = makeStream();
  const uint64_t x = upload(std::vector<float>(64, 2)), y = upload(std::vector<float>(64, 1)),
                 z = upload(std::vector<float>(64, 5));
  begin();
  ASSERT_EQ(saxpy(stream, x, y, 1, 64), 0);
  order(stream, other);
  ASSERT_EQ(saxpy(other, x, z, 1, 64), 0);
  ASSERT_EQ(saxpy(stream, x, y, 1, 64), 0);
  order(other, stream);
  ASSERT_EQ(saxpy(stream, y, z, 1, 64), 0);
  ASSERT_EQ(end(), 0);
  for (int time = 0; time < 5; ++time) // in several orders
    replay();
  // z of each replay adds x and the y of then: 5, 9, 13, 17, 21.
  EXPECT_EQ(download(z, 64), std::vector<float>(64, 5 + 10 + 65));
}

TEST_F(Graphs, what_is_not_joined_is_refused) {
  void *other = makeStream();
  const uint64_t x = upload(std::vector<float>(64, 2)), y = allocate(256);
  begin();
  ASSERT_EQ(copy(stream, x, y, 64), 0);
  order(stream, other);
  ASSERT_EQ(copy(other, x, y, 64), 0);
  EXPECT_EQ(end(), 904);
  // Afterwards both streams are as before.
  ASSERT_EQ(copy(other, x, y, 64), 0);
  EXPECT_EQ(cuStreamSynchronize(other), 0);
}

TEST_F(Graphs, calls_that_cannot_be_captured_end_the_capture) {
  const uint64_t x = upload(std::vector<float>(64, 2));
  float pageable[4] = {};
  uint64_t more = 0;
  void *event = makeEvent();
  ASSERT_EQ(cuEventRecord(event, stream), 0);
  begin();
  EXPECT_EQ(cuStreamSynchronize(stream), 900);
  EXPECT_EQ(end(), 901);
  begin();
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(x, pageable, 16, stream), 900);
  EXPECT_EQ(end(), 901);
  begin();
  EXPECT_EQ(cuMemAlloc_v2(&more, 16), 900);
  EXPECT_EQ(end(), 901);
  begin();
  EXPECT_EQ(cuStreamWaitEvent(stream, event, 0u), 905); // of work that no replay has
  EXPECT_EQ(end(), 901);
  begin();
  ASSERT_EQ(cuEventRecord(event, stream), 0);
  EXPECT_EQ(cuEventQuery(event), 907);
  EXPECT_EQ(end(), 0);
  EXPECT_EQ(cuStreamEndCapture(stream, &graph), 401);
}

// Pinned memory is read when the graph runs.
TEST_F(Graphs, a_captured_copy_reads_the_memory_of_then) {
  void *pinned = nullptr;
  ASSERT_EQ(cuMemHostAlloc(&pinned, 256, 0u), 0);
  auto *values = static_cast<float *>(pinned);
  const uint64_t x = allocate(256);
  begin();
  ASSERT_EQ(cuMemcpyHtoDAsync_v2(x, pinned, 256, stream), 0);
  ASSERT_EQ(end(), 0);
  for (float value : {3.0f, 4.0f}) {
    std::fill_n(values, 64, value);
    replay();
    EXPECT_EQ(download(x, 64), std::vector<float>(64, value));
  }
}

// Without an event between the streams, some order of a replay copies what is not there.
TEST_F(Graphs, a_missing_event_is_noticed) {
  void *other = makeStream();
  const uint64_t x = upload(std::vector<float>(64, 2)), y = allocate(256), z = allocate(256);
  begin();
  order(stream, other);
  ASSERT_EQ(cuMemsetD8Async(x, 0, 256, stream), 0);
  order(stream, other);
  ASSERT_EQ(copy(stream, x, y, 64), 0);
  ASSERT_EQ(copy(other, y, z, 64), 0);
  order(other, stream);
  ASSERT_EQ(end(), 0);
  void *executable = nullptr;
  ASSERT_EQ(cuGraphInstantiateWithFlags(&executable, graph, 0ull), 0);
  for (int time = 0; time < 20; ++time) {
    // Nothing is written at first, each time.
    const uint64_t fresh = allocate(256);
    ASSERT_EQ(cuMemcpyDtoDAsync_v2(y, fresh, 256, stream), 0);
    if (cuGraphLaunch(executable, stream) || cuStreamSynchronize(stream))
      break;
  }
  EXPECT_NE(finding().find("stores a value that nothing has written"), std::string::npos)
      << finding();
}

TEST_F(Graphs, collectives_are_captured) {
  struct Id {
    char bytes[128];
  } id;
  struct {
    size_t size = 64;
    unsigned magic = 0xcafebeef, version = 21800;
    int blocking = 1;
    char rest[40] = {};
  } config;
  const Function<int(Id *)> ncclGetUniqueId("libfake_nccl.so", "ncclGetUniqueId");
  const Function<int(void **, int, Id, int, void *)> ncclCommInitRankConfig(
      "libfake_nccl.so", "ncclCommInitRankConfig");
  const Function<int(const void *, void *, size_t, int, int, void *, void *)> ncclAllReduce(
      "libfake_nccl.so", "ncclAllReduce");
  void *comm = nullptr;
  ASSERT_EQ(ncclGetUniqueId(&id), 0);
  ASSERT_EQ(ncclCommInitRankConfig(&comm, 1, id, 0, &config), 0);
  const uint64_t x = upload(std::vector<float>(64, 2)), y = allocate(256),
                 z = upload(std::vector<float>(64, 1));
  begin();
  ASSERT_EQ(saxpy(stream, z, x, 1, 64), 0);
  ASSERT_EQ(ncclAllReduce(reinterpret_cast<void *>(x), reinterpret_cast<void *>(y), 64, 7, 0, comm,
                          stream),
            0);
  ASSERT_EQ(saxpy(stream, y, z, 1, 64), 0); // reads what the collective wrote
  ASSERT_EQ(end(), 0);
  replay();
  EXPECT_EQ(download(z, 64), std::vector<float>(64, 4));
}

} // namespace
