//===- Pipelines.h - passes in the order that distributes a step *- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_PIPELINES_PIPELINES_H
#define DS_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace ds {

struct DataParallelOptions : mlir::PassPipelineOptions<DataParallelOptions> {
  Option<std::string> entry{*this, "entry",
                            llvm::cl::desc("The step; the module's only public function if empty"),
                            llvm::cl::init("")};
  Option<std::string> config{*this, "config",
                             llvm::cl::desc("Keys of ds.config to set first: key=value,..."),
                             llvm::cl::init("")};
  ListOption<std::string> pairs{
      *this, "pairs",
      llvm::cl::desc("Pairs argument:result for ds-annotate-step, where donation is ambiguous")};
  Option<std::string> dumpDir{
      *this, "dump-dir",
      llvm::cl::desc("Folder that receives the module after every stage, numbered"),
      llvm::cl::init("")};
};

/// From a step for one device to the same step for n ranks, still on tensors.
void buildDataParallelPipeline(mlir::OpPassManager &manager, const DataParallelOptions &options);

/// The first part of it: the step as `ds-shard-axes` receives it.
void buildPrepareShardingPipeline(mlir::OpPassManager &manager, const DataParallelOptions &options);

/// Registers 'ds-data-parallel' and 'ds-prepare-sharding'.
void registerPipelines();

} // namespace ds

#endif // DS_PIPELINES_PIPELINES_H
