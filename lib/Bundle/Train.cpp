//===- Train.cpp - A training with a step of ds-compile -------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initial values, sample order and random keys are those of ds-run, so the saved values have the
// same bits.
//
//===----------------------------------------------------------------------===//
#include "Session.h"

#include "ds/Data/Checksum.h"
#include "ds/Run/Feed/Checkpoints.h"
#include "ds/Run/Feed/SaveLock.h"
#include "ds/Run/Ranks/Interrupt.h"
#include "ds/Run/Ranks/Values.h"
#include "ds/Run/Train/Metrics.h"
#include "ds/Support/Escape.h"
#include "ds/Support/File.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

namespace ds {

using llvm::Error;
using llvm::Expected;

/// Writes parameters, states and hyper-parameters. Returns the step from which the training
/// continues.
static Expected<int64_t> writeInitial(Session &session, const BundleOptions &options) {
  std::optional<SafetensorsFile> checkpoint;
  if (!options.init.empty()) {
    auto file = SafetensorsFile::open(options.init);
    if (!file)
      return file.takeError();
    if (Error error = checkSeal(*file, options.init))
      return error;
    checkpoint = std::move(*file);
  }
  auto initial = initialValues(session.manifest(), checkpoint ? &*checkpoint : nullptr,
                               options.init, options.seed, options.arguments);
  if (!initial)
    return initial.takeError();
  if (!initial->notInCheckpoint.empty())
    return userError("'" + options.init + "' lacks parameters of the step, such as '" +
                     initial->notInCheckpoint.front() + "'");
  for (auto [slot, value] : llvm::enumerate(initial->values))
    if (value)
      if (Error error = session.write(slot, *value))
        return error;
  if (Error error = session.check(ds_instance_broadcast(session.instance)))
    return error;
  return initial->firstStep;
}

/// Saves a checkpoint: all ranks contribute their shards; rank 0, which holds the lock, writes.
static Error save(Session &session, const BundleOptions &options, const SaveLock *lock,
                  int64_t nextStep) {
  Error failure = Error::success();
  Safetensors checkpoint =
      makeCheckpoint(session.manifest(), options.seed, nextStep, [&](unsigned slot) {
        auto value = session.readArgument(slot);
        if (value)
          return std::move(*value);
        failure = llvm::joinErrors(std::move(failure), value.takeError());
        return Array();
      });
  if (failure || !session.isRoot())
    return failure;
  if (Error error = lock->check())
    return error;
  return writeCheckpoint(options.save, std::move(checkpoint));
}

static std::string listed(llvm::ArrayRef<std::string> names, llvm::ArrayRef<double> values) {
  std::string text;
  for (auto [name, value] : llvm::zip(names, values))
    text += llvm::formatv("  {0} {1:f4}", name, value).str();
  return text;
}

namespace {
/// Is created after the instance and destroyed before it.
struct Samples {
  ds_data *data = nullptr;
  ~Samples() { ds_data_destroy(data); }
};
} // namespace

Expected<int> trainBundle(Session &session, const BundleOptions &options) {
  std::unique_ptr<SaveLock> lock;
  if (!options.save.empty() && session.isRoot()) {
    if (Error error = checkWritable(options.save))
      return error;
    auto warn = [](const std::string &why) {
      llvm::errs() << "ds-run-bundle: warning: " << why << "\n";
    };
    if (Error error = SaveLock::take(options.save, warn).moveInto(lock))
      return error;
  }
  auto first = writeInitial(session, options);
  if (!first)
    return first.takeError();
  ds_data_options given;
  ds_data_options_init(&given);
  given.files = options.data.c_str();
  given.seed = options.seed;
  given.last_batch = options.lastBatch;
  Samples samples;
  if (Error error =
          session.check(ds_data_create(session.program, session.instance, &given, &samples.data)))
    return error;
  const int64_t perEpoch = ds_data_steps_per_epoch(samples.data);
  const int64_t steps = options.steps.value_or(options.epochs.value_or(1) * perEpoch);
  catchSignals(environ);
  catchInterrupts();
  std::vector<double> metrics(session.metrics().size()), sums(metrics.size());
  int64_t done = 0, inEpoch = 0;
  for (int32_t stop = 0; done < steps && !stop;) {
    stop = interruptRequested();
    if (Error error = session.check(ds_data_run(samples.data, *first + done, metrics.data(),
                                                static_cast<int32_t>(metrics.size()), &stop)))
      return error;
    ++done;
    ++inEpoch;
    if (std::string what = firstNotFinite(session.metrics(), metrics); !what.empty())
      return userError("step " + llvm::Twine(done) + ": " + what + ", so nothing is saved");
    for (auto [sum, value] : llvm::zip(sums, metrics))
      sum += value;
    if (done % perEpoch != 0 && done != steps && !stop)
      continue;
    for (double &sum : sums)
      sum /= static_cast<double>(inEpoch);
    if (session.isRoot())
      llvm::outs() << "step " << done << "/" << steps << oneLine(listed(session.metrics(), sums))
                   << "\n";
    llvm::outs().flush();
    sums.assign(sums.size(), 0);
    inEpoch = 0;
  }
  if (!options.save.empty())
    if (Error error = save(session, options, lock.get(), *first + done))
      return error;
  if (!interruptRequested())
    return 0;
  return requeueRequested() ? exitRequeue : exitInterrupted;
}

} // namespace ds
