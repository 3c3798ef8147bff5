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

/// A convolution in one to three dimensions and the buffers that it works on.
struct ConvolutionForm {
  mlir::Value lhs, rhs,
      out; // forward: source, weights, destination; as the library call takes them
  mlir::DictionaryAttr plan; // what the engine needs to know
};

/// Recognises a contraction on buffers as a convolution, whatever the order of its dimensions.
/// Zero padding, dilation by zeros, reversal and transposes that copies made are undone: the result
/// reads what they were made from. Null plan if it is none. With `unitWindows` the gradient of
/// weights of one element is one, too, where samples and positions make no single loop of a
/// product.
ConvolutionForm recognizeConvolution(mlir::linalg::GenericOp op, bool unitWindows = false);

} // namespace ds

#endif // DS_CONVERSION_DRIVER_CONVOLUTIONFORM_H
