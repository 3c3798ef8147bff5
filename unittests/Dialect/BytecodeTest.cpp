//===- BytecodeTest.cpp - versions of the dialect in bytecode ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/Version.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace ds;

namespace {

/// Writes a module in that version of the dialect and reads it; the error, or nothing.
std::string errorOfVersion(uint64_t number) {
  MLIRContext context;
  context.loadDialect<DsDialect, func::FuncDialect>();
  std::string message, bytes;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = message.empty() ? diagnostic.str() : message;
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"(
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %r = ds.all_reduce sum %a : tensor<4xf32>
      return %r : tensor<4xf32>
    })",
                                                             &context);
  BytecodeWriterConfig config;
  config.setDialectVersion<DsDialect>(std::make_unique<DsDialectVersion>(number));
  llvm::raw_string_ostream stream(bytes);
  EXPECT_TRUE(succeeded(writeBytecodeToFile(*module, stream, config)));
  OwningOpRef<ModuleOp> read = parseSourceString<ModuleOp>(bytes, &context);
  EXPECT_EQ(message.empty(), static_cast<bool>(read));
  return message;
}

TEST(Bytecode, IsReadInThisVersionAndEarlierOnes) {
  EXPECT_EQ(errorOfVersion(dialectVersion), "");
  EXPECT_EQ(errorOfVersion(0), "");
}

TEST(Bytecode, OfALaterVersionIsRefused) {
  EXPECT_EQ(errorOfVersion(dialectVersion + 1),
            "the file has version 2 of the dialect ds, expected at most 1: a later ds wrote it");
}

} // namespace
