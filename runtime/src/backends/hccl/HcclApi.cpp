//===- HcclApi.cpp - Loads HCCL and AscendCL --------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HcclApi.h"
#include "base/Messages.h"
#include "device/Library.h"

namespace dsrt::hccl {
namespace {

#define ASCEND "/usr/local/Ascend/ascend-toolkit/latest/lib64/"
const device::LibraryName aclName = {"AscendCL",
                                     "DS_ASCENDCL_LIBRARY",
                                     {"libascendcl.so", ASCEND "libascendcl.so"},
                                     "install CANN and source its set_env.sh"};
const device::LibraryName hcclName = {"HCCL",
                                      "DS_HCCL_LIBRARY",
                                      {"libhccl.so", ASCEND "libhccl.so"},
                                      "install CANN and source its set_env.sh"};
const device::LibraryName hcommName = {
    "HCCL's communicator library", "DS_HCOMM_LIBRARY", {"libhcomm.so", ASCEND "libhcomm.so"}, ""};
const device::LibraryName opapiName = {"the operator library of CANN",
                                       "DS_OPAPI_LIBRARY",
                                       {"libopapi.so", ASCEND "libopapi.so"},
                                       "the mean needs it"};
#undef ASCEND

dsrt_status loadAcl(Api &api, dsrt_error *error) {
  device::Library library;
  dsrt_status status = library.open(aclName, error);
#define DSRT_REQUIRE(result, name, parameters)                                                     \
  if (status == DSRT_OK)                                                                           \
    status = library.require(#name, api.name, error);
  DSRT_ACL_REQUIRED(DSRT_REQUIRE)
#define DSRT_FIND(result, name, parameters)                                                        \
  if (status == DSRT_OK)                                                                           \
    api.name = reinterpret_cast<decltype(api.name)>(library.find(#name));
  DSRT_ACL_OPTIONAL(DSRT_FIND)
#undef DSRT_FIND
  if (status != DSRT_OK)
    return status;
  // The program may have initialised it; it is never finalised, for the same reason.
  aclError result = api.aclInit(nullptr);
  if (result == aclRepeatedInitialize)
    return DSRT_OK;
  status = checkAcl(api, result, "aclInit", error);
  return status == DSRT_OK ? status : DSRT_UNAVAILABLE;
}

dsrt_status loadHccl(Api &api, dsrt_error *error) {
  device::Library library, hcomm;
  dsrt_status status = library.open(hcclName, error);
  dsrt_error ignored = {};
  const bool split = status == DSRT_OK && hcomm.open(hcommName, &ignored) == DSRT_OK;
#define DSRT_REQUIRE_EITHER(result, name, parameters)                                              \
  if (status == DSRT_OK && split)                                                                  \
    api.name = reinterpret_cast<decltype(api.name)>(hcomm.find(#name));                            \
  if (status == DSRT_OK && !api.name)                                                              \
    status = library.require(#name, api.name, error);
  DSRT_HCCL_REQUIRED(DSRT_REQUIRE_EITHER)
#undef DSRT_REQUIRE_EITHER
  return status;
}

} // namespace

dsrt_status load(const Api *&out, dsrt_error *error) {
  static device::Loaded<Api> loaded;
  return loaded.get(
      [](Api &api, dsrt_error *error) {
        dsrt_status status = loadAcl(api, error);
        return status == DSRT_OK ? loadHccl(api, error) : status;
      },
      out, error);
}

dsrt_status loadOperators(const Api *&out, dsrt_error *error) {
  if (dsrt_status status = load(out, error); status != DSRT_OK)
    return status;
  static device::Loaded<Api> complete;
  return complete.get(
      [basis = *out](Api &api, dsrt_error *error) {
        api = basis;
        device::Library library;
        dsrt_status status = library.open(opapiName, error);
        DSRT_OPAPI_REQUIRED(DSRT_REQUIRE)
        return status == DSRT_OK ? status : DSRT_UNSUPPORTED;
      },
      out, error);
}
#undef DSRT_REQUIRE

dsrt_status check(const Api &api, HcclResult result, const char *what, dsrt_error *error) {
  if (result == HCCL_SUCCESS)
    return DSRT_OK;
  const char *text = api.HcclGetErrorString(result);
  const char *detail = api.aclGetRecentErrMsg();
  setText(error, "%s: %s (HCCL error %d)%s%.400s", what, text ? text : "unknown error",
          static_cast<int>(result), detail && *detail ? ": " : "", detail ? detail : "");
  if (result == HCCL_E_NOT_SUPPORT)
    return DSRT_UNSUPPORTED;
  return result == HCCL_E_OOM || result == HCCL_E_MEMORY ? DSRT_OUT_OF_MEMORY : DSRT_INTERNAL;
}

dsrt_status checkAcl(const Api &api, aclError result, const char *what, dsrt_error *error) {
  if (result == aclSuccess)
    return DSRT_OK;
  constexpr aclError outOfMemory = 207001; // ACL_ERROR_RT_MEMORY_ALLOCATION
  const char *detail = api.aclGetRecentErrMsg ? api.aclGetRecentErrMsg() : nullptr;
  setText(error, "%s: ACL error %d%s%.400s", what, result, detail && *detail ? ": " : "",
          detail ? detail : "");
  return result == outOfMemory ? DSRT_OUT_OF_MEMORY : DSRT_INTERNAL;
}

} // namespace dsrt::hccl
