//===- Verify.cpp - Plans, and exact checks ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Parsed.h"

#include "ds/Preview/Preview.h"
#include "ds/Preview/StepPreview.h" // IWYU pragma: keep (what is expected is complete)
#include "ds/Run/Exact/Certify.h"

#include "llvm/ADT/ScopeExit.h"

using namespace ds;
using namespace ds::capi;
using llvm::Error;

static ds_verdict toC(Equivalence::Verdict verdict) {
  switch (verdict) {
  case Equivalence::Verdict::equal:
    return DS_EQUAL;
  case Equivalence::Verdict::different:
    return DS_DIFFERENT;
  case Equivalence::Verdict::undecided:
    return DS_UNDECIDED;
  }
  llvm_unreachable("all verdicts are covered");
}

/// Describes the certificate; for another verdict, with the reason why there is none.
static llvm::json::Value describe(const Certificate &certificate) {
  llvm::json::Value value = certificate.toJson();
  if (!certificate.found.reason.empty())
    value.getAsObject()->try_emplace("reason", certificate.found.reason);
  return value;
}

static double orDefault(double seconds) {
  return seconds > 0 ? seconds : EquivalenceOptions().seconds;
}

extern "C" {

ds_status ds_program_plan(ds_program *program, int64_t num_ranks, const char *const *explain,
                          ds_string_callback out, void *user_data) {
  if (!program || num_ranks < 1)
    return refuse(program ? program->context : nullptr, "there is one rank at least");
  ds_status status = guarded(program->context, [&]() -> Error {
    auto parsed = sourceOf(*program);
    if (!parsed)
      return parsed.takeError();
    Program &source = *parsed;
    auto ranks = resolveRanks(source.config(), num_ranks, std::nullopt);
    if (!ranks)
      return ranks.takeError();
    PlanOptions options;
    options.step = program->name;
    options.entry = source.entry();
    for (; explain && *explain; ++explain)
      options.explain.push_back(*explain);
    auto restore =
        llvm::make_scope_exit([&, kept = source.config()] { source.openConfig() = kept; });
    if (!source.config().isSet("parallel_mode"))
      llvm::cantFail(source.openConfig().set("parallel_mode", std::string("auto_parallel")));
    auto found = previewProgram(source, options, *ranks);
    if (!found)
      return found.takeError();
    give(out, user_data, toJsonText(*found));
    return Error::success();
  });
  program->tellWarnings();
  return status;
}

ds_status ds_program_check(ds_program *program, int64_t num_ranks, double seconds,
                           ds_verdict *out_verdict, ds_string_callback out, void *user_data) {
  if (!program || !out_verdict || num_ranks < 1)
    return refuse(program ? program->context : nullptr,
                  "ds_program_check takes one rank at least, and an out parameter");
  *out_verdict = DS_UNDECIDED;
  ds_status status = guarded(program->context, [&]() -> Error {
    auto source = sourceOf(*program);
    if (!source)
      return source.takeError();
    auto ranks = resolveRanks(source->config(), num_ranks, std::nullopt);
    if (!ranks)
      return ranks.takeError();
    EquivalenceOptions options;
    options.seconds = orDefault(seconds);
    auto found = compareExactly(*source, *source, *ranks, options);
    if (!found)
      return found.takeError();
    *out_verdict = toC(found->found.verdict);
    giveJson(out, user_data, describe(*found));
    return Error::success();
  });
  program->tellWarnings();
  return status;
}

ds_status ds_verify_equivalence(ds_program *written, ds_program *distributed, double seconds,
                                ds_verdict *out_verdict, ds_string_callback out, void *user_data) {
  if (!written || !distributed || !out_verdict)
    return refuse(written ? written->context : nullptr,
                  "ds_verify_equivalence takes two programs and an out parameter");
  *out_verdict = DS_UNDECIDED;
  return guarded(written->context, [&]() -> Error {
    auto one = sourceOf(*written);
    if (!one)
      return one.takeError();
    auto other = sourceOf(*distributed);
    if (!other)
      return other.takeError();
    EquivalenceOptions options;
    options.entry = one->entry();
    options.targetCpu = one->targetCpu();
    options.seconds = orDefault(seconds);
    Certificate certificate;
    if (Error error = verifyEquivalence(one->written(), other->written(), options)
                          .moveInto(certificate.found))
      return error;
    *out_verdict = toC(certificate.found.verdict);
    giveJson(out, user_data, describe(certificate));
    return Error::success();
  });
}

} // extern "C"
