//===- Results.cpp - What a step has computed, copied out -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Instance.h"

#include "ds/Support/UserError.h"

#include <cstring>

using namespace ds;
using llvm::Error;
using llvm::Twine;

/// True if ranks have different numbers, which are reported combined.
bool ds_instance::isCombined(unsigned slot) const {
  const ResultSpec &result = manifest->results[slot];
  return !manifest->global && result.isMetric && elementCount(result.shape) == 1 && numRanks() > 1;
}

Error ds_instance::copyMetric(unsigned slot, llvm::ArrayRef<double> values, void *data) const {
  Array array = metricArrays(*manifest, values).at(slot);
  const ResultSpec &result = manifest->results[slot];
  if (array.type != toDataType(result.type))
    return userError("metric '" + result.name + "' of type " + toString(result.type) + " is " +
                     std::to_string(*reinterpret_cast<const double *>(array.data)) +
                     " as a mean over ranks; ds_instance_result has what each rank found");
  memcpy(data, array.data, array.bytes());
  return Error::success();
}

Error ds_instance::readResult(unsigned slot, void *data, int64_t bytes) {
  const Division &division = results[slot];
  if (Error error = checkBytes(manifest->results[slot].name, division, DS_WHOLE, bytes))
    return error;
  auto memory = [&](Rank &rank) { return rank.instance().readResult(slot); };
  if (hasAllRanks() && isCombined(slot))
    return combineHere(slot, data);
  if (hasAllRanks() || (!isCombined(slot) && division.whole.ofRank.empty())) {
    put(division, DS_WHOLE, memory, data);
    return firstFailure();
  }
  return world->run([&](int64_t number, dsrt_context *runtime) -> Error {
    Rank &rank = *ranks[number - ranks[0]->rank()];
    const bool copies = &rank == ranks[0].get();
    if (isCombined(slot)) {
      StopRequest nobody;
      auto values = metrics->exchange(runtime, nobody,
                                      [&](unsigned at) { return rank.instance().readResult(at); });
      if (!values)
        return values.takeError();
      return copies ? copyMetric(slot, *values, data) : Error::success();
    }
    auto whole = rank.gather(slot);
    if (!whole)
      return whole.takeError();
    if (copies)
      memcpy(data, whole->data, division.whole.bytes);
    return Error::success();
  });
}

/// Copies out a metric that is reduced over the ranks of this process.
Error ds_instance::combineHere(unsigned slot, void *data) {
  std::vector<std::vector<double>> rows;
  for (const std::unique_ptr<Rank> &rank : ranks)
    rows.push_back(metrics->read([&](unsigned at) { return rank->instance().readResult(at); }));
  const std::vector<llvm::ArrayRef<double>> views(rows.begin(), rows.end());
  return copyMetric(slot, metrics->combine(views), data);
}

/// Checks that a result that each rank has is the same on all of this process.
Error ds_instance::checkAlike(unsigned slot) {
  const ResultSpec &result = manifest->results[slot];
  const HostView first = ranks[0]->instance().readResult(slot);
  for (const std::unique_ptr<Rank> &rank : ranks)
    if (memcmp(rank->instance().readResult(slot).get(), first.get(), results[slot].rankBytes))
      return userError("result '" + result.name + "' of type " + toString(result.type) +
                       " and shape " + shapeToString(result.shape) + " is another one on rank " +
                       Twine(rank->rank()) + " than on rank " + Twine(ranks[0]->rank()) +
                       " of this process, expected rows of the samples, a mean of floats, or the "
                       "same value on all ranks");
  return Error::success();
}

Error ds_instance::readLocal(unsigned slot, void *data, int64_t bytes) {
  const ResultSpec &result = manifest->results[slot];
  const Division &division = results[slot];
  if (Error error = checkLocalParts())
    return error;
  if (Error error = checkBytes(result.name, division, DS_LOCAL, bytes))
    return error;
  if (ranks.size() > 1 && isCombined(slot) && isFloat(toDataType(result.type)))
    return combineHere(slot, data);
  if (division.local.ofRank.empty())
    if (Error error = checkAlike(slot))
      return error;
  put(division, DS_LOCAL, [&](Rank &rank) { return rank.instance().readResult(slot); }, data);
  return firstFailure();
}
