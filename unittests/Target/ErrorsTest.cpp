//===- ErrorsTest.cpp - What cannot be compiled says why --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"

using namespace ds;

TEST(Errors, DynamicShapeIsRefused) {
  EXPECT_NE(
      compileFailure(
          "func.func @step(%x: tensor<?xf32>) -> tensor<?xf32> {\nreturn %x : tensor<?xf32>\n}\n")
          .find("static shape"),
      std::string::npos);
}

TEST(Errors, StageThatCannotBeWrittenIsNamed) {
  CompileOptions options = defaultOptions();
  options.dumpDir = "/proc/no-such-folder";
  std::string message = compileFailure("func.func @step(%x: tensor<4xf32> {ds.state = \"x\"}) -> "
                                       "(tensor<4xf32> {ds.updates = \"x\"}) {\n"
                                       "return %x : tensor<4xf32>\n}\n",
                                       options);
  EXPECT_NE(message.find("cannot write '/proc/no-such-folder': "), std::string::npos) << message;
}

TEST(Errors, OperationWithoutLoweringIsNamedAndLocated) {
  std::string message = compileFailure(
      "func.func @step(%x: tensor<4x4xf32> {ds.state = \"x\"}, %k: tensor<4x1xi64>) -> "
      "(tensor<4x4xf32> {ds.updates = \"x\"}) {\n"
      "%i = arith.index_cast %k : tensor<4x1xi64> to tensor<4x1xindex> %g = tensor.gather %x[%i] "
      "gather_dims([0]) : (tensor<4x4xf32>, tensor<4x1xindex>) -> tensor<4x4xf32>\n"
      "return %g : tensor<4x4xf32>\n}\n");
  EXPECT_NE(message.find("tensor.gather"), std::string::npos) << message;
  EXPECT_NE(message.find(":2:"), std::string::npos) << message;
}

TEST(Errors, FloatsWithoutCodeAreNamedAndLocated) {
  std::string message = compileFailure(
      "func.func @step(%x: tensor<4xf32> {ds.state = \"x\"}) -> (tensor<4xf32> {ds.updates = "
      "\"x\"}) {\n"
      "%n = arith.truncf %x : tensor<4xf32> to tensor<4xf8E4M3FN>\n"
      "%s = arith.addf %n, %n : tensor<4xf8E4M3FN>\n"
      "%r = arith.extf %s : tensor<4xf8E4M3FN> to tensor<4xf32>\nreturn %r : tensor<4xf32>\n}\n");
  EXPECT_NE(message.find("there is no code for 'f8E4M3FN'"), std::string::npos) << message;
  EXPECT_NE(message.find(":3:"), std::string::npos) << message;
}

TEST(Errors, CallThatCannotBeInlinedIsNamed) {
  std::string message =
      compileFailure("func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32>\n"
                     "func.func @step(%x: tensor<4xf32> {ds.state = \"x\"}) -> (tensor<4xf32> "
                     "{ds.updates = \"x\"}) {\n"
                     "%r = call @elsewhere(%x) : (tensor<4xf32>) -> tensor<4xf32>\nreturn %r : "
                     "tensor<4xf32>\n}\n");
  EXPECT_NE(message.find("'elsewhere'"), std::string::npos) << message;
}

TEST(Errors, SeveralBlocksAreRefused) {
  std::string message =
      compileFailure("func.func @step(%x: tensor<4xf32> {ds.state = \"x\"}, %c: tensor<i1>) -> "
                     "(tensor<4xf32> {ds.updates = \"x\"}) {\n"
                     "%f = tensor.extract %c[] : tensor<i1>\ncf.cond_br %f, ^a, ^b\n^a:\nreturn %x "
                     ": tensor<4xf32>\n^b:\n"
                     "%y = arith.addf %x, %x : tensor<4xf32>\nreturn %y : tensor<4xf32>\n}\n");
  EXPECT_NE(message.find("structured control flow"), std::string::npos) << message;
}

TEST(Errors, UnknownEntryIsNamed) {
  CompileOptions options = defaultOptions();
  options.entry = "other";
  EXPECT_NE(
      compileFailure(
          "func.func @step(%x: tensor<4xf32>) -> tensor<4xf32> {\nreturn %x : tensor<4xf32>\n}\n",
          options)
          .find("no function 'other'"),
      std::string::npos);
}

TEST(Errors, TwoPublicFunctionsNeedAnEntry) {
  std::string function = "(%x: tensor<4xf32>) -> tensor<4xf32> {\nreturn %x : tensor<4xf32>\n}\n";
  EXPECT_NE(compileFailure("func.func @a" + function + "func.func @b" + function)
                .find("'b' is a second public function"),
            std::string::npos);
}
