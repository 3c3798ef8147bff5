//===- ExactCheck.cpp - n ranks equal one device, without a tolerance -----===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs are functions of the seed, the argument's name, the step and the element's index, so both
// programs get the same inputs without a stored copy. Sharded values are gathered and then
// compared; a replicated value is compared on each rank.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Exact/ExactCheck.h"

#include "ds/Analysis/StepRoles.h"
#include "ds/Compiler/BuildManifest.h"
#include "ds/Run/Ranks/Rank.h"
#include "ds/Run/Ranks/World.h"
#include "ds/Support/FirstError.h"
#include "ds/Target/All/Targets.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

#include <chrono>
#include <cstring>
#include <mutex>

using namespace mlir;
using llvm::Error;
using llvm::Expected;

namespace ds {
namespace {

Error failure(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

bool isFloatType(ElementType type) {
  return type == ElementType::f64 || type == ElementType::f32 || type == ElementType::f16 ||
         type == ElementType::bf16;
}

/// Draws the values of arguments.
class Inputs {
public:
  Inputs(const FieldStep &step, const ExactOptions &exact)
      : step(step), exact(exact), field(exact.prime) {}

  /// Returns the value of an argument of the step on one device.
  Array draw(const ArgumentSpec &argument, int64_t number) const {
    uint8_t *bytes = nullptr;
    Array array = Array::allocate(toDataType(argument.type), argument.shape, &bytes);
    uint64_t start = mixBits(llvm::xxh3_64bits(argument.name) ^ mixBits(exact.seed) ^
                             mixBits(argument.role == ArgumentRole::batch ? number + 1 : 0));
    bool isElement = step.floats.count(argument.name);
    int64_t size = byteSize(array.type);
    for (int64_t i = 0, count = array.elements(); i < count; ++i) {
      uint64_t word = mixBits(start + i);
      int64_t value = isElement ? field.reduce(word >> 1) : integer(argument, word);
      std::memcpy(bytes + i * size, &value, size); // little-endian
    }
    return array;
  }

private:
  static int64_t integer(const ArgumentSpec &argument, uint64_t word) {
    if (argument.type == ElementType::i1)
      return word & 1;
    if (!argument.indexRange)
      return word % 8;
    const IntegerRange &range = *argument.indexRange;
    uint64_t values = range.high - range.low, others = range.others.size();
    uint64_t chosen = word % (values + others);
    return chosen < values ? range.low + static_cast<int64_t>(chosen)
                           : range.others[chosen - values];
  }

  const FieldStep &step;
  const ExactOptions &exact;
  PrimeField field;
};

/// The values of one device after each step, by name.
struct Expectation {
  std::map<std::string, ArgumentSpec> arguments;
  std::vector<NamedArrays> after, results;
};

/// True if the run draws the argument itself; the runtime sets seeds.
bool isDrawn(const ArgumentSpec &argument, int64_t step) {
  return argument.role != ArgumentRole::seed && (step == 0 || argument.role == ArgumentRole::batch);
}

Array copyOf(ElementType type, llvm::ArrayRef<int64_t> shape, const HostView &data) {
  return Array::copy(toDataType(type), shape, data.get());
}

Expected<Expectation> expect(const FieldStep &reference, const ExactOptions &exact) {
  const Manifest &manifest = reference.compiled->manifest();
  Inputs inputs(reference, exact);
  Rank rank(*reference.compiled, 0, 1, nullptr);
  Expectation expected;
  for (int64_t step = 0; step < exact.numSteps; ++step) {
    for (auto [slot, argument] : llvm::enumerate(manifest.arguments)) {
      expected.arguments[argument.name] = argument;
      if (isDrawn(argument, step))
        rank.setWhole(slot, inputs.draw(argument, step));
    }
    rank.writeSeeds(exact.seed, step);
    auto begin = std::chrono::steady_clock::now();
    if (Error asserted = rank.run()) // no collective can fail here
      return asserted;
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (exact.onReferenceStep)
      if (Error error = exact.onReferenceStep(took.count()))
        return error;
    NamedArrays &after = expected.after.emplace_back();
    NamedArrays &results = expected.results.emplace_back();
    for (auto [slot, result] : llvm::enumerate(manifest.results))
      if (result.updates) {
        const ArgumentSpec &argument = manifest.arguments[*result.updates];
        after[argument.name] =
            copyOf(argument.type, argument.shape, rank.instance().readArgument(*result.updates));
      } else {
        results[result.name] = llvm::cantFail(rank.gather(slot));
      }
  }
  return expected;
}

class Comparer {
public:
  Comparer(const FieldStep &program, int64_t numRanks, const Expectation &expected,
           const ExactOptions &exact)
      : program(program), manifest(program.compiled->manifest()), numRanks(numRanks),
        expected(expected), exact(exact), field(exact.prime),
        shared(program.compiled->makeShared()), perRank(numRanks) {}

  Error runRank(int64_t number, dsrt_context *context) {
    Inputs inputs(program, exact);
    Rank rank(*program.compiled, number, numRanks, context, shared);
    for (int64_t step = 0; step < exact.numSteps; ++step) {
      // Other ranks may still compare values that are drawn anew now.
      dsrt_barrier(context, DSRT_WORLD);
      for (auto [slot, argument] : llvm::enumerate(manifest.arguments)) {
        if (!isDrawn(argument, step))
          continue;
        auto whole = expected.arguments.find(argument.name);
        if (whole == expected.arguments.end())
          return failure("one device has no argument '" + argument.name + "'");
        rank.setWhole(slot, inputs.draw(whole->second, step));
      }
      rank.writeSeeds(exact.seed, step);
      if (Error error = rank.run())
        return error;
      if (Error error = rank.collect())
        return error;
      if (Error error = compareStep(rank, step))
        return error;
    }
    return Error::success();
  }

  /// Compares metrics that each rank has for itself, reduced as one device reduces them.
  void compareMetrics() {
    for (int64_t step = 0; step < exact.numSteps; ++step)
      for (const ResultSpec &result : manifest.results)
        if (isOfEachRank(result))
          if (std::optional<Array> whole = combine(result, step))
            judge(result.name, step, 0, *whole, expected.results[step]);
  }

  ExactResult result() const { return {first.empty(), first, elements}; }

private:
  bool isOfEachRank(const ResultSpec &result) const { return !manifest.global && result.isMetric; }

  Error compareStep(Rank &rank, int64_t step) {
    for (auto [slot, result] : llvm::enumerate(manifest.results)) {
      if (result.updates) {
        const ArgumentSpec &argument = manifest.arguments[*result.updates];
        // Rank 0 has gathered the shards of all ranks.
        if (argument.localState.empty() && (!argument.isSharded() || rank.rank() == 0))
          judge(argument.name, step, rank.rank(), rank.whole(*result.updates),
                expected.after[step]);
      } else if (isOfEachRank(result)) {
        perRank[rank.rank()].emplace(
            result.name + "@" + std::to_string(step),
            copyOf(result.type, result.shape, rank.instance().readResult(slot)));
      } else {
        Expected<Array> whole = rank.gather(slot);
        if (!whole)
          return whole.takeError();
        judge(result.name, step, rank.rank(), *whole, expected.results[step]);
      }
    }
    return Error::success();
  }

  /// Returns the metric of all ranks: their sum, mean, minimum or maximum. Returns the value of the
  /// first rank if ranks have reduced the metric themselves (`none`), and for a mean of integers.
  /// Returns none for narrower types than i64, whose values wrap.
  std::optional<Array> combine(const ResultSpec &result, int64_t step) {
    std::string key = result.name + "@" + std::to_string(step);
    auto type = program.floats.find(result.name);
    bool isElement = type != program.floats.end();
    if (result.reduce == "none" || (!isElement && result.reduce == "mean"))
      return perRank[0].at(key);
    if (result.type != ElementType::i64)
      return std::nullopt;
    uint8_t *bytes = nullptr;
    Array whole = Array::allocate(DataType::i64, result.shape, &bytes);
    for (int64_t i = 0; i < whole.elements(); ++i) {
      auto of = [&](int64_t replica) { // ranks along other axes of a mesh hold the same value
        const Array &own = perRank[replica * manifest.otherRanks()].at(key);
        return reinterpret_cast<const int64_t *>(own.data)[i];
      };
      int64_t all = of(0), replicas = numRanks / manifest.otherRanks();
      for (int64_t replica = 1; replica < replicas; ++replica)
        all = result.reduce == "max"   ? std::max(all, of(replica))
              : result.reduce == "min" ? std::min(all, of(replica))
                                       : all + of(replica);
      if (isElement)
        all = field.reduce(all);
      if (result.reduce == "mean")
        all = field.multiply(all, field.inverse(replicas));
      std::memcpy(bytes + i * sizeof all, &all, sizeof all);
    }
    return whole;
  }

  /// Compares a value, and keeps the first difference. A value that one device lacks is one, too.
  void judge(const std::string &name, int64_t step, int64_t rank, const Array &got,
             const NamedArrays &wanted) {
    std::lock_guard lock(mutex);
    auto found = wanted.find(name);
    if (found == wanted.end()) {
      if (comesFirst(step, rank))
        first = "'" + name + "' is no value of one device";
      return;
    }
    const Array &want = found->second;
    elements += want.elements();
    if (got.bytes() == want.bytes() && std::memcmp(got.data, want.data, got.bytes()) == 0)
      return;
    if (!comesFirst(step, rank))
      return;
    int64_t count = 0, size = byteSize(want.type);
    for (int64_t i = 0; i < std::min(got.elements(), want.elements()); ++i)
      count += std::memcmp(got.data + i * size, want.data + i * size, size) != 0;
    first =
        llvm::formatv("'{0}' differs from one device after step {1} on rank {2} of {3}, in {4} of "
                      "{5} elements",
                      name, step + 1, rank, numRanks, count, want.elements());
  }

  /// True if a difference at this step and rank is the first so far; it is then the one to keep.
  bool comesFirst(int64_t step, int64_t rank) {
    if (!first.empty() && std::make_pair(firstStep, firstRank) <= std::make_pair(step, rank))
      return false;
    firstStep = step;
    firstRank = rank;
    return true;
  }

  const FieldStep &program;
  const Manifest &manifest;
  int64_t numRanks;
  const Expectation &expected;
  const ExactOptions &exact;
  PrimeField field;
  std::shared_ptr<SharedMemory> shared;
  std::vector<NamedArrays> perRank; // metrics of each rank, by name and step
  std::mutex mutex;
  std::string first;
  int64_t firstStep = 0, firstRank = 0, elements = 0;
};

} // namespace

Error readOverField(ModuleOp module, const ExactOptions &exact, llvm::StringRef entry,
                    FieldStep &step) {
  FirstError first(module.getContext(), FirstError::Others::dropped);
  func::FuncOp read = getStep(module, entry);
  if (!read)
    return first.take("the module has no step");
  // Other entries of the module would be read and judged, too.
  for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (function != read && !function.isExternal() &&
        SymbolTable::symbolKnownUseEmpty(function, module))
      function.erase();
  FailureOr<Manifest> manifest = buildManifest(read);
  if (failed(manifest))
    return first.take("the step has no manifest");
  for (const ArgumentSpec &argument : manifest->arguments)
    if (isFloatType(argument.type))
      step.floats[argument.name] = argument.type;
  for (const ResultSpec &result : manifest->results)
    if (!result.updates && isFloatType(result.type))
      step.floats.emplace(result.name, result.type);
  ToFieldPassOptions pass;
  pass.prime = exact.prime;
  pass.seed = exact.seed;
  pass.ranks = exact.replicas;
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.addPass(createToFieldPass(pass, step.facts));
  if (mlir::failed(manager.run(module)))
    return first.take("the step has no reading over a field");
  return Error::success();
}

Error compileField(ModuleOp module, const CompileOptions &options, FieldStep &step) {
  return compileStep(module, options).moveInto(step.compiled);
}

Expected<FieldStep> compileOverField(ModuleOp module, const ExactOptions &exact,
                                     const CompileOptions &options) {
  FieldStep step;
  if (Error error = readOverField(module, exact, options.entry, step))
    return error;
  if (Error error = compileField(module, options, step))
    return error;
  return step;
}

Expected<ExactResult> compareOverField(const FieldStep &program, int64_t numRanks,
                                       const FieldStep &reference, const ExactOptions &exact) {
  auto expected = expect(reference, exact);
  if (!expected)
    return expected.takeError();
  WorldOptions world;
  world.timeoutMs = exact.timeoutMs;
  auto ranks = World::create(numRanks, "local", world);
  if (!ranks)
    return ranks.takeError();
  Comparer comparer(program, numRanks, *expected, exact);
  if (Error error = (*ranks)->run(
          [&](int64_t number, dsrt_context *context) { return comparer.runRank(number, context); }))
    return error;
  comparer.compareMetrics();
  return comparer.result();
}

} // namespace ds
