//===- Differential.h - One step on n ranks against one device --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference of `global` is the step itself. That of `local` is `vmap` over the ranks, which
// meet at the marks that the author wrote, so it shares nothing with the detection of gradients,
// insertion, scaling, fusion or the runtime. In `local` the program runs without its marks, which
// the compiler must find, and with them. Both are read over a finite field, where equal is bit for
// bit (ds/Run/Exact/ExactCheck.h); what code generation does to floats is a test of its own.
//
//===----------------------------------------------------------------------===//
#ifndef DS_FUZZ_DIFFERENTIAL_H
#define DS_FUZZ_DIFFERENTIAL_H

#include "ds/Dialect/IR/Config.h"
#include "ds/Target/All/Targets.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace ds::fuzz {

enum class Verdict { equal, refused, different, broken };

struct Outcome {
  Verdict verdict = Verdict::equal;
  /// What differs, or the compiler's words; of equal steps, why it refused the one without marks.
  std::string message;
  double worst = 0; // of floats, the largest difference in units of what is allowed
};

/// The CPU that all steps of this process are compiled for; native until this is called.
void setTargetCpu(const std::string &name);

/// Whether two steps compute the same on one device. Passes of others that a step went through have
/// mistakes of their own.
bool isSameStep(mlir::ModuleOp author, mlir::ModuleOp program, uint64_t seed);

/// Compares `program`, compiled for each number of ranks, with `marked` on one device for two steps
/// of random data. `author` may hold `ds.gradient` marks; without any, those of the compiler are
/// used. By its remainder the seed also asks for other buckets, a parallel optimizer or a mesh.
Outcome compareWithOneDevice(mlir::ModuleOp author, mlir::ModuleOp program,
                             llvm::ArrayRef<int64_t> ranks, uint64_t seed);

/// The same with `marked` itself, which has all marks that its meaning needs and perhaps shardings.
Outcome compareAsMarked(mlir::ModuleOp marked, llvm::ArrayRef<int64_t> ranks, uint64_t seed);

/// The same with `program` on the ranks of `mesh`, densely sharded at random over all axes. With
/// `opens`, marks of values leave dimensions open to axes that they do not name.
Outcome compareOnMesh(mlir::ModuleOp author, mlir::ModuleOp program,
                      const std::vector<MeshAxis> &mesh, bool opens, uint64_t seed);

/// Compares `distributed`, a step for one of the ranks that its configuration says, with `author`
/// on one device.
Outcome compareDistributed(mlir::ModuleOp author, mlir::ModuleOp distributed, uint64_t seed);

/// Compares `program` on one device, compiled as users get it, with the same compiled plainly, in
/// floats.
Outcome compareCode(mlir::ModuleOp program, uint64_t seed);

/// Where code for a GPU runs.
struct GpuPlace {
  std::string target; // such as cuda:sm_90, with :calls for no graph
  int64_t numRanks = 1;
  std::string backend = "local";
};
/// By its seed, of a step for `numRanks` ranks: 1, 2 or 4 of these where they divide its samples.
GpuPlace pickGpuPlace(const std::string &target, int64_t numRanks, uint64_t seed);
std::string toText(const GpuPlace &place);

/// Compares the ranks of `program` on GPUs with the same ranks compiled plainly for the CPU, in
/// floats. In `local`, `author` has the marks.
Outcome compareGpuCode(mlir::ModuleOp author, mlir::ModuleOp program, const GpuPlace &place,
                       uint64_t seed);

/// Compares the bits of `program` on ranks of several processes, picked by the seed, with those of
/// threads of one. The seed also asks for other buckets, a parallel optimizer, a mesh or an update
/// mode, unless `mesh` has axes. Appends to `where` on how many of each.
Outcome comparePlacements(mlir::ModuleOp author, mlir::ModuleOp program, int64_t numRanks,
                          const std::vector<MeshAxis> &mesh, bool opens, uint64_t seed,
                          std::string &where);

/// Axes `dp`, `tp`, `ep` and `sp` of the sizes that a text like `2x4` gives; empty if it is none.
std::vector<MeshAxis> parseMesh(llvm::StringRef text);

/// The program that is put under test: without marks, rewritten by `variant`, a pipeline.
/// Null, after an error, if the pipeline fails.
mlir::OwningOpRef<mlir::ModuleOp> makeProgram(mlir::ModuleOp marked, llvm::StringRef variant);

/// `program` on a random mesh whose first axis has `numRanks` ranks, sharded at random or, beside a
/// few marks, by search. Its configuration is valid.
mlir::OwningOpRef<mlir::ModuleOp> shardAtRandom(mlir::ModuleOp program, int64_t numRanks,
                                                uint64_t seed);

/// `program` on `mesh`, densely sharded at random.
mlir::OwningOpRef<mlir::ModuleOp>
shardDensely(mlir::ModuleOp program, const std::vector<MeshAxis> &mesh, bool opens, uint64_t seed);

} // namespace ds::fuzz

#endif // DS_FUZZ_DIFFERENTIAL_H
