//===- Roster.cpp - Worlds of processes that come and go --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that dies before it has joined the store of a new world is missed there only after the
// timeout. The roster sees its connection end at once, so a thread beside the join asks it.
//
//===----------------------------------------------------------------------===//
#include "dsrt/roster.h"
#include "Context.h"
#include "Guard.h"
#include "backends/hybrid/Placement.h"
#include "base/Messages.h"
#include "base/Threads.h"
#include "bootstrap/Launch.h"
#include "bootstrap/OwnSecret.h"
#include "bootstrap/Socket.h"
#include "bootstrap/TcpStore.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <unistd.h>

using namespace dsrt;
using namespace dsrt::bootstrap;

struct dsrt_roster {
  std::unique_ptr<TcpServer> server;
};

struct dsrt_member {
  std::string address, secret, job;
  int32_t port = 0;
  std::shared_ptr<Store> link; // to the roster
  std::atomic<int64_t> generation{0};
  std::vector<int32_t> late; // processes of the last world that have not answered
  uint64_t lookedAt = 0;
  int32_t wasAwaited = 0;
};

namespace {

/// Reads the secret and the job's name of this process; nothing else of its environment counts.
dsrt_status readSecret(const std::string &address, std::string &secret, std::string &job,
                       dsrt_error *error) {
  static constexpr const char *names[] = {"DS_SECRET", "DS_SECRET_FILE", "DS_JOB_ID"};
  Launch launch;
  const Environment all = processEnvironment();
  auto few = [&](const char *name) -> const char * {
    return std::any_of(std::begin(names), std::end(names),
                       [&](const char *one) { return std::strcmp(one, name) == 0; })
               ? all(name)
               : nullptr;
  };
  if (dsrt_status status = readLaunch(few, launch, error); status != DSRT_OK)
    return status;
  secret = launch.secret;
  job = launch.job;
  std::string why = "they may be on several machines";
  if (!secret.empty() || (isThisMachine(address) && readOwnSecret(secret, why)))
    return DSRT_OK;
  return failWith(error, DSRT_INVALID_ARGUMENT,
                  "the processes of a roster need a secret that all of them know: set DS_SECRET or "
                  "DS_SECRET_FILE; %s",
                  why.c_str());
}

/// Returns a port that is free on this machine now; 0 if there is none.
int32_t freePort(const std::string &address) {
  Socket listener;
  int32_t port = 0;
  bool onAll = false;
  dsrt_error ignored = {};
  return Socket::listen(address, port, listener, onAll, &ignored) == DSRT_OK ? port : 0;
}

/// Ends a join when a process of the world has been lost.
class JoinGuard {
public:
  JoinGuard(dsrt_member &member, Store &store, std::string &why)
      : member(member), store(store), thread(startThread([this] { watch(); }, why)) {}
  ~JoinGuard() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      ended = true;
    }
    changed.notify_one();
    if (thread.joinable())
      thread.join();
  }
  JoinGuard(const JoinGuard &) = delete;

private:
  void watch() {
    std::unique_lock<std::mutex> lock(mutex);
    while (!changed.wait_for(lock, std::chrono::milliseconds(waitSliceMs), [&] { return ended; })) {
      RosterNews news;
      dsrt_error error = {};
      const dsrt_status status = lookAt(*member.link, member.generation, news, &error);
      if (status == DSRT_OK && !news.isBroken)
        continue;
      store.fail(DSRT_PEER_FAILED, "a process has been lost while the world came up");
      return;
    }
  }

  dsrt_member &member;
  Store &store;
  std::mutex mutex;
  std::condition_variable changed;
  bool ended = false;
  std::thread thread; // last: it uses all of the above
};

/// Joins the store of a new world. Its rank 0 may be lost before it is up, which the roster knows.
dsrt_status joinStore(dsrt_member &member, TcpOptions options, int64_t timeoutMs,
                      std::shared_ptr<Store> &outStore, dsrt_error *error) {
  const Deadline deadline = Deadline::in(timeoutMs);
  constexpr int64_t lookMs = 200;
  if (options.rank == 0) {
    options.timeoutMs = timeoutMs;
    return joinTcpStore(options, outStore, error);
  }
  while (true) {
    options.timeoutMs = std::min(deadline.leftMs(), lookMs);
    const dsrt_status status = connectTcpStore(options, outStore, error);
    if (status == DSRT_TIMEOUT && deadline.passed()) {
      error->num_late = 1;
      error->late[0] = 0;
    }
    if (status != DSRT_TIMEOUT || deadline.passed())
      return status;
    RosterNews news;
    if (dsrt_status looked = lookAt(*member.link, member.generation, news, error);
        looked != DSRT_OK)
      return looked;
    if (news.isBroken)
      return failWith(error, DSRT_PEER_FAILED, "a process has been lost while the world came up");
  }
}

dsrt_status makeWorld(dsrt_member &member, const RosterPlace &place, const dsrt_options &options,
                      dsrt_context **outContext, dsrt_error *error) {
  TcpOptions store;
  store.address = place.address;
  store.port = place.port;
  store.secret = member.secret;
  store.job = member.job + "#" + std::to_string(place.generation);
  store.rank = place.rank;
  store.numRanks = place.size;
  std::shared_ptr<Store> joined;
  if (dsrt_status status = joinStore(member, store, options.timeout_ms, joined, error);
      status != DSRT_OK)
    return status;
  std::string why;
  JoinGuard guard(member, *joined, why);
  if (!why.empty())
    return failWith(error, DSRT_INTERNAL, "no thread for the join: %s", why.c_str());
  Launch launch;
  launch.rank = place.rank;
  launch.numRanks = place.size;
  if (dsrt_status status = meetHosts(launch, *joined, options.timeout_ms, error); status != DSRT_OK)
    return status;
  return joinAt(findBackend("tcp"), options,
                {launch.rank, launch.numRanks, launch.localRank, launch.localSize, nullptr}, joined,
                outContext, error);
}

} // namespace

dsrt_status dsrt_roster_open(const dsrt_roster_options *options, const char *address, int32_t *port,
                             dsrt_roster **out_roster) {
  return guarded("dsrt_roster_open", [&](dsrt_error *error) {
    if (!options || options->struct_size < sizeof *options || !address || !port || !out_roster)
      return failWith(error, DSRT_INVALID_ARGUMENT,
                      "options, address, port or out_roster is null, or struct_size too small");
    if (options->least < 1 || options->expected < options->least ||
        options->most < options->expected || options->most > mostRanks || options->max_wait_ms < 1)
      return failWith(error, DSRT_INVALID_ARGUMENT,
                      "got least %d, expected %d, most %d processes and %lld ms, expected 1 <= "
                      "least <= expected <= most <= %d and at least 1 ms",
                      options->least, options->expected, options->most,
                      static_cast<long long>(options->max_wait_ms), mostRanks);
    TcpOptions server;
    if (dsrt_status status = readSecret(address, server.secret, server.job, error);
        status != DSRT_OK)
      return status;
    server.address = address;
    server.port = *port;
    server.numRanks = mostRanks;
    server.roster =
        Roster::Rules{options->expected, options->least, options->most, options->max_wait_ms};
    auto roster = std::make_unique<dsrt_roster>();
    if (dsrt_status status = startTcpServer(server, roster->server, error); status != DSRT_OK)
      return status;
    *port = roster->server->port();
    *out_roster = roster.release();
    return DSRT_OK;
  });
}

int32_t dsrt_roster_members(const dsrt_roster *roster) {
  return roster->server->isRefused() ? -1 : roster->server->remainingRanks();
}

void dsrt_roster_close(dsrt_roster *roster) { delete roster; }

dsrt_status dsrt_member_join(const char *address, int32_t port, int32_t number, int64_t timeout_ms,
                             dsrt_member **out_member) {
  return guarded("dsrt_member_join", [&](dsrt_error *error) {
    if (!address || !out_member || number < -1 || number >= mostRanks)
      return failWith(error, DSRT_INVALID_ARGUMENT,
                      "address or out_member is null, or number %d is not -1 to %d", number,
                      mostRanks - 1);
    auto member = std::make_unique<dsrt_member>();
    member->address = address;
    member->port = port;
    if (dsrt_status status = readSecret(address, member->secret, member->job, error);
        status != DSRT_OK)
      return status;
    TcpOptions options;
    options.address = address;
    options.port = port;
    options.secret = member->secret;
    options.job = member->job;
    options.numRanks = mostRanks;
    options.isMember = true;
    options.rank = number;
    options.timeoutMs = timeout_ms;
    if (dsrt_status status = connectTcpStore(options, member->link, error); status != DSRT_OK)
      return status;
    *out_member = member.release();
    return DSRT_OK;
  });
}

dsrt_status dsrt_member_init(dsrt_member *member, const dsrt_options *options,
                             dsrt_context **out_context) {
  return guarded("dsrt_member_init", [&](dsrt_error *error) {
    if (!member || !out_context)
      return failWith(error, DSRT_INVALID_ARGUMENT, "member or out_context is null");
    *out_context = nullptr;
    dsrt_options read;
    if (dsrt_status status = readOptions(options, read, error); status != DSRT_OK)
      return status;
    Arrival arrival;
    arrival.address = member->link->ownAddress();
    arrival.port = freePort(arrival.address);
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    arrival.host = host;
    arrival.late = std::exchange(member->late, {});
    RosterPlace place;
    if (dsrt_status status = arriveAt(*member->link, arrival, place, error); status != DSRT_OK) {
      if (status != DSRT_UNAVAILABLE)
        setText(error, "the roster at %s:%d has ended, or the network to it", //
                member->address.c_str(), member->port);
      return DSRT_UNAVAILABLE;
    }
    member->generation = place.generation;
    if (place.size == 1)
      return DSRT_OK;
    const dsrt_status status = makeWorld(*member, place, read, out_context, error);
    // To whom the store gives no reason the end of its connection is one, and the next world waits.
    if (status == DSRT_OK)
      (*out_context)->lastWordsMs = 100;
    if (status == DSRT_TIMEOUT)
      member->late.assign(error->late, error->late + error->num_late);
    return status == DSRT_UNAVAILABLE ? DSRT_PEER_FAILED : status; // of the store, not the roster
  });
}

void dsrt_member_miss(dsrt_member *member, const dsrt_context *context) {
  if (!member || !context || context->check() != DSRT_TIMEOUT)
    return;
  const hybrid::Placement placement = {
      context->numRanks, (context->processes ? context->processes : context)->numRanks};
  for (int32_t rank : context->lateRanks)
    member->late.push_back(placement.processOf(rank));
}

int64_t dsrt_member_generation(const dsrt_member *member) { return member->generation; }

int32_t dsrt_member_is_awaited(dsrt_member *member) {
  constexpr uint64_t interval = 50000000; // ns
  if (member->wasAwaited != 0 || now() - member->lookedAt < interval)
    return member->wasAwaited;
  RosterNews news;
  dsrt_error error = {};
  const dsrt_status status = lookAt(*member->link, member->generation, news, &error);
  member->lookedAt = now();
  // Once the roster has ended it stays so; a process that waits is asked for anew.
  if (status != DSRT_OK)
    return member->wasAwaited = -1;
  return news.isAwaited ? 1 : 0;
}

void dsrt_member_leave(dsrt_member *member) {
  if (!member)
    return;
  member->link->leave(0);
  delete member;
}
