//===- EpochProtocol.cpp - A training that another program leads -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank 0 reads, checks and takes over values and hyper-parameters in its own memory; one broadcast
// brings them to the others.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/EpochProtocol.h"

#include "ds/Run/Ranks/Batch.h"
#include "ds/Run/Ranks/World.h"
#include "ds/Support/UserError.h"

#include <cstring>

namespace ds {

using llvm::Error;
using llvm::Expected;

/// The values that the answer wants.
static Expected<InitialValues> readValues(const Manifest &manifest, const Answer &answer,
                                          uint64_t seed) {
  auto checkpoint = SafetensorsFile::open(answer.values);
  if (!checkpoint)
    return checkpoint.takeError();
  auto values = initialValues(manifest, &*checkpoint, answer.values, seed, answer.arguments);
  if (!values)
    return values.takeError();
  if (!values->notInCheckpoint.empty())
    return userError("'" + answer.values + "' lacks parameter '" + values->notInCheckpoint.front() +
                     "'");
  return values;
}

/// Rank 0's `values` for all, each of which takes what it holds of them.
static Error shareValues(Rank &rank, const Manifest &manifest, InitialValues &values) {
  std::vector<void *> buffers;
  std::vector<int64_t> bytes;
  values.values.resize(manifest.arguments.size());
  for (unsigned slot = 0; slot < manifest.arguments.size(); ++slot) {
    const ArgumentSpec &argument = manifest.arguments[slot];
    if (argument.role == ArgumentRole::batch || argument.role == ArgumentRole::seed)
      continue;
    uint8_t *buffer = nullptr;
    Array whole = Array::allocate(toDataType(argument.type),
                                  wholeShape(manifest, argument, manifest.numRanks), &buffer);
    if (const std::optional<Array> &value = values.values[slot]; value && value->bytes())
      memcpy(buffer, value->data, value->bytes());
    buffers.push_back(buffer);
    bytes.push_back(whole.bytes());
    values.values[slot] = std::move(whole);
  }
  dsrt_broadcast(rank.context(), buffers.size(), buffers.data(), bytes.data(), DSRT_U8, /*root=*/0,
                 DSRT_WORLD);
  if (Error error = contextError(rank.context()))
    return error;
  rank.set(values);
  return Error::success();
}

Expected<Steered> awaitAnswer(Rank &rank, const Manifest &manifest, AnswerReader &reader,
                              uint64_t seed, llvm::function_ref<Steered()> wanted) {
  // The largest that any rank says is in force.
  enum State : int32_t { waiting, goOn, newValues, end, interrupted, requeue };
  constexpr int sliceMs = 200;
  int32_t state = waiting;
  InitialValues values;
  while (state == waiting) {
    if (rank.rank() == 0) {
      auto answer = reader.wait(sliceMs);
      if (!answer)
        return answer.takeError();
      if (*answer) {
        state = !(*answer)->go ? end : (*answer)->values.empty() ? goOn : newValues;
        if (state == newValues) {
          auto wanted = readValues(manifest, **answer, seed);
          if (!wanted)
            return wanted.takeError();
          values = std::move(*wanted);
        }
      }
    }
    if (Steered signal = wanted(); signal != Steered::goOn)
      state = signal == Steered::requeue ? requeue : interrupted;
    void *buffer = &state;
    int64_t one = 1;
    dsrt_all_reduce(rank.context(), 1, &buffer, &one, DSRT_I32, DSRT_MAX, DSRT_WORLD);
    if (Error error = contextError(rank.context()))
      return error;
  }
  if (state == newValues)
    if (Error error = shareValues(rank, manifest, values))
      return error;
  return state == requeue       ? Steered::requeue
         : state == interrupted ? Steered::interrupted
         : state == end         ? Steered::end
                                : Steered::goOn;
}

} // namespace ds
