//===- Sequence.h - The buffers of a call as one row of elements -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_SEQUENCE_H
#define DSRT_SRC_BACKENDS_SEQUENCE_H

#include "dsrt/backend.h"

#include <algorithm>
#include <vector>

namespace dsrt {

/// Elements [from, to) of a sequence.
struct Range {
  int64_t from, to;
  int64_t elements() const { return std::max<int64_t>(0, to - from); }
  /// Returns the `index`-th piece of so many elements; the last ones are shorter, or empty.
  Range piece(int64_t index, int64_t elements) const {
    return {std::min(to, from + index * elements), std::min(to, from + (index + 1) * elements)};
  }
};

class Sequence {
public:
  /// The outputs of a call.
  explicit Sequence(const dsrt_call &call) : size(dsrt_dtype_size(call.dtype)) {
    for (int64_t b = 0; b < call.n_buffers; ++b)
      append(static_cast<char *>(call.outputs[b]), call.elements[b]);
  }
  Sequence(char *data, int64_t elements, int64_t elementSize) : size(elementSize) {
    append(data, elements);
  }
  /// No elements yet.
  explicit Sequence(int64_t elementSize) : size(elementSize) {}
  void append(char *data, int64_t elements) {
    if (elements > 0)
      runs.push_back({data, total, elements});
    total += std::max<int64_t>(0, elements);
  }

  int64_t elements() const { return total; }

  /// Returns the elements that the m-th of `parts` members reduces; whole cache lines but the last.
  Range share(int32_t m, int32_t parts) const {
    const int64_t line = std::max<int64_t>(1, 64 / size);
    const int64_t elements = ((total + parts - 1) / parts + line - 1) / line * line;
    return {std::min(total, elements * m), std::min(total, elements * (m + 1))};
  }

  /// Calls `visit(data, elements, elements before it)` for each run of memory in a range.
  template <typename Visit> void each(Range range, Visit visit) const {
    for (const Run &run : runs) {
      const int64_t begin = std::max(range.from, run.begin),
                    end = std::min(range.to, run.begin + run.elements);
      if (begin < end)
        visit(run.data + (begin - run.begin) * size, end - begin, begin - range.from);
    }
  }

private:
  struct Run {
    char *data;
    int64_t begin, elements;
  };

  std::vector<Run> runs;
  const int64_t size;
  int64_t total = 0;
};

} // namespace dsrt

#endif // DSRT_SRC_BACKENDS_SEQUENCE_H
