//===- Machine.cpp - Inputs of a step's bits beside the step ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A version stands for many builds, so builds are distinguished by the linker's ids. The C library
// is compared by its results: the same build of it selects other functions on another CPU, and two
// builds often have the same functions.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Machine.h"

#include "ds/Support/Version.h"
#include "ds/Target/All/Targets.h"
#include "ds/Target/TargetCpu.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
#include <link.h>

namespace ds {

//===----------------------------------------------------------------------===//
// Builds
//===----------------------------------------------------------------------===//

namespace {
struct Search {
  uintptr_t address;
  std::string id;
};
} // namespace

/// Finds the note with the id in the object that holds the address.
static int lookAt(dl_phdr_info *object, size_t, void *data) {
  auto *search = static_cast<Search *>(data);
  llvm::ArrayRef headers(object->dlpi_phdr, object->dlpi_phnum);
  bool holds = llvm::any_of(headers, [&](const auto &header) {
    uintptr_t begin = object->dlpi_addr + header.p_vaddr;
    return header.p_type == PT_LOAD && search->address >= begin &&
           search->address < begin + header.p_memsz;
  });
  if (!holds)
    return 0;
  for (const auto &header : headers) {
    if (header.p_type != PT_NOTE)
      continue;
    const auto *at = reinterpret_cast<const char *>(object->dlpi_addr + header.p_vaddr);
    const char *end = at + header.p_memsz;
    while (end - at >= static_cast<ptrdiff_t>(sizeof(ElfW(Nhdr)))) {
      ElfW(Nhdr) note;
      memcpy(&note, at, sizeof note);
      const char *name = at + sizeof note, *id = name + llvm::alignTo(note.n_namesz, 4);
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(name, "GNU", 4)) {
        search->id = llvm::toHex(llvm::StringRef(id, note.n_descsz), /*LowerCase=*/true);
        return 1;
      }
      at = id + llvm::alignTo(note.n_descsz, 4);
    }
  }
  return 1;
}

std::string buildIdOf(const void *address) {
  Search search{reinterpret_cast<uintptr_t>(address), ""};
  dl_iterate_phdr(lookAt, &search);
  return search.id;
}

static std::string buildText(const void *address) {
  std::string id = buildIdOf(address);
  return id.empty() ? "one without an id" : "one with id " + id;
}

//===----------------------------------------------------------------------===//
// The C library
//===----------------------------------------------------------------------===//

/// Hashes the results of functions that steps call, at some thousand points.
static std::string mathHash() {
  using Double = double (*)(double);
  using Float = float (*)(float);
  static constexpr Double wide[] = {std::sin,  std::cos,  std::tan,  std::atan,  std::sinh,
                                    std::cosh, std::tanh, std::exp,  std::expm1, std::erf,
                                    std::erfc, std::cbrt, std::exp2, std::asinh};
  static constexpr Float narrow[] = {std::sin,  std::cos,  std::tan,  std::atan,  std::sinh,
                                     std::cosh, std::tanh, std::exp,  std::expm1, std::erf,
                                     std::erfc, std::cbrt, std::exp2, std::asinh};
  static constexpr Double wideOfPositive[] = {std::log, std::log2, std::log10, std::log1p};
  static constexpr Float narrowOfPositive[] = {std::log, std::log2, std::log10, std::log1p};
  llvm::BLAKE3 hasher;
  auto add = [&](auto value) {
    uint8_t bytes[sizeof value];
    memcpy(bytes, &value, sizeof value);
    hasher.update(llvm::ArrayRef(bytes));
  };
  uint64_t state = 1;
  for (int i = 0; i < 500; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double x = static_cast<double>(static_cast<int64_t>(state)) * 0x1p-60; // -8 to 8
    const double positive = std::fabs(x) + 0x1p-20;
    for (Double function : wide)
      add(function(x));
    for (Float function : narrow)
      add(function(static_cast<float>(x)));
    for (Double function : wideOfPositive)
      add(function(positive));
    for (Float function : narrowOfPositive)
      add(function(static_cast<float>(positive)));
    add(std::pow(positive, x));
    add(std::pow(static_cast<float>(positive), static_cast<float>(x)));
    add(std::atan2(x, positive - 4));
    add(std::atan2(static_cast<float>(x), static_cast<float>(positive - 4)));
  }
  return llvm::toHex(hasher.final<8>(), /*LowerCase=*/true);
}

//===----------------------------------------------------------------------===//
// The record
//===----------------------------------------------------------------------===//

void addMachine(llvm::StringRef targetCpu, StartRecord &record) {
  record.emplace_back("the version of ds", DS_VERSION_STRING);
  record.emplace_back("the build of ds", buildText(reinterpret_cast<const void *>(&buildText)));
  record.emplace_back("the build of LLVM", buildText(reinterpret_cast<const void *>(&llvm::outs)));
  auto *ofMlir = &mlir::registerPassManagerCLOptions;
  record.emplace_back("the build of MLIR", buildText(reinterpret_cast<const void *>(ofMlir)));
  record.emplace_back("the target CPU", targetCpu.str());
  for (const std::string &feature : generatedFeatures(targetCpu))
    record.emplace_back("the instruction set '" + feature + "' of the CPU", "there");
  std::string library = llvm::cantFail(findTarget(kCpuTarget)).describeLibrary(targetCpu.str());
  record.emplace_back("the library of matrix products", library);
  record.emplace_back("what mathematical functions of the C library return",
                      "that with hash " + mathHash());
}

} // namespace ds
