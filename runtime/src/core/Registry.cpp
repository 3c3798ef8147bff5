//===- Registry.cpp - The backends this process knows -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Context.h"
#include "backends/hccl/HcclBackend.h"
#include "backends/local/LocalBackend.h"
#include "backends/nccl/NcclBackend.h"
#ifdef DSRT_MPIS
#include "backends/mpi/MpiBackend.h"
#endif
#include "backends/tcp/TcpBackend.h"

#include <cstring>

using namespace dsrt;

namespace {
struct Registry {
  std::mutex mutex;
  std::vector<const dsrt_backend *> backends;
  Registry() {
    backends.push_back(local::backend());
#ifdef DSRT_MPIS
    backends.push_back(mpi::backend());
#endif
    backends.push_back(nccl::backend());
    backends.push_back(hccl::backend());
    backends.push_back(tcp::backend());
  }
};
} // namespace

static Registry &registry() {
  static Registry instance;
  return instance;
}

const dsrt_backend *dsrt::findBackend(const std::string &name) {
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  for (const dsrt_backend *backend : all.backends)
    if (name == backend->name)
      return backend;
  return nullptr;
}

const char *dsrt_backend_name(int32_t index) {
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  return index >= 0 && static_cast<size_t>(index) < all.backends.size() ? all.backends[index]->name
                                                                        : nullptr;
}

dsrt_status dsrt_register_backend(const dsrt_backend *backend) {
  auto refuse = [](const std::string &why) {
    return failWithoutContext(DSRT_INVALID_ARGUMENT, "dsrt_register_backend: " + why);
  };
  if (!backend)
    return refuse("the table is null");
  if (backend->abi_version != DSRT_BACKEND_ABI_VERSION)
    return refuse("abi_version is " + std::to_string(backend->abi_version) + ", expected " +
                  std::to_string(DSRT_BACKEND_ABI_VERSION));
  if (backend->struct_size < sizeof(dsrt_backend))
    return refuse("struct_size is " + std::to_string(backend->struct_size) +
                  ", expected at least " + std::to_string(sizeof(dsrt_backend)));
  if (!backend->name || !*backend->name)
    return refuse("the backend has no name");
  if ((!backend->init && !backend->join) || !backend->shutdown || !backend->group_create ||
      !backend->group_destroy || !backend->collective || !backend->abort)
    return refuse(
        std::string("backend '") + backend->name +
        "' lacks one of init (or join), shutdown, group_create, group_destroy, collective, abort");
  if (std::strcmp(backend->name, "auto") == 0 || findBackend(backend->name))
    return refuse(std::string("the name '") + backend->name + "' is taken");
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.backends.push_back(backend);
  return DSRT_OK;
}
