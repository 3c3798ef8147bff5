//===- main.cpp - ds-opt: mlir-opt with the ds dialect ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With --emit a step goes on to machine code, of any CPU that LLVM generates code for.
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "PassStatistics.h"

#include "ds/Compiler/Registration.h"
#include "ds/Compiler/Upstream.h"
#include "ds/Support/Escape.h"
#include "ds/Support/FaultReport.h"
#include "ds/Support/NamePasses.h"
#include "ds/Support/Nesting.h"
#include "ds/Support/StableHLO.h"
#include "ds/Support/ToolMain.h"
#include "ds/Support/Version.h"
#include "ds/Target/All/Targets.h"
#include "ds/Target/TargetCpu.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Location.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/ToolOutputFile.h"

namespace cl = llvm::cl;

namespace {

enum class Form { mlir, llvmIR, assembly, object, nvvm, ptx, cubin };

cl::opt<Form>
    emit("emit", cl::desc("What is written after the passes"),
         cl::values(clEnumValN(Form::mlir, "mlir", "the module (default)"),
                    clEnumValN(Form::llvmIR, "llvm", "LLVM IR of a step on tensors"),
                    clEnumValN(Form::assembly, "asm", "its assembly"),
                    clEnumValN(Form::object, "obj", "its object file"),
                    clEnumValN(Form::nvvm, "nvvm", "its kernels in the NVVM dialect"),
                    clEnumValN(Form::ptx, "ptx", "their PTX"),
                    clEnumValN(Form::cubin, "cubin", "their machine code, by NVIDIA's ptxas")),
         cl::init(Form::mlir));
cl::opt<std::string> target("target",
                            cl::desc("Generate code for this device: cpu (default), or a GPU as "
                                     "cuda:sm_90"),
                            cl::value_desc("NAME"), cl::init(ds::kCpuTarget));
cl::opt<std::string> targetCpu("target-cpu", cl::desc(ds::kTargetCpuHelp), cl::value_desc("NAME"));

cl::list<std::string> listOperations("list-operations",
                                     cl::desc("Print the operations of these dialects, as they are "
                                              "registered, and stop"),
                                     cl::value_desc("DIALECT,.."), cl::CommaSeparated);

int fail(const llvm::Twine &what) {
  bool located = llvm::StringRef(what.str()).contains(": error: ");
  llvm::errs() << (located ? "" : "ds-opt: error: ") << ds::printable(what.str()) << "\n";
  return 1;
}

/// Runs the passes on `input` into a text, and that through the rest of the compiler.
int failDeep(const std::string &input) {
  return fail("cannot read '" + input + "': it has more than " + llvm::Twine(ds::deepestNesting) +
              " brackets inside each other");
}

struct Reports {
  ds::Diagnostics diagnostics;
  ds::PassStatistics statistics;
};

/// Runs MLIR's main on the file. A crash is reported with the pass that it is in.
mlir::LogicalResult runMain(llvm::raw_ostream &stream, std::unique_ptr<llvm::MemoryBuffer> file,
                            llvm::StringRef input, mlir::DialectRegistry &registry,
                            Reports &reports) {
  mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();
  mlir::MlirOptMainConfig given = config;
  config.setPassPipelineSetupFn([&](mlir::PassManager &manager) {
    ds::namePasses(manager);
    reports.statistics.install(manager);
    return given.setupPassPipeline(manager);
  });
  reports.diagnostics.setSource(file->getMemBufferRef());
  if (config.shouldVerifyDiagnostics())
    reports.diagnostics.leaveToVerifier();
  const std::string advice = ds::adviceOnStableHLO(file->getBuffer(), input);
  mlir::LogicalResult result = mlir::MlirOptMain(stream, std::move(file), registry, config);
  reports.statistics.print(llvm::errs());
  if (failed(result) && !advice.empty() && !config.shouldVerifyDiagnostics())
    llvm::errs() << "ds-opt: note: " << ds::printable(advice) << "\n";
  return result;
}

int optimize(const std::string &input, const std::string &output, mlir::DialectRegistry &registry,
             Reports &reports) {
  {
    ds::FaultsUnreported handlersOfLLVM;
    llvm::sys::SetOneShotPipeSignalFunction(llvm::sys::DefaultOneShotPipeSignalHandler);
  }
  if (input == "-" && llvm::sys::Process::FileDescriptorIsDisplayed(fileno(stdin)))
    llvm::errs() << "(processing input from stdin now, hit ctrl-c/ctrl-d to interrupt)\n";
  std::string message;
  auto file = mlir::openInputFile(input, &message);
  if (!file)
    return fail(message);
  if (!ds::isShallow(file->getBuffer()))
    return failDeep(input);
  auto result = mlir::openOutputFile(output, &message);
  if (!result)
    return fail(message);
  if (failed(runMain(result->os(), std::move(file), input, registry, reports)))
    return 1;
  result->keep();
  return 0;
}

/// One a line, so that a table of them can be compared.
int printOperations(const mlir::DialectRegistry &registry) {
  mlir::MLIRContext context(registry);
  for (const std::string &name : listOperations)
    if (!context.getOrLoadDialect(name))
      return fail("there is no dialect '" + name + "'");
  for (mlir::RegisteredOperationName each : context.getRegisteredOperations())
    if (llvm::is_contained(listOperations, each.getDialectNamespace().str()))
      llvm::outs() << each.getStringRef() << "\n";
  return 0;
}

int emitCode(const std::string &input, const std::string &output,
             const mlir::DialectRegistry &registry, Reports &reports) {
  if (auto target = ds::findTargetCpu(targetCpu); !target)
    return fail(llvm::toString(target.takeError()));
  std::string message, text;
  auto file = mlir::openInputFile(input, &message);
  if (!file)
    return fail(message);
  if (!ds::isShallow(file->getBuffer()))
    return failDeep(input);
  llvm::raw_string_ostream stream(text);
  mlir::DialectRegistry own;
  registry.appendTo(own);
  if (failed(runMain(stream, std::move(file), input, own, reports)))
    return 1;
  mlir::MLIRContext context(own);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context, "<after the passes>");
  if (!module)
    return 1;
  auto result = mlir::openOutputFile(output, &message);
  if (!result)
    return fail(message);
  ds::CompileOptions options;
  options.target = target;
  options.targetCpu = targetCpu;
  ds::CodeForm form = emit == Form::llvmIR     ? ds::CodeForm::llvmIR
                      : emit == Form::assembly ? ds::CodeForm::assembly
                      : emit == Form::nvvm     ? ds::CodeForm::nvvm
                      : emit == Form::ptx      ? ds::CodeForm::ptx
                      : emit == Form::cubin    ? ds::CodeForm::cubin
                                               : ds::CodeForm::object;
  if (llvm::Error error = ds::emitStep(*module, options, form, result->os()))
    return fail(llvm::toString(std::move(error)));
  result->keep();
  return 0;
}

/// An error is a sentence and its place. MLIR would print the whole operation after it, which for
/// a step is the whole program; --mlir-print-op-on-diagnostic asks for that.
void keepDiagnosticsShort() {
  const llvm::StringRef name = "mlir-print-op-on-diagnostic";
  auto found = cl::getRegisteredOptions().find(name);
  if (found != cl::getRegisteredOptions().end() && !found->second->getNumOccurrences())
    (void)found->second->addOccurrence(0, name, "false");
}

/// --help shows what is ours and MLIR's main; --help-hidden, and what is typed, knows all.
void hideOptionsOfLLVM() {
  for (auto &[name, option] : cl::getRegisteredOptions())
    if (option != &emit && option != &targetCpu && option->getOptionHiddenFlag() == cl::NotHidden &&
        !llvm::is_contained({"help", "help-list", "help-hidden", "version"}, name))
      option->setHiddenFlag(cl::Hidden);
}

int run(int argc, char **argv, mlir::DialectRegistry &registry, Reports &reports) {
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "ds optimizer: steps for one device, made steps for n ranks\n", registry);
  keepDiagnosticsShort();
  if (!targetCpu.getNumOccurrences())
    targetCpu = ds::defaultTargetCpu();
  else if (emit == Form::mlir)
    return fail("--target-cpu needs --emit=llvm, --emit=asm or --emit=obj");
  if (target.getNumOccurrences() && emit == Form::mlir)
    return fail("--target needs --emit, such as --emit=ptx");
  if (llvm::Error error = reports.statistics.readOptions())
    return fail(llvm::toString(std::move(error)));
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (!listOperations.empty())
    return printOperations(registry);
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, output, registry));
  ds::Doing reading("reading or writing a module of", input);
  return emit == Form::mlir ? optimize(input, output, registry, reports)
                            : emitCode(input, output, registry, reports);
}

} // namespace

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  ds::registerDialects(registry);
  Reports reports{ds::Diagnostics(registry), {}};
  hideOptionsOfLLVM();
  // The 1,200 lines on upstream's passes would hide ours.
  if (!llvm::is_contained(llvm::ArrayRef(argv, argc), llvm::StringRef("--help")))
    ds::registerUpstreamPasses();
  ds::registerPasses();
  ds::setVersionPrinter("ds-opt");
  return ds::toolMain("ds-opt", [&] { return run(argc, argv, registry, reports); });
}
