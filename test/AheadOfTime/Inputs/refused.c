//===- refused.c - Steps that are refused ----------------------- -*- C -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps that cannot be loaded, or run here: each is one sentence.
//
//===----------------------------------------------------------------------===//
#include "step.h"

#include <stdio.h>

static void tell(const ds_diagnostic *diagnostic, void *user_data) {
  (void)user_data;
  printf("error: %s\n", diagnostic->message);
}

static void try(ds_context *context, const ds_compiled_step *compiled, int ranks) {
  ds_program *program = NULL;
  ds_world *world = NULL;
  ds_step *step = NULL;
  if (ds_program_load(context, compiled, &program) == DS_OK &&
      ds_world_create(program, ranks, &world) == DS_OK &&
      ds_program_compile(program, world, &step) == DS_OK)
    printf("loaded\n");
  ds_step_destroy(step);
  ds_world_destroy(world);
  ds_program_destroy(program);
}

int main(void) {
  ds_context *context = ds_context_create(tell, NULL);
  ds_compiled_step other = step_compiled;
  try(context, &other, step_ranks);
  try(context, &other, 3);
  other.cpu = "vax quantum";
  try(context, &other, step_ranks);
  char cpu[4096];
  snprintf(cpu, sizeof cpu, "%s,quantum,teleport", step_compiled.cpu);
  other.cpu = cpu;
  try(context, &other, step_ranks);
  other = step_compiled;
  other.abi_version += 1;
  try(context, &other, step_ranks);
  other = step_compiled;
  other.description_bytes -= 1;
  try(context, &other, step_ranks);
  other = step_compiled;
  ds_program *program;
  ds_step *step;
  if (ds_program_load(context, &other, &program) == DS_OK &&
      ds_program_compile(program, NULL, &step) == DS_OK)
    printf("loaded\n");
  ds_program_destroy(program);
  ds_context_destroy(context);
  return 0;
}
