//===- Launch.cpp - A process's rank, from its environment ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Launch.h"
#include "OwnSecret.h"
#include "SmallFile.h"
#include "TcpStore.h"
#include "base/Messages.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace dsrt::bootstrap {
namespace {

/// The variables of one launcher; null where it has none.
struct Source {
  const char *name, *rank, *size, *localRank, *localSize;
  bool byMpi;
  const char *job; // alike on all processes of a job, and on no others
};

constexpr Source sources[] = {
    {"DS_*", "DS_RANK", "DS_WORLD_SIZE", "DS_LOCAL_RANK", "DS_LOCAL_SIZE", false, nullptr},
    {"MindSpore", "RANK_ID", "RANK_SIZE", nullptr, nullptr, false, nullptr},
    {"msrun", "MS_NODE_ID", "MS_WORKER_NUM", nullptr, nullptr, false, nullptr},
    {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", false,
     "TORCHELASTIC_RUN_ID"},
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE", true, "PMIX_NAMESPACE"},
    {"PMI", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", true, "PMI_JOBID"},
    {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", nullptr, true,
     "SLURM_JOB_ID"},
};

constexpr int32_t defaultPort = 29555;
// A table of all 4096 ranks takes less than a fourth of it.
constexpr size_t largestTable = size_t(4) << 20;
constexpr size_t largestSecret = 4096;

class LaunchReader {
public:
  LaunchReader(const Environment &environment, Launch &out, dsrt_error *error)
      : environment(environment), out(out), error(error) {}

  bool read() {
    out = {};
    for (const Source &source : sources)
      if (!readSource(source))
        return false;
    out.sizes = sizes;
    readJob();
    return readAddress() && readSecret() && checkLocal();
  }

private:
  template <typename... Arguments> bool fail(const char *format, Arguments... arguments) {
    if constexpr (sizeof...(arguments) == 0)
      setText(error, "%s", format);
    else
      setText(error, format, arguments...);
    return false;
  }

  const char *valueOf(const char *name) const {
    const char *value = name ? environment(name) : nullptr;
    return value && *value ? value : nullptr;
  }

  /// Reads a variable in [from, to]; leaves `number` alone if it is not set.
  bool readNumber(const char *name, int32_t from, int32_t to, int32_t &number) {
    const char *value = valueOf(name);
    if (!value)
      return true;
    char *end = nullptr;
    const long parsed = std::strtol(value, &end, 10);
    if (*end || value[0] < '0' || value[0] > '9' || parsed < from || parsed > to)
      return fail("%s is '%.100s', expected a number from %d to %d", name, value, from, to);
    number = static_cast<int32_t>(parsed);
    return true;
  }

  bool readSource(const Source &source) {
    const bool mindspore = source.name == std::string("MindSpore");
    const char *table = nullptr;
    const char *tableName = nullptr;
    for (const char *name : {"RANK_TABLE_FILE", "MINDSPORE_HCCL_CONFIG_PATH"})
      if (mindspore && !table && valueOf(name))
        table = valueOf(name), tableName = name;
    const char *rank = valueOf(source.rank), *size = valueOf(source.size);
    if (!rank && !size && !table)
      return true;
    // msrun's scheduler runs the same command as its workers, and torchrun's children may set up
    // msrun's variables without a role.
    if (source.name == std::string("msrun")) {
      const char *role = valueOf("MS_ROLE");
      if (!role || std::string(role) == "MS_PSERVER")
        return true;
      if (std::string(role) == "MS_SCHED")
        return fail("MS_ROLE is MS_SCHED: this process is msrun's scheduler, which is no rank");
    }
    // Slurm numbers the tasks of an allocation, too, not only those of a step; and a step of one
    // task needs no launcher.
    const bool slurm = source.name == std::string("Slurm");
    if (slurm && (!size || std::string(size) == "1"))
      return true;
    Launch found;
    found.source = source.name;
    found.byMpi = source.byMpi;
    // The variables of a plugin of srun's --mpi, without which MPI finds no ranks.
    if (slurm)
      found.byMpi = valueOf("PMIX_NAMESPACE") || valueOf("PMI_FD") || valueOf("PMI_PORT");
    if (!rank)
      return fail("%s is set, but %s is not", size ? source.size : tableName, source.rank);
    if (!size && !table)
      return fail("%s is set, but %s is not", source.rank, source.size);
    if (!readNumber(source.rank, 0, mostRanks - 1, found.rank) ||
        !readNumber(source.size, 1, mostRanks, found.numRanks) ||
        !readNumber(source.localRank, 0, mostRanks - 1, found.localRank) ||
        !readNumber(source.localSize, 1, mostRanks, found.localSize))
      return false;
    if (table && !readTable(tableName, table, size, found))
      return false;
    if (found.rank >= found.numRanks)
      return fail("%s is %d, but the world of %s has %d ranks", source.rank, found.rank,
                  table && !size ? tableName : source.size, found.numRanks);
    if (const char *nodes = slurm ? valueOf("SLURM_STEP_NUM_NODES") : nullptr)
      if (std::strcmp(nodes, "1") == 0)
        found.localSize = found.numRanks;
    sizes.emplace_back(found.source, found.numRanks);
    if (out.source.empty()) {
      out = found;
      rankVariable = source.rank;
      jobVariable = source.job;
      return true;
    }
    // The same number of processes: both describe the same processes.
    if (out.numRanks == found.numRanks && out.rank != found.rank)
      return fail("%s is %d, but %s is %d, in a world of %d ranks both", rankVariable, out.rank,
                  source.rank, found.rank, found.numRanks);
    return true;
  }

  bool readTable(const char *name, const char *path, const char *size, Launch &found) {
    std::string text, why;
    struct stat info;
    if (!readSmallFile(path, largestTable, text, info, why))
      return fail("cannot read the rank table '%.300s' of %s: %s", path, name, why.c_str());
    RankTable table;
    if (!readRankTable(text, table, why))
      return fail("the rank table '%.300s' of %s: %.300s", path, name, why.c_str());
    const int32_t ranks = static_cast<int32_t>(table.ranks.size());
    if (size && found.numRanks != ranks)
      return fail("RANK_SIZE is %d, but the rank table '%.300s' has %d devices", found.numRanks,
                  path, ranks);
    found.numRanks = ranks;
    if (found.rank >= ranks)
      return true; // the caller reports it
    const RankTable::Device &mine = table.ranks[found.rank];
    found.localRank = mine.device;
    found.localSize = static_cast<int32_t>(
        std::count_if(table.ranks.begin(), table.ranks.end(),
                      [&](const RankTable::Device &one) { return one.server == mine.server; }));
    found.localSize = std::max(found.localSize, mine.device + 1);
    found.address = table.servers[table.ranks[0].server];
    return true;
  }

  // torch and MindSpore use the ports that they name themselves, so ours is the next one.
  bool readAddress() {
    if (out.source.empty())
      return true;
    struct Named {
      const char *address, *port;
      int32_t next;
    };
    for (const Named &named :
         {Named{"DS_MASTER_ADDR", "DS_MASTER_PORT", 0}, Named{"MASTER_ADDR", "MASTER_PORT", 1},
          Named{"MS_SCHED_HOST", "MS_SCHED_PORT", 1}}) {
      const char *address = valueOf(named.address);
      if (address && out.address.empty())
        out.address = address;
      int32_t port = 0;
      if (!readNumber(named.port, 1, 65535, port))
        return false;
      if (port && !out.port)
        out.port = port + named.next <= 65535 ? port + named.next : port - named.next;
    }
    const char *list = valueOf("SLURM_STEP_NODELIST");
    if (out.address.empty() && list) {
      out.address = firstHost(list);
      if (out.address.empty())
        return fail("SLURM_STEP_NODELIST is '%.300s', which is no list of hosts", list);
    }
    if (out.address.empty() && (out.localSize == out.numRanks || out.numRanks == 1))
      out.address = "127.0.0.1";
    int32_t job = -1;
    if (!readNumber("SLURM_JOB_ID", 0, 2147483647, job))
      return false;
    if (!out.port) // jobs on one machine must not meet
      out.port = job < 0 ? defaultPort : 20000 + job % 10000;
    return true;
  }

  void readJob() {
    const char *job = valueOf("DS_JOB_ID"), *step = valueOf("SLURM_STEP_ID");
    if (job) {
      out.job = job;
    } else if (const char *told = valueOf(jobVariable)) {
      out.job = told;
      if (out.source == "Slurm") {
        const char *whole = valueOf("SLURM_HET_JOB_ID"); // its components have numbers of their own
        out.job = std::string(whole ? whole : told) + (step ? std::string(".") + step : "");
      }
    }
  }

  bool readSecret() {
    const char *secret = valueOf("DS_SECRET"), *path = valueOf("DS_SECRET_FILE");
    if (secret && path)
      return fail("DS_SECRET and DS_SECRET_FILE are both set");
    if (path) {
      std::string text, why;
      struct stat info;
      if (!readSmallFile(path, largestSecret, text, info, why))
        return fail("cannot read the file '%.300s' of DS_SECRET_FILE: %s", path, why.c_str());
      if (info.st_uid != geteuid() && info.st_uid != 0)
        return fail(
            "the file '%.300s' of DS_SECRET_FILE belongs to user %d, which can read what is in "
            "it, expected user %d",
            path, static_cast<int>(info.st_uid), static_cast<int>(geteuid()));
      if (info.st_mode & (S_IRWXG | S_IRWXO))
        return fail("the file '%.300s' of DS_SECRET_FILE can be read by others; chmod 600 it",
                    path);
      out.secret = text.substr(0, text.find('\n'));
      if (out.secret.empty())
        return fail("the file '%.300s' of DS_SECRET_FILE has no secret in its first line", path);
    }
    if (secret)
      out.secret = secret;
    if (!out.secret.empty() && out.secret.size() < minimumSecretBytes)
      return fail("the secret of %s has %zu bytes, expected at least %zu",
                  secret ? "DS_SECRET" : "DS_SECRET_FILE", out.secret.size(), minimumSecretBytes);
    return true;
  }

  bool checkLocal() {
    if (out.localSize > 0 && out.localRank >= out.localSize)
      return fail("the local rank is %d, but this machine has %d ranks", out.localRank,
                  out.localSize);
    if (out.localSize > out.numRanks && out.source != "MindSpore")
      return fail("this machine has %d ranks, but the world has only %d", out.localSize,
                  out.numRanks);
    return true;
  }

  const Environment &environment;
  Launch &out;
  dsrt_error *error;
  const char *rankVariable = "", *jobVariable = nullptr;
  std::vector<std::pair<std::string, int32_t>> sizes;
};

} // namespace

Environment processEnvironment() {
  return [](const char *name) -> const char * { return std::getenv(name); };
}

dsrt_status readLaunch(const Environment &environment, Launch &out, dsrt_error *error) {
  return LaunchReader(environment, out, error).read() ? DSRT_OK : DSRT_INVALID_ARGUMENT;
}

// The list is NAME or NAME[ranges], separated by commas outside the brackets.
std::string firstHost(const std::string &list) {
  const size_t end = list.find_first_of(",[");
  std::string host = list.substr(0, end);
  if (end != std::string::npos && list[end] == '[') {
    const size_t close = list.find(']', end);
    const size_t stop = list.find_first_of("-,]", end);
    if (close == std::string::npos || stop == end + 1)
      return "";
    host += list.substr(end + 1, stop - end - 1);
  }
  const bool good = !host.empty() && std::all_of(host.begin(), host.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.' || c == '_';
  });
  return good ? host : "";
}

bool isThisMachine(const std::string &address) {
  return address == "localhost" || address == "127.0.0.1" || address == "::1";
}

/// True if the launcher's variables put all ranks on one machine.
static bool isOnOneMachine(const Launch &launch) {
  return launch.localSize == launch.numRanks || isThisMachine(launch.address);
}

dsrt_status joinLaunched(Launch &launch, int64_t timeoutMs, std::shared_ptr<Store> &outStore,
                         dsrt_error *error) {
  if (launch.numRanks == 1) {
    outStore = makeProcessStores(1).front();
    launch.localRank = std::max(launch.localRank, 0);
    launch.localSize = std::max(launch.localSize, 1);
    return DSRT_OK;
  }
  if (launch.address.empty())
    return failWith(error, DSRT_INVALID_ARGUMENT,
                    "%s gives no address of rank 0; set DS_MASTER_ADDR", launch.source.c_str());
  if (launch.secret.empty()) {
    std::string why = "they may be on several machines";
    if (!isOnOneMachine(launch) || !readOwnSecret(launch.secret, why))
      return failWith(
          error, DSRT_INVALID_ARGUMENT,
          "a job of %d processes needs a secret that all of them know: set DS_SECRET or "
          "DS_SECRET_FILE; %s%s",
          launch.numRanks, why.c_str(),
          launch.source == "Slurm" && !launch.byMpi
              ? " (srun has started them without PMIx, so MPI cannot connect them)"
              : "");
    launch.address = "127.0.0.1";
  }
  TcpOptions options;
  options.address = launch.address;
  options.port = launch.port;
  options.secret = launch.secret;
  options.job = launch.job;
  options.rank = launch.rank;
  options.numRanks = launch.numRanks;
  options.timeoutMs = timeoutMs;
  if (dsrt_status status = joinTcpStore(options, outStore, error); status != DSRT_OK)
    return status;
  return meetHosts(launch, *outStore, timeoutMs, error);
}

dsrt_status meetHosts(Launch &launch, Store &store, int64_t timeoutMs, dsrt_error *error) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  std::vector<int32_t> everyone(launch.numRanks);
  for (int32_t r = 0; r < launch.numRanks; ++r)
    everyone[r] = r;
  std::vector<std::string> hosts;
  dsrt_status status =
      store.exchange("dsrt.hosts", everyone, launch.rank, host, timeoutMs, hosts, error);
  if (status != DSRT_OK) {
    store.fail(status, error->text);
    return status;
  }
  if (launch.localRank < 0 || launch.localSize < 0) {
    launch.localSize = static_cast<int32_t>(std::count(hosts.begin(), hosts.end(), host));
    launch.localRank =
        static_cast<int32_t>(std::count(hosts.begin(), hosts.begin() + launch.rank, host));
  }
  return DSRT_OK;
}

} // namespace dsrt::bootstrap
