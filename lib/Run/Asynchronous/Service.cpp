//===- Service.cpp - A process serves its shard to other ranks ------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is sent under the lock of a shard. A thread of the service has no time limit of its own:
// the client that waits for it has one, and receives `waits` while its answer is pending.
//
//===----------------------------------------------------------------------===//
#include "Service.h"

#include "Ranks/RankThreads.h"

#include "ds/Support/AssertionError.h"
#include "dsrt/dsrt.h"

#include <cstring>

namespace ds {

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

static constexpr std::chrono::milliseconds lastWords(500); // the wait for a late cause

Service::~Service() {
  stopping = true;
  server->fail("update=asynchronous: this process has stopped serving other ranks");
  for (Client &client : clients)
    client.stream.close();
  for (Client &client : clients)
    if (client.thread.joinable())
      client.thread.join();
}

Error Service::serve(int64_t rank, Stream stream) {
  Client &client = clients.emplace_back(rank, std::move(stream));
  ++served;
  if (int refused = startRankThread(client.thread, [this, &client] { run(client); }))
    return llvm::createStringError("cannot start a thread for rank " + llvm::Twine(rank) + ": " +
                                   strerror(refused));
  return Error::success();
}

void Service::awaitLeave() {
  Patience patience(timeoutMs);
  while (served > 0 && !patience.isOver()) {
    if (Error error = server->failure())
      return llvm::consumeError(std::move(error));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void Service::run(Client &client) {
  Message request;
  bool isServed = true;
  while (isServed) {
    isServed = client.stream.await(request) && request.kind != Message::leave;
    if (!isServed)
      break;
    client.told = std::chrono::steady_clock::now();
    auto answered = answer(client, request);
    isServed = answered && *answered;
    if (!answered)
      llvm::consumeError(answered.takeError());
  }
  if (request.kind != Message::leave && !stopping)
    lose(client.rank);
  --served;
}

/// Fails the server over a rank that has gone. Waits a little first: the world may know the cause
/// better than the end of a connection does.
void Service::lose(int64_t rank) {
  const auto until = std::chrono::steady_clock::now() + lastWords;
  while (!stopping && !dsrt_failed(context) && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (!stopping)
    server->fail(dsrt_failed(context) ? std::string(dsrt_last_error(context)) : describeLost(rank));
}

Error Service::lookAround(Client &client) {
  if (!client.stream.otherEndIsOpen())
    return llvm::createStringError("");
  const auto now = std::chrono::steady_clock::now();
  if (now - client.told > std::chrono::milliseconds(std::min<int64_t>(1000, timeoutMs / 4))) {
    client.told = now;
    client.stream.sendWaits();
  }
  return Error::success();
}

Expected<bool> Service::reply(Client &client, Expected<int64_t> result, ArrayRef<char> bytes) {
  Message message;
  std::string why;
  message.kind = result ? Message::done : Message::failed;
  if (result) {
    message.number = *result;
  } else {
    why = llvm::toString(result.takeError());
    bytes = ArrayRef<char>(why.data(), why.size());
  }
  message.bytes = bytes.size();
  return client.stream.send(message, bytes.empty() ? ArrayRef<ArrayRef<char>>() : bytes, nullptr);
}

Expected<bool> Service::answer(Client &client, const Message &request) {
  const int64_t rank = client.rank;
  auto look = [&] { return lookAround(client); };
  auto finish = [&](Error error, ArrayRef<char> bytes = {}) {
    return reply(client, error ? Expected<int64_t>(std::move(error)) : 0, bytes);
  };
  std::vector<char> values(request.bytes);
  auto came = client.stream.receive(values.data(), values.size(), nullptr);
  if (!came || !*came)
    return came;
  const size_t shard = request.shard;
  auto readInto = [&](ArrayRef<ShardTraffic::Slot> slots, const StepInstance &memory) {
    values.resize(ShardTraffic::bytesOf(slots));
    char *to = values.data();
    readShard(memory, slots, [&](const ShardTraffic::Slot &slot, const void *value) {
      memcpy(to, value, slot.bytes);
      to += slot.bytes;
    });
  };
  switch (request.kind) {
  case Message::begin:
    return finish(server->begin(rank, look));
  case Message::pull: {
    auto work = [&](StepInstance &memory) { readInto(shards[shard].pulled, memory); };
    Error error = server->pull(rank, request.number, shard, look, work);
    return finish(std::move(error), values);
  }
  case Message::push: {
    const char *from = values.data();
    auto give = [&](const ShardTraffic::Slot &slot) {
      return HostView(std::shared_ptr<void>(), std::exchange(from, from + slot.bytes));
    };
    auto work = [&](StepInstance &memory) { updateShard(memory, shards[shard], give); };
    Error error = server->push(rank, request.number, shard, look, work);
    return finish(error ? std::move(error) : takeFailedAssertion());
  }
  case Message::end: {
    std::vector<double> metrics(values.size() / sizeof(double));
    memcpy(metrics.data(), values.data(), metrics.size() * sizeof(double));
    server->end(rank, std::move(metrics));
    if (request.number)
      server->askToMeet();
    return reply(client, server->meetsAt(request.upTo));
  }
  case Message::awaitAll:
    return finish(server->awaitAll(rank, request.number, look));
  case Message::awaitEndOfMeeting:
    return finish(server->awaitEndOfMeeting(request.number, look));
  case Message::read:
    readInto(shards[shard].held, server->shard(shard));
    return finish(Error::success(), values);
  case Message::order: {
    std::vector<Order::Turn> turns = server->orderOf(shard, request.number, request.upTo);
    return finish(Error::success(), ArrayRef(reinterpret_cast<const char *>(turns.data()),
                                             turns.size() * sizeof(Order::Turn)));
  }
  case Message::leave:
  case Message::waits:
  case Message::done:
  case Message::failed:
    break;
  }
  return false; // an unknown request
}

} // namespace ds
