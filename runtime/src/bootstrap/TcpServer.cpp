//===- TcpServer.cpp - The server of a store among processes ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread, one poll over all connections, no blocking call. A peer is unauthenticated until it
// has proved that it knows the secret; such peers may send `joinBytes` bytes within a few seconds,
// and only so many are kept, the oldest making room. A joined rank has at most one request under
// way; a request that must wait is tried again when its key has changed.
//
// A joined connection that ends without a goodbye is a rank that has died: a failure of all ranks.
//
//===----------------------------------------------------------------------===//
#include "TcpServer.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>

namespace dsrt::bootstrap {

void Server::acceptPeers() {
  while (true) {
    Connection connection;
    connection.socket = listener.accept();
    if (!connection.socket) {
      // Out of descriptors: the listener stays readable, so pause accepting for a while.
      if (errno != EAGAIN && errno != EINTR)
        acceptAfter = Deadline::in(100);
      return;
    }
    connection.nonce = randomBytes(nonceBytes);
    if (connection.nonce.empty())
      return;
    connection.out = std::string(magic, magicBytes) + connection.nonce;
    connection.joinDeadline = Deadline::in(joinTimeoutMs);
    auto isUnauthenticated = [](const Connection &one) { return one.rank < 0; };
    if (static_cast<size_t>(std::count_if(connections.begin(), connections.end(),
                                          isUnauthenticated)) >= maxUnauthenticated)
      connections.erase(std::find_if(connections.begin(), connections.end(), isUnauthenticated));
    connections.push_back(std::move(connection));
  }
}

// Reads what has arrived. False: the connection is over.
bool Server::receive(Connection &connection) {
  char buffer[65536];
  while (true) {
    // An unauthenticated peer's bytes beyond the join, and a rank's beyond one frame, stay in the
    // system.
    const size_t limit = connection.rank < 0 ? joinBytes : maxFrameBytes;
    if (connection.in.size() >= limit)
      return true;
    const size_t room = std::min(sizeof buffer, limit - connection.in.size());
    const ssize_t n = recv(connection.socket.get(), buffer, room, 0);
    if (n == 0)
      return false;
    if (n < 0)
      return errno == EAGAIN || errno == EINTR;
    connection.in.append(buffer, static_cast<size_t>(n));
    if (!(connection.rank < 0 ? join(connection) : serve(connection)))
      return false;
  }
}

bool Server::send(Connection &connection) {
  while (!connection.out.empty()) {
    const ssize_t n =
        ::send(connection.socket.get(), connection.out.data(), connection.out.size(), MSG_NOSIGNAL);
    if (n < 0)
      return errno == EAGAIN || errno == EINTR;
    connection.out.erase(0, static_cast<size_t>(n));
  }
  return !connection.closing;
}

bool Server::join(Connection &connection) {
  std::string &in = connection.in;
  if (in.compare(0, std::min(in.size(), magicBytes), magic, std::min(in.size(), magicBytes)) != 0)
    return false;
  if (in.size() < joinBytes)
    return true;
  constexpr size_t claimBytes = 4 + 4 + jobBytes;
  const std::string claim = in.substr(magicBytes, claimBytes);
  const std::string nonce = in.substr(magicBytes + claimBytes, nonceBytes);
  Digest proof;
  std::copy_n(in.begin() + magicBytes + claimBytes + nonceBytes, macBytes, proof.begin());
  in.clear();
  Reader reader(claim);
  auto rank = static_cast<uint32_t>(reader.integer(4));
  const auto size = static_cast<uint32_t>(reader.integer(4));

  Greeting greeting = Greeting::welcome;
  if (!equalInConstantTime(proof, proofOfRank(secret, connection.nonce, nonce, claim)))
    greeting = Greeting::wrongSecret;
  else if (claim != claimOfRank(rank, size, job))
    greeting = Greeting::wrongJob;
  else if (size != static_cast<uint32_t>(numRanks) ||
           (rank >= size && !(roster && rank == anyRank)))
    greeting = Greeting::wrongSize;
  else if (roster ? (rank = freeSeat(rank)) >= size : seats[rank] != Seat::empty)
    greeting = Greeting::rankTaken;
  connection.out.push_back(static_cast<char>(greeting));
  if (greeting != Greeting::welcome) {
    connection.closing = true;
    return true;
  }
  const Digest welcome = proofOfServer(secret, connection.nonce, nonce);
  connection.out.append(welcome.begin(), welcome.end());
  connection.rank = static_cast<int32_t>(rank);
  connection.seals = sealsOf(secret, connection.nonce, nonce);
  seats[rank] = Seat::taken;
  if (roster)
    ++remaining;
  return true;
}

/// Returns the wanted number if no member has it, else the lowest that is free; one beyond the last
/// if all are taken.
uint32_t Server::freeSeat(uint32_t wanted) const {
  if (wanted != anyRank && seats[wanted] != Seat::taken)
    return wanted;
  return static_cast<uint32_t>(
      std::find_if(seats.begin(), seats.end(), [](Seat seat) { return seat != Seat::taken; }) -
      seats.begin());
}

void Server::reply(Connection &connection, const Writer &body) {
  connection.out += connection.seals.ofServer.frame(body.out);
}

/// An intruder uses a rank's connection: a failure of all ranks, which this rank gets, too.
void Server::distrust(Connection &connection) {
  if (roster) { // this member is lost, the others go on
    connection.waiting.clear();
    connection.closing = true;
    return;
  }
  const std::string text = std::string("a message on its connection to the store ") + isNotTheNext;
  table.fail(connection.rank, DSRT_PEER_FAILED, text);
  failureIsNews = true;
  Writer out;
  out.byte(static_cast<uint8_t>(Answer::failed));
  out.integer(DSRT_PEER_FAILED, 4);
  out.string("rank " + std::to_string(connection.rank) + ": " + text);
  out.integer(static_cast<uint64_t>(connection.rank), 4);
  reply(connection, out);
  connection.waiting.clear();
  connection.closing = true;
}

// Takes one whole frame at a time. False: a frame that no store of ours sends.
bool Server::serve(Connection &connection) {
  std::string &in = connection.in;
  while (in.size() >= frameHeaderBytes && !connection.closing) {
    Reader header(in);
    const size_t length = header.integer(4);
    if (length == 0 || length > maxBodyBytes)
      return false;
    if (in.size() < frameHeaderBytes + length)
      return true;
    const bool pollNow = length == 1 && in[frameHeaderBytes] == static_cast<char>(Request::pollNow);
    if (!pollNow && !connection.waiting.empty())
      return true; // its turn comes later
    const std::string code = in.substr(4, macBytes), body = in.substr(frameHeaderBytes, length);
    in.erase(0, frameHeaderBytes + length);
    if (!connection.seals.ofRank.fits(code, body)) {
      distrust(connection);
      return true;
    }
    if (pollNow) {
      connection.waitingDeadline = Deadline(); // found by lookAgain, or the answer is on its way
      continue;
    }
    Writer out;
    if (!answer(connection, body, /*expired=*/false, out))
      return false;
    if (out.out.empty())
      connection.waiting = body;
    else
      reply(connection, out);
  }
  return true;
}

/// Tries again the requests whose key has changed, whose time is up, or that a failure ends.
void Server::lookAgain() {
  const std::set<std::string> keys = std::move(changed);
  changed.clear();
  const bool all = std::exchange(failureIsNews, false);
  for (Connection &connection : connections) {
    if (connection.waiting.empty())
      continue;
    const bool expired = connection.waitingDeadline.passed();
    if (!all && !expired && !keys.count(connection.waitingKey))
      continue;
    Writer out;
    (void)answer(connection, connection.waiting, expired, out);
    if (out.out.empty())
      continue;
    connection.waiting.clear();
    reply(connection, out);
  }
}

void Server::lose(Connection &connection) {
  if (connection.rank < 0 || seats[connection.rank] != Seat::taken)
    return;
  seats[connection.rank] = Seat::left;
  --remaining;
  if (roster)
    return roster->leave(connection.rank);
  table.fail(connection.rank, DSRT_PEER_FAILED,
             "its connection was lost; the process has ended, or its network");
  failureIsNews = true;
}

/// No timer is needed while there is no deadline.
int Server::untilNextLook() const {
  Deadline first = Deadline::in(1000);
  bool any = false;
  auto consider = [&](const Deadline &deadline) {
    any = true;
    first = std::min(first, deadline);
  };
  for (const Connection &connection : connections) {
    if (connection.rank < 0)
      consider(connection.joinDeadline);
    if (!connection.waiting.empty())
      consider(connection.waitingDeadline);
  }
  if (!acceptAfter.passed())
    consider(acceptAfter);
  if (roster && roster->patience())
    consider(*roster->patience());
  return any ? first.sliceMs() : 1000;
}

void Server::run() {
  std::vector<pollfd> entries;
  while (!stop) {
    entries.clear();
    const bool accepting = acceptAfter.passed();
    entries.push_back({wake.get(), POLLIN, 0});
    entries.push_back({accepting ? listener.get() : -1, POLLIN, 0});
    for (const Connection &connection : connections) {
      short events = connection.in.size() < maxFrameBytes ? POLLIN : POLLRDHUP;
      if (!connection.out.empty())
        events = static_cast<short>(events | POLLOUT);
      entries.push_back({connection.socket.get(), events, 0});
    }
    const bool news = !changed.empty() || failureIsNews;
    if (::poll(entries.data(), entries.size(), news ? 0 : untilNextLook()) < 0 && errno != EINTR)
      acceptAfter = Deadline::in(100); // out of memory: try again a little later
    size_t at = 2;
    for (auto it = connections.begin(); it != connections.end(); ++at) {
      const short seen = entries[at].revents;
      bool alive = true;
      if (seen & (POLLIN | POLLHUP | POLLERR))
        alive = receive(*it);
      if (seen & POLLRDHUP)
        alive = false;
      // A rank may have sent the next request while its last one waited.
      if (alive && it->rank >= 0)
        alive = serve(*it);
      if (alive && !it->out.empty())
        alive = send(*it);
      if (alive && it->rank < 0 && !it->closing && it->joinDeadline.passed())
        alive = false;
      if (alive) {
        ++it;
        continue;
      }
      lose(*it);
      it = connections.erase(it);
    }
    if (roster && roster->decide()) {
      refused = roster->isRefused();
      changed.insert(rosterKey);
    }
    lookAgain();
    for (Connection &connection : connections)
      if (!connection.out.empty() && !send(connection))
        connection.closing = true; // found by the next poll
    if (entries[1].revents)
      acceptPeers();
  }
}

dsrt_status startTcpServer(const TcpOptions &options, std::unique_ptr<TcpServer> &outServer,
                           dsrt_error *error) {
  Socket listener;
  int32_t port = options.port;
  bool onAll = false;
  if (dsrt_status status = Socket::listen(options.address, port, listener, onAll, error);
      status != DSRT_OK)
    return status;
  outServer = std::make_unique<Server>(options, std::move(listener), port,
                                       onAll ? std::string() : options.address);
  return DSRT_OK;
}

} // namespace dsrt::bootstrap
