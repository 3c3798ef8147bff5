//===- Assembler.h - NVIDIA's assembler, where it is ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX is all that a GPU needs: its driver has this assembler inside. Machine code made ahead of
// time saves the seconds that the driver would take at each first start.
//
//===----------------------------------------------------------------------===//
#ifndef DS_TARGET_GPU_ASSEMBLER_H
#define DS_TARGET_GPU_ASSEMBLER_H

#include "ds/Step/Executable.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ds {

class Assembler {
public:
  /// Finds ptxas of $CUDA_HOME/bin, or, if that is not set, of PATH or /usr/local/cuda/bin. Fails
  /// with one sentence.
  static llvm::Expected<Assembler> find();

  /// Returns machine code (an ELF file, or cubin) of a chip such as sm_90.
  llvm::Expected<std::string> assemble(llvm::StringRef ptx, llvm::StringRef chip) const;
  /// Joins both into one fat binary, by NVIDIA's fatbinary beside ptxas: a GPU of this chip takes
  /// the machine code, any newer one the text.
  llvm::Expected<std::string> join(llvm::StringRef ptx, llvm::StringRef cubin,
                                   llvm::StringRef chip) const;

private:
  explicit Assembler(std::string ptxas) : ptxas(std::move(ptxas)) {}
  std::string ptxas;
};

/// Replaces the PTX of an executable for GPUs by fat binaries that hold machine code as well.
/// Returns a description for people: `machine code and PTX for sm_80, sm_90`, or why it is PTX
/// alone.
std::string addMachineCode(Executable &executable);

} // namespace ds

#endif // DS_TARGET_GPU_ASSEMBLER_H
