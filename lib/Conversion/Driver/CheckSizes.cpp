//===- CheckSizes.cpp - Refuse tensors of too many bytes --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over the values of a module; each type is checked once. All later passes multiply sizes
// of tensors as if they could not overflow.
//
//===----------------------------------------------------------------------===//
#include "Utils/Buffers.h"

#include "ds/Conversion/Passes.h"
#include "ds/Plan/ByteSize.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace ds {
#define GEN_PASS_DEF_CHECKSIZESPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

struct CheckSizes final : ds::impl::CheckSizesPassBase<CheckSizes> {
  void runOnOperation() override {
    DenseMap<Type, bool> known;
    auto fits = [&](Type type) {
      auto [it, isNew] = known.try_emplace(type, true);
      if (isNew)
        if (auto shaped = dyn_cast<ShapedType>(type); shaped && shaped.hasRank()) {
          // A dynamic size counts as 1: the product of the static ones is checked.
          SmallVector<int64_t> sizes = llvm::map_to_vector(shaped.getShape(), [](int64_t size) {
            return ShapedType::isDynamic(size) ? int64_t(1) : size;
          });
          it->second =
              ds::checkedByteSize(sizes, ds::elementBytes(shaped.getElementType())).has_value();
        }
      return it->second;
    };
    auto check = [&](Type type, Location loc) {
      if (fits(type))
        return true;
      emitError(loc) << type << " is too large, expected at most 2^48 bytes";
      return false;
    };
    WalkResult walked = getOperation()->walk([&](Operation *op) {
      auto function = dyn_cast<FunctionOpInterface>(op);
      if (function && !llvm::all_of(llvm::concat<const Type>(function.getArgumentTypes(),
                                                             function.getResultTypes()),
                                    [&](Type type) { return check(type, op->getLoc()); }))
        return WalkResult::interrupt();
      for (Type type : op->getResultTypes())
        if (!check(type, op->getLoc()))
          return WalkResult::interrupt();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            if (!check(argument.getType(), argument.getLoc()))
              return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
