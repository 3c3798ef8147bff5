//===- Mesh.cpp - A connection between each two ranks -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Mesh.h"
#include "base/Messages.h"
#include "bootstrap/Hello.h"
#include "bootstrap/Machine.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <poll.h>

using namespace dsrt::bootstrap;

namespace dsrt::tcp {
namespace {

// Incremented with any change of what ranks send one another (Pump.h).
constexpr char protocol[] = "dsrt-tcp 3";
// The size of a rank's rings together, and of one: small enough for a cache, large enough for a
// piece.
constexpr size_t ringsBytes = size_t(1) << 23;
constexpr size_t leastRingBytes = size_t(1) << 16, mostRingBytes = size_t(1) << 19;

/// The data of a rank that the others need.
struct Card {
  std::string protocol, address, token;
  std::string machine, nameOnMachine; // "": it has no socket there
  int32_t port = 0, placeOnHost = 0;

  std::string pack() const {
    Writer out;
    out.string(protocol);
    out.integer(static_cast<uint64_t>(port), 4);
    out.integer(static_cast<uint64_t>(placeOnHost), 4);
    out.string(address);
    out.string(token);
    out.string(machine);
    out.string(nameOnMachine);
    return out.out;
  }
  bool unpack(const std::string &text) {
    Reader in(text);
    protocol = in.string();
    port = static_cast<int32_t>(in.integer(4));
    placeOnHost = static_cast<int32_t>(in.integer(4));
    address = in.string();
    token = in.string();
    machine = in.string();
    nameOnMachine = in.string();
    return in.atEnd() && token.size() == tokenBytes;
  }
};

class Joining {
public:
  Joining(Store &store, int32_t placeOnHost, int64_t timeoutMs, Mesh &mesh, dsrt_error *error)
      : store(store), placeOnHost(placeOnHost), timeoutMs(timeoutMs),
        deadline(Deadline::in(timeoutMs)), mesh(mesh), error(error), rank(store.rank()),
        size(store.numRanks()), sockets(static_cast<size_t>(size)) {}

  dsrt_status run() {
    mesh.channels.clear();
    mesh.channels.resize(static_cast<size_t>(size));
    mesh.hostOf.assign(static_cast<size_t>(size), 0);
    if (size == 1)
      return DSRT_OK;
    dsrt_status status = tellOthers();
    if (status == DSRT_OK)
      findHosts();
    for (int32_t r = 0; r < rank && status == DSRT_OK; ++r)
      status = call(r);
    if (status == DSRT_OK)
      status = acceptOthers();
    for (int32_t r = 0; r < rank && status == DSRT_OK; ++r)
      status = readAnswer(r);
    for (int32_t r = 0; r < size && status == DSRT_OK; ++r)
      mesh.channels[r] = Channel(std::move(sockets[r]));
    for (int32_t r = 0; r < rank && status == DSRT_OK; ++r)
      status = giveRings(r);
    for (int32_t r = rank + 1; r < size && status == DSRT_OK; ++r)
      status = takeRings(r);
    return status;
  }

private:
  dsrt_status tellOthers() {
    Card mine;
    mine.protocol = protocol;
    mine.placeOnHost = placeOnHost;
    mine.token = randomBytes(tokenBytes);
    if (mine.token.empty())
      return failWith(error, DSRT_INTERNAL, "the system gives no random bytes");
    mine.address = store.ownAddress();
    bool onAll = false;
    if (dsrt_status status = Socket::listen(mine.address, mine.port, listener, onAll, error);
        status != DSRT_OK)
      return status;
    mine.machine = nameOfMachine();
    onMachine = Socket::listenOnMachine(mine.nameOnMachine);
    std::vector<int32_t> everyone(static_cast<size_t>(size));
    for (int32_t r = 0; r < size; ++r)
      everyone[r] = r;
    std::vector<std::string> told;
    if (dsrt_status status = store.exchange("dsrt.tcp.cards", everyone, rank, mine.pack(),
                                            deadline.leftMs(), told, error);
        status != DSRT_OK)
      return status;
    cards.resize(static_cast<size_t>(size));
    for (int32_t r = 0; r < size; ++r) {
      const bool good = cards[r].unpack(told[r]);
      if (!good || cards[r].protocol != protocol)
        return failWith(error, DSRT_MISMATCH,
                        "rank %d speaks '%.40s', rank %d speaks '%s': they belong to different "
                        "versions of ds",
                        r, good ? cards[r].protocol.c_str() : "something else", rank, protocol);
    }
    std::vector<std::string> tokens;
    for (const Card &card : cards)
      tokens.push_back(card.token);
    hello = Hello(store.keyFor("tcp"), rank, std::move(tokens));
    return DSRT_OK;
  }

  void findHosts() {
    for (int32_t r = 1; r < size; ++r) {
      const bool goesOn = cards[r].placeOnHost == cards[r - 1].placeOnHost + 1;
      mesh.hostOf[r] = mesh.hostOf[r - 1] + !goesOn;
    }
  }

  /// True if a rank shares memory with this one. Ranks that launchers put on one host may be in
  /// containers of it.
  bool isNear(int32_t other) const {
    const Card &mine = cards[rank], &theirs = cards[other];
    return other != rank && mesh.hostOf[other] == mesh.hostOf[rank] &&
           mine.machine == theirs.machine && !mine.nameOnMachine.empty() &&
           !theirs.nameOnMachine.empty();
  }

  /// Called while a rank is awaited: fails if another rank has failed meanwhile, or the deadline
  /// has passed.
  dsrt_status lookAround(const std::vector<int32_t> &awaited, const std::string &why = "") {
    if (dsrt_status status = store.poll(timeoutMs, error); status != DSRT_OK)
      return status;
    if (!deadline.passed())
      return DSRT_OK;
    setLate(error, timeoutMs, awaited);
    if (!why.empty())
      setText(error, "timed out after %" PRId64 " ms connecting to rank %d at %.200s:%d: %s",
              timeoutMs, awaited[0], cards[awaited[0]].address.c_str(), cards[awaited[0]].port,
              why.c_str());
    return DSRT_TIMEOUT;
  }

  Socket callOnMachine(const Card &card, std::string &why) const {
    Socket socket = Socket::connectOnMachine(card.nameOnMachine);
    if (!socket)
      why = std::strerror(errno);
    return socket;
  }
  Socket dial(const Card &card, std::string &why) const {
    Dial dial(card.address, card.port, deadline, why);
    return dial.next(std::min(deadline, Deadline::in(1000)), why);
  }

  dsrt_status call(int32_t other) {
    const Card &card = cards[other];
    while (true) {
      std::string why = "no process answers";
      if (Socket socket = isNear(other) ? callOnMachine(card, why) : dial(card, why);
          socket && socket.write(hello.call(other), deadline)) {
        sockets[other] = std::move(socket);
        return DSRT_OK;
      }
      if (dsrt_status status = lookAround({other}, why); status != DSRT_OK)
        return status;
      (void)listener.waitReadable(-1, std::min(deadline, Deadline::in(50))); // a pause
    }
  }

  dsrt_status acceptOthers() {
    std::vector<int32_t> above;
    for (int32_t r = rank + 1; r < size; ++r)
      above.push_back(r);
    std::vector<const Socket *> listeners = {&listener};
    if (onMachine)
      listeners.push_back(&onMachine);
    return acceptRanks(listeners, hello, above, deadline, sockets,
                       [&](const auto &missing) { return lookAround(missing); });
  }

  /// Waits until the other rank sends something.
  dsrt_status waitFor(int descriptor, int32_t other) {
    while (true) {
      pollfd entry = {descriptor, POLLIN, 0};
      if (::poll(&entry, 1, std::min(deadline.sliceMs(), 50)) > 0)
        return DSRT_OK;
      if (dsrt_status status = lookAround({other}); status != DSRT_OK)
        return status;
    }
  }

  dsrt_status readAnswer(int32_t other) {
    std::string said;
    if (dsrt_status status = waitFor(sockets[other].get(), other); status != DSRT_OK)
      return status;
    if (!sockets[other].read(said, helloBytes, deadline) || !hello.isAnswer(said, other))
      return failWith(error, DSRT_UNAVAILABLE,
                      "what listens at %.200s:%d is not rank %d of this job",
                      cards[other].address.c_str(), cards[other].port, other);
    return DSRT_OK;
  }

  dsrt_status giveRings(int32_t other) {
    if (!isNear(other))
      return DSRT_OK;
    size_t near = 0, bytes = mostRingBytes;
    for (int32_t r = 0; r < size; ++r)
      near += isNear(r);
    while (bytes > leastRingBytes && bytes * 2 * near > ringsBytes)
      bytes /= 2;
    if (mesh.channels[other].giveRings(bytes))
      return DSRT_OK;
    setText(error, "rank %d has left while this rank connected to it", other);
    error->num_late = 1;
    error->late[0] = other;
    return DSRT_PEER_FAILED;
  }

  dsrt_status takeRings(int32_t other) {
    if (!isNear(other))
      return DSRT_OK;
    const dsrt_status status = waitFor(mesh.channels[other].get(), other);
    return status == DSRT_OK ? mesh.channels[other].takeRings(other, error) : status;
  }

  Store &store;
  const int32_t placeOnHost;
  const int64_t timeoutMs;
  const Deadline deadline;
  Mesh &mesh;
  dsrt_error *error;
  const int32_t rank, size;
  std::vector<Socket> sockets; // by rank, until they are channels
  Socket listener, onMachine;
  std::vector<Card> cards;
  Hello hello;
};

} // namespace

dsrt_status connectMesh(Store &store, int32_t placeOnHost, int64_t timeoutMs, Mesh &outMesh,
                        dsrt_error *error) {
  return Joining(store, placeOnHost, timeoutMs, outMesh, error).run();
}

} // namespace dsrt::tcp
