//===- Certify.cpp - The exact check of a program -------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Exact/Certify.h"
#include "ds/Dialect/IR/Precision.h"

#include "Program/Execute.h"

#include "ds/Analysis/StepFlow.h"
#include "ds/Analysis/StepRoles.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Run/Program/Program.h"
#include "ds/Run/Ranks/World.h"
#include "ds/Support/File.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using llvm::Error;
using llvm::Expected;

namespace ds {
namespace {

std::string sha256(StringRef text) {
  llvm::SHA256 hasher;
  hasher.update(text);
  return llvm::toHex(hasher.final(), /*LowerCase=*/true);
}

/// Returns the hash of the module's text without the configuration, which a certificate contains by
/// itself.
std::string hashOf(ModuleOp module) {
  OwningOpRef<ModuleOp> copy(module.clone());
  (*copy)->removeAttr(configAttrName);
  std::string text;
  llvm::raw_string_ostream(text) << *copy;
  return sha256(text);
}

/// Returns the hash of the plan: the shards of every argument, and the collectives in their order
/// with their operands.
std::string hashOfPlan(ModuleOp module, StringRef entry) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  func::FuncOp step = getStep(module, entry);
  stream << step.getFunctionType() << ' ' << step.getArgAttrsAttr() << '\n';
  for (CollectiveOpInterface op : collectUnits<CollectiveOpInterface>(step)) {
    stream << op->getName() << ' ' << op->getAttrDictionary() << ' ';
    llvm::interleaveComma(op->getOperandTypes(), stream);
    stream << '\n';
  }
  return sha256(text);
}

} // namespace

Error toError(const Equivalence &found) {
  switch (found.verdict) {
  case Equivalence::Verdict::equal:
    return Error::success();
  case Equivalence::Verdict::different:
    return userError("the ranks do not compute what one device does: " + found.reason);
  case Equivalence::Verdict::undecided:
    return userError("whether the ranks compute what one device does is undecided: " +
                     found.reason);
  }
  llvm_unreachable("all verdicts are covered");
}

Expected<Certificate> compareExactly(Program &ofRanks, Program &oneDevice, int64_t numRanks,
                                     EquivalenceOptions options,
                                     llvm::function_ref<Error(const Certificate &)> before) {
  Certificate certificate;
  Config config = ofRanks.settings(numRanks, "").config;
  for (const auto &[key, value] : config.written())
    if (!llvm::is_contained(Certificate::keysThatWrite(), key))
      certificate.configuration[key] = toText(value);
  options.entry = ofRanks.entry();
  options.targetCpu = ofRanks.targetCpu();
  options.timeoutMs = ofRanks.config().timeoutMs();
  auto compare = [&](ModuleOp program, ModuleOp reference) -> Error {
    certificate.hashes = {{"step", hashOf(ofRanks.written())},
                          {"distributed", hashOf(program)},
                          {"oneDevice", hashOf(reference)},
                          {"plan", hashOfPlan(program, options.entry)}};
    if (before)
      if (Error error = before(certificate))
        return error;
    return compareDistributed(program, reference, options).moveInto(certificate.found);
  };
  auto beside = [&](ModuleOp program) {
    return oneDevice.withDistributed(numRanks, Program::Side::oneDevice, [&](ModuleOp reference) {
      return compare(program, reference);
    });
  };
  if (Error error = ofRanks.withDistributed(numRanks, Program::Side::ranks, beside))
    return error;
  return certificate;
}

Expected<ExactReport> checkExactly(Program &program, int64_t numRanks, uint64_t seed,
                                   const ExactRequest &request) {
  EquivalenceOptions options;
  options.seed = seed;
  options.seconds = request.seconds;
  Certificate certified;
  if (!request.verify.empty()) {
    if (Error error = Certificate::read(request.verify).moveInto(certified))
      return error;
    options.runs = certified.found.runs;
  }
  auto sameInputs = [&](const Certificate &again) {
    return request.verify.empty() ? Error::success()
                                  : compareInputs(request.verify, certified, again);
  };
  auto certificate = compareExactly(program, program, numRanks, options, sameInputs);
  if (!certificate)
    return certificate.takeError();
  const Equivalence &found = certificate->found;
  if (!request.verify.empty())
    if (Error error = compareResults(request.verify, certified, *certificate))
      return error;
  if (found.verdict != Equivalence::Verdict::different && !request.certificate.empty())
    if (Error error = certificate->write(request.certificate))
      return error;
  if (Error error = toError(found))
    return error;
  std::vector<std::string> primes;
  for (const FieldRun &run : found.runs)
    primes.push_back(std::to_string(run.prime));
  std::string text = llvm::formatv("check: exact, {0} {1} equal one device in {2} elements of {3} "
                                   "steps, modulo {4}",
                                   numRanks, numRanks == 1 ? "rank" : "ranks", found.elements,
                                   found.steps, llvm::join(primes, " and "));
  if (roundsFactors(program.config()))
    text += "; precision=bf16, which rounds factors, has no meaning there";
  if (!request.verify.empty())
    text += ", as '" + request.verify + "' certifies";
  return ExactReport{text, llvm::json::Object{{"ranks", numRanks},
                                              {"equal", true},
                                              {"exact", true},
                                              {"elements", found.elements}}};
}

Error checkExactly(Program &program, World &world, int64_t numRanks, const RunOptions &options,
                   Report &report) {
  if (!options.exact.isAsked)
    return Error::success();
  ExactReport found;
  Error error = Error::success();
  if (world.hasRoot())
    error = checkExactly(program, numRanks, options.seed, options.exact).moveInto(found);
  if (Error failed = world.agree(std::move(error)))
    return failed;
  report.fact("check", found.text, std::move(found.json));
  return Error::success();
}

} // namespace ds
