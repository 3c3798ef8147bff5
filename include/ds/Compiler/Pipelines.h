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

/// Turns a step for one device into the same step for n ranks, still on tensors.
void buildDataParallelPipeline(mlir::OpPassManager &manager, const DataParallelOptions &options);

/// The first part of it, up to the step that `ds-shard-axes` receives.
void buildPrepareShardingPipeline(mlir::OpPassManager &manager, const DataParallelOptions &options);

/// Finds the gradients of a step as it was written.
void buildDetectionPipeline(mlir::OpPassManager &manager, const DataParallelOptions &options);

/// Prepares a function without updates, on one device.
void buildPrepareFunctionPipeline(mlir::OpPassManager &manager, const DataParallelOptions &options);

struct LowerToDriverOptions : mlir::PassPipelineOptions<LowerToDriverOptions> {
  Option<bool> gpu{*this, "gpu", llvm::cl::desc("Products as a GPU's library computes them"),
                   llvm::cl::init(false)};
};

/// How a step is lowered. Without `optimize` every operation becomes a kernel of its own: no
/// operation is folded, fused or passed to a library, as a reference for these optimizations.
struct Lowering {
  bool optimize = true;
  bool forGpu = false;
};

/// Lowers the step on tensors, after all of these, to a driver of calls.
void buildLowerToDriverPipeline(mlir::OpPassManager &manager,
                                const LowerToDriverOptions &options = {});
/// The same in two halves, split before the step leaves tensors.
void buildPrepareTensorsPipeline(mlir::OpPassManager &manager, Lowering how = {});
void buildBufferizeToDriverPipeline(mlir::OpPassManager &manager, Lowering how = {});

/// Lowers a module of kernels, or of a driver and its collectives, to the LLVM dialect. Buffers are
/// passed as bare pointers. `optimize`: LLVM's passes follow.
void buildToLLVMPipeline(mlir::OpPassManager &manager, bool optimize = true);

/// Lowers a driver and its kernels to a driver that a GPU's host can run, and a module of kernels
/// in the gpu dialect; then that module to the LLVM dialect.
void buildMapToGpuPipeline(mlir::OpPassManager &manager);
void buildKernelsToNVVMPipeline(mlir::OpPassManager &manager, unsigned indexBits);

/// Registers 'ds-data-parallel', 'ds-prepare-sharding' 'ds-lower-to-driver',
/// 'ds-map-to-gpu' and 'ds-kernels-to-nvvm'.
void registerPipelines();

} // namespace ds

#endif // DS_COMPILER_PIPELINES_H
