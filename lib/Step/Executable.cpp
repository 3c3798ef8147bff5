//===- Executable.cpp - A compiled step as data -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Step/Executable.h"

#include "Fields.h"

#include "ds/Support/Seal.h"

#include <algorithm>

namespace ds {

template <typename A> void fields(A &a, ShardLayout &v) { allFields(a, v.dim, v.a, v.b); }
template <typename A> void fields(A &a, AxisShard &v) { allFields(a, v.axis, v.layout); }
template <typename A> void fields(A &a, AxisSpec &v) { allFields(a, v.name, v.size); }
template <typename A> void fields(A &a, IntegerRange &v) { allFields(a, v.low, v.high, v.others); }
template <typename A> void fields(A &a, ArgumentSpec &v) {
  allFields(a, v.name, v.role, v.type, v.shape, v.batchDim, v.entries, v.apart, v.isWeight,
            v.indexRange, v.isUnsigned, v.shards, v.init, v.localState);
}
template <typename A> void fields(A &a, ResultSpec &v) {
  allFields(a, v.name, v.updates, v.isMetric, v.reduce, v.type, v.shape, v.batchDim, v.shards);
}
template <typename A> void fields(A &a, PlanFigures &v) {
  allFields(a, v.meshes, v.timeNs, v.heldBytes, v.liveBytes, v.optimizerLevel, v.boundNs,
            v.dataParallelNs, v.dataParallelBytes);
}
template <typename A> void fields(A &a, BucketFigures &v) {
  allFields(a, v.hash, v.gradients, v.bytes, v.buckets, v.computePs, v.exposedPs, v.boundPs,
            v.gapPpm, v.presets);
}
template <typename A> void fields(A &a, StartSpec &v) {
  allFields(a, v.names, v.bytes, v.isGradient);
}
template <typename A> void fields(A &a, Manifest &v) {
  allFields(a, v.entry, v.numRanks, v.axes, v.plan, v.bucketPlan, v.global, v.fullBatch,
            v.gradientsMean, v.update, v.arguments, v.results, v.starts);
}
template <typename A> void fields(A &a, StridedContraction &v) {
  allFields(a, v.sizes, v.lhs, v.rhs, v.out, v.lhsOffset, v.rhsOffset, v.outOffset, v.accumulate,
            v.bias, v.biasOffset, v.relu, v.tf32, v.factors, v.resultType);
}
template <typename A> void fields(A &a, Convolution::Tensor &v) {
  allFields(a, v.sizes, v.strides, v.groupStride);
}
template <typename A> void fields(A &a, Convolution &v) {
  allFields(a, v.kind, v.source, v.destination, v.weights, v.groups, v.stride, v.dilation,
            v.padding, v.lhsOffset, v.rhsOffset, v.outOffset, v.type, v.tf32);
}
template <typename A> void fields(A &a, LibraryCallSpec &v) {
  bool isConvolution = std::holds_alternative<Convolution>(v.what);
  allFields(a, v.name, isConvolution);
  if (A::isReader && isConvolution)
    v.what = Convolution();
  std::visit([&](auto &what) { fields(a, what); }, v.what);
}
template <typename A> void fields(A &a, DriverArgument &v) { allFields(a, v.kind, v.index); }
template <typename A> void fields(A &a, Executable &v) {
  allFields(a, v.target, v.targetCpu, v.machine, v.stepHash, v.warnings, v.manifest, v.arenaBytes,
            v.communicates, v.sharedArguments, v.driverArguments, v.libraryCalls, v.callNames,
            v.collectives, v.kernels, v.objects);
}

namespace {

/// The version stands for the lists of fields above: another list is another version.
constexpr std::string_view header = "ds executable 9\n";
constexpr const char *kind = "executable";

bool isSound(const DriverArgument &argument, const Manifest &manifest) {
  switch (argument.kind) {
  case DriverArgument::context:
  case DriverArgument::library:
  case DriverArgument::arena:
    return true;
  case DriverArgument::peerArena:
    return argument.index < manifest.numRanks;
  case DriverArgument::argument:
    return argument.index < manifest.arguments.size();
  case DriverArgument::result:
    return argument.index < manifest.results.size();
  }
  return false;
}

/// True if the names of enumerations and the numbers of slots are valid.
bool isSound(const Executable &executable) {
  const Manifest &manifest = executable.manifest;
  auto isType = [](ElementType type) {
    return static_cast<unsigned>(type) <= unsigned(ElementType::i1);
  };
  auto isSoundArgument = [&](const ArgumentSpec &each) {
    return isType(each.type) &&
           static_cast<unsigned>(each.role) <= unsigned(ArgumentRole::hyperparameter);
  };
  auto isSoundResult = [&](const ResultSpec &each) {
    return isType(each.type) && (!each.updates || *each.updates < manifest.arguments.size());
  };
  auto isSoundCall = [&](const LibraryCallSpec &each) {
    if (const auto *product = std::get_if<StridedContraction>(&each.what))
      return isType(product->factors) && isType(product->resultType);
    return static_cast<unsigned>(std::get<Convolution>(each.what).kind) <=
           Convolution::weightsGradient;
  };
  auto all = [](const auto &list, auto isSound) {
    return std::all_of(list.begin(), list.end(), isSound);
  };
  auto isSlot = [&](unsigned slot) { return slot < manifest.arguments.size(); };
  return all(manifest.arguments, isSoundArgument) && all(executable.sharedArguments, isSlot) &&
         all(manifest.results, isSoundResult) && all(executable.libraryCalls, isSoundCall) &&
         all(executable.driverArguments,
             [&](const DriverArgument &each) { return isSound(each, manifest); });
}

} // namespace

std::string writeExecutable(const Executable &executable, std::string_view name) {
  FieldWriter body;
  Executable copy = executable; // one list of fields reads and writes
  body.bytes = header;
  fields(body, copy);
  return body.bytes + sealOf(kind, name, body.bytes);
}

std::optional<Executable> readExecutable(std::string_view bytes, std::string_view name) {
  auto body = unseal(kind, name, bytes);
  if (!body) {
    llvm::consumeError(body.takeError());
    return std::nullopt;
  }
  if (!*body || !(*body)->consume_front(header))
    return std::nullopt;
  FieldReader reader(**body);
  Executable executable;
  fields(reader, executable);
  if (!reader.isGood || !reader.left.empty() || !isSound(executable))
    return std::nullopt;
  return executable;
}

} // namespace ds
