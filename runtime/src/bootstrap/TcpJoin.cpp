//===- TcpJoin.cpp - Joining the store of a job -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TcpJoin.h"
#include "Wire.h"
#include "base/Messages.h"

#include <algorithm>
#include <thread>

namespace dsrt::bootstrap {
namespace {

enum class Joined { yes, no, refused };

/// Greets the server at the other end of a connection. `refused` is final; otherwise the peer may
/// be another program, or the server may not be up yet.
Joined greet(const TcpOptions &options, const Deadline &deadline, Socket &socket, Seals &outSeals,
             std::string &why) {
  std::string challenge, greeting;
  why = "it does not speak the protocol of a ds store";
  if (!socket.read(challenge, challengeBytes, std::min(deadline, Deadline::in(5000))) ||
      challenge.compare(0, magicBytes, magic, magicBytes) != 0)
    return Joined::no;
  const std::string serverNonce = challenge.substr(magicBytes), nonce = randomBytes(nonceBytes);
  if (nonce.empty()) {
    why = "the system gives no random bytes";
    return Joined::refused;
  }
  const auto rank = static_cast<uint32_t>(options.rank); // -1 is anyRank
  const auto size = static_cast<uint32_t>(options.numRanks);
  Writer join;
  const std::string claim = claimOfRank(rank, size, options.job);
  const Digest proof = proofOfRank(options.secret, serverNonce, nonce, claim);
  join.out =
      std::string(magic, magicBytes) + claim + nonce + std::string(proof.begin(), proof.end());
  // A server that is stopped here grants the seat once it continues, so this attempt must wait for
  // its answer.
  if (!socket.write(join.out, deadline) || !socket.read(greeting, 1, deadline)) {
    why = "it closed the connection";
    return Joined::no;
  }
  switch (static_cast<Greeting>(greeting[0])) {
  case Greeting::welcome: {
    std::string theirs;
    Digest digest = {};
    // A server that ends here has not shown whether it knows the secret; the next one may be the
    // job's.
    if (!socket.read(theirs, macBytes, deadline)) {
      why = "it ended in the middle of its greeting";
      return Joined::no;
    }
    std::copy_n(theirs.begin(), macBytes, digest.begin());
    if (!equalInConstantTime(digest, proofOfServer(options.secret, serverNonce, nonce))) {
      why = "the server does not know the secret of this job";
      return Joined::refused;
    }
    outSeals = sealsOf(options.secret, serverNonce, nonce);
    return Joined::yes;
  }
  case Greeting::wrongSecret:
    why = "the secret of this rank differs from that of rank 0";
    return Joined::refused;
  case Greeting::wrongSize:
    why = "rank 0 has another world size than " + std::to_string(options.numRanks);
    return Joined::refused;
  case Greeting::wrongJob:
    why = "rank 0 there belongs to another job than '" + options.job.substr(0, 200) +
          "'; two jobs need two ports";
    return Joined::refused;
  case Greeting::rankTaken:
    why = "rank " + std::to_string(options.rank) + " has joined already";
    return Joined::refused;
  }
  why = "the server gave an unknown answer";
  return Joined::refused;
}

/// Attempts once to join, by any address that leads to rank 0.
Joined tryToJoin(const TcpOptions &options, const std::string &address, const Deadline &deadline,
                 Socket &outSocket, Seals &outSeals, std::string &why) {
  Dial dial(address, options.port, deadline, why);
  while (Socket socket = dial.next(deadline, why)) {
    const Joined joined = greet(options, deadline, socket, outSeals, why);
    if (joined == Joined::yes)
      outSocket = std::move(socket);
    if (joined != Joined::no)
      return joined;
  }
  return Joined::no;
}

dsrt_status connect(const TcpOptions &options, std::unique_ptr<TcpServer> server,
                    std::shared_ptr<Store> &outStore, dsrt_error *error) {
  if (options.secret.size() < minimumSecretBytes)
    return failWith(error, DSRT_INVALID_ARGUMENT,
                    "the secret of the job has %zu bytes, expected at least %zu",
                    options.secret.size(), minimumSecretBytes);
  const Deadline deadline = Deadline::in(options.timeoutMs);
  // Rank 0 need not find its own machine by name.
  const std::string address = server ? server->address() : options.address;
  std::string why;
  for (int64_t pause = 10;; pause = std::min<int64_t>(2 * pause, 500)) {
    Socket socket;
    Seals seals;
    switch (tryToJoin(options, address, deadline, socket, seals, why)) {
    case Joined::yes:
      outStore = makeTcpStore(options, std::move(socket), seals, std::move(server));
      return DSRT_OK;
    case Joined::refused:
      return failWith(error, DSRT_UNAVAILABLE, "cannot join the store of rank 0 at %s:%d: %s",
                      options.address.c_str(), options.port, why.c_str());
    case Joined::no:
      break;
    }
    if (deadline.leftMs() <= pause)
      break;
    for (const Deadline next = Deadline::in(pause); !next.passed();)
      std::this_thread::sleep_for(std::chrono::milliseconds(next.sliceMs()));
  }
  setText(error, "timed out after %lld ms waiting for the store of rank 0 at %s:%d: %s",
          static_cast<long long>(options.timeoutMs), options.address.c_str(), options.port,
          why.c_str());
  error->num_late = 1;
  error->late[0] = 0;
  return DSRT_TIMEOUT;
}

} // namespace

dsrt_status connectTcpStore(const TcpOptions &options, std::shared_ptr<Store> &outStore,
                            dsrt_error *error) {
  return connect(options, nullptr, outStore, error);
}

dsrt_status joinTcpStore(const TcpOptions &options, std::shared_ptr<Store> &outStore,
                         dsrt_error *error) {
  std::unique_ptr<TcpServer> server;
  TcpOptions joined = options;
  if (options.rank == 0) {
    dsrt_status status = startTcpServer(options, server, error);
    if (status != DSRT_OK)
      return status;
    joined.port = server->port();
  }
  return connect(joined, std::move(server), outStore, error);
}

} // namespace dsrt::bootstrap
