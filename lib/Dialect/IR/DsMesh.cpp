//===- DsMesh.cpp - Groups of ranks -----------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank is a number in mixed radix whose digits are its coordinates in the mesh, the last axis
// fastest. A group of axes is the ranks that differ in these digits alone.
//
//===----------------------------------------------------------------------===//
#include "ConfigKeys.h"
#include "ds/Dialect/IR/Ds.h"

using namespace mlir;

namespace ds {

/// Returns the value of a key in the module around `op`, if it is written.
static Attribute configured(Operation *op, StringRef key) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  Attribute attr = module ? module->getAttr(configAttrName) : Attribute();
  auto config = dyn_cast_if_present<ConfigAttr>(attr);
  auto values = config ? config.getValues() : dyn_cast_if_present<DictionaryAttr>(attr);
  return values ? values.get(key) : Attribute();
}

std::vector<MeshAxis> getMesh(Operation *op) {
  auto text = dyn_cast_if_present<StringAttr>(configured(op, "mesh"));
  auto mesh = text ? detail::meshAxes(text.getValue()) : std::nullopt;
  return mesh.value_or(std::vector<MeshAxis>());
}

std::string getBatchAxis(Operation *op) {
  std::vector<MeshAxis> mesh = getMesh(op);
  return mesh.empty() ? "dp" : mesh.front().name;
}

std::optional<SmallVector<AxisDigit>> getAxisDigits(Operation *op, ArrayAttr axes) {
  SmallVector<AxisDigit> digits;
  int64_t stride = 1;
  std::vector<MeshAxis> mesh = getMesh(op);
  for (const MeshAxis &axis : llvm::reverse(mesh)) {
    if (llvm::any_of(axes.getAsRange<StringAttr>(),
                     [&](StringAttr name) { return name.getValue() == axis.name; }))
      digits.push_back({axis.size, stride});
    stride *= axis.size;
  }
  std::reverse(digits.begin(), digits.end());
  return digits.size() == axes.size() ? std::optional(digits) : std::nullopt;
}

std::optional<int64_t> getGroupSize(Operation *op, Attribute group) {
  if (auto ranks = dyn_cast_if_present<DenseI64ArrayAttr>(group))
    return ranks.size();
  if (auto axes = dyn_cast_if_present<ArrayAttr>(group)) {
    std::optional<SmallVector<AxisDigit>> digits = getAxisDigits(op, axes);
    if (!digits)
      return std::nullopt;
    int64_t size = 1;
    for (const AxisDigit &digit : *digits)
      size *= digit.size;
    return size;
  }
  auto ranks = dyn_cast_if_present<IntegerAttr>(configured(op, "device_num"));
  return ranks ? ranks.getValue().trySExtValue() : std::nullopt;
}

} // namespace ds
