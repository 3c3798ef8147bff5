//===- Facts.cpp - Whether a checkpoint is of this training -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A training continues unchanged, or not under its name. In `global` semantics n ranks compute one
// function, so their number, their mesh and the sharding along its axes may change.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Feed/Facts.h"

#include "ds/Run/Ranks/Agreement.h"
#include "ds/Support/Escape.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace ds {

using llvm::Error;

std::string layoutsHash(const Manifest &manifest) {
  std::string text;
  for (const ArgumentSpec &argument : manifest.arguments) {
    text += argument.name;
    for (const auto &[axis, layout] : argument.shards) {
      for (int64_t number : {layout.dim, layout.a, layout.b})
        text += " " + std::to_string(number);
      if (axis > 0) // the number of all ranks is a fact of its own
        text += " of " + std::to_string(manifest.axes[axis].size);
    }
    text += "\n";
  }
  return contentHash(llvm::arrayRefFromStringRef(text));
}

Error checkIsWhole(const Manifest &manifest, int64_t numRanks) {
  if (numRanks == 1)
    return Error::success();
  for (const ArgumentSpec &argument : manifest.arguments)
    if (!argument.localState.empty())
      return userError(
          (argument.role == ArgumentRole::parameter ? "parameter '" : "state '") + argument.name +
          "' differs from rank to rank, so no checkpoint of rank 0 can be gone on from: "
          "leave out --save-every and --resume");
  return Error::success();
}

static constexpr const char *dataKey = "ds.data";

/// True if the key describes how a step is sharded, not what it computes.
static bool isOfDivision(llvm::StringRef key) {
  return key == "ds.ranks" || key == "ds.mesh" || key == "ds.layouts" || key == "ds.step_hash";
}

Error checkFacts(const FoundCheckpoint &found, const std::map<std::string, std::string> &facts,
                 bool global, Report &report) {
  const std::map<std::string, std::string> &before = found.contents.metadata();
  auto differs = [&](const std::string &key) {
    auto was = before.find(key), is = facts.find(key);
    return was != before.end() && is != facts.end() && was->second != is->second;
  };
  bool otherRanks = differs("ds.ranks"), otherMesh = differs("ds.mesh");
  bool otherDivision = global && (otherRanks || otherMesh || differs("ds.layouts"));
  for (const auto &[key, value] : facts) {
    auto entry = before.find(key);
    if (entry != before.end() && entry->second == value)
      continue;
    // Mesh and layouts need no comparison of their own: ds.step_hash covers them, unless another
    // sharding is allowed.
    if (key == dataKey || key == "ds.mesh" || key == "ds.layouts" ||
        (otherDivision && isOfDivision(key)))
      continue;
    if (entry == before.end() && !before.count("ds.samples"))
      return userError("'" + found.path +
                       "' was written without --resume and --save-every, so it does not say of "
                       "which training it is; --init " +
                       shellWord(found.path) + " starts another one from its values");
    if (entry == before.end())
      return userError("'" + found.path + "' does not say its " + key +
                       ", so --resume cannot check whether it is of this training; --init starts "
                       "from its values");
    return userError("'" + found.path + "' is of another training: its " + key + " is " +
                     entry->second + ", but this run has " + value +
                     "; --init starts from its values");
  }
  if (before.count(dataKey) && differs(dataKey))
    return userError("'" + found.path + "' was trained on other data of the same size: its " +
                     "fingerprint is " + before.at(dataKey) + ", that of this run's files is " +
                     facts.at(dataKey) + "; --init starts from its values");
  if (!otherDivision)
    return Error::success();
  std::string how = " with other shardings";
  if (otherMesh && !before.at("ds.mesh").empty())
    how = " on the mesh " + before.at("ds.mesh");
  else if (otherRanks || otherMesh)
    how = " on " + before.at("ds.ranks") + " ranks";
  report.fact("note", "'" + found.path + "' was written" + how +
                          ": this run is equal to going on like that, within rounding");
  return Error::success();
}

} // namespace ds
