//===- train.c - A step of ds-compile, trained without a compiler -*- C -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// train STEPS: learns y = 2 a - b + c / 2 on the ranks that the step was compiled for: threads of
// this process, or those of the job that has started it.
//
//===----------------------------------------------------------------------===//
#include "step.h"

#include <stdio.h>
#include <stdlib.h>

static void tell(const ds_diagnostic *diagnostic, void *user_data) {
  (void)user_data;
  fprintf(stderr, "%s: %s\n", diagnostic->severity == DS_ERROR ? "error" : "warning",
          diagnostic->message);
}

static void check(ds_status status) {
  if (status != DS_OK)
    exit(1); // `tell` has said why
}

int main(int argc, char **argv) {
  int steps = argc > 1 ? atoi(argv[1]) : 100;
  ds_context *context = ds_context_create(tell, NULL);
  ds_program *program;
  check(ds_program_load(context, &step_compiled, &program));
  ds_world *world;
  check(ds_world_join(program, &world));
  if (!world) // nobody has launched this process
    check(ds_world_create(program, step_ranks, &world));
  ds_step *step;
  check(ds_program_compile(program, world, &step));
  ds_instance *instance;
  check(ds_instance_create(step, world, NULL, &instance));

  float x[8][3], y[8], lr = 0.1f, loss = 0;
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 3; ++j)
      x[i][j] = (float)((i * 3 + j) * 7 % 11) / 5 - 1;
    y[i] = 2 * x[i][0] - x[i][1] + x[i][2] / 2;
  }
  check(ds_instance_write(instance, step_arg_lr, DS_WHOLE, &lr, sizeof lr));
  const void *batch[step_arg_count] = {NULL}; // the others keep their values
  batch[step_arg_x] = x;
  batch[step_arg_y] = y;
  for (int i = 0; i < steps; ++i)
    check(ds_instance_run(instance, batch));

  check(ds_instance_read_result(instance, step_res_loss, &loss, sizeof loss));
  float w[3];
  check(ds_instance_read_argument(instance, step_arg_w, w, sizeof w));
  if (ds_world_first_rank(world) == 0)
    printf("%d ranks: loss %.9g, w = %.9g %.9g %.9g\n", step_ranks, loss, w[0], w[1], w[2]);

  ds_instance_destroy(instance);
  ds_step_destroy(step);
  ds_world_destroy(world);
  ds_program_destroy(program);
  ds_context_destroy(context);
  return 0;
}
