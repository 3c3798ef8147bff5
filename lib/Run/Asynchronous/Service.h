//===- Service.h - A process serves its shard to other ranks ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread for each other rank does at this process's ParameterServer what that rank requests, as
// the rank's own thread would if it lived here. It is also the first to notice the end of that
// rank.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_RUN_ASYNCHRONOUS_SERVICE_H
#define DS_LIB_RUN_ASYNCHRONOUS_SERVICE_H

#include "Stream.h"

#include "ds/Run/Asynchronous/FreeRank.h"

#include <atomic>
#include <thread>

namespace ds {

class Service {
public:
  /// `context` is this rank's; it may know why another rank has gone.
  Service(std::shared_ptr<ParameterServer> server, llvm::ArrayRef<ShardTraffic> shards,
          int64_t timeoutMs, dsrt_context *context)
      : server(std::move(server)), shards(shards), timeoutMs(timeoutMs), context(context) {}
  /// Disconnects all ranks that have not left.
  ~Service();

  llvm::Error serve(int64_t rank, Stream stream);
  /// Waits until all ranks have left, one has died, or `timeoutMs` have passed.
  void awaitLeave();

private:
  struct Client {
    Client(int64_t rank, Stream stream) : rank(rank), stream(std::move(stream)) {}
    const int64_t rank;
    Stream stream;
    std::thread thread;
    std::chrono::steady_clock::time_point told; // its last `waits`, or its request
  };
  void run(Client &client);
  /// Answers a request. False, or an error, ends the service of the client.
  llvm::Expected<bool> answer(Client &client, const Message &request);
  llvm::Expected<bool> reply(Client &client, llvm::Expected<int64_t> result,
                             llvm::ArrayRef<char> bytes = {});
  llvm::Error lookAround(Client &client);
  void lose(int64_t rank);

  const std::shared_ptr<ParameterServer> server;
  const llvm::ArrayRef<ShardTraffic> shards;
  const int64_t timeoutMs;
  dsrt_context *const context;
  std::atomic<bool> stopping{false};
  std::atomic<size_t> served{0};
  std::deque<Client> clients;
};

} // namespace ds

#endif // DS_LIB_RUN_ASYNCHRONOUS_SERVICE_H
