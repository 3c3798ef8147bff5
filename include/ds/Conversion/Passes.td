//===- Passes.td - From a step on tensors to a driver of calls -*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file for each folder of lib/Conversion that takes part in `ds-lower-to-driver` and `ds-lower-to-llvm`; Collectives,
// Gpu and Precision have libraries of their own.
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_PASSES
#define DS_CONVERSION_PASSES

include "ds/Conversion/Tensors/Passes.td"
include "ds/Conversion/Driver/Passes.td"
include "ds/Conversion/Kernels/Passes.td"

#endif // DS_CONVERSION_PASSES
