//===- MatmulPlan.cpp - Batched products as one call ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library's matmul primitive takes up to two batch loops and any strides. It is used where it
// beats a loop of single products: small matrices in a batch (attention), and a transposed right
// side. The choice depends on shapes only, never on a measurement, so that every compilation of a
// step computes the same bits.
//
//===----------------------------------------------------------------------===//
#include "ContractionLoops.h"
#include "DnnlObjects.h"

#include "llvm/ADT/StringRef.h"

using namespace ds;

namespace {

class MatmulPlan final : public LibraryPlan {
public:
  size_t scratchBytes() const override { return alignedSize(scratchpad); }
  std::string implementation() const override { return name; }
  std::unique_ptr<LibraryCall> instantiate() const override;

  bool swapped = false; // out is stored by columns: its transpose is rhs^T * lhs^T
  int64_t lhsOffset = 0, rhsOffset = 0, outOffset = 0;
  dnnl_memory_desc_t source, weights, destination, scratchpad;
  Primitive primitive;
  std::string name;
};

struct MatmulCall final : LibraryCall {
  explicit MatmulCall(const MatmulPlan &plan)
      : plan(plan), source(plan.source), weights(plan.weights), destination(plan.destination),
        scratchpad(plan.scratchpad) {}
  void run(const float *lhs, const float *rhs, float *out, char *scratch) override {
    lhs += plan.lhsOffset, rhs += plan.rhsOffset;
    source.set(plan.swapped ? rhs : lhs);
    weights.set(plan.swapped ? lhs : rhs);
    destination.set(out + plan.outOffset);
    scratchpad.set(scratch);
    dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, source.get()},
                                   {DNNL_ARG_WEIGHTS, weights.get()},
                                   {DNNL_ARG_DST, destination.get()},
                                   {DNNL_ARG_SCRATCHPAD, scratchpad.get()}};
    check(dnnl_primitive_execute(plan.primitive.get(), stream.get(), 4, arguments));
  }
  const MatmulPlan &plan;
  Stream stream;
  Memory source, weights, destination, scratchpad;
};

std::unique_ptr<LibraryCall> MatmulPlan::instantiate() const {
  return std::make_unique<MatmulCall>(*this);
}

/// Describes one operand: batch sizes and strides, then its two matrix dimensions.
bool describe(const std::vector<Loop> &batches, int64_t Loop::*operand, int64_t rowsSize,
              int64_t rowStride, int64_t columnsSize, int64_t columnStride,
              dnnl_memory_desc_t &desc) {
  std::vector<int64_t> sizes, strides;
  for (const Loop &loop : batches) {
    sizes.push_back(loop.size);
    strides.push_back(loop.*operand);
  }
  sizes.insert(sizes.end(), {rowsSize, columnsSize});
  strides.insert(strides.end(), {rowStride, columnStride});
  return dnnl_memory_desc_init_by_strides(&desc, sizes.size(), sizes.data(), dnnl_f32,
                                          strides.data()) == dnnl_success;
}

} // namespace

std::unique_ptr<LibraryPlan> ds::planMatmul(const StridedContraction &contraction) {
  ClassedLoops loops = classify(contraction);
  if (loops[batch].size() > 2 || loops[rows].size() != 1 || loops[columns].size() != 1 ||
      loops[depth].size() != 1)
    return nullptr;
  Loop m = loops[rows][0], n = loops[columns][0], k = loops[depth][0];
  auto plan = std::make_unique<MatmulPlan>();
  plan->swapped = n.out != 1;
  int64_t Loop::*left = &Loop::lhs, Loop::*right = &Loop::rhs;
  if (plan->swapped) {
    std::swap(m, n);
    std::swap(left, right);
  }
  if (n.out != 1 || (m.*left != 1 && k.*left != 1) || (k.*right != 1 && n.*right != 1))
    return nullptr;
  bool rightTransposed = n.*right != 1, leftTransposed = k.*left != 1;
  if (loops[batch].empty() && (!rightTransposed || leftTransposed))
    return nullptr;
  if (!describe(loops[batch], left, m.size, m.*left, k.size, k.*left, plan->source) ||
      !describe(loops[batch], right, k.size, k.*right, n.size, n.*right, plan->weights) ||
      !describe(loops[batch], &Loop::out, m.size, m.out, n.size, 1, plan->destination))
    return nullptr;
  plan->lhsOffset = contraction.lhsOffset;
  plan->rhsOffset = contraction.rhsOffset;
  plan->outOffset = contraction.outOffset;

  dnnl_matmul_desc_t desc;
  if (dnnl_matmul_desc_init(&desc, &plan->source, &plan->weights, nullptr, &plan->destination) !=
      dnnl_success)
    return nullptr;
  dnnl_primitive_attr_t attributes;
  check(dnnl_primitive_attr_create(&attributes));
  check(dnnl_primitive_attr_set_scratchpad_mode(attributes, dnnl_scratchpad_mode_user));
  if (contraction.accumulate) {
    dnnl_post_ops_t sum;
    check(dnnl_post_ops_create(&sum));
    check(dnnl_post_ops_append_sum(sum, 1.0f));
    check(dnnl_primitive_attr_set_post_ops(attributes, sum));
    check(dnnl_post_ops_destroy(sum));
  }
  PrimitiveDesc primitiveDesc;
  dnnl_status_t status =
      dnnl_primitive_desc_create(primitiveDesc.receive(), &desc, attributes, cpuEngine(), nullptr);
  check(dnnl_primitive_attr_destroy(attributes));
  // The other implementations pack more than single products do.
  if (status != dnnl_success || !primitiveDesc.implementation().starts_with("brg") ||
      !plan->primitive.make(primitiveDesc))
    return nullptr;
  plan->scratchpad = primitiveDesc.layout(dnnl_query_scratchpad_md);
  plan->name = "matmul " + primitiveDesc.implementation().str();
  return plan;
}
