//===- BucketMembers.cpp - the operands that buckets hold -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BucketAssignment.h"
#include "ds/Analysis/StepFlow.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace ds;

bool ds::movesFreely(Operation *op) {
  // A fast path for most operations: building their list of effects is slow.
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op); linalgOp && linalgOp.hasPureTensorSemantics())
    return true;
  auto collective = dyn_cast<CollectiveOpInterface>(op);
  bool onTensors = collective && op->getNumResults() > 0 && !collective.isInFlight();
  return onTensors || isMemoryEffectFree(op);
}

std::vector<Member> ds::collectMembers(FunctionOpInterface step,
                                       ArrayRef<CollectiveOpInterface> collectives) {
  std::vector<Member> members;
  DenseMap<Operation *, unsigned> place; // of the operations that define an input
  for (CollectiveOpInterface collective : collectives) {
    for (unsigned i = 0; i < collective->getNumResults(); ++i) {
      members.push_back({collective, i});
      place[members.back().input().getDefiningOp()] = 0;
    }
  }
  unsigned next = 1;
  walkOutsideBodies(step, [&](Operation *op) {
    if (auto it = place.find(op); it != place.end())
      it->second = next++;
    return WalkResult::advance();
  });
  auto ready = [&](const Member &member) { return place.lookup(member.input().getDefiningOp()); };
  llvm::stable_sort(members, [&](const Member &a, const Member &b) { return ready(a) < ready(b); });
  return members;
}
