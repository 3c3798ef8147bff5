//===- OptionsText.h - The text of ds-run --help ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text before and after the list of options.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_OPTIONS_OPTIONSTEXT_H
#define DS_RUN_OPTIONS_OPTIONSTEXT_H

namespace ds {

inline constexpr const char *overview =
    R"(ds-run: compile one training step for n ranks and train with it

  STEP.mlir holds one training step as a function: parameters and a batch in, new parameters and metrics out; - is standard input.
  ds finds the gradients, inserts and fuses the all-reduces, compiles, and runs every rank as a thread of this
  process, or, under mpirun, as one process each.
)";

inline constexpr const char *examples = R"(
EXAMPLES:
  Train two epochs on 4 ranks, images scaled to [0, 1], and keep the result:
    ds-run step.mlir --ranks 4 --data 'x=train-images.gz:scale=1/255,y=train-labels.gz' --epochs 2 --save w.safetensors
  Go on from there, and measure the accuracy of a forward function with the same parameters:
    ds-run step.mlir --ranks 4 --data ... --init w.safetensors --eval forward.mlir --eval-data 'x=t.gz:scale=1/255,y=l.gz'
  Is the 4-rank program the same function as the step? Compare the first 50 steps with one device:
    ds-run step.mlir --ranks 4 --config batch=global --data ... --steps 50 --check=50
  A long training: the same command starts it, and goes on after whatever happened:
    ds-run step.mlir --ranks 4 --data ... --epochs 90 --save w.safetensors --save-every 1epochs --resume
  One rank per process over MPI, and the same by ds-run, which starts the job again when a rank dies:
    mpirun -n 4 ds-run step.mlir --data ...
    ds-run step.mlir --launch 4 --max-restarts 3 --data ... --epochs 90 --save w.safetensors --save-every 1epochs --resume
  Compare with the numbers of the framework that the step came from:
    ds-run step.mlir --ranks 2 --config batch=global --replay recording.npz

DATA SPECIFICATIONS (--data, --eval-data):
  ARGUMENT=FILE[:KEY][:scale=NUMBER[/NUMBER]][:reshape=AxB], separated by commas; IDX and .npy (plain or gzip),
  .npz with KEY, .safetensors with KEY (or the .index.json of several). A FILE x-*.npy is all files of such names, by name,
  one after the other, and @LIST those that a file lists, one a line. Integers become floats only without loss or with an explicit scale.
  x=part-{rank}.npy are files of each rank's own, {rank:05} with leading zeros; without, ranks compare the contents: the same are divided, others each rank's own.
  Ranks of a mesh are counted along its first axis for that.

SCHEDULES (--arg NAME=VALUE@START,..): values that change, each from its START, in epochs or as 500steps; steps are counted from
  the training's first one, so --resume changes nothing. VALUE is a number, linear:FROM:TO or cosine:FROM:TO up to the next START or the end:
    --arg lr=0.1@0,0.01@10                                    --arg lr=linear:0:0.1@0,cosine:0.1:0@500steps
  The usual ones have names: constant, cosine, exponential and linear(HIGHEST[,warmup=STEPS]), the second and last with end=VALUE, exponential
  with rate=FACTOR[,every=STEPS], else every epoch; piecewise(FIRST[,warmup=STEPS],VALUE@START,..); 5epochs are epochs:
    --arg lr=cosine(0.1,warmup=500)                           --arg lr=exponential(0.1,rate=0.9,every=2epochs)
    --arg lr=piecewise(0.1,warmup=500,0.01@30,0.001@60)

RESULTS: --check=exact decides whether the ranks compute what one device does, without a tolerance: equal, different or undecided.
  --replay: what exceeds --atol + --rtol * |expected| is run again with other rounding errors.
  equal                     all within the tolerance
  equal but for rounding    what exceeds it is rounding that the step amplifies
  DIFFERENT                 an error; named is the first value that has it
  --check=K compares floats with the tolerance alone.

EXIT CODE: 0 done; 1 wrong input, a failed run, a metric that is NaN, a result DIFFERENT, or output that could not be
  written (files are written all the same); 130 stopped by Ctrl-C; 75 stopped by SIGTERM, SIGUSR1 or SIGHUP: start it again;
  70 a crash of ds-run itself or of a library that it uses.
  Values that are NaN or infinite are not saved either (--on-nan).
)";

} // namespace ds

#endif // DS_RUN_OPTIONS_OPTIONSTEXT_H
