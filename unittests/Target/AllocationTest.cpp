//===- AllocationTest.cpp - A step allocates nothing ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library's allocation functions are replaced by ones that count. What oneDNN takes for its
// own bookkeeping inside one call it gives back in that call, so a step with contractions is
// checked for growth of what is taken and not given back. (mallinfo2 would not do: it counts freed
// blocks that a thread keeps at hand as taken.)
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"

#include <atomic>
#include <malloc.h>

using namespace ds;

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)

static std::atomic<int64_t> allocations{0};
static std::atomic<int64_t> bytesTaken{0};

static void *taken(void *block) {
  ++allocations;
  bytesTaken += malloc_usable_size(block);
  return block;
}

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);
void *malloc(size_t bytes) { return taken(__libc_malloc(bytes)); }
void *calloc(size_t count, size_t bytes) { return taken(__libc_calloc(count, bytes)); }
void *realloc(void *old, size_t bytes) {
  size_t before = malloc_usable_size(old);
  void *block = __libc_realloc(old, bytes);
  if (block || bytes == 0)
    bytesTaken -= before;
  return taken(block);
}
void *memalign(size_t alignment, size_t bytes) { return taken(__libc_memalign(alignment, bytes)); }
void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void **out, size_t alignment, size_t bytes) {
  *out = memalign(alignment, bytes);
  return *out ? 0 : 12;
}
void free(void *block) {
  bytesTaken -= malloc_usable_size(block);
  __libc_free(block);
}
}

namespace {

/// w' = w - 0.5 * max(w * x, 0) summed over a loop of three, so that temporaries, a reduction and
/// control flow occur.
const char *const kKernelsOnly = R"(
#v = affine_map<(d0) -> (d0)>
#s = affine_map<(d0) -> ()>
func.func @step(%w: tensor<1024xf32> {ds.param = "w"}, %x: tensor<1024xf32>)
    -> (tensor<1024xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "norm"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %w) -> tensor<1024xf32> {
    %e = tensor.empty() : tensor<1024xf32>
    %n = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
        ins(%a, %x : tensor<1024xf32>, tensor<1024xf32>) outs(%e : tensor<1024xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %m = arith.mulf %p, %q : f32
      %t = math.tanh %m : f32
      %h = arith.mulf %t, %half : f32
      %d = arith.subf %p, %h : f32
      linalg.yield %d : f32
    } -> tensor<1024xf32>
    scf.yield %n : tensor<1024xf32>
  }
  %es = tensor.empty() : tensor<f32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<f32>) -> tensor<f32>
  %norm = linalg.generic {indexing_maps = [#v, #s], iterator_types = ["reduction"]}
      ins(%r : tensor<1024xf32>) outs(%fs : tensor<f32>) {
  ^bb0(%p: f32, %o: f32):
    %m = arith.mulf %p, %p : f32
    %d = arith.addf %o, %m : f32
    linalg.yield %d : f32
  } -> tensor<f32>
  return %r, %norm : tensor<1024xf32>, tensor<f32>
}
)";

TEST(Allocation, StepOfKernelsAllocatesNothing) {
  auto step = compileText(kKernelsOnly);
  ASSERT_TRUE(step);
  auto instance = step->instantiate();
  set(*instance, 0, std::vector<float>(1024, 1.0f));
  set(*instance, 1, std::vector<float>(1024, 1.0f));
  instance->run(nullptr);
  int64_t before = allocations;
  for (int i = 0; i < 10; ++i)
    instance->run(nullptr);
  EXPECT_EQ(allocations - before, 0);
  EXPECT_GT(result(*instance, 1, 1)[0], 0.0f);
}

TEST(Allocation, TheCounterCounts) {
  int64_t before = allocations;
  std::vector<float> *values = new std::vector<float>(4096);
  EXPECT_GE(allocations - before, 2);
  int64_t held = bytesTaken;
  delete values;
  EXPECT_LE(bytesTaken - held, -4096 * int64_t(sizeof(float)));
}

TEST(Allocation, StepWithContractionsDoesNotGrow) {
  auto step = compileText(R"(
func.func @step(%w: tensor<96x96xf32> {ds.param = "w"}, %x: tensor<96x96xf32>) -> (tensor<96x96xf32> {ds.updates = "w"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<96x96xf32>) -> tensor<96x96xf32>
  %r = linalg.matmul ins(%w, %x : tensor<96x96xf32>, tensor<96x96xf32>) outs(%f : tensor<96x96xf32>) -> tensor<96x96xf32>
  return %r : tensor<96x96xf32>
}
)");
  ASSERT_TRUE(step);
  auto instance = step->instantiate();
  for (int i = 0; i < 3; ++i)
    instance->run(nullptr);
  int64_t before = bytesTaken;
  for (int i = 0; i < 100; ++i)
    instance->run(nullptr);
  EXPECT_EQ(bytesTaken - before, 0);
}

} // namespace

#endif
