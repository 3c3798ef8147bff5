//===- StoreBackend.h - The smallest backend that joins by a store -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "store" reduces in rank order what the ranks exchange through the store. It shows the core's way
// of joining, on threads and on processes, without a vendor's library; and it has the failures that
// such a library has, for the tests of faults.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_SUPPORT_STOREBACKEND_H
#define DSRT_TEST_SUPPORT_STOREBACKEND_H

#include "dsrt/backend.h"

namespace dsrt::test {

/// The rank that cannot join; -1: all can.
extern int32_t refusingRank;

/// Registers it once. With DS_TEST_STORE_ERROR=RANK that rank's third collective reports an error
/// of the library; a call whose ranks disagree waits for ever in the library, as a vendor's would.
void registerStoreBackend();

} // namespace dsrt::test

#endif // DSRT_TEST_SUPPORT_STOREBACKEND_H
