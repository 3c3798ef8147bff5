//===- ReplicasTest.cpp - One bit of one rank -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Replicas.h"
#include "ds/Run/Program/Program.h"
#include "ds/Run/Ranks/World.h"

#include "TestSupport.h"

namespace ds {
namespace {

constexpr const char *stepText = R"(
#id = affine_map<(i) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j)>
func.func @step(%w: tensor<5xf32> {ds.param = "w"}, %s: tensor<3xi64> {ds.state = "s"},
                %x: tensor<2x5xf32> {ds.batch = 0 : i64, ds.name = "x"})
    -> (tensor<5xf32> {ds.updates = "w"}, tensor<3xi64> {ds.updates = "s"}) {
  %zero = arith.constant dense<0.0> : tensor<5xf32>
  %sum = linalg.generic {indexing_maps = [#all, #columns], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<2x5xf32>) outs(%zero : tensor<5xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %r = arith.addf %a, %acc : f32
      linalg.yield %r : f32
  } -> tensor<5xf32>
  %g = ds.gradient %sum of "w" : tensor<5xf32>
  %new = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%w, %g : tensor<5xf32>, tensor<5xf32>) outs(%zero : tensor<5xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %d = arith.subf %a, %b : f32
      linalg.yield %d : f32
  } -> tensor<5xf32>
  return %new, %s : tensor<5xf32>, tensor<3xi64>
})";

void flipBit(Rank &rank, unsigned slot, size_t byte, uint8_t mask) {
  Array value = rank.whole(slot);
  std::vector<char> before(value.data, value.data + value.bytes());
  rank.instance().write(slot, [&](char *bytes) {
    llvm::copy(before, bytes);
    bytes[byte] ^= mask;
  });
}

class ReplicasTest : public TemporaryDirectory {
protected:
  /// What three ranks say after `change` had its way with their memory.
  std::string compare(llvm::function_ref<void(Rank &)> change) {
    auto program = llvm::cantFail(Program::load(write("step.mlir", stepText), "", {}));
    auto step = llvm::cantFail(program->compile(3));
    auto world = llvm::cantFail(World::create(3, "local", {}));
    return errorOf(world->run([&](int64_t number, dsrt_context *context) {
      Rank rank(*step, number, 3, context);
      change(rank);
      return compareReplicas(rank, step->manifest(), 3, 12);
    }));
  }
};

TEST_F(ReplicasTest, EqualCopiesPass) {
  EXPECT_EQ(compare([](Rank &) {}), "(no error)");
}

TEST_F(ReplicasTest, OneBitIsFoundAndNamed) {
  std::string said = compare([](Rank &rank) {
    if (rank.rank() == 1)
      flipBit(rank, 0, 19, 1);
  });
  expectSentence(said, {"after step 12 the ranks hold different values of parameter 'w': ",
                        " on ranks 0 and 2, ", " on rank 1"});
}

TEST_F(ReplicasTest, StatesCountToo) {
  std::string said = compare([](Rank &rank) {
    if (rank.rank() == 0)
      flipBit(rank, 1, 0, 128);
  });
  expectSentence(said, {"values of state 's': ", " on rank 0, ", " on ranks 1 and 2"});
}

} // namespace
} // namespace ds
