//===- TcpRequests.cpp - The requests of ranks to the store -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TcpServer.h"

#include <utility>

namespace dsrt::bootstrap {

// Answers a request. False: not a request. An empty reply: it has to wait.
bool Server::answer(Connection &connection, const std::string &body, bool expired, Writer &out) {
  Reader reader(body);
  const auto request = static_cast<Request>(reader.byte());
  if (request == Request::leave && reader.atEnd()) {
    seats[connection.rank] = Seat::left;
    --remaining;
    if (roster)
      roster->leave(connection.rank);
    connection.closing = true;
    out.byte(static_cast<uint8_t>(Answer::done));
    return true;
  }
  dsrt_error error = {};
  if (dsrt_status status = table.failure(connection.rank, &error); status != DSRT_OK) {
    out.byte(static_cast<uint8_t>(Answer::failed));
    out.integer(status, 4);
    out.string(error.text);
    out.integer(static_cast<uint64_t>(error.num_late ? error.late[0] : -1), 4);
    return true;
  }

  if (roster)
    return answerMember(connection, request, reader, expired, out);
  bool waits = false, full = false;
  Writer done;
  done.byte(static_cast<uint8_t>(Answer::done));
  switch (request) {
  case Request::set: {
    const std::string key = reader.string(), value = reader.string();
    if (!reader.atEnd() || key.size() > maxKeyBytes)
      return false;
    full = !table.set(key, value);
    changed.insert(key);
    break;
  }
  case Request::get: {
    const uint64_t wait = reader.integer(4);
    const std::string key = reader.string();
    if (!reader.atEnd())
      return false;
    const std::string *value = table.get(key);
    if (value) {
      done.string(*value);
    } else if (expired || wait == 0) {
      out.byte(static_cast<uint8_t>(Answer::notYet));
      return true;
    } else {
      waits = true;
      if (connection.waiting.empty())
        connection.waitingDeadline = Deadline::in(static_cast<int64_t>(wait));
      connection.waitingKey = key;
    }
    break;
  }
  case Request::add: {
    const std::string key = reader.string();
    const int64_t amount = reader.number();
    if (!reader.atEnd() || key.size() > maxKeyBytes)
      return false;
    done.number(table.add(key, amount));
    break;
  }
  case Request::erase: {
    const std::string key = reader.string();
    if (!reader.atEnd())
      return false;
    table.erase(key);
    break;
  }
  case Request::exchange:
    exchange(connection, reader, expired, out, waits);
    return reader.atEnd();
  case Request::fail: {
    const auto status = static_cast<dsrt_status>(reader.integer(4));
    const std::string text = reader.string();
    if (!reader.atEnd())
      return false;
    table.fail(connection.rank, status == DSRT_ABORTED ? DSRT_ABORTED : DSRT_PEER_FAILED, text);
    failureIsNews = true;
    break;
  }
  case Request::poll:
    if (!reader.atEnd())
      return false;
    break;
  case Request::leave:
  case Request::pollNow:
  case Request::arrive:
  case Request::look:
  default:
    return false;
  }
  if (full)
    out.byte(static_cast<uint8_t>(Answer::refused));
  else if (!waits)
    out = done;
  return true;
}

// A member's requests: to arrive, which waits until the roster has decided, and to look.
bool Server::answerMember(Connection &connection, Request request, Reader &reader, bool expired,
                          Writer &out) {
  if (request == Request::look) {
    const int64_t generation = reader.number();
    if (!reader.atEnd())
      return false;
    out.byte(static_cast<uint8_t>(Answer::done));
    out.byte(roster->isAwaited());
    out.byte(roster->isBroken(generation));
    return true;
  }
  if (request != Request::arrive)
    return false;
  const uint64_t wait = reader.integer(4);
  Arrival arrival;
  arrival.host = reader.string();
  arrival.address = reader.string();
  arrival.port = static_cast<int32_t>(reader.integer(4));
  while (reader.ok() && !reader.atEnd() && arrival.late.size() < static_cast<size_t>(numRanks))
    arrival.late.push_back(static_cast<int32_t>(reader.integer(4)));
  if (!reader.atEnd())
    return false;
  if (roster->isRefused()) {
    out.byte(static_cast<uint8_t>(Answer::failed));
    out.integer(DSRT_UNAVAILABLE, 4);
    out.string(roster->whyRefused());
    out.integer(static_cast<uint64_t>(-1), 4);
    return true;
  }
  if (const auto place = roster->takePlace(connection.rank)) {
    out.byte(static_cast<uint8_t>(Answer::done));
    out.number(place->generation);
    out.integer(static_cast<uint64_t>(place->rank), 4);
    out.integer(static_cast<uint64_t>(place->size), 4);
    out.string(place->address);
    out.integer(static_cast<uint64_t>(place->port), 4);
    return true;
  }
  roster->arrive(connection.rank, std::move(arrival));
  if (expired) {
    out.byte(static_cast<uint8_t>(Answer::notYet));
    return true;
  }
  if (connection.waiting.empty())
    connection.waitingDeadline = Deadline::in(static_cast<int64_t>(wait));
  connection.waitingKey = rosterKey;
  return true;
}

void Server::exchange(Connection &connection, Reader &reader, bool expired, Writer &out,
                      bool &waits) {
  const uint64_t wait = reader.integer(4);
  const std::string round = reader.string();
  const auto members = static_cast<int32_t>(reader.integer(4));
  const auto index = static_cast<int32_t>(reader.integer(4));
  const std::string value = reader.string();
  if (!reader.atEnd())
    return;
  if (round.size() > maxKeyBytes + 32 || members < 1 || members > numRanks || index < 0 ||
      index >= members) {
    out.byte(static_cast<uint8_t>(Answer::refused));
    return;
  }
  std::vector<std::string> values;
  switch (table.exchange(round, members, index, value, values)) {
  case StoreTable::Exchange::done:
    if (connection.waiting.empty())
      changed.insert(round); // the last one came just now
    out.byte(static_cast<uint8_t>(Answer::done));
    for (const std::string &one : values)
      out.string(one);
    return;
  case StoreTable::Exchange::refused:
    out.byte(static_cast<uint8_t>(Answer::refused));
    return;
  case StoreTable::Exchange::pending:
    break;
  }
  if (expired || wait == 0) {
    out.byte(static_cast<uint8_t>(Answer::notYet));
    for (int32_t m : table.missing(round, members))
      out.integer(static_cast<uint64_t>(m), 4);
    return;
  }
  waits = true;
  if (connection.waiting.empty())
    connection.waitingDeadline = Deadline::in(static_cast<int64_t>(wait));
  connection.waitingKey = round;
}

} // namespace dsrt::bootstrap
