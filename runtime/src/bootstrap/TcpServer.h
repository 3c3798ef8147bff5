//===- TcpServer.h - The server of a store among processes ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_TCPSERVER_H
#define DSRT_SRC_BOOTSTRAP_TCPSERVER_H

#include "Seal.h"
#include "Socket.h"
#include "StoreTable.h"
#include "TcpStore.h"
#include "Wire.h"

#include <atomic>
#include <list>
#include <set>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

namespace dsrt::bootstrap {

constexpr size_t maxUnauthenticated = 128;
constexpr size_t maxBodyBytes = maxKeyBytes + maxValueBytes + 256;
constexpr size_t maxFrameBytes = frameHeaderBytes + maxBodyBytes;

/// The key that members of a roster wait for until it has decided.
constexpr char rosterKey[] = "roster";

struct Connection {
  Socket socket;
  std::string in, out;
  int32_t rank = -1; // an unauthenticated peer
  std::string nonce;
  Seals seals; // of a rank
  Deadline joinDeadline;
  std::string waiting; // body of the request that has no answer yet
  std::string waitingKey;
  Deadline waitingDeadline;
  bool closing = false; // when `out` is empty
};

/// TcpServer.cpp has the connections, TcpRequests.cpp the requests of ranks.
class Server final : public TcpServer {
public:
  Server(const TcpOptions &options, Socket listener, int32_t port, const std::string &address)
      : secret(options.secret), job(options.job), numRanks(options.numRanks),
        listener(std::move(listener)), boundPort(port), boundAddress(address),
        roster(options.roster ? std::optional<Roster>(*options.roster) : std::nullopt),
        seats(options.numRanks), remaining(options.roster ? 0 : options.numRanks),
        wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), thread([this] { run(); }) {}
  ~Server() override {
    stop = true;
    const uint64_t one = 1;
    (void)!::write(wake.get(), &one, sizeof one);
    thread.join();
  }
  int32_t port() const override { return boundPort; }
  const std::string &address() const override { return boundAddress; }
  int32_t remainingRanks() const override { return remaining; }
  bool isRefused() const override { return refused; }
  void setJoinTimeout(int64_t ms) override { joinTimeoutMs = ms; }

private:
  enum class Seat : uint8_t { empty, taken, left };

  void run();
  void acceptPeers();
  bool receive(Connection &connection);
  bool send(Connection &connection);
  bool join(Connection &connection);
  bool serve(Connection &connection);
  void distrust(Connection &connection);
  /// Writes the answer, or nothing if the request has to wait.
  bool answer(Connection &connection, const std::string &body, bool expired, Writer &reply);
  void exchange(Connection &connection, Reader &reader, bool expired, Writer &reply, bool &waits);
  uint32_t freeSeat(uint32_t wanted) const;
  bool answerMember(Connection &connection, Request request, Reader &reader, bool expired,
                    Writer &out);
  void reply(Connection &connection, const Writer &body);
  void lookAgain();
  void lose(Connection &connection);
  int untilNextLook() const;

  const std::string secret, job;
  const int32_t numRanks;
  const Socket listener;
  const int32_t boundPort;
  const std::string boundAddress;
  StoreTable table;
  std::optional<Roster> roster;
  std::vector<Seat> seats;
  std::atomic<int32_t> remaining; // ranks that have neither left nor been lost; members now
  std::atomic<bool> refused{false};
  std::list<Connection> connections;
  std::set<std::string> changed; // keys since the last look
  bool failureIsNews = false;
  Deadline acceptAfter;
  std::atomic<int64_t> joinTimeoutMs{5000};
  std::atomic<bool> stop{false};
  Socket wake;
  std::thread thread; // last: it uses all of the above
};

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_TCPSERVER_H
