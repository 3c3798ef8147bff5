//===- ManifestJson.cpp - The manifest for other languages ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Handles.h"

#include "ds/Run/Ranks/Batch.h"

using llvm::json::Object;

namespace ds::capi {

/// Describes the fields that arguments and results share.
template <typename Spec> static Object describe(const Manifest &manifest, const Spec &spec) {
  Object object{{"name", spec.name},
                {"type", toString(spec.type)},
                {"shape", llvm::json::Array(spec.shape)},
                {"global_shape", llvm::json::Array(wholeShape(manifest, spec, manifest.numRanks))}};
  if (spec.batchDim)
    object["dim"] = *spec.batchDim;
  llvm::json::Array layout;
  for (const AxisShard &shard : spec.shards)
    layout.push_back(
        llvm::json::Array{shard.axis, shard.layout.dim, shard.layout.a, shard.layout.b});
  if (!layout.empty())
    object["layout"] = std::move(layout);
  return object;
}

static Object toJson(const Manifest &manifest, const ArgumentSpec &argument) {
  Object object = describe(manifest, argument);
  object["role"] = toString(argument.role);
  if (argument.isCarried()) {
    object["sharded"] = argument.isSharded();
    if (!argument.init.empty())
      object["init"] = argument.init;
    if (!argument.localState.empty())
      object["local_state"] = argument.localState;
  }
  if (argument.isUnsigned)
    object["unsigned"] = true;
  if (const auto &range = argument.indexRange)
    object["index_range"] = Object{
        {"low", range->low}, {"high", range->high}, {"others", llvm::json::Array(range->others)}};
  return object;
}

static Object toJson(const Manifest &manifest, const ResultSpec &result) {
  Object object = describe(manifest, result);
  if (result.updates)
    object["updates"] = *result.updates;
  if (result.isMetric)
    object["metric"] = result.reduce;
  return object;
}

Object toJson(const Manifest &manifest) {
  llvm::json::Array arguments, results;
  for (const ArgumentSpec &argument : manifest.arguments)
    arguments.push_back(toJson(manifest, argument));
  for (const ResultSpec &result : manifest.results)
    results.push_back(toJson(manifest, result));
  Object object{{"entry", manifest.entry},
                {"ranks", manifest.numRanks},
                {"global", manifest.global},
                {"arguments", std::move(arguments)},
                {"results", std::move(results)}};
  if (!manifest.axes.empty())
    object["mesh"] = manifest.mesh();
  return object;
}

} // namespace ds::capi
