//===- PlannedBuckets.cpp - gradients in buckets that end first -----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gradient is ready when all operations before its definition are done that need no exchange
// themselves: at the sum of their costs by the configuration, or at the time that a profile has
// measured. Its update is every operation that needs this gradient and none that is started later;
// the update runs after the gradient arrives. Where exchanges block, an early start gains nothing,
// and all gradients count as ready at once.
//
//===----------------------------------------------------------------------===//

#include "PlannedBuckets.h"
#include "PlanFiles.h"

#include "ds/Analysis/Placement.h"
#include "ds/Analysis/StepFlow.h"
#include "ds/Analysis/WorkCosts.h"
#include "ds/Dialect/IR/PlanAttrs.h"
#include "ds/Plan/BucketPresets.h"
#include "ds/Plan/StepCosts.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

#include <map>

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

/// The timeline of a step, from the costs of its operations.
class CostedStep {
public:
  /// `gradients` are members, in the order in which they are started.
  CostedStep(Block &block, ArrayRef<Member> all, ArrayRef<unsigned> gradients,
             const StepCosts &costs)
      : costs(costs) {
    for (const Member &member : all)
      if (member.op().getPurpose() != Purpose::Activation)
        started[member.op()] = -1;
    for (auto [place, member] : llvm::enumerate(gradients))
      started[all[member].op()] = place;
    step.updates.resize(gradients.size());
    auto function = dyn_cast<func::FuncOp>(block.getParentOp());
    bool hasControl =
        llvm::any_of(block, [](Operation &op) { return isa<RegionBranchOpInterface>(op); });
    if (function && hasControl)
      flow.emplace(function);
    for (Operation &op : block)
      add(&op);
    for (unsigned member : gradients)
      step.gradients.push_back({all[member].bytes(), of(all[member].input())});
    addOthers(all, gradients);
    // Operations that need no exchange but come after the last start are fused into the updates.
    for (const Member &member : all)
      if (started.contains(member.op()))
        step.computeEnds = std::max(step.computeEnds, of(member.input()));
    for (const OtherExchange &other : step.others)
      if (other.needed != OtherExchange::atEnd)
        step.computeEnds = std::max(step.computeEnds, other.needed);
  }

  StepTimeline take() { return std::move(step); }

private:
  int64_t of(Value value) const {
    Operation *maker = value.getDefiningOp();
    return maker ? readyAt.lookup(maker) : 0;
  }

  void add(Operation *op) {
    if (auto found = started.find(op); found != started.end()) {
      behind[op] = found->second;
      return;
    }
    // Operations that need a started exchange run after all those that do not.
    std::optional<int64_t> last;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (auto found = behind.find(operand.getDefiningOp()); found != behind.end())
          last = std::max(last.value_or(-1), found->second);
    });
    if (last) {
      behind[op] = *last;
      if (*last >= 0)
        step.updates[*last] += timeOf(op);
      return;
    }
    if (auto collective = dyn_cast<CollectiveOpInterface>(op); collective && op->getNumResults()) {
      step.others.push_back({bytesOf(collective), time, time}); // it blocks
    } else {
      time += timeOf(op);
    }
    readyAt[op] = time;
  }

  static int64_t bytesOf(CollectiveOpInterface collective) {
    int64_t bytes = 0;
    for (Value value : collective.getWholes())
      bytes += getWireBytes(value);
    return bytes;
  }

  /// Adds one bucket for all metrics and one for all states.
  void addOthers(ArrayRef<Member> all, ArrayRef<unsigned> gradients) {
    std::map<Purpose, OtherExchange> kinds;
    for (const Member &member : all) {
      if (started.lookup(member.op()) >= 0 || !started.contains(member.op()))
        continue;
      OtherExchange &other = kinds[member.op().getPurpose()];
      other.bytes += member.bytes();
      other.ready = std::max(other.ready, of(member.input()));
    }
    for (auto &[kind, other] : kinds)
      step.others.push_back(other);
    llvm::stable_sort(step.others, [](const OtherExchange &a, const OtherExchange &b) {
      return a.ready < b.ready;
    });
  }

  int64_t timeOf(Operation *op) const {
    int64_t sum = 0;
    auto add = [&](Operation *unit) {
      if (unit->getNumResults() == 0)
        return WalkResult::advance();
      int64_t once = timeOfWork(unit, costs) * psPerNs;
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
  std::optional<StepFlow> flow;                 // for trip counts
  llvm::DenseMap<Operation *, int64_t> started; // index of its last gradient; -1: none
  llvm::DenseMap<Operation *, int64_t> behind;  // the last gradient that an operation waits for
  llvm::DenseMap<Operation *, int64_t> readyAt;
  int64_t time = 0;
  StepTimeline step;
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
    StepTimeline timeline;
    for (unsigned member : gradients)
      timeline.gradients.push_back({all[member].bytes(), 0});
    if (config.overlaps() && failed(fillTimeline(timeline, *ranks)))
      return failure();
    for (auto [i, gradient] : llvm::enumerate(timeline.gradients)) {
      gradient.key = keys[i];
      if (i > 0) // measured times may be out of order
        gradient.ready = std::max(gradient.ready, timeline.gradients[i - 1].ready);
    }
    timeline.computeEnds = std::max(timeline.computeEnds, timeline.gradients.back().ready);
    PlannerOptions options;
    options.largestBucket = config.largestMessage().value_or(options.largestBucket);
    BucketCertificate certificate = certifyBuckets(timeline, *channel, *ranks, options);
    tell(certificate, timeline);
    std::vector<unsigned> buckets;
    for (size_t i = 0, bucket = 0; i < gradients.size(); ++i) {
      bucket += i == certificate.plan.ends[bucket];
      buckets.push_back(bucket);
    }
    return buckets;
  }

private:
  LogicalResult fillTimeline(StepTimeline &timeline, int64_t ranks) {
    std::optional<std::string> path = config.planProfile();
    if (!path) {
      StepCosts costs{config.costRates()};
      Block &block = *all[gradients.front()].op()->getBlock();
      timeline = CostedStep(block, all, gradients, costs).take();
      return success();
    }
    llvm::Expected<StepProfile> profile = readProfile(*path, ranks);
    if (!profile)
      return step.emitError() << llvm::toString(profile.takeError());
    for (auto [member, gradient] : llvm::zip(gradients, timeline.gradients)) {
      std::string names = joinedNames(all[member]);
      auto found = profile->gradients.find(names);
      if (found == profile->gradients.end())
        return step.emitError() << "'plan_profile' file '" << *path << "' has no gradient of '"
                                << names << "': it is of another step";
      gradient.ready = found->second.ready;
      timeline.updates.push_back(found->second.update);
    }
    // All exchanges that the step waits for at its end count as one bucket.
    OtherExchange last;
    for (const OtherExchange &other : profile->others) {
      if (other.needed != OtherExchange::atEnd) {
        timeline.others.push_back(other);
        continue;
      }
      last.bytes += other.bytes;
      last.ready = std::max(last.ready, other.ready);
    }
    if (last.bytes > 0)
      timeline.others.insert(llvm::upper_bound(timeline.others, last,
                                               [](const OtherExchange &a, const OtherExchange &b) {
                                                 return a.ready < b.ready;
                                               }),
                             last);
    timeline.launch = profile->launch;
    timeline.computeEnds = profile->computeEnds;
    return success();
  }

  /// Writes the certificate to the module, as figures that all tools read.
  void tell(const BucketCertificate &certificate, const StepTimeline &timeline) {
    OpBuilder b(step);
    auto number = [&](int64_t value) { return b.getI64IntegerAttr(value); };
    SmallVector<NamedAttribute> presets;
    for (const auto &[preset, schedule] : certificate.presets)
      presets.push_back(
          b.getNamedAttr(toString(preset), number(certificate.exposed(schedule.finish))));
    llvm::BLAKE3 hasher;
    int64_t bytes = 0, computing = certificate.computed;
    for (int64_t update : timeline.updates)
      computing += update;
    for (auto [gradient, member] : llvm::zip(timeline.gradients, gradients)) {
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
            b.getNamedAttr("gradients", number(gradients.size())),
            b.getNamedAttr("bytes", number(bytes)),
            b.getNamedAttr("buckets", number(certificate.plan.ends.size())),
            b.getNamedAttr("compute_ps", number(computing)),
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
};

} // namespace

FailureOr<std::vector<unsigned>> ds::planGradients(FunctionOpInterface step, const Config &config,
                                                   ArrayRef<Member> all,
                                                   ArrayRef<unsigned> gradients,
                                                   ArrayRef<int64_t> keys) {
  return Planner(step, config, all, gradients, keys).run();
}
