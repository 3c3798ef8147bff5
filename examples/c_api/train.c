//===- train.c - A training loop in C, without a header of MLIR -*- C -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// train STEP.mlir RANKS STEPS: learns y = 2 a - b + c / 2 on that many ranks, threads of this
// process, or on those of the job that has started it.
//
//===----------------------------------------------------------------------===//
#include "ds-c/ds.h"

#include <stdio.h>
#include <stdlib.h>

static void tell(const ds_diagnostic *diagnostic, void *user_data) {
  (void)user_data;
  if (diagnostic->file)
    fprintf(stderr, "%s:%lld:%lld: ", diagnostic->file, (long long)diagnostic->line,
            (long long)diagnostic->column);
  fprintf(stderr, "%s: %s\n", diagnostic->severity == DS_ERROR ? "error" : "warning",
          diagnostic->message);
}

static void check(ds_status status) {
  if (status != DS_OK)
    exit(1); // `tell` has said why
}

static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  char *text = malloc(1 << 20);
  *length = text ? fread(text, 1, 1 << 20, file) : 0;
  fclose(file);
  return text;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: train STEP.mlir RANKS STEPS\n");
    return 1;
  }
  size_t length;
  char *text = read_file(argv[1], &length);

  ds_context *context = ds_context_create(tell, NULL);
  ds_program_options options;
  ds_program_options_init(&options);
  options.name = argv[1];
  options.config = "batch=global"; // the step is one of the whole batch
  ds_program *program;
  check(ds_program_parse(context, text, length, &options, &program));
  free(text);

  ds_world *world;
  check(ds_world_join(program, &world));
  if (!world)
    check(ds_world_create(program, atoi(argv[2]), &world));
  ds_step *step;
  check(ds_program_compile(program, world, &step));
  ds_instance *instance;
  check(ds_instance_create(step, world, NULL, &instance));

  // Slots are those of the step's arguments: w, x, y, lr. Its parameters stay where they are.
  float x[8][3], y[8], lr = 0.1f, loss = 0;
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 3; ++j)
      x[i][j] = (float)((i * 3 + j) * 7 % 11) / 5 - 1;
    y[i] = 2 * x[i][0] - x[i][1] + x[i][2] / 2;
  }
  check(ds_instance_write(instance, 3, DS_WHOLE, &lr, sizeof lr));
  const void *batch[4] = {NULL, x, y, NULL};
  for (int i = 0; i < atoi(argv[3]); ++i)
    check(ds_instance_run(instance, batch));

  check(ds_instance_read_result(instance, 1, &loss, sizeof loss));
  const float *w = ds_instance_argument(instance, 0, 0); // a view
  if (ds_world_first_rank(world) == 0)
    printf("%lld ranks: loss %.9g, w = %.9g %.9g %.9g\n", (long long)ds_world_num_ranks(world),
           loss, w[0], w[1], w[2]);

  ds_instance_destroy(instance);
  ds_step_destroy(step);
  ds_world_destroy(world);
  ds_program_destroy(program);
  ds_context_destroy(context);
  return 0;
}
