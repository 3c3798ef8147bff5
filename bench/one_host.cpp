//===- one_host.cpp - Exchange and update on one host -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   one_host [RANKS [ROUNDS [MEGABYTES..]]]
//
// A step whose gradient is the rank's own sample, so that it is little more than exchange and
// update: with values that ranks hold once, with a copy on each rank, and as loops by hand, which
// is the bound: every rank copies its sample to its gradient, meets the others, adds the gradients
// of all for its share and updates it, and meets them again. They take turns, for ROUNDS rounds;
// the fastest one counts. Ends with 1 where values that are held once take more than 1.25 of the
// bound.
//
//===----------------------------------------------------------------------===//

#include "ds/Run/Program/OpenKeys.h"
#include "ds/Run/Program/Program.h"
#include "ds/Run/Ranks/Rank.h"
#include "ds/Run/Ranks/World.h"
#include "ds/Support/ToolMain.h"

#include "dsrt/dsrt.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cmath>
#include <limits>

namespace {

constexpr double allowed = 1.25;

template <typename T> T check(llvm::Expected<T> value) {
  if (value)
    return std::move(*value);
  llvm::errs() << "error: " << llvm::toString(value.takeError()) << "\n";
  std::exit(1);
}
void check(llvm::Error error) {
  if (!error)
    return;
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
  std::exit(1);
}

enum class Rule { sgd, adam };

/// The step for all ranks: as many samples, whose sum is the gradient.
std::string stepText(Rule rule, int64_t ranks, int64_t elements) {
  bool adam = rule == Rule::adam;
  std::string vector = llvm::formatv("tensor<{0}xf32>", elements);
  std::string samples = llvm::formatv("tensor<{0}x{1}xf32>", ranks, elements);
  std::string text = R"(#id = affine_map<(i) -> (i)>
#all = affine_map<(j, i) -> (j, i)>
#sum = affine_map<(j, i) -> (i)>
func.func @step(%w: VEC {ds.param = "w", ds.init = "zeros"}, STATES%x: SAMPLES {ds.batch = 0 : i64, ds.name = "x"})
    -> (VEC {ds.updates = "w"}UPDATES) {
  %empty = tensor.empty() : VEC
  %zero = arith.constant 0.0 : f32
  %rate = arith.constant 1.0e-03 : f32
  %init = linalg.fill ins(%zero : f32) outs(%empty : VEC) -> VEC
  %g = linalg.generic {indexing_maps = [#all, #sum], iterator_types = ["reduction", "parallel"]}
      ins(%x : SAMPLES) outs(%init : VEC) {
    ^bb0(%a: f32, %acc: f32):
      %s = arith.addf %acc, %a : f32
      linalg.yield %s : f32
  } -> VEC
BODY}
)";
  std::string body =
      adam
          ? R"(  %new:3 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%w, %m, %v, %g : VEC, VEC, VEC, VEC) outs(%empty, %empty, %empty : VEC, VEC, VEC) {
    ^bb0(%old: f32, %m0: f32, %v0: f32, %d: f32, %o0: f32, %o1: f32, %o2: f32):
      %b1 = arith.constant 0.9 : f32
      %c1 = arith.constant 0.1 : f32
      %b2 = arith.constant 0.999 : f32
      %c2 = arith.constant 0.001 : f32
      %eps = arith.constant 1.0e-08 : f32
      %m1 = arith.mulf %m0, %b1 : f32
      %m2 = arith.mulf %d, %c1 : f32
      %m3 = arith.addf %m1, %m2 : f32
      %square = arith.mulf %d, %d : f32
      %v1 = arith.mulf %v0, %b2 : f32
      %v2 = arith.mulf %square, %c2 : f32
      %v3 = arith.addf %v1, %v2 : f32
      %root = math.sqrt %v3 : f32
      %below = arith.addf %root, %eps : f32
      %direction = arith.divf %m3, %below : f32
      %move = arith.mulf %direction, %rate : f32
      %w1 = arith.subf %old, %move : f32
      linalg.yield %w1, %m3, %v3 : f32, f32, f32
  } -> (VEC, VEC, VEC)
  return %new#0, %new#1, %new#2 : VEC, VEC, VEC
)"
          : R"(  %new = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%w, %g : VEC, VEC) outs(%empty : VEC) {
    ^bb0(%old: f32, %d: f32, %out: f32):
      %move = arith.mulf %d, %rate : f32
      %w1 = arith.subf %old, %move : f32
      linalg.yield %w1 : f32
  } -> VEC
  return %new : VEC
)";
  auto replace = [&](llvm::StringRef what, const std::string &by) {
    for (size_t at = 0; (at = text.find(what.str(), at)) != std::string::npos; at += by.size())
      text.replace(at, what.size(), by);
  };
  replace("BODY", body);
  replace("STATES", adam ? "%m: VEC {ds.state = \"m\"}, %v: VEC {ds.state = \"v\"}, " : "");
  replace("UPDATES", adam ? ", VEC {ds.updates = \"m\"}, VEC {ds.updates = \"v\"}" : "");
  replace("SAMPLES", samples);
  replace("VEC", vector);
  return text;
}

/// Something that all ranks do at once, again and again.
class Contender {
public:
  explicit Contender(ds::World &world) : world(world) {}
  virtual ~Contender() = default;
  virtual void step(int64_t rank, dsrt_context *context) = 0;

  /// Milliseconds of a step, from a barrier of all to the next.
  double time(int64_t steps) {
    double milliseconds = 0;
    check(world.run([&](int64_t rank, dsrt_context *context) -> llvm::Error {
      dsrt_barrier(context, DSRT_WORLD);
      auto begin = std::chrono::steady_clock::now();
      for (int64_t i = 0; i < steps; ++i)
        step(rank, context);
      dsrt_barrier(context, DSRT_WORLD);
      if (rank == 0)
        milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                .count() /
            steps;
      return ds::contextError(context);
    }));
    return milliseconds;
  }

protected:
  ds::World &world;
};

class Compiled final : public Contender {
public:
  Compiled(ds::World &world, const std::string &text, bool shares) : Contender(world) {
    std::string settings =
        llvm::formatv("batch=global,shared_replicas={0}", shares ? "on" : "off").str();
    program = check(ds::Program::parse(llvm::MemoryBuffer::getMemBufferCopy(text), "one_host",
                                       /*entry=*/"", {settings}, ds::kNativeCpu));
    compiled = check(program->compile(world.numRanks()));
    auto shared = compiled->makeShared();
    ranks.resize(world.numRanks());
    check(world.run([&](int64_t rank, dsrt_context *context) -> llvm::Error {
      ranks[rank] = std::make_unique<ds::Rank>(*compiled, rank, world.numRanks(), context, shared);
      for (auto [slot, argument] : llvm::enumerate(compiled->manifest().arguments))
        ranks[rank]->instance().write(slot, [&, &argument = argument](char *bytes) {
          std::fill_n(reinterpret_cast<float *>(bytes), ds::elementCount(argument.shape),
                      0.5f + rank * 0.25f * (argument.role == ds::ArgumentRole::batch));
        });
      return llvm::Error::success();
    }));
  }
  void step(int64_t rank, dsrt_context *) override { check(ranks[rank]->run()); }
  float first() const {
    return *static_cast<const float *>(ranks[0]->instance().readArgument(0).get());
  }

private:
  std::unique_ptr<ds::Program> program;
  std::unique_ptr<ds::CompiledStep> compiled;
  std::vector<std::unique_ptr<ds::Rank>> ranks;
};

/// One copy of the values, and loops.
class ByHand final : public Contender {
public:
  ByHand(ds::World &world, Rule rule, int64_t elements)
      : Contender(world), rule(rule), elements(elements), w(elements, 0.5f),
        samples(world.numRanks()), gradients(world.numRanks()) {
    if (rule == Rule::adam)
      m = v = w;
    check(world.run([&](int64_t rank, dsrt_context *) -> llvm::Error {
      samples[rank].assign(elements, 0.5f + rank * 0.25f);
      gradients[rank].assign(elements, 0.0f);
      return llvm::Error::success();
    }));
  }

  void step(int64_t rank, dsrt_context *context) override {
    const float *__restrict sample = samples[rank].data();
    float *__restrict mine = gradients[rank].data();
    for (int64_t i = 0; i < elements; ++i)
      mine[i] = sample[i];
    dsrt_barrier(context, DSRT_WORLD);
    int64_t n = gradients.size(), share = (elements / n + 15) / 16 * 16;
    int64_t begin = std::min(elements, rank * share), end = std::min(elements, begin + share);
    constexpr int64_t block = 4096; // so that sums of any number of ranks stay in the cache
    float sums[block];
    for (; begin < end; begin += block)
      update(begin, std::min(block, end - begin), sums);
    dsrt_barrier(context, DSRT_WORLD);
  }
  float first() const { return w[0]; }

private:
  void update(int64_t begin, int64_t count, float *__restrict sums) {
    const float *__restrict a = gradients[0].data() + begin;
    const float *__restrict b = gradients[1].data() + begin;
    for (int64_t i = 0; i < count; ++i)
      sums[i] = a[i] + b[i];
    for (size_t rank = 2; rank < gradients.size(); ++rank) {
      const float *__restrict next = gradients[rank].data() + begin;
      for (int64_t i = 0; i < count; ++i)
        sums[i] += next[i];
    }
    float *__restrict to = w.data() + begin;
    if (rule == Rule::sgd) {
      for (int64_t i = 0; i < count; ++i)
        to[i] -= 1e-3f * sums[i];
      return;
    }
    float *__restrict speed = m.data() + begin, *__restrict square = v.data() + begin;
    for (int64_t i = 0; i < count; ++i) {
      speed[i] = speed[i] * 0.9f + sums[i] * 0.1f;
      square[i] = square[i] * 0.999f + sums[i] * sums[i] * 0.001f;
      to[i] -= speed[i] / (__builtin_sqrtf(square[i]) + 1e-8f) * 1e-3f;
    }
  }

  Rule rule;
  int64_t elements;
  std::vector<float> w, m, v;
  std::vector<std::vector<float>> samples, gradients;
};

} // namespace

static int run(int argc, char **argv) {
  int64_t numRanks = argc > 1 ? atoll(argv[1]) : 2, rounds = argc > 2 ? atoll(argv[2]) : 7;
  std::vector<int64_t> megabytes = {1, 10, 100};
  if (argc > 3)
    megabytes.clear();
  for (int i = 3; i < argc; ++i)
    megabytes.push_back(atoll(argv[i]));
  if (numRanks < 2 || rounds < 1 || llvm::any_of(megabytes, [](int64_t mb) { return mb < 1; })) {
    llvm::errs() << "usage: one_host [RANKS [ROUNDS [MEGABYTES..]]], two ranks at least\n";
    return 1;
  }
  auto world = check(ds::World::create(numRanks, "local", ds::WorldOptions()));
  bool isSlow = false;
  llvm::outs() << "rule   MB   held once ms   on each rank   by hand   once/each   once/hand\n";
  for (Rule rule : {Rule::sgd, Rule::adam})
    for (int64_t size : megabytes) {
      int64_t elements = size * 1000000 / 4;
      std::string text = stepText(rule, numRanks, elements);
      Compiled once(*world, text, /*shares=*/true), each(*world, text, /*shares=*/false);
      ByHand hand(*world, rule, elements);
      Contender *all[] = {&once, &each, &hand};
      double best[3];
      std::fill_n(best, 3, std::numeric_limits<double>::infinity());
      int64_t steps = std::max<int64_t>(3, 200 / size);
      for (int64_t round = 0; round < rounds; ++round)
        for (size_t i = 0; i < 3; ++i)
          best[i] = std::min(best[i], all[i]->time(steps));
      if (once.first() != each.first() || std::fabs(once.first() - hand.first()) > 1e-4f) {
        llvm::errs() << "error: they train different values\n";
        return 1;
      }
      isSlow |= best[0] > allowed * best[2];
      llvm::outs() << llvm::formatv("{0,-5}{1,4}{2,15:f3}{3,15:f3}{4,10:f3}{5,12:f2}{6,12:f2}\n",
                                    rule == Rule::sgd ? "SGD" : "Adam", size, best[0], best[1],
                                    best[2], best[0] / best[1], best[0] / best[2]);
      llvm::outs().flush();
    }
  return isSlow;
}

int main(int argc, char **argv) {
  return ds::toolMain("one_host", [&] { return run(argc, argv); });
}
