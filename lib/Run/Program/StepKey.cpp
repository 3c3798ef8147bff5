//===- StepKey.cpp - The hash of all inputs of a step's code ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StepKey.h"

#include "ds/Dialect/IR/Ds.h"
#include "ds/Run/Ranks/Agreement.h"
#include "ds/Target/TargetCpu.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <link.h>
#include <sys/stat.h>

using llvm::StringRef;

namespace ds {

std::string wholeHash(StringRef bytes) {
  return llvm::toHex(llvm::BLAKE3::hash(llvm::arrayRefFromStringRef(bytes)), /*LowerCase=*/true);
}

std::string moduleHash(mlir::ModuleOp module) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  (*copy)->removeAttr(configAttrName);
  std::string text;
  llvm::raw_string_ostream(text) << *copy;
  return contentHash(llvm::arrayRefFromStringRef(text));
}

/// Returns the file of the program or library that holds this code: ds-run, or libds.so in any
/// program.
static std::string thisFile() {
  std::string file;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *into) {
        auto self = reinterpret_cast<uintptr_t>(&thisFile) - info->dlpi_addr;
        for (const auto &part : llvm::ArrayRef(info->dlpi_phdr, info->dlpi_phnum))
          if (part.p_type == PT_LOAD && self >= part.p_vaddr &&
              self < part.p_vaddr + part.p_memsz) {
            StringRef name = info->dlpi_name; // empty for the program itself
            *static_cast<std::string *>(into) = name.empty() ? "/proc/self/exe" : name.str();
            return 1;
          }
        return 0;
      },
      &file);
  return file;
}

/// Returns the hash of the compiling code, which changes with each change of ds.
static const std::string &thisProgram() {
  static const std::string hash = [] {
    auto file = llvm::MemoryBuffer::getFile(thisFile(), /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
    return file ? wholeHash((*file)->getBuffer()) : std::string();
  }();
  return hash;
}

/// Returns names, sizes and times of the libraries that compile: an update of the system changes
/// them under this program.
static const std::string &compilerLibraries() {
  static const std::string all = [] {
    std::string found;
    dl_iterate_phdr(
        [](dl_phdr_info *info, size_t, void *into) {
          StringRef path = info->dlpi_name, name = llvm::sys::path::filename(path);
          struct stat file = {};
          if ((name.starts_with("libMLIR") || name.starts_with("libLLVM")) &&
              stat(path.str().c_str(), &file) == 0)
            *static_cast<std::string *>(into) += llvm::formatv(
                "{0} {1} {2}.{3};", name, file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
          return 0;
        },
        &found);
    return found;
  }();
  return all;
}

static bool asksAnotherFile(const Config &settings) {
  for (StringRef key : {"strategy_ckpt_load_file", "strategy_ckpt_save_file", "plan_profile"})
    if (settings.isSet(key))
      return true;
  std::optional<std::string> costs = settings.commCosts(); // a link, or the name of a file
  return costs && llvm::sys::fs::exists(*costs);
}

std::string stepKey(StringRef purpose, const StepSource &source, const Config &settings) {
  auto target = findTargetCpu(source.targetCpu);
  if (!target) {
    llvm::consumeError(target.takeError()); // the compilation reports it
    return "";
  }
  if (thisProgram().empty() || asksAnotherFile(settings))
    return "";
  std::vector<std::string> parts = {
      thisProgram(),   compilerLibraries(), LLVM_VERSION_STRING, purpose.str(), source.path,
      source.textHash, source.entry,        source.targetCpu,    source.target, toText(*target)};
  for (const auto &[name, value] : settings.written())
    if (name != "global_rank")
      parts.push_back(name + "=" + toText(value));
  llvm::BLAKE3 all;
  for (const std::string &part : parts)
    all.update(std::to_string(part.size()) + ":" + part);
  return llvm::toHex(all.final(), /*LowerCase=*/true);
}

} // namespace ds
