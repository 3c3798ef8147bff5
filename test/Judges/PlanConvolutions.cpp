//===- PlanConvolutions.cpp - What cuDNN plans for a step's convolutions -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plan-convolutions STEP.mlir [KEY=VALUE,..]: compiles the step for an H100 and plans each distinct
// convolution by the code that a run plans it with. A line has how often the step has a
// convolution, its sizes and the order of its dimensions in memory. The plans of PlanningCudnn.cpp
// follow: for addresses that are multiples of 16 bytes, and for others.
//
//===----------------------------------------------------------------------===//
#include "../../lib/Target/Gpu/Library/DevicePlan.h"
#include "ds/Compiler/Pipelines.h"
#include "ds/Compiler/Registration.h"
#include "ds/Compiler/RunPasses.h"
#include "ds/Support/ToolMain.h"
#include "ds/Target/All/Targets.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace ds;

namespace {

std::string join(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : "x") + std::to_string(number);
  return text;
}

/// Returns "64x3x224x224 ncab": sizes, then the dimensions from the slowest to the fastest.
std::string describe(const Convolution::Tensor &tensor, llvm::StringRef names) {
  std::vector<size_t> order(tensor.sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return tensor.strides[a] > tensor.strides[b]; });
  std::string text = join(tensor.sizes) + " ";
  for (size_t dimension : order)
    text += names[dimension];
  return text;
}

std::string describe(const Convolution &of) {
  const char *kinds[] = {"forward", "source gradient", "weights gradient"};
  const char *type = of.type == ElementType::bf16  ? "bf16"
                     : of.type == ElementType::f16 ? "f16"
                                                   : "f32";
  std::string text = std::string(of.tf32 ? "tf32" : type) + " " + kinds[of.kind];
  text += " of " + describe(of.source, "ncabd") + " by " + describe(of.weights, "kcrst") + " to " +
          describe(of.destination, "nkabd");
  text += ", stride " + join(of.stride) + ", padding " + join(of.padding);
  if (of.groups > 1)
    text += ", " + std::to_string(of.groups) + " groups";
  if (std::any_of(of.dilation.begin(), of.dilation.end(), [](int64_t by) { return by != 1; }))
    text += ", dilation " + join(of.dilation);
  return text;
}

int fail(llvm::Error error) {
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
  return 1;
}

int run(int argc, char **argv) {
  if (argc < 2)
    return fail(llvm::createStringError("usage: plan-convolutions STEP.mlir [KEY=VALUE,..]"));
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  DataParallelOptions how;
  how.config = argc > 2 ? argv[2] : "";
  if (!module || failed(runPasses(*module, Verify::atEnd, [&](mlir::OpPassManager &passes) {
        buildDataParallelPipeline(passes, how);
      })))
    return 1;
  CompileOptions options;
  options.target = "cuda:sm_90";
  std::vector<StageTime> times;
  auto executable = buildStep(*module, options, times);
  if (!executable)
    return fail(executable.takeError());
  std::map<std::string, std::pair<int, const Convolution *>> distinct;
  for (const LibraryCallSpec &call : executable->libraryCalls)
    if (const auto *convolution = std::get_if<Convolution>(&call.what)) {
      auto &[times, one] = distinct[describe(*convolution)];
      ++times;
      one = convolution;
    }
  gpu::LibraryHandles handles;
  for (const auto &[text, found] : distinct) {
    std::printf("%d x %s\n", found.first, text.c_str());
    std::fflush(stdout);
    if (auto plan = gpu::planConvolution(*found.second, handles); !plan)
      std::printf("  no plan: %s\n", llvm::toString(plan.takeError()).c_str());
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  return toolMain("plan-convolutions", [&] { return run(argc, argv); });
}
