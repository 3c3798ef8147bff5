//===- FarMemoryTest.cpp - A step whose memory the host cannot reach ------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for a device with memory of its own: what the host writes goes through a buffer of
// other values, what it reads is a copy that ends with its view. Ranks feed it and read it as they
// do a step on the CPU.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Npy.h"
#include "ds/Run/Program/Program.h"
#include "ds/Run/Ranks/Rank.h"
#include "ds/Run/Ranks/Replicas.h"
#include "ds/Run/Ranks/World.h"

#include "TestSupport.h"

namespace ds {
namespace {

class FarInstance final : public StepInstance {
public:
  FarInstance(const Manifest &manifest, std::unique_ptr<StepInstance> device)
      : manifest(manifest), device(std::move(device)) {}

  void write(unsigned slot, llvm::function_ref<void(char *)> fill) override {
    std::vector<char> staged(bytesOf(manifest.arguments[slot]), '\x5a');
    fill(staged.data());
    device->write(slot, [&](char *bytes) { llvm::copy(staged, bytes); });
  }
  HostView readArgument(unsigned slot) const override {
    return copyOf(device->readArgument(slot), bytesOf(manifest.arguments[slot]));
  }
  HostView readResult(unsigned slot) const override {
    return copyOf(device->readResult(slot), bytesOf(manifest.results[slot]));
  }
  void run(dsrt_context *context) override { device->run(context); }
  std::vector<CallProfile> profile() const override { return device->profile(); }

private:
  template <typename Spec> static size_t bytesOf(const Spec &spec) {
    return elementCount(spec.shape) * byteSize(spec.type);
  }
  static HostView copyOf(const HostView &slot, size_t bytes) {
    HostView copy(malloc(bytes), [bytes](const void *data) {
      memset(const_cast<void *>(data), 0x5a, bytes); // whoever reads it later sees that
      free(const_cast<void *>(data));
    });
    memcpy(const_cast<void *>(copy.get()), slot.get(), bytes);
    return copy;
  }

  const Manifest &manifest;
  std::unique_ptr<StepInstance> device;
};

class FarStep final : public CompiledStep {
public:
  explicit FarStep(const CompiledStep &step) : step(step) {}
  const Manifest &manifest() const override { return step.manifest(); }
  size_t arenaBytes() const override { return step.arenaBytes(); }
  int64_t memoryBytes() const override { return step.memoryBytes(); }
  const std::vector<StageTime> &compileTimes() const override { return step.compileTimes(); }
  const std::vector<std::string> &kernelNames() const override { return step.kernelNames(); }
  std::vector<std::pair<std::string, std::string>> libraryCalls() const override {
    return step.libraryCalls();
  }
  std::unique_ptr<StepInstance> instantiate(std::shared_ptr<SharedMemory> shared,
                                            int64_t rank) const override {
    return std::make_unique<FarInstance>(step.manifest(),
                                         step.instantiate(std::move(shared), rank));
  }

private:
  const CompiledStep &step;
};

/// w -= lr * sum of c[i] * x[i, :] + noise, and each sample's part of that sum.
constexpr const char *stepText = R"(
#id = affine_map<(i) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
#columns = affine_map<(i, j) -> (j)>
#none = affine_map<(i) -> ()>
func.func @step(%w: tensor<8xf32> {ds.param = "w"}, %x: tensor<4x8xf32> {ds.batch = 0 : i64, ds.name = "x"},
                %c: tensor<4xf32> {ds.batch = 0 : i64, ds.weight, ds.name = "c"},
                %key: tensor<2xi32> {ds.seed}, %lr: tensor<f32> {ds.name = "lr"})
    -> (tensor<8xf32> {ds.updates = "w"}, tensor<4x8xf32> {ds.batch = 0 : i64, ds.name = "parts"}) {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %parts = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %c : tensor<4x8xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
    ^bb0(%a: f32, %weight: f32, %out: f32):
      %p = arith.mulf %a, %weight : f32
      linalg.yield %p : f32
  } -> tensor<4x8xf32>
  %g = linalg.generic {indexing_maps = [#all, #columns], iterator_types = ["reduction", "parallel"]}
      ins(%parts : tensor<4x8xf32>) outs(%zero : tensor<8xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %s = arith.addf %a, %acc : f32
      linalg.yield %s : f32
  } -> tensor<8xf32>
  %one = tensor.extract_slice %key[1] [1] [1] : tensor<2xi32> to tensor<i32>
  %new = linalg.generic {indexing_maps = [#id, #id, #none, #none, #id], iterator_types = ["parallel"]}
      ins(%w, %g, %lr, %one : tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<i32>) outs(%zero : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32, %rate: f32, %step: i32, %out: f32):
      %d = arith.mulf %b, %rate : f32
      %moved = arith.subf %a, %d : f32
      %number = arith.sitofp %step : i32 to f32
      %sum = arith.addf %moved, %number : f32
      linalg.yield %sum : f32
  } -> tensor<8xf32>
  return %new, %parts : tensor<8xf32>, tensor<4x8xf32>
})";

class FarMemoryTest : public TemporaryDirectory {
protected:
  /// w and the last step's parts of rank 0, after two steps on two ranks.
  std::pair<std::vector<float>, std::vector<float>> train(const CompiledStep &step) {
    std::vector<float> samples(6 * 8);
    for (size_t i = 0; i < samples.size(); ++i)
      samples[i] = static_cast<float>(i % 7) - 2;
    Array x = arrayOf<float>(DataType::f32, {6, 8}, samples);
    llvm::cantFail(writeNpz(path("data.npz"), {{"x", x}}));
    std::vector<ArgumentSpec> batches;
    for (const ArgumentSpec &argument : step.manifest().arguments)
      if (argument.role == ArgumentRole::batch)
        batches.push_back(argument);
    auto sources = llvm::cantFail(parseDataSpec("x=" + path("data.npz") + ":x"));
    Dataset data = llvm::cantFail(Dataset::load(sources, batches));
    std::pair<std::vector<float>, std::vector<float>> found;
    auto world = llvm::cantFail(World::create(2, "local", {}));
    std::string error =
        errorOf(world->run([&](int64_t number, dsrt_context *context) -> llvm::Error {
          Rank rank(step, number, 2, context);
          rank.setWhole(0, arrayOf<float>(DataType::f32, {8}, {1, 2, 3, 4, 5, 6, 7, 8}));
          rank.setWhole(4, arrayOf<float>(DataType::f32, {}, {0.5f}));
          for (int64_t at : {0, 1}) {
            rank.load(data, {{at, 2, 5, 3}, {true, true, at == 0, true}});
            rank.writeSeeds(7, at);
            if (llvm::Error failure = rank.run())
              return failure;
          }
          if (llvm::Error failure = rank.collect())
            return failure;
          if (llvm::Error failure = compareReplicas(rank, step.manifest(), 2, 2))
            return failure;
          auto parts = rank.gather(1);
          if (!parts)
            return parts.takeError();
          if (number == 0)
            found = {valuesOf<float>(rank.whole(0)), valuesOf<float>(*parts)};
          return llvm::Error::success();
        }));
    EXPECT_EQ(error, "(no error)");
    return found;
  }

  void expectTheSame(const std::vector<std::string> &config, bool isSharded) {
    auto program = llvm::cantFail(Program::load(write("step.mlir", stepText), "", config));
    auto step = llvm::cantFail(program->compile(2));
    EXPECT_EQ(step->manifest().arguments[0].isSharded(), isSharded);
    auto near = train(*step);
    // Sample s has s - 2 in front; the second step leaves one out and adds its number.
    EXPECT_EQ(near.first[0], 1 - 0.5f * (-2 + 0 + 3 + 1) - 0.5f * (-1 + 0 + 1) + 1);
    EXPECT_EQ(train(FarStep(*step)), near);
  }
};

TEST_F(FarMemoryTest, RanksTrainTheSame) { expectTheSame({"batch=global"}, false); }

TEST_F(FarMemoryTest, ShardsArePutTogether) {
  expectTheSame(
      {"batch=global", "enable_parallel_optimizer=true", "parallel_optimizer_threshold=0"}, true);
}

} // namespace
} // namespace ds
