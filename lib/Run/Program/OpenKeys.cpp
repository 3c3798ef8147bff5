//===- OpenKeys.cpp - Keys that follow from the world -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Program/OpenKeys.h"

#include "ds/Analysis/Placement.h"
#include "ds/Dialect/IR/Roles.h"
#include "ds/Support/UserError.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Threading.h"

#include <algorithm>

namespace ds {

llvm::Error fillOpenKeys(Program &program, World &world, const RunOptions &options) {
  Config &config = program.openConfig();
  constexpr int64_t most = 1 << 20; // MiB, of the key's range
  if (int64_t largest = world.largestMessage(); largest && !config.isSet("largest_message"))
    llvm::cantFail(config.set("largest_message", std::clamp<int64_t>(largest >> 20, 1, most)));
  auto overNetwork = world.isOverNetwork();
  if (!overNetwork)
    return overNetwork.takeError();
  if (!options.profile.empty())
    startEachGradient(config);
  fillLink(config, options.link, *overNetwork || !options.link.empty());
  const bool isOneProcess = world.backend() == "local";
  if (!isOneProcess && config.sharesReplicas())
    return userError("'shared_replicas' is on, but the ranks meet over " + world.backend() +
                     "; expected all of them in one process, by --backend local");
  const bool isTimed = !options.link.empty() || !options.profile.empty();
  if (isTimed && config.sharesReplicas())
    return userError("'shared_replicas' is on, so ranks exchange no gradients that '" +
                     std::string(options.link.empty() ? "--profile" : "--link") +
                     "' could time; expected 'off' with it");
  const bool canShare = isOneProcess && !isTimed && options.device == "cpu";
  fillSharing(program, canShare ? world.numRanks() : 1);
  return llvm::Error::success();
}

/// Returns the bytes of parameters and states, as far as the step's arguments are annotated.
static int64_t heldBytes(const Program &program) {
  int64_t bytes = 0;
  for (auto step : program.written().getOps<mlir::func::FuncOp>()) {
    if (program.entry().empty() ? !step.isPublic() : step.getName() != program.entry())
      continue;
    for (mlir::BlockArgument argument : step.getArguments()) // a declaration has none
      if (auto type = llvm::dyn_cast<mlir::ShapedType>(argument.getType());
          type && type.hasStaticShape() && !paramOrState(step, argument.getArgNumber()).empty())
        bytes += getStoredBytes(argument);
  }
  return bytes;
}

void fillSharing(Program &program, int64_t sharingRanks) {
  // On two cores a step of two ranks with shared values is faster from 40 MB on with SGD, from
  // 20 MB on with Adam (bench/README.md, "Ranks of one process"). With more ranks than cores a core
  // would otherwise update the copies of several ranks ("Ranks that outnumber the cores").
  constexpr int64_t pays = int64_t(64) << 20, paysInTurns = int64_t(1) << 20;
  Config &config = program.openConfig();
  if (!config.sharingIsAutomatic())
    return;
  const bool inTurns = sharingRanks > llvm::hardware_concurrency().compute_thread_count();
  const bool shares = sharingRanks > 1 && config.mayShareReplicas() &&
                      heldBytes(program) >= (inTurns ? paysInTurns : pays);
  llvm::cantFail(config.set("shared_replicas", std::string(shares ? "on" : "off")));
}

void fillLink(Config &config, llvm::StringRef link, bool overlaps) {
  if (!link.empty() && !config.isSet("comm_costs"))
    llvm::cantFail(config.set("comm_costs", link.str()));
  const bool runsFree = config.updateMode().kind == UpdateMode::Kind::Asynchronous;
  if (config.overlapIsAutomatic())
    llvm::cantFail(config.set("overlap", std::string(overlaps && !runsFree ? "on" : "off")));
}

void startEachGradient(Config &config) {
  llvm::cantFail(config.reset("all_reduce_fusion_config"));
  llvm::cantFail(config.set("comm_fusion", std::string("none")));
  llvm::cantFail(config.set("overlap", std::string("on")));
}

} // namespace ds
