//===- Rules.h - Registration of the placement rules ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_RULES_RULES_H
#define DS_ANALYSIS_RULES_RULES_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ds {

/// Registers the external models of `ds::PlacementOpInterface` and `ds::ScalarRuleOpInterface` for
/// all dialects that ds knows.
void registerPlacementModels(mlir::DialectRegistry &registry);

void registerLinalgPlacementModels(mlir::DialectRegistry &registry);
void registerTensorPlacementModels(mlir::DialectRegistry &registry);
void registerDsPlacementModels(mlir::DialectRegistry &registry);
void registerScalarRules(mlir::DialectRegistry &registry);

} // namespace ds

#endif // DS_ANALYSIS_RULES_RULES_H
