/*===- mpi_allreduce.c - MPI_Allreduce alone -------------------------------===
 *
 * Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * mpi_allreduce SECONDS BYTES...: f32 sum, in place, one line of JSON per size. As in
 * allreduce_bench, every rank writes its buffer before each call, the time of a call is the slowest
 * rank's, and the best of all calls counts.
 *===----------------------------------------------------------------------===*/
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const double seconds = argc > 1 ? atof(argv[1]) : 1;
  for (int s = 2; s < argc; ++s) {
    const long bytes = atol(argv[s]), count = bytes / 4;
    float *data = malloc(bytes);
    double best = 1e30, begin = MPI_Wtime(), spent = 0;
    for (int turn = -2; turn < 4 || spent < seconds; ++turn) {
      for (long i = 0; i < count; ++i)
        data[i] = (float)(rank + 1);
      MPI_Barrier(MPI_COMM_WORLD);
      double times[2] = {MPI_Wtime(), 0};
      MPI_Allreduce(MPI_IN_PLACE, data, (int)count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
      times[0] = MPI_Wtime() - times[0];
      times[1] = MPI_Wtime() - begin;
      MPI_Allreduce(MPI_IN_PLACE, times, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      spent = times[1];
      if (turn >= 0 && times[0] < best)
        best = times[0];
      if (data[0] != ranks * (ranks + 1) / 2.0f || data[count - 1] != data[0]) {
        fprintf(stderr, "wrong sum\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
      }
    }
    if (rank == 0)
      printf("{\"backend\": \"MPI_Allreduce\", \"ranks\": %d, \"bytes\": %ld, \"us_min\": %.2f}\n",
             ranks, bytes, best * 1e6);
    fflush(stdout);
    free(data);
  }
  MPI_Finalize();
  return 0;
}
