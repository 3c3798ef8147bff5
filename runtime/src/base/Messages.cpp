//===- Messages.cpp - How the runtime words its errors ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Messages.h"

#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>

namespace dsrt {

static std::string listRanks(const std::vector<int32_t> &ranks) {
  constexpr size_t shown = 16;
  std::string text;
  for (size_t i = 0; i < ranks.size() && i < shown; ++i)
    text += (i ? ", " : "") + std::to_string(ranks[i]);
  if (ranks.size() > shown)
    text += " and " + std::to_string(ranks.size() - shown) + " more";
  return text;
}

std::string nameRanks(const std::vector<int32_t> &ranks) {
  return (ranks.size() == 1 ? "rank " : "ranks ") + listRanks(ranks);
}

static bool reduces(int32_t op) { return op == DSRT_OP_ALL_REDUCE || op == DSRT_OP_REDUCE_SCATTER; }

int64_t payloadBytes(const dsrt_call &call) {
  int64_t elements = 0;
  for (int64_t i = 0; i < call.n_buffers; ++i)
    elements += call.elements[i];
  return elements * dsrt_dtype_size(call.dtype);
}

std::string describeCall(const dsrt_call &call, const std::vector<int32_t> &group,
                         int32_t worldSize, int32_t rank) {
  std::string text = dsrt_op_name(call.op);
  if (reduces(call.op))
    text += std::string(" ") + dsrt_reduction_name(call.reduction);
  if (call.op != DSRT_OP_BARRIER) {
    text += std::string(" ") + dsrt_dtype_name(call.dtype) + " (" + std::to_string(call.n_buffers) +
            (call.n_buffers == 1 ? " buffer, " : " buffers, ") +
            std::to_string(payloadBytes(call)) + " bytes)";
  }
  if (static_cast<int32_t>(group.size()) == worldSize)
    text += " in the world of " + std::to_string(worldSize);
  else
    text += " in group {" + listRanks(group) + "}";
  return text + " on rank " + std::to_string(rank);
}

static void fillText(dsrt_error *error, const char *format, va_list arguments) {
  std::vsnprintf(error->text, sizeof error->text, format, arguments);
  keepPrintable(error->text);
}

void setText(dsrt_error *error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fillText(error, format, arguments);
  va_end(arguments);
}

dsrt_status failWith(dsrt_error *error, dsrt_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fillText(error, format, arguments);
  va_end(arguments);
  return status;
}

// Names and files may hold any bytes; a control character of Latin 1 is two bytes of UTF-8.
void keepPrintable(char *text) {
  for (char *c = text; *c; ++c) {
    const auto byte = static_cast<unsigned char>(*c), next = static_cast<unsigned char>(c[1]);
    if (byte < 0x20 || byte == 0x7f)
      *c = *c == '\n' ? ' ' : '?';
    else if (byte == 0xc2 && next >= 0x80 && next < 0xa0)
      c[0] = c[1] = '?';
  }
}

void setLate(dsrt_error *error, int64_t timeoutMs, const std::vector<int32_t> &late) {
  setText(error, "timed out after %" PRId64 " ms waiting for %s", timeoutMs,
          nameRanks(late).c_str());
  constexpr size_t capacity = sizeof error->late / sizeof error->late[0];
  error->num_late = static_cast<int32_t>(std::min(late.size(), capacity));
  std::copy_n(late.begin(), error->num_late, error->late);
}

/// One step of FNV-1a over whole words.
static uint64_t mix(uint64_t hash, uint64_t word) { return (hash ^ word) * 1099511628211u; }
static constexpr uint64_t emptyHash = 14695981039346656037u;

uint64_t hashRanks(const std::vector<int32_t> &ranks) {
  uint64_t hash = emptyHash;
  for (int32_t rank : ranks)
    hash = mix(hash, static_cast<uint64_t>(rank));
  return hash;
}

uint64_t CallSignature::fingerprint() const {
  uint64_t hash = mix(mix(emptyHash, sequence), step);
  for (int32_t field : {op, dtype, reduction, root})
    hash = mix(hash, static_cast<uint64_t>(field));
  for (int64_t field : {n_buffers, totalElements})
    hash = mix(hash, static_cast<uint64_t>(field));
  return mix(mix(hash, elementsHash), sourcesHash);
}

CallSignature signatureOf(const dsrt_call &call) {
  CallSignature signature;
  signature.sequence = call.sequence;
  signature.step = call.step;
  signature.op = call.op;
  // A barrier has no payload and a broadcast no reduction: fields that a call does not use must not
  // make ranks disagree.
  if (call.op == DSRT_OP_BARRIER)
    return signature;
  signature.dtype = call.dtype;
  signature.reduction = reduces(call.op) ? call.reduction : 0;
  signature.root = call.op == DSRT_OP_BROADCAST ? call.root : 0;
  signature.n_buffers = call.n_buffers;
  uint64_t hash = emptyHash;
  for (int64_t i = 0; i < call.n_buffers; ++i) {
    hash = mix(hash, static_cast<uint64_t>(call.elements[i]));
    signature.totalElements += call.elements[i];
  }
  signature.elementsHash = hash;
  for (int64_t m = 0; m < call.n_sources; ++m)
    signature.sourcesHash = mix(signature.sourcesHash, static_cast<uint64_t>(call.sources[m]));
  return signature;
}

static const char *rendezvousName(int32_t op) {
  switch (op) {
  case rendezvousJoin:
    return "dsrt_init";
  case rendezvousLeave:
    return "dsrt_shutdown";
  case rendezvousGroup:
    return "dsrt_group_create";
  }
  return dsrt_op_name(static_cast<dsrt_op>(op));
}

static std::string nameStep(uint64_t step) {
  char digits[24];
  std::snprintf(digits, sizeof digits, "list %016" PRIx64, step);
  return step ? digits : "none";
}

bool agree(int32_t rankA, const CallSignature &a, const dsrt_call *callA, int32_t rankB,
           const CallSignature &b, const dsrt_call *callB, dsrt_error *error) {
  auto differ = [&](const char *what, const std::string &valueA, const std::string &valueB) {
    setText(error, "ranks disagree on the %s: rank %d has %s, rank %d has %s", what, rankA,
            valueA.c_str(), rankB, valueB.c_str());
    return false;
  };
  if (a.op != b.op && (a.op == rendezvousLeave || b.op == rendezvousLeave)) {
    const bool leftA = a.op == rendezvousLeave;
    setText(error, "rank %d has left the training, rank %d has %s", leftA ? rankA : rankB,
            leftA ? rankB : rankA, rendezvousName(leftA ? b.op : a.op));
    return false;
  }
  if (a.step && b.step && a.step != b.step)
    return differ("exchanges of the step (names, sizes and order of what ranks combine)",
                  nameStep(a.step), nameStep(b.step));
  if (a.op != b.op)
    return differ("call", rendezvousName(a.op), rendezvousName(b.op));
  if (a.step != b.step)
    return differ("step of the call", nameStep(a.step), nameStep(b.step));
  if (a.sequence != b.sequence)
    return differ("number of calls so far", std::to_string(a.sequence), std::to_string(b.sequence));
  if (a.dtype != b.dtype)
    return differ("dtype", dsrt_dtype_name(static_cast<dsrt_dtype>(a.dtype)),
                  dsrt_dtype_name(static_cast<dsrt_dtype>(b.dtype)));
  if (a.reduction != b.reduction)
    return differ("reduction", dsrt_reduction_name(static_cast<dsrt_reduction>(a.reduction)),
                  dsrt_reduction_name(static_cast<dsrt_reduction>(b.reduction)));
  if (a.root != b.root)
    return differ("root (index in the group)", std::to_string(a.root), std::to_string(b.root));
  if (a.sourcesHash != b.sourcesHash) {
    for (int64_t m = 0; callA && callB && m < callA->n_sources; ++m)
      if (callA->sources[m] != callB->sources[m])
        return differ(("source of member " + std::to_string(m)).c_str(),
                      std::to_string(callA->sources[m]), std::to_string(callB->sources[m]));
    return differ("sources of the members", "one list", "another");
  }
  if (a.n_buffers != b.n_buffers)
    return differ("number of buffers", std::to_string(a.n_buffers), std::to_string(b.n_buffers));
  if (a.elementsHash == b.elementsHash)
    return true;
  if (a.op == rendezvousJoin)
    return differ("options 'deterministic', 'chunk_bytes' and 'check_calls'", "one setting",
                  "another");
  if (a.op == rendezvousGroup)
    return differ("ranks of the group", "one list", "another");
  for (int64_t i = 0; callA && callB && i < a.n_buffers; ++i)
    if (callA->elements[i] != callB->elements[i])
      return differ(("elements of buffer " + std::to_string(i)).c_str(),
                    std::to_string(callA->elements[i]), std::to_string(callB->elements[i]));
  if (a.totalElements != b.totalElements)
    return differ("elements", std::to_string(a.totalElements), std::to_string(b.totalElements));
  return differ("sizes of the buffers (same sum)", std::to_string(a.totalElements) + " elements",
                std::to_string(b.totalElements) + " in other buffers");
}

} // namespace dsrt
