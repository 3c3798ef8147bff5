//===- PrintPlacement.cpp - The pass ds-print-placement -------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans the step as ds-insert-all-reduce does, and writes the plan as attributes instead of
// applying it.
//
//===----------------------------------------------------------------------===//
#include "Utils/StepPlan.h"

#include "ds/Analysis/Reshard.h"
#include "ds/Transforms/Passes.h"

#include "llvm/Support/raw_ostream.h"

namespace ds {
#define GEN_PASS_DEF_PRINTPLACEMENTPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

std::string toText(const Placement &placement) {
  std::string text;
  llvm::raw_string_ostream(text) << placement;
  return text;
}

std::string toText(const Reduction &reduction) {
  std::string text = stringifyPurpose(reduction.purpose).str();
  for (const std::string &name : reduction.names)
    text += " " + name;
  return text;
}

/// Describes how an operand takes a value in placement `from`.
std::string toText(const Placement &from, const Placement &to, int64_t n) {
  switch (getMove(from, to, n)) {
  case Move::None:
    return "as it is";
  case Move::Slice:
    return "slice " + toText(to);
  case Move::AllGather:
    return "gathered";
  case Move::AllToAll:
    return "exchanged " + toText(to);
  case Move::GatherAndSlice:
    return "gathered, slice " + toText(to);
  case Move::AllReduce:
    return "reduced";
  case Move::ReduceScatter:
    return "reduced, slice " + toText(to);
  }
  llvm_unreachable("all moves are covered");
}

class Printer {
public:
  explicit Printer(const PlannedStep &planned)
      : planned(planned), b(func::FuncOp(planned.step).getContext()) {
    for (const Reduction &reduction : planned.plan.reductions)
      reductions[reduction.value] = &reduction;
  }

  void print() {
    func::FuncOp step = planned.step;
    printValues(step, step.getArguments());
    for (Operation *op : planned.flow.operations()) {
      if (op->getNumResults() > 0)
        printValues(op, op->getResults());
      printUses(op);
    }
  }

private:
  void printValues(Operation *op, ValueRange values) {
    SmallVector<std::string> placements, combined;
    for (Value value : values) {
      placements.push_back(toText(planned.plan.placement.of(value)));
      if (const Reduction *reduction = reductions.lookup(value))
        combined.push_back(toText(*reduction));
    }
    set(op, "ds.placement", placements);
    if (!combined.empty())
      set(op, "ds.combined", combined);
  }

  void printUses(Operation *op) {
    SmallVector<std::string> uses;
    bool any = false;
    for (OpOperand &operand : op->getOpOperands()) {
      const StepPlacement &placement = planned.plan.placement;
      Placement from = placement.of(operand.get());
      auto required = placement.required.find(&operand);
      any |= required != placement.required.end();
      uses.push_back(toText(from, required == placement.required.end() ? from : required->second,
                            placement.ranks.size));
    }
    if (any)
      set(op, "ds.operands", uses);
  }

  void set(Operation *op, StringRef name, ArrayRef<std::string> texts) {
    SmallVector<StringRef> words(texts.begin(), texts.end());
    op->setAttr(name, b.getStrArrayAttr(words));
  }

  const PlannedStep &planned;
  Builder b;
  llvm::DenseMap<Value, const Reduction *> reductions;
};

struct PrintPlacement final : impl::PrintPlacementPassBase<PrintPlacement> {
  using PrintPlacementPassBase::PrintPlacementPassBase;

  void runOnOperation() override {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    if (runsAlone(*config))
      return;
    FailureOr<PlannedStep> planned = planStep(getOperation(), entry);
    if (failed(planned))
      return signalPassFailure();
    Printer(*planned).print();
  }
};

} // namespace
} // namespace ds
