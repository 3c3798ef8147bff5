//===- DeviceCollectives.cpp - Collectives in device memory -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device buffers are handed to the library as they are, all buffers of a call as one group. Host
// buffers go in pieces: packed into pinned memory, copied in, reduced, copied out, unpacked, all
// queued on one stream, with two pieces under way so that packing and the device overlap. Pieces
// depend on the call and the options alone, so all ranks cut alike.
//
//===----------------------------------------------------------------------===//
#include "DeviceState.h"

#include <algorithm>
#include <cstring>

namespace dsrt::device {
namespace {

constexpr int64_t defaultPieceBytes = 32 << 20;

/// One message about [data, data + n elements), which is in device memory.
struct Message {
  void *data;
  const void *input;
  int64_t elements;
};

/// True if one side of the call has a part for each member.
bool hasParts(dsrt_op op) {
  return op == DSRT_OP_REDUCE_SCATTER || op == DSRT_OP_ALL_GATHER || op == DSRT_OP_ALL_TO_ALL;
}

bool receivesZeros(const dsrt_call &call) {
  return call.op == DSRT_OP_COLLECTIVE_PERMUTE && call.source < 0;
}

/// True if the received data is stored after the sent data, not in its place.
bool hasTwoSides(dsrt_op op) {
  return op == DSRT_OP_ALL_TO_ALL || op == DSRT_OP_COLLECTIVE_PERMUTE;
}

class Caller {
public:
  Caller(Rank &rank, Group &group, const dsrt_call &call, Waiting &waiting, dsrt_error *error)
      : rank(rank), call(call), waiting(waiting), error(error), communicator(*group.communicator) {}

  /// Queues messages of the call's kind, and the scaling of a mean.
  dsrt_status send(const Message *messages, int64_t count) {
    dsrt_status status = communicator.begin(error);
    for (int64_t i = 0; i < count && status == DSRT_OK; ++i)
      status = sendOne(messages[i]);
    // Also after a failure, or the library would keep the group open for ever.
    dsrt_error ended = {};
    dsrt_status endStatus = communicator.end(waiting, &ended);
    if (status == DSRT_OK && endStatus != DSRT_OK) {
      *error = ended;
      status = endStatus;
    }
    const bool reduces = call.op == DSRT_OP_ALL_REDUCE || call.op == DSRT_OP_REDUCE_SCATTER;
    for (int64_t i = 0; i < count && status == DSRT_OK; ++i)
      if (reduces && call.reduction == DSRT_MEAN)
        status = communicator.finishMean(messages[i].data, messages[i].elements, call.dtype,
                                         waiting, error);
    return status;
  }

  dsrt_status finish(int mark) { return waitForMark(rank, &communicator, mark, waiting, error); }

private:
  dsrt_status sendOne(const Message &message) {
    switch (call.op) {
    case DSRT_OP_ALL_REDUCE:
      return communicator.allReduce(message.data, message.elements, call.dtype, call.reduction,
                                    error);
    case DSRT_OP_REDUCE_SCATTER:
      return communicator.reduceScatter(message.input, message.data, message.elements, call.dtype,
                                        call.reduction, error);
    case DSRT_OP_ALL_GATHER:
      return communicator.allGather(message.input, message.data, message.elements, call.dtype,
                                    error);
    case DSRT_OP_ALL_TO_ALL:
      return communicator.allToAll(message.input, message.data, message.elements, call.dtype,
                                   error);
    case DSRT_OP_COLLECTIVE_PERMUTE:
      if (call.source < 0 && call.destination < 0)
        return DSRT_OK;
      return communicator.sendAndReceive(message.input, call.destination, message.data, call.source,
                                         message.elements, call.dtype, error);
    case DSRT_OP_BROADCAST:
      return communicator.broadcast(message.data, message.elements, call.dtype, call.root, error);
    case DSRT_OP_BARRIER:
      break;
    }
    return DSRT_OK;
  }

  Rank &rank;
  const dsrt_call &call;
  Waiting &waiting;
  dsrt_error *error;
  Communicator &communicator;
};

//===----------------------------------------------------------------------===//
// Device buffers.
//===----------------------------------------------------------------------===//

dsrt_status moveDirectly(Rank &rank, Caller &caller, const dsrt_call &call, int64_t largestBytes,
                         dsrt_error *error) {
  const int64_t size = dsrt_dtype_size(call.dtype);
  // Parts cannot be cut without packing them; such a call goes whole.
  const int64_t largest = !hasParts(call.op) && largestBytes > 0
                              ? std::max<int64_t>(1, largestBytes / size)
                              : INT64_MAX;
  std::vector<Message> messages;
  for (int64_t b = 0; b < call.n_buffers; ++b) {
    for (int64_t begin = 0, n; begin < call.elements[b]; begin += n) {
      n = std::min(largest, call.elements[b] - begin);
      messages.push_back({static_cast<char *>(call.outputs[b]) + begin * size,
                          static_cast<const char *>(call.inputs[b]) + begin * size, n});
    }
  }
  dsrt_status status = caller.send(messages.data(), static_cast<int64_t>(messages.size()));
  for (int64_t b = 0; receivesZeros(call) && b < call.n_buffers && status == DSRT_OK; ++b)
    if (call.elements[b] > 0)
      status = rank.device->zero(call.outputs[b], call.elements[b] * size, error);
  if (rank.queues)
    return status == DSRT_OK ? rank.device->markOwn(call.done, error) : status;
  if (status == DSRT_OK)
    status = rank.device->mark(0, error);
  return status == DSRT_OK ? caller.finish(0) : status;
}

//===----------------------------------------------------------------------===//
// Host buffers.
//===----------------------------------------------------------------------===//

/// Adjacent elements of a call that travel at once: for operations with parts, elements of each
/// member's part of one buffer, else elements of all buffers in a row.
struct Piece {
  int64_t buffer, begin, elements;
};

class StagedCall {
public:
  StagedCall(Rank &rank, Group &group, const dsrt_call &call, int64_t pieceBytes)
      : staging(*rank.staging), call(call), size(dsrt_dtype_size(call.dtype)),
        parts(hasParts(call.op) ? group.size() : 1), index(group.index),
        longest(std::max<int64_t>(1, pieceBytes / (size * parts))) {
    if (hasParts(call.op)) {
      for (int64_t b = 0; b < call.n_buffers; ++b)
        cut(b, call.elements[b]);
      return;
    }
    int64_t total = 0;
    for (int64_t b = 0; b < call.n_buffers; ++b)
      total += call.elements[b];
    cut(-1, total);
  }

  const std::vector<Piece> &pieces() const { return list; }
  /// Returns the bytes of one place in the staging memory.
  int64_t placeBytes() const {
    int64_t most = 0;
    for (const Piece &piece : list)
      most = std::max(most, piece.elements);
    return most * size * parts * (hasTwoSides(call.op) ? 2 : 1);
  }

  Message message(const Piece &piece, int place) const {
    char *base = staging.onDevice(place), *mine = base + index * piece.elements * size;
    if (call.op == DSRT_OP_REDUCE_SCATTER)
      return {mine, base, piece.elements};
    if (call.op == DSRT_OP_ALL_GATHER)
      return {base, mine, piece.elements};
    if (hasTwoSides(call.op))
      return {base + received(piece).first, base, piece.elements};
    return {base, base, piece.elements};
  }

  /// Packs this rank's contribution and queues its copy to the device.
  dsrt_status in(Device &device, const Piece &piece, int place, dsrt_error *error) {
    if ((call.op == DSRT_OP_BROADCAST && index != call.root) ||
        (call.op == DSRT_OP_COLLECTIVE_PERMUTE && call.destination < 0))
      return DSRT_OK;
    const auto [first, count] = range(piece, call.op == DSRT_OP_ALL_GATHER);
    each(piece, first, count, call.inputs, [&](const char *user, int64_t at, int64_t bytes) {
      std::memcpy(staging.host(place) + at, user, static_cast<size_t>(bytes));
    });
    return device.toDevice(staging.onDevice(place) + first, staging.host(place) + first, count,
                           error);
  }

  dsrt_status out(Device &device, const Piece &piece, int place, dsrt_error *error) {
    if ((call.op == DSRT_OP_BROADCAST && index == call.root) || receivesZeros(call))
      return DSRT_OK;
    const auto [first, count] = received(piece);
    return device.toHost(staging.host(place) + first, staging.onDevice(place) + first, count,
                         error);
  }

  void unpack(const Piece &piece, int place) {
    if (call.op == DSRT_OP_BROADCAST && index == call.root)
      return;
    const auto [first, count] = received(piece);
    each(piece, first, count, call.outputs, [&](const char *user, int64_t at, int64_t bytes) {
      if (receivesZeros(call))
        std::memset(const_cast<char *>(user), 0, static_cast<size_t>(bytes));
      else
        std::memcpy(const_cast<char *>(user), staging.host(place) + at, static_cast<size_t>(bytes));
    });
  }

private:
  void cut(int64_t buffer, int64_t elements) {
    for (int64_t begin = 0; begin < elements; begin += longest)
      list.push_back({buffer, begin, std::min(longest, elements - begin)});
  }

  /// Returns the range of bytes in a place: that of this rank's part, or all.
  std::pair<int64_t, int64_t> range(const Piece &piece, bool own) const {
    const int64_t bytes = piece.elements * size;
    return own ? std::pair(index * bytes, bytes) : std::pair<int64_t, int64_t>(0, bytes * parts);
  }

  /// Returns the range of bytes that this rank receives.
  std::pair<int64_t, int64_t> received(const Piece &piece) const {
    auto [first, count] = range(piece, call.op == DSRT_OP_REDUCE_SCATTER);
    return {hasTwoSides(call.op) ? count : first, count};
  }

  /// Calls `copy(user memory, byte in the place, bytes)` for the user's pieces of [first, first +
  /// count) of a place.
  template <typename Copy>
  void each(const Piece &piece, int64_t first, int64_t count, const void *const *buffers,
            Copy copy) const {
    if (piece.buffer >= 0) {
      const int64_t bytes = piece.elements * size;
      const char *user = static_cast<const char *>(buffers[piece.buffer]) + piece.begin * size;
      // The user's memory has one part of the whole buffer per member, or this rank's alone.
      const bool single = count == bytes && parts > 1;
      const int64_t stride = single ? 0 : call.elements[piece.buffer] * size;
      for (int64_t at = first, part = 0; at < first + count; at += bytes, ++part)
        copy(user + part * stride, at, bytes);
      return;
    }
    int64_t buffer = 0; // first element of buffer b in the whole call
    for (int64_t b = 0; b < call.n_buffers; buffer += call.elements[b++]) {
      const int64_t from = std::max(piece.begin, buffer),
                    to = std::min(piece.begin + piece.elements, buffer + call.elements[b]);
      if (from < to)
        copy(static_cast<const char *>(buffers[b]) + (from - buffer) * size,
             first + (from - piece.begin) * size, (to - from) * size);
    }
  }

  Staging &staging;
  const dsrt_call &call;
  const int64_t size, parts, index, longest;
  std::vector<Piece> list;
};

dsrt_status moveStaged(Rank &rank, Group &group, Caller &caller, const dsrt_call &call,
                       int64_t pieceBytes, dsrt_error *error) {
  StagedCall staged(rank, group, call, pieceBytes);
  Device &device = *rank.device;
  const std::vector<Piece> &pieces = staged.pieces();
  dsrt_status status = rank.staging->reserve(staged.placeBytes(), error);
  auto finish = [&](size_t k) {
    const int place = static_cast<int>(k % Device::numMarks);
    status = caller.finish(place);
    if (status == DSRT_OK)
      staged.unpack(pieces[k], place);
  };
  for (size_t k = 0; k < pieces.size() && status == DSRT_OK; ++k) {
    const int place = static_cast<int>(k % Device::numMarks);
    if (k >= Device::numMarks)
      finish(k - Device::numMarks);
    if (status == DSRT_OK)
      status = staged.in(device, pieces[k], place, error);
    const Message message = staged.message(pieces[k], place);
    if (status == DSRT_OK)
      status = caller.send(&message, 1);
    if (status == DSRT_OK)
      status = staged.out(device, pieces[k], place, error);
    if (status == DSRT_OK)
      status = device.mark(place, error);
  }
  const size_t open = std::min<size_t>(pieces.size(), Device::numMarks);
  for (size_t k = pieces.size() - open; k < pieces.size() && status == DSRT_OK; ++k)
    finish(k);
  return status;
}

/// Synchronises by a sum of one element, which no member has before all have given theirs.
dsrt_status synchronise(Rank &rank, Group &group, Waiting &waiting, dsrt_error *error) {
  int32_t value = 0;
  void *data = &value;
  const int64_t one = 1;
  dsrt_call call = {};
  call.op = DSRT_OP_ALL_REDUCE;
  call.dtype = DSRT_I32;
  call.reduction = DSRT_SUM;
  call.n_buffers = 1;
  call.inputs = &data;
  call.outputs = &data;
  call.elements = &one;
  Caller caller(rank, group, call, waiting, error);
  return moveStaged(rank, group, caller, call, defaultPieceBytes, error);
}

} // namespace

dsrt_status moveData(Rank &rank, Group &group, const dsrt_call &call, bool staged, Waiting &waiting,
                     dsrt_error *error) {
  int64_t total = 0;
  for (int64_t b = 0; b < call.n_buffers; ++b)
    total += call.elements[b];
  if (call.op == DSRT_OP_BARRIER || total == 0)
    // The members have met already, unless check_calls is off.
    return rank.options.check_calls ? DSRT_OK : synchronise(rank, group, waiting, error);
  const int64_t largest = rank.vendor.largestMessage();
  Caller caller(rank, group, call, waiting, error);
  if (!staged)
    return moveDirectly(rank, caller, call, largest, error);
  int64_t pieceBytes = rank.options.chunk_bytes ? rank.options.chunk_bytes : defaultPieceBytes;
  if (largest > 0)
    pieceBytes = std::min(pieceBytes, largest);
  return moveStaged(rank, group, caller, call, pieceBytes, error);
}

} // namespace dsrt::device
