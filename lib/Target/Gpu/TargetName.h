//===- TargetName.h - The name of a GPU's target ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `cuda:sm_90`, or `cuda:sm_80,sm_90` for several chips; `cuda:sm_90:calls` for steps that are
// queued call by call.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_TARGETNAME_H
#define DS_LIB_TARGET_GPU_TARGETNAME_H

#include "llvm/ADT/StringExtras.h"

#include <vector>

namespace ds::gpu {

inline std::vector<llvm::StringRef> chipsOf(llvm::StringRef target) {
  llvm::SmallVector<llvm::StringRef> chips;
  target.split(':').second.split(':').first.split(chips, ',');
  return {chips.begin(), chips.end()};
}

inline bool isByCalls(llvm::StringRef target) { return target.split(':').second.contains(':'); }

/// Returns 90 for `sm_90`; 0 for anything but a chip.
inline unsigned chipNumber(llvm::StringRef chip) {
  unsigned number = 0;
  return chip.consume_front("sm_") && !chip.getAsInteger(10, number) ? number : 0;
}

/// Returns `sm_80, sm_90`.
inline std::string describeTarget(llvm::StringRef target) {
  return llvm::join(chipsOf(target), ", ");
}

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_TARGETNAME_H
