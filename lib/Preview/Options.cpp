//===- Options.cpp - The command line of ds-plan --------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Preview/Preview.h"

#include "ds/Support/OptionTable.h"
#include "ds/Support/UserError.h"

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static constexpr const char *overview =
    R"(ds-plan: what a training step becomes on n ranks, without running it

  STEP.mlir holds one training step as a function, as for ds-run (- is standard input). ds-plan searches how the axes of a mesh shard it
  (parallel_mode=auto_parallel, unless the configuration has another mode) and reports the time of a step by the cost model with
  a lower bound, what a rank holds, how every argument is sharded, and every collective with its bytes and time.
)";

static constexpr const char *examples = R"(
EXAMPLES:
  Eight ranks as two groups that shard the samples, of four that shard the model:
    ds-plan step.mlir --config batch=global --mesh dp=2,tp=4
  The best of all meshes of 8 ranks, in 2 GiB each:
    ds-plan step.mlir --ranks 8 --config batch=global,memory_limit=2048
  Why is this not sharded? What the best plan takes in which it is:
    ds-plan step.mlir --config batch=global --mesh dp=2,tp=4 --explain params.w1 --explain %h --explain model.py:41
  What annotations of your own come to:
    ds-plan step.mlir --config parallel_mode=semi_auto_parallel,strategy_ckpt_load_file=mine.json --mesh dp=2,tp=4

EXPLAIN: an argument by its name, a value by its %name in STEP.mlir, or a place FILE:LINE. Each way to shard it has the time of
  the best plan of this mesh that does so. '1.20 to 1.30' is a bound and a plan where neither is proven best. '*' is the plan.

THE PLAN IS RUN by ds-run with the same --config, --mesh as mesh=[dp=2,tp=4], and parallel_mode=auto_parallel.
EXIT CODE: 0 done; 1 wrong input, no such plan, or output that could not be written; 70 a crash of ds-plan itself.
)";

static std::vector<OptionRow> optionRows(PlanOptions &o) {
  constexpr const char *all = "Options";
  OptionValue exact = {"exact[:SECONDS]", [&](StringRef option, StringRef text) -> Error {
                         auto isExact = o.exact.read(text);
                         if (!isExact || *isExact)
                           return isExact.takeError();
                         return userError(option + " is '" + text +
                                          "', expected exact or exact:SECONDS");
                       }};
  OptionValue mesh = {"dp=2,tp=4", [&](StringRef option, StringRef text) -> Error {
                        o.mesh = text.str();
                        return text.empty()
                                   ? userError(option + " is '', expected axes such as dp=2,tp=4")
                                   : Error::success();
                      }};
  return {
      {all, "entry", text(o.entry, "NAME"), "The step, if the file has several public functions"},
      {all, "mesh", mesh, "The axes of the ranks; the first one shards the samples"},
      {all, "ranks", integer(o.ranks, 1, 4096, "N"),
       "Number of ranks, 1 to 4096; without a mesh all that they form are tried"},
      {all, "config", texts(o.config, "key=value,...|FILE"),
       "Settings over those of the module, such as batch=global,memory_limit=2048, or a YAML or "
       "JSON file of them; 'ds-run --help-config' lists the keys"},
      {all, "explain", texts(o.explain, "VALUE"),
       "Print the cost of each way to shard this value; may be repeated"},
      {all, "check", exact,
       "exact: whether the ranks compute what one device does, over a finite field, without a "
       "tolerance, if that takes no more than SECONDS (default: 600)"},
      {all, "certificate", text(o.exact.certificate, "FILE"),
       "Check exactly and write what was found, and of what, as JSON"},
      {all, "verify", text(o.exact.verify, "FILE"),
       "Check exactly what a certificate claims, with the configuration that it has unless "
       "--config, --mesh or --ranks is given, and that the same is found again"},
      {all, "json", flag(o.json), "One JSON object instead of tables"},
  };
}

Expected<PlanOptions> parsePlanOptions(const std::vector<std::string> &arguments) {
  PlanOptions options;
  OptionTable table({"ds-plan", overview, examples}, optionRows(options));
  if (Error error = table.parse(arguments, options.step))
    return error;
  if (options.step.empty())
    return userError("no step is given, expected ds-plan STEP.mlir; 'ds-plan --help' shows "
                     "examples");
  bool isConfigured = !options.config.empty() || !options.mesh.empty() || options.ranks;
  if (Error error = options.exact.takeFiles(isConfigured, options.config))
    return error;
  return options;
}

} // namespace ds
