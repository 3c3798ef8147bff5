//===- Options.cpp - The command line of ds-compile -----------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Options.h"

#include "ds/Support/OptionTable.h"
#include "ds/Support/UserError.h"
#include "ds/Target/TargetCpu.h"

namespace ds {

using llvm::Error;
using llvm::Expected;

static constexpr const char *overview =
    R"(ds-compile: a training step for n ranks as a library, which a program trains without a compiler

  STEP.mlir holds one training step as a function, as for ds-run (- is standard input). What is written: libNAME.so with its code for
  one rank, and NAME.h, which declares NAME_compiled and numbers its arguments and results. A program in C hands NAME_compiled to
  ds_program_load and goes on as described in ds-c/ds.h. It needs libdsaot.so, neither ds nor LLVM.
)";

static constexpr const char *examples = R"(
EXAMPLES:
  A step of two ranks, and a program that trains it as threads, or under mpirun:
    ds-compile step.mlir --ranks 2 --config batch=global -o build/step
    cc -o train train.c -Ibuild -Lbuild -lstep -ldsaot
    ./train
    mpirun -n 2 ./train
  For GPUs, which this machine need not have:
    ds-compile step.mlir --ranks 2 --target cuda:sm_80,sm_90
  For other machines than this one:
    ds-compile step.mlir --ranks 8 --target-cpu x86-64-v3

THE C COMPILER that links libNAME.so is $CC, or cc.
EXIT CODE: 0 done; 1 wrong input, or output that could not be written; 70 a crash of ds-compile itself.
)";

static std::vector<OptionRow> optionRows(AheadOptions &o) {
  constexpr const char *all = "Options";
  return {
      {all, "o", text(o.output, "FOLDER/NAME"),
       "Where to write, and the name (default: that of STEP.mlir, in this folder)"},
      {all, "ranks", integer(o.ranks, 1, 4096, "N"), "Number of ranks, 1 to 4096"},
      {all, "entry", text(o.entry, "NAME"), "The step, if the file has several public functions"},
      {all, "config", texts(o.config, "key=value,...|FILE"),
       "Settings over those of the module, or a YAML or JSON file of them; 'ds-run --help-config' "
       "lists the keys"},
      {all, "target", text(o.target, "NAME"),
       "What steps compute on: cpu (default), or NVIDIA GPUs by the oldest chips that the step is "
       "for, such as cuda:sm_90 or "
       "cuda:sm_80,sm_100; newer ones take the code of the last one before them; not yet run on a "
       "device"},
      {all, "target-cpu", text(o.targetCpu, "NAME"), kTargetCpuHelp},
      {all, "json", flag(o.json), "Print what was written as one JSON object"},
  };
}

Expected<AheadOptions> parseAheadOptions(const std::vector<std::string> &arguments) {
  AheadOptions options;
  options.targetCpu = defaultTargetCpu();
  OptionTable table({"ds-compile", overview, examples}, optionRows(options));
  if (Error error = table.parse(arguments, options.step))
    return error;
  if (options.step.empty())
    return userError("no step is given, expected ds-compile STEP.mlir; 'ds-compile --help' shows "
                     "examples");
  return options;
}

} // namespace ds
