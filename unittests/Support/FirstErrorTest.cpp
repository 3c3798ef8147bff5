//===- FirstErrorTest.cpp - What MLIR says, as one sentence -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Support/FirstError.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using ds::FirstError;

namespace {

struct FirstErrorTest : testing::Test {
  FirstErrorTest()
      : here(FileLineColLoc::get(&context, "step.mlir", 3, 7)),
        there(FileLineColLoc::get(&context, "step.mlir", 9, 1)),
        outer(&context, [this](Diagnostic &diagnostic) {
          heard.push_back(diagnostic.str());
          return success();
        }) {}

  MLIRContext context;
  Location here, there;
  std::vector<std::string> heard; // by whoever listens outside
  ScopedDiagnosticHandler outer;
};

TEST_F(FirstErrorTest, TheFirstOneIsKeptWithItsPlaceAndThatOfItsNote) {
  FirstError first(&context);
  {
    InFlightDiagnostic said = emitError(here) << "two sums meet\nand more";
    said.attachNote(there) << "the other one";
  }
  emitError(there) << "what follows from it";
  EXPECT_EQ(first.message(), "two sums meet");
  EXPECT_EQ(llvm::toString(first.take("nothing")),
            "step.mlir:3:7: error: two sums meet (the other one, line 9)");
  EXPECT_TRUE(heard.empty());
}

TEST_F(FirstErrorTest, WithoutOneTheCallersWordsAreTaken) {
  FirstError first(&context);
  EXPECT_FALSE(first.isSet());
  EXPECT_EQ(llvm::toString(first.take("the step has no roles")), "the step has no roles");
}

TEST_F(FirstErrorTest, WarningsAreForWhoeverListensOutside) {
  FirstError first(&context);
  emitWarning(here) << "slow";
  EXPECT_EQ(heard, std::vector<std::string>{"slow"});
  EXPECT_FALSE(first.isSet());
}

TEST_F(FirstErrorTest, WarningsAreDroppedOnRequest) {
  FirstError first(&context, FirstError::Others::dropped);
  emitWarning(here) << "slow";
  EXPECT_TRUE(heard.empty());
}

TEST_F(FirstErrorTest, WarningsAreKeptALineEachAndRemarksDropped) {
  std::vector<std::string> warnings;
  FirstError first(&context, warnings);
  emitWarning(here) << "slow";
  emitRemark(here) << "by the way";
  EXPECT_EQ(warnings, std::vector<std::string>{"step.mlir:3:7: warning: slow"});
  EXPECT_TRUE(heard.empty());
}

} // namespace
