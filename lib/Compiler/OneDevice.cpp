//===- OneDevice.cpp - The same step on one device --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Compiler/OneDevice.h"

#include "ds/Analysis/StepRoles.h"
#include "ds/Compiler/RoundFactors.h"
#include "ds/Dialect/IR/Precision.h"
#include "ds/Rewrite/LocalReference.h"
#include "ds/Rewrite/PerturbRounding.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace ds {

int64_t replicasOf(const Config &config, int64_t numRanks) {
  std::vector<MeshAxis> mesh = config.mesh();
  return mesh.empty() ? numRanks : mesh.front().size;
}

Config oneDeviceConfig(Config config) {
  llvm::cantFail(config.set("parallel_mode", std::string("stand_alone")));
  llvm::cantFail(config.set("device_num", int64_t(1)));
  for (StringRef key : {"global_rank", "mesh", "memory_limit", "full_batch", "dataset_strategy",
                        "cross_batch", "loss_repeated_mean"})
    llvm::cantFail(config.reset(key));
  return config;
}

LogicalResult cutForOneDevice(ModuleOp module, const Config &config, int64_t replicas,
                              StringRef entry, Verify verify) {
  if (config.batch() != BatchSemantics::Local || replicas == 1)
    return success();
  if (failed(findGradients(module, entry, verify)))
    return failure();
  return buildLocalReference(module, replicas, entry);
}

void perturbForOneDevice(ModuleOp module, const Config &config, StringRef entry) {
  if (roundsFactors(config)) {
    [[maybe_unused]] LogicalResult rounded =
        runPasses(module, Verify::never, [](OpPassManager &manager) {
          buildRoundFactorsPipeline(manager, /*narrow=*/true);
        });
    assert(succeeded(rounded) && "the step of the ranks was lowered before");
  }
  perturbRounding(getStep(module, entry));
}

} // namespace ds
