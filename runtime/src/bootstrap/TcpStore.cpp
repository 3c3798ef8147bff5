//===- TcpStore.cpp - A rank's connection to the store ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One request under way at a time. A call that waits asks the server to wait for a fifth of a
// second and then asks again, and threads take turns, so that a long wait keeps no other thread
// out.
//
//===----------------------------------------------------------------------===//
#include "StoreTable.h"
#include "TcpJoin.h"
#include "Wire.h"
#include "base/Messages.h"
#include "base/Threads.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

namespace dsrt::bootstrap {
namespace {

constexpr int64_t requestMs = 5000; // that the server is asked to wait at most
constexpr int64_t answerMs = 30000; // that a roster may take to answer: its process may be stopped
constexpr int64_t graceMs = 1000;   // for the server's answer, beyond the call's own timeout
constexpr size_t maxAnswerBytes = maxTableBytes + (size_t(1) << 20);

/// First come, first served: a mutex lets a thread that asks again at once win for ever. A thread
/// that queues makes `nudge` readable, so that the thread that waits for the server can ask for an
/// answer now.
class Turns {
public:
  class Scope {
  public:
    explicit Scope(Turns &turns) : turns(turns) {
      std::unique_lock<std::mutex> lock(turns.mutex);
      const uint64_t mine = turns.next++, one = 1;
      if (turns.current != mine)
        (void)!::write(turns.nudge.get(), &one, sizeof one);
      turns.moved.wait(lock, [&] { return turns.current == mine; });
      if (turns.next == mine + 1) { // no thread is queued after us
        uint64_t ignored;
        (void)!::read(turns.nudge.get(), &ignored, sizeof ignored);
      }
    }
    ~Scope() {
      std::lock_guard<std::mutex> lock(turns.mutex);
      ++turns.current;
      turns.moved.notify_all();
    }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    Turns &turns;
  };

  Socket nudge = Socket(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));

private:
  std::mutex mutex;
  std::condition_variable moved;
  uint64_t next = 0, current = 0;
};

class TcpStore final : public Store {
public:
  TcpStore(const TcpOptions &options, Socket socket, const Seals &seals,
           std::unique_ptr<TcpServer> server)
      : options(options), server(std::move(server)), socket(std::move(socket)), seals(seals) {}

  int32_t rank() const override { return options.rank; }
  int32_t numRanks() const override { return options.numRanks; }
  std::string ownAddress() const override {
    return options.rank == 0 && !options.isMember ? options.address : socket.ownAddress();
  }
  std::string keyFor(const std::string &purpose) const override {
    return keyOf(options.secret, options.job, purpose);
  }

  dsrt_status set(const std::string &key, const std::string &value, int64_t timeoutMs,
                  dsrt_error *error) override {
    Writer request = begin(Request::set);
    request.string(key);
    request.string(value);
    return checked(key, value, request, timeoutMs, error, [](Reader &) {});
  }

  dsrt_status add(const std::string &key, int64_t amount, int64_t timeoutMs, int64_t &outSum,
                  dsrt_error *error) override {
    Writer request = begin(Request::add);
    request.string(key);
    request.number(amount);
    return checked(key, "", request, timeoutMs, error,
                   [&](Reader &answer) { outSum = answer.number(); });
  }

  dsrt_status erase(const std::string &key, int64_t timeoutMs, dsrt_error *error) override {
    Writer request = begin(Request::erase);
    request.string(key);
    return checked(key, "", request, timeoutMs, error, [](Reader &) {});
  }

  dsrt_status get(const std::string &key, int64_t timeoutMs, std::string &outValue,
                  dsrt_error *error) override {
    const Deadline deadline = Deadline::in(timeoutMs);
    while (true) {
      const int64_t wait = std::min(deadline.leftMs(), requestMs);
      Writer request = begin(Request::get);
      request.integer(static_cast<uint64_t>(wait), 4);
      request.string(key);
      bool there = true;
      dsrt_status status = ask(request, deadline, error, [&](Answer kind, Reader &answer) {
        there = kind == Answer::done;
        if (there)
          outValue = answer.string();
      });
      if (status != DSRT_OK || there)
        return status;
      if (wait == 0)
        break;
    }
    return failWith(error, DSRT_TIMEOUT,
                    "timed out after %lld ms waiting for the key '%.200s' of the store",
                    static_cast<long long>(timeoutMs), key.c_str());
  }

  dsrt_status exchange(const std::string &name, const std::vector<int32_t> &members, int32_t index,
                       const std::string &value, int64_t timeoutMs,
                       std::vector<std::string> &outValues, dsrt_error *error) override;

  void fail(dsrt_status status, const std::string &text) override {
    Writer request = begin(Request::fail);
    request.integer(status, 4);
    request.string(text.substr(0, 4096));
    dsrt_error ignored = {};
    (void)ask(request, Deadline(), &ignored, [](Answer, Reader &) {});
  }

  dsrt_status poll(int64_t timeoutMs, dsrt_error *error) override {
    constexpr uint64_t interval = 50000000; // ns
    {
      std::lock_guard<std::mutex> lock(stateMutex);
      if (broken != DSRT_OK) {
        *error = brokenError;
        return broken;
      }
      if (now() - lastPoll < interval)
        return DSRT_OK;
      lastPoll = now();
    }
    Writer request = begin(Request::poll);
    return ask(request, Deadline::in(timeoutMs), error, [](Answer, Reader &) {});
  }

  void leave(int64_t timeoutMs) override {
    const Deadline deadline = Deadline::in(timeoutMs);
    dsrt_error ignored = {};
    // After a failure the others need the server a little longer, to learn of it.
    while (server && server->remainingRanks() > 1 && !deadline.passed())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    (void)ask(begin(Request::leave), Deadline(), &ignored, [](Answer, Reader &) {});
    // A failed rank sends nothing more; the end of its connection shows the server that it has
    // gone.
    Turns::Scope turn(turns);
    socket = Socket();
  }

  int32_t port() const { return options.port; }

  dsrt_status arrive(const Arrival &arrival, RosterPlace &outPlace, dsrt_error *error) {
    for (bool there = false; !there;) {
      Writer request = begin(Request::arrive);
      request.integer(requestMs, 4);
      request.string(arrival.host);
      request.string(arrival.address);
      request.integer(static_cast<uint64_t>(arrival.port), 4);
      for (int32_t rank : arrival.late)
        request.integer(static_cast<uint64_t>(rank), 4);
      dsrt_status status =
          ask(request, Deadline::in(requestMs + answerMs), error, [&](Answer kind, Reader &answer) {
            there = kind == Answer::done;
            if (!there)
              return;
            outPlace.generation = answer.number();
            outPlace.rank = static_cast<int32_t>(answer.integer(4));
            outPlace.size = static_cast<int32_t>(answer.integer(4));
            outPlace.address = answer.string();
            outPlace.port = static_cast<int32_t>(answer.integer(4));
          });
      if (status != DSRT_OK)
        return status;
    }
    return DSRT_OK;
  }

  dsrt_status look(int64_t generation, RosterNews &outNews, dsrt_error *error) {
    Writer request = begin(Request::look);
    request.number(generation);
    return ask(request, Deadline::in(answerMs), error, [&](Answer, Reader &answer) {
      outNews.isAwaited = answer.byte() != 0;
      outNews.isBroken = answer.byte() != 0;
    });
  }

private:
  static Writer begin(Request request) {
    Writer writer;
    writer.byte(static_cast<uint8_t>(request));
    return writer;
  }

  /// Sends a request and hands a good answer (done or notYet) to `take`.
  template <typename Take>
  dsrt_status ask(const Writer &request, const Deadline &deadline, dsrt_error *error, Take take);

  template <typename Take>
  dsrt_status checked(const std::string &key, const std::string &value, const Writer &request,
                      int64_t timeoutMs, dsrt_error *error, Take take) {
    if (key.size() > maxKeyBytes || value.size() > maxValueBytes)
      return failWith(error, DSRT_INVALID_ARGUMENT,
                      "a key of %zu and a value of %zu bytes exceed the store's %zu and %zu",
                      key.size(), value.size(), maxKeyBytes, maxValueBytes);
    return ask(request, Deadline::in(timeoutMs), error,
               [&](Answer, Reader &answer) { take(answer); });
  }

  /// Marks the connection as unusable: every later call returns the same status.
  dsrt_status breakOff(dsrt_status status, const dsrt_error &error) {
    std::lock_guard<std::mutex> lock(stateMutex);
    if (broken == DSRT_OK) {
      broken = status;
      brokenError = error;
    }
    return broken;
  }

  const TcpOptions options;
  std::unique_ptr<TcpServer> server; // rank 0
  Turns turns;                       // of the socket, its seals and the rounds
  Socket socket;
  Seals seals;
  std::unordered_map<std::string, uint64_t> rounds;
  std::mutex stateMutex; // guards the members below
  dsrt_status broken = DSRT_OK;
  dsrt_error brokenError = {};
  uint64_t lastPoll = 0;
};

template <typename Take>
dsrt_status TcpStore::ask(const Writer &request, const Deadline &deadline, dsrt_error *error,
                          Take take) {
  Turns::Scope turn(turns);
  {
    std::lock_guard<std::mutex> lock(stateMutex);
    if (broken != DSRT_OK) {
      *error = brokenError;
      return broken;
    }
  }
  const Deadline last = deadline.later(graceMs);
  std::string header, body;
  bool good = socket.write(seals.ofRank.frame(request.out), last);
  if (good && socket.waitReadable(turns.nudge.get(), last) == Socket::Event::other)
    good = socket.write(seals.ofRank.frame(begin(Request::pollNow).out), last);
  good = good && socket.read(header, frameHeaderBytes, last);
  if (good) {
    Reader length(header);
    const size_t bytes = length.integer(4);
    good = bytes >= 1 && bytes <= maxAnswerBytes && socket.read(body, bytes, last);
  }
  if (!good) {
    const bool late = last.passed();
    setText(error,
            late ? "the store of rank 0 at %s:%d does not answer"
                 : "lost the connection to the store of rank 0 at %s:%d; its process has "
                   "ended, or the network",
            options.address.c_str(), options.port);
    error->num_late = 1;
    error->late[0] = 0;
    return breakOff(late ? DSRT_TIMEOUT : DSRT_PEER_FAILED, *error);
  }
  if (!seals.ofServer.fits(header.substr(4), body)) {
    setText(error, "an answer of the store of rank 0 at %s:%d %s", options.address.c_str(),
            options.port, isNotTheNext);
    error->num_late = 1;
    error->late[0] = 0;
    return breakOff(DSRT_PEER_FAILED, *error);
  }
  Reader reader(body);
  switch (static_cast<Answer>(reader.byte())) {
  case Answer::done:
    take(Answer::done, reader);
    break;
  case Answer::notYet:
    take(Answer::notYet, reader);
    break;
  case Answer::failed: {
    const auto status = static_cast<dsrt_status>(reader.integer(4));
    setText(error, "%s", reader.string().c_str());
    const auto rank = static_cast<int32_t>(reader.integer(4));
    error->num_late = rank >= 0;
    error->late[0] = rank;
    return breakOff(status, *error);
  }
  case Answer::refused:
    return failWith(error, DSRT_MISMATCH, "ranks disagree on the members, or the store is full");
  }
  return DSRT_OK;
}

dsrt_status TcpStore::exchange(const std::string &name, const std::vector<int32_t> &members,
                               int32_t index, const std::string &value, int64_t timeoutMs,
                               std::vector<std::string> &outValues, dsrt_error *error) {
  if (name.size() > maxKeyBytes || value.size() > maxValueBytes)
    return checked(name, value, Writer(), timeoutMs, error, [](Reader &) {});
  std::string round;
  {
    Turns::Scope turn(turns);
    round = name + '#' + std::to_string(++rounds[name]);
  }
  const Deadline deadline = Deadline::in(timeoutMs);
  std::vector<int32_t> late;
  for (bool first = true;; first = false) {
    const int64_t wait = std::min(deadline.leftMs(), requestMs);
    Writer request = begin(Request::exchange);
    request.integer(static_cast<uint64_t>(wait), 4);
    request.string(round);
    request.integer(members.size(), 4);
    request.integer(static_cast<uint64_t>(index), 4);
    request.string(first ? value : ""); // the server has it already
    bool there = false;
    dsrt_status status = ask(request, deadline, error, [&](Answer kind, Reader &answer) {
      there = kind == Answer::done;
      outValues.clear();
      late.clear();
      for (size_t m = 0; m < members.size() && there; ++m)
        outValues.push_back(answer.string());
      while (!there && !answer.atEnd() && answer.ok())
        late.push_back(static_cast<int32_t>(answer.integer(4)));
    });
    if (status == DSRT_MISMATCH)
      setText(error, "ranks disagree on the members of '%.200s', or the store is full",
              name.c_str());
    if (status != DSRT_OK || there)
      return status;
    if (wait == 0)
      break;
  }
  for (int32_t &rank : late)
    rank = rank >= 0 && rank < static_cast<int32_t>(members.size()) ? members[rank] : rank;
  setLate(error, timeoutMs, late);
  return DSRT_TIMEOUT;
}

} // namespace

dsrt_status arriveAt(Store &roster, const Arrival &arrival, RosterPlace &outPlace,
                     dsrt_error *error) {
  return static_cast<TcpStore &>(roster).arrive(arrival, outPlace, error);
}

dsrt_status lookAt(Store &roster, int64_t generation, RosterNews &outNews, dsrt_error *error) {
  return static_cast<TcpStore &>(roster).look(generation, outNews, error);
}

int32_t portOf(const Store &store) { return static_cast<const TcpStore &>(store).port(); }

std::shared_ptr<Store> makeTcpStore(const TcpOptions &options, Socket socket, const Seals &seals,
                                    std::unique_ptr<TcpServer> server) {
  return std::make_shared<TcpStore>(options, std::move(socket), seals, std::move(server));
}

} // namespace dsrt::bootstrap
