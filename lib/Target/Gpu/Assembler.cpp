//===- Assembler.cpp - NVIDIA's assembler, where it is ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Target/Gpu/Assembler.h"

#include "TargetName.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace ds;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;

Expected<Assembler> Assembler::find() {
  std::string ptxas = "/usr/local/cuda/bin/ptxas";
  if (const char *home = std::getenv("CUDA_HOME"); home && *home)
    ptxas = std::string(home) + "/bin/ptxas";
  else if (auto inPath = llvm::sys::findProgramByName("ptxas"))
    ptxas = *inPath;
  llvm::SmallString<64> real; // links resolved, where the rest of the toolkit is
  if (!fs::real_path(ptxas, real) && fs::can_execute(real))
    return Assembler(real.str().str());
  return userError("'" + ptxas +
                   "' is not there, which makes machine code for NVIDIA's GPUs: "
                   "CUDA_HOME names a toolkit, or a folder with Python's package "
                   "nvidia-cuda-nvcc");
}

namespace {
/// A folder for the files of one call, removed with it.
class Scratch {
public:
  static Expected<Scratch> create() {
    Scratch scratch;
    if (std::error_code code = fs::createUniqueDirectory("ds-ptxas", scratch.folder))
      return userError("no temporary folder can be made: " + code.message());
    return scratch;
  }
  Scratch(Scratch &&other) : folder(std::move(other.folder)) { other.folder.clear(); }
  ~Scratch() {
    if (!folder.empty())
      (void)fs::remove_directories(folder);
  }

  std::string path(StringRef name) const { return (folder + "/" + name).str(); }
  Error write(StringRef name, StringRef bytes) const {
    std::error_code code;
    llvm::raw_fd_ostream stream(path(name), code);
    if (!code) {
      stream << bytes;
      stream.close();
      code = stream.error();
      stream.clear_error();
    }
    return code ? userError("'" + path(name) + "' cannot be written: " + code.message())
                : Error::success();
  }
  Expected<std::string> read(StringRef name) const {
    auto file = llvm::MemoryBuffer::getFile(path(name), /*IsText=*/false);
    if (!file)
      return userError("'" + path(name) + "' cannot be read: " + file.getError().message());
    return (*file)->getBuffer().str();
  }

  /// Runs a tool of the toolkit; the first line of its output becomes the error.
  Error run(StringRef program, llvm::ArrayRef<std::string> words) const {
    std::vector<StringRef> arguments = {program};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const std::string log = path("log");
    std::optional<StringRef> streams[] = {StringRef(), StringRef(log), StringRef(log)};
    std::string why;
    const int status = llvm::sys::ExecuteAndWait(program, arguments, std::nullopt, streams,
                                                 /*SecondsToWait=*/600, /*MemoryLimit=*/0, &why);
    if (status == 0)
      return Error::success();
    if (auto text = read("log"); text && why.empty())
      why = StringRef(*text).trim().split('\n').first.str();
    else if (!text)
      llvm::consumeError(text.takeError());
    return userError("'" + program +
                     "' fails: " + (why.empty() ? "status " + std::to_string(status) : why));
  }

private:
  Scratch() = default;
  llvm::SmallString<64> folder;
};
} // namespace

Expected<std::string> Assembler::assemble(StringRef ptx, StringRef chip) const {
  auto scratch = Scratch::create();
  if (!scratch)
    return scratch.takeError();
  if (Error error = scratch->write("k.ptx", ptx))
    return error;
  if (Error error = scratch->run(
          ptxas, {"-arch=" + chip.str(), "-o", scratch->path("k.cubin"), scratch->path("k.ptx")}))
    return error;
  return scratch->read("k.cubin");
}

Expected<std::string> Assembler::join(StringRef ptx, StringRef cubin, StringRef chip) const {
  auto scratch = Scratch::create();
  if (!scratch)
    return scratch.takeError();
  for (auto [name, bytes] : {std::pair(StringRef("k.ptx"), ptx), {StringRef("k.cubin"), cubin}})
    if (Error error = scratch->write(name, bytes))
      return error;
  const std::string program = (llvm::sys::path::parent_path(ptxas) + "/fatbinary").str(),
                    number = std::to_string(gpu::chipNumber(chip));
  // Uncompressed: a reader without NVIDIA's library finds the text.
  if (Error error = scratch->run(
          program, {"--create=" + scratch->path("k.fatbin"), "-64", "--compress=false",
                    "--image3=kind=elf,sm=" + number + ",file=" + scratch->path("k.cubin"),
                    "--image3=kind=ptx,sm=" + number + ",file=" + scratch->path("k.ptx")}))
    return error;
  return scratch->read("k.fatbin");
}

std::string ds::addMachineCode(Executable &executable) {
  const std::vector<StringRef> chips = gpu::chipsOf(executable.target);
  const std::string names = gpu::describeTarget(executable.target);
  std::vector<std::string> images;
  auto add = [&](const Assembler &assembler) -> Error {
    for (auto [i, chip] : llvm::enumerate(chips)) {
      const std::string &ptx = executable.objects[i + 1]; // the driver comes first
      auto cubin = assembler.assemble(ptx, chip);
      if (!cubin)
        return cubin.takeError();
      auto image = assembler.join(ptx, *cubin, chip);
      if (!image)
        return image.takeError();
      images.push_back(std::move(*image));
    }
    return Error::success();
  };
  auto assembler = Assembler::find();
  if (Error error = assembler ? add(*assembler) : assembler.takeError())
    return "PTX for " + names + " without machine code: " + llvm::toString(std::move(error));
  for (auto [i, image] : llvm::enumerate(images))
    executable.objects[i + 1] = std::move(image);
  return "machine code and PTX for " + names;
}
