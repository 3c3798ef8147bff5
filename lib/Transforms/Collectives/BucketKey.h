//===- BucketKey.h - which members may share a bucket -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_TRANSFORMS_COLLECTIVES_BUCKETKEY_H
#define DS_TRANSFORMS_COLLECTIVES_BUCKETKEY_H

#include "CollectiveGraph.h"

#include "ds/Dialect/IR/Roles.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace ds {

/// The parameters of a step and the bucket ids they carry.
class Parameters {
public:
  explicit Parameters(mlir::FunctionOpInterface step) {
    for (unsigned i = 0; i < step.getNumArguments(); ++i) {
      auto name = step.getArgAttrOfType<mlir::StringAttr>(i, role::param);
      if (!name)
        continue;
      number[name] = number.size();
      auto id = step.getArgAttrOfType<mlir::IntegerAttr>(i, role::fusion);
      ids.push_back(id ? std::optional<int64_t>(id.getInt()) : std::nullopt);
    }
  }

  int64_t count() const { return ids.size(); }

  /// Returns the first parameter that a member is the gradient of; none if it names none.
  std::optional<int64_t> of(const Member &member) const {
    std::optional<int64_t> first;
    for (mlir::Attribute name : member.names())
      if (auto found = number.find(name); found != number.end())
        first = std::min<int64_t>(first.value_or(found->second), found->second);
    return first;
  }

  std::optional<int64_t> explicitId(const Member &member) const {
    std::optional<int64_t> parameter = of(member);
    return parameter ? ids[*parameter] : std::nullopt;
  }

  /// Distinguishes MindSpore's two cases: if all parameters carry one id, it is discarded; if the
  /// ids differ, they override the indices.
  bool idsDiffer() const {
    return llvm::any_of(
        ids, [&](std::optional<int64_t> id) { return id.value_or(1) != ids.front().value_or(1); });
  }

private:
  llvm::DenseMap<mlir::Attribute, int64_t> number;
  std::vector<std::optional<int64_t>> ids;
};

/// Members with different keys never share a collective.
struct BucketKey {
  mlir::Block *block;
  unsigned segment;
  mlir::Attribute group;
  std::optional<ReductionKind> kind;
  mlir::Type wireType;
  Purpose purpose;
  std::optional<int64_t> split, concat;

  /// Returns why members of the two keys share no collective; empty if the keys are equal.
  llvm::StringRef difference(const BucketKey &other) const {
    if (block != other.block)
      return "the next one is in another block";
    if (segment != other.segment)
      return "an operation with effects is before the next one";
    if (group != other.group)
      return "the next one has another group of ranks";
    if (kind != other.kind)
      return "the next one is another reduction";
    if (wireType != other.wireType)
      return "the next one has another wire type";
    if (purpose != other.purpose)
      return "the next one has another purpose";
    if (split != other.split || concat != other.concat)
      return "the next one divides another dimension";
    return "";
  }
  bool operator==(const BucketKey &other) const { return difference(other).empty(); }
};

} // namespace ds

#endif // DS_TRANSFORMS_COLLECTIVES_BUCKETKEY_H
