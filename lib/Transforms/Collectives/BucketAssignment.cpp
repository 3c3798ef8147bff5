//===- BucketAssignment.cpp - collectives of a step into buckets -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Policy proposes a bucket for every member; legality then decides which members may share a
// collective. The legality key is (block, segment between operations with other effects, group,
// kind, wire type, purpose, and where there are any the dimensions of blocks); within equal keys
// the dependency graph must stay acyclic. A member that fits no collective of its bucket starts
// another one. So does one that would make the collective longer than the largest message; later
// members join the new one, so that the earlier bucket need not wait for them.
//
//===----------------------------------------------------------------------===//

#include "BucketAssignment.h"
#include "BucketKey.h"
#include "PlannedBuckets.h"
#include "ds/Plan/BucketPlan.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <map>
#include <set>

using namespace mlir;
using namespace ds;

static constexpr int64_t firstAutomaticId = 1024;

namespace {

/// Members that share a collective.
struct Group {
  std::vector<unsigned> members;
  DenseSet<Value> operands; // a value that is reduced for two results is sent once
  int64_t bytes = 0;
  bool full = false;
  StringRef end; // why the next member did not join; empty if there was none
};

constexpr StringLiteral nothingLeft = "nothing else is left to share it";
constexpr StringLiteral fusionIsOff = "fusion is off";
constexpr StringLiteral dependsOnMember = "the next one depends on a member";

class Assignment {
public:
  Assignment(FunctionOpInterface step, const Config &config, const FusionPolicy &policy,
             ArrayRef<Member> members, StringRef pass)
      : step(step), config(config), policy(policy), members(members), pass(pass), parameters(step),
        graph(members) {
    numberStretches();
  }

  FailureOr<std::vector<Bucket>> run() {
    if (config.mindsporeInclusive() && parameters.idsDiffer())
      warnIndicesIgnored();
    takeExplicit();
    if (failed(takeGradients()))
      return failure();
    takeInline();
    takePurpose(Purpose::State);
    takePurpose(Purpose::Metric);
    return std::move(buckets);
  }

  /// The same for collectives without an order of purposes.
  std::vector<Bucket> runAlike() {
    takeExplicit();
    std::vector<unsigned> rest;
    std::vector<BucketMember> plan;
    for (unsigned i = 0; i < members.size(); ++i)
      if (!taken.contains(i)) {
        plan.push_back({static_cast<int64_t>(rest.size()), members[i].bytes()});
        rest.push_back(i);
      }
    takePlanned(plan, rest, /*inclusive=*/false, /*numberAlways=*/false);
    return std::move(buckets);
  }

private:
  bool fusesNothing() const { return policy.mode == FusionPolicy::Mode::None; }

  /// Numbers the segments of each block within which collectives can move: a segment ends at an
  /// operation with effects that is no collective on tensors.
  void numberStretches() {
    llvm::SetVector<Block *> blocks;
    DenseSet<Operation *> collectives;
    for (const Member &member : members) {
      blocks.insert(member.op()->getBlock());
      collectives.insert(member.op());
    }
    for (Block *block : blocks) {
      unsigned segment = 0;
      for (Operation &op : *block) {
        if (collectives.contains(&op))
          segmentOf[&op] = segment;
        else if (!movesFreely(&op))
          ++segment;
      }
    }
  }

  BucketKey keyOf(unsigned i) const {
    CollectiveOpInterface op = members[i].op();
    return {op->getBlock(),
            segmentOf.lookup(op),
            op.getRanks(),
            op.getKind(),
            getElementTypeOrSelf(members[i].input().getType()),
            op.getPurpose(),
            op.getSplitDim(),
            op.getConcatDim()};
  }

  /// Returns the id that the user set on the operation, or on the parameter whose gradient it
  /// reduces.
  std::optional<int64_t> explicitId(unsigned i) const {
    const Member &member = members[i];
    if (std::optional<int64_t> id = member.op().getFusion())
      return id;
    if (member.op().getPurpose() != Purpose::Gradient)
      return std::nullopt;
    if (!config.mindsporeInclusive())
      return parameters.explicitId(member);
    if (!parameters.of(member) || !parameters.idsDiffer())
      return std::nullopt;
    return parameters.explicitId(member).value_or(1);
  }

  void takeExplicit() {
    // An id may be any number, but a dense map reserves two of them.
    llvm::MapVector<int64_t, std::vector<unsigned>, std::map<int64_t, unsigned>> byId;
    for (unsigned i = 0; i < members.size(); ++i)
      if (std::optional<int64_t> id = explicitId(i)) {
        taken.insert(i);
        usedIds.insert(*id);
        byId[*id].push_back(i);
      }
    for (auto &[id, required] : byId)
      for (const Group &legal : legalGroups(required, /*alone=*/id == 0, "nothing else has its id"))
        buckets.push_back({legal.members, id, legal.end});
  }

  /// Returns the gradients in the order in which the policy counts them, each with its position.
  std::vector<std::pair<int64_t, unsigned>> countedGradients() const {
    std::vector<std::pair<int64_t, unsigned>> counted;
    bool byParameter =
        config.mindsporeInclusive() || config.fusionOrder() == FusionOrder::Parameter;
    for (unsigned i = 0; i < members.size(); ++i)
      if (!taken.contains(i) && members[i].op().getPurpose() == Purpose::Gradient)
        counted.push_back(
            {byParameter ? parameters.of(members[i]).value_or(parameters.count() + i) : i, i});
    llvm::sort(counted);
    // MindSpore counts every parameter, also those without an all-reduce.
    if (!config.mindsporeInclusive())
      for (auto [place, entry] : llvm::enumerate(counted))
        entry.first = place;
    return counted;
  }

  LogicalResult takeGradients() {
    std::vector<std::pair<int64_t, unsigned>> counted = countedGradients();
    int64_t count = config.mindsporeInclusive() ? parameters.count() : counted.size();
    bool overruled = config.mindsporeInclusive() && parameters.idsDiffer();
    for (int64_t index : overruled ? std::vector<int64_t>() : ignoredIndices(policy, count))
      step.emitWarning() << "'all_reduce_fusion_config' index " << index
                         << " is ignored, because only " << count << " gradients are counted";
    std::vector<BucketMember> plan;
    std::vector<unsigned> planned;
    for (auto [number, i] : counted) {
      plan.push_back({number, members[i].bytes()});
      planned.push_back(i);
    }
    if (policy.mode == FusionPolicy::Mode::Planned) {
      auto buckets = planGradients(step, config, members, planned, keysOf(planned));
      if (failed(buckets))
        return failure();
      takeBuckets(*buckets, planned, /*numberAlways=*/true);
      return success();
    }
    takePlanned(plan, planned, config.mindsporeInclusive(), /*numberAlways=*/!fusesNothing());
    return success();
  }

  /// Returns a number per member, equal for members that may share a collective.
  std::vector<int64_t> keysOf(ArrayRef<unsigned> required) const {
    std::vector<BucketKey> known;
    std::vector<int64_t> numbers;
    for (unsigned i : required) {
      BucketKey key = keyOf(i);
      auto found = llvm::find(known, key);
      numbers.push_back(found - known.begin());
      if (found == known.end())
        known.push_back(key);
    }
    return numbers;
  }

  /// `planned` are the members of `plan`.
  void takePlanned(ArrayRef<BucketMember> plan, ArrayRef<unsigned> planned, bool inclusive,
                   bool numberAlways) {
    takeBuckets(planBuckets(policy, inclusive, plan), planned, numberAlways);
  }

  void takeBuckets(ArrayRef<unsigned> bucketOf, ArrayRef<unsigned> planned, bool numberAlways) {
    std::vector<std::vector<unsigned>> required;
    for (auto [place, bucket] : llvm::enumerate(bucketOf)) {
      required.resize(std::max<size_t>(required.size(), bucket + 1));
      required[bucket].push_back(planned[place]);
      taken.insert(planned[place]);
    }
    for (const std::vector<unsigned> &bucket : required) {
      StringRef end = &bucket == &required.back() ? StringRef(nothingLeft) : policyEnd();
      for (const Group &legal : legalGroups(bucket, fusesNothing(), end))
        addAutomatic(legal, numberAlways);
    }
  }

  /// Returns why the policy ends a bucket.
  StringRef policyEnd() const {
    switch (policy.mode) {
    case FusionPolicy::Mode::Index:
      return "an index of the policy ends it";
    case FusionPolicy::Mode::Size:
      return "it has the bytes of the policy";
    case FusionPolicy::Mode::Planned:
      return "the plan ends it";
    case FusionPolicy::Mode::None:
      return fusionIsOff;
    case FusionPolicy::Mode::All:
      return nothingLeft;
    }
    llvm_unreachable("a mode without a reason");
  }

  /// Fuses neighbouring collectives on the activation path: the next one joins as long as it does
  /// not depend on this one.
  void takeInline() {
    std::vector<Group> runs;
    for (unsigned i = 0; i < members.size(); ++i) {
      if (taken.contains(i) || members[i].op().getPurpose() != Purpose::Activation)
        continue;
      taken.insert(i);
      if (runs.empty() || fusesNothing() || !refusal(runs.back(), i).empty())
        runs.emplace_back();
      add(runs.back(), i);
    }
    for (const Group &run : runs)
      addAutomatic(run, /*always=*/false);
  }

  void takePurpose(Purpose purpose) {
    std::vector<unsigned> required;
    for (unsigned i = 0; i < members.size(); ++i)
      if (!taken.contains(i) && members[i].op().getPurpose() == purpose)
        required.push_back(i);
    taken.insert(required.begin(), required.end());
    for (const Group &legal : legalGroups(required, fusesNothing(), nothingLeft))
      addAutomatic(legal, /*always=*/false);
  }

  /// True if the collective stays within the largest message. The first member that does not fit
  /// closes it to later ones.
  bool hasRoom(Group &group, unsigned i) const {
    if (std::optional<int64_t> largest = config.largestMessage();
        !group.full && largest && !group.operands.contains(members[i].input()) &&
        group.bytes + members[i].bytes() > *largest) {
      group.full = true;
      remark::missed(members[i].op()->getLoc(),
                     remark::RemarkOpts::name("LargestMessage").category(pass))
          << "starts a bucket of its own because the one before would exceed the largest message"
          << remark::metric("largest_message", *largest);
    }
    return !group.full;
  }

  /// Returns why the member may not join, which is then the end of the group. Otherwise returns
  /// nothing, and the graph has both as one collective.
  StringRef refusal(Group &group, unsigned i) {
    StringRef reason = keyOf(group.members[0]).difference(keyOf(i));
    if (reason.empty() && !hasRoom(group, i))
      reason = "the next one would exceed the largest message";
    if (reason.empty() && !graph.merge(group.members[0], i))
      reason = dependsOnMember;
    if (group.end.empty())
      group.end = reason;
    return reason;
  }

  void add(Group &group, unsigned i) const {
    group.end = "";
    group.members.push_back(i);
    if (group.operands.insert(members[i].input()).second)
      group.bytes += members[i].bytes();
  }

  /// Splits a bucket that the policy proposes, and ends for the reason `end`, into groups that may
  /// share a collective.
  std::vector<Group> legalGroups(ArrayRef<unsigned> required, bool alone, StringRef end) {
    std::vector<Group> legal;
    for (unsigned i : required) {
      bool depends = false;
      auto home = alone ? legal.end() : llvm::find_if(legal, [&](Group &group) {
        StringRef reason = refusal(group, i);
        depends |= reason == dependsOnMember;
        return reason.empty();
      });
      if (home != legal.end()) {
        add(*home, i);
        continue;
      }
      if (depends)
        remark::missed(members[i].op()->getLoc(),
                       remark::RemarkOpts::name("DependsOnBucket").category(pass))
            << "starts a bucket of its own because it depends on a member";
      add(legal.emplace_back(), i);
    }
    for (Group &group : legal)
      if (group.end.empty())
        group.end = alone ? StringRef(fusionIsOff) : end;
    return legal;
  }

  void addAutomatic(const Group &group, bool always) {
    std::optional<int64_t> id;
    if (always || group.members.size() > 1) {
      while (usedIds.count(nextId))
        ++nextId;
      id = nextId++;
    }
    StringRef otherwise = fusesNothing() ? fusionIsOff : nothingLeft;
    buckets.push_back({group.members, id, group.end.empty() ? otherwise : group.end});
  }

  void warnIndicesIgnored() {
    if (policy.mode == FusionPolicy::Mode::Index)
      step.emitWarning() << "'all_reduce_fusion_config' is ignored, because parameters carry "
                            "different 'ds.fusion'";
  }

  FunctionOpInterface step;
  const Config &config;
  const FusionPolicy &policy;
  ArrayRef<Member> members;
  StringRef pass; // for remarks
  Parameters parameters;
  CollectiveGraph graph;
  DenseMap<Operation *, unsigned> segmentOf;
  llvm::SetVector<unsigned> taken;
  std::set<int64_t> usedIds;
  int64_t nextId = firstAutomaticId;
  std::vector<Bucket> buckets;
};

} // namespace

FailureOr<std::vector<Bucket>> ds::assignBuckets(FunctionOpInterface step, const Config &config,
                                                 ArrayRef<Member> members) {
  FusionPolicy policy = config.fusionPolicy();
  return Assignment(step, config, policy, members, "ds-fuse-all-reduce").run();
}

std::vector<Bucket> ds::assignBuckets(FunctionOpInterface step, const Config &config,
                                      const FusionPolicy &policy, ArrayRef<Member> members) {
  return Assignment(step, config, policy, members, "ds-fuse-gather-scatter").runAlike();
}
