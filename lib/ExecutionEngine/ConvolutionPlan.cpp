//===- ConvolutionPlan.cpp - Convolutions of the library --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activations are read and written as they lie; the library chooses the layout of the weights and
// they are reordered on every call, because its fast kernels exist for its own layouts only (2 to 9
// times faster on the recorded steps) and weights are small. Primitives are shared by all ranks;
// memory objects, which hold addresses, belong to one rank.
//
//===----------------------------------------------------------------------===//
#include "DnnlObjects.h"
#include "LibraryPlan.h"

using namespace ds;

namespace {

class ConvolutionPlan final : public LibraryPlan {
public:
  static std::unique_ptr<LibraryPlan> create(const Convolution &convolution);
  ~ConvolutionPlan() override {
    for (dnnl_primitive_t primitive : {main, reorder})
      if (primitive)
        dnnl_primitive_destroy(primitive);
  }
  size_t scratchBytes() const override {
    return alignedSize(scratchpad) + (reorder ? alignedSize(libraryWeights) : 0);
  }
  std::unique_ptr<LibraryCall> instantiate() const override;

  Convolution convolution;
  dnnl_memory_desc_t source, destination, userWeights, libraryWeights, scratchpad;
  dnnl_primitive_t main = nullptr, reorder = nullptr;
};

struct ConvolutionCall final : LibraryCall {
  explicit ConvolutionCall(const ConvolutionPlan &plan)
      : plan(plan), source(plan.source), destination(plan.destination),
        userWeights(plan.userWeights), libraryWeights(plan.libraryWeights),
        scratchpad(plan.scratchpad) {}
  void run(const float *lhs, const float *rhs, float *out, char *scratch) override;

  const ConvolutionPlan &plan;
  Stream stream;
  Memory source, destination, userWeights, libraryWeights, scratchpad;
};

bool describe(const std::vector<int64_t> &sizes, const std::vector<int64_t> &strides,
              dnnl_memory_desc_t &desc) {
  return dnnl_memory_desc_init_by_strides(&desc, sizes.size(), sizes.data(), dnnl_f32,
                                          strides.data()) == dnnl_success;
}

std::unique_ptr<LibraryPlan> ConvolutionPlan::create(const Convolution &c) {
  auto plan = std::make_unique<ConvolutionPlan>();
  plan->convolution = c;
  if (!describe(c.sourceSizes, c.sourceStrides, plan->source) ||
      !describe(c.destinationSizes, c.destinationStrides, plan->destination) ||
      !describe(c.weightsSizes, c.weightsStrides, plan->userWeights))
    return nullptr;
  dnnl_memory_desc_t any;
  check(
      dnnl_memory_desc_init_by_tag(&any, 4, c.weightsSizes.data(), dnnl_f32, dnnl_format_tag_any));
  const int64_t *stride = c.stride.data(), *dilation = c.dilation.data();
  const int64_t *left = c.paddingLeft.data(), *right = c.paddingRight.data();

  dnnl_primitive_attr_t attributes;
  check(dnnl_primitive_attr_create(&attributes));
  check(dnnl_primitive_attr_set_scratchpad_mode(attributes, dnnl_scratchpad_mode_user));
  dnnl_convolution_desc_t forward, desc;
  dnnl_primitive_desc_t hint = nullptr, chosen = nullptr;
  dnnl_status_t status = dnnl_dilated_convolution_forward_desc_init(
      &forward, dnnl_forward_training, dnnl_convolution_direct, &plan->source, &any, nullptr,
      &plan->destination, stride, dilation, left, right);
  if (status == dnnl_success)
    status = dnnl_primitive_desc_create(&hint, &forward, attributes, cpuEngine(), nullptr);
  if (status == dnnl_success && c.kind == Convolution::sourceGradient)
    status = dnnl_dilated_convolution_backward_data_desc_init(
        &desc, dnnl_convolution_direct, &plan->source, &any, &plan->destination, stride, dilation,
        left, right);
  else if (status == dnnl_success && c.kind == Convolution::weightsGradient)
    status = dnnl_dilated_convolution_backward_weights_desc_init(
        &desc, dnnl_convolution_direct, &plan->source, &any, nullptr, &plan->destination, stride,
        dilation, left, right);
  if (status == dnnl_success && c.kind != Convolution::forward)
    status = dnnl_primitive_desc_create(&chosen, &desc, attributes, cpuEngine(), hint);
  check(dnnl_primitive_attr_destroy(attributes));
  dnnl_primitive_desc_t used = c.kind == Convolution::forward ? hint : chosen;
  if (status == dnnl_success)
    status = dnnl_primitive_create(&plan->main, used);
  if (status == dnnl_success) {
    bool isGradient = c.kind == Convolution::weightsGradient;
    plan->libraryWeights = *dnnl_primitive_desc_query_md(
        used, isGradient ? dnnl_query_diff_weights_md : dnnl_query_weights_md, 0);
    plan->scratchpad = *dnnl_primitive_desc_query_md(used, dnnl_query_scratchpad_md, 0);
    if (!dnnl_memory_desc_equal(&plan->libraryWeights, &plan->userWeights)) {
      const dnnl_memory_desc_t &from = isGradient ? plan->libraryWeights : plan->userWeights;
      const dnnl_memory_desc_t &to = isGradient ? plan->userWeights : plan->libraryWeights;
      dnnl_primitive_desc_t reorderDesc = nullptr;
      status = dnnl_reorder_primitive_desc_create(&reorderDesc, &from, cpuEngine(), &to,
                                                  cpuEngine(), nullptr);
      if (status == dnnl_success)
        status = dnnl_primitive_create(&plan->reorder, reorderDesc);
      if (reorderDesc)
        dnnl_primitive_desc_destroy(reorderDesc);
    }
  }
  for (dnnl_primitive_desc_t primitiveDesc : {hint, chosen})
    if (primitiveDesc)
      dnnl_primitive_desc_destroy(primitiveDesc);
  return status == dnnl_success ? std::move(plan) : nullptr;
}

std::unique_ptr<LibraryCall> ConvolutionPlan::instantiate() const {
  return std::make_unique<ConvolutionCall>(*this);
}

void ConvolutionCall::run(const float *lhs, const float *rhs, float *out, char *scratch) {
  const Convolution &c = plan.convolution;
  lhs += c.lhsOffset, rhs += c.rhsOffset, out += c.outOffset;
  bool isForward = c.kind == Convolution::forward, ofSource = c.kind == Convolution::sourceGradient,
       ofWeights = c.kind == Convolution::weightsGradient;
  // The windowed operand is lhs: the source, or for the source's gradient the destination.
  (ofSource ? destination : source).set(lhs);
  (ofWeights ? destination : userWeights).set(rhs);
  (isForward ? destination : ofSource ? source : userWeights).set(out);
  scratchpad.set(scratch);
  libraryWeights.set(scratch + alignedSize(plan.scratchpad));
  auto reorder = [&](const Memory &from, const Memory &to) {
    dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, from.get()}, {DNNL_ARG_TO, to.get()}};
    check(dnnl_primitive_execute(plan.reorder, stream.get(), 2, arguments));
  };
  if (plan.reorder && !ofWeights)
    reorder(userWeights, libraryWeights);
  const Memory &weights = plan.reorder ? libraryWeights : userWeights;
  dnnl_exec_arg_t arguments[] = {
      {ofSource ? DNNL_ARG_DIFF_SRC : DNNL_ARG_SRC, source.get()},
      {ofWeights ? DNNL_ARG_DIFF_WEIGHTS : DNNL_ARG_WEIGHTS, weights.get()},
      {isForward ? DNNL_ARG_DST : DNNL_ARG_DIFF_DST, destination.get()},
      {DNNL_ARG_SCRATCHPAD, scratchpad.get()}};
  check(dnnl_primitive_execute(plan.main, stream.get(), 4, arguments));
  if (plan.reorder && ofWeights)
    reorder(libraryWeights, userWeights);
}

} // namespace

std::unique_ptr<LibraryPlan> ds::planConvolution(const Convolution &convolution) {
  return ConvolutionPlan::create(convolution);
}
