//===- BodyLinearityTest.cpp - What a sum over ranks goes through ---------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table: each operation of a body with operands of each kind, and which addends count once.
//
//===----------------------------------------------------------------------===//
#include "Bodies.h"

#include "ds/Analysis/BodyLinearity.h"

using namespace ds;
using namespace ds::test;
using namespace mlir;

namespace ds {
static void PrintTo(Linearity kind, std::ostream *stream) {
  static const char *const names[] = {"zero", "replicated", "linear", "non-linear"};
  *stream << names[static_cast<int>(kind)];
}
} // namespace ds

namespace {

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
  EXPECT_EQ(kindOf("%p = ds.replicated_to_partial sum %r : f32\n"), linear);
  EXPECT_EQ(kindOf("%p = ds.rank : index\n", "index"), nonLinear);
}

TEST(BodyLinearity, ReadsWhatRegionsCapture) {
  auto loop = [](const std::string &captured) {
    return kindOf("%p = scf.for %i = %rx to %rx step %rx iter_args(%a = %r) -> f32 {\n"
                  "%s = arith.addf %a, " +
                  captured + " : f32\nscf.yield %s : f32\n}\n");
  };
  EXPECT_EQ(loop("%r"), common);
  EXPECT_EQ(loop("%l"), nonLinear);
}

TEST(BodyLinearity, AsksOperationsOfOtherDialects) {
  auto call = [](const std::string &op, const std::string &operands, const std::string &with = "") {
    return kindOf("%p = \"foreign." + op + "\"(" + operands + ")" + with +
                  " : (f32, f32, f32) -> f32\n");
  };
  EXPECT_EQ(call("lerp", "%l, %m, %r"), linear);
  EXPECT_EQ(call("lerp", "%l, %z, %r"), linear);
  EXPECT_EQ(call("lerp", "%r, %r, %l"), nonLinear) << "what no term names is a coefficient";
  EXPECT_EQ(call("lerp", "%r, %r, %r"), common);
  EXPECT_EQ(call("axpy", "%l, %m, %r"), linear);
  EXPECT_EQ(call("axpy", "%l, %m, %m"), nonLinear);
  EXPECT_EQ(call("axpy", "%l, %z, %m"), linear);
  // An addend that no operand masks, and one that shares its operand, make it linear in nothing.
  EXPECT_EQ(call("axpy", "%l, %m, %r", " {constant}"), nonLinear);
  EXPECT_EQ(call("axpy", "%r, %r, %r", " {constant}"), common);
  EXPECT_EQ(call("axpy", "%l, %m, %r", " {twice}"), nonLinear);
}

/// The operands of `ds.replicated_to_partial` in a body that yields %p, after addends were counted
/// once.
std::string countedOnce(const std::string &body) {
  OwningOpRef<ModuleOp> module = parse(arguments, body + "return %p : f32\n", "f32");
  if (!module)
    return "";
  Block &block = (*module->getOps<func::FuncOp>().begin()).getBody().front();
  BodyLinearity linearity([&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument ? kinds[argument.getArgNumber()] : common;
  });
  linearity.walk(block);
  maskAddends(block.getTerminator()->getOpOperand(0), linearity);
  static const char *const names[] = {"z", "r", "l", "m", "n"};
  std::string counted;
  for (ReplicatedToPartialOp once : block.getOps<ReplicatedToPartialOp>()) {
    auto argument = dyn_cast<BlockArgument>(once.getValue());
    counted += argument ? names[argument.getArgNumber()] : "?";
  }
  return counted;
}

TEST(MaskAddends, CountsProductsByTheirFactors) {
  EXPECT_EQ(countedOnce("%p = math.fma %l, %r, %r : f32\n"), "r");
  EXPECT_EQ(countedOnce("%p = math.fma %r, %r, %l : f32\n"), "r");
  EXPECT_EQ(countedOnce("%p = math.fma %z, %r, %l : f32\n"), "");
  EXPECT_EQ(countedOnce("%p = math.fma %l, %m, %r : f32\n"), "r");
  EXPECT_EQ(countedOnce("%q = arith.addf %l, %r : f32\n%p = math.fma %q, %m, %n : f32\n"), "")
      << "an addend in a factor is every rank's";
  EXPECT_EQ(countedOnce("%p = \"foreign.axpy\"(%l, %r, %r) : (f32, f32, f32) -> f32\n"), "r");
  EXPECT_EQ(countedOnce("%p = \"foreign.lerp\"(%l, %r, %r) : (f32, f32, f32) -> f32\n"), "r");
  EXPECT_EQ(countedOnce("%p = \"foreign.lerp\"(%l, %r, %m) : (f32, f32, f32) -> f32\n"), "");
}

} // namespace
