//===- DataParallel.cpp - the pipeline ds-data-parallel ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds the stages in order. 16-bit gradients are widened before the mean is applied, so that the
// factor multiplies the sum in f32 and rounding happens once, at the end.
//
//===----------------------------------------------------------------------===//

#include "ds/Compiler/DumpModule.h"
#include "ds/Compiler/Pipelines.h"
#include "ds/Conversion/Passes.h"
#include "ds/Transforms/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ds;

namespace {

/// Adds stages and, between them, dumps named after the stage before.
class StageList {
public:
  StageList(OpPassManager &manager, StringRef dumpDir) : manager(manager), dumpDir(dumpDir) {}

  void add(StringRef name, std::initializer_list<std::function<std::unique_ptr<Pass>()>> passes) {
    for (const auto &create : passes)
      manager.addPass(create());
    if (!dumpDir.empty())
      manager.addPass(createDumpModulePass(dumpDir, number++, name));
  }

private:
  OpPassManager &manager;
  StringRef dumpDir;
  unsigned number = 0;
};

} // namespace

/// Adds the stages before a step is sharded.
static void addPreparation(StageList &stages, const DataParallelOptions &options) {
  std::string entry = options.entry;
  stages.add("config",
             {[&] { return createCheckConfigPass({options.config}); },
              [&] { return createSpecializePass({entry, /*sizes=*/""}); }, createCheckSizesPass});
  stages.add("prepare-step", {[] { return createPrepareStepPass(); }});
  stages.add("annotate-step", {[&] {
               return createAnnotateStepPass({entry, {options.pairs.begin(), options.pairs.end()}});
             }});
  stages.add("accumulate-gradients", {[&] { return createAccumulateGradientsPass({entry}); }});
  stages.add("add-gradient-norm", {[&] { return createAddGradientNormPass({entry}); }});
  stages.add("schedule-update", {[&] { return createScheduleUpdatePass({entry}); }});
  stages.add("load-strategy", {[&] { return createLoadStrategyPass({entry}); }});
  stages.add("prepare-hybrid", {[&] { return createPrepareHybridPass({entry}); }});
  stages.add("find-index-ranges", {[&] { return createFindIndexRangesPass({entry}); }});
  stages.add("detect-gradients", {[&] { return createDetectGradientsPass({entry}); }});
}

void ds::buildPrepareShardingPipeline(OpPassManager &manager, const DataParallelOptions &options) {
  StageList stages(manager, StringRef(options.dumpDir));
  addPreparation(stages, options);
}

void ds::buildDetectionPipeline(OpPassManager &manager, const DataParallelOptions &options) {
  std::string entry = options.entry;
  manager.addPass(createCheckSizesPass());
  manager.addPass(createPrepareStepPass());
  manager.addPass(createAnnotateStepPass({entry, {options.pairs.begin(), options.pairs.end()}}));
  manager.addPass(createAccumulateGradientsPass({entry}));
  manager.addPass(createAddGradientNormPass({entry}));
  manager.addPass(createScheduleUpdatePass({entry}));
  manager.addPass(createDetectGradientsPass({entry}));
}

void ds::buildPrepareFunctionPipeline(OpPassManager &manager, const DataParallelOptions &options) {
  manager.addPass(createCheckSizesPass());
  manager.addPass(createPrepareStepPass());
  manager.addPass(createFindIndexRangesPass({options.entry}));
}

void ds::buildDataParallelPipeline(OpPassManager &manager, const DataParallelOptions &options) {
  std::string entry = options.entry;
  StageList stages(manager, StringRef(options.dumpDir));
  addPreparation(stages, options);
  stages.add("shard-axes", {[&] { return createShardAxesPass({entry}); },
                            [&] { return createSaveStrategyPass({entry}); }});
  stages.add("insert-all-reduce", {[&] { return createInsertAllReducePass({entry}); }});
  stages.add("decorrelate-seeds", {[&] { return createDecorrelateSeedsPass({entry}); }});
  stages.add("localize-batch", {[&] { return createLocalizeBatchPass({entry}); }});
  stages.add("shard-optimizer", {[&] { return createShardOptimizerPass({entry}); }});
  stages.add("permute-shards", {[&] { return createPermuteShardsPass({entry}); }});
  stages.add("expand-replicated-to-partial",
             {[] { return createExpandReplicatedToPartialPass(); }});
  stages.add("sync-precision", {[] { return createSyncPrecisionPass(); }});
  stages.add("apply-mean", {[] { return createApplyMeanPass(); }});
  stages.add("narrow-gradients", {[] { return createNarrowGradientsPass(); }});
  stages.add("gather-rows", {[] { return createGatherRowsPass(); }});
  stages.add("fuse-gather-scatter", {[] { return createFuseGatherScatterPass(); }});
  stages.add("fuse-all-reduce", {[] { return createFuseAllReducePass(); }});
  stages.add("clean-up", {[] { return createCanonicalizerPass(); }, createCSEPass});
  stages.add("verify-spmd", {[] { return createVerifySpmdPass(); }});
}

void ds::registerPipelines() {
  PassPipelineRegistration<DataParallelOptions>(
      "ds-data-parallel", "Distribute a step over n ranks: gradients, all-reduces, buckets",
      buildDataParallelPipeline);
  PassPipelineRegistration<DataParallelOptions>(
      "ds-prepare-sharding", "The passes of ds-data-parallel before those that divide the step",
      buildPrepareShardingPipeline);
  PassPipelineRegistration<LowerToDriverOptions>(
      "ds-lower-to-driver",
      "Lower a step on tensors to a driver of calls: kernels, library, collectives",
      buildLowerToDriverPipeline);
  PassPipelineRegistration<>("ds-map-to-gpu",
                             "After ds-lower-to-driver: a driver and its kernels for a GPU",
                             buildMapToGpuPipeline);
  PassPipelineRegistration<>(
      "ds-kernels-to-nvvm", "After ds-map-to-gpu: the kernels in the NVVM dialect",
      [](OpPassManager &manager) { buildKernelsToNVVMPipeline(manager, /*indexBits=*/32); });
  PassPipelineRegistration<>(
      "ds-expand-once", "The earlier name of ds-expand-replicated-to-partial",
      [](OpPassManager &manager) { manager.addPass(createExpandReplicatedToPartialPass()); });
}
