//===- EquivalenceTest.cpp - Passes of others behind those of ds ----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Exact/Equivalence.h"

#include "ds/Compiler/Pipelines.h"
#include "ds/Compiler/Registration.h"
#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace ds {
namespace {

/// The gradient of a sum of tanh(x) * w, in sums over rows; BODY makes `%new` of `%w` and `%g`.
constexpr const char *stepText = R"(
func.func @step(%w: tensor<4xf32> {ds.param = "w"}, %x: tensor<8x4xf32> {ds.batch = 0 : i64, ds.name = "x"})
    -> (tensor<4xf32> {ds.updates = "w"}) {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %sum = linalg.reduce ins(%x : tensor<8x4xf32>) outs(%zero : tensor<4xf32>) dimensions = [0]
      (%a: f32, %acc: f32) {
        %t = math.tanh %a : f32
        %n = arith.addf %t, %acc : f32
        linalg.yield %n : f32
      }
  %g = ds.gradient %sum of "w" : tensor<4xf32>
  BODY
  return %new : tensor<4xf32>
})";
constexpr const char *update = "%new = arith.subf %w, %g : tensor<4xf32>";

class Equivalences : public testing::Test {
protected:
  Equivalences() {
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  OwningOpRef<ModuleOp> parse(std::string body) {
    std::string text = stepText;
    text.replace(text.find("BODY"), 4, body);
    return parseSourceString<ModuleOp>(text, &context);
  }

  OwningOpRef<ModuleOp> distribute(ModuleOp step, const std::string &config) {
    OwningOpRef<ModuleOp> distributed(step.clone());
    PassManager manager(&context);
    DataParallelOptions dataParallel;
    dataParallel.config = config;
    buildDataParallelPipeline(manager, dataParallel);
    // What a compiler does behind ds is its own.
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
    EXPECT_TRUE(succeeded(manager.run(*distributed)));
    return distributed;
  }

  DialectRegistry registry;
  MLIRContext context;
};

TEST_F(Equivalences, PassesThatKeepTheStepAreEqual) {
  OwningOpRef<ModuleOp> step = parse(update);
  for (const char *config : {"batch=global,device_num=2", "batch=global,device_num=4",
                             "batch=local,device_num=4,gradients_mean=true"}) {
    OwningOpRef<ModuleOp> distributed = distribute(*step, config);
    llvm::Expected<Equivalence> found = verifyEquivalence(*step, *distributed);
    ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
    EXPECT_EQ(found->verdict, Equivalence::Verdict::equal) << found->reason;
    EXPECT_EQ(found->opaque, std::set<std::string>{"math.tanh"});
  }
}

TEST_F(Equivalences, APassThatDropsACollectiveIsFound) {
  OwningOpRef<ModuleOp> step = parse(update);
  OwningOpRef<ModuleOp> distributed = distribute(*step, "batch=global,device_num=2");
  distributed->walk([](AllReduceOp op) {
    op->replaceAllUsesWith(op.getInputs());
    op.erase();
  });
  Equivalence found = llvm::cantFail(verifyEquivalence(*step, *distributed));
  EXPECT_EQ(found.verdict, Equivalence::Verdict::different);
  EXPECT_EQ(found.reason, "'w' differs from one device after step 1 on rank 0 of 2, in 4 of 4 "
                          "elements, over integers modulo 2147483647");
}

TEST_F(Equivalences, ALoopThatFloatsEndIsUndecided) {
  constexpr const char *halves = R"(
    %limit = arith.constant 1.0e-3 : f32
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %rate = scf.while (%r = %one) : (f32) -> f32 {
      %more = arith.cmpf ogt, %r, %limit : f32
      scf.condition(%more) %r : f32
    } do {
    ^bb0(%r: f32):
      %next = arith.mulf %r, %half : f32
      scf.yield %next : f32
    }
    %rates = tensor.splat %rate : tensor<4xf32>
    %scaled = arith.mulf %g, %rates : tensor<4xf32>
    %new = arith.subf %w, %scaled : tensor<4xf32>)";
  OwningOpRef<ModuleOp> step = parse(halves);
  OwningOpRef<ModuleOp> distributed = distribute(*step, "batch=global,device_num=2");
  llvm::Expected<Equivalence> found = verifyEquivalence(*step, *distributed);
  ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
  EXPECT_EQ(found->verdict, Equivalence::Verdict::undecided);
  EXPECT_EQ(found->reason.find("a loop that floats end"), 0u) << found->reason;
}

TEST_F(Equivalences, TooLittleTimeIsSaidBeforeAnythingRuns) {
  OwningOpRef<ModuleOp> step = parse(update);
  OwningOpRef<ModuleOp> distributed = distribute(*step, "batch=global,device_num=2");
  EquivalenceOptions options;
  options.seconds = 0;
  llvm::Expected<Equivalence> found = verifyEquivalence(*step, *distributed, options);
  ASSERT_FALSE(bool(found));
  EXPECT_EQ(llvm::toString(found.takeError()),
            "the exact check would take about 1 s, more than the 0 s that it may take; allow it by "
            "--check=exact:2, or check a step of smaller shapes");
}

TEST_F(Equivalences, AStepThatDoesNotSayHowManyRanksIsNoDistributedOne) {
  OwningOpRef<ModuleOp> step = parse(update);
  llvm::Expected<Equivalence> found = verifyEquivalence(*step, *step);
  ASSERT_FALSE(bool(found));
  EXPECT_EQ(llvm::toString(found.takeError()),
            "the distributed step does not say how many ranks it is for: its 'ds.config' has no "
            "device_num");
}

} // namespace
} // namespace ds
