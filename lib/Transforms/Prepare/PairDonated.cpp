//===- PairDonated.cpp - donated arguments and their new values -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Donation proves that a buffer may be reused, but not by which result: JAX pairs by shape and
// type, first in first out. Candidates of an argument are the results of its type that contain it
// element by element. First come results that contain one argument whole and no other one whole (p
// - lr * u); then, until nothing changes, arguments with one candidate left and results with one
// argument left. The rest is ambiguous, unless it is a single argument and a single result.
//
//===----------------------------------------------------------------------===//

#include "PairDonated.h"
#include "UpdateChain.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ds;

SmallVector<unsigned> ds::donatedArguments(func::FuncOp step) {
  SmallVector<unsigned> donated;
  for (auto [i, type] : llvm::enumerate(step.getArgumentTypes()))
    if (step.getArgAttr(i, aliasingOutputAttrName) ||
        (step.getArgAttr(i, bufferDonorAttrName) &&
         llvm::is_contained(step.getResultTypes(), type)))
      donated.push_back(i);
  return donated;
}

void ds::eraseDonation(func::FuncOp step) {
  for (unsigned i = 0; i < step.getNumArguments(); ++i)
    for (StringRef name : {aliasingOutputAttrName, bufferDonorAttrName})
      step.removeArgAttr(i, name);
}

namespace {

class Pairing {
public:
  Pairing(func::FuncOp step, const DonatedPairs &given) : step(step), pairs(given) {
    for (unsigned argument : donatedArguments(step))
      if (!given.contains(argument))
        openArguments.insert(argument);
    Operation *terminator = step.getBody().front().getTerminator();
    for (OpOperand &operand : terminator->getOpOperands()) {
      updates.push_back(argumentsInUpdate(operand.get()));
      bool taken = llvm::any_of(
          given, [&](auto &pair) { return pair.second == operand.getOperandNumber(); });
      if (!taken)
        openResults.insert(operand.getOperandNumber());
    }
  }

  FailureOr<DonatedPairs> run() {
    while (pairWhole() || pairForced() || pairRemaining())
      ;
    if (openArguments.empty())
      return std::move(pairs);
    return reportFirst();
  }

private:
  bool sameType(unsigned argument, unsigned result) {
    return step.getArgumentTypes()[argument] == step.getResultTypes()[result];
  }

  /// Returns the open results of the argument's type that contain it, with containment `least` or
  /// stronger.
  SmallVector<unsigned> candidates(unsigned argument, Containment least) {
    SmallVector<unsigned> found;
    for (unsigned result : openResults) {
      auto entry = updates[result].find(step.getArgument(argument));
      if (entry != updates[result].end() && sameType(argument, result) && entry->second >= least)
        found.push_back(result);
    }
    return found;
  }

  /// Returns the open arguments of which the result may be the new value.
  SmallVector<unsigned> readings(unsigned result, Containment least) {
    SmallVector<unsigned> found;
    for (unsigned argument : openArguments)
      if (llvm::is_contained(candidates(argument, least), result))
        found.push_back(argument);
    return found;
  }

  bool pair(unsigned argument, unsigned result) {
    pairs[argument] = result;
    openArguments.remove(argument);
    openResults.remove(result);
    return true;
  }

  /// True if the result is an argument, unchanged: it may be the kept value of that argument or a
  /// copy for another state.
  bool isUnchanged(unsigned result) {
    return isa<BlockArgument>(step.getBody().front().getTerminator()->getOperand(result));
  }

  bool pairWhole() {
    for (unsigned argument : openArguments) {
      SmallVector<unsigned> whole = candidates(argument, Containment::Whole);
      if (whole.size() > 1)
        llvm::erase_if(whole, [&](unsigned result) { return isUnchanged(result); });
      if (whole.size() == 1 && readings(whole[0], Containment::Whole).size() == 1)
        return pair(argument, whole[0]);
    }
    return false;
  }

  bool pairForced() {
    for (unsigned argument : openArguments) {
      SmallVector<unsigned> possible = candidates(argument, Containment::Scaled);
      if (possible.size() == 1)
        return pair(argument, possible[0]);
      for (unsigned result : possible)
        if (readings(result, Containment::Scaled).size() == 1 &&
            ofType(argument).second == ofType(argument).first)
          return pair(argument, result);
    }
    return false;
  }

  /// Counts the open arguments and the open results of the argument's type.
  std::pair<size_t, size_t> ofType(unsigned argument) {
    Type type = step.getArgumentTypes()[argument];
    return {llvm::count_if(openArguments,
                           [&](unsigned other) { return step.getArgumentTypes()[other] == type; }),
            llvm::count_if(openResults,
                           [&](unsigned result) { return step.getResultTypes()[result] == type; })};
  }

  /// Pairs a state that no result contains (prev = w) with the only result of its type that is
  /// left.
  bool pairRemaining() {
    for (unsigned argument : openArguments)
      if (ofType(argument) == std::pair<size_t, size_t>(1, 1))
        for (unsigned result : openResults)
          if (sameType(argument, result))
            return pair(argument, result);
    return false;
  }

  LogicalResult reportFirst() {
    unsigned argument = openArguments.front();
    SmallVector<unsigned> possible = candidates(argument, Containment::Scaled);
    if (possible.empty())
      for (unsigned result : openResults)
        if (sameType(argument, result))
          possible.push_back(result);
    InFlightDiagnostic diag = step.emitError()
                              << "cannot find which result is the new value of donated argument "
                              << argument;
    if (possible.empty())
      return diag << ": no result has its type " << step.getArgumentTypes()[argument];
    diag << ", expected one of results ";
    llvm::interleaveComma(possible, diag);
    return diag << "; say which with pairs=" << argument << ":result";
  }

  func::FuncOp step;
  DonatedPairs pairs;
  SmallVector<llvm::MapVector<BlockArgument, Containment>> updates; // of each result
  llvm::SetVector<unsigned> openArguments, openResults;
};

} // namespace

FailureOr<DonatedPairs> ds::pairDonated(func::FuncOp step, const DonatedPairs &given) {
  return Pairing(step, given).run();
}
