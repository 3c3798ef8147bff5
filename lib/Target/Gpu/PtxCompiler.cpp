//===- PtxCompiler.cpp - Kernels in the NVVM dialect to PTX -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses LLVM's own code generator. Denormals of f32 are zero, as they are in the ranks of a CPU. f16
// and bf16 are stored, and computed with in f32, by the same rewriting as for a CPU, so that both
// have the same bits.
//
//===----------------------------------------------------------------------===//
#include "PtxCompiler.h"

#include "../Cpu/HalfFloats.h"
#include "../Cpu/ObjectCompiler.h"
#include "ds/Support/FaultReport.h"
#include "ds/Support/UserError.h"
#include "ds/Target/CodeGenerators.h"

#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace {
/// A chip, and the first version of PTX that knows it, 8.0 at least.
struct Chip {
  StringLiteral name, features;
};
} // namespace

static constexpr Chip chips[] = {{"sm_80", "+ptx80"},  {"sm_86", "+ptx80"},  {"sm_89", "+ptx80"},
                                 {"sm_90", "+ptx80"},  {"sm_100", "+ptx86"}, {"sm_103", "+ptx88"},
                                 {"sm_120", "+ptx87"}, {"sm_121", "+ptx88"}};

static Error makeError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

static Expected<Chip> findChip(StringRef name) {
  const Chip *found = llvm::find_if(chips, [&](const Chip &chip) { return chip.name == name; });
  if (found != std::end(chips))
    return *found;
  SmallVector<StringRef> names;
  for (const Chip &chip : chips)
    names.push_back(chip.name);
  return ds::userError("there is no code generation for 'cuda:" + name +
                       "', expected cuda: and one of " + join(names, ", "));
}

Error ds::gpu::checkChip(StringRef name) { return findChip(name).takeError(); }

static Expected<std::unique_ptr<TargetMachine>> createMachine(const Chip &chip) {
  ds::registerCodeGenerators();
  Triple triple("nvptx64-nvidia-cuda");
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return makeError(message);
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(triple, chip.name, chip.features, TargetOptions(), std::nullopt));
}

static void optimize(Module &module, TargetMachine &machine) {
  PipelineTuningOptions tuning;
  tuning.SLPVectorization = false;
  tuning.LoopVectorization = false;
  PassBuilder builder(&machine, tuning);
  ds::runModulePasses(module, builder,
                      builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2));
}

Expected<std::string> ds::gpu::compileToPtx(mlir::Operation *kernels, StringRef name,
                                            function_ref<void(Module &)> addKernels) {
  auto chip = findChip(name);
  if (!chip)
    return chip.takeError();
  mlir::DialectRegistry registry;
  mlir::registerGPUDialectTranslation(registry);
  mlir::registerNVVMDialectTranslation(registry);
  kernels->getContext()->appendDialectRegistry(registry);
  auto machine = createMachine(*chip);
  if (!machine)
    return machine.takeError();
  LLVMContext context;
  std::unique_ptr<Module> module;
  {
    Doing translating("translating kernels to LLVM IR");
    module = mlir::translateModuleToLLVMIR(kernels, context, "kernels");
  }
  if (!module)
    return makeError("the kernels cannot be translated to LLVM IR");
  if (addKernels)
    addKernels(*module);
  Doing compiling("generating PTX");
  module->setTargetTriple((*machine)->getTargetTriple());
  module->setDataLayout((*machine)->createDataLayout());
  for (Function &function : *module)
    if (!function.isDeclaration()) {
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
      function.addFnAttr(Attribute::NoUnwind);
    }
  // With conversions of its own LLVM would compute in f16, whose denormals are then flushed.
  if (Error error = expandHalfFloats(*module, /*hasF16=*/false))
    return error;
  optimize(*module, **machine);
  SmallString<0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager codegen;
  if ((*machine)->addPassesToEmitFile(codegen, stream, nullptr, CodeGenFileType::AssemblyFile))
    return makeError("LLVM cannot write PTX");
  codegen.run(*module);
  return text.str().str();
}
