//===- data.c - A compiled step on files ------------------------ -*- C -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// data FILES STEPS OUT: trains on files, as --data of ds-run has them, and writes the parameter
// w.
//
//===----------------------------------------------------------------------===//
#include "step.h"

#include <stdio.h>
#include <stdlib.h>

static void tell(const ds_diagnostic *diagnostic, void *user_data) {
  (void)user_data;
  fprintf(stderr, "error: %s\n", diagnostic->message);
}

static void check(ds_status status) {
  if (status != DS_OK)
    exit(1);
}

int main(int argc, char **argv) {
  ds_context *context = ds_context_create(tell, NULL);
  ds_program *program;
  ds_world *world;
  ds_step *step;
  ds_instance *instance;
  ds_data *data;
  if (argc != 4)
    return 2;
  check(ds_program_load(context, &step_compiled, &program));
  check(ds_world_join(program, &world));
  if (!world)
    check(ds_world_create(program, step_ranks, &world));
  check(ds_program_compile(program, world, &step));
  check(ds_instance_create(step, world, NULL, &instance));
  float lr = 0.1f, w[3];
  check(ds_instance_write(instance, step_arg_lr, DS_WHOLE, &lr, sizeof lr));
  ds_data_options options;
  ds_data_options_init(&options);
  options.files = argv[1];
  options.seed = 7;
  check(ds_data_create(program, instance, &options, &data));
  for (int i = 0; i < atoi(argv[2]); ++i)
    check(ds_data_run(data, i, NULL, 0, NULL));
  check(ds_instance_read_argument(instance, step_arg_w, w, sizeof w));
  FILE *out = ds_world_first_rank(world) == 0 ? fopen(argv[3], "wb") : NULL;
  if (out) {
    fwrite(w, 1, sizeof w, out);
    fclose(out);
  }
  ds_data_destroy(data);
  ds_instance_destroy(instance);
  ds_step_destroy(step);
  ds_world_destroy(world);
  ds_program_destroy(program);
  ds_context_destroy(context);
  return 0;
}
