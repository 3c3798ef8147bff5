//===- GpuExchangesTest.cpp - Exchanges between ranks on GPUs ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks are threads. The same text runs on CPUs, whose bits are the expected ones, and on the
// tests' own driver of CUDA: on one device and on one each, call by call and as a graph, whose
// nodes run in a new order each time; exchanged by our kernels (`local`) and by the fake of NCCL.
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"

#include "dsrt/dsrt.h"

#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

using namespace ds;

namespace {

using Bytes = std::vector<char>;

/// What the ranks of a world hold in the slots of a step: [rank][slot].
using Slots = std::vector<std::vector<Bytes>>;

struct Place {
  const char *backend, *devices;
  bool isGraph;
};

class GpuExchanges : public testing::TestWithParam<Place> {
protected:
  void SetUp() override {
    setenv("DS_CUDA_LIBRARY", DS_FAKES "/libfake_cuda.so", 1);
    setenv("DS_CUBLASLT_LIBRARY", DS_FAKES "/libfake_cublaslt.so", 1);
    setenv("DS_CUDNN_LIBRARY", DS_FAKES "/libfake_cudnn.so", 1);
    setenv("DS_NCCL_LIBRARY", DS_FAKES "/libfake_nccl.so", 1);
    setenv("DS_FAKE_DEVICES", GetParam().devices, 1);
    dsrt_flush_denormals();
  }
  void TearDown() override { unsetenv("DS_FAKE_DEVICES"); }

  /// Runs steps, each with new values of all slots, and gives what each leaves behind.
  static std::vector<Slots> run(const std::string &text, const std::string &target,
                                const char *backend, const std::vector<Slots> &inputs) {
    CompileOptions options = defaultOptions();
    options.target = target;
    auto step = compileText(text, options);
    if (!step)
      return {};
    dsrt_options runtime;
    dsrt_options_init(&runtime);
    runtime.timeout_ms = 20000;
    const size_t ranks = inputs.front().size();
    std::vector<dsrt_context *> contexts(ranks);
    EXPECT_EQ(dsrt_world_create(backend, static_cast<int32_t>(ranks), &runtime, contexts.data()),
              DSRT_OK)
        << dsrt_last_error(nullptr);
    std::vector<Slots> outputs(inputs.size(), inputs.front());
    std::vector<std::thread> threads;
    for (size_t rank = 0; rank < ranks; ++rank)
      threads.emplace_back([&, rank] {
        dsrt_flush_denormals();
        auto instance = step->instantiate(nullptr, static_cast<int64_t>(rank));
        for (size_t number = 0; number < inputs.size(); ++number) {
          const std::vector<Bytes> &mine = inputs[number][rank];
          for (unsigned slot = 0; slot < mine.size(); ++slot)
            set<char>(*instance, slot, mine[slot]);
          instance->run(contexts[rank]);
          ASSERT_FALSE(dsrt_failed(contexts[rank])) << dsrt_last_error(contexts[rank]);
          for (unsigned slot = 0; slot < mine.size(); ++slot)
            outputs[number][rank][slot] = argument<char>(*instance, slot, mine[slot].size());
        }
      });
    for (std::thread &thread : threads)
      thread.join();
    for (dsrt_context *context : contexts)
      EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
    return outputs;
  }

  static void expectTheBitsOfCpus(const std::string &text, const std::vector<Slots> &inputs) {
    auto cpu = run(text, "cpu", "local", inputs);
    auto gpu = run(text, std::string("cuda:sm_90") + (GetParam().isGraph ? "" : ":calls"),
                   GetParam().backend, inputs);
    ASSERT_EQ(cpu.size(), gpu.size());
    for (size_t number = 0; number < cpu.size(); ++number)
      for (size_t rank = 0; rank < cpu[number].size(); ++rank)
        for (size_t slot = 0; slot < cpu[number][rank].size(); ++slot)
          ASSERT_TRUE(gpu[number][rank][slot] == cpu[number][rank][slot])
              << "step " << number + 1 << ", rank " << rank << ", slot " << slot
              << (gpu[number][rank][slot] == inputs[number][rank][slot] ? ", which is its input"
                                                                        : "")
              << " of " << text;
  }
};

/// Random elements, all finite and of either sign. `isWhole`: floats whose sums are the same in any
/// order.
class Random {
public:
  explicit Random(bool isWhole) : isWhole(isWhole) {}
  Bytes elements(const std::string &type, size_t count) {
    Bytes all;
    for (size_t i = 0; i < count; ++i) {
      if (type == "f32" && isWhole)
        add(all, static_cast<float>(static_cast<int>(random() % 9) - 4));
      else if (type == "f64")
        add(all, normal(random));
      else if (type == "f32")
        add(all, static_cast<float>(normal(random)));
      else if (type == "f16") // of exponents that products of four stay in
        add(all, static_cast<uint16_t>((random() & 0x83ff) | (13 + random() % 4) << 10));
      else if (type == "bf16")
        add(all, static_cast<uint16_t>((random() & 0x807f) | (125 + random() % 4) << 7));
      else
        for (int byte = 0; byte < std::atoi(type.c_str() + 1) / 8; ++byte)
          all.push_back(static_cast<char>(random()));
    }
    return all;
  }

private:
  template <typename T> static void add(Bytes &to, T value) {
    const char *bytes = reinterpret_cast<const char *>(&value);
    to.insert(to.end(), bytes, bytes + sizeof value);
  }
  const bool isWhole;
  std::mt19937 random{7};
  std::normal_distribution<double> normal{0, 3};
};

/// Four steps of values for slots of these types and lengths. NCCL adds in an order of its own.
std::vector<Slots> inputsOf(size_t ranks, const std::vector<std::pair<std::string, size_t>> &slots,
                            const Place &place) {
  Random random(/*isWhole=*/std::string(place.backend) == "nccl");
  std::vector<Slots> steps(4, Slots(ranks));
  for (Slots &step : steps)
    for (std::vector<Bytes> &rank : step)
      for (auto &[type, count] : slots)
        rank.push_back(random.elements(type, count));
  return steps;
}

std::string forRanks(size_t ranks, const std::string &body) {
  return "module attributes {ds.config = #ds.config<device_num = " + std::to_string(ranks) +
         ">} {\n" + body + "\n}\n";
}

/// All reductions of a type, each of two buffers whose elements do not divide by the ranks.
std::string reductions(const std::string &type, const std::vector<std::string> &kinds) {
  const std::string a = "tensor<331x" + type + ">", b = "tensor<5x" + type + ">";
  std::string arguments, results, body, values, types;
  auto list = [](std::string &to, const std::string &what) {
    to += (to.empty() ? "" : ", ") + what;
  };
  for (const std::string &kind : kinds) {
    for (auto [suffix, t] : {std::pair("a", a), std::pair("b", b)}) {
      const std::string name = kind + suffix;
      list(arguments, "%" + name + ": " + t + " {ds.state = \"" + name + "\"}");
      list(results, t + " {ds.updates = \"" + name + "\"}");
      list(types, t);
    }
    body += "%r" + kind + ":2 = ds.all_reduce " + kind + " %" + kind + "a, %" + kind + "b : " + a +
            ", " + b + "\n";
    list(values, "%r" + kind + "#0, %r" + kind + "#1");
  }
  return "func.func @step(" + arguments + ") -> (" + results + ") {\n" + body + "return " + values +
         " : " + types + "\n}";
}

TEST_P(GpuExchanges, reductions_have_the_bits_of_cpus) {
  const bool isNccl = std::string(GetParam().backend) == "nccl";
  struct Type {
    std::string name;
    std::vector<std::string> kinds;
  };
  const std::vector<std::string> floats = {"sum", "mean", "max", "min", "prod"},
                                 integers = {"sum", "max", "min", "prod", "and", "or"};
  std::vector<Type> types = {{"f32", floats},   {"f64", floats},   {"f16", floats},
                             {"bf16", floats},  {"i32", integers}, {"i64", integers},
                             {"i16", integers}, {"i8", integers}};
  // NCCL has neither bits nor integers of 16 bits, and rounds halves and means as it likes.
  if (isNccl)
    types = {{"f32", {"sum", "max", "min", "prod"}}, {"i32", {"sum", "max", "min", "prod"}}};
  for (size_t ranks : {2, 3, 4})
    for (const auto &[type, kinds] : types) {
      std::vector<std::pair<std::string, size_t>> slots;
      for (size_t kind = 0; kind < kinds.size(); ++kind)
        slots.insert(slots.end(), {{type, 331}, {type, 5}});
      expectTheBitsOfCpus(forRanks(ranks, reductions(type, kinds)),
                          inputsOf(ranks, slots, GetParam()));
    }
}

// All that moves, one behind the other, so that each needs what the one before it has left.
TEST_P(GpuExchanges, all_kinds_of_exchanges_follow_each_other) {
  expectTheBitsOfCpus(forRanks(4, R"(
func.func @step(%a: tensor<8x40xf32> {ds.state = "a"}, %b: tensor<2x40xf32> {ds.state = "b"})
    -> (tensor<8x40xf32> {ds.updates = "a"}, tensor<2x40xf32> {ds.updates = "b"}) {
  %small = tensor.empty() : tensor<2x40xf32>
  %large = tensor.empty() : tensor<8x40xf32>
  %s = ds.reduce_scatter sum %a into %small along 0 : tensor<8x40xf32> into tensor<2x40xf32>
  %g = ds.all_gather %s into %large along 0 : tensor<2x40xf32> into tensor<8x40xf32>
  %other = tensor.empty() : tensor<8x40xf32>
  %x = ds.all_to_all %g into %other split 0 concat 0 : tensor<8x40xf32> into tensor<8x40xf32>
  %moved = tensor.empty() : tensor<2x40xf32>
  %p = ds.collective_permute %b into %moved from [3, 2, -1, 0] : tensor<2x40xf32> into tensor<2x40xf32>
  %c = ds.broadcast %x from 2 : tensor<8x40xf32>
  %m = ds.all_reduce max %p {group = array<i64: 0, 1, 2, 3>} : tensor<2x40xf32>
  return %c, %m : tensor<8x40xf32>, tensor<2x40xf32>
})"),
                      inputsOf(4, {{"f32", 320}, {"f32", 80}}, GetParam()));
}

/// %result: of `op` on each element of %a and %b.
std::string elementwise(const std::string &result, const std::string &op, const std::string &a,
                        const std::string &b, const std::string &type) {
  const std::string map = "affine_map<(i) -> (i)>";
  return "%e" + result + " = tensor.empty() : " + type + "\n%" + result +
         " = linalg.generic {indexing_maps = [" + map + ", " + map + ", " + map +
         "], iterator_types = [\"parallel\"]} ins(%" + a + ", %" + b + " : " + type + ", " + type +
         ") outs(%e" + result + " : " + type + ") {\n^bb0(%x: f32, %y: f32, %o: f32):\n%z = " + op +
         " %x, %y : f32\nlinalg.yield %z : f32\n} -> " + type + "\n";
}

// As gradients are: values within the step, which lie next to each other, with padding between
// them that nobody has written.
TEST_P(GpuExchanges, a_bucket_is_exchanged_as_one) {
  const size_t counts[] = {331, 5, 1000};
  std::string arguments, updates, doubled, added, operands, results, types;
  auto list = [](std::string &to, const std::string &what) {
    to += (to.empty() ? "" : ", ") + what;
  };
  for (int i = 0; i < 3; ++i) {
    const std::string name(1, static_cast<char>('a' + i)),
        type = "tensor<" + std::to_string(counts[i]) + "xf32>";
    list(arguments, "%" + name + ": " + type + " {ds.state = \"" + name + "\"}");
    list(updates, type + " {ds.updates = \"" + name + "\"}");
    list(operands, "%g" + name);
    list(results, "%n" + name);
    list(types, type);
    doubled += elementwise("g" + name, "arith.mulf", name, name, type);
    added += elementwise("n" + name, "arith.subf", name, "r#" + std::to_string(i), type);
  }
  expectTheBitsOfCpus(forRanks(3, "func.func @step(" + arguments + ") -> (" + updates + ") {\n" +
                                      doubled + "%r:3 = ds.all_reduce sum " + operands + " : " +
                                      types + "\n" + added + "return " + results + " : " + types +
                                      "\n}"),
                      inputsOf(3, {{"f32", 331}, {"f32", 5}, {"f32", 1000}}, GetParam()));
}

// What is computed between a start and its wait overlaps with the exchange, not with its buffers.
TEST_P(GpuExchanges, started_exchanges_end_with_their_wait) {
  expectTheBitsOfCpus(forRanks(3, R"(
func.func @step(%a: tensor<700xf32> {ds.state = "a"}, %b: tensor<700xf32> {ds.state = "b"})
    -> (tensor<700xf32> {ds.updates = "a"}, tensor<700xf32> {ds.updates = "b"}) {
  %t, %p = ds.all_reduce_start sum %a : tensor<700xf32>
  %e = tensor.empty() : tensor<700xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%b : tensor<700xf32>) outs(%e : tensor<700xf32>) {
  ^bb0(%x: f32, %o: f32):
    %c = arith.addf %x, %x : f32
    linalg.yield %c : f32
  } -> tensor<700xf32>
  %u, %q = ds.all_reduce_start sum %d : tensor<700xf32>
  %r = ds.wait %p, %t : tensor<700xf32>
  %f = tensor.empty() : tensor<700xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%r : tensor<700xf32>) outs(%f : tensor<700xf32>) {
  ^bb0(%x: f32, %o: f32):
    %c = arith.mulf %x, %x : f32
    linalg.yield %c : f32
  } -> tensor<700xf32>
  %w = ds.wait %q, %u : tensor<700xf32>
  return %s, %w : tensor<700xf32>, tensor<700xf32>
})"),
                      inputsOf(3, {{"f32", 700}, {"f32", 700}}, GetParam()));
}

// Ranks of two groups, and the world behind them.
TEST_P(GpuExchanges, groups_exchange_among_themselves) {
  expectTheBitsOfCpus(forRanks(4, R"(
func.func @step(%a: tensor<99xf32> {ds.state = "a"}) -> (tensor<99xf32> {ds.updates = "a"}) {
  %rank = ds.rank : index
  %c2 = arith.constant 2 : index
  %low = arith.cmpi ult, %rank, %c2 : index
  %r = scf.if %low -> tensor<99xf32> {
    %s = ds.all_reduce sum %a {group = array<i64: 0, 1>} : tensor<99xf32>
    scf.yield %s : tensor<99xf32>
  } else {
    %s = ds.all_reduce sum %a {group = array<i64: 2, 3>} : tensor<99xf32>
    scf.yield %s : tensor<99xf32>
  }
  %w = ds.all_reduce max %r : tensor<99xf32>
  return %w : tensor<99xf32>
})"),
                      inputsOf(4, {{"f32", 99}}, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Places, GpuExchanges,
                         testing::Values(Place{"local", "1", true}, Place{"local", "1", false},
                                         Place{"local", "8", true}, Place{"local", "8", false},
                                         Place{"nccl", "8", true}, Place{"nccl", "8", false}),
                         [](const auto &info) {
                           return std::string(info.param.backend) + "_on_" + info.param.devices +
                                  (info.param.isGraph ? "_as_a_graph" : "_by_calls");
                         });

} // namespace
