//===- ShardingTest.cpp - what no text can spell of #ds.sharding -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ds/Dialect/IR/Ds.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace ds;

namespace {

/// Of a matrix that `tp` divides by its columns; the error, or nothing.
std::string verifyOpen(llvm::ArrayRef<int64_t> open) {
  MLIRContext context;
  context.loadDialect<DsDialect>();
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  Builder b(&context);
  auto verified = ShardingAttr::getChecked(
      [&] { return emitError(b.getUnknownLoc()); }, &context,
      llvm::ArrayRef<ArrayAttr>{b.getArrayAttr({}), b.getArrayAttr(b.getStringAttr("tp"))}, open);
  EXPECT_EQ(message.empty(), static_cast<bool>(verified));
  return message;
}

TEST(Sharding, DimensionsThatAreOpenAreDimensions) {
  EXPECT_EQ(verifyOpen({}), "");
  EXPECT_EQ(verifyOpen({0, 1}), "");
  EXPECT_EQ(verifyOpen({2}), "open dimensions 2, expected ascending ones from 0, below 2");
  EXPECT_EQ(verifyOpen({-1}), "open dimensions -1, expected ascending ones from 0, below 2");
}

TEST(Sharding, OpenDimensionsHaveOneOrder) {
  EXPECT_EQ(verifyOpen({1, 0}), "open dimensions 1, 0, expected ascending ones from 0, below 2");
  EXPECT_EQ(verifyOpen({1, 1}), "open dimensions 1, 1, expected ascending ones from 0, below 2");
}

} // namespace
