//===- OpenMPThreads.h - how many threads a library may start -------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------===//
//
// ds has no OpenMP of its own; oneDNN has, by GCC's library. Clang does not find that library's
// header, so the two functions of it are declared here (OpenMP 5.2, sections 18.2.1 and 18.2.3).
//
//===----------------------------------------------------------------------------===//

#ifndef DS_TARGET_OPENMPTHREADS_H
#define DS_TARGET_OPENMPTHREADS_H

extern "C" {
/// Sets how many threads the calling thread's next parallel regions may use, at least 1.
void omp_set_num_threads(int count);
int omp_get_max_threads(void);
}

#endif // DS_TARGET_OPENMPTHREADS_H
