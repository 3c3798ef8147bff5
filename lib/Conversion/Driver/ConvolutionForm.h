//===- ConvolutionForm.h - Contractions that are convolutions ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_DRIVER_CONVOLUTIONFORM_H
#define DS_CONVERSION_DRIVER_CONVOLUTIONFORM_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ds {

/// A convolution in one to three dimensions and its buffers.
struct ConvolutionForm {
  mlir::Value lhs, rhs,
      out; // forward: source, weights, destination; as the library call takes them
  mlir::DictionaryAttr plan; // the parameters for the engine
};

/// Recognises a contraction on buffers as a convolution, in any order of its dimensions. The result
/// reads the sources of copies that pad or dilate by zeros, reverse or transpose. The plan is null
/// if the contraction is no convolution. With `unitWindows` the gradient of weights of one element
/// is one, too, unless samples and positions are a single loop of a product.
ConvolutionForm recognizeConvolution(mlir::linalg::GenericOp op, bool unitWindows = false);

} // namespace ds

#endif // DS_CONVERSION_DRIVER_CONVOLUTIONFORM_H
