//===- Options.cpp - The command line of ds-plan --------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Preview/Preview.h"

#include "ds/Support/CommandLine.h"
#include "ds/Support/UserError.h"
#include "ds/Support/Version.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/CommandLine.h"

namespace ds {

namespace cl = llvm::cl;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static constexpr const char *overview =
    R"(ds-plan: what a training step becomes on n ranks, without running it

  STEP.mlir holds one training step as a function, as for ds-run. ds-plan searches how the axes of a mesh divide it
  (parallel_mode=auto_parallel, unless the configuration says another mode) and tells: the time of a step by the cost model,
  below which no plan goes, what a rank holds, how every argument is divided, and every collective with its bytes and time.
)";

static constexpr const char *examples = R"(
EXAMPLES:
  Eight ranks as two groups that divide the samples, of four that divide the model:
    ds-plan step.mlir --config batch=global --mesh dp=2,tp=4
  The best of all meshes of 8 ranks, in 2 GiB each:
    ds-plan step.mlir --ranks 8 --config batch=global,memory_limit=2048
  Why is this not divided? What the best plan takes in which it is:
    ds-plan step.mlir --config batch=global --mesh dp=2,tp=4 --explain params.w1 --explain %h --explain model.py:41
  What marks of your own come to:
    ds-plan step.mlir --config parallel_mode=semi_auto_parallel,strategy_ckpt_load_file=mine.json --mesh dp=2,tp=4

EXPLAIN: an argument by its name, a value by its %name in STEP.mlir, or a place FILE:LINE. Each way to divide it has the time of
  the best plan of this mesh that does so. '1.20 to 1.30' is a bound and a plan where neither is proven best. '*' is the plan.

THE PLAN IS RUN by ds-run with the same --config, --mesh as mesh=[dp=2,tp=4], and parallel_mode=auto_parallel.
EXIT CODE: 0 done; 1 wrong input, no such plan, or output that could not be written; 70 a crash of ds-plan itself.
)";

Expected<PlanOptions> parsePlanOptions(const std::vector<std::string> &arguments) {
  cl::ResetCommandLineParser();
  setVersionPrinter("ds-plan");
  cl::OptionCategory all("Options");
  cl::opt<std::string> step(cl::Positional, cl::desc("STEP.mlir"), cl::cat(all));
  cl::opt<std::string> entry("entry",
                             cl::desc("The step, if the file has several public functions"),
                             cl::value_desc("NAME"), cl::cat(all));
  cl::opt<std::string> mesh("mesh",
                            cl::desc("The axes of the ranks; the first one divides the samples"),
                            cl::value_desc("dp=2,tp=4"), cl::cat(all));
  cl::opt<std::string> ranks(
      "ranks", cl::desc("Number of ranks, 1 to 4096; without a mesh all that they form are tried"),
      cl::value_desc("N"), cl::cat(all));
  cl::list<std::string> config(
      "config",
      cl::desc("Settings over those of the module, such as batch=global,memory_limit=2048, or a "
               "YAML or JSON file of them; 'ds-run --help-config' lists the keys"),
      cl::value_desc("key=value,...|FILE"), cl::cat(all));
  cl::list<std::string> explain(
      "explain", cl::desc("Tell what each way to divide this value costs; may be repeated"),
      cl::value_desc("VALUE"), cl::cat(all));
  cl::opt<std::string> dumpModel(
      "dump-model",
      cl::desc("Write the choices that were searched, their costs and the bound as JSON, for "
               "another solver"),
      cl::value_desc("FILE"), cl::cat(all));
  cl::opt<std::string> check(
      "check",
      cl::desc(
          "exact: whether the ranks compute what one device does, over a finite field, without "
          "a tolerance, if that takes no more than SECONDS (default: 600)"),
      cl::value_desc("exact[:SECONDS]"), cl::cat(all));
  cl::opt<std::string> certificate(
      "certificate", cl::desc("Check exactly and write what was found, and of what, as JSON"),
      cl::value_desc("FILE"), cl::cat(all));
  cl::opt<std::string> verify(
      "verify",
      cl::desc("Check exactly what a certificate says, with the configuration that it has unless "
               "--config, --mesh or --ranks is given, and that the same is found again"),
      cl::value_desc("FILE"), cl::cat(all));
  cl::opt<bool> json("json", cl::desc("One JSON object instead of tables"), cl::ValueDisallowed,
                     cl::cat(all));
  cl::extrahelp help(examples);
  cl::HideUnrelatedOptions(all);
  llvm::scope_exit forget([] { cl::ResetCommandLineParser(); });
  if (Error error = parseCommandLine("ds-plan", overview, arguments))
    return error;

  PlanOptions options;
  options.step = step;
  options.entry = entry;
  options.mesh = mesh;
  options.config.assign(config.begin(), config.end());
  options.explain.assign(explain.begin(), explain.end());
  options.dumpModel = dumpModel;
  options.json = json;
  if (options.step.empty())
    return userError("no step is given, expected ds-plan STEP.mlir; 'ds-plan --help' shows "
                     "examples");
  int64_t number;
  if (ranks.getNumOccurrences()) {
    if (StringRef(ranks).getAsInteger(10, number) || number < 1 || number > 4096)
      return userError("--ranks is '" + ranks + "', expected an integer from 1 to 4096");
    options.ranks = number;
  }
  if (mesh.getNumOccurrences() && options.mesh.empty())
    return userError("--mesh is '', expected axes such as dp=2,tp=4");
  auto isExact = options.exact.read(check);
  if (!isExact)
    return isExact.takeError();
  if (check.getNumOccurrences() && !*isExact)
    return userError("--check is '" + check + "', expected exact or exact:SECONDS");
  if (Error error = options.exact.addFiles(certificate, verify))
    return error;
  if (!options.exact.verify.empty() && options.config.empty() && options.mesh.empty() &&
      !options.ranks)
    if (Error error = options.exact.configuration().moveInto(options.config))
      return error;
  return options;
}

} // namespace ds
