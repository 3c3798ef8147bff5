//===- PlanFiles.cpp - costs and ready times from files -------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both are JSON that ds-run writes. Numbers are integers, so that all ranks compute the same plan.
//
//===----------------------------------------------------------------------===//

#include "PlanFiles.h"

#include "ds/Plan/Link.h"
#include "ds/Support/Seal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace ds {

namespace json = llvm::json;
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

  Error open(StringRef what, llvm::ArrayRef<StringRef> members, int64_t numRanks) {
    auto read = readSealedJson(path, what, members);
    if (!read)
      return error(llvm::toString(read.takeError()));
    data = std::move(*read);
    if (std::optional<int64_t> ranks = data.getInteger("ranks"); ranks != numRanks)
      return error("is of " + (ranks ? Twine(*ranks) : Twine("no number of")) +
                   " ranks, expected " + Twine(numRanks));
    return Error::success();
  }

  const llvm::json::Object &object() const { return data; }

private:
  StringRef key, path;
  llvm::json::Object data;
};

/// Returns the integer of that name if it is in [least, 2^62]; otherwise nothing.
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
  if (Error error =
          file.open("costs", {"ds_costs", "ranks", "backend", "pieces", "measured"}, numRanks))
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
  if (Error error = file.open(
          "profile", {"ds_profile", "ranks", "launch_ns", "compute_ns", "others", "gradients"},
          numRanks))
    return error;
  constexpr int64_t psPerNs = 1000;
  StepProfile profile;
  auto number = [&](const json::Object &object, StringRef name) -> std::optional<int64_t> {
    std::optional<int64_t> ns = wholeNumber(object, name, 0);
    return ns && *ns <= (int64_t(1) << 52) ? std::optional(*ns * psPerNs) : std::nullopt;
  };
  /// 0 if the field is missing: files of older versions and files written by hand may omit it.
  auto optional = [&](const json::Object &object, StringRef name) -> std::optional<int64_t> {
    return object.get(name) ? number(object, name) : 0;
  };
  std::optional<int64_t> ends = number(file.object(), "compute_ns");
  std::optional<int64_t> launch = optional(file.object(), "launch_ns");
  const json::Array *list = file.object().getArray("gradients");
  if (!ends || !launch || !list)
    return file.error("lacks \"compute_ns\" or \"gradients\"");
  profile.computeEnds = *ends;
  profile.launch = *launch;
  for (const json::Value &item : *list) {
    const json::Object *gradient = item.getAsObject();
    std::optional<StringRef> names = gradient ? gradient->getString("names") : std::nullopt;
    std::optional<int64_t> ready = gradient ? number(*gradient, "ready_ns") : std::nullopt;
    std::optional<int64_t> update = gradient ? optional(*gradient, "update_ns") : std::nullopt;
    if (!names || !ready || !update)
      return file.error("holds a gradient without \"names\" or \"ready_ns\"");
    profile.gradients[*names] = {*ready, *update};
  }
  const json::Array *others = file.object().getArray("others");
  for (const json::Value &item : others ? *others : json::Array()) {
    const json::Object *other = item.getAsObject();
    std::optional<int64_t> bytes = other ? wholeNumber(*other, "bytes", 0) : std::nullopt;
    std::optional<int64_t> ready = other ? number(*other, "ready_ns") : std::nullopt;
    std::optional<int64_t> needed = OtherExchange::atEnd;
    if (other && other->get("needed_ns"))
      needed = number(*other, "needed_ns");
    if (!bytes || !ready || !needed)
      return file.error("holds another exchange without \"bytes\" or \"ready_ns\"");
    profile.others.push_back({*bytes, *ready, std::max(*ready, *needed)});
  }
  llvm::stable_sort(profile.others, [](const OtherExchange &a, const OtherExchange &b) {
    return a.ready < b.ready;
  });
  return profile;
}

} // namespace ds
