//===- BodyLinearityTest.cpp - What a sum over ranks goes through ---------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table: each operation of a body with operands of each kind, and how bodies accumulate.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/BodyLinearity.h"

#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace ds;
using namespace mlir;

namespace ds {
static void PrintTo(Linearity kind, std::ostream *stream) {
  static const char *const names[] = {"zero", "replicated", "linear", "non-linear"};
  *stream << names[static_cast<int>(kind)];
}
} // namespace ds

namespace {

MLIRContext &context() {
  static MLIRContext *made = [] {
    auto *context = new MLIRContext;
    context->loadDialect<arith::ArithDialect, DsDialect, func::FuncDialect, math::MathDialect,
                         scf::SCFDialect, tensor::TensorDialect>();
    return context;
  }();
  return *made;
}

/// The body as a function; its arguments are named after their kinds.
OwningOpRef<ModuleOp> parse(const std::string &arguments, const std::string &body,
                            const std::string &result) {
  std::string text = "func.func @body(" + arguments + ") -> " + result + " {\n" + body + "}\n";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context());
  EXPECT_TRUE(module) << text;
  return module;
}

const std::string arguments =
    "%z: f32, %r: f32, %l: f32, %m: f32, %n: f32, %zi: i32, %ri: i32, %li: i32, %ni: i32, "
    "%rc: i1, %lc: i1, %nc: i1, %rx: index, %nx: index, %lt: tensor<4xf32>, %rt: tensor<4xf32>, "
    "%nt: tensor<4xf32>";
const Linearity zero = Linearity::Zero, common = Linearity::Replicated, linear = Linearity::Linear,
                nonLinear = Linearity::NonLinear;
const Linearity kinds[] = {zero,   common,    linear,    linear, nonLinear, zero,
                           common, linear,    nonLinear, common, linear,    nonLinear,
                           common, nonLinear, linear,    common, nonLinear};

Linearity kindOf(const std::string &body, const std::string &type = "f32") {
  OwningOpRef<ModuleOp> module = parse(arguments, body + "return %p : " + type + "\n", type);
  if (!module)
    return zero;
  auto function = *module->getOps<func::FuncOp>().begin();
  BodyLinearity linearity(
      [&](Value value) { return kinds[cast<BlockArgument>(value).getArgNumber()]; });
  linearity.walk(function.getBody().front());
  return linearity.of(function.getBody().front().getTerminator()->getOperand(0));
}

Linearity binary(const std::string &op, const std::string &x, const std::string &y,
                 const std::string &type = "f32") {
  return kindOf("%p = " + op + " %" + x + ", %" + y + " : " + type + "\n", type);
}

TEST(BodyLinearity, SumsOfAddendsAreAddends) {
  for (std::string op : {"arith.addf", "arith.subf"}) {
    EXPECT_EQ(binary(op, "z", "z"), zero);
    EXPECT_EQ(binary(op, "z", "r"), common);
    EXPECT_EQ(binary(op, "r", "z"), common);
    EXPECT_EQ(binary(op, "r", "r"), common);
    EXPECT_EQ(binary(op, "l", "m"), linear);
    EXPECT_EQ(binary(op, "l", "z"), linear);
    EXPECT_EQ(binary(op, "z", "l"), linear);
    EXPECT_EQ(binary(op, "l", "r"), linear);
    EXPECT_EQ(binary(op, "r", "l"), linear);
    EXPECT_EQ(binary(op, "n", "l"), nonLinear);
    EXPECT_EQ(binary(op, "l", "n"), nonLinear);
    EXPECT_EQ(binary(op, "z", "n"), nonLinear);
  }
  for (std::string op : {"arith.addi", "arith.subi"}) {
    EXPECT_EQ(binary(op, "li", "ri", "i32"), linear);
    EXPECT_EQ(binary(op, "ri", "ri", "i32"), common);
    EXPECT_EQ(binary(op, "ni", "ri", "i32"), nonLinear);
  }
}

TEST(BodyLinearity, ProductsAreAddendsByAFactorThatAllShare) {
  for (std::string s : {"", "i"}) {
    std::string op = s.empty() ? "arith.mulf" : "arith.muli", type = s.empty() ? "f32" : "i32";
    EXPECT_EQ(binary(op, "l" + s, "r" + s, type), linear);
    EXPECT_EQ(binary(op, "r" + s, "l" + s, type), linear);
    EXPECT_EQ(binary(op, "l" + s, "l" + s, type), nonLinear);
    EXPECT_EQ(binary(op, "r" + s, "r" + s, type), common);
    EXPECT_EQ(binary(op, "r" + s, "n" + s, type), nonLinear);
    EXPECT_EQ(binary(op, "z" + s, "l" + s, type), zero);
    EXPECT_EQ(binary(op, "l" + s, "z" + s, type), zero);
    EXPECT_EQ(binary(op, "n" + s, "z" + s, type), zero);
    EXPECT_EQ(binary(op, "l" + s, "n" + s, type), nonLinear);
  }
  EXPECT_EQ(binary("arith.mulf", "l", "m"), nonLinear);
  auto fma = [](const std::string &operands) {
    return kindOf("%p = math.fma " + operands + " : f32\n");
  };
  EXPECT_EQ(fma("%l, %r, %m"), linear);
  EXPECT_EQ(fma("%l, %m, %r"), nonLinear);
  EXPECT_EQ(fma("%r, %r, %l"), linear);
  EXPECT_EQ(fma("%r, %r, %n"), nonLinear);
  EXPECT_EQ(fma("%r, %r, %r"), common);
}

TEST(BodyLinearity, QuotientsAreAddendsOverADivisorThatAllShare) {
  EXPECT_EQ(binary("arith.divf", "l", "r"), linear);
  EXPECT_EQ(binary("arith.divf", "r", "r"), common);
  EXPECT_EQ(binary("arith.divf", "z", "r"), zero);
  EXPECT_EQ(binary("arith.divf", "n", "r"), nonLinear);
  EXPECT_EQ(binary("arith.divf", "r", "l"), nonLinear);
  EXPECT_EQ(binary("arith.divf", "l", "l"), nonLinear);
  EXPECT_EQ(binary("arith.divf", "z", "n"), nonLinear);
  // Rounded towards zero, the parts are not the parts of the whole.
  EXPECT_EQ(binary("arith.divsi", "li", "ri", "i32"), nonLinear);
}

TEST(BodyLinearity, OtherOperationsAreNotLinear) {
  for (std::string op : {"arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.remf"}) {
    EXPECT_EQ(binary(op, "l", "r"), nonLinear) << op;
    EXPECT_EQ(binary(op, "r", "l"), nonLinear) << op;
    EXPECT_EQ(binary(op, "r", "r"), common) << op;
  }
  for (std::string op : {"math.exp", "math.sqrt", "math.rsqrt", "math.tanh", "math.absf"}) {
    EXPECT_EQ(kindOf("%p = " + op + " %l : f32\n"), nonLinear) << op;
    EXPECT_EQ(kindOf("%p = " + op + " %r : f32\n"), common) << op;
  }
  for (std::string op : {"arith.andi", "arith.ori", "arith.xori", "arith.shli"})
    EXPECT_EQ(binary(op, "li", "ri", "i32"), nonLinear) << op;
  EXPECT_EQ(kindOf("%p = arith.cmpf ogt, %l, %r : f32\n", "i1"), nonLinear);
  EXPECT_EQ(kindOf("%p = arith.cmpf ogt, %r, %r : f32\n", "i1"), common);
}

TEST(BodyLinearity, ConversionsKeepTheKind) {
  EXPECT_EQ(kindOf("%p = arith.negf %l : f32\n"), linear);
  EXPECT_EQ(kindOf("%p = arith.negf %z : f32\n"), zero);
  EXPECT_EQ(kindOf("%p = arith.negf %n : f32\n"), nonLinear);
  EXPECT_EQ(kindOf("%p = arith.extf %l : f32 to f64\n", "f64"), linear);
  EXPECT_EQ(kindOf("%p = arith.truncf %l : f32 to f16\n", "f16"), linear);
  EXPECT_EQ(kindOf("%p = arith.sitofp %li : i32 to f32\n"), linear);
  EXPECT_EQ(kindOf("%p = arith.extsi %li : i32 to i64\n", "i64"), linear);
  EXPECT_EQ(kindOf("%p = arith.trunci %li : i32 to i8\n", "i8"), linear);
  // A negative part is a large number without its sign, and digits behind the point are lost.
  EXPECT_EQ(kindOf("%p = arith.extui %li : i32 to i64\n", "i64"), nonLinear);
  EXPECT_EQ(kindOf("%p = arith.uitofp %li : i32 to f32\n"), nonLinear);
  EXPECT_EQ(kindOf("%p = arith.fptosi %l : f32 to i32\n", "i32"), nonLinear);
}

TEST(BodyLinearity, ChoicesAreAddendsIfAllChooseAlike) {
  auto select = [](const std::string &operands) {
    return kindOf("%p = arith.select " + operands + " : f32\n");
  };
  EXPECT_EQ(select("%rc, %l, %m"), linear);
  EXPECT_EQ(select("%rc, %l, %z"), linear);
  EXPECT_EQ(select("%rc, %r, %r"), common);
  EXPECT_EQ(select("%rc, %z, %z"), zero);
  EXPECT_EQ(select("%rc, %n, %l"), nonLinear);
  EXPECT_EQ(select("%lc, %r, %r"), nonLinear);
  EXPECT_EQ(select("%nc, %l, %m"), nonLinear);
  auto branch = [](const std::string &condition, const std::string &x, const std::string &y) {
    return kindOf("%p = scf.if " + condition + " -> f32 {\nscf.yield " + x +
                  " : f32\n} else {\nscf.yield " + y + " : f32\n}\n");
  };
  EXPECT_EQ(branch("%rc", "%l", "%m"), linear);
  EXPECT_EQ(branch("%rc", "%z", "%m"), linear);
  EXPECT_EQ(branch("%rc", "%l", "%z"), linear);
  EXPECT_EQ(branch("%rc", "%r", "%r"), common);
  EXPECT_EQ(branch("%rc", "%l", "%n"), nonLinear);
  EXPECT_EQ(branch("%rc", "%n", "%l"), nonLinear);
  EXPECT_EQ(branch("%lc", "%r", "%r"), nonLinear);
  EXPECT_EQ(branch("%nc", "%l", "%m"), nonLinear);
}

TEST(BodyLinearity, ElementsAreAddendsAtAPlaceThatAllShare) {
  auto read = [](const std::string &tensor, const std::string &index) {
    return kindOf("%p = tensor.extract " + tensor + "[" + index + "] : tensor<4xf32>\n");
  };
  EXPECT_EQ(read("%lt", "%rx"), linear);
  EXPECT_EQ(read("%rt", "%rx"), common);
  EXPECT_EQ(read("%nt", "%rx"), nonLinear);
  EXPECT_EQ(read("%rt", "%nx"), nonLinear);
  EXPECT_EQ(read("%lt", "%nx"), nonLinear);
}

TEST(BodyLinearity, ConstantsAndRanks) {
  EXPECT_EQ(kindOf("%p = arith.constant 0.0 : f32\n"), zero);
  EXPECT_EQ(kindOf("%p = arith.constant -0.0 : f32\n"), zero);
  EXPECT_EQ(kindOf("%p = arith.constant 0 : i32\n", "i32"), zero);
  EXPECT_EQ(kindOf("%p = arith.constant 1.0 : f32\n"), common);
  EXPECT_EQ(kindOf("%p = arith.constant 1 : i32\n", "i32"), common);
  EXPECT_EQ(kindOf("%p = ds.once sum %r : f32\n"), linear);
  EXPECT_EQ(kindOf("%p = ds.rank : index\n", "index"), nonLinear);
}

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
