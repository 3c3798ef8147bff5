//===- Passes.td - passes that distribute a step -----------*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file for each folder of lib/Transforms; a file has its passes in the order in which the pipeline
// `ds-data-parallel` runs them, and those that print for people last. Every example is the text of a test.
//
//===----------------------------------------------------------------------===//

#ifndef DS_TRANSFORMS_PASSES_TD
#define DS_TRANSFORMS_PASSES_TD

include "ds/Transforms/Prepare/Passes.td"
include "ds/Transforms/Update/Passes.td"
include "ds/Transforms/Search/Passes.td"
include "ds/Transforms/Shard/Passes.td"
include "ds/Transforms/Collectives/Passes.td"

#endif // DS_TRANSFORMS_PASSES_TD
