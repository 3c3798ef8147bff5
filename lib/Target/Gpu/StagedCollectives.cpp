//===- StagedCollectives.cpp - Exchanges of a GPU's buffers -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If the runtime can queue, it gets the device's own buffers. Else they are copied to the host,
// exchanged there by the ranks' backend, and copied back: sums have the bits of ranks on CPUs. A
// result that is an operand as well is one buffer twice; each call waits for the copies before it.
//
//===----------------------------------------------------------------------===//
#include "StagedCollectives.h"

#include "dsrt/dsrt.h"

#include "llvm/ADT/ArrayRef.h"

using namespace ds;
using namespace ds::gpu;

static thread_local Exchanges *current = nullptr;

UseExchanges::UseExchanges(Exchanges &exchanges) { current = &exchanges; }
UseExchanges::~UseExchanges() { current = nullptr; }

namespace {

/// The copies of one call.
class Exchange {
public:
  /// Returns addresses on the host of `count` buffers, each of `times` as many elements as the call
  /// names.
  template <typename Pointer>
  std::vector<Pointer> stage(int64_t count, Pointer const *buffers, const int64_t *elements,
                             dsrt_dtype dtype, int64_t times, bool isOperand, bool isResult) {
    std::vector<Pointer> addresses;
    for (int64_t i = 0; i < count; ++i) {
      StagedBuffer buffer;
      buffer.device = reinterpret_cast<DevicePointer>(buffers[i]);
      buffer.host.resize(elements[i] * times * dsrt_dtype_size(dtype));
      buffer.isResult = isResult;
      if (isOperand)
        current->queue.download(buffer.host.data(), buffer.device, buffer.host.size());
      addresses.push_back(buffer.host.data());
      staged.push_back(std::move(buffer)); // a vector's heap memory does not move with it
    }
    return addresses;
  }
  void wait() { current->wait(); }
  /// Copies results back to the device.
  void finish() { copyBack(staged); }
  void keepUntilWait(dsrt_pending *pending) {
    if (pending)
      current->started[pending] = std::move(staged);
  }
  static void copyBack(const std::vector<StagedBuffer> &buffers) {
    for (const StagedBuffer &buffer : buffers)
      if (buffer.isResult)
        current->queue.upload(buffer.device, buffer.host.data(), buffer.host.size());
    current->wait();
  }

private:
  std::vector<StagedBuffer> staged;
};

/// Makes a call whose buffers the runtime moves in place.
template <typename Call> dsrt_status queueCall(Call call) {
  current->before();
  dsrt_status status = call();
  current->after();
  return status;
}
template <typename Call> dsrt_status queueExchange(Call call) {
  current->begins();
  return queueCall(call);
}

int64_t sizeOf(dsrt_context *context, dsrt_group group) {
  int32_t size = 1;
  return dsrt_group_size(context, group, &size) == DSRT_OK ? size : 1;
}

/// The elements of an operand and of a result, as multiples of those that the call names.
struct Times {
  int64_t input, output;
};

/// Makes one call of inputs and outputs, blocking or as a start.
template <typename Call>
dsrt_status exchange(int64_t count, const void *const *inputs, void *const *outputs,
                     const int64_t *elements, dsrt_dtype dtype, Times times, Call call,
                     dsrt_pending **pending = nullptr) {
  if (!current->areStaged)
    return queueExchange([&] { return call(inputs, outputs); });
  Exchange staged;
  auto in = staged.stage(count, inputs, elements, dtype, times.input, true, false);
  auto out = staged.stage(count, outputs, elements, dtype, times.output, false, true);
  staged.wait();
  dsrt_status status = call(in.data(), out.data());
  if (pending)
    staged.keepUntilWait(*pending);
  else
    staged.finish();
  return status;
}

/// Does the same in place.
template <typename Call>
dsrt_status exchangeInPlace(int64_t count, void *const *buffers, const int64_t *elements,
                            dsrt_dtype dtype, Call call, dsrt_pending **pending = nullptr) {
  if (!current->areStaged)
    return queueExchange([&] { return call(buffers); });
  Exchange staged;
  auto moved = staged.stage(count, buffers, elements, dtype, 1, true, true);
  staged.wait();
  dsrt_status status = call(moved.data());
  if (pending)
    staged.keepUntilWait(*pending);
  else
    staged.finish();
  return status;
}

dsrt_status allReduce(dsrt_context *context, int64_t count, void *const *buffers,
                      const int64_t *elements, dsrt_dtype dtype, dsrt_reduction reduction,
                      dsrt_group group) {
  return exchangeInPlace(count, buffers, elements, dtype, [&](void *const *moved) {
    return dsrt_all_reduce(context, count, moved, elements, dtype, reduction, group);
  });
}

dsrt_status allReduceStart(dsrt_context *context, int64_t count, void *const *buffers,
                           const int64_t *elements, dsrt_dtype dtype, dsrt_reduction reduction,
                           dsrt_group group, dsrt_pending **pending) {
  return exchangeInPlace(
      count, buffers, elements, dtype,
      [&](void *const *moved) {
        return dsrt_all_reduce_start(context, count, moved, elements, dtype, reduction, group,
                                     pending);
      },
      pending);
}

dsrt_status reduceScatter(dsrt_context *context, int64_t count, const void *const *inputs,
                          void *const *outputs, const int64_t *elements, dsrt_dtype dtype,
                          dsrt_reduction reduction, dsrt_group group) {
  return exchange(count, inputs, outputs, elements, dtype, {sizeOf(context, group), 1},
                  [&](const void *const *in, void *const *out) {
                    return dsrt_reduce_scatter(context, count, in, out, elements, dtype, reduction,
                                               group);
                  });
}

dsrt_status reduceScatterStart(dsrt_context *context, int64_t count, const void *const *inputs,
                               void *const *outputs, const int64_t *elements, dsrt_dtype dtype,
                               dsrt_reduction reduction, dsrt_group group, dsrt_pending **pending) {
  return exchange(
      count, inputs, outputs, elements, dtype, {sizeOf(context, group), 1},
      [&](const void *const *in, void *const *out) {
        return dsrt_reduce_scatter_start(context, count, in, out, elements, dtype, reduction, group,
                                         pending);
      },
      pending);
}

dsrt_status allGather(dsrt_context *context, int64_t count, const void *const *inputs,
                      void *const *outputs, const int64_t *elements, dsrt_dtype dtype,
                      dsrt_group group) {
  return exchange(count, inputs, outputs, elements, dtype, {1, sizeOf(context, group)},
                  [&](const void *const *in, void *const *out) {
                    return dsrt_all_gather(context, count, in, out, elements, dtype, group);
                  });
}

dsrt_status allGatherStart(dsrt_context *context, int64_t count, const void *const *inputs,
                           void *const *outputs, const int64_t *elements, dsrt_dtype dtype,
                           dsrt_group group, dsrt_pending **pending) {
  return exchange(
      count, inputs, outputs, elements, dtype, {1, sizeOf(context, group)},
      [&](const void *const *in, void *const *out) {
        return dsrt_all_gather_start(context, count, in, out, elements, dtype, group, pending);
      },
      pending);
}

dsrt_status allToAll(dsrt_context *context, int64_t count, const void *const *inputs,
                     void *const *outputs, const int64_t *elements, dsrt_dtype dtype,
                     dsrt_group group) {
  int64_t size = sizeOf(context, group);
  return exchange(count, inputs, outputs, elements, dtype, {size, size},
                  [&](const void *const *in, void *const *out) {
                    return dsrt_all_to_all(context, count, in, out, elements, dtype, group);
                  });
}

dsrt_status permute(dsrt_context *context, int64_t count, const void *const *inputs,
                    void *const *outputs, const int64_t *elements, dsrt_dtype dtype,
                    const int64_t *sources, dsrt_group group) {
  return exchange(count, inputs, outputs, elements, dtype, {1, 1},
                  [&](const void *const *in, void *const *out) {
                    return dsrt_collective_permute(context, count, in, out, elements, dtype,
                                                   sources, group);
                  });
}

dsrt_status broadcast(dsrt_context *context, int64_t count, void *const *buffers,
                      const int64_t *elements, dsrt_dtype dtype, int32_t root, dsrt_group group) {
  return exchangeInPlace(count, buffers, elements, dtype, [&](void *const *moved) {
    return dsrt_broadcast(context, count, moved, elements, dtype, root, group);
  });
}

dsrt_status wait(dsrt_context *context, dsrt_pending *pending) {
  if (!current->areStaged)
    return queueCall([&] { return dsrt_wait(context, pending); });
  dsrt_status status = dsrt_wait(context, pending);
  auto moved = current->started.find(pending);
  if (moved != current->started.end()) {
    Exchange::copyBack(moved->second);
    current->started.erase(moved);
  }
  return status;
}

template <typename F> NamedFunction named(const char *name, F *function) {
  return {name, reinterpret_cast<void *>(function)};
}

} // namespace

std::vector<NamedFunction> ds::gpu::exchangeFunctions() {
  return {named("dsrt_all_reduce", allReduce),
          named("dsrt_all_reduce_start", allReduceStart),
          named("dsrt_reduce_scatter", reduceScatter),
          named("dsrt_reduce_scatter_start", reduceScatterStart),
          named("dsrt_all_gather", allGather),
          named("dsrt_all_gather_start", allGatherStart),
          named("dsrt_all_to_all", allToAll),
          named("dsrt_collective_permute", permute),
          named("dsrt_broadcast", broadcast),
          named("dsrt_wait", wait)};
}
