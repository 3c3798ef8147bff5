//===- ConvolutionLoops.cpp - Loops of a convolution by class ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum has two readings:
//   forward:           samples a, source channels c, channels b, positions u, kernel v;
//   weights' gradient: samples c, source channels a, channels b, positions v, kernel u: I is the
//                      source, K the destination's gradient, O the weights'.
// Both are correct, but one of them is slow. The layout in memory shows which one was meant:
// samples are outside channels, and kernels outside positions or innermost.
//
//===----------------------------------------------------------------------===//
#include "ConvolutionLoops.h"

#include "llvm/ADT/STLExtras.h"

using namespace ds::convolution;
using llvm::SmallVector;

void Loops::merge() {
  for (SmallVector<Loop> &list : classes) {
    llvm::stable_sort(list, [](const Loop &a, const Loop &b) { return a.strides > b.strides; });
    for (unsigned i = 0; i + 1 < list.size();) {
      bool contiguous = true;
      for (Operand which : {image, kernel, result})
        contiguous &= list[i].strides[which] == list[i + 1].size * list[i + 1].strides[which];
      if (!contiguous) {
        ++i;
        continue;
      }
      list[i + 1].size *= list[i].size;
      list.erase(list.begin() + i);
    }
  }
}

/// Decides by a vote of the operands; extents decide a tie.
bool Loops::readForward() const {
  auto widest = [&](Class each, Operand which) {
    int64_t stride = 0;
    for (const Loop &loop : classes[each])
      stride = std::max(stride, loop.strides[which]);
    return stride;
  };
  auto outer = [](int64_t one, int64_t other) { return !one || !other ? 0 : one > other ? 1 : -1; };
  // Kernels of both layouts, OIHW and HWIO, against gradients of NCHW and NHWC.
  int64_t u = 0, v = 0, positions = 1, elements = 1;
  for (const Window &window : windows) {
    u = std::max(u, window.positions.strides[result]);
    v = std::max(v, window.elements.strides[kernel]);
    positions *= window.positions.size;
    elements *= window.elements.size;
  }
  int votes = outer(widest(imageResult, image), widest(imageKernel, image)); // positive: forward
  int64_t b = widest(kernelResult, kernel), c = widest(imageKernel, kernel);
  votes += v > std::max(b, c) ? c != 0 : outer(b, c);
  int64_t a = widest(imageResult, result);
  b = widest(kernelResult, result);
  votes -= u > std::max(a, b) ? a != 0 : outer(b, a);
  // A depthwise convolution has only one of the two.
  bool noResult = classes[imageResult].empty(), noKernel = classes[imageKernel].empty();
  if (votes == 0 && noResult != noKernel)
    return noKernel;
  return votes != 0 ? votes > 0 : positions >= elements;
}

bool Loops::spread() {
  if (classes[group].size() > 1 || classes[kernelResult].size() > 1)
    return false;
  for (Class each : {imageResult, imageKernel}) {
    SmallVector<Loop> &list = classes[each];
    llvm::stable_sort(
        list, [](const Loop &a, const Loop &b) { return a.strides[image] > b.strides[image]; });
    for (const Loop &loop : llvm::drop_begin(list, std::min<size_t>(list.size(), 1))) {
      Window window;
      (each == imageResult ? window.positions : window.elements) = loop;
      window.inImage = {loop.size, loop.strides[image]};
      window.inKernel = {each == imageKernel ? loop.size : 1, loop.strides[kernel]};
      windows.push_back(window);
    }
    list.truncate(std::min<size_t>(list.size(), 1));
  }
  return windows.size() <= 3;
}
