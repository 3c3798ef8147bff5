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
  int64_t rounds = 1; // that each thread makes, one after another
};

/// Blocks of `size` for so much work; one at least, which a launch must have.
inline int64_t blocksFor(int64_t work, int64_t size) {
  return std::max<int64_t>(1, llvm::divideCeil(work, size));
}

/// Neighbouring points that a thread of a kernel without reductions computes; a divisor of
/// `together`, the points that lie in one block.
int64_t flatWidth(const KernelLoops &loops, int64_t together);

/// A function of `module` without a body that is launched as `shape` says. It takes what `kernel`
/// does and arguments of the types `more` behind that; a block has memory of the types `shared`.
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
  /// scheme that canChain. `known`: the kernel's arguments and what stands before its operation;
  /// `memory`: of a block, of the types memoryOfBlock() for that scheme, which no thread uses yet.
  void buildRows(Scheme scheme, mlir::gpu::GPUFuncOp into, const mlir::IRMapping &known,
                 llvm::ArrayRef<mlir::Value> memory, int64_t rows, int64_t perBlock);
  /// Types of a block's memory, one for each accumulator, that the scheme `block` needs.
  llvm::SmallVector<mlir::Type> memoryOfBlock() { return sharedTypes({kRows}); }
  const std::vector<Launch> &launches() const { return done; }
  /// Types of the arguments behind the kernel's own: memory for partial results.
  llvm::ArrayRef<mlir::Type> scratch() const { return partials; }
  /// What the assertions of the body say; if there are any, a word for each block comes last.
  llvm::ArrayRef<mlir::StringAttr> assertions() const { return messages; }

private:
  // MapElementwise.cpp
  void scalar();
  void flat();
  /// Points [number * width, ..) of a kernel without a reduction.
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
  /// A value of the body at a point; `known` keeps what it was made of.
  mlir::Value evaluate(mlir::Value wanted, mlir::ValueRange at, mlir::IRMapping &known);
  mlir::Value acrossLanes(mlir::Value hit, mlir::Value laneNumber);
  /// Combines the rounds from `first` on that the bits of `word` name.
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
  /// Of the thread in its warp, and of the warp in its block.
  mlir::Value laneNumber();
  mlir::Value warpNumber();
  /// The number of the thread among all.
  mlir::Value globalThread();
  void ifTrue(mlir::Value condition, llvm::function_ref<void()> inside);
  Values loop(mlir::Value from, mlir::Value to, int64_t step, mlir::ValueRange initial,
              llvm::function_ref<Values(mlir::Value round, mlir::ValueRange carried)> inside);

  /// Writes the coordinates of `number` in `loops`, the last one fastest, into `at`.
  void delinearize(mlir::Value number, llvm::ArrayRef<unsigned> loops, Values &at);
  /// The coordinates of a result; reduction loops are at their first round.
  Values resultAt(mlir::Value number);
  Values indicesOf(mlir::OpOperand &operand, mlir::ValueRange at);
  mlir::Value load(mlir::OpOperand &operand, mlir::ValueRange at);
  void store(mlir::Value value, unsigned result, mlir::ValueRange at);
  /// Stores the number of the assertion where it does not hold, for the host to read.
  void assertHolds(mlir::Value condition, int64_t number);
  /// The body at a point: what it yields.
  Values body(mlir::ValueRange at, mlir::ValueRange accumulators);
  /// The same; stores the pointwise results and returns the accumulators.
  Values point(mlir::ValueRange at, mlir::ValueRange accumulators);
  /// Rounds `from`, `from + step`.. of the reduction at `at`.
  Values accumulate(mlir::Value from, mlir::Value to, int64_t step, mlir::ValueRange initial,
                    const Values &at);

  Values initialAccumulators(mlir::ValueRange at);
  Values neutrals();
  mlir::Value combine(unsigned accumulator, mlir::Value a, mlir::Value b);
  /// Combines `values` with the partial results of `count` places of `memories`, in order.
  Values combineAll(int64_t count,
                    llvm::function_ref<mlir::Value(unsigned accumulator, int64_t place)> read);
  void storeAccumulators(mlir::ValueRange at, mlir::ValueRange totals);
  /// What is in memory, combined with `totals`.
  void addToResults(mlir::ValueRange at, mlir::ValueRange totals);
  Values acrossWarp(Values values);
  mlir::Value fromLane(mlir::Value value, int64_t distance);
  /// Rounds [from, to) by the threads of a block; every thread has the total.
  Values acrossBlock(const Values &at, mlir::Value from, mlir::Value to);
  /// Result `number` by 32 x 8 threads; `write` is called where the totals are.
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
  Values shared;         // memory of a block, for each accumulator
  mlir::IRMapping outer; // of the kernel's arguments and of what stands before its operation
  llvm::SmallDenseMap<mlir::OpOperand *, mlir::Value> wide; // what was loaded for `lane`s
  int64_t lane = 0;
};

} // namespace ds::gpu

#endif // DS_LIB_CONVERSION_GPU_KERNELBUILDER_H
