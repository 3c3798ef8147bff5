//===- Options.cpp - The command line of ds-run-bundle --------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Options.h"

#include "ds/Run/Options/Device.h"
#include "ds/Support/OptionTable.h"
#include "ds/Support/UserError.h"

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static constexpr const char *overview =
    R"(ds-run-bundle: trains with a step that ds-compile has compiled, where neither ds nor LLVM is

  libNAME.so is what ds-compile has written, for so many ranks: threads of this process, or the processes that mpirun or another launcher
  has started. It needs libdsaot.so; one for GPUs NVIDIA's driver, cuBLAS, and cuDNN for convolutions. Options mean what they mean to ds-run.
)";

static constexpr const char *examples = R"(
EXAMPLES:
  Train, and write the parameters:
    ds-compile step.mlir --ranks 2 --config batch=global -o build/step
    ds-run-bundle build/libstep.so --data x=x.npy,y=y.npy --arg lr=0.1 --epochs 3 --save w.safetensors
  As processes:
    mpirun -n 2 ds-run-bundle build/libstep.so --data x=x.npy,y=y.npy --arg lr=0.1
  Compare with what another framework has recorded:
    ds-run-bundle build/libstep.so --replay steps.npz

EXIT CODE: 0 done; 1 wrong input, a failure, or results that differ; 70 a crash of ds-run-bundle itself;
  130 ended by Ctrl-C, 75 by another signal, after saving.
)";

static constexpr int64_t most = int64_t(1) << 40; // steps, epochs

static OptionValue argumentValue(BundleOptions &options) {
  return {"NAME=NUMBER",
          [&](StringRef, StringRef text) -> Error {
            auto [name, value] = text.split('=');
            double number;
            if (name.trim().empty() || value.trim().getAsDouble(number))
              return userError("--arg is '" + text + "', expected NAME=NUMBER");
            if (!options.arguments.emplace(name.trim().str(), number).second)
              return userError("--arg gives '" + name.trim() + "' twice");
            return Error::success();
          },
          /*mayRepeat=*/true};
}

static std::vector<OptionRow> optionRows(BundleOptions &o) {
  constexpr const char *training = "Training", *checking = "Checking and output";
  return {
      {training, "data", text(o.data, "SPEC"), "Files of the batch arguments: NAME=FILE,.."},
      {training, "epochs", integer(o.epochs, 1, most, "E"), "Passes over the data (default: 1)"},
      {training, "steps", integer(o.steps, 1, most, "K"), "Steps instead of epochs"},
      {training, "last-batch",
       choice(o.lastBatch, {"drop", "wrap", "pad"},
              std::vector{DS_LAST_DROP, DS_LAST_WRAP, DS_LAST_PAD}),
       "The incomplete last batch: drop, wrap around, or pad with rows that weigh 0 (default: pad "
       "if the step weighs samples, else drop)"},
      {training, "seed", integer(o.seed, 0, UINT32_MAX, "S"),
       "Order of the data, initial values and random keys (default: 0)"},
      {training, "arg", argumentValue(o), "Value of an argument without a role"},
      {training, "init", text(o.init, "FILE.safetensors"), "Start from this checkpoint"},
      {training, "save", text(o.save, "FILE.safetensors"),
       "Write parameters and states here at the end"},
      {training, "on-index",
       choice(o.onIndex, {"stop", "warn", "off"},
              std::vector{DS_INDEX_STOP, DS_INDEX_WARN, DS_INDEX_OFF}),
       "Where the data holds a label or another index beyond what the step indexes: stop, warn, or "
       "do not look (default: stop)"},
      {training, "device", deviceValue(o.device),
       "cpu or cuda, as the step was compiled; cuda:0,2 are the GPUs that ranks take in turn "
       "(default: all there are)"},
      {checking, "replay", text(o.replay, "FILE.npz"),
       "Run a recording and compare with its results"},
      {checking, "rtol", number(o.tolerance.rtol, "R"),
       "Relative tolerance of --replay (default: 2e-4)"},
      {checking, "atol", number(o.tolerance.atol, "A"), "Absolute tolerance (default: 2e-5)"},
      {checking, "dump-results", text(o.dumpResults, "FILE.npz"),
       "Write the results of every step of a replay"},
      {checking, "check-launches", flag(o.checkLaunches),
       "On a GPU wait for each launch and library call, which names the one that fails"},
  };
}

static std::vector<OptionRule> optionRules() {
  return {
      excludes("epochs", {"steps"}, "--epochs and --steps are both given, expected one of them"),
      excludes("replay", {"data", "init", "save", "epochs", "steps"},
               "--replay takes everything from its recording, so {0} cannot be given with it"),
      needs("dump-results", {"replay"}, "--dump-results needs --replay"),
  };
}

Expected<BundleOptions> parseBundleOptions(const std::vector<std::string> &arguments) {
  BundleOptions options;
  OptionTable table({"ds-run-bundle", overview, examples}, optionRows(options));
  if (Error error = table.parse(arguments, options.library))
    return error;
  if (options.library.empty())
    return userError("no step is given, expected ds-run-bundle libNAME.so; 'ds-run-bundle --help' "
                     "shows examples");
  if (Error error = table.check(optionRules()))
    return error;
  if (options.data.empty() && options.replay.empty())
    return userError("there is nothing to run: give --data to train, or --replay to compare with a "
                     "recording");
  return options;
}

} // namespace ds
