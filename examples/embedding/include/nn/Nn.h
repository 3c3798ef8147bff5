//===- Nn.h - The nn dialect and what compiles it ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NN_NN_H
#define NN_NN_H

#include "ds/Analysis/Placement.h"
#include "ds/Analysis/ScalarRule.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"

#include "nn/NnDialect.h.inc"

#define GET_OP_CLASSES
#include "nn/NnOps.h.inc"

namespace nn {

/// nn-lower: every operation of nn to linalg on tensors.
std::unique_ptr<mlir::Pass> createLowerPass();

struct DistributeOptions : mlir::PassPipelineOptions<DistributeOptions> {
  Option<int64_t> ranks{*this, "ranks", llvm::cl::desc("How many ranks"), llvm::cl::init(1)};
  Option<std::string> batch{*this, "batch", llvm::cl::desc("What the batch is: local or global"),
                            llvm::cl::init("global")};
};

/// nn-distribute: the step of one rank, lowered.
void buildDistributePipeline(mlir::OpPassManager &manager, const DistributeOptions &options);

void registerPasses();

} // namespace nn

#endif // NN_NN_H
