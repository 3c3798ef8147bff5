//===- Pipelines.h - passes in the order that distributes a step *- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_COMPILER_PIPELINES_H
#define DS_COMPILER_PIPELINES_H

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

/// What finds the gradients of a step as it was written.
void buildDetectionPipeline(mlir::OpPassManager &manager, const DataParallelOptions &options);

/// For a function without updates, on one device.
void buildPrepareFunctionPipeline(mlir::OpPassManager &manager, const DataParallelOptions &options);

struct LowerToDriverOptions : mlir::PassPipelineOptions<LowerToDriverOptions> {
  Option<bool> gpu{*this, "gpu", llvm::cl::desc("Products as a GPU's library computes them"),
                   llvm::cl::init(false)};
};

/// How a step is lowered. Without `optimize` every operation becomes a kernel of its own: nothing
/// is folded, fused or given to a library, so that what these do can be compared with what was
/// meant.
struct Lowering {
  bool optimize = true;
  bool forGpu = false;
};

/// The step on tensors, behind all of these, to a driver of calls.
void buildLowerToDriverPipeline(mlir::OpPassManager &manager,
                                const LowerToDriverOptions &options = {});
/// The same in two halves, split where the step is still on tensors.
void buildPrepareTensorsPipeline(mlir::OpPassManager &manager, Lowering how = {});
void buildBufferizeToDriverPipeline(mlir::OpPassManager &manager, Lowering how = {});

/// A module of kernels, or of a driver and its collectives, to the LLVM dialect. Buffers travel as
/// bare pointers. `optimize`: LLVM's passes follow.
void buildToLLVMPipeline(mlir::OpPassManager &manager, bool optimize = true);

/// A driver and its kernels to a driver that a GPU's host can run, and a module of kernels in the
/// gpu dialect; then that module to the LLVM dialect.
void buildMapToGpuPipeline(mlir::OpPassManager &manager);
void buildKernelsToNVVMPipeline(mlir::OpPassManager &manager, unsigned indexBits);

/// Registers 'ds-data-parallel', 'ds-prepare-sharding' 'ds-lower-to-driver',
/// 'ds-map-to-gpu' and 'ds-kernels-to-nvvm'.
void registerPipelines();

} // namespace ds

#endif // DS_COMPILER_PIPELINES_H
