//===- Lookup.cpp - Addresses of names, within a deadline -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Lookup.h"

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <netdb.h>
#include <netinet/in.h>
#include <system_error>
#include <thread>

namespace dsrt::bootstrap {
namespace {

/// A question to the resolver and its answer. The thread that asks may outlive the caller that
/// waits.
struct Question {
  std::string name, port;
  int flags = 0;

  std::mutex mutex;
  std::condition_variable answered;
  bool done = false;
  int code = 0;
  std::vector<Address> addresses;

  void ask() {
    addrinfo hints = {}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = flags | AI_NUMERICSERV;
    const int result =
        getaddrinfo(name.empty() ? nullptr : name.c_str(), port.c_str(), &hints, &found);
    std::lock_guard<std::mutex> lock(mutex);
    code = result;
    for (const addrinfo *one = result == 0 ? found : nullptr; one; one = one->ai_next) {
      Address &address = addresses.emplace_back();
      address.length = one->ai_addrlen;
      std::memcpy(&address.storage, one->ai_addr, one->ai_addrlen);
    }
    if (result == 0)
      freeaddrinfo(found);
    done = true;
    answered.notify_all();
  }
};

std::shared_ptr<Question> question(const std::string &name, int32_t port, int flags) {
  auto asked = std::make_shared<Question>();
  asked->name = name;
  asked->port = std::to_string(port);
  asked->flags = flags;
  return asked;
}

} // namespace

std::vector<Address> addressesOfNumber(const std::string &number, int32_t port) {
  auto asked = question(number, port, AI_NUMERICHOST);
  asked->ask();
  return asked->addresses;
}

std::vector<Address> lookUp(const std::string &name, int32_t port, const Deadline &deadline,
                            std::string &why) {
  if (auto known = addressesOfNumber(name, port); !known.empty())
    return known;
  auto asked = question(name, port, 0);
  try {
    std::thread([asked] { asked->ask(); }).detach();
  } catch (const std::system_error &) {
    asked->ask(); // without a thread the answer may come after the deadline
  }
  std::unique_lock<std::mutex> lock(asked->mutex);
  while (!asked->done && !deadline.passed())
    asked->answered.wait_for(lock, std::chrono::milliseconds(deadline.sliceMs()));
  if (!asked->done)
    why = "no process has registered the address of its name yet";
  else if (asked->code != 0)
    why = gai_strerror(asked->code);
  return asked->done ? asked->addresses : std::vector<Address>();
}

std::vector<Address> anyAddress(int32_t port) {
  Address six, four;
  auto *any6 = reinterpret_cast<sockaddr_in6 *>(&six.storage);
  any6->sin6_family = AF_INET6;
  any6->sin6_addr = in6addr_any;
  any6->sin6_port = htons(static_cast<uint16_t>(port));
  six.length = sizeof *any6;
  auto *any4 = reinterpret_cast<sockaddr_in *>(&four.storage);
  any4->sin_family = AF_INET;
  any4->sin_addr.s_addr = htonl(INADDR_ANY);
  any4->sin_port = htons(static_cast<uint16_t>(port));
  four.length = sizeof *any4;
  return {six, four};
}

} // namespace dsrt::bootstrap
