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

/// Runs a body on a stack of its own. The body hands control back wherever it would wait, and
/// continues there when it is resumed. Follows swapcontext of POSIX.1-2001. One thread at a time.
class Fiber {
public:
  /// Throws std::bad_alloc if there is no memory for the stack. No exception may leave the body.
  explicit Fiber(std::function<void()> body);
  /// The body must have ended.
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Runs the body until it yields or ends.
  void resume();
  /// In the body: returns control to resume().
  void yield();
  bool ended() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace dsrt

#endif // DSRT_SRC_BASE_FIBER_H
