//===- Options.cpp - The command line of ds-run -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row for each option, and one rule for each option that needs or contradicts another.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Options/Options.h"
#include "OptionsText.h"

#include "ds/Plan/Link.h"
#include "ds/Run/Options/Device.h"
#include "ds/Run/Options/RosterAddress.h"
#include "ds/Support/OptionTable.h"
#include "ds/Support/UserError.h"
#include "ds/Target/TargetCpu.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

constexpr int64_t most = int64_t(1) << 40; // steps, epochs

//===----------------------------------------------------------------------===//
// Values with a syntax of their own
//===----------------------------------------------------------------------===//

/// Parses `LATENCY:RATE`.
static OptionValue linkValue(RunOptions &options) {
  return {"LATENCY:RATE", [&](StringRef, StringRef text) -> Error {
            options.link = text.str();
            return Link::parse(text)
                       ? Error::success()
                       : userError("--link is '" + text + "', expected " + linkSyntax);
          }};
}

/// Parses `500`, `500steps` or `1epochs`.
static OptionValue everyValue(std::optional<int64_t> &to, bool &isEpochs) {
  return {"N[steps|epochs]", [&](StringRef option, StringRef text) -> Error {
            StringRef rest = text.trim();
            int64_t count;
            bool bad = rest.consumeInteger(10, count) || count < 1 || count > most;
            rest = rest.trim();
            if (bad || !llvm::is_contained({"", "step", "steps", "epoch", "epochs"}, rest))
              return userError(option + " is '" + text +
                               "', expected a number of steps or epochs, such as "
                               "500steps or 1epochs");
            to = count;
            isEpochs = rest.starts_with("epoch");
            return Error::success();
          }};
}

/// Parses `lr=0.1` or `lr=0.1@0,0.01@10`.
static Error addArgument(StringRef text, RunOptions &options) {
  auto [before, value] = text.split('=');
  StringRef name = before.trim();
  double number;
  bool isSchedule = value.find_first_of(",:@()") != StringRef::npos;
  if (name.empty() || value.trim().empty() || (!isSchedule && value.trim().getAsDouble(number)))
    return userError("--arg is '" + text + "', expected NAME=NUMBER");
  auto schedule = Schedule::parse(name, value.trim());
  if (!schedule)
    return schedule.takeError();
  if (!options.arguments.emplace(name.str(), schedule->first()).second)
    return userError("--arg gives '" + name + "' twice");
  if (!schedule->isConstant())
    options.schedules.emplace(name.str(), *schedule);
  return Error::success();
}

static OptionValue argumentValue(RunOptions &options) {
  return {"NAME=NUMBER", [&](StringRef, StringRef text) { return addArgument(text, options); },
          /*mayRepeat=*/true};
}

/// Parses `loss`, `accuracy` or `loss:max`.
static OptionValue keepBestValue(RunOptions &options) {
  return {"METRIC[:min|max]", [&](StringRef, StringRef text) -> Error {
            if (!readMetric(text, options.keepBest, options.bestIsLargest))
              return userError("--keep-best is '" + text +
                               "', expected METRIC, METRIC:min or METRIC:max");
            return Error::success();
          }};
}

static OptionValue earlyStoppingValue(RunOptions &options) {
  return {"METRIC[:min|max][,..]",
          [&](StringRef, StringRef text) { return options.earlyStopping.read(text); }};
}

/// Parses `table`, or the name of a file.
static OptionValue profileValue(RunOptions &options) {
  return {"table|FILE.json", [&](StringRef, StringRef text) -> Error {
            if (text.empty())
              return userError("--profile is '', expected table or the name of a file");
            if (text == "table")
              options.profileTable = true;
            else
              options.profile = text.str();
            return Error::success();
          }};
}

/// Parses a number of steps, or `exact`.
static OptionValue checkValue(RunOptions &options) {
  return {"K|exact[:SECONDS]",
          [&](StringRef option, StringRef text) -> Error {
            auto isExact = options.exact.read(text);
            if (!isExact || *isExact)
              return isExact.takeError();
            return readInteger(option, text.empty() ? "10" : text, 1, most)
                .moveInto(options.checkSteps);
          },
          /*mayRepeat=*/false, /*mayLack=*/true};
}

//===----------------------------------------------------------------------===//
// The options
//===----------------------------------------------------------------------===//

static std::vector<OptionRow> optionRows(RunOptions &o) {
  constexpr const char *run = "What to run and where", *training = "Training",
                       *checking = "Checking and output";
  const std::vector<std::string> backends = {"auto", "local", "mpi", "tcp", "nccl", "hccl"};
  return {
      {run, "ranks", integer(o.ranks, 1, 4096, "N"),
       "Number of ranks, 1 to 4096 (default: 1, or one for each process of the launcher). Of more "
       "each process of the launcher holds several as threads"},
      {run, "launch", integer(o.launch, 1, 4096, "N"),
       "Start so many processes of this host, by mpirun, or for tcp, nccl and hccl directly"},
      {run, "max-restarts", integer(o.maxRestarts, 0, 1000000, "R"),
       "With --launch and --resume: start the job again as often when a rank dies (default: 0)"},
      {run, "min-processes", integer(o.minProcesses, 1, 4096, "M"),
       "Over tcp, with --launch or --roster: go on with as few processes when others are lost or "
       "get SIGTERM, and take in new ones, to the same bits"},
      {run, "max-wait", integer(o.maxWait, 1, 86400, "S"),
       "Seconds to wait for processes where fewer than --min-processes are left, or one does not "
       "come to the next world (default: 60)"},
      {run, "keep-copies", integer(o.keepCopies, 1, 4095, "K"),
       "With --min-processes: other processes that have a copy of a process's shards, so that as "
       "many may be lost at once (default: 1)"},
      {run, "roster", text(o.roster, "HOST:PORT"),
       "With --launch: where other processes may join the training (default: on this host alone). "
       "Without: join it there"},
      {run, "entry", text(o.entry, "NAME"), "The step, if the file has several public functions"},
      {run, "backend", choice(o.backend, backends, backends, "NAME"),
       "local (threads), mpi, tcp, nccl, hccl, or auto (default: by the launcher, else local)"},
      {run, "link", linkValue(o),
       "Model a link between the ranks of backend local: an exchange ends no earlier than it would "
       "there"},
      {run, "probe-link", text(o.probeLink, "FILE.json"),
       "Measure what exchanges of the ranks take, write it for the key comm_costs, and end; "
       "without STEP.mlir"},
      {run, "config", texts(o.config, "key=value,...|FILE"),
       "Settings over those of the module, such as batch=global,gradients_mean=true, or a YAML or "
       "JSON file of them"},
      {run, "help-config", flag(o.helpConfig), "List the keys of --config and end"},
      {run, "print-config", flag(o.printConfig),
       "Show what is in force for STEP.mlir, and where each value comes from, and end"},
      {run, "device", deviceValue(o.device),
       "What steps compute on: cpu (default), or cuda, NVIDIA GPUs, ranks in turn on those there "
       "are or on those named as in cuda:0,2; not yet run on a device"},
      {run, "no-graph", flag(o.noGraph),
       "Queue the calls of a step on a GPU one by one instead of as one CUDA graph"},
      {run, "check-launches", flag(o.checkLaunches),
       "On a GPU wait for each launch, library call and exchange, which names the one that fails"},
      {run, "target-cpu", text(o.targetCpu, "NAME"), kTargetCpuHelp},
      {training, "data", text(o.data, "SPEC"), "Files of the batch arguments"},
      {training, "epochs", integer(o.epochs, 1, most, "E"), "Passes over the data (default: 1)"},
      {training, "steps", integer(o.steps, 1, most, "K"), "Steps instead of epochs"},
      {training, "last-batch",
       choice(o.lastBatch, {"drop", "wrap", "pad"},
              std::vector{LastBatch::drop, LastBatch::wrap, LastBatch::pad}),
       "The incomplete last batch: drop, wrap around, or pad with rows that weigh 0, which needs "
       "an argument with ds.weight (default: pad if there is one, else drop)"},
      {training, "seed", integer(o.seed, 0, UINT32_MAX, "S"),
       "Order of the data, initial values and random keys (default: 0)"},
      {training, "arg", argumentValue(o),
       "Value of an argument without a role, or a schedule of values (below)"},
      {training, "init", text(o.init, "FILE.safetensors"),
       "Start from this checkpoint, or from the index of one in several files"},
      {training, "init-missing", choice(o.initMissing, {"ok", "error"}, std::vector{true, false}),
       "Parameters that --init lacks: an error, or ok: initialised by ds.init (default: "
       "error)"},
      {training, "save", text(o.save, "FILE.safetensors"),
       "Write parameters and states here at the end"},
      {training, "save-every", everyValue(o.saveEvery, o.saveEveryEpochs),
       "Write a checkpoint FILE-STEP beside --save every so often, such as 500steps or 1epochs"},
      {training, "keep", integer(o.keep, 1, 1000000, "K"),
       "Checkpoints that are kept (default: 3)"},
      {training, "shares",
       choice(o.shares, {"auto", "on", "off"},
              std::vector{Shares::automatic, Shares::on, Shares::off}),
       "Every process writes its share of a checkpoint, with an index FILE-STEP.safetensors.index."
       "json, or rank 0 writes one file (default: auto, shares from 64 MiB on if all processes see "
       "the folder of --save)"},
      {training, "keep-best", keepBestValue(o),
       "After each epoch or evaluation write FILE-best beside --save if this metric, of --eval or "
       "else of the training, is better than before (default: max for an accuracy, else min)"},
      {training, "early-stopping", earlyStoppingValue(o),
       "End after an epoch or evaluation if this metric, of --eval or else of the training, has "
       "not been better in the last patience=N of them (default: 3) by more than min_delta=D "
       "(default: 0)"},
      {training, "resume", flag(o.resume),
       "Go on from the newest of --save and its checkpoints, if there is one: --epochs and --steps "
       "then count from the training's start"},
      {training, "save-within", integer(o.saveWithin, 0, 86400, "S"),
       "Seconds after SIGTERM, SIGUSR1 or SIGHUP in which a training must have saved, or it ends "
       "without (default: 120; 0: any time)"},
      {training, "record-order", text(o.recordOrder, "FILE"),
       "With update=asynchronous write here in which order ranks pull and push"},
      {training, "replay-order", text(o.replayOrder, "FILE"),
       "Follow such an order, to the same bits: with the same data, --save-every, --eval-every and "
       "number of ranks"},
      {training, "on-nan", choice(o.onNan, {"stop", "warn"}, std::vector{OnNan::stop, OnNan::warn}),
       "Where a metric, or a value that would be saved, is NaN or infinite: stop without saving, "
       "or warn once (default: stop)"},
      {training, "on-index",
       choice(o.onIndex, {"stop", "warn", "off"},
              std::vector{OnIndex::stop, OnIndex::warn, OnIndex::off}),
       "Where the data holds a label or another index beyond what the step indexes: stop before "
       "the first step, warn, or do not look (default: stop)"},
      {checking, "eval", text(o.eval, "FILE.mlir"),
       "Forward function for the test accuracy and its own metrics"},
      {checking, "eval-data", text(o.evalData, "SPEC"), "Its files, labels included"},
      {checking, "eval-every", everyValue(o.evalEvery, o.evalEveryEpochs),
       "Evaluate every so often, such as 500steps, and at the end (default: 1epochs)"},
      {checking, "check", checkValue(o),
       "Compare the first K steps with the one-device step (default: 10), or exact: compare both "
       "over a finite field, without a tolerance, before the first step, if that takes no more "
       "than SECONDS (default: 600)"},
      {checking, "certificate", text(o.exact.certificate, "FILE"),
       "Check exactly and write what was found, and of what, as JSON"},
      {checking, "verify", text(o.exact.verify, "FILE"),
       "Check exactly what a certificate claims, with the configuration that it has unless "
       "--config "
       "or --ranks is given, and that the same is found again"},
      {checking, "check-replicas", integer(o.checkReplicas, 1, most, "K"),
       "Every K steps compare the parameters and states of all ranks, bit for bit"},
      {checking, "replay", text(o.replay, "FILE.npz"),
       "Run a recording and compare with its results"},
      {checking, "rtol", number(o.tolerance.rtol, "R"),
       "Relative tolerance of --check and --replay (default: 2e-4)"},
      {checking, "atol", number(o.tolerance.atol, "A"), "Absolute tolerance (default: 2e-5)"},
      {checking, "dump-results", text(o.dumpResults, "FILE.npz"),
       "Write all results: of every step of a replay, of the last step of a training"},
      {checking, "profile", profileValue(o),
       "table: print how long the calls of a step take, the slowest first. FILE.json: exchange "
       "gradients "
       "one by one, and write when each is ready for the key plan_profile"},
      {checking, "trace", text(o.trace, "FILE.json"),
       "Write what every rank does in the last step as trace events, for ui.perfetto.dev"},
      {checking, "json", flag(o.json), "Report as JSON lines on standard output"},
      {checking, "log-dir", text(o.logDir, "FOLDER"),
       "Add a line of JSON for every step and event to FOLDER/events.jsonl"},
      {checking, "report", text(o.report, "FILE.html"),
       "Write at the end, also of a run that fails, what was distributed, curves, the last step of "
       "every rank, its slowest calls and the memory as one page; needs python3"},
      {checking, "progress",
       choice(o.progress, {"bar", "lines", "none"},
              std::vector{ProgressForm::bar, ProgressForm::lines, ProgressForm::none}),
       "How progress is shown: a bar, a line now and then, or not (default: a bar on a terminal, "
       "else lines)"},
  };
}

static std::vector<OptionRule> optionRules() {
  constexpr const char *stays = "--min-processes lets the ranks move between processes, so {0} "
                                "cannot be given with it";
  return {
      needs("min-processes", {"ranks", "data"},
            "--min-processes needs --ranks and --data: a training's ranks move between processes"),
      needs("max-wait", {"min-processes"}, "--max-wait needs --min-processes"),
      needs("keep-copies", {"min-processes"}, "--keep-copies needs --min-processes"),
      needs("roster", {"min-processes"}, "--roster needs --min-processes"),
      excludes("min-processes",
               {"max-restarts", "keep-best", "early-stopping", "check", "certificate", "verify",
                "record-order", "replay-order", "profile", "trace", "report"},
               stays),
      excludes("probe-link", {"launch"},
               "--probe-link measures ranks without a step, so {0} cannot be given with it; start "
               "processes by mpirun"),
      excludes(
          "link", {"launch", "backend=mpi", "backend=nccl", "backend=hccl"},
          "--link models a link between ranks that are threads, so it cannot be given with {0}"),
      excludes("epochs", {"steps"}, "--epochs and --steps are both given, expected one of them"),
      needs("eval", {"eval-data"}, "--eval needs --eval-data"),
      needs("eval-data", {"eval"}, "--eval-data needs --eval"),
      needs("eval-every", {"eval", "data"},
            "--eval-every needs --eval and --data: it sets how often a training is evaluated"),
      needs("save-every", {"save"}, "--save-every needs --save FILE, which names the checkpoints"),
      needs("save-every", {"data"}, "--save-every needs --data"),
      needs("resume", {"save"}, "--resume needs --save FILE, which names the checkpoints"),
      needs("resume", {"data"}, "--resume needs --data"),
      needs("keep", {"save-every"}, "--keep needs --save-every"),
      needs("shares", {"save-every"}, "--shares needs --save-every"),
      needs("keep-best", {"data", "save"},
            "--keep-best needs --data and --save FILE, beside which FILE-best is written"),
      needs("early-stopping", {"data"}, "--early-stopping needs --data: it ends a training"),
      excludes("record-order", {"replay-order"},
               "--record-order and --replay-order are both given, expected one of them"),
      needs("record-order", {"data"}, "--record-order needs --data"),
      needs("replay-order", {"data"}, "--replay-order needs --data"),
      needs("init-missing=ok", {"init"}, "--init-missing needs --init"),
      excludes("json", {"progress=bar"},
               "--json reports in lines of its own, so --progress=bar cannot be given with it"),
      excludes("launch", {"backend=local"},
               "--launch starts processes, but --backend=local runs all ranks in one; give --ranks "
               "instead"),
      needs("log-dir", {"data"}, "--log-dir needs --data: it holds the steps of a training"),
      needs("report", {"data"}, "--report needs --data: it shows a training"),
      needs("trace", {"data"}, "--trace needs --data: it is of the last step of a training"),
      needs("profile", {"data"}, "--profile needs --data: it measures steps of a training"),
      needs("max-restarts", {"launch", "resume"},
            "--max-restarts needs --launch and --resume: a job that is started again goes on from "
            "its newest checkpoint"),
      excludes("replay",
               {"data", "init", "eval", "check", "certificate", "verify", "check-replicas",
                "epochs", "steps"},
               "--replay takes everything from its recording, so {0} cannot be given with it"),
  };
}

/// Checks rules that depend on values, and not only on the presence of options.
static Error checkWork(const RunOptions &options) {
  if (options.noGraph && options.device == "cpu")
    return userError("--no-graph needs --device=cuda");
  if (options.checkLaunches && options.device == "cpu")
    return userError("--check-launches needs --device=cuda");
  if (!options.earlyStopping.metric.empty() && options.steps && !options.evalEvery)
    return userError("--early-stopping looks at epochs, so --steps cannot be given with it; "
                     "expected --epochs, or --eval-every");
  if (options.resume && options.checkSteps)
    return userError("--check compares from the first step of a training, so --resume cannot be "
                     "given with it");
  if (!options.replay.empty() || !options.data.empty())
    return Error::success();
  bool evaluates = !options.eval.empty() && !options.init.empty();
  if (!evaluates && !options.exact.isAsked)
    return userError("there is nothing to run: give --data to train, --replay to compare with a "
                     "recording, or --init with --eval to evaluate");
  if (options.checkSteps || options.checkReplicas || options.epochs || options.steps)
    return userError("--check, --check-replicas, --epochs and --steps need --data");
  return Error::success();
}

Expected<RunOptions> parseRunOptions(const std::vector<std::string> &arguments) {
  RunOptions options;
  options.targetCpu = defaultTargetCpu();
  OptionTable table({"ds-run", overview, examples,
                     "; values of options with a default need '=', as in --check=50",
                     ", and --arg NAME=NUMBER gives the step's own arguments a value"},
                    optionRows(options));
  if (Error error = table.parse(arguments, options.step))
    return error;
  if (options.helpConfig)
    return options;
  if (Error error =
          options.exact.takeFiles(!options.config.empty() || options.ranks, options.config))
    return error;
  if (!options.probeLink.empty()) {
    if (!options.step.empty())
      return userError(
          "--probe-link measures ranks without a step, so STEP.mlir cannot be given with it");
  } else if (options.step.empty()) {
    return userError("no step is given, expected ds-run STEP.mlir; 'ds-run --help' shows examples");
  }
  if (options.launch && options.ranks.value_or(*options.launch) < *options.launch)
    return userError("--launch " + llvm::Twine(*options.launch) +
                     " starts more processes than --ranks " + llvm::Twine(*options.ranks) +
                     ", expected a rank for each at least");
  if (options.step == "-" && options.launch)
    return userError("--launch starts processes that each read the step, so it has to be a file, "
                     "not '-'");
  if (!options.printConfig)
    if (Error error = table.check(optionRules()))
      return error;
  if (Error error = checkProcesses(options))
    return error;
  if (!options.printConfig && options.probeLink.empty())
    if (Error error = checkWork(options))
      return error;
  if (Error error = checkRunsHere(options.targetCpu))
    return error;
  return options;
}

} // namespace ds
