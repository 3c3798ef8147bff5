//===- PlacementInterface.td - The rules of one operation --*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Another compiler teaches ds its own operations by implementing this interface, most often by `getShardingRule` alone
// (docs/AddingAnOperation.md); upstream dialects are taught by the external models of lib/Analysis/Rules, one file per dialect.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_PLACEMENTINTERFACE_TD
#define DS_ANALYSIS_PLACEMENTINTERFACE_TD

include "mlir/IR/OpBase.td"

def Ds_PlacementOpInterface : OpInterface<"PlacementOpInterface"> {
  let cppNamespace = "::ds";
  let description = [{
    How the data of an operation may be sharded among ranks. An operation without this interface runs on whole operands if
    it is registered, has neither effects nor regions, and makes integers or floats: partial operands are reduced first,
    and every rank gets all samples of sharded ones, with a warning. Any other is accepted only where all its operands are
    replicated.

    One method is enough: `getShardingRule`, and `localize` beside it where attributes or a region hold sizes. The others are
    derived, and are written by hand where a rule cannot express what they do.
  }];
  let methods = [
    InterfaceMethod<[{
        Which loop runs over which dimension, for all operands and results, and in what the results are linear.
      }], "::std::optional<::ds::ShardingRule>", "getShardingRule", (ins), "", [{ return ::std::nullopt; }]>,
    InterfaceMethod<[{
        Reads the operands' placements from `rule` and writes the results' placements and how each operand is taken.
      }], "void", "place", (ins "::ds::PlacementRule &":$rule), "",
      [{ ::ds::placeByRule($_op, rule); }]>,
    InterfaceMethod<[{
        Some result is combined over the ranks after this operation: wraps every replicated addend in `ds.replicated_to_partial`, so
        that it counts on one rank only. `placementOf` returns the placement of each read operand (partial: what each rank
        has is its own), `combinedBy` the reduction after each result.
      }], "void", "maskReplicated",
      (ins "::ds::PlacementRule::View":$placementOf, "::ds::PlacementRule::Combined":$combinedBy), "",
      [{ ::ds::maskOperands($_op, placementOf); }]>,
    InterfaceMethod<[{
        Rewrites attributes and bodies for the shapes of one rank; operands and result types are already local.
      }], "void", "localize", (ins "::ds::Localizer &":$localizer), "", [{ return; }]>,
  ];
}

#endif // DS_ANALYSIS_PLACEMENTINTERFACE_TD
