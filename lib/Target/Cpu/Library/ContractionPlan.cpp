//===- ContractionPlan.cpp - Which operands to copy first -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operand whose dimensions do not merge (heads between samples and positions) splits one large
// product into many small ones. Copying it once to the order of the other operands can be cheaper.
// All eight choices are planned and the cheapest by the model of GemmPlan.cpp is kept; then the
// batched primitive replaces it where that is faster.
//
//===----------------------------------------------------------------------===//
#include "ContractionLoops.h"

#include <algorithm>
#include <numeric>

using namespace ds;

namespace {

/// Copies between an operand and a dense one: sizes, and both strides, outermost first in the dense
/// order.
struct Copy {
  std::vector<int64_t> sizes, strided, dense;
  int64_t offset = 0, elements = 0;
};

template <typename Visit>
void walk(const Copy &copy, size_t d, int64_t strided, int64_t dense, Visit visit) {
  if (d == copy.sizes.size()) {
    visit(strided, dense, 1, 0, 0);
    return;
  }
  if (d + 1 == copy.sizes.size()) {
    visit(strided, dense, copy.sizes[d], copy.strided[d], copy.dense[d]);
    return;
  }
  for (int64_t i = 0; i < copy.sizes[d]; ++i)
    walk(copy, d + 1, strided + i * copy.strided[d], dense + i * copy.dense[d], visit);
}

void pack(const Copy &copy, const float *from, float *to) {
  walk(copy, 0, copy.offset, 0,
       [&](int64_t strided, int64_t dense, int64_t count, int64_t stride, int64_t step) {
         for (int64_t i = 0; i < count; ++i)
           to[dense + i * step] = from[strided + i * stride];
       });
}

void unpack(const Copy &copy, const float *from, float *to, bool accumulate) {
  walk(copy, 0, copy.offset, 0,
       [&](int64_t strided, int64_t dense, int64_t count, int64_t stride, int64_t step) {
         for (int64_t i = 0; i < count; ++i) {
           float &element = to[strided + i * stride];
           element = (accumulate ? element : 0.0f) + from[dense + i * step];
         }
       });
}

enum Operand { lhsOperand, rhsOperand, outOperand, numOperands };

class PackedPlan final : public LibraryPlan {
public:
  size_t scratchBytes() const override {
    size_t bytes = inner->scratchBytes();
    for (const Copy &copy : copies)
      bytes += bytesOf(copy);
    return bytes;
  }
  static size_t bytesOf(const Copy &copy) { return (copy.elements * sizeof(float) + 63) / 64 * 64; }
  std::string implementation() const override { return "copies + " + inner->implementation(); }
  std::unique_ptr<LibraryCall> instantiate() const override;

  Copy copies[numOperands]; // no elements: the operand is used as it lies
  bool accumulate = false;
  std::unique_ptr<LibraryPlan> inner;
};

struct PackedCall final : LibraryCall {
  explicit PackedCall(const PackedPlan &plan) : plan(plan), inner(plan.inner->instantiate()) {}
  void run(const float *lhs, const float *rhs, float *out, char *scratch) override {
    auto reserve = [&](Operand operand) {
      auto *space = reinterpret_cast<float *>(scratch);
      scratch += PackedPlan::bytesOf(plan.copies[operand]);
      return space;
    };
    if (plan.copies[lhsOperand].elements) {
      float *packed = reserve(lhsOperand);
      pack(plan.copies[lhsOperand], lhs, packed);
      lhs = packed;
    }
    if (plan.copies[rhsOperand].elements) {
      float *packed = reserve(rhsOperand);
      pack(plan.copies[rhsOperand], rhs, packed);
      rhs = packed;
    }
    float *result = plan.copies[outOperand].elements ? reserve(outOperand) : out;
    inner->run(lhs, rhs, result, scratch);
    if (result != out)
      unpack(plan.copies[outOperand], result, out, plan.accumulate);
  }
  const PackedPlan &plan;
  std::unique_ptr<LibraryCall> inner;
};

std::unique_ptr<LibraryCall> PackedPlan::instantiate() const {
  return std::make_unique<PackedCall>(*this);
}

/// Gives operand `strides` of `contraction` dense strides, loops ordered as `order`, and returns
/// the copy.
Copy makeDense(const StridedContraction &contraction, std::vector<int64_t> &strides,
               int64_t &offset, const std::vector<size_t> &order) {
  Copy copy;
  copy.offset = offset;
  offset = 0;
  std::vector<size_t> loops;
  for (size_t loop : order)
    if (strides[loop] != 0 && contraction.sizes[loop] != 1)
      loops.push_back(loop);
  int64_t dense = 1;
  std::vector<int64_t> denseStrides(strides.size(), 0);
  for (size_t i = loops.size(); i-- > 0;) {
    denseStrides[loops[i]] = dense;
    dense *= contraction.sizes[loops[i]];
  }
  copy.elements = dense;
  for (size_t loop : loops) {
    copy.sizes.push_back(contraction.sizes[loop]);
    copy.strided.push_back(strides[loop]);
    copy.dense.push_back(denseStrides[loop]);
  }
  strides = denseStrides;
  return copy;
}

/// Returns batch loops first, then the rest in the order in which the operands that stay walk them.
std::vector<size_t> denseOrder(const StridedContraction &c, unsigned packed) {
  std::vector<size_t> order(c.sizes.size());
  std::iota(order.begin(), order.end(), 0);
  const std::vector<int64_t> *strides[] = {&c.lhs, &c.rhs, &c.out};
  auto isBatch = [&](size_t i) {
    return classOf({c.sizes[i], c.lhs[i], c.rhs[i], c.out[i]}) == batch;
  };
  auto key = [&](size_t i) {
    int64_t widest = 0;
    for (unsigned operand = 0; operand < numOperands; ++operand)
      if (!(packed & (1u << operand)))
        widest = std::max(widest, (*strides[operand])[i]);
    return widest;
  };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (isBatch(a) != isBatch(b))
      return isBatch(a);
    return key(a) > key(b);
  });
  return order;
}

} // namespace

std::unique_ptr<LibraryPlan> ds::planContraction(const StridedContraction &contraction) {
  std::unique_ptr<PackedPlan> best;
  StridedContraction bestContraction;
  double bestCost = 0;
  for (unsigned packed = 0; packed < (1u << numOperands); ++packed) {
    StridedContraction candidate = contraction;
    auto plan = std::make_unique<PackedPlan>();
    std::vector<size_t> order = denseOrder(contraction, packed);
    double copyCost = 0;
    std::vector<int64_t> *strides[] = {&candidate.lhs, &candidate.rhs, &candidate.out};
    int64_t *offsets[] = {&candidate.lhsOffset, &candidate.rhsOffset, &candidate.outOffset};
    for (unsigned operand = 0; operand < numOperands; ++operand)
      if (packed & (1u << operand)) {
        plan->copies[operand] = makeDense(contraction, *strides[operand], *offsets[operand], order);
        copyCost += plan->copies[operand].elements * (operand == outOperand ? 1.0 : 0.7);
      }
    if (packed & (1u << outOperand)) {
      plan->accumulate = contraction.accumulate;
      candidate.accumulate = false;
    }
    double cost = 0;
    plan->inner = planGemm(candidate, cost);
    cost += copyCost;
    if (!best || cost < bestCost) {
      best = std::move(plan);
      bestContraction = candidate;
      bestCost = cost;
    }
  }
  if (std::unique_ptr<LibraryPlan> matmul = planMatmul(bestContraction))
    best->inner = std::move(matmul);
  bool copies = std::any_of(std::begin(best->copies), std::end(best->copies),
                            [](const Copy &copy) { return copy.elements != 0; });
  return copies ? std::move(best) : std::move(best->inner);
}
