//===- Machine.cpp - Which ranks are on one machine -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "Wire.h"

#include <climits>
#include <cstdio>
#include <cstring>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace dsrt::bootstrap {

std::string nameOfMachine() {
  std::string name;
  char text[PATH_MAX] = "";
  if (FILE *file = std::fopen("/proc/sys/kernel/random/boot_id", "re")) {
    name.assign(text, std::fread(text, 1, sizeof text, file));
    std::fclose(file);
  }
  const ssize_t length = readlink("/proc/self/ns/net", text, sizeof text);
  if (name.empty() || length <= 0)
    return textOf(sha256(randomBytes(macBytes))); // a name that no other process has
  return textOf(sha256(name + std::string(text, static_cast<size_t>(length))));
}

std::vector<std::string> addressesOfInterfaces() {
  std::vector<std::string> addresses;
  ifaddrs *all = nullptr;
  if (getifaddrs(&all) != 0)
    return addresses;
  for (const ifaddrs *one = all; one; one = one->ifa_next) {
    if (!one->ifa_addr || !(one->ifa_flags & IFF_UP) || (one->ifa_flags & IFF_LOOPBACK))
      continue;
    const int family = one->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6)
      continue;
    const socklen_t length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    char text[NI_MAXHOST] = "";
    if (getnameinfo(one->ifa_addr, length, text, sizeof text, nullptr, 0, NI_NUMERICHOST) == 0 &&
        !std::strchr(text, '%')) // with an interface's name: of this machine alone
      addresses.emplace_back(text);
  }
  freeifaddrs(all);
  return addresses;
}

} // namespace dsrt::bootstrap
