//===- ExactIndexTest.cpp - Positions that are the index of a loop --------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever is said to be the index of a loop is it in every round: random expressions are computed
// for all rounds. And what front ends write is found, on both sides of each boundary.
//
//===----------------------------------------------------------------------===//
#include "../../lib/Analysis/Rules/LinalgLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <random>

using namespace ds;
using namespace mlir;

namespace {

constexpr int64_t rounds = 5, innerRounds = 3;

MLIRContext &context() {
  static MLIRContext *made = [] {
    auto *context = new MLIRContext;
    context->loadDialect<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                         tensor::TensorDialect>();
    return context;
  }();
  return *made;
}

/// What is found for %p, which `body` computes from the indices %i (of 5) and %j (of 3) and from
/// what `before` defines.
std::optional<unsigned> find(const std::string &body, const std::string &before = "") {
  std::string text = "func.func @f(%x: tensor<5x3xindex>, %any: tensor<5x3xindex>, %given: index) "
                     "-> tensor<5x3xindex> {\n%i64 = arith.constant 0 : i64\n" +
                     before +
                     "%r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, "
                     "affine_map<(a, b) -> (a, b)>], iterator_types = [\"parallel\", "
                     "\"parallel\"]} ins(%any : tensor<5x3xindex>) outs(%x : tensor<5x3xindex>) {\n"
                     "^bb0(%other: index, %o: index):\n%i = linalg.index 0 : index\n"
                     "%j = linalg.index 1 : index\n" +
                     body + "linalg.yield %p : index\n} -> tensor<5x3xindex>\n" +
                     "return %r : tensor<5x3xindex>\n}\n";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context());
  EXPECT_TRUE(module) << text;
  if (!module)
    return std::nullopt;
  std::optional<unsigned> found;
  module->walk([&](linalg::GenericOp op) {
    if (op.getNumLoops() == 2)
      found = findExactIndex(op, op.getBody()->getTerminator()->getOperand(0));
  });
  return found;
}

std::string number(const std::string &name, int64_t value) {
  return "%" + name + " = arith.constant " + std::to_string(value) + " : index\n";
}

std::string operation(const std::string &kind, int64_t bound) {
  return number("c", bound) + "%p = arith." + kind + " %i, %c : index\n";
}

const std::optional<unsigned> outer = 0, inner = 1, unknown = std::nullopt;

TEST(ExactIndex, ClampsThatNeverAct) {
  EXPECT_EQ(find(operation("minsi", rounds)), outer);
  EXPECT_EQ(find(operation("minsi", rounds - 1)), outer);
  EXPECT_EQ(find(operation("minsi", rounds - 2)), unknown);
  EXPECT_EQ(find(operation("maxsi", -1)), outer);
  EXPECT_EQ(find(operation("maxsi", 0)), outer);
  EXPECT_EQ(find(operation("maxsi", 1)), unknown);
  EXPECT_EQ(find("%p = arith.minsi %i, %j : index\n"), unknown);
  EXPECT_EQ(find("%p = arith.maxsi %i, %j : index\n"), unknown);
}

TEST(ExactIndex, ArithmeticThatChangesNothing) {
  EXPECT_EQ(find(operation("addi", 0)), outer);
  EXPECT_EQ(find(operation("addi", 1)), unknown);
  EXPECT_EQ(find(operation("subi", 0)), outer);
  EXPECT_EQ(find(operation("subi", 1)), unknown);
  EXPECT_EQ(find(operation("muli", 1)), outer);
  EXPECT_EQ(find(operation("muli", 0)), unknown);
  EXPECT_EQ(find(operation("muli", 2)), unknown);
  EXPECT_EQ(find(number("c", 0) + "%p = arith.subi %c, %i : index\n"), unknown);
  EXPECT_EQ(find(number("c", 0) + "%p = arith.addi %c, %j : index\n"), inner);
  EXPECT_EQ(find("%p = arith.addi %i, %j : index\n"), unknown);
}

/// i where the comparison of i holds, else j, and the other way round.
void expectDecided(const std::string &predicate, int64_t bound, std::optional<bool> holds,
                   bool swapped = false) {
  std::string compared = swapped ? "%c, %i" : "%i, %c";
  std::string test =
      number("c", bound) + "%t = arith.cmpi " + predicate + ", " + compared + " : index\n";
  std::optional<unsigned> required = !holds ? unknown : *holds ? outer : inner;
  EXPECT_EQ(find(test + "%p = arith.select %t, %i, %j : index\n"), required)
      << predicate << " " << compared << " " << bound;
}

TEST(ExactIndex, ComparisonsThatHoldInEveryRoundOrInNone) {
  for (std::string sign : {"s", "u"}) {
    int64_t last = rounds - 1;
    expectDecided(sign + "lt", rounds, true);
    expectDecided(sign + "lt", last, std::nullopt);
    expectDecided(sign + "lt", 1, std::nullopt);
    expectDecided(sign + "lt", 0, false);
    expectDecided(sign + "le", last, true);
    expectDecided(sign + "le", last - 1, std::nullopt);
    expectDecided(sign + "le", 0, std::nullopt);
    expectDecided(sign + "gt", 0, std::nullopt);
    expectDecided(sign + "gt", last - 1, std::nullopt);
    expectDecided(sign + "gt", last, false);
    expectDecided(sign + "ge", 0, true);
    expectDecided(sign + "ge", 1, std::nullopt);
    expectDecided(sign + "ge", last, std::nullopt);
    expectDecided(sign + "ge", rounds, false);
    expectDecided(sign + "lt", 0, std::nullopt, /*swapped=*/true);
    expectDecided(sign + "lt", last, false, /*swapped=*/true);
    expectDecided(sign + "le", 0, true, /*swapped=*/true);
    expectDecided(sign + "gt", rounds, true, /*swapped=*/true);
    expectDecided(sign + "ge", last, true, /*swapped=*/true);
    expectDecided(sign + "ge", last - 1, std::nullopt, /*swapped=*/true);
  }
  // Unsigned, a negative number is larger than every index.
  expectDecided("ult", -1, true);
  expectDecided("ule", -1, true);
  expectDecided("ugt", -1, false);
  expectDecided("uge", -1, false);
  expectDecided("slt", -1, false);
  expectDecided("sle", -1, false);
  expectDecided("sgt", -1, true);
  expectDecided("sge", -1, true);
  for (int64_t bound : {int64_t(0), rounds - 1}) {
    expectDecided("eq", bound, std::nullopt);
    expectDecided("ne", bound, std::nullopt);
  }
  for (int64_t bound : {int64_t(-1), rounds}) {
    expectDecided("eq", bound, false);
    expectDecided("ne", bound, true);
  }
}

TEST(ExactIndex, ConditionsOfConditions) {
  auto both = [](const std::string &kind, int64_t first, int64_t second) {
    return number("c", first) + number("d", second) + "%s = arith.cmpi slt, %i, %c : index\n" +
           "%t = arith.cmpi slt, %i, %d : index\n%u = arith." + kind + " %s, %t : i1\n" +
           "%p = arith.select %u, %i, %j : index\n";
  };
  const int64_t always = rounds, some = 2, never = 0;
  EXPECT_EQ(find(both("andi", always, always)), outer);
  EXPECT_EQ(find(both("andi", always, some)), unknown);
  EXPECT_EQ(find(both("andi", some, always)), unknown);
  EXPECT_EQ(find(both("andi", never, some)), inner);
  EXPECT_EQ(find(both("andi", some, never)), inner);
  EXPECT_EQ(find(both("ori", never, never)), inner);
  EXPECT_EQ(find(both("ori", never, some)), unknown);
  EXPECT_EQ(find(both("ori", some, never)), unknown);
  EXPECT_EQ(find(both("ori", always, some)), outer);
  EXPECT_EQ(find(both("ori", some, always)), outer);
}

TEST(ExactIndex, ConversionsThatLoseNothing) {
  auto through = [](const std::string &there, const std::string &back, int bits) {
    std::string type = "i" + std::to_string(bits);
    return "%n = arith." + there + " %i : index to " + type + "\n%p = arith." + back +
           " %n : " + type + " to index\n";
  };
  EXPECT_EQ(find(through("index_cast", "index_cast", 64)), outer);
  EXPECT_EQ(find(through("index_cast", "index_cast", 4)), outer);
  EXPECT_EQ(find(through("index_cast", "index_cast", 3)), unknown) << "4 is -4 in three bits";
  EXPECT_EQ(find(through("index_castui", "index_castui", 4)), outer);
}

TEST(ExactIndex, TablesOfPositions) {
  auto table = [](const std::string &values) {
    return "%t = arith.constant dense<" + values + "> : tensor<5xindex>\n";
  };
  std::string read = "%p = tensor.extract %t[%i] : tensor<5xindex>\n";
  EXPECT_EQ(find(read, table("[0, 1, 2, 3, 4]")), outer);
  EXPECT_EQ(find(read, table("[0, 1, 2, 3, 3]")), unknown);
  EXPECT_EQ(find(read, table("[1, 2, 3, 4, 5]")), unknown);
  EXPECT_EQ(find(read, table("2")), unknown);
  EXPECT_EQ(find("%c = arith.constant 2 : index\n%q = tensor.extract %t[%c] : tensor<5xindex>\n"
                 "%p = arith.addi %i, %q : index\n",
                 table("[7, 7, 0, 7, 7]")),
            outer);
  EXPECT_EQ(find("%c = arith.constant 2 : index\n%q = tensor.extract %t[%c] : tensor<5xindex>\n"
                 "%p = arith.addi %i, %q : index\n",
                 table("[0, 0, 7, 0, 0]")),
            unknown);
}

/// A table of pairs (a number, the row) made of two, and what is read from it.
TEST(ExactIndex, PiecesOfTables) {
  std::string pieces = "%rows = arith.constant dense<[[0], [1], [2], [3], [4]]> : "
                       "tensor<5x1xindex>\n%others = arith.constant dense<[[3, 4], [3, 4], [3, 4], "
                       "[3, 4], [3, 4]]> : tensor<5x2xindex>\n"
                       "%iota = arith.constant dense<[0, 1, 2, 3, 4]> : tensor<5xindex>\n"
                       "%column = tensor.expand_shape %iota [[0, 1]] output_shape [5, 1] : "
                       "tensor<5xindex> into tensor<5x1xindex>\n"
                       "%t = tensor.concat dim(1) %others, %column : (tensor<5x2xindex>, "
                       "tensor<5x1xindex>) -> tensor<5x3xindex>\n"
                       "%s = tensor.extract_slice %t[0, 1] [5, 2] [1, 1] : tensor<5x3xindex> to "
                       "tensor<5x2xindex>\n"
                       "%last = tensor.extract_slice %t[0, 2] [5, 1] [1, 1] : tensor<5x3xindex> to "
                       "tensor<5xindex>\n"
                       "%shifted = tensor.extract_slice %iota[1] [4] [1] : tensor<5xindex> to "
                       "tensor<4xindex>\n"
                       "%again = tensor.collapse_shape %column [[0, 1]] : tensor<5x1xindex> into "
                       "tensor<5xindex>\n"
                       "%mixed = tensor.collapse_shape %others [[0, 1]] : tensor<5x2xindex> into "
                       "tensor<10xindex>\n";
  auto read = [&](const std::string &from, int64_t column, const std::string &type) {
    return find(number("c", column) + "%p = tensor.extract %" + from + "[%i, %c] : " + type + "\n",
                pieces);
  };
  EXPECT_EQ(read("t", 2, "tensor<5x3xindex>"), outer);
  EXPECT_EQ(read("t", 1, "tensor<5x3xindex>"), unknown);
  EXPECT_EQ(read("t", 0, "tensor<5x3xindex>"), unknown);
  EXPECT_EQ(read("s", 1, "tensor<5x2xindex>"), outer);
  EXPECT_EQ(read("s", 0, "tensor<5x2xindex>"), unknown);
  EXPECT_EQ(find("%p = tensor.extract %last[%i] : tensor<5xindex>\n", pieces), outer);
  EXPECT_EQ(find("%p = tensor.extract %again[%i] : tensor<5xindex>\n", pieces), outer);
  EXPECT_EQ(find("%p = tensor.extract %mixed[%i] : tensor<10xindex>\n", pieces), unknown);
  EXPECT_EQ(find("%p = tensor.extract %shifted[%j] : tensor<4xindex>\n", pieces), unknown);
  EXPECT_EQ(find("%p = tensor.extract %iota[%j] : tensor<5xindex>\n", pieces), inner);
}

/// Expressions of i, j and constants, in text and computed.
struct Expression {
  std::string text;
  std::string name;
  int64_t values[rounds][innerRounds];
};

class Expressions {
public:
  explicit Expressions(unsigned seed) : random(seed) {}

  Expression make(int depth) {
    if (depth == 0 || below(5) == 0)
      return leaf();
    static const char *const kinds[] = {"addi", "subi", "muli", "maxsi", "minsi", "select"};
    std::string kind = kinds[std::min(below(9), 5u)];
    bool changesLittle = kind != "select" && below(4) > 0;
    Expression x = make(depth - 1), y = changesLittle ? constant() : make(depth - 1);
    Expression made = fresh(x.text + y.text);
    if (kind == "select") {
      static const char *const predicates[] = {"slt", "sle", "sgt", "sge", "ult",
                                               "ule", "ugt", "uge", "eq",  "ne"};
      unsigned predicate = below(10);
      Expression a = make(depth - 1), b = make(depth - 1);
      made.text += a.text + b.text + made.name + "t = arith.cmpi " + predicates[predicate] + ", " +
                   a.name + ", " + b.name + " : index\n" + made.name + " = arith.select " +
                   made.name + "t, " + x.name + ", " + y.name + " : index\n";
      each([&](int64_t i, int64_t j) {
        made.values[i][j] =
            compare(predicate, a.values[i][j], b.values[i][j]) ? x.values[i][j] : y.values[i][j];
      });
      return made;
    }
    made.text += made.name + " = arith." + kind + " " + x.name + ", " + y.name + " : index\n";
    each([&](int64_t i, int64_t j) {
      int64_t a = x.values[i][j], b = y.values[i][j];
      made.values[i][j] = kind == "addi"    ? a + b
                          : kind == "subi"  ? a - b
                          : kind == "muli"  ? a * b
                          : kind == "maxsi" ? std::max(a, b)
                                            : std::min(a, b);
    });
    return made;
  }

  template <typename Visit> static void each(Visit visit) {
    for (int64_t i = 0; i < rounds; ++i)
      for (int64_t j = 0; j < innerRounds; ++j)
        visit(i, j);
  }

private:
  unsigned below(unsigned n) { return random() % n; }
  Expression fresh(std::string text) {
    return {std::move(text), "%e" + std::to_string(next++), {}};
  }

  Expression leaf() {
    unsigned kind = below(4);
    if (kind > 1)
      return constant();
    Expression made = fresh("");
    made.name = kind == 0 ? "%i" : "%j";
    each([&](int64_t i, int64_t j) { made.values[i][j] = kind == 0 ? i : j; });
    return made;
  }

  Expression constant() {
    Expression made = fresh("");
    int64_t value = static_cast<int64_t>(below(8)) - 1;
    made.text = made.name + " = arith.constant " + std::to_string(value) + " : index\n";
    each([&](int64_t i, int64_t j) { made.values[i][j] = value; });
    return made;
  }

  static bool compare(unsigned predicate, int64_t a, int64_t b) {
    auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    bool results[] = {a<b, a <= b, a> b, a >= b, x<y, x <= y, x> y, x >= y, a == b, a != b};
    return results[predicate];
  }

  std::mt19937 random;
  unsigned next = 0;
};

TEST(ExactIndex, IsWhatTheExpressionIsInEveryRound) {
  int known = 0;
  for (unsigned seed = 0; seed < 6000; ++seed) {
    Expression made = Expressions(seed).make(3);
    if (made.name == "%i" || made.name == "%j")
      continue;
    std::optional<unsigned> found =
        find(made.text + "%zero = arith.constant 0 : index\n%p = arith.addi " + made.name +
             ", %zero : index\n");
    if (!found)
      continue;
    ++known;
    Expressions::each([&](int64_t i, int64_t j) {
      EXPECT_EQ(made.values[i][j], *found == 0 ? i : j) << "in round " << i << ", " << j << " of\n"
                                                        << made.text;
    });
    if (HasFailure())
      return;
  }
  EXPECT_GT(known, 50);
}

} // namespace
