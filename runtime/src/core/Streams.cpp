//===- Streams.cpp - Connections beside the backend -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every rank listens, distributes its addresses and a token by an all_gather, connects to all
// others and is connected to by them. Ranks of one machine, by the name that its system gives it,
// meet on the loopback address, which no other machine can reach. Across machines each rank lists
// the addresses of all its interfaces: one of them may lead to another machine from there, so an
// answering rank must show that it knows the tokens (Hello.h).
//
//===----------------------------------------------------------------------===//
#include "Context.h"
#include "base/Messages.h"
#include "base/Threads.h"
#include "bootstrap/Hello.h"
#include "bootstrap/Machine.h"

#include <algorithm>
#include <atomic>
#include <new>

using namespace dsrt;
using namespace dsrt::bootstrap;

namespace {

constexpr size_t cardBytes = 1024, mostAddressBytes = cardBytes - tokenBytes - 64;

/// The data of a rank that the others need.
struct Card {
  std::string token;
  int32_t port = 0;
  std::vector<std::string> addresses;

  std::string pack() const {
    Writer out;
    out.string(token);
    out.integer(static_cast<uint64_t>(port), 4);
    std::string all;
    for (const std::string &address : addresses)
      if (all.size() + address.size() < mostAddressBytes)
        all += address + "\n";
    out.string(all);
    return out.out;
  }
  bool unpack(const std::string &packed) {
    Reader in(packed);
    token = in.string();
    port = static_cast<int32_t>(in.integer(4));
    const std::string all = in.string();
    for (size_t at = 0, end; (end = all.find('\n', at)) != std::string::npos; at = end + 1)
      addresses.push_back(all.substr(at, end - at));
    return in.ok() && token.size() == tokenBytes;
  }
};

class Streams {
public:
  explicit Streams(dsrt_context &context)
      : to(static_cast<size_t>(context.numRanks)), from(static_cast<size_t>(context.numRanks)),
        context(context), rank(context.rank), size(context.numRanks),
        timeoutMs(context.options.timeout_ms), deadline(Deadline::in(timeoutMs)) {}

  /// Fills `to` and `from`; a failure becomes that of the context.
  bool open() {
    if (!listen())
      return false;
    dsrt_error accepting = {}, calling = {};
    dsrt_status accepted = DSRT_OK, called = DSRT_OK;
    std::string why;
    std::thread thread = startThread([&] { accepted = acceptOthers(&accepting); }, why);
    if (!thread.joinable())
      return fail(DSRT_INTERNAL, "cannot start a thread: " + why, nullptr);
    // Each rank begins with a different peer, so that they do not all call the first.
    for (int32_t i = 1; i < size && called == DSRT_OK; ++i)
      called = call((rank + i) % size, &calling);
    stop = called != DSRT_OK;
    thread.join();
    if (called == DSRT_OK && accepted == DSRT_OK)
      return true;
    return called != DSRT_OK ? fail(called, calling.text, &calling)
                             : fail(accepted, accepting.text, &accepting);
  }

  std::vector<Socket> to, from; // by rank

private:
  bool fail(dsrt_status status, const std::string &text, const dsrt_error *details) {
    (void)context.fail(status, "dsrt_open_streams on rank " + std::to_string(rank) + ": " + text,
                       details);
    return false;
  }

  bool gather(const std::string &mine, std::string &all) {
    const int64_t bytes = static_cast<int64_t>(mine.size());
    all.resize(mine.size() * static_cast<size_t>(size));
    const void *input = mine.data();
    void *output = all.data();
    return dsrt_all_gather(&context, 1, &input, &output, &bytes, DSRT_U8, DSRT_WORLD) == DSRT_OK;
  }

  bool listen() {
    const std::string mine = nameOfMachine();
    std::string all;
    if (!gather(mine, all))
      return false;
    bool together = true;
    for (size_t at = 0; at < all.size(); at += mine.size())
      together = together && all.compare(at, mine.size(), mine) == 0;
    Card card;
    card.token = randomBytes(tokenBytes);
    if (card.token.empty())
      return fail(DSRT_INTERNAL, "the system gives no random bytes", nullptr);
    card.addresses = together ? std::vector<std::string>{"127.0.0.1"} : addressesOfInterfaces();
    if (!together && context.store)
      card.addresses.insert(card.addresses.begin(), context.store->ownAddress());
    bool onAll = false;
    dsrt_error error = {};
    if (dsrt_status status =
            Socket::listen(together ? "127.0.0.1" : "", card.port, listener, onAll, &error);
        status != DSRT_OK)
      return fail(status, error.text, &error);
    std::string packed = card.pack();
    packed.resize(cardBytes);
    if (!gather(packed, all))
      return false;
    cards.resize(static_cast<size_t>(size));
    for (int32_t r = 0; r < size; ++r)
      if (!cards[r].unpack(all.substr(static_cast<size_t>(r) * cardBytes, cardBytes)))
        return fail(DSRT_MISMATCH, "rank " + std::to_string(r) + " belongs to another version",
                    nullptr);
    std::vector<std::string> tokens;
    for (const Card &one : cards)
      tokens.push_back(one.token);
    hello = Hello(context.store ? context.store->keyFor("streams") : "", rank, std::move(tokens));
    return true;
  }

  /// Called while ranks are awaited: fails if another rank has failed meanwhile, or the deadline
  /// has passed.
  dsrt_status lookAround(const std::vector<int32_t> &awaited, dsrt_error *error) {
    if (dsrt_status status = context.check(); status != DSRT_OK)
      return status;
    if (stop || deadline.passed()) {
      setLate(error, timeoutMs, awaited);
      return DSRT_TIMEOUT;
    }
    return DSRT_OK;
  }

  dsrt_status call(int32_t other, dsrt_error *error) {
    std::string why = "it has registered no address";
    while (true) {
      for (const std::string &address : cards[other].addresses) {
        Dial dial(address, cards[other].port, deadline, why);
        while (Socket socket = dial.next(std::min(deadline, Deadline::in(1000)), why)) {
          std::string said;
          const Deadline end = std::min(deadline, Deadline::in(helloMs));
          if (socket.write(hello.call(other), end) && socket.read(said, helloBytes, end) &&
              hello.isAnswer(said, other)) {
            to[other] = std::move(socket);
            return DSRT_OK;
          }
          why = "another process answers at " + address;
        }
      }
      if (dsrt_status status = lookAround({other}, error); status != DSRT_OK) {
        if (status == DSRT_TIMEOUT)
          setText(error, "timed out after %lld ms connecting to rank %d: %s",
                  static_cast<long long>(timeoutMs), other, why.c_str());
        return status;
      }
      (void)listener.waitReadable(-1, std::min(deadline, Deadline::in(50))); // a pause
    }
  }

  dsrt_status acceptOthers(dsrt_error *error) {
    std::vector<int32_t> others;
    for (int32_t r = 0; r < size; ++r)
      if (r != rank)
        others.push_back(r);
    return acceptRanks({&listener}, hello, others, deadline, from,
                       [&](const auto &missing) { return lookAround(missing, error); });
  }

  dsrt_context &context;
  const int32_t rank, size;
  const int64_t timeoutMs;
  const Deadline deadline;
  Socket listener;
  std::vector<Card> cards;
  Hello hello;
  std::atomic<bool> stop{false};
};

} // namespace

dsrt_status dsrt_open_streams(dsrt_context *context, int32_t *out_to, int32_t *out_from) {
  if (!context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, "dsrt_open_streams: the context is null");
  if (dsrt_status status = context->check(); status != DSRT_OK)
    return status;
  if (!out_to || !out_from)
    return context->fail(DSRT_INVALID_ARGUMENT, "dsrt_open_streams: out_to or out_from is null");
  std::fill_n(out_to, context->numRanks, -1);
  std::fill_n(out_from, context->numRanks, -1);
  if (context->numRanks == 1)
    return DSRT_OK;
  try {
    Streams streams(*context);
    if (!streams.open())
      return context->check();
    for (int32_t r = 0; r < context->numRanks; ++r) {
      out_to[r] = streams.to[r].release();
      out_from[r] = streams.from[r].release();
    }
    return DSRT_OK;
  } catch (const std::bad_alloc &) {
    return context->fail(DSRT_OUT_OF_MEMORY, "dsrt_open_streams: out of memory");
  }
}
