//===- Ptx.h - PTX executed on the CPU --------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An interpreter of the PTX that ds ships, with no LLVM and no CUDA in it. All threads of a block
// run an instruction together; threads at different places form groups, and the group that is
// furthest behind runs first, so that ways join again. Blocks run in random order.
//
// What a device does silently or not at all is a finding here, one sentence with the kernel, the
// line of PTX, block and thread: accesses outside of an allocation or not aligned, races between
// threads of a block, barriers that not all threads reach, shuffles with absent threads, a byte
// that two blocks touch and one of them writes, values that nothing has written, loops without end.
//
// Results have the bits of a device: every operation that is not rounded to nearest by IEEE 754
// (.approx, .full, a product and a sum that may be fused) is refused when the text is read.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_PTX_PTX_H
#define DSRT_TEST_FAKES_PTX_PTX_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fake::ptx {

/// The text is not PTX, or holds what the interpreter does not know: "line 12: ..".
struct ParseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What is wrong with a launch.
struct Finding : std::runtime_error {
  enum class Kind { address, alignment, other };
  Finding(Kind kind, const std::string &text) : std::runtime_error(text), kind(kind) {}
  Kind kind;
};

struct Region;

/// The memory of a device.
class Memory {
public:
  virtual ~Memory() = default;
  /// The allocation that holds `address`; null if none does. It stays valid during a launch.
  virtual Region *find(uint64_t address) = 0;
};

struct Dim {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

struct Launch {
  Dim grid, block;
  /// One entry for each parameter, of its size.
  std::vector<std::string> arguments;
  uint64_t seed = 0;                   // of the order of blocks
  uint64_t budget = uint64_t(1) << 40; // thread-instructions until it counts as endless
};

struct Kernel;

class Module {
public:
  /// Throws ParseError.
  static std::shared_ptr<const Module> parse(std::string text);
  virtual ~Module() = default;

  virtual std::vector<std::string> kernels() const = 0;
  /// Null if there is no such kernel.
  virtual const Kernel *kernel(std::string_view name) const = 0;
};

/// The bytes of each parameter, in order.
std::vector<size_t> parameterSizes(const Kernel &kernel);
/// 0 if the kernel does not say.
uint32_t maxThreads(const Kernel &kernel);

/// Runs a launch to its end; the number of thread-instructions. Throws Finding.
uint64_t run(const Kernel &kernel, const Launch &launch, Memory &memory);

} // namespace fake::ptx

#endif // DSRT_TEST_FAKES_PTX_PTX_H
