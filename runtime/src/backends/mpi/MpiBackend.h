//===- MpiBackend.h - Ranks as processes that talk MPI ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_MPI_MPIBACKEND_H
#define DSRT_SRC_BACKENDS_MPI_MPIBACKEND_H

#include "dsrt/backend.h"

namespace dsrt::mpi {

/// Returns the backend 'mpi' of dsrt (MpiLoader.cpp): it loads the plugin of the MPI at hand when a
/// rank joins, and forwards all calls to it.
const dsrt_backend *backend();

/// The symbol that a plugin exports: the functions of that table, compiled against one MPI
/// (MpiBackend.cpp).
constexpr char pluginEntry[] = "dsrt_mpi_plugin";
using PluginEntry = const dsrt_backend *();

} // namespace dsrt::mpi

#endif // DSRT_SRC_BACKENDS_MPI_MPIBACKEND_H
