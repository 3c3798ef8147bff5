//===- ObjectCompiler.cpp - LLVM dialect to machine code --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Our own LLVM pipeline. Loop unrolling is off: it unrolls short inner loops (16 or 32 channels)
// before the vectoriser sees them, which leaves scalar code several times slower. Each operation of
// the incoming module states its own floating-point flags.
//
// A driver is one function as long as the step, whose time is in the calls: it gets code that
// compiles in time proportional to its length (registers are allocated one instruction at a time).
//
//===----------------------------------------------------------------------===//
#include "ObjectCompiler.h"

#include "HalfFloats.h"
#include "ds/Support/FaultReport.h"
#include "ds/Target/CodeGenerators.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"

using namespace llvm;

static Error makeError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

/// A loop that is marked to be vectorised may resist: that is no warning for a user, since they did
/// not ask for it.
struct QuietAboutHints final : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    return info.getKind() == DK_OptimizationFailure;
  }
};

static Expected<std::unique_ptr<TargetMachine>> createMachine(const ds::TargetCpu &cpu,
                                                              ds::CodeKind kind) {
  ds::registerCodeGenerators();
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(cpu.triple, message);
  if (!target)
    return makeError(message);
  auto level = kind == ds::CodeKind::kernels ? CodeGenOptLevel::Default : CodeGenOptLevel::None;
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      cpu.triple, cpu.cpu, cpu.features, TargetOptions(), Reloc::PIC_, std::nullopt, level));
  if (!machine)
    return makeError("LLVM cannot generate code for '" + cpu.cpu + "'");
  return machine;
}

static void setAttributes(Module &module, const TargetMachine &machine) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr("prefer-vector-width", "512");
    // Ranks flush denormals; other threads that run a step need not.
    function.addFnAttr("denormal-fp-math", "dynamic,dynamic");
    function.addFnAttr(Attribute::NoUnwind);
  }
}

/// True if conversions between f16 and f32 are instructions. On AArch64 they always are.
static bool convertsF16(const TargetMachine &machine) {
  const Triple &triple = machine.getTargetTriple();
  return triple.isAArch64() ||
         (triple.isX86() && machine.getMCSubtargetInfo()->checkFeatures("+f16c"));
}

/// Folds the descriptors that lowering leaves between calls.
static FunctionPassManager createDriverPasses() {
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass());
  passes.addPass(DCEPass());
  return passes;
}

void ds::runModulePasses(Module &module, PassBuilder &builder, ModulePassManager passes) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  passes.run(module, modules);
}

static void optimize(Module &module, TargetMachine &machine, ds::CodeKind kind) {
  PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false;
  tuning.SLPVectorization = false;
  PassBuilder builder(&machine, tuning);
  ModulePassManager passes;
  if (kind == ds::CodeKind::kernels)
    passes = builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2);
  else
    passes.addPass(createModuleToFunctionPassAdaptor(createDriverPasses()));
  ds::runModulePasses(module, builder, std::move(passes));
}

/// Translates to an LLVM module, with all our attributes, before LLVM's passes.
static Expected<std::unique_ptr<Module>> translate(mlir::ModuleOp source, LLVMContext &context,
                                                   const TargetMachine &machine,
                                                   function_ref<void(Module &)> edit) {
  ds::Doing translating("translating the step to LLVM IR");
  std::unique_ptr<Module> module = mlir::translateModuleToLLVMIR(source, context);
  if (!module)
    return makeError("the step cannot be translated to LLVM IR");
  module->setTargetTriple(machine.getTargetTriple());
  module->setDataLayout(machine.createDataLayout());
  if (edit)
    edit(*module);
  setAttributes(*module, machine);
  if (Error error = ds::expandHalfFloats(*module, convertsF16(machine)))
    return error;
  return module;
}

static Error generate(Module &module, TargetMachine &machine, CodeGenFileType type,
                      raw_pwrite_stream &stream) {
  legacy::PassManager codegen;
  if (machine.addPassesToEmitFile(codegen, stream, nullptr, type))
    return makeError("LLVM cannot write object files for '" + machine.getTargetCPU() + "'");
  codegen.run(module);
  return Error::success();
}

Expected<std::unique_ptr<MemoryBuffer>> ds::compileToObject(mlir::ModuleOp source, CodeKind kind,
                                                            const TargetCpu &target,
                                                            function_ref<void(Module &)> edit) {
  LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<QuietAboutHints>());
  auto machine = createMachine(target, kind);
  if (!machine)
    return machine.takeError();
  auto module = translate(source, context, **machine, edit);
  if (!module)
    return module.takeError();
  ds::Doing compiling("generating machine code");
  optimize(**module, **machine, kind);
  SmallVector<char, 0> object;
  raw_svector_ostream stream(object);
  if (Error error = generate(**module, **machine, CodeGenFileType::ObjectFile, stream))
    return error;
  return std::make_unique<SmallVectorMemoryBuffer>(std::move(object),
                                                   /*RequiresNullTerminator=*/false);
}

/// Longer drivers (in instructions) are compiled apart from their kernels, as ds-run does it,
/// without LLVM's passes on a function of thousands of loops or arguments, whose time is anything
/// but linear.
static constexpr unsigned longDriver = 1024;

static bool hasLongDriver(const Module &module) {
  return llvm::any_of(module, [](const Function &function) {
    return function.getInstructionCount() + function.arg_size() > longDriver;
  });
}

/// Keeps the code generator from optimising, too.
static void leaveAsItIs(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration()) {
      function.addFnAttr(Attribute::NoInline);
      function.addFnAttr(Attribute::OptimizeNone);
    }
}

Error ds::compileTogether(ArrayRef<mlir::ModuleOp> parts, const TargetCpu &target,
                          function_ref<void(Module &)> editFirst, CodeForm form,
                          raw_pwrite_stream &stream) {
  LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<QuietAboutHints>());
  auto machine = createMachine(target, CodeKind::kernels);
  if (!machine)
    return machine.takeError();
  std::unique_ptr<Module> whole; // the driver's, then all
  bool apart = false;
  for (mlir::ModuleOp part : parts) {
    auto module = translate(part, context, **machine, whole ? nullptr : editFirst);
    if (!module)
      return module.takeError();
    apart |= !whole && hasLongDriver(**module);
    if (apart)
      optimize(**module, **machine, whole ? CodeKind::kernels : CodeKind::driver);
    if (apart && !whole)
      leaveAsItIs(**module);
    if (!whole)
      whole = std::move(*module);
    else if (Linker::linkModules(*whole, std::move(*module)))
      return makeError("the parts of the step cannot be joined");
  }
  ds::Doing compiling("generating machine code");
  if (!apart)
    optimize(*whole, **machine, CodeKind::kernels);
  if (form == CodeForm::llvmIR) {
    stream << *whole;
    return Error::success();
  }
  return generate(*whole, **machine,
                  form == CodeForm::assembly ? CodeGenFileType::AssemblyFile
                                             : CodeGenFileType::ObjectFile,
                  stream);
}
