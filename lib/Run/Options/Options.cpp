//===- Options.cpp - The command line of ds-run -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that the LLVM and MLIR libraries register for themselves are dropped first, so that
// only ours are listed, suggested and accepted.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Options/Options.h"
#include "OptionChecks.h"
#include "OptionsText.h"

#include "ds/Data/DataSpec.h"
#include "ds/Plan/Link.h"
#include "ds/Support/CommandLine.h"
#include "ds/Support/UserError.h"
#include "ds/Support/Version.h"
#include "ds/Target/TargetCpu.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace ds {

namespace cl = llvm::cl;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

Expected<RunOptions> parseRunOptions(const std::vector<std::string> &arguments) {
  cl::ResetCommandLineParser();
  setVersionPrinter("ds-run");
  cl::OptionCategory run("What to run and where"), training("Training"),
      checking("Checking and output");
  // Values are parsed as text where the range belongs into the message.
  cl::opt<std::string> step(cl::Positional, cl::desc("STEP.mlir"), cl::cat(run));
  cl::opt<std::string> ranks(
      "ranks", cl::desc("Number of ranks, 1 to 4096 (default: 1, or the world of mpirun)"),
      cl::value_desc("N"), cl::cat(run));
  cl::opt<std::string> launch(
      "launch",
      cl::desc("Start so many processes of this host, by mpirun, or for nccl and hccl directly"),
      cl::value_desc("N"), cl::cat(run));
  cl::opt<std::string> maxRestarts(
      "max-restarts",
      cl::desc(
          "With --launch and --resume: start the job again as often when a rank dies (default: "
          "0)"),
      cl::value_desc("R"), cl::cat(run));
  cl::opt<std::string> entry("entry",
                             cl::desc("The step, if the file has several public functions"),
                             cl::value_desc("NAME"), cl::cat(run));
  cl::opt<std::string> backend(
      "backend",
      cl::desc("local (threads), mpi, nccl, hccl, or auto (default: mpi under mpirun, else local)"),
      cl::value_desc("NAME"), cl::init("auto"), cl::cat(run));
  cl::opt<std::string> link(
      "link",
      cl::desc("Model a link between the ranks of backend local: an exchange ends no earlier than "
               "it would there"),
      cl::value_desc("LATENCY:RATE"), cl::cat(run));
  cl::opt<std::string> probeLink(
      "probe-link",
      cl::desc(
          "Measure what exchanges of the ranks take, write it for the key comm_costs, and end; "
          "without STEP.mlir"),
      cl::value_desc("FILE.json"), cl::cat(run));
  cl::list<std::string> config(
      "config",
      cl::desc("Settings over those of the module, such as batch=global,gradients_mean=true, or "
               "a YAML or JSON file of them"),
      cl::value_desc("key=value,...|FILE"), cl::cat(run));
  cl::opt<bool> helpConfig("help-config", cl::desc("List the keys of --config and end"),
                           cl::ValueDisallowed, cl::cat(run));
  cl::opt<bool> printConfig(
      "print-config",
      cl::desc("Show what is in force for STEP.mlir, and where each value comes from, and end"),
      cl::ValueDisallowed, cl::cat(run));
  cl::opt<std::string> targetCpu("target-cpu", cl::desc(kTargetCpuHelp), cl::value_desc("NAME"),
                                 cl::cat(run));
  cl::opt<std::string> data("data", cl::desc("Files of the batch arguments"),
                            cl::value_desc("SPEC"), cl::cat(training));
  cl::opt<std::string> epochs("epochs", cl::desc("Passes over the data (default: 1)"),
                              cl::value_desc("E"), cl::cat(training));
  cl::opt<std::string> steps("steps", cl::desc("Steps instead of epochs"), cl::value_desc("K"),
                             cl::cat(training));
  cl::opt<std::string> lastBatch(
      "last-batch",
      cl::desc("The incomplete last batch: drop, wrap around, or pad with rows that weigh 0, which "
               "needs an argument with ds.weight (default: pad if there is one, else drop)"),
      cl::value_desc("drop|wrap|pad"), cl::cat(training));
  cl::opt<std::string> seed(
      "seed", cl::desc("Order of the data, initial values and random keys (default: 0)"),
      cl::value_desc("S"), cl::cat(training));
  cl::list<std::string> argument(
      "arg", cl::desc("Value of an argument without a role, or a schedule of values (below)"),
      cl::value_desc("NAME=NUMBER"), cl::cat(training));
  cl::opt<std::string> init(
      "init", cl::desc("Start from this checkpoint, or from the index of one in several files"),
      cl::value_desc("FILE.safetensors"), cl::cat(training));
  cl::opt<std::string> initMissing(
      "init-missing",
      cl::desc("Parameters that --init lacks: an error, or ok: initialised as ds.init says "
               "(default: error)"),
      cl::value_desc("ok|error"), cl::init("error"), cl::cat(training));
  cl::opt<std::string> save("save", cl::desc("Write parameters and states here at the end"),
                            cl::value_desc("FILE.safetensors"), cl::cat(training));
  cl::opt<std::string> saveEvery(
      "save-every",
      cl::desc("Write a generation FILE-STEP beside --save every so often, such as 500steps or "
               "1epochs"),
      cl::value_desc("N[steps|epochs]"), cl::cat(training));
  cl::opt<std::string> keep("keep", cl::desc("Generations that are kept (default: 3)"),
                            cl::value_desc("K"), cl::cat(training));
  cl::opt<std::string> keepBest(
      "keep-best",
      cl::desc(
          "After each epoch write FILE-best beside --save if this metric, of --eval or else of "
          "the training, is better than before (default: max for an accuracy, else min)"),
      cl::value_desc("METRIC[:min|max]"), cl::cat(training));
  cl::opt<bool> resume(
      "resume",
      cl::desc("Go on from the newest of --save and its generations, if there is one: --epochs "
               "and --steps then count from the training's start"),
      cl::ValueDisallowed, cl::cat(training));
  cl::opt<std::string> saveWithin(
      "save-within",
      cl::desc(
          "Seconds after SIGTERM, SIGUSR1 or SIGHUP in which a training must have saved, or it "
          "ends without (default: 120; 0: any time)"),
      cl::value_desc("S"), cl::cat(training));
  cl::opt<bool> waitAfterEpoch(
      "wait-after-epoch",
      cl::desc(
          "After each epoch but the last write --save and wait for a line of standard input: "
          "{\"go\": true}, or {\"go\": false}, which ends the training (what Python's fit uses)"),
      cl::ValueDisallowed, cl::cat(training));
  cl::opt<std::string> onNan(
      "on-nan",
      cl::desc("Where a metric, or a value that would be saved, is NaN or infinite: stop without "
               "saving, or warn once (default: stop)"),
      cl::value_desc("stop|warn"), cl::init("stop"), cl::cat(training));
  cl::opt<std::string> onIndex(
      "on-index",
      cl::desc("Where the data holds a label or another index beyond what the step indexes: stop "
               "before the first step, warn, or do not look (default: stop)"),
      cl::value_desc("stop|warn|off"), cl::init("stop"), cl::cat(training));
  cl::opt<std::string> eval("eval",
                            cl::desc("Forward function for the test accuracy and its own metrics"),
                            cl::value_desc("FILE.mlir"), cl::cat(checking));
  cl::opt<std::string> evalData("eval-data", cl::desc("Its files, labels included"),
                                cl::value_desc("SPEC"), cl::cat(checking));
  cl::opt<std::string> check(
      "check",
      cl::desc(
          "Compare the first K steps with the one-device step (default: 10), or exact: compare "
          "both over a finite field, without a tolerance, before the first step, if that takes no "
          "more than SECONDS (default: 600)"),
      cl::value_desc("K|exact[:SECONDS]"), cl::ValueOptional, cl::cat(checking));
  cl::opt<std::string> certificate(
      "certificate", cl::desc("Check exactly and write what was found, and of what, as JSON"),
      cl::value_desc("FILE"), cl::cat(checking));
  cl::opt<std::string> verify(
      "verify",
      cl::desc("Check exactly what a certificate says, with the configuration that it has unless "
               "--config or --ranks is given, and that the same is found again"),
      cl::value_desc("FILE"), cl::cat(checking));
  cl::opt<std::string> checkReplicas(
      "check-replicas",
      cl::desc("Every K steps compare the parameters and states of all ranks, bit for bit"),
      cl::value_desc("K"), cl::cat(checking));
  cl::opt<std::string> replay("replay", cl::desc("Run a recording and compare with its results"),
                              cl::value_desc("FILE.npz"), cl::cat(checking));
  cl::opt<std::string> rtol("rtol",
                            cl::desc("Relative tolerance of --check and --replay (default: 2e-4)"),
                            cl::value_desc("R"), cl::cat(checking));
  cl::opt<std::string> atol("atol", cl::desc("Absolute tolerance (default: 2e-5)"),
                            cl::value_desc("A"), cl::cat(checking));
  cl::opt<std::string> dump(
      "dump-results",
      cl::desc("Write all results: of every step of a replay, of the last step of a training"),
      cl::value_desc("FILE.npz"), cl::cat(checking));
  cl::opt<std::string> profile(
      "profile",
      cl::desc("Exchange gradients one by one, and write when each is ready for the key "
               "plan_profile"),
      cl::value_desc("FILE.json"), cl::cat(checking));
  cl::opt<bool> json("json", cl::desc("Report as JSON lines on standard output"),
                     cl::ValueDisallowed, cl::cat(checking));
  cl::opt<std::string> progress(
      "progress",
      cl::desc("How progress is shown: a bar, a line now and then, or not (default: a bar on a "
               "terminal, else lines)"),
      cl::value_desc("bar|lines|none"), cl::cat(checking));
  cl::extrahelp help(examples);
  cl::HideUnrelatedOptions({&run, &training, &checking});

  // The parser must not remember options that are gone.
  llvm::scope_exit forget([] { cl::ResetCommandLineParser(); });

  if (Error error =
          parseCommandLine("ds-run", overview, arguments,
                           "; values of options with a default need '=', as in --check=50",
                           ", and --arg NAME=NUMBER gives the step's own arguments a value"))
    return error;

  RunOptions options;
  options.step = step;
  options.entry = entry;
  options.config.assign(config.begin(), config.end());
  options.targetCpu = targetCpu.getNumOccurrences() ? targetCpu : defaultTargetCpu();
  options.data = data;
  options.init = init;
  options.save = save;
  options.eval = eval;
  options.evalData = evalData;
  options.replay = replay;
  options.dumpResults = dump;
  options.json = json;
  options.printConfig = printConfig;
  options.helpConfig = helpConfig;
  if (helpConfig)
    return options;

  auto integer = [](const char *name, StringRef text, int64_t least, int64_t most,
                    std::optional<int64_t> &value) -> Error {
    int64_t number;
    if (text.getAsInteger(10, number) || number < least || number > most)
      return userError(Twine(name) + " is '" + text + "', expected an integer from " +
                       Twine(least) + " to " + Twine(most));
    value = number;
    return Error::success();
  };
  auto number = [](const char *name, StringRef text, double &value) -> Error {
    if (text.getAsDouble(value) || !std::isfinite(value) || value < 0)
      return userError(Twine(name) + " is '" + text + "', expected a number not below 0");
    return Error::success();
  };
  constexpr int64_t most = int64_t(1) << 40;
  std::optional<int64_t> seedValue;
  if (ranks.getNumOccurrences())
    if (Error error = integer("--ranks", ranks, 1, 4096, options.ranks))
      return error;
  if (epochs.getNumOccurrences())
    if (Error error = integer("--epochs", epochs, 1, most, options.epochs))
      return error;
  if (steps.getNumOccurrences())
    if (Error error = integer("--steps", steps, 1, most, options.steps))
      return error;
  if (seed.getNumOccurrences())
    if (Error error = integer("--seed", seed, 0, UINT32_MAX, seedValue))
      return error;
  options.seed = seedValue.value_or(0);
  auto isExact = options.exact.read(check);
  if (!isExact)
    return isExact.takeError();
  if (check.getNumOccurrences() && !*isExact)
    if (Error error = integer("--check", check.empty() ? StringRef("10") : StringRef(check), 1,
                              most, options.checkSteps))
      return error;
  if (Error error = options.exact.addFiles(certificate, verify))
    return error;
  if (!options.exact.verify.empty() && options.config.empty() && !options.ranks)
    if (Error error = options.exact.configuration().moveInto(options.config))
      return error;
  if (checkReplicas.getNumOccurrences())
    if (Error error = integer("--check-replicas", checkReplicas, 1, most, options.checkReplicas))
      return error;
  std::optional<int64_t> keepValue;
  if (keep.getNumOccurrences())
    if (Error error = integer("--keep", keep, 1, 1000000, keepValue))
      return error;
  options.keep = keepValue.value_or(options.keep);
  std::optional<int64_t> withinValue;
  if (saveWithin.getNumOccurrences())
    if (Error error = integer("--save-within", saveWithin, 0, 86400, withinValue))
      return error;
  options.saveWithin = withinValue.value_or(options.saveWithin);
  if (keepValue && !saveEvery.getNumOccurrences())
    return userError("--keep needs --save-every");
  if (saveEvery.getNumOccurrences())
    if (Error error = readSaveEvery(saveEvery, options))
      return error;
  options.resume = resume;
  options.waitAfterEpoch = waitAfterEpoch;
  std::optional<int64_t> restarts;
  if (launch.getNumOccurrences())
    if (Error error = integer("--launch", launch, 1, 4096, options.launch))
      return error;
  if (maxRestarts.getNumOccurrences())
    if (Error error = integer("--max-restarts", maxRestarts, 0, 1000000, restarts))
      return error;
  options.maxRestarts = restarts.value_or(0);
  if (initMissing != "ok" && initMissing != "error")
    return userError("--init-missing is '" + initMissing + "', expected ok or error");
  options.initMissing = initMissing == "ok";
  if (keepBest.getNumOccurrences())
    if (Error error = readKeepBest(keepBest, options))
      return error;
  if (progress.getNumOccurrences()) {
    if (!llvm::is_contained({"bar", "lines", "none"}, StringRef(progress)))
      return userError("--progress is '" + progress + "', expected bar, lines or none");
    options.progress = progress == "bar"     ? ProgressForm::bar
                       : progress == "lines" ? ProgressForm::lines
                                             : ProgressForm::none;
  }
  if (onNan != "stop" && onNan != "warn")
    return userError("--on-nan is '" + onNan + "', expected stop or warn");
  options.onNan = onNan == "stop" ? OnNan::stop : OnNan::warn;
  if (!llvm::is_contained({"stop", "warn", "off"}, StringRef(onIndex)))
    return userError("--on-index is '" + onIndex + "', expected stop, warn or off");
  options.onIndex = onIndex == "stop"   ? OnIndex::stop
                    : onIndex == "warn" ? OnIndex::warn
                                        : OnIndex::off;
  if (rtol.getNumOccurrences())
    if (Error error = number("--rtol", rtol, options.tolerance.rtol))
      return error;
  if (atol.getNumOccurrences())
    if (Error error = number("--atol", atol, options.tolerance.atol))
      return error;
  if (!llvm::is_contained({"auto", "local", "mpi", "nccl", "hccl"}, StringRef(backend)))
    return userError("--backend is '" + backend + "', expected auto, local, mpi, nccl or hccl");
  options.backend = backend;
  if (link.getNumOccurrences() && !Link::parse(link))
    return userError("--link is '" + link + "', expected " + linkSyntax);
  options.link = link;
  options.probeLink = probeLink;
  options.profile = profile;
  if (lastBatch.getNumOccurrences()) {
    if (!llvm::is_contained({"drop", "wrap", "pad"}, StringRef(lastBatch)))
      return userError("--last-batch is '" + lastBatch + "', expected drop, wrap or pad");
    options.lastBatch = lastBatch == "drop"   ? LastBatch::drop
                        : lastBatch == "wrap" ? LastBatch::wrap
                                              : LastBatch::pad;
  }
  for (StringRef text : argument)
    if (Error error = addArgument(text, options))
      return error;
  if (Error error = checkCombinations(options))
    return error;
  if (Error error = checkRunsHere(options.targetCpu))
    return error;
  return options;
}

} // namespace ds
