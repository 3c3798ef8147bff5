//===- ValuesTest.cpp - Initial values, random keys and checkpoints --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where each argument's value comes from, and what is said when it comes from nowhere.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Values.h"

#include "TestSupport.h"

namespace ds {
namespace {

ArgumentSpec argument(const std::string &name, ArgumentRole role, std::vector<int64_t> shape = {2},
                      const std::string &init = "", ElementType type = ElementType::f32) {
  ArgumentSpec result;
  result.name = name;
  result.role = role;
  result.shape = std::move(shape);
  result.init = init;
  result.type = type;
  return result;
}

Manifest manifest() {
  Manifest manifest;
  manifest.arguments = {argument("w", ArgumentRole::parameter, {2}, "ones"),
                        argument("m", ArgumentRole::state), argument("x", ArgumentRole::batch),
                        argument("key", ArgumentRole::seed, {2}, "", ElementType::i32),
                        argument("lr", ArgumentRole::hyperparameter, {})};
  manifest.arguments[2].batchDim = 0;
  return manifest;
}

llvm::Expected<InitialValues> valuesFrom(const Safetensors &contents) {
  SafetensorsFile checkpoint(contents);
  return initialValues(manifest(), &checkpoint, "f", 0, {{"lr", 1}});
}

TEST(Values, InitialisersDefaultsAndArguments) {
  auto values = cantFail(initialValues(manifest(), nullptr, "", 0, {{"lr", 0.5}}));
  EXPECT_EQ(valuesOf<float>(*values.values[0]), (std::vector<float>{1, 1}));
  EXPECT_EQ(valuesOf<float>(*values.values[1]), (std::vector<float>{0, 0}));
  EXPECT_FALSE(values.values[2] || values.values[3]);
  EXPECT_EQ(valuesOf<float>(*values.values[4]), std::vector<float>{0.5});
  EXPECT_EQ(values.firstStep, 0);
}

TEST(Values, ACheckpointWins) {
  Safetensors checkpoint;
  checkpoint.tensors["w"] = arrayOf<double>(DataType::f64, {2}, {3, 4});
  checkpoint.tensors["unrelated"] = arrayOf<double>(DataType::f64, {1}, {9});
  checkpoint.metadata["ds.step"] = "17";
  auto values = cantFail(valuesFrom(checkpoint));
  EXPECT_EQ(valuesOf<float>(*values.values[0]), (std::vector<float>{3, 4}));
  EXPECT_EQ(values.firstStep, 17);
  EXPECT_TRUE(values.notInCheckpoint.empty());
}

TEST(Values, ACheckpointWithoutAParameterIsTold) {
  Safetensors empty;
  auto values = cantFail(valuesFrom(empty));
  EXPECT_EQ(values.notInCheckpoint, std::vector<std::string>{"w"});
}

TEST(Values, EverythingMissingIsListed) {
  Manifest step = manifest();
  step.arguments.push_back(argument("beta", ArgumentRole::hyperparameter, {}));
  expectSentence(errorOf(initialValues(step, nullptr, "", 0, {})),
                 {"no value for 'lr', 'beta': give --arg NAME=NUMBER"});
  step.arguments[0].init = "";
  step.arguments.push_back(argument("v", ArgumentRole::parameter));
  expectSentence(errorOf(initialValues(step, nullptr, "", 0, {{"lr", 1}, {"beta", 1}})),
                 {"no initial value for 'w', 'v': give --init FILE, or ds.init"});
  SafetensorsFile empty{Safetensors()};
  expectSentence(errorOf(initialValues(step, &empty, "f", 0, {{"lr", 1}, {"beta", 1}})),
                 {"no initial value for 'w', 'v': 'f' does not hold it"});
}

TEST(Values, MistakesAreOneSentence) {
  expectSentence(errorOf(initialValues(manifest(), nullptr, "", 0, {{"lr", 1}, {"lt", 1}})),
                 {"--arg gives 'lt', which is no argument without a role (the step has 'lr'), did "
                  "you mean 'lr'?"});
  Safetensors checkpoint;
  checkpoint.tensors["w"] = arrayOf<float>(DataType::f32, {3}, {1, 2, 3});
  expectSentence(errorOf(valuesFrom(checkpoint)), {"'w' in 'f' has shape 3, expected 2"});
  checkpoint.tensors["w"] = arrayOf<double>(DataType::f64, {2}, {1, 1e300});
  expectSentence(errorOf(valuesFrom(checkpoint)), {"'w' in 'f'", "does not fit f32"});
  checkpoint.tensors.clear();
  checkpoint.metadata["ds.step"] = "many";
  expectSentence(errorOf(valuesFrom(checkpoint)), {"ds.step in 'f' is 'many'"});
  Manifest counter = manifest();
  counter.arguments[4].type = ElementType::i32;
  expectSentence(errorOf(initialValues(counter, nullptr, "", 0, {{"lr", 0.5}})),
                 {"--arg lr", "does not fit i32"});
}

TEST(Values, ASeedIsRunSeedAndGlobalStep) {
  std::vector<uint32_t> key(4, 7);
  writeSeed(argument("key", ArgumentRole::seed, {4}, "", ElementType::i32), 5, 1000, key.data());
  EXPECT_EQ(key, (std::vector<uint32_t>{5, 0, 0, 1000}));
  uint64_t one[3] = {0, 0, 0};
  ArgumentSpec scalar = argument("key", ArgumentRole::seed, {}, "", ElementType::i64);
  writeSeed(scalar, 5, 0, &one[0]);
  writeSeed(scalar, 5, 1, &one[1]);
  writeSeed(scalar, 6, 0, &one[2]);
  EXPECT_NE(one[0], one[1]);
  EXPECT_NE(one[0], one[2]);
}

TEST(Values, ACheckpointHoldsParametersAndStates) {
  float w[] = {1, 2}, m[] = {3, 4};
  Safetensors checkpoint = makeCheckpoint(manifest(), 9, 40, [&](unsigned slot) {
    return Array::copy(DataType::f32, {2}, slot == 0 ? w : m);
  });
  ASSERT_EQ(checkpoint.tensors.size(), 2u);
  EXPECT_EQ(valuesOf<float>(checkpoint.tensors["m"]), (std::vector<float>{3, 4}));
  EXPECT_EQ(checkpoint.metadata["ds.step"], "40");
  EXPECT_EQ(checkpoint.metadata["ds.seed"], "9");
  auto again = cantFail(valuesFrom(checkpoint));
  EXPECT_EQ(again.firstStep, 40);
  EXPECT_EQ(valuesOf<float>(*again.values[1]), (std::vector<float>{3, 4}));
}

} // namespace
} // namespace ds
