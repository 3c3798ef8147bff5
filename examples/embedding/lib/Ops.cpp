//===- Ops.cpp - The nn dialect ---------------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The letters of a contraction are its loops, in the order in which they come.
//
//===----------------------------------------------------------------------===//
#include "nn/Nn.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

#include "nn/NnDialect.cpp.inc"

#define GET_OP_CLASSES
#include "nn/NnOps.cpp.inc"

void nn::NnDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "nn/NnOps.cpp.inc"
      >();
}

SmallVector<AffineMap> nn::ContractOp::getMaps() {
  auto [operands, result] = getSubscripts().split("->");
  auto [lhs, rhs] = operands.split(',');
  llvm::MapVector<char, unsigned> loops;
  for (char letter : (lhs + rhs).str())
    loops.insert({letter, loops.size()});
  SmallVector<AffineMap> maps;
  for (StringRef letters : {lhs, rhs, result}) {
    SmallVector<unsigned> positions;
    for (char letter : letters) {
      if (letter < 'a' || letter > 'z' || !loops.count(letter) ||
          llvm::is_contained(positions, loops[letter]))
        return {};
      positions.push_back(loops[letter]);
    }
    maps.push_back(AffineMap::getMultiDimMapWithTargets(loops.size(), positions, getContext()));
  }
  return maps;
}

LogicalResult nn::ContractOp::verify() {
  SmallVector<AffineMap> maps = getMaps();
  if (maps.empty())
    return emitOpError("has the subscripts '")
           << getSubscripts() << "', expected letters as in 'bi,io->bo', each once in an operand";
  llvm::DenseMap<unsigned, int64_t> sizes;
  RankedTensorType types[] = {getLhs().getType(), getRhs().getType(), getType()};
  for (auto [map, type] : llvm::zip_equal(maps, types)) {
    if (map.getNumResults() != type.getRank())
      return emitOpError("has ") << map.getNumResults() << " subscripts for " << type;
    for (auto [dim, size] : llvm::enumerate(type.getShape())) {
      int64_t known = sizes.insert({map.getDimPosition(dim), size}).first->second;
      if (known != size)
        return emitOpError("has a dimension that is ") << known << " and " << size << " long";
    }
  }
  return success();
}
