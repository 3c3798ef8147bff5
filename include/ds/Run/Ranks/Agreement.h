//===- Agreement.h - Ranks prove that they start alike ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before the first step every process puts what its run depends on into one record of named texts;
// large things are put in as hashes. Records that differ end the run.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_AGREEMENT_H
#define DS_RUN_RANKS_AGREEMENT_H

#include "ds/Run/Ranks/Values.h"
#include "ds/Run/Ranks/World.h"

#include <string>
#include <utility>
#include <vector>

namespace ds {

/// Names and values, the most telling ones first.
using StartRecord = std::vector<std::pair<std::string, std::string>>;

/// The first 16 hexadecimal digits of the BLAKE3 hash: enough to tell contents apart.
std::string contentHash(llvm::ArrayRef<uint8_t> bytes);
std::string contentHash(const Array &array);
/// Every array of a recording or a checkpoint.
std::string contentHash(const NamedArrays &arrays);

/// Adds the hash of every parameter and state, and the step that a training begins with.
void addInitialValues(const Manifest &manifest, const InitialValues &initial, StartRecord &record);

/// An error for the first item that is not the same on all ranks, with the ranks and their values.
llvm::Error compareRecords(llvm::ArrayRef<StartRecord> byRank);

/// Collective over processes: compares everybody's record. The ranks of one process start alike.
llvm::Error agreeOnStart(World &world, const StartRecord &record);

/// Collective over processes: parameters, states and the first step of rank 0 reach all ranks, bit
/// for bit, in one broadcast. Every rank has values of the same shapes.
llvm::Error broadcastInitialValues(World &world, const Manifest &manifest, InitialValues &initial);

/// "rank 1", "ranks 1, 2 and 5": for messages.
std::string ranksText(llvm::ArrayRef<int64_t> ranks);

} // namespace ds

#endif // DS_RUN_RANKS_AGREEMENT_H
