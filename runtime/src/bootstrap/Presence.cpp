//===- Presence.cpp - Which ranks of a machine have come --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Presence.h"
#include "base/Messages.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace dsrt::bootstrap {
namespace {

/// Returns the nearest ancestor that is a proxy of MPICH's launcher, which gives a job no name;
/// else the parent.
std::string launcherProcess() {
  pid_t process = getppid();
  for (int depth = 0; process > 1 && depth < 32; ++depth) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text); // PID (NAME) STATE PARENT ..
    const size_t open = text.find('('), close = text.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close + 4 > text.size())
      break;
    if (text.compare(open + 1, 9, "hydra_pmi") == 0)
      return std::to_string(process);
    process = static_cast<pid_t>(std::atol(text.c_str() + close + 4));
  }
  return std::to_string(getppid());
}

} // namespace

Presence::Presence(const Launch &launch)
    : rank(launch.rank), numRanks(launch.numRanks), localSize(launch.localSize),
      job(launch.job.empty() ? launcherProcess() : launch.job), mark(markOf(rank, /*own=*/true)) {}

Socket Presence::markOf(int32_t rank, bool own) const {
  Socket socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  sockaddr_un name = {};
  name.sun_family = AF_UNIX;
  const std::string text = "dsrt-" + std::to_string(geteuid()) + "-" + std::to_string(rank) + "-" +
                           job.substr(0, 80); // after a zero: no file
  std::memcpy(name.sun_path + 1, text.data(), text.size());
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  auto *plain = reinterpret_cast<const sockaddr *>(&name);
  if (!socket || (own ? bind : ::connect)(socket.get(), plain, length) != 0)
    return Socket();
  return socket;
}

void Presence::explain(dsrt_error *error) const {
  std::vector<int32_t> here, missing;
  for (int32_t r = 0; r < numRanks; ++r)
    (r == rank || markOf(r, /*own=*/false) ? here : missing).push_back(r);
  std::string text = error->text;
  if (missing.empty()) {
    text += ", to which all " + std::to_string(numRanks) + " ranks have come";
  } else if (localSize == numRanks) {
    text +=
        ", to which " + nameRanks(missing) + (missing.size() == 1 ? " has" : " have") + " not come";
    setLate(error, 0, missing);
  } else {
    text += ", to which, of " + std::to_string(numRanks) + " ranks, " + nameRanks(here) +
            " of this machine" + (here.size() == 1 ? " has" : " have") + " come";
  }
  setText(error, "%s", text.c_str());
}

} // namespace dsrt::bootstrap
