//===- Linalg.cpp - Placement of every linalg operation -------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One model for every named operation and `generic`: their loops are placed as those of any other
// operation (Loops.cpp), and the body determines the linear operands and the captures.
//
//===----------------------------------------------------------------------===//
#include "LinalgLoops.h"

#include "ds/Analysis/Rules/Rules.h"

using namespace mlir;
using linalg::LinalgOp;

namespace ds {
namespace {

template <typename OpTy>
struct LinalgModel : public PlacementOpInterface::ExternalModel<LinalgModel<OpTy>, OpTy> {
  std::optional<ShardingRule> getShardingRule(Operation *op) const {
    return getLinalgRule(cast<LinalgOp>(op));
  }

  void place(Operation *op, PlacementRule &rule) const {
    LinalgLoops(cast<LinalgOp>(op)).place(rule);
  }

  void maskReplicated(Operation *operation, PlacementRule::View placementOf,
                      PlacementRule::Combined combinedBy) const {
    maskLinalgAddends(cast<LinalgOp>(operation), placementOf, combinedBy);
  }

  void localize(Operation *operation, Localizer &localizer) const {
    localizeLinalg(cast<LinalgOp>(operation), localizer);
  }
};

template <typename... Ops> void attach(MLIRContext *ctx) {
  (Ops::template attachInterface<LinalgModel<Ops>>(*ctx), ...);
}

} // namespace

void registerLinalgPlacementModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *ctx, linalg::LinalgDialect *) {
    attach<
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
        >(ctx);
  });
}

} // namespace ds
