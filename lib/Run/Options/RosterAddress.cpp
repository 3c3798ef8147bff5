//===- RosterAddress.cpp - Where processes join a training ----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Options/RosterAddress.h"

#include "ds/Run/Options/Options.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/Twine.h"

namespace ds {

llvm::Expected<RosterAddress> RosterAddress::parse(llvm::StringRef text) {
  auto [host, port] = text.rsplit(':');
  RosterAddress address;
  if (host.empty() || port.getAsInteger(10, address.port) || address.port < 1 ||
      address.port > 65535)
    return userError("--roster is '" + text + "', expected HOST:PORT, such as node1:29600");
  address.host = host.str();
  return address;
}

llvm::Error checkProcesses(const RunOptions &options) {
  if (!options.minProcesses)
    return llvm::Error::success();
  if (options.backend != "tcp")
    return userError("--min-processes needs --backend=tcp, got " + options.backend +
                     ": where others connect the processes, --launch with --max-restarts and "
                     "--resume starts all of them again");
  if (options.device != "cpu")
    return userError("--min-processes takes steps on CPUs, so --device=" + options.device +
                     " cannot be given with it");
  if (!options.launch && options.roster.empty())
    return userError("--min-processes needs --launch, whose process keeps the roster, or --roster "
                     "to join one");
  const int64_t most = options.launch.value_or(*options.ranks);
  if (*options.minProcesses > most)
    return userError("--min-processes is " + llvm::Twine(*options.minProcesses) +
                     ", expected at most the " + llvm::Twine(most) +
                     (options.launch ? " of --launch" : " of --ranks"));
  return options.roster.empty() ? llvm::Error::success()
                                : RosterAddress::parse(options.roster).takeError();
}

} // namespace ds
