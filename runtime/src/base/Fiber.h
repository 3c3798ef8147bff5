//===- Fiber.h - A function that runs in pieces on its caller's thread -----===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BASE_FIBER_H
#define DSRT_SRC_BASE_FIBER_H

#include <cstddef>
#include <functional>
#include <memory>

namespace dsrt {

/// A stack of its own for a body that hands control back wherever it would wait, and goes on there
/// when it gets it again. Follows swapcontext of POSIX.1-2001. One thread at a time.
class Fiber {
public:
  /// Throws std::bad_alloc without memory for the stack. No exception may leave the body.
  explicit Fiber(std::function<void()> body);
  /// The body has ended.
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Runs the body until it yields or ends.
  void resume();
  /// In the body: back to resume().
  void yield();
  bool ended() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace dsrt

#endif // DSRT_SRC_BASE_FIBER_H
