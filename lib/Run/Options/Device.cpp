//===- Device.cpp - The value of --device -----------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Options/Device.h"

#include "ds/Support/UserError.h"
#include "ds/Target/OtherDevices.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace ds {

using llvm::Error;
using llvm::StringRef;

Error checkDevice(StringRef option, StringRef text) {
  if (std::string other = describeOtherDevice(text); !other.empty())
    return userError(other);
  auto [name, numbers] = text.split(':');
  auto word = readWord(option, name, std::vector<std::string>{"cpu", "cuda"});
  if (!word)
    return word.takeError();
  const bool isList = llvm::all_of(llvm::split(numbers, ','), [](StringRef number) {
    return !number.empty() && llvm::all_of(number, llvm::isDigit);
  });
  if (name == text || (name == "cuda" && isList))
    return Error::success();
  return userError(
      option + " is '" + text +
      "', expected cpu, cuda, or cuda with numbers of GPUs, such as cuda:0 or cuda:0,2");
}

OptionValue deviceValue(std::string &to) {
  return {"NAME[:N,..]", [&](StringRef option, StringRef text) -> Error {
            to = text.str();
            return checkDevice(option, text);
          }};
}

} // namespace ds
