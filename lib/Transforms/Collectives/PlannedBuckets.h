//===- PlannedBuckets.h - gradients in buckets that end first ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_TRANSFORMS_COLLECTIVES_PLANNEDBUCKETS_H
#define DS_TRANSFORMS_COLLECTIVES_PLANNEDBUCKETS_H

#include "CollectiveGraph.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace ds {

/// Returns the bucket of each gradient, numbered from 0, by the costs of the configuration and the
/// times at which gradients are ready; leaves the certificate on the module. `gradients` are in the
/// order in which they become ready, and those of one key may share a bucket. Emits an error if a
/// file that the configuration names cannot be used.
mlir::FailureOr<std::vector<unsigned>>
planGradients(mlir::FunctionOpInterface step, const Config &config, llvm::ArrayRef<Member> all,
              llvm::ArrayRef<unsigned> gradients, llvm::ArrayRef<int64_t> keys);

/// Returns the parameters that a member is the gradient of, joined by ',': its name in a profile.
std::string joinedNames(const Member &member);

} // namespace ds

#endif // DS_TRANSFORMS_COLLECTIVES_PLANNEDBUCKETS_H
