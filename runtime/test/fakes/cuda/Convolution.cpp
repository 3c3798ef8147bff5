//===- Convolution.cpp - A convolution as cuDNN means it --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Convolution.h"

#include "Product.h"

#include "FakeDevice.h"
#include "ptx/Region.h"

#include <algorithm>

namespace fake {
namespace {

/// The element of a tensor at a place in row-major order.
int64_t offsetOf(const Tensor &tensor, int64_t index) {
  int64_t offset = 0;
  for (size_t dim = tensor.sizes.size(); dim-- > 0;) {
    offset += index % tensor.sizes[dim] * tensor.strides[dim];
    index /= tensor.sizes[dim];
  }
  return offset;
}

/// Where the host finds a tensor; null, with the reason, unless all of it is memory.
char *reachTensor(const Tensor &tensor, const char *name, std::string &wrong) {
  int64_t last = 0;
  for (size_t dim = 0; dim < tensor.sizes.size(); ++dim)
    last += (tensor.sizes[dim] - 1) * tensor.strides[dim];
  const size_t bytes = static_cast<size_t>(last + 1) * bytesOf(tensor.type);
  char *data = reach(reinterpret_cast<void *>(tensor.address), bytes);
  if (!data || tensor.address % bytesOf(tensor.type))
    wrong = std::string("a convolution whose ") + name + " is not device memory of " +
            std::to_string(bytes) + " bytes, or not aligned";
  return wrong.empty() ? data : nullptr;
}

/// All elements in row-major order; `wrong` says why not.
std::vector<float> read(const Tensor &tensor, const char *name, std::string &wrong) {
  const char *data = wrong.empty() ? reachTensor(tensor, name, wrong) : nullptr;
  std::vector<float> values;
  if (!data)
    return values;
  ptx::Region *region = regionAt(reinterpret_cast<void *>(tensor.address));
  const uint8_t *written = region->written + (tensor.address - region->begin);
  const size_t each = bytesOf(tensor.type);
  for (int64_t index = 0; index < tensor.count(); ++index) {
    const size_t at = static_cast<size_t>(offsetOf(tensor, index)) * each;
    if (std::find(written + at, written + at + each, 0) != written + at + each) {
      wrong = std::string("a convolution reads element ") + std::to_string(index) + " of its " +
              name + ", which nothing has written";
      return values;
    }
    values.push_back(loadScalar(tensor.type, data + at));
  }
  return values;
}

/// Counts through sizes, the last one fastest; false at the end.
bool next(std::vector<int64_t> &index, const std::vector<int64_t> &sizes) {
  for (size_t dim = sizes.size(); dim-- > 0;) {
    if (++index[dim] < sizes[dim])
      return true;
    index[dim] = 0;
  }
  return false;
}

/// Every product of the convolution: `visit` gets the row-major places in x, w and y.
template <typename Visit> void forEachTerm(const Convolution &convolution, Visit visit) {
  const Tensor &x = convolution.x, &w = convolution.w, &y = convolution.y;
  const size_t spatial = convolution.strides.size();
  const int64_t groups = x.sizes[1] / w.sizes[1], outputsOfGroup = w.sizes[0] / groups;
  std::vector<int64_t> atY(y.sizes.size());
  int64_t placeY = 0;
  do {
    const int64_t group = atY[1] / outputsOfGroup;
    std::vector<int64_t> window(w.sizes.begin() + 1, w.sizes.end());
    std::vector<int64_t> atW(window.size());
    do {
      int64_t placeX = atY[0] * x.sizes[1] + group * w.sizes[1] + atW[0], placeW = atY[1];
      bool inside = true;
      for (size_t dim = 0; dim < spatial; ++dim) {
        const int64_t at = atY[dim + 2] * convolution.strides[dim] +
                           atW[dim + 1] * convolution.dilations[dim] - convolution.before[dim];
        inside &= at >= 0 && at < x.sizes[dim + 2];
        placeX = placeX * x.sizes[dim + 2] + at;
      }
      for (size_t dim = 0; dim < window.size(); ++dim)
        placeW = placeW * window[dim] + atW[dim];
      if (inside)
        visit(placeX, placeW, placeY);
    } while (next(atW, window));
    ++placeY;
  } while (next(atY, y.sizes));
}

} // namespace

int64_t Tensor::count() const {
  int64_t product = 1;
  for (int64_t size : sizes)
    product *= size;
  return product;
}

bool Convolution::fits() const {
  const size_t rank = x.sizes.size(), spatial = strides.size();
  if (rank < 3 || rank != spatial + 2 || w.sizes.size() != rank || y.sizes.size() != rank ||
      dilations.size() != spatial || before.size() != spatial || after.size() != spatial)
    return false;
  for (const Tensor *tensor : {&x, &w, &y})
    if (tensor->strides.size() != rank ||
        std::any_of(tensor->sizes.begin(), tensor->sizes.end(), [](int64_t n) { return n < 1; }) ||
        std::any_of(tensor->strides.begin(), tensor->strides.end(),
                    [](int64_t n) { return n < 0; }))
      return false;
  if (x.sizes[1] % w.sizes[1] || w.sizes[0] % (x.sizes[1] / w.sizes[1]) ||
      y.sizes[0] != x.sizes[0] || y.sizes[1] != w.sizes[0])
    return false;
  for (size_t dim = 0; dim < spatial; ++dim) {
    if (strides[dim] < 1 || dilations[dim] < 1 || before[dim] < 0 || after[dim] < 0)
      return false;
    const int64_t room =
        x.sizes[dim + 2] + before[dim] + after[dim] - ((w.sizes[dim + 2] - 1) * dilations[dim] + 1);
    if (room < 0 || y.sizes[dim + 2] != room / strides[dim] + 1)
      return false;
  }
  return true;
}

std::string convolve(const Convolution &convolution) {
  using Wanted = Convolution::Wanted;
  const Wanted wanted = convolution.wanted;
  std::string wrong;
  auto readUnless = [&](bool isWanted, const Tensor &tensor, const char *name) {
    std::vector<float> values = isWanted ? std::vector<float>() : read(tensor, name, wrong);
    if (convolution.tf32)
      std::transform(values.begin(), values.end(), values.begin(), roundedToTf32);
    return values;
  };
  const std::vector<float> x = readUnless(wanted == Wanted::x, convolution.x, "input"),
                           w = readUnless(wanted == Wanted::w, convolution.w, "weights"),
                           y = readUnless(wanted == Wanted::y, convolution.y, "output");
  const Tensor &result = wanted == Wanted::x   ? convolution.x
                         : wanted == Wanted::w ? convolution.w
                                               : convolution.y;
  const std::vector<float> before =
      convolution.beta != 0 ? read(result, "result", wrong) : std::vector<float>();
  char *data = wrong.empty() ? reachTensor(result, "result", wrong) : nullptr;
  if (!data)
    return wrong;
  std::vector<double> sums(static_cast<size_t>(result.count()));
  forEachTerm(convolution, [&](int64_t atX, int64_t atW, int64_t atY) {
    switch (wanted) {
    case Wanted::y:
      sums[atY] += static_cast<double>(x[atX]) * w[atW];
      break;
    case Wanted::x:
      sums[atX] += static_cast<double>(y[atY]) * w[atW];
      break;
    case Wanted::w:
      sums[atW] += static_cast<double>(y[atY]) * x[atX];
      break;
    }
  });
  const size_t each = bytesOf(result.type);
  for (size_t index = 0; index < sums.size(); ++index) {
    const size_t at = static_cast<size_t>(offsetOf(result, static_cast<int64_t>(index))) * each;
    double value = sums[index] * convolution.alpha;
    if (convolution.beta != 0)
      value += convolution.beta * before[index];
    storeScalar(result.type, data + at, value);
    markWritten(reinterpret_cast<void *>(result.address + at), each);
  }
  return "";
}

} // namespace fake
