//===- DataHandle.h - The struct of a ds_data -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CAPI_DATAHANDLE_H
#define DS_LIB_CAPI_DATAHANDLE_H

#include "Instance.h"

#include "ds/Run/Feed/Inputs.h"
#include "ds/Run/Feed/Loader.h"

struct ds_data {
  ~ds_data() { instance->openData -= !loaders.empty(); }

  ds_instance *instance = nullptr;
  ds::Inputs inputs;
  uint64_t seed = 0;
  std::map<const ds::Rank *, std::unique_ptr<ds::Loader>>
      loaders; // destroyed before the data that they read
};

namespace ds::capi {

/// Passes the warnings of ds-run about inputs to the context.
class ToContext final : public Sink {
public:
  explicit ToContext(const ds_context *context) : context(context) {}
  bool write(std::string text, Need) override;
  bool isBehind() const override { return false; }

private:
  const ds_context *context;
};

/// The caller's memory as an array; `i` is its number among the arrays.
llvm::Expected<Array> arrayOf(const ds_array &given, int64_t i);

} // namespace ds::capi

#endif // DS_LIB_CAPI_DATAHANDLE_H
