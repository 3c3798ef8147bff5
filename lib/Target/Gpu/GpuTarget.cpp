//===- GpuTarget.cpp - Steps on NVIDIA's GPUs -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step is lowered to a driver and kernels as for a CPU. The kernels become PTX, which the
// driver of the device compiles at load; the driver becomes host code, which launches them. An
// executable holds both: an object file and the PTX.
//
//===----------------------------------------------------------------------===//
#include "ds/Target/Gpu/GpuTarget.h"

#include "../Cpu/Jit.h"
#include "../Cpu/ObjectCompiler.h"
#include "CudaStep.h"
#include "PtxCompiler.h"
#include "TargetName.h"
#include "ds/Compiler/Pipelines.h"
#include "ds/Compiler/RunPasses.h"
#include "ds/Conversion/Gpu/Passes.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Support/FirstError.h"
#include "ds/Support/UserError.h"
#include "ds/Target/Gpu/Assembler.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ds;
using namespace ds::gpu;

static constexpr size_t hostCode = 0; // of an executable's objects; those for chips follow

namespace {

class GpuTarget final : public Target {
public:
  StringRef name() const override { return kGpuTarget; }
  llvm::Expected<Executable> compile(ModuleOp module, const CompileOptions &options,
                                     std::vector<StageTime> &times) const override;
  llvm::Expected<std::unique_ptr<CompiledStep>>
  load(Executable executable, std::vector<StageTime> times, StringRef devices) const override;
  llvm::Error emit(ModuleOp module, const CompileOptions &options, CodeForm form,
                   llvm::raw_ostream &stream) const override;
  std::string describeLibrary(const std::string &) const override;
};

/// The kernels of a step, apart from its driver, and how the driver launches them.
struct DeviceKernels {
  OwningOpRef<ModuleOp> module; // holds the gpu.module
  DriverSpec driver;
  std::set<RankReduction> reductions; // by which its ranks exchange

  mlir::gpu::GPUModuleOp kernels() { return *module->getOps<mlir::gpu::GPUModuleOp>().begin(); }
  llvm::Expected<std::string> compile(StringRef chip) {
    return compileToPtx(kernels(), chip, [&](llvm::Module &code) {
      for (const RankReduction &reduction : reductions)
        addRankReduction(code, reduction);
    });
  }
};

} // namespace

const Target &ds::gpuTarget() {
  static const GpuTarget target;
  return target;
}

/// Returns 32 if an index of 32 bits counts all elements that kernels touch and no index is stored;
/// else 64.
static unsigned indexBits(ModuleOp module) {
  bool isSmall = true;
  module.walk([&](Operation *op) {
    for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
      if (auto memref = dyn_cast<MemRefType>(type))
        isSmall &= !memref.getElementType().isIndex() && memref.hasStaticShape() &&
                   memref.getNumElements() < (int64_t(1) << 31);
  });
  return isSmall ? 32 : 64;
}

/// Collects places in the order of the operations, each once. A call of a function counts by its
/// own place.
static void collectPlaces(Location location, std::vector<std::string> &places) {
  location->walk([&](Location inner) {
    if (auto call = dyn_cast<CallSiteLoc>(inner)) {
      collectPlaces(call.getCallee(), places);
      return WalkResult::skip();
    }
    if (auto place = dyn_cast<FileLineColLoc>(inner)) {
      std::string text = place.getFilename().str() + ":" + std::to_string(place.getLine()) + ":" +
                         std::to_string(place.getColumn());
      if (!llvm::is_contained(places, text))
        places.push_back(std::move(text));
    }
    return WalkResult::advance();
  });
}

/// Returns `step.mlir:60:11, step.mlir:72:11 and 4 more`; empty if no place is known.
static std::string describePlaces(Location location) {
  constexpr size_t most = 3;
  std::vector<std::string> places;
  collectPlaces(location, places);
  std::string text = llvm::join(llvm::ArrayRef(places).take_front(most), ", ");
  if (places.size() > most)
    text += " and " + std::to_string(places.size() - most) + " more";
  return text;
}

static std::vector<LaunchSpec> launchesOf(func::FuncOp function) {
  auto list = function->getAttrOfType<ArrayAttr>(kLaunches);
  const std::string source = describePlaces(function.getLoc());
  std::vector<LaunchSpec> specs;
  for (auto launch : list.getAsRange<DictionaryAttr>()) {
    ArrayRef<int64_t> shape = launch.getAs<DenseI64ArrayAttr>("shape").asArrayRef();
    specs.push_back({launch.getAs<StringAttr>("kernel").str(),
                     launch.getAs<StringAttr>("scheme").str(), source, shape[0], shape[1],
                     shape[2]});
  }
  return specs;
}

/// Takes the kernels out of a module after ds-map-kernels.
static DeviceKernels takeKernels(ModuleOp module) {
  DeviceKernels taken;
  taken.module = ModuleOp::create(module.getLoc());
  for (auto func : module.getOps<func::FuncOp>())
    if (func->hasAttr(kLaunches)) {
      taken.driver.launches[func.getName().str()] = launchesOf(func);
      func->removeAttr(kLaunches);
    }
  for (auto func : module.getOps<func::FuncOp>())
    if (auto asserted = func->getAttrOfType<DictionaryAttr>(kAssertions)) {
      taken.driver.assertions.offset = asserted.getAs<IntegerAttr>("offset").getInt();
      taken.driver.assertions.bytes = asserted.getAs<IntegerAttr>("bytes").getInt();
      for (auto message : asserted.getAs<ArrayAttr>("messages").getAsRange<StringAttr>())
        taken.driver.assertions.messages.push_back(message.str());
      func->removeAttr(kAssertions);
    }
  Operation *kernels = *module.getOps<mlir::gpu::GPUModuleOp>().begin();
  kernels->moveBefore(taken.module->getBody(), taken.module->getBody()->end());
  module->removeAttr(mlir::gpu::GPUDialect::getContainerModuleAttrName());
  return taken;
}

/// Refuses a kernel with more arguments than a launch takes: the host's driver would refuse all.
static LogicalResult checkArguments(mlir::gpu::GPUModuleOp kernels) {
  LogicalResult result = success();
  for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>())
    if (int64_t bytes = int64_t(kernel.getNumArguments()) * 8; bytes > kMostArgumentBytes)
      result = kernel.emitError("a kernel takes ")
               << kernel.getNumArguments() << " buffers and numbers, " << bytes
               << " bytes, and a launch on a GPU takes " << kMostArgumentBytes;
  return result;
}

/// Lowers the step to a driver and kernels in the NVVM dialect; `module` keeps the driver.
static llvm::Expected<DeviceKernels> lowerKernels(ModuleOp module, const CompileOptions &options,
                                                  Stages &stages, Executable &executable) {
  for (StringRef chip : chipsOf(options.target))
    if (llvm::Error refusal = checkChip(chip))
      return refusal;
  FailureOr<Config> config = getConfig(module); // verified with the module
  const bool usesTf32 = succeeded(config) && config->usesTf32();
  LoweringOptions lowering = options;
  lowering.forGpu = true;
  if (llvm::Error error = lowerToDriver(module, lowering, stages, executable))
    return error;
  FirstError error(module.getContext());
  auto reductions = findRankReductions(module, executable.manifest.numRanks);
  unsigned bits = indexBits(module);
  if (failed(stages.run("map-to-gpu", [&] {
        return runPasses(module, Verify::never, buildMapToGpuPipeline, options.instrument);
      })))
    return error.take("the step has no code on a GPU");
  readDriverArguments(module, executable);
  readLibraryCalls(module, executable);
  for (LibraryCallSpec &call : executable.libraryCalls)
    std::visit([&](auto &what) { what.tf32 = usesTf32; }, call.what);
  if (llvm::any_of(executable.driverArguments, [](const DriverArgument &argument) {
        return argument.kind == DriverArgument::peerArena;
      }))
    return userError("'shared_replicas' is on, but the ranks of a GPU have memory of their own; "
                     "expected 'off', or --device cpu");
  DeviceKernels taken = takeKernels(module);
  taken.reductions = std::move(reductions);
  for (const RankReduction &reduction : taken.reductions) {
    std::string name = nameOf(reduction);
    taken.driver.launches[name] = {{name, kRanksScheme, "", 0, kRankReductionThreads, 1}};
  }
  if (failed(stages.run("nvvm-dialect", [&] {
        return runPasses(
            *taken.module, Verify::never,
            [&](OpPassManager &pm) { buildKernelsToNVVMPipeline(pm, bits); }, options.instrument);
      })))
    return error.take("the kernels cannot be lowered to NVVM");
  if (failed(checkArguments(taken.kernels())))
    return error.take("a kernel has too many arguments");
  return taken;
}

llvm::Expected<Executable> GpuTarget::compile(ModuleOp module, const CompileOptions &options,
                                              std::vector<StageTime> &times) const {
  if (llvm::Error refusal = checkRunsHere(options.targetCpu))
    return refusal;
  TargetCpu host = llvm::cantFail(findTargetCpu(options.targetCpu));
  Executable executable;
  executable.target = options.target;
  executable.targetCpu = options.targetCpu;
  executable.machine = toText(host);
  executable.objects.resize(1);
  Stages stages(options, module, times);
  auto kernels = lowerKernels(module, options, stages, executable);
  if (!kernels)
    return kernels.takeError();
  auto parts = lowerToLLVM(module, options, /*numParts=*/0, stages);
  if (!parts)
    return parts.takeError();
  std::string failure;
  FirstError error(module.getContext());
  (void)stages.run("machine-code", [&] {
    for (StringRef chip : chipsOf(options.target)) {
      auto ptx = kernels->compile(chip);
      if (ptx)
        executable.objects.push_back(std::move(*ptx));
      else
        failure = llvm::toString(ptx.takeError());
    }
    auto object = compileToObject(*(*parts)->getOps<ModuleOp>().begin(), CodeKind::driver, host,
                                  [&](llvm::Module &driver) {
                                    completeGpuDriver(driver, executable, kernels->driver,
                                                      deviceFunctions(), options.profile);
                                  });
    if (object)
      executable.objects[hostCode] = (*object)->getBuffer().str();
    else
      failure = llvm::toString(object.takeError());
    return success();
  });
  if (!failure.empty())
    return error.take(failure);
  return executable;
}

llvm::Expected<std::unique_ptr<CompiledStep>>
GpuTarget::load(Executable executable, std::vector<StageTime> times, StringRef devices) const {
  if (llvm::Error refusal = checkRunsHere(executable.targetCpu))
    return refusal;
  std::shared_ptr<llvm::orc::LLJIT> jit;
  EntryFunction entry = nullptr;
  const DeviceTables *tables = nullptr;
  {
    StageTimer timer(times, "link");
    std::vector<std::unique_ptr<llvm::MemoryBuffer>> objects;
    objects.push_back(llvm::MemoryBuffer::getMemBufferCopy(executable.objects[hostCode], "step"));
    if (llvm::Error error = linkObjects(std::move(objects), {}).moveInto(jit))
      return error;
    auto found = jit->lookup(kEntryName);
    if (!found)
      return found.takeError();
    entry = found->toPtr<EntryFunction>();
    auto record = jit->lookup(kTables);
    if (!record)
      return record.takeError();
    tables = record->toPtr<const DeviceTables *>();
  }
  return loadOnDevices(std::move(executable), entry, *tables, std::move(jit), std::move(times),
                       devices);
}

llvm::Error GpuTarget::emit(ModuleOp module, const CompileOptions &options, CodeForm form,
                            llvm::raw_ostream &stream) const {
  if (form != CodeForm::nvvm && form != CodeForm::ptx && form != CodeForm::cubin)
    return userError("target '" + options.target + "' emits nvvm, ptx or cubin");
  if (form == CodeForm::cubin && chipsOf(options.target).size() > 1)
    return userError("a cubin is of one chip, but the target is '" + options.target + "'");
  std::optional<Assembler> assembler;
  if (form == CodeForm::cubin)
    if (llvm::Error error = Assembler::find().moveInto(assembler))
      return error;
  Executable executable;
  std::vector<StageTime> times;
  Stages stages(options, module, times);
  auto kernels = lowerKernels(module, options, stages, executable);
  if (!kernels)
    return kernels.takeError();
  if (form == CodeForm::nvvm) {
    kernels->kernels()->print(stream);
    stream << "\n";
    return llvm::Error::success();
  }
  FirstError error(module.getContext());
  for (StringRef chip : chipsOf(options.target)) {
    auto ptx = kernels->compile(chip);
    if (!ptx)
      return error.take(llvm::toString(ptx.takeError()));
    if (assembler)
      if (llvm::Error failed = assembler->assemble(*ptx, chip).moveInto(*ptx))
        return failed;
    stream << *ptx;
  }
  return llvm::Error::success();
}

std::string GpuTarget::describeLibrary(const std::string &) const {
  auto products = loadCublasLt();
  if (!products)
    return llvm::toString(products.takeError());
  return "cuBLASLt " + std::to_string((*products)->cublasLtGetVersion());
}

llvm::Expected<std::string> ds::findGpu(StringRef numbers) {
  auto devices = usedDevices(numbers);
  if (!devices)
    return devices.takeError();
  std::string chip;
  for (int number : *devices) {
    auto device = findDevice(number);
    if (!device)
      return device.takeError();
    if (!chip.empty() && device->chip != chip)
      return userError(
          "GPU " + llvm::Twine(devices->front()) + " is of " + chip + " and GPU " +
          llvm::Twine(number) + " of " + device->chip +
          "; name those of one kind, as in --device cuda:" + llvm::Twine(devices->front()));
    chip = device->chip;
  }
  return std::string(kGpuTarget) + ":" + chip;
}
