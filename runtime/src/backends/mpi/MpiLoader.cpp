//===- MpiLoader.cpp - Finds and loads the MPI of this process --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI has no common binary interface, so there is one plugin per MPI, and the first join of a
// process loads the right one: the one that DS_MPI names, else that of an MPI library which is in
// the process already, else that of the launcher, else the first that was built.
//
//===----------------------------------------------------------------------===//
#include "MpiBackend.h"
#include "backends/HostTable.h"
#include "base/Messages.h"
#include "bootstrap/Presence.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <mutex>
#include <optional>
#include <thread>

namespace dsrt::mpi {
namespace {

std::mutex mutex;                     // of loading
const dsrt_backend *plugin = nullptr; // set before the first state exists

std::vector<std::string> builtPlugins() {
  std::vector<std::string> names;
  std::string all = DSRT_MPIS;
  for (size_t at = 0; at <= all.size();) {
    const size_t end = std::min(all.find(',', at), all.size());
    names.push_back(all.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

/// The MPI that this process must use, and how we know; an empty name: any.
struct Wanted {
  std::string name, because;
};

Wanted wanted() {
  if (const char *named = std::getenv("DS_MPI"); named && *named)
    return {named, "DS_MPI is set"};
  using Version = int(char *, int *);
  if (void *symbol = dlsym(RTLD_DEFAULT, "MPI_Get_library_version")) {
    char text[16384] = ""; // more than any library writes
    int length = 0;
    reinterpret_cast<Version *>(symbol)(text, &length);
    return {std::strstr(text, "Open MPI") ? "openmpi" : "mpich", "the program uses it"};
  }
  if (std::getenv("OMPI_COMM_WORLD_SIZE"))
    return {"openmpi", "its launcher has started this process"};
  if (std::getenv("PMI_SIZE") || std::getenv("PMI_FD"))
    return {"mpich", "its launcher has started this process"};
  return {"", ""};
}

/// Returns the folder of the program or library that holds this code, from the system's own list of
/// mapped files; "" if it has none. dladdr only knows the name that the program was started by, and
/// a name without a slash would lead into the current directory.
std::string ownFolder() {
  const auto self = reinterpret_cast<uintptr_t>(&ownFolder);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0, end = 0;
    int path = 0;
    // FROM-TO rwxp OFFSET MAJOR:MINOR INODE  PATH
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %*s %n", &begin, &end,
                    &path) < 2 ||
        self < begin || self >= end || path <= 0)
      continue;
    const size_t slash = line.rfind('/');
    return line[static_cast<size_t>(path)] == '/' && slash > static_cast<size_t>(path)
               ? line.substr(static_cast<size_t>(path), slash - static_cast<size_t>(path))
               : "";
  }
  return "";
}

/// Collects the folders of plugins, all of them absolute: a file in the current directory may come
/// from anyone. False: DS_PLUGIN_PATH is relative.
bool folders(std::vector<std::string> &list) {
  const char *named = std::getenv("DS_PLUGIN_PATH");
  if (named && *named && *named != '/')
    return false;
  if (named && *named)
    list.push_back(named);
  if (const std::string here = ownFolder(); !here.empty()) {
    list.push_back(here);
    list.push_back(here + "/../lib");
  }
  return true;
}

dsrt_status load(dsrt_error *error) {
  std::lock_guard<std::mutex> lock(mutex);
  if (plugin)
    return DSRT_OK;
  const Wanted want = wanted();
  std::vector<std::string> built = builtPlugins();
  std::string known;
  bool has = want.name.empty();
  for (const std::string &name : built) {
    known += (known.empty() ? "" : ", ") + name;
    has |= name == want.name;
  }
  if (!has)
    return failWith(error, DSRT_UNAVAILABLE,
                    "this process needs the plugin for '%s', because %s; this build has %s",
                    want.name.c_str(), want.because.c_str(), known.c_str());
  if (!want.name.empty())
    built = {want.name};
  std::vector<std::string> places;
  if (!folders(places))
    return failWith(error, DSRT_INVALID_ARGUMENT,
                    "DS_PLUGIN_PATH is '%.300s', expected an absolute path",
                    std::getenv("DS_PLUGIN_PATH"));
  std::string why;
  for (const std::string &name : built) {
    for (const std::string &folder : places) {
      const std::string path = folder + "/libdsrt_mpi_" + name + ".so";
      // Open MPI loads components of its own that look for its symbols among the global ones.
      void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
      if (!library) {
        why = dlerror();
        continue;
      }
      auto *entry = reinterpret_cast<PluginEntry *>(dlsym(library, pluginEntry));
      const dsrt_backend *found = entry ? entry() : nullptr;
      if (found && found->abi_version == DSRT_BACKEND_ABI_VERSION &&
          found->struct_size == sizeof(dsrt_backend)) {
        plugin = found;
        return DSRT_OK;
      }
      why = path + " belongs to another version of the runtime";
    }
  }
  return failWith(error, DSRT_UNAVAILABLE, "cannot load the plugin for MPI: %s", why.c_str());
}

/// Saves the program's signal handlers and restores them: libraries below MPI take SIGHUP and
/// others for their own debugging, when they are loaded or in MPI_Init.
class Handlers {
public:
  Handlers() {
    for (int signal = 1; signal < NSIG; ++signal)
      if (sigaction(signal, nullptr, &kept[signal]) != 0)
        kept[signal].sa_handler = SIG_DFL;
  }
  ~Handlers() {
    for (int signal = 1; signal < NSIG; ++signal) {
      struct sigaction now = {};
      if (kept[signal].sa_handler != SIG_DFL && sigaction(signal, nullptr, &now) == 0 &&
          now.sa_handler != kept[signal].sa_handler)
        sigaction(signal, &kept[signal], nullptr);
    }
  }
  Handlers(const Handlers &) = delete;
  Handlers &operator=(const Handlers &) = delete;

private:
  struct sigaction kept[NSIG] = {};
};

dsrt_status init(const dsrt_options *options, void **outState, int32_t *outRank,
                 int32_t *outNumRanks, dsrt_error *error) {
  const Handlers handlers;
  if (dsrt_status status = load(error); status != DSRT_OK)
    return status;
  bootstrap::Launch launch;
  dsrt_error unread = {};
  std::optional<bootstrap::Presence> presence;
  if (readLaunch(bootstrap::processEnvironment(), launch, &unread) == DSRT_OK) {
    if (launch.source == "Slurm" && !launch.byMpi)
      return failWith(
          error, DSRT_UNAVAILABLE,
          "srun has started process %d of %d without PMIx, by which MPI would find its ranks, "
          "expected srun --mpi=pmix, or backend tcp with DS_SECRET or DS_SECRET_FILE set",
          launch.rank, launch.numRanks);
    if (launch.byMpi)
      presence.emplace(launch);
  }
  const dsrt_status status = plugin->init(options, outState, outRank, outNumRanks, error);
  if (status == DSRT_TIMEOUT && error->num_late == 0 && presence) {
    presence->explain(error);
    // Ranks that came a little later look for this one's mark.
    std::this_thread::sleep_for(
        std::chrono::milliseconds(std::clamp<int64_t>(options->timeout_ms / 4, 200, 2000)));
  }
  return status;
}
dsrt_status shutdown(void *state, int32_t failed, dsrt_error *error) {
  return plugin->shutdown(state, failed, error);
}
dsrt_status groupCreate(void *state, int32_t numRanks, const int32_t *ranks, int64_t timeoutMs,
                        void **outGroup, dsrt_error *error) {
  return plugin->group_create(state, numRanks, ranks, timeoutMs, outGroup, error);
}
dsrt_status groupCreateApart(void *state, int32_t numRanks, const int32_t *ranks, uint64_t name,
                             int64_t timeoutMs, void **outGroup, dsrt_error *error) {
  return plugin->group_create_apart(state, numRanks, ranks, name, timeoutMs, outGroup, error);
}
void groupDestroy(void *state, void *group, int32_t failed) {
  plugin->group_destroy(state, group, failed);
}
dsrt_status collective(void *state, void *group, const dsrt_call *call, dsrt_error *error) {
  return plugin->collective(state, group, call, error);
}
void failed(void *state, dsrt_status status, const char *text, const dsrt_error *details) {
  plugin->failed(state, status, text, details);
}
void abortJob(void *state, const char *reason) { plugin->abort(state, reason); }
void describe(void *state, dsrt_capabilities *capabilities) {
  plugin->describe(state, capabilities);
}

dsrt_backend makeBackend() {
  dsrt_backend table = makeHostTable("mpi", DSRT_CAP_IN_ORDER | DSRT_CAP_POLLED |
                                                DSRT_CAP_MULTIPROCESS | DSRT_CAP_NAN);
  table.init = init;
  table.shutdown = shutdown;
  table.group_create = groupCreate;
  table.group_destroy = groupDestroy;
  table.collective = collective;
  table.failed = failed;
  table.abort = abortJob;
  table.describe = describe;
  table.group_create_apart = groupCreateApart;
  return table;
}

} // namespace

const dsrt_backend *backend() {
  static const dsrt_backend table = makeBackend();
  return &table;
}

} // namespace dsrt::mpi
