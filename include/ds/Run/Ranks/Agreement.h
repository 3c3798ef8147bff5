//===- Agreement.h - Ranks prove that they start equal ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before the first step, every process writes all inputs of its run into one record of named texts;
// large inputs are hashed. Records that differ end the run.
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

/// Names and values, the most helpful ones first.
using StartRecord = std::vector<std::pair<std::string, std::string>>;

/// Returns the first 16 hexadecimal digits of the BLAKE3 hash: enough to distinguish contents.
std::string contentHash(llvm::ArrayRef<uint8_t> bytes);
std::string contentHash(const Array &array);
/// Returns the hash of every array of a recording or a checkpoint.
std::string contentHash(const NamedArrays &arrays);

/// Adds the hash of every parameter and state, and the first step of the training.
void addInitialValues(const Manifest &manifest, const InitialValues &initial, StartRecord &record);

/// Returns an error for the first item that differs between ranks, with the ranks and their values.
llvm::Error compareRecords(llvm::ArrayRef<StartRecord> byRank);

/// Compares the records of all processes; the ranks of one process start equal. Collective over
/// processes.
llvm::Error agreeOnStart(World &world, const StartRecord &record);

/// Broadcasts parameters, states and the first step of rank 0 to all ranks, bit for bit, in one
/// collective. Every rank has values of the same shapes. Collective over processes.
llvm::Error broadcastInitialValues(World &world, const Manifest &manifest, InitialValues &initial);

/// Returns "rank 1", "ranks 1, 2 and 5", for messages.
std::string ranksText(llvm::ArrayRef<int64_t> ranks);

} // namespace ds

#endif // DS_RUN_RANKS_AGREEMENT_H
