//===- UpstreamPasses.cpp - All of upstream's passes ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ds/Compiler/Upstream.h"

#include "mlir/InitAllPasses.h"

void ds::registerUpstreamPasses() { mlir::registerAllPasses(); }
