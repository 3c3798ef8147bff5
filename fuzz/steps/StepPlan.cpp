//===- StepPlan.cpp - The choices of a step ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StepPlan.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace ds::fuzz {

void StepPlan::pickTypes(MLIRContext &context, Random &random) {
  Type f32 = Float32Type::get(&context), f64 = Float64Type::get(&context);
  int64_t kind = random.below(100);
  if (kind < 40) {
    model.stored = model.compute = f64;
  } else if (kind < 80) {
    model.stored = model.compute = f32;
  } else {
    model.compute =
        random.chance(70) ? Type(BFloat16Type::get(&context)) : Type(Float16Type::get(&context));
    model.stored = random.chance(80) ? f32 : model.compute;
  }
  // Where two roundings of a statistic lie on both sides of a kink, gradients differ: f64 alone
  // makes that improbable enough.
  model.kinks = model.compute == f64 || (model.compute == f32 && random.chance(50));
  model.mayUseStatistics = model.compute == f64 || !model.kinks;
}

void StepPlan::pickNetwork(uint64_t seed, Random &random) {
  int64_t classes = random.between(2, 5);
  switch (random.below(4)) {
  case 0:
    input = {-1, random.between(2, 8)};
    break;
  case 1:
    input = {-1, random.between(2, 4), random.between(2, 6)};
    batchSecond = random.chance(30);
    break;
  case 2:
    input = {-1, random.between(3, 6), random.between(3, 6), random.between(1, 3)};
    break;
  default:
    input = {-1, random.between(2, 4)};
    model.vocabulary = random.between(4, 9);
    tiedOutput = random.chance(40);
  }
  Shape shape = input;
  if (model.vocabulary) {
    shape.push_back(random.between(2, 6));
    model.parameters.push_back({"table", {model.vocabulary, shape.back()}});
  }
  int64_t width = shape.back();
  planBody(model, random, shape, random.between(0, 4));
  if (similarity)
    planSimilarity(model);
  if (ordered)
    planOrder(model);
  if (Random own(~seed ^ 4); own.chance(25))
    planObservers(model, own, shape);
  if (Random own(~seed ^ 5); own.chance(25))
    planSecondPath(model, own, shape);
  if (tiedOutput)
    classes = model.vocabulary;
  planDense(model, random, shape, tiedOutput ? width : classes);
  loss.classes = classes;
  loss.kind = random.pick({Loss::crossEntropy, Loss::crossEntropy, Loss::validCrossEntropy,
                           Loss::squared, Loss::margin});
  loss.mean = random.chance(80);
  loss.indexed = random.chance(15);
}

void StepPlan::pickBatch(uint64_t seed, Random &random, const GeneratorOptions &options) {
  static constexpr int64_t ranks[] = {2, 3, 4, 8};
  numRanks = options.numRanks ? options.numRanks : ranks[seed % 4];
  if (random.chance(30)) {
    microbatches = random.between(2, 3);
    loop = options.loops && random.chance(60);
    neighbours = random.chance(50);
  }
  int64_t parts = microbatches * model.batchParts;
  if (config.batch() == BatchSemantics::Local)
    rows = parts * random.between(2, 4);
  else
    rows = random.chance(15) ? parts * numRanks : parts * 24;
  // The running copies of statistics are not carried through the loop, so nothing renews them.
  reportSamples = microbatches == 1 && random.chance(40);
  reportLargest = microbatches == 1 && random.chance(25);
  reportPenalty = microbatches == 1 && random.chance(25);
  bool local = config.batch() == BatchSemantics::Local;
  earlyDecay = microbatches > 1 && (local ? Random(~seed ^ 7).chance(50) : random.chance(50));
}

void StepPlan::pickConfig(Random &random) {
  auto set = [&](StringRef key, ConfigValue value) { llvm::cantFail(config.set(key, value)); };
  auto word = [](const char *text) { return ConfigValue(std::string(text)); };
  if (random.chance(50)) {
    set("batch", word("global"));
    if (random.chance(20)) // has no meaning there
      set("gradients_mean", true);
  } else {
    set("gradients_mean", random.chance(50));
    if (random.chance(20))
      set("local_state", word("rank0"));
    if (random.chance(20))
      set("sync_metrics", true);
  }
  switch (random.below(6)) {
  case 0:
    set("comm_fusion", word("none"));
    break;
  case 1:
    set("comm_fusion", word("size:1"));
    break;
  case 2:
    set("all_reduce_fusion_config", std::vector<int64_t>{1, 3});
    break;
  case 3:
    set("all_reduce_fusion_config", std::vector<int64_t>{2});
    set("mindspore_inclusive", true);
    break;
  default:
    break;
  }
  if (random.chance(30))
    set("fusion_order", word("parameter"));
  if (random.chance(20))
    set("gradient_fp32_sync", false);
}

/// Exchanges that are started, and buckets by a link at random. Costs at random move the times at
/// which gradients are ready, and with them the plan. Or values that ranks hold once.
void StepPlan::pickOverlap(Random random) {
  auto set = [&](StringRef key, ConfigValue value) { llvm::cantFail(config.set(key, value)); };
  if (random.chance(50)) {
    if (random.chance(75))
      set("shared_replicas", std::string("on"));
    return;
  }
  set("overlap", std::string("on"));
  if (random.chance(25))
    set("overlap_memory", int64_t(1));
  bool ordered = config.fusionOrder() == FusionOrder::Ready && !config.mindsporeInclusive();
  if (!ordered || config.isSet("all_reduce_fusion_config") || random.chance(30))
    return;
  set("comm_costs", std::string(random.pick({"0ns:1GB", "1us:100MB", "100us:1GB", "1ms:1MB"})));
  set("comm_fusion", std::string("planned"));
  for (const char *key : {"cost_flop", "cost_memory"})
    set(key, int64_t(random.pick({0, 100, 30000, 1000000})));
}

static std::string pickVariant(Random &random) {
  switch (random.below(8)) {
  case 0:
    return "func.func(linalg-generalize-named-ops)";
  case 1:
    return "func.func(linalg-generalize-named-ops),canonicalize,cse";
  case 2:
    return "func.func(linalg-generalize-named-ops,linalg-fuse-elementwise-ops),canonicalize,cse";
  case 3:
    return "func.func(linalg-generalize-named-ops,linalg-fold-unit-extent-dims),canonicalize";
  case 4:
    return "canonicalize,cse";
  case 5:
    return "func.func(linalg-fuse-elementwise-ops),canonicalize";
  default:
    return "";
  }
}

StepPlan::StepPlan(MLIRContext &context, uint64_t seed, Random &random,
                   const GeneratorOptions &options) {
  pickTypes(context, random);
  model.loops = options.loops;
  pickConfig(random);
  pickOverlap(Random(~seed ^ 9));
  // Streams of their own: seeds without these are the steps they were before there was such a
  // thing.
  similarity = Random(~seed).chance(12);
  bool rounds = model.compute.getIntOrFloatBitWidth() < 32;
  reportMeanSquare = !rounds && Random(~seed ^ 1).chance(10);
  reportSlope = !rounds && Random(~seed ^ 2).chance(10);
  skipsByLoss = !rounds && options.loops && Random(~seed ^ 8).chance(10);
  ordered = Random(~seed ^ 6).chance(12);
  pickNetwork(seed, random);
  pickBatch(seed, random, options);
  bool oneWillDo = microbatches * model.batchParts == 1 && !similarity;
  if (config.batch() == BatchSemantics::Local && oneWillDo && Random(~seed ^ 3).chance(15))
    rows = 1;
  ordered &= rows > 1;
  optimizer = pickOptimizer(model, random);
  planOptimizer(model, optimizer);
  for (const Parameter &parameter : model.parameters)
    if (model.parameters.size() > 1 && frozen.size() + 1 < model.parameters.size() &&
        random.chance(6))
      frozen.insert(parameter.name);
  variant = pickVariant(random);
}

static std::string nameOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string StepPlan::summary() const {
  static constexpr const char *rules[] = {"descent", "momentum", "adam", "trust-ratio", "factored"};
  std::string text = llvm::formatv("{0}, {1} ranks, {2} rows, {3}",
                                   config.batch() == BatchSemantics::Global ? "global" : "local",
                                   numRanks, rows, nameOf(model.compute));
  text += llvm::formatv(", {0} parameters, {1} layers, {2}", model.parameters.size(),
                        model.layers.size(), rules[static_cast<int>(optimizer.rule)]);
  if (microbatches > 1)
    text += llvm::formatv(", {0} microbatches{1}", microbatches, loop ? " in a loop" : "");
  if (similarity)
    text += ", all pairs of samples";
  if (ordered)
    text += ", samples in another order";
  if (!variant.empty())
    text += ", " + variant;
  return text;
}

} // namespace ds::fuzz
