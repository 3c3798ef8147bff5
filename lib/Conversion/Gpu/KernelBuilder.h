//===- KernelBuilder.h - Writes kernels of the gpu dialect ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_GPU_KERNELBUILDER_H
#define DS_LIB_CONVERSION_GPU_KERNELBUILDER_H

#include "ScatterForm.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

namespace ds::gpu {

/// One launch of a kernel: 256 threads or one, in x and y.
struct Launch {
  std::string kernel, scheme;
  int64_t blocks = 1, threadsX = 1, threadsY = 1;
  int64_t rounds = 1; // iterations of each thread, one after another
};

/// Returns the number of blocks of `size` for `work`; at least the one that a launch must have.
inline int64_t blocksFor(int64_t work, int64_t size) {
  return std::max<int64_t>(1, llvm::divideCeil(work, size));
}

/// Returns how many neighbouring points a thread of a kernel without reductions computes: a divisor
/// of `together`, the points that must be in one block.
int64_t flatWidth(const KernelLoops &loops, int64_t together);

/// Creates a function of `module` without a body, launched by `shape`. It takes the arguments of
/// `kernel`, then arguments of the types `more`; a block has memory of the types `shared`.
mlir::gpu::GPUFuncOp createFunction(mlir::func::FuncOp kernel, mlir::gpu::GPUModuleOp module,
                                    const Launch &shape, llvm::ArrayRef<mlir::Type> more,
                                    llvm::ArrayRef<mlir::Type> shared);

/// Clones the body of one kernel into as many functions of `module` as its scheme needs.
class KernelBuilder {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  /// Assertions are numbered from `firstAssertion` on.
  KernelBuilder(mlir::func::FuncOp kernel, const KernelLoops &loops, mlir::gpu::GPUModuleOp module,
                int64_t firstAssertion);

  void build(Scheme scheme);
  /// Writes the kernel at the end of `into`, whose blocks have `perBlock` of `rows` rows each, by a
  /// scheme that canChain. `known` maps the kernel's arguments and the values before its operation;
  /// `memory` is memory of a block, of the types memoryOfBlock() for that scheme, that no thread
  /// uses yet.
  void buildRows(Scheme scheme, mlir::gpu::GPUFuncOp into, const mlir::IRMapping &known,
                 llvm::ArrayRef<mlir::Value> memory, int64_t rows, int64_t perBlock);
  /// Types of a block's memory, one for each accumulator, that the scheme `block` needs.
  llvm::SmallVector<mlir::Type> memoryOfBlock() { return sharedTypes({kRows}); }
  const std::vector<Launch> &launches() const { return done; }
  /// Types of the arguments after the kernel's own: memory for partial results.
  llvm::ArrayRef<mlir::Type> scratch() const { return partials; }
  /// The messages of the body's assertions; if there are any, a word for each block is the last
  /// argument.
  llvm::ArrayRef<mlir::StringAttr> assertions() const { return messages; }

private:
  // MapElementwise.cpp
  void scalar();
  void flat();
  /// Computes points [number * width, ..) of a kernel without a reduction.
  void flatPoints(mlir::Value number, int64_t width);
  // MapReductions.cpp
  void serial();
  void serialResult(mlir::Value number);
  void warp();
  void warpResult(mlir::Value number);
  void block();
  void blockResult(mlir::Value number);
  void column();
  // MapScatter.cpp
  void scatter();
  /// Computes a value of the body at a point; `known` caches intermediate values.
  mlir::Value evaluate(mlir::Value wanted, mlir::ValueRange at, mlir::IRMapping &known);
  mlir::Value acrossLanes(mlir::Value hit, mlir::Value laneNumber);
  /// Combines the iterations from `first` on whose bits are set in `word`.
  mlir::Value takeHits(mlir::Value word, mlir::Value first, mlir::Value total, const Values &at);
  mlir::Value widen(mlir::Value value);
  // MapSplit.cpp
  void split();
  void joinParts(int64_t slices);

  mlir::gpu::GPUFuncOp begin(llvm::StringRef suffix, Launch shape,
                             llvm::ArrayRef<mlir::Type> shared = {});
  void end();
  mlir::Value index(int64_t value);
  mlir::Value plus(mlir::Value a, mlir::Value b);
  mlir::Value times(mlir::Value a, int64_t b);
  mlir::Value isLess(mlir::Value a, mlir::Value b);
  mlir::Value isZero(mlir::Value a);
  mlir::Value thread(mlir::gpu::Dimension dimension = mlir::gpu::Dimension::x);
  mlir::Value blockNumber();
  /// The number of the thread in its warp, and of the warp in its block.
  mlir::Value laneNumber();
  mlir::Value warpNumber();
  /// The number of the thread in the launch.
  mlir::Value globalThread();
  void ifTrue(mlir::Value condition, llvm::function_ref<void()> inside);
  Values loop(mlir::Value from, mlir::Value to, int64_t step, mlir::ValueRange initial,
              llvm::function_ref<Values(mlir::Value round, mlir::ValueRange carried)> inside);

  /// Writes the coordinates of `number` in `loops`, the last one fastest, into `at`.
  void delinearize(mlir::Value number, llvm::ArrayRef<unsigned> loops, Values &at);
  /// Returns the coordinates of a result; reduction loops are at their first iteration.
  Values resultAt(mlir::Value number);
  Values indicesOf(mlir::OpOperand &operand, mlir::ValueRange at);
  mlir::Value load(mlir::OpOperand &operand, mlir::ValueRange at);
  void store(mlir::Value value, unsigned result, mlir::ValueRange at);
  /// Stores the number of the assertion if it does not hold, for the host to read.
  void assertHolds(mlir::Value condition, int64_t number);
  /// Computes the body at a point; returns what it yields.
  Values body(mlir::ValueRange at, mlir::ValueRange accumulators);
  /// The same, but stores the pointwise results and returns the accumulators.
  Values point(mlir::ValueRange at, mlir::ValueRange accumulators);
  /// Runs iterations `from`, `from + step`.. of the reduction at `at`.
  Values accumulate(mlir::Value from, mlir::Value to, int64_t step, mlir::ValueRange initial,
                    const Values &at);

  Values initialAccumulators(mlir::ValueRange at);
  Values neutrals();
  mlir::Value combine(unsigned accumulator, mlir::Value a, mlir::Value b);
  /// Combines the partial results that `read` returns for `count` places, in order.
  Values combineAll(int64_t count,
                    llvm::function_ref<mlir::Value(unsigned accumulator, int64_t place)> read);
  void storeAccumulators(mlir::ValueRange at, mlir::ValueRange totals);
  /// Combines `totals` with the results in memory.
  void addToResults(mlir::ValueRange at, mlir::ValueRange totals);
  Values acrossWarp(Values values);
  mlir::Value fromLane(mlir::Value value, int64_t distance);
  /// Runs iterations [from, to) by the threads of a block; every thread gets the total.
  Values acrossBlock(const Values &at, mlir::Value from, mlir::Value to);
  /// Computes result `number` by 32 x 8 threads; `write` is called in the threads that have the
  /// totals.
  void columns(mlir::Value number, mlir::Value from, mlir::Value to,
               llvm::function_ref<void(const Values &at, const Values &totals)> write);
  llvm::SmallVector<mlir::Type> sharedTypes(llvm::ArrayRef<int64_t> shape);
  mlir::Type accumulatorType(unsigned accumulator);

  mlir::func::FuncOp kernel;
  const KernelLoops &loops;
  mlir::linalg::GenericOp op;
  mlir::gpu::GPUModuleOp module;
  mlir::OpBuilder b;
  mlir::Location loc;
  std::vector<Launch> done;
  llvm::SmallVector<mlir::Type> partials;
  int64_t firstAssertion;
  llvm::SmallVector<mlir::StringAttr> messages;
  mlir::gpu::GPUFuncOp current;
  Values shared;         // memory of a block, per accumulator
  mlir::IRMapping outer; // maps the kernel's arguments and the values before its operation
  llvm::SmallDenseMap<mlir::OpOperand *, mlir::Value> wide; // vectors loaded for all `lane`s
  int64_t lane = 0;
};

} // namespace ds::gpu

#endif // DS_LIB_CONVERSION_GPU_KERNELBUILDER_H
