//===- Answer.cpp - What a program that leads a training says ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Answer.h"

#include "ds/Support/Nesting.h"
#include "ds/Support/UserError.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace ds {

using llvm::Expected;
using llvm::Twine;

Expected<Answer> parseAnswer(llvm::StringRef line) {
  auto bad = [&] {
    return userError("standard input holds '" + line.take_front(200) +
                     "', expected {\"go\": true} or {\"go\": false} after an epoch");
  };
  Expected<llvm::json::Value> value = parseJson(line);
  if (!value) {
    llvm::consumeError(value.takeError());
    return bad();
  }
  const llvm::json::Object *object = value->getAsObject();
  std::optional<bool> go = object ? object->getBoolean("go") : std::nullopt;
  if (!go)
    return bad();
  Answer answer{*go, object->getString("values").value_or("").str(), {}};
  if (const llvm::json::Object *arguments = object->getObject("arguments"))
    for (const auto &[name, number] : *arguments) {
      if (!number.getAsNumber())
        return bad();
      answer.arguments[llvm::StringRef(name).str()] = *number.getAsNumber();
    }
  return answer;
}

Expected<std::optional<Answer>> AnswerReader::wait(int ms) {
  size_t end = text.find('\n'); // lines may come together
  pollfd entry = {descriptor, POLLIN, 0};
  if (end == std::string::npos && poll(&entry, 1, ms) > 0) {
    char bytes[4096];
    ssize_t count = ::read(descriptor, bytes, sizeof bytes);
    if (count < 0 && errno != EINTR && errno != EAGAIN)
      return userError(Twine("cannot read standard input: ") + std::strerror(errno));
    if (count == 0) // whoever leads is gone
      return std::optional(Answer());
    text.append(bytes, std::max<ssize_t>(count, 0));
    end = text.find('\n');
  }
  if (end == std::string::npos)
    return std::nullopt;
  std::string line = text.substr(0, end);
  text.erase(0, end + 1);
  auto answer = parseAnswer(line);
  return answer ? Expected<std::optional<Answer>>(std::move(*answer)) : answer.takeError();
}

} // namespace ds
