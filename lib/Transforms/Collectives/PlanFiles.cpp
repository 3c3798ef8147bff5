//===- PlanFiles.cpp - costs and ready times from files -------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both are JSON that ds-run writes. Numbers are whole, so that all ranks plan alike.
//
//===----------------------------------------------------------------------===//

#include "PlanFiles.h"

#include "ds/Plan/Link.h"
#include "ds/Support/Nesting.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"

namespace ds {

using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {
/// A file that a key names, of one version and for one number of ranks.
class File {
public:
  File(StringRef key, StringRef path) : key(key), path(path) {}

  Error error(const Twine &what) const {
    return createStringError("'" + key + "' file '" + path + "' " + what);
  }

  Error open(StringRef version, StringRef what, int64_t numRanks) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      return error("cannot be read: " + buffer.getError().message());
    Expected<llvm::json::Value> parsed = parseJson((*buffer)->getBuffer());
    if (!parsed)
      return error("is not JSON: " + llvm::toString(parsed.takeError()));
    data = std::move(*parsed);
    const llvm::json::Object *object = data.getAsObject();
    std::optional<int64_t> number = object ? object->getInteger(version) : std::nullopt;
    if (!number)
      return error("is no " + what + ": expected an object with \"" + version + "\": 1");
    if (*number != 1)
      return error("has version " + Twine(*number) + ", but this program reads version 1");
    if (std::optional<int64_t> ranks = object->getInteger("ranks"); ranks != numRanks)
      return error("is of " + (ranks ? Twine(*ranks) : Twine("no number of")) +
                   " ranks, expected " + Twine(numRanks));
    return Error::success();
  }

  const llvm::json::Object &object() const { return *data.getAsObject(); }

private:
  StringRef key, path;
  llvm::json::Value data = nullptr;
};

/// A whole number of [least, 2^62]; nothing if there is none of that name.
std::optional<int64_t> wholeNumber(const llvm::json::Object &object, StringRef name,
                                   int64_t least) {
  std::optional<int64_t> number = object.getInteger(name);
  constexpr int64_t most = int64_t(1) << 62;
  return number && *number >= least && *number <= most ? number : std::nullopt;
}
} // namespace

Expected<ChannelModel> readChannel(StringRef costs, int64_t numRanks) {
  if (std::optional<Link> link = Link::parse(costs))
    return link->allReduce(numRanks);
  File file("comm_costs", costs);
  if (Error error = file.open("ds_costs", "costs", numRanks))
    return error;
  const llvm::json::Array *list = file.object().getArray("pieces");
  std::vector<CostPiece> pieces;
  constexpr int64_t least = -(int64_t(1) << 62);
  for (const llvm::json::Value &item : list ? *list : llvm::json::Array()) {
    const llvm::json::Object *piece = item.getAsObject();
    std::optional<int64_t> from = piece ? wholeNumber(*piece, "from_bytes", 0) : std::nullopt;
    std::optional<int64_t> start = piece ? wholeNumber(*piece, "start_ps", least) : std::nullopt;
    std::optional<int64_t> rate = piece ? wholeNumber(*piece, "ps_per_kib", 0) : std::nullopt;
    if (!from || !start || !rate)
      return file.error("holds a piece without whole numbers \"from_bytes\", \"start_ps\" and "
                        "\"ps_per_kib\"");
    if (!pieces.empty())
      pieces.back().high = *from;
    pieces.push_back({*from, CostPiece::unbounded, *start, *rate});
  }
  std::string why;
  ChannelModel channel = ChannelModel::fromPieces(std::move(pieces), why);
  if (channel.empty())
    return file.error("holds no costs: " + why);
  return channel;
}

Expected<StepProfile> readProfile(StringRef path, int64_t numRanks) {
  File file("plan_profile", path);
  if (Error error = file.open("ds_profile", "profile", numRanks))
    return error;
  StepProfile profile;
  std::optional<int64_t> ends = wholeNumber(file.object(), "compute_ns", 0);
  const llvm::json::Array *list = file.object().getArray("gradients");
  if (!ends || !list)
    return file.error("lacks \"compute_ns\" or \"gradients\"");
  profile.computeEnds = *ends;
  for (const llvm::json::Value &item : *list) {
    const llvm::json::Object *gradient = item.getAsObject();
    std::optional<StringRef> names = gradient ? gradient->getString("names") : std::nullopt;
    std::optional<int64_t> ready = gradient ? wholeNumber(*gradient, "ready_ns", 0) : std::nullopt;
    if (!names || !ready)
      return file.error("holds a gradient without \"names\" or \"ready_ns\"");
    profile.ready[*names] = *ready;
  }
  return profile;
}

} // namespace ds
