//===- ProcessRank.cpp - Ranks that reach shards by streams ---------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank asks the owner of each shard for the shard, and rank 0 for all that ranks have in common.
// It first sends its requests to all owners, then visits its own shard, and then receives the
// answers.
//
//===----------------------------------------------------------------------===//
#include "Service.h"
#include "Stream.h"

#include "ds/Run/Asynchronous/FreeRank.h"
#include "ds/Support/AssertionError.h"
#include "dsrt/dsrt.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>

namespace ds {

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

namespace {
class ProcessRank final : public FreeRank {
public:
  ProcessRank(std::shared_ptr<ParameterServer> server, ArrayRef<ShardTraffic> shards, int64_t rank,
              int64_t numRanks, int64_t begin, int64_t timeoutMs)
      : FreeRank(std::move(server), shards, rank, begin), numRanks(numRanks), timeoutMs(timeoutMs),
        gatheredUntil(begin) {}
  ~ProcessRank() override {
    if (service && leaves)
      service->awaitLeave();
  }

  bool holds(int64_t shard) const override { return shard == rank; }
  bool begins(int64_t shard) const override { return holds(shard); }

  Error begin(dsrt_context *next) override {
    context = next;
    if (!service)
      if (Error error = join())
        return error;
    server->start();
    return rank == 0 ? server->begin(rank, look)
                     : ask(0, make(Message::begin), {}, "let it begin a step");
  }

  Error pull(Take take) override {
    Message request = make(Message::pull, step);
    for (int64_t i = 0; i < numShards(); ++i)
      if (Error error = send(inTurn(i), request, {}))
        return error;
    if (rank < numShards())
      if (Error error = server->pull(rank, step, rank, look, [&](StepInstance &shard) {
            readShard(shard, shards[rank].pulled, take);
          }))
        return error;
    for (int64_t i = 0; i < numShards(); ++i)
      if (!holds(inTurn(i)))
        if (Error error = takeValues(inTurn(i), shards[inTurn(i)].pulled, take))
          return error;
    return Error::success();
  }

  Error push(Give give) override {
    for (int64_t i = 0; i < numShards(); ++i) {
      std::vector<HostView> values;
      std::vector<ArrayRef<char>> parts;
      for (const ShardTraffic::Slot &slot : shards[inTurn(i)].pushed) {
        values.push_back(give(slot));
        parts.emplace_back(static_cast<const char *>(values.back().get()), slot.bytes);
      }
      if (Error error = send(inTurn(i), make(Message::push, step), parts))
        return error;
    }
    if (rank < numShards())
      if (Error error = server->push(rank, step, rank, look, [&](StepInstance &shard) {
            updateShard(shard, shards[rank], give);
          }))
        return error;
    if (Error asserted = takeFailedAssertion())
      return asserted;
    for (int64_t i = 0; i < numShards(); ++i)
      if (!holds(inTurn(i)))
        if (Error error = takeAnswer(inTurn(i), "update shard " + Twine(inTurn(i))).takeError())
          return error;
    return Error::success();
  }

  Expected<bool> end(std::vector<double> metrics, bool asksToMeet) override {
    ++step;
    if (rank == 0) {
      server->end(rank, std::move(metrics));
      if (asksToMeet)
        server->askToMeet();
      return server->meetsAt(step);
    }
    ArrayRef<char> bytes(reinterpret_cast<const char *>(metrics.data()),
                         metrics.size() * sizeof(double));
    Message request = make(Message::end, asksToMeet, step);
    if (Error error = sendTo(0, request, bytes))
      return error;
    auto answer = takeAnswer(0, "take the metrics of a step");
    if (!answer)
      return answer.takeError();
    return answer->number != 0;
  }

  Error awaitAll() override {
    return rank == 0 ? server->awaitAll(rank, step, look)
                     : ask(0, make(Message::awaitAll, step), {}, "bring all ranks together");
  }
  Error awaitEndOfMeeting() override {
    return rank == 0 ? server->awaitEndOfMeeting(step, look)
                     : ask(0, make(Message::awaitEndOfMeeting, step), {}, "end a meeting");
  }

  Error gather(Take take) override {
    for (int64_t shard = 0; shard < numShards(); ++shard) {
      if (holds(shard))
        continue;
      if (Error error = send(shard, make(Message::read), {}))
        return error;
      if (Error error = takeValues(shard, shards[shard].held, take))
        return error;
      if (!server->records())
        continue;
      if (Error error = send(shard, make(Message::order, gatheredUntil, step), {}))
        return error;
      auto answer = takeAnswer(shard, "report the order of shard " + Twine(shard));
      if (!answer)
        return answer.takeError();
      std::vector<Order::Turn> turns(answer->bytes / sizeof(Order::Turn));
      if (Error error = receive(shard, turns.data(), answer->bytes))
        return error;
      server->setOrder(shard, gatheredUntil, turns);
    }
    gatheredUntil = step;
    return Error::success();
  }

  /// Sends `leave` to all other ranks, and serves them until each has sent it, too.
  void leave() override {
    leaves = service != nullptr;
    for (int64_t other = 0; leaves && other < numRanks; ++other)
      if (other != rank)
        llvm::consumeError(sendTo(other, make(Message::leave), {}));
  }

private:
  static Message make(Message::Kind kind, int64_t number = 0, int64_t upTo = 0) {
    Message message;
    message.kind = kind;
    message.number = number;
    message.upTo = upTo;
    return message;
  }

  Error join() {
    std::vector<int32_t> to(numRanks), from(numRanks);
    if (dsrt_open_streams(context, to.data(), from.data()) != DSRT_OK)
      return llvm::createStringError(dsrt_last_error(context));
    service = std::make_unique<Service>(server, shards, timeoutMs, context);
    for (int64_t other = 0; other < numRanks; ++other)
      streams.emplace_back(to[other]);
    for (int64_t other = 0; other < numRanks; ++other)
      if (other != rank)
        if (Error error = service->serve(other, Stream(from[other])))
          return error;
    return Error::success();
  }

  /// Returns the failure of another rank, which ends the wait.
  Error lookAtWorld() {
    return dsrt_failed(context) ? llvm::createStringError(dsrt_last_error(context))
                                : Error::success();
  }
  /// For waits outside of the server, which do not see its failure otherwise.
  Error lookAround() {
    if (Error error = lookAtWorld())
      return error;
    return server->failure();
  }

  Error gone(int64_t other) {
    Patience patience(timeoutMs);
    while (!patience.isOver()) { // until the service reports why
      if (Error error = lookAround())
        return error;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return llvm::createStringError(describeLost(other));
  }

  /// Returns the check between two parts of a message; `what` is the action that the other rank
  /// owes.
  std::function<Error()> within(Patience &patience, int64_t other, std::string what) {
    return [this, &patience, other, what = std::move(what)]() -> Error {
      if (Error error = lookAround())
        return error;
      if (!patience.isOver())
        return Error::success();
      return llvm::createStringError("update=asynchronous: timed out after " + Twine(timeoutMs) +
                                     " ms: rank " + Twine(rank) + " waits for rank " +
                                     Twine(other) + " to " + what);
    };
  }

  Error sendTo(int64_t other, Message message, ArrayRef<ArrayRef<char>> parts) {
    for (ArrayRef<char> part : parts)
      message.bytes += part.size();
    Patience patience(timeoutMs);
    auto went = streams[other].send(message, parts, within(patience, other, "take a message"));
    if (!went)
      return went.takeError();
    return *went ? Error::success() : gone(other);
  }
  /// Sends to the owner of a shard, if that is another rank.
  Error send(int64_t shard, Message message, ArrayRef<ArrayRef<char>> parts) {
    message.shard = static_cast<int32_t>(shard);
    return holds(shard) ? Error::success() : sendTo(shard, message, parts);
  }

  Error receive(int64_t other, void *into, size_t bytes) {
    Patience patience(timeoutMs);
    auto came = streams[other].receive(into, bytes, within(patience, other, "send what it has"));
    if (!came)
      return came.takeError();
    return *came ? Error::success() : gone(other);
  }

  Expected<Message> takeAnswer(int64_t other, const Twine &what) {
    Message answer;
    Patience patience(timeoutMs);
    std::function<Error()> waits = within(patience, other, what.str());
    do {
      auto came = streams[other].receive(&answer, sizeof answer, waits);
      if (!came)
        return came.takeError();
      if (!*came)
        return gone(other);
      patience.restart();
    } while (answer.kind == Message::waits);
    if (answer.kind == Message::done)
      return answer;
    std::string why(answer.bytes, '\0');
    if (Error error = receive(other, why.data(), why.size()))
      return error;
    return llvm::createStringError(why);
  }

  Error ask(int64_t other, Message request, ArrayRef<ArrayRef<char>> parts, const Twine &what) {
    if (Error error = sendTo(other, request, parts))
      return error;
    return takeAnswer(other, what).takeError();
  }

  Error takeValues(int64_t shard, ArrayRef<ShardTraffic::Slot> slots, Take take) {
    auto answer = takeAnswer(shard, "send the values of shard " + Twine(shard));
    if (!answer)
      return answer.takeError();
    received.resize(ShardTraffic::bytesOf(slots));
    if (Error error = receive(shard, received.data(), received.size()))
      return error;
    const char *from = received.data();
    for (const ShardTraffic::Slot &slot : slots)
      take(slot, std::exchange(from, from + slot.bytes));
    return Error::success();
  }

  const int64_t numRanks, timeoutMs;
  int64_t gatheredUntil; // steps whose order has been gathered
  bool leaves = false;
  dsrt_context *context = nullptr;
  const std::function<Error()> look = [this] { return lookAtWorld(); }; // for waits of the server
  std::vector<Stream> streams; // by rank: for the requests of this one
  std::vector<char> received;
  std::unique_ptr<Service> service; // is destroyed first
};
} // namespace

std::unique_ptr<FreeRank> makeProcessRank(std::shared_ptr<ParameterServer> server,
                                          ArrayRef<ShardTraffic> shards, int64_t rank,
                                          int64_t numRanks, int64_t begin, int64_t timeoutMs) {
  return std::make_unique<ProcessRank>(std::move(server), shards, rank, numRanks, begin, timeoutMs);
}

} // namespace ds
