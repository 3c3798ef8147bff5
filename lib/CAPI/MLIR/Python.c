//===- Python.c - Stands in for libMLIRPythonCAPI.so --------------*- C -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions are those of libds-mlir.so, which this library needs.
//
//===----------------------------------------------------------------------===//
typedef int StandsIn; // a source that holds nothing is no C
