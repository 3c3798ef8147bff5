//===- CudnnGraph.cpp - What cuDNN's descriptors describe -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CudnnGraph.h"

#include <algorithm>

namespace fake::cudnn {

Handles &descriptors() {
  static auto *made = new Handles;
  return *made;
}
Descriptor *finished(void *handle, int kind) {
  auto *found = descriptors().has(handle) ? static_cast<Descriptor *>(handle) : nullptr;
  return found && found->kind == kind && found->final ? found : nullptr;
}

/// A scaling factor, which may be of either float type.
static double factor(const Descriptor &operation, int name, double otherwise) {
  auto found = operation.attributes.find(name);
  if (found == operation.attributes.end())
    return otherwise;
  return found->second.type == doubleType ? operation.one<double>(name)
                                          : operation.one<float>(name);
}

int makeTensor(void *handle, Tensor &out, int64_t &id) {
  const Descriptor *tensor = finished(handle, tensorKind);
  if (!tensor)
    return notFinalized;
  switch (tensor->one<int>(901, -1)) {
  case 0:
    out.type = Scalar::f32;
    break;
  case 2:
    out.type = Scalar::f16;
    break;
  case 9:
    out.type = Scalar::bf16;
    break;
  default:
    return dataType;
  }
  out.sizes = tensor->list<int64_t>(902);
  out.strides = tensor->list<int64_t>(903);
  id = tensor->one<int64_t>(906);
  return success;
}

int makeOperation(const Descriptor &operation, Operation &out) {
  // Where each kind has its factor, sum, description, weights, and x and y.
  struct Names {
    int alpha, beta, description, w, x, y;
    Convolution::Wanted wanted;
  };
  static const std::map<int, Names> all = {
      {forwardKind, {700, 701, 702, 703, 704, 705, Convolution::Wanted::y}},
      {dataGradientKind, {706, 707, 708, 709, 710, 711, Convolution::Wanted::x}},
      {filterGradientKind, {712, 713, 714, 715, 716, 717, Convolution::Wanted::w}}};
  auto found = all.find(operation.kind);
  if (found == all.end())
    return graphPattern;
  const Names &names = found->second;
  const Descriptor *how = finished(operation.one<void *>(names.description), convolutionKind);
  if (!how)
    return notFinalized;
  Convolution &made = out.convolution;
  made.wanted = names.wanted;
  made.alpha = factor(operation, names.alpha, 1);
  made.beta = factor(operation, names.beta, 0);
  made.dilations = how->list<int64_t>(102);
  made.strides = how->list<int64_t>(103);
  made.after = how->list<int64_t>(104);
  made.before = how->list<int64_t>(105);
  if (how->one<int64_t>(106) != static_cast<int64_t>(made.strides.size()))
    return badParameter;
  if (how->one<int>(100, -1) != 0 || how->one<int>(101, -1) != 1)
    return notSupported; // sums in f32, and cross-correlation
  const std::pair<int, std::pair<Tensor *, int64_t *>> tensors[] = {
      {names.x, {&made.x, &out.x}}, {names.w, {&made.w, &out.w}}, {names.y, {&made.y, &out.y}}};
  for (auto &[name, where] : tensors)
    if (int status = makeTensor(operation.one<void *>(name), *where.first, *where.second);
        status != success)
      return status;
  for (auto &[name, where] : tensors)
    out.alignment = std::max<uint64_t>(
        out.alignment, finished(operation.one<void *>(name), tensorKind)->one<int64_t>(900));
  if (made.x.type != made.y.type || made.w.type != made.y.type)
    return notSupported; // as cuDNN 9.19, which then has no engine
  return made.fits() ? success : shapeMismatch;
}

int operationOf(void *graph, Operation &out) {
  const Descriptor *found = finished(graph, graphKind);
  if (!found)
    return notFinalized;
  const std::vector<void *> operations = found->list<void *>(801);
  if (operations.size() != 1)
    return graphPattern;
  if (!descriptors().has(operations[0]) || !static_cast<Descriptor *>(operations[0])->final)
    return notFinalized;
  return makeOperation(*static_cast<Descriptor *>(operations[0]), out);
}

const Descriptor *engineOf(const Descriptor &configured) {
  const Descriptor *config = configured.kind == configKind
                                 ? &configured
                                 : finished(configured.one<void *>(401), configKind);
  return config ? finished(config->one<void *>(300), engineKind) : nullptr;
}

void *graphOfPlan(const Descriptor &plan) {
  const Descriptor *engine = engineOf(plan);
  return engine ? engine->one<void *>(1300) : nullptr;
}

} // namespace fake::cudnn
