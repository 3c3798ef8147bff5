//===- PlannedBuckets.cpp - gradients into the buckets that end first -----===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gradient is ready when everything before its maker is done that needs no exchange itself: the
// sum of what that takes by the costs of the configuration, or what a profile has measured. Where
// exchanges block, nothing is gained by an early one, and all gradients count as ready at once.
//
//===----------------------------------------------------------------------===//

#include "PlannedBuckets.h"
#include "PlanFiles.h"

#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Analysis/StepFlow.h"
#include "ds/Analysis/StepRoles.h"
#include "ds/Analysis/WorkCosts.h"
#include "ds/Dialect/IR/PlanAttrs.h"
#include "ds/Plan/BucketPresets.h"
#include "ds/Plan/StepCosts.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

using namespace mlir;
using namespace ds;

static constexpr int64_t psPerNs = 1000;

std::string ds::joinedNames(const Member &member) {
  std::string text;
  for (Attribute name : member.names())
    text += (text.empty() ? "" : ",") + cast<StringAttr>(name).str();
  return text;
}

namespace {

/// When what the values of a block are made of is done, in ns from its start.
class ReadyTimes {
public:
  ReadyTimes(Block &block, ArrayRef<Member> members, const StepCosts &costs,
             const ChannelModel &channel)
      : costs(costs), channel(channel) {
    for (const Member &member : members)
      if (member.op().getPurpose() != Purpose::Activation)
        started.insert(member.op());
    auto step = dyn_cast<func::FuncOp>(block.getParentOp());
    bool hasControl =
        llvm::any_of(block, [](Operation &op) { return isa<RegionBranchOpInterface>(op); });
    std::optional<StepFlow> flow; // of trip counts
    if (step && hasControl)
      flow.emplace(step);
    for (Operation &op : block) {
      if (waits(&op)) {
        waiting.insert(&op);
        continue;
      }
      time += timeOf(&op, flow ? &*flow : nullptr);
      readyAt[&op] = time;
    }
    // What comes behind the last start and needs no exchange is fused into the updates.
    for (const Member &member : members)
      if (started.contains(member.op()))
        lastStart = std::max(lastStart, of(member.input()));
  }

  int64_t of(Value value) const {
    Operation *maker = value.getDefiningOp();
    return maker ? readyAt.lookup(maker) : 0;
  }
  int64_t end() const { return lastStart; }

private:
  /// What needs a started exchange comes behind everything that does not.
  bool waits(Operation *op) const {
    if (started.contains(op))
      return true;
    return op
        ->walk([&](Operation *inner) {
          bool needs = llvm::any_of(inner->getOperands(), [&](Value operand) {
            Operation *maker = operand.getDefiningOp();
            return maker && waiting.contains(maker);
          });
          return needs ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  int64_t timeOf(Operation *op, const StepFlow *flow) const {
    int64_t sum = 0;
    auto add = [&](Operation *unit) {
      if (unit->getNumResults() == 0)
        return WalkResult::advance();
      int64_t once = timeOfWork(unit, costs);
      if (auto collective = dyn_cast<CollectiveOpInterface>(unit)) { // one that blocks
        int64_t bytes = 0;
        for (Value value : collective.getWholes())
          bytes += getWireBytes(value);
        once = static_cast<int64_t>(channel.time(bytes) / ticksPerPicosecond / psPerNs);
      }
      sum += once * (flow && unit != op ? flow->tripCount(unit->getResult(0)) : 1);
      return WalkResult::advance();
    };
    if (op->getNumRegions() == 0 || isa<linalg::LinalgOp>(op))
      add(op);
    else // control flow
      walkOutsideBodies(op, add);
    return sum;
  }

  const StepCosts &costs;
  const ChannelModel &channel;
  llvm::DenseSet<Operation *> started, waiting;
  llvm::DenseMap<Operation *, int64_t> readyAt;
  int64_t time = 0, lastStart = 0;
};

class Planner {
public:
  Planner(FunctionOpInterface step, const Config &config, ArrayRef<Member> all,
          ArrayRef<unsigned> gradients, ArrayRef<int64_t> keys)
      : step(step), config(config), all(all), gradients(gradients), keys(keys) {}

  FailureOr<std::vector<unsigned>> run() {
    if (gradients.empty())
      return std::vector<unsigned>();
    if (!config.commCosts())
      return step.emitError("'comm_fusion = planned' needs 'comm_costs', a link LATENCY:RATE or a "
                            "file of ds-run --probe-link");
    CollectiveOpInterface first = all[gradients.front()].op();
    std::optional<int64_t> ranks = getGroupSize(first, first.getRanks());
    if (!ranks)
      return step.emitError("'comm_fusion = planned' needs 'device_num', since what an exchange "
                            "takes depends on the number of ranks");
    llvm::Expected<ChannelModel> channel = readChannel(*config.commCosts(), *ranks);
    if (!channel)
      return step.emitError() << llvm::toString(channel.takeError());
    if (config.overlaps() && failed(findReadyTimes(*channel, *ranks)))
      return failure();
    for (auto [i, member] : llvm::enumerate(gradients)) {
      int64_t ready = config.overlaps() ? readyNs[i] * psPerNs : 0;
      made.push_back({all[member].bytes(), ready, keys[i]});
      if (i > 0) // measured times need not be in order
        made.back().ready = std::max(made.back().ready, made[i - 1].ready);
    }
    PlannerOptions options;
    options.largestBucket = config.largestMessage().value_or(options.largestBucket);
    BucketCertificate certificate = certifyBuckets(made, *channel, *ranks, options);
    certificate.backward = std::max(certificate.backward, computeEnds * psPerNs);
    tell(certificate);
    std::vector<unsigned> buckets;
    for (size_t i = 0, bucket = 0; i < made.size(); ++i) {
      bucket += i == certificate.plan.ends[bucket];
      buckets.push_back(bucket);
    }
    return buckets;
  }

private:
  LogicalResult findReadyTimes(const ChannelModel &channel, int64_t ranks) {
    std::optional<std::string> path = config.planProfile();
    if (!path) {
      StepCosts costs{config.costRates()};
      ReadyTimes times(*all[gradients.front()].op()->getBlock(), all, costs, channel);
      for (unsigned member : gradients)
        readyNs.push_back(times.of(all[member].input()));
      computeEnds = times.end();
      return success();
    }
    llvm::Expected<StepProfile> profile = readProfile(*path, ranks);
    if (!profile)
      return step.emitError() << llvm::toString(profile.takeError());
    for (unsigned member : gradients) {
      std::string names = joinedNames(all[member]);
      auto found = profile->ready.find(names);
      if (found == profile->ready.end())
        return step.emitError() << "'plan_profile' file '" << *path << "' has no gradient of '"
                                << names << "': it is of another step";
      readyNs.push_back(found->second);
    }
    computeEnds = profile->computeEnds;
    return success();
  }

  /// The certificate, as figures that all tools read.
  void tell(const BucketCertificate &certificate) {
    OpBuilder b(step);
    auto number = [&](int64_t value) { return b.getI64IntegerAttr(value); };
    SmallVector<NamedAttribute> presets;
    for (const auto &[preset, schedule] : certificate.presets)
      presets.push_back(
          b.getNamedAttr(toString(preset), number(certificate.exposed(schedule.finish))));
    llvm::BLAKE3 hasher;
    int64_t bytes = 0;
    for (auto [gradient, member] : llvm::zip(made, gradients)) {
      bytes += gradient.bytes;
      hasher.update(joinedNames(all[member]) + ";");
    }
    for (size_t end : certificate.plan.ends)
      hasher.update(std::to_string(end) + ",");
    auto digest = hasher.final<8>();
    step->getParentOfType<ModuleOp>()->setAttr(
        bucketPlanAttrName,
        b.getDictionaryAttr({
            b.getNamedAttr("hash", b.getStringAttr(llvm::toHex(digest, /*LowerCase=*/true))),
            b.getNamedAttr("gradients", number(made.size())),
            b.getNamedAttr("bytes", number(bytes)),
            b.getNamedAttr("buckets", number(certificate.plan.ends.size())),
            b.getNamedAttr("compute_ps", number(certificate.backward)),
            b.getNamedAttr("exposed_ps", number(certificate.exposed(certificate.plan.finish))),
            b.getNamedAttr("bound_ps", number(certificate.exposed(certificate.bound))),
            b.getNamedAttr("gap_ppm", number(certificate.gapPpm())),
            b.getNamedAttr("presets", b.getDictionaryAttr(presets)),
        }));
  }

  FunctionOpInterface step;
  const Config &config;
  ArrayRef<Member> all;
  ArrayRef<unsigned> gradients;
  ArrayRef<int64_t> keys;
  std::vector<int64_t> readyNs;
  int64_t computeEnds = 0;
  std::vector<ReadyGradient> made;
};

} // namespace

FailureOr<std::vector<unsigned>> ds::planGradients(FunctionOpInterface step, const Config &config,
                                                   ArrayRef<Member> all,
                                                   ArrayRef<unsigned> gradients,
                                                   ArrayRef<int64_t> keys) {
  return Planner(step, config, all, gradients, keys).run();
}
