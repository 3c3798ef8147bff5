//===- ConvolutionPlan.cpp - Convolutions of the library --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library has fast code for few layouts: its own (blocks of channels), and channels last with
// its own weights. Everything else is `gemm`, several times slower, or a reference, hundreds of
// times slower. So tensors are reordered into the layout of the fast code and back, which costs
// little beside the convolution. Which layout is tried first follows from shapes alone, never from
// a measurement, so that every compilation of a step computes the same bits. Primitives are shared
// by all ranks; memory objects, which hold addresses, belong to one rank.
//
//===----------------------------------------------------------------------===//
#include "DnnlObjects.h"
#include "LibraryPlan.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

using namespace ds;

namespace {

enum class Layout { librarys, channelsLast, channelsFirst };

/// Source, weights and destination of a primitive.
enum Role { source, weights, destination, numRoles };

Role resultOf(Convolution::Kind kind) {
  return kind == Convolution::forward          ? destination
         : kind == Convolution::sourceGradient ? source
                                               : weights;
}

/// Sizes and strides as the library counts: groups are part of the channels of activations, and
/// the first dimension of weights. A dimension of size 1 may have any stride; the widest never
/// makes a tensor overlap itself.
struct Described {
  llvm::SmallVector<int64_t, 6> sizes, strides;

  static Described activation(const Convolution &c, const Convolution::Tensor &tensor) {
    Described result{{tensor.sizes.begin(), tensor.sizes.end()},
                     {tensor.strides.begin(), tensor.strides.end()}};
    if (c.groups > 1) {
      if (tensor.sizes[1] == 1)
        result.strides[1] = tensor.groupStride;
      result.sizes[1] *= c.groups;
    }
    result.widenUnits();
    return result;
  }
  static Described weights(const Convolution &c) {
    Described result{{c.weights.sizes.begin(), c.weights.sizes.end()},
                     {c.weights.strides.begin(), c.weights.strides.end()}};
    if (c.groups > 1) {
      result.sizes.insert(result.sizes.begin(), c.groups);
      result.strides.insert(result.strides.begin(), c.weights.groupStride);
    }
    result.widenUnits();
    return result;
  }

  void widenUnits() {
    int64_t widest = 1;
    for (auto [size, stride] : llvm::zip(sizes, strides))
      if (size > 1)
        widest = std::max(widest, size * stride);
    for (auto [size, stride] : llvm::zip(sizes, strides))
      if (size == 1)
        stride = widest;
  }

  /// True if the elements are dense in this order of dimensions, outermost first.
  bool isDense(llvm::ArrayRef<unsigned> order) const {
    int64_t expected = 1;
    for (unsigned d : llvm::reverse(order)) {
      if (sizes[d] > 1 && strides[d] != expected)
        return false;
      expected *= sizes[d];
    }
    return true;
  }

  /// Returns false for views that the library takes for overlapping ones: every second row of an
  /// odd number reaches into the stride of the next sample.
  [[nodiscard]] bool strided(dnnl_memory_desc_t &desc) const {
    return dnnl_memory_desc_init_by_strides(&desc, sizes.size(), sizes.data(), dnnl_f32,
                                            strides.data()) == dnnl_success;
  }
  dnnl_memory_desc_t tagged(dnnl_format_tag_t tag) const {
    dnnl_memory_desc_t desc;
    check(dnnl_memory_desc_init_by_tag(&desc, sizes.size(), sizes.data(), dnnl_f32, tag));
    return desc;
  }
};

/// Returns the order of (sample, channel, positions..) in a layout, outermost first.
llvm::SmallVector<unsigned> orderOf(Layout layout, size_t dimensions) {
  llvm::SmallVector<unsigned> order = {0};
  if (layout == Layout::channelsFirst)
    order.push_back(1);
  for (size_t d = 0; d < dimensions; ++d)
    order.push_back(2 + d);
  if (layout == Layout::channelsLast)
    order.push_back(1);
  return order;
}

dnnl_format_tag_t tagOf(Layout layout, size_t dimensions) {
  if (layout == Layout::librarys)
    return dnnl_format_tag_any;
  const dnnl_format_tag_t first[] = {dnnl_ncw, dnnl_nchw, dnnl_ncdhw},
                          last[] = {dnnl_nwc, dnnl_nhwc, dnnl_ndhwc};
  return (layout == Layout::channelsFirst ? first : last)[dimensions - 1];
}

class ConvolutionPlan final : public LibraryPlan {
public:
  /// Makes a plan; null if the library refuses, or runs a reference.
  static std::unique_ptr<ConvolutionPlan> create(const Convolution &convolution, Layout layout);
  /// Generates the code.
  [[nodiscard]] bool finish();

  size_t scratchBytes() const override {
    size_t bytes = alignedSize(scratchpad);
    for (const Tensor &tensor : tensors)
      bytes += tensor.reorder ? alignedSize(tensor.inner) : 0;
    return bytes;
  }
  std::string implementation() const override {
    std::string name = "convolution " + desc.implementation().str();
    for (auto [letter, tensor] : llvm::zip("swd", tensors))
      if (tensor.reorder)
        name += std::string(" ") + letter;
    return name;
  }
  std::unique_ptr<LibraryCall> instantiate() const override;

  bool isGemm() const { return desc.implementation().contains("gemm"); }
  /// True if the code is for channels alone; other implementations take them by whole blocks.
  bool isDepthwise() const { return desc.implementation().contains("_dw"); }
  /// Returns the bytes of activations that are copied around the convolution.
  size_t reorderedBytes() const {
    size_t bytes = 0;
    for (Role role : {source, destination})
      if (!dnnl_memory_desc_equal(&tensors[role].user, &tensors[role].inner))
        bytes += dnnl_memory_desc_get_size(&tensors[role].inner);
    return bytes;
  }

  struct Tensor {
    dnnl_memory_desc_t user, inner; // as it is stored, and as the primitive takes it
    Primitive reorder;              // between the two; null if they are one
  };
  Convolution::Kind kind;
  int64_t lhsOffset, rhsOffset, outOffset;
  std::array<Tensor, numRoles> tensors;
  dnnl_memory_desc_t scratchpad;
  PrimitiveDesc desc;
  Primitive primitive;
};

struct ConvolutionCall final : LibraryCall {
  explicit ConvolutionCall(const ConvolutionPlan &plan)
      : plan(plan), user{Memory(plan.tensors[source].user), Memory(plan.tensors[weights].user),
                         Memory(plan.tensors[destination].user)},
        inner{Memory(plan.tensors[source].inner), Memory(plan.tensors[weights].inner),
              Memory(plan.tensors[destination].inner)},
        scratchpad(plan.scratchpad) {}
  void run(const float *lhs, const float *rhs, float *out, char *scratch) override;

  const ConvolutionPlan &plan;
  Stream stream;
  std::array<Memory, numRoles> user, inner;
  Memory scratchpad;
};

std::unique_ptr<ConvolutionPlan> ConvolutionPlan::create(const Convolution &c, Layout layout) {
  // Of activations the library wants groups and channels as one dimension.
  for (const Convolution::Tensor *tensor : {&c.source, &c.destination})
    if (c.groups > 1 && tensor->sizes[1] > 1 &&
        tensor->groupStride != tensor->sizes[1] * tensor->strides[1])
      return nullptr;
  llvm::SmallVector<int64_t> right, dilation;
  for (size_t d = 0; d < c.dimensions(); ++d) {
    dilation.push_back(c.dilation[d] - 1);
    right.push_back((c.destination.sizes[2 + d] - 1) * c.stride[d] +
                    (c.weights.sizes[2 + d] - 1) * c.dilation[d] + 1 - c.source.sizes[2 + d] -
                    c.padding[d]);
    // Positions that a stride leaves over at the end are not padding.
    if (c.padding[d] < 0 || right.back() <= -c.stride[d])
      return nullptr;
  }
  auto plan = std::make_unique<ConvolutionPlan>();
  plan->kind = c.kind;
  plan->lhsOffset = c.lhsOffset, plan->rhsOffset = c.rhsOffset, plan->outOffset = c.outOffset;
  bool describable = true;
  auto describe = [&](Role role, const Described &described) {
    Tensor &tensor = plan->tensors[role];
    describable &= described.strided(tensor.user);
    if (role == weights)
      return described.tagged(dnnl_format_tag_any);
    // A dense tensor of a known layout is described as the library would describe it, so that the
    // two compare equal.
    for (Layout known : {Layout::channelsFirst, Layout::channelsLast})
      if (described.isDense(orderOf(known, c.dimensions()))) {
        tensor.user = described.tagged(tagOf(known, c.dimensions()));
        if (known == layout)
          break; // one channel, or one position: dense in both
      }
    return described.tagged(tagOf(layout, c.dimensions()));
  };
  const std::array<dnnl_memory_desc_t, numRoles> wanted = {
      describe(source, Described::activation(c, c.source)),
      describe(weights, Described::weights(c)),
      describe(destination, Described::activation(c, c.destination))};

  if (!describable)
    return nullptr;
  dnnl_convolution_desc_t forward, gradient;
  dnnl_primitive_attr_t attributes;
  check(dnnl_primitive_attr_create(&attributes));
  check(dnnl_primitive_attr_set_scratchpad_mode(attributes, dnnl_scratchpad_mode_user));
  PrimitiveDesc hint; // a gradient's descriptor takes the forward convolution as a hint
  dnnl_status_t status = dnnl_dilated_convolution_forward_desc_init(
      &forward, dnnl_forward_training, dnnl_convolution_direct, &wanted[source], &wanted[weights],
      nullptr, &wanted[destination], c.stride.data(), dilation.data(), c.padding.data(),
      right.data());
  if (status == dnnl_success)
    status = dnnl_primitive_desc_create(hint.receive(), &forward, attributes, cpuEngine(), nullptr);
  if (status == dnnl_success && c.kind == Convolution::sourceGradient)
    status = dnnl_dilated_convolution_backward_data_desc_init(
        &gradient, dnnl_convolution_direct, &wanted[source], &wanted[weights], &wanted[destination],
        c.stride.data(), dilation.data(), c.padding.data(), right.data());
  else if (status == dnnl_success && c.kind == Convolution::weightsGradient)
    status = dnnl_dilated_convolution_backward_weights_desc_init(
        &gradient, dnnl_convolution_direct, &wanted[source], &wanted[weights], nullptr,
        &wanted[destination], c.stride.data(), dilation.data(), c.padding.data(), right.data());
  if (c.kind == Convolution::forward)
    plan->desc = std::move(hint);
  else if (status == dnnl_success)
    status = dnnl_primitive_desc_create(plan->desc.receive(), &gradient, attributes, cpuEngine(),
                                        hint.get());
  check(dnnl_primitive_attr_destroy(attributes));
  if (status != dnnl_success || plan->desc.implementation().starts_with("ref"))
    return nullptr;
  const dnnl_query_t queries[][numRoles] = {
      {dnnl_query_src_md, dnnl_query_weights_md, dnnl_query_dst_md},
      {dnnl_query_diff_src_md, dnnl_query_weights_md, dnnl_query_diff_dst_md},
      {dnnl_query_src_md, dnnl_query_diff_weights_md, dnnl_query_diff_dst_md}};
  for (Role role : {source, weights, destination})
    plan->tensors[role].inner = plan->desc.layout(queries[c.kind][role]);
  plan->scratchpad = plan->desc.layout(dnnl_query_scratchpad_md);
  return plan;
}

bool ConvolutionPlan::finish() {
  for (Role role : {source, weights, destination}) {
    Tensor &tensor = tensors[role];
    if (dnnl_memory_desc_equal(&tensor.user, &tensor.inner))
      continue;
    bool isResult = role == resultOf(kind);
    PrimitiveDesc reorder;
    if (dnnl_reorder_primitive_desc_create(
            reorder.receive(), isResult ? &tensor.inner : &tensor.user, cpuEngine(),
            isResult ? &tensor.user : &tensor.inner, cpuEngine(), nullptr) != dnnl_success ||
        !tensor.reorder.make(reorder))
      return false;
  }
  return primitive.make(desc);
}

std::unique_ptr<LibraryCall> ConvolutionPlan::instantiate() const {
  return std::make_unique<ConvolutionCall>(*this);
}

void ConvolutionCall::run(const float *lhs, const float *rhs, float *out, char *scratch) {
  Role result = resultOf(plan.kind);
  // The windowed operand is lhs: the source, or for the source's gradient the destination.
  Role left = result == source ? destination : source,
       right = result == weights ? destination : weights;
  user[left].set(lhs + plan.lhsOffset);
  user[right].set(rhs + plan.rhsOffset);
  user[result].set(out + plan.outOffset);
  scratchpad.set(scratch);
  scratch += alignedSize(plan.scratchpad);
  auto reorder = [&](Role role, const Memory &from, const Memory &to) {
    dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, from.get()}, {DNNL_ARG_TO, to.get()}};
    check(dnnl_primitive_execute(plan.tensors[role].reorder.get(), stream.get(), 2, arguments));
  };
  for (Role role : {source, weights, destination})
    if (plan.tensors[role].reorder) {
      inner[role].set(scratch);
      scratch += alignedSize(plan.tensors[role].inner);
      if (role != result)
        reorder(role, user[role], inner[role]);
    }
  auto taken = [&](Role role) { return (plan.tensors[role].reorder ? inner : user)[role].get(); };
  dnnl_exec_arg_t arguments[] = {
      {result == source ? DNNL_ARG_DIFF_SRC : DNNL_ARG_SRC, taken(source)},
      {result == weights ? DNNL_ARG_DIFF_WEIGHTS : DNNL_ARG_WEIGHTS, taken(weights)},
      {result == destination ? DNNL_ARG_DST : DNNL_ARG_DIFF_DST, taken(destination)},
      {DNNL_ARG_SCRATCHPAD, scratchpad.get()}};
  check(dnnl_primitive_execute(plan.primitive.get(), stream.get(), 4, arguments));
  if (plan.tensors[result].reorder)
    reorder(result, inner[result], user[result]);
}

/// True for images so small that the weights' reorder costs more than the convolution: they are
/// products of weights as they are stored. Measured (docs/Rationale/Convolutions.md).
bool isTiny(const Convolution &c) {
  int64_t samples = c.destination.sizes[0], positions = 1;
  bool within2 = true, within4 = true;
  for (int64_t size : llvm::drop_begin(c.destination.sizes, 2)) {
    positions *= size;
    within2 &= size <= 2, within4 &= size <= 4;
  }
  return c.groups == 1 && std::min(c.weights.sizes[0], c.weights.sizes[1]) >= 256 &&
         ((within2 && samples * positions <= 128) ||
          (within4 && c.kind == Convolution::weightsGradient));
}

int64_t product(llvm::ArrayRef<int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>());
}

/// Returns the layouts to try, best first; a later one is taken if the ones before it are only
/// `gemm`.
llvm::SmallVector<Layout> layoutsOf(const Convolution &c) {
  // Where the two activations differ, the larger one decides: it is copied least.
  int64_t last = 0, other = 0;
  for (const Convolution::Tensor *tensor : {&c.source, &c.destination}) {
    Described activation = Described::activation(c, *tensor);
    bool liesLast = activation.isDense(orderOf(Layout::channelsLast, c.dimensions()));
    (liesLast ? last : other) += product(activation.sizes);
  }
  bool smallImage = llvm::all_of(llvm::drop_begin(c.destination.sizes, 2),
                                 [](int64_t size) { return size <= 4; });
  bool wide = std::min(c.weights.sizes[0], c.weights.sizes[1]) >= 256;
  bool depthwise = c.groups > 1 && c.source.sizes[1] == 1;
  if ((last > other && !(c.kind == Convolution::forward && smallImage && wide)) ||
      (depthwise && c.kind == Convolution::sourceGradient))
    return {Layout::channelsLast, Layout::librarys, Layout::channelsFirst};
  return {Layout::librarys, Layout::channelsLast, Layout::channelsFirst};
}

} // namespace

std::unique_ptr<LibraryPlan> ds::planConvolution(const Convolution &c) {
  if (isTiny(c))
    return planUnfold(c);
  // An image's gradient has fewer channels than a vector has elements: for those gemm is the fast
  // one.
  bool fewChannels =
      c.kind == Convolution::sourceGradient && c.groups == 1 && c.source.sizes[1] <= 4;
  if (fewChannels)
    if (auto plan = ConvolutionPlan::create(c, Layout::channelsFirst); plan && plan->finish())
      return plan;
  llvm::SmallVector<std::unique_ptr<ConvolutionPlan>> slow;
  for (Layout layout : layoutsOf(c)) {
    auto plan = ConvolutionPlan::create(c, layout);
    if (!plan)
      continue;
    if (!plan->isGemm() && (!isDepthwiseGradient(c) || plan->isDepthwise()) && plan->finish())
      return plan;
    if (plan->isGemm())
      slow.push_back(std::move(plan));
  }
  if (std::unique_ptr<LibraryPlan> ours = planDepthwiseGradient(c))
    return ours;
  llvm::stable_sort(
      slow, [](const auto &a, const auto &b) { return a->reorderedBytes() < b->reorderedBytes(); });
  for (std::unique_ptr<ConvolutionPlan> &plan : slow)
    if (plan->finish())
      return std::move(plan);
  return planUnfold(c);
}
