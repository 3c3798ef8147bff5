//===- CombinersTest.cpp - How bodies accumulate --------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bodies.h"

#include "ds/Analysis/BodyLinearity.h"

#include <limits>

using namespace ds;
using namespace ds::test;
using namespace mlir;

namespace {

/// How `body` accumulates into %o, the last argument, if it yields %p.
std::optional<ReductionKind> combiner(const std::string &body, const std::string &type = "f32",
                                      const std::string &yields = "%p") {
  OwningOpRef<ModuleOp> module = parse("%x: " + type + ", %c: i1, %o: " + type,
                                       body + "return " + yields + " : " + type + "\n", type);
  if (!module)
    return std::nullopt;
  Block &block = (*module->getOps<func::FuncOp>().begin()).getBody().front();
  return findCombiner(block, block.getArgument(2), 0);
}

std::optional<ReductionKind> combine(const std::string &op, const std::string &operands,
                                     const std::string &type = "f32") {
  return combiner("%p = " + op + " " + operands + " : " + type + "\n", type);
}

TEST(Combiners, HaveTheirReduction) {
  struct Row {
    const char *op, *type;
    ReductionKind kind;
  };
  for (Row row :
       {Row{"arith.addf", "f32", ReductionKind::Sum}, Row{"arith.addi", "i32", ReductionKind::Sum},
        Row{"arith.mulf", "f32", ReductionKind::Prod},
        Row{"arith.muli", "i32", ReductionKind::Prod},
        Row{"arith.maximumf", "f32", ReductionKind::Max},
        Row{"arith.maxnumf", "f32", ReductionKind::Max},
        Row{"arith.maxsi", "i32", ReductionKind::Max},
        Row{"arith.minimumf", "f32", ReductionKind::Min},
        Row{"arith.minnumf", "f32", ReductionKind::Min},
        Row{"arith.minsi", "i32", ReductionKind::Min}, Row{"arith.andi", "i32", ReductionKind::And},
        Row{"arith.ori", "i32", ReductionKind::Or}, Row{"arith.muli", "i1", ReductionKind::And}}) {
    EXPECT_EQ(combine(row.op, "%o, %x", row.type), row.kind) << row.op;
    EXPECT_EQ(combine(row.op, "%x, %o", row.type), row.kind) << row.op;
    EXPECT_EQ(combine(row.op, "%o, %o", row.type), std::nullopt) << row.op;
    EXPECT_EQ(combine(row.op, "%x, %x", row.type), std::nullopt) << row.op;
  }
  // Sums, maxima and minima of one bit are none of those of numbers.
  for (std::string op : {"arith.addi", "arith.maxsi", "arith.minsi"})
    EXPECT_EQ(combine(op, "%o, %x", "i1"), std::nullopt) << op;
  for (std::string op : {"arith.divf", "arith.remf"})
    EXPECT_EQ(combine(op, "%o, %x"), std::nullopt) << op;
  for (std::string op : {"arith.xori", "arith.maxui"})
    EXPECT_EQ(combine(op, "%o, %x", "i32"), std::nullopt) << op;
}

TEST(Combiners, SubtractWhatIsAddedOnly) {
  EXPECT_EQ(combine("arith.subf", "%o, %x"), ReductionKind::Sum);
  EXPECT_EQ(combine("arith.subf", "%x, %o"), std::nullopt);
  EXPECT_EQ(combine("arith.subi", "%o, %x", "i32"), ReductionKind::Sum);
  EXPECT_EQ(combine("arith.subi", "%x, %o", "i32"), std::nullopt);
}

TEST(Combiners, SeeThroughMultiplyAndAdd) {
  EXPECT_EQ(combine("math.fma", "%x, %x, %o"), ReductionKind::Sum);
  EXPECT_EQ(combine("math.fma", "%o, %x, %x"), std::nullopt);
  EXPECT_EQ(combine("math.fma", "%x, %o, %x"), std::nullopt);
  EXPECT_EQ(combine("math.fma", "%x, %o, %o"), std::nullopt);
  EXPECT_EQ(combiner("%a = arith.mulf %o, %x : f32\n%p = math.fma %x, %x, %a : f32\n"),
            std::nullopt);
}

TEST(Combiners, AreOfOtherDialectsToo) {
  auto call = [](const std::string &op, const std::string &operands) {
    return combiner("%p = \"foreign." + op + "\"(" + operands + ") : (f32, f32, f32) -> f32\n");
  };
  EXPECT_EQ(call("axpy", "%o, %x, %x"), ReductionKind::Sum);
  EXPECT_EQ(call("axpy", "%x, %o, %x"), std::nullopt);
  EXPECT_EQ(call("axpy", "%o, %x, %o"), std::nullopt);
  EXPECT_EQ(call("lerp", "%o, %x, %x"), std::nullopt);
}

TEST(Combiners, FollowNoIntegerThatIsCut) {
  EXPECT_EQ(combiner("%w = arith.extsi %o : i32 to i64\n%v = arith.extsi %x : i32 to i64\n"
                     "%a = arith.maxsi %w, %v : i64\n%p = arith.trunci %a : i64 to i32\n",
                     "i32"),
            std::nullopt);
}

TEST(Combiners, DoNotMissWhatALoopCaptures) {
  EXPECT_EQ(combiner("%i = arith.constant 1 : index\n"
                     "%l = scf.for %k = %i to %i step %i iter_args(%a = %x) -> f32 {\n"
                     "%s = arith.mulf %a, %o : f32\nscf.yield %s : f32\n}\n"
                     "%p = arith.addf %o, %l : f32\n"),
            std::nullopt);
}

TEST(Combiners, HaveAnIdentity) {
  Builder b(&context());
  auto identity = [](ReductionKind kind, Type type) { return getReductionIdentity(kind, type); };
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(identity(ReductionKind::Sum, b.getF32Type()), b.getF32FloatAttr(0));
  EXPECT_EQ(identity(ReductionKind::Prod, b.getF32Type()), b.getF32FloatAttr(1));
  EXPECT_EQ(identity(ReductionKind::Max, b.getF64Type()), b.getF64FloatAttr(-infinity));
  EXPECT_EQ(identity(ReductionKind::Min, b.getF64Type()), b.getF64FloatAttr(infinity));
  EXPECT_EQ(identity(ReductionKind::Max, b.getI32Type()), b.getI32IntegerAttr(INT32_MIN));
  EXPECT_EQ(identity(ReductionKind::Min, b.getI32Type()), b.getI32IntegerAttr(INT32_MAX));
  EXPECT_EQ(identity(ReductionKind::Or, b.getI32Type()), b.getI32IntegerAttr(0));
  EXPECT_EQ(identity(ReductionKind::And, b.getI32Type()), b.getI32IntegerAttr(-1));
  EXPECT_EQ(identity(ReductionKind::And, b.getI1Type()), b.getBoolAttr(true));
  EXPECT_EQ(identity(ReductionKind::Prod, b.getI1Type()), b.getBoolAttr(true));
  EXPECT_FALSE(identity(ReductionKind::Mean, b.getF32Type()));
}

TEST(Combiners, ChainOfOneFamily) {
  auto chain = [](const std::string &first, const std::string &second) {
    return combiner("%a = " + first + " %o, %x : f32\n%p = " + second + " %x, %a : f32\n");
  };
  EXPECT_EQ(chain("arith.addf", "arith.addf"), ReductionKind::Sum);
  EXPECT_EQ(chain("arith.subf", "arith.addf"), ReductionKind::Sum);
  EXPECT_EQ(chain("arith.addf", "arith.mulf"), std::nullopt);
  EXPECT_EQ(chain("arith.mulf", "arith.addf"), std::nullopt);
  EXPECT_EQ(chain("arith.maximumf", "arith.maximumf"), ReductionKind::Max);
  EXPECT_EQ(chain("arith.maximumf", "arith.minimumf"), std::nullopt);
  EXPECT_EQ(combiner("%a = arith.mulf %o, %x : f32\n%p = arith.addf %a, %x : f32\n"), std::nullopt);
  EXPECT_EQ(combiner("%w = arith.extf %o : f32 to f64\n%v = arith.extf %x : f32 to f64\n"
                     "%a = arith.addf %w, %v : f64\n%p = arith.truncf %a : f64 to f32\n"),
            ReductionKind::Sum);
  EXPECT_EQ(combiner("%a = arith.addf %o, %x : f32\n%p = math.exp %a : f32\n"), std::nullopt);
  EXPECT_EQ(combiner("%a = arith.addf %o, %x : f32\n", "f32", "%x"), std::nullopt);
}

TEST(Combiners, ChooseBetweenTwoOfOneFamily) {
  auto choose = [](const std::string &x, const std::string &y) {
    return combiner("%a = arith.addf %o, %x : f32\n%m = arith.mulf %o, %x : f32\n"
                    "%p = arith.select %c, " +
                    x + ", " + y + " : f32\n");
  };
  EXPECT_EQ(choose("%a", "%o"), ReductionKind::Sum);
  EXPECT_EQ(choose("%o", "%a"), ReductionKind::Sum);
  EXPECT_EQ(choose("%a", "%m"), std::nullopt);
  EXPECT_EQ(choose("%a", "%x"), std::nullopt) << "a set is no sum";
  EXPECT_EQ(choose("%x", "%o"), std::nullopt);
  EXPECT_EQ(combiner("%t = arith.cmpf ogt, %o, %x : f32\n%a = arith.addf %o, %x : f32\n"
                     "%p = arith.select %t, %a, %o : f32\n"),
            std::nullopt)
      << "what decides looks at what was added";
  auto branch = [](const std::string &x, const std::string &y) {
    return combiner("%p = scf.if %c -> f32 {\n%a = arith.addf %o, %x : f32\nscf.yield " + x +
                    " : f32\n} else {\n%m = arith.mulf %o, %x : f32\nscf.yield " + y +
                    " : f32\n}\n");
  };
  EXPECT_EQ(branch("%a", "%o"), ReductionKind::Sum);
  EXPECT_EQ(branch("%o", "%m"), ReductionKind::Prod);
  EXPECT_EQ(branch("%a", "%m"), std::nullopt);
  EXPECT_EQ(branch("%a", "%x"), std::nullopt);
  EXPECT_EQ(branch("%x", "%x"), std::nullopt);
}

} // namespace
