//===- Product.cpp - A product of matrices as cuBLASLt means it -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Product.h"

#include "FakeDevice.h"
#include "ptx/Formats.h"
#include "ptx/Region.h"

#include <algorithm>
#include <vector>

namespace fake {

size_t bytesOf(Scalar type) { return type == Scalar::f32 ? 4 : 2; }

float loadScalar(Scalar type, const char *data) {
  if (type == Scalar::f32)
    return ptx::bitCast<float>(*reinterpret_cast<const uint32_t *>(data));
  const auto bits = *reinterpret_cast<const uint16_t *>(data);
  return static_cast<float>(type == Scalar::f16 ? ptx::F16::load(bits) : ptx::BF16::load(bits));
}

void storeScalar(Scalar type, char *data, double value) {
  if (type == Scalar::f32)
    *reinterpret_cast<float *>(data) = static_cast<float>(value);
  else
    *reinterpret_cast<uint16_t *>(data) =
        type == Scalar::f16 ? ptx::F16::store(value) : ptx::BF16::store(value);
}

float roundedToTf32(float value) {
  return ptx::bitCast<float>(
      static_cast<uint32_t>(ptx::roundTo(8, 10, value, ptx::Rounding::nearest) << 13));
}

namespace {

/// Where the host finds a matrix; null, with the reason, unless all of it is memory.
char *reachMatrix(const Matrix &matrix, int32_t index, const char *name, std::string &wrong) {
  const uint64_t address = matrix.at(index);
  char *data = address ? reach(reinterpret_cast<void *>(address), matrix.span()) : nullptr;
  if (!data || address % bytesOf(matrix.type)) {
    wrong = std::string("a product whose matrix ") + name + " is not device memory of " +
            std::to_string(matrix.span()) + " bytes, or not aligned";
    return nullptr;
  }
  return data;
}

/// All elements, a column after the other; empty, with the reason, if one was never written.
std::vector<float> read(const Matrix &matrix, int32_t index, const char *name, bool tf32,
                        std::string &wrong) {
  const char *data = reachMatrix(matrix, index, name, wrong);
  if (!data)
    return {};
  const uint64_t address = matrix.at(index);
  ptx::Region *region = regionAt(reinterpret_cast<void *>(address));
  const uint8_t *written = region->written + (address - region->begin);
  const size_t each = bytesOf(matrix.type);
  std::vector<float> values;
  values.reserve(matrix.rows * matrix.columns);
  for (uint64_t column = 0; column < matrix.columns; ++column) {
    const size_t from = column * static_cast<size_t>(matrix.leading) * each;
    if (std::find(written + from, written + from + matrix.rows * each, 0) !=
        written + from + matrix.rows * each) {
      wrong = std::string("a product reads elements of matrix ") + name +
              " that nothing has written, in column " + std::to_string(column);
      return {};
    }
    for (uint64_t row = 0; row < matrix.rows; ++row) {
      const float value = loadScalar(matrix.type, data + from + row * each);
      values.push_back(tf32 ? roundedToTf32(value) : value);
    }
  }
  return values;
}

/// One matrix of the batch.
std::string multiplyOne(const Product &product, int32_t index) {
  std::string wrong;
  const std::vector<float> a = read(product.a, index, "A", product.tf32, wrong),
                           b = wrong.empty() ? read(product.b, index, "B", product.tf32, wrong)
                                             : std::vector<float>(),
                           c = wrong.empty() && product.beta != 0
                                   ? read(product.c, index, "C", false, wrong)
                                   : std::vector<float>();
  Matrix biasVector{product.d.type, product.d.rows, 1, int64_t(product.d.rows), 1, 0,
                    false,          product.bias};
  const std::vector<float> bias = wrong.empty() && product.bias
                                      ? read(biasVector, 0, "of the bias", false, wrong)
                                      : std::vector<float>();
  // Strides are the library's to look at.
  const Matrix *const all[] = {&product.a, &product.b, &product.c, &product.d};
  for (size_t i = 0; i < 4; ++i)
    if (wrong.empty() && all[i]->at(all[i]->pointerArray ? index : 0) % product.alignments[i] != 0)
      wrong = std::string("a product whose algorithm was chosen for addresses of ") + "ABCD"[i] +
              " that are multiples of " + std::to_string(product.alignments[i]) + " bytes";
  char *d = wrong.empty() ? reachMatrix(product.d, index, "D", wrong) : nullptr;
  if (!d)
    return wrong;
  const uint64_t m = product.d.rows, n = product.d.columns;
  const uint64_t k = product.transposeA ? product.a.rows : product.a.columns;
  // From a term of the sum to the next.
  const uint64_t stepA = product.transposeA ? 1 : m, stepB = product.transposeB ? n : 1;
  const size_t each = bytesOf(product.d.type);
  for (uint64_t column = 0; column < n; ++column) {
    const size_t offset = column * static_cast<size_t>(product.d.leading) * each;
    for (uint64_t row = 0; row < m; ++row) {
      const float *left = a.data() + (product.transposeA ? row * k : row);
      const float *right = b.data() + (product.transposeB ? column : column * k);
      double sum = 0;
      for (uint64_t term = 0; term < k; ++term)
        sum += static_cast<double>(left[term * stepA]) * right[term * stepB];
      sum *= product.alpha;
      if (product.beta != 0)
        sum += static_cast<double>(product.beta) * c[column * m + row];
      if (product.bias)
        sum += bias[row];
      if (product.relu)
        sum = std::max(sum, 0.0);
      storeScalar(product.d.type, d + offset + row * each, sum);
    }
    markWritten(reinterpret_cast<void *>(product.d.at(index) + offset), m * each);
  }
  return "";
}

} // namespace

size_t Matrix::span() const {
  return ((columns - 1) * static_cast<size_t>(leading) + rows) * bytesOf(type);
}

uint64_t Matrix::at(int32_t index) const {
  if (!pointerArray)
    return address + static_cast<uint64_t>(index * stride) * bytesOf(type);
  const char *entry = reach(reinterpret_cast<void *>(address + uint64_t(index) * 8), 8);
  return entry ? *reinterpret_cast<const uint64_t *>(entry) : 0;
}

bool Product::fits() const {
  const uint64_t k = transposeA ? a.rows : a.columns;
  for (const Matrix *matrix : {&a, &b, &c, &d})
    if (matrix->rows == 0 || matrix->columns == 0 ||
        matrix->leading < static_cast<int64_t>(matrix->rows) || matrix->batch != d.batch ||
        matrix->batch < 1)
      return false;
  // Matrices of the result must not be the same memory.
  if (d.batch > 1 && !d.pointerArray && d.stride == 0)
    return false;
  return (transposeA ? a.columns : a.rows) == d.rows && c.rows == d.rows &&
         (transposeB ? b.rows : b.columns) == d.columns && c.columns == d.columns &&
         (transposeB ? b.columns : b.rows) == k;
}

std::string multiply(const Product &product) {
  for (int32_t index = 0; index < product.d.batch; ++index)
    if (std::string wrong = multiplyOne(product, index); !wrong.empty())
      return wrong;
  return "";
}

} // namespace fake
