//===- Bundles.cpp - Mutated steps for GPUs ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ds-compile writes of a step, as a program hands it over: the description's bytes, the names
// of chips, the PTX and fat binaries are mutated, and loaded on the tests' driver of CUDA.
//
//===----------------------------------------------------------------------===//
#include "Kinds.h"
#include "Mutator.h"

#include "../../lib/Target/Gpu/CompleteGpuDriver.h"

#include "ds/Target/Gpu/LinkedGpuStep.h"

#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <cstdlib>

namespace ds {
namespace {

/// A kernel with a loop, shared memory, a shuffle and a barrier, for a chip.
std::string kernelFor(const std::string &chip) {
  return ".version 8.0\n.target " + chip + R"(
.address_size 64
.visible .entry scale(.param .u64 .ptr .align 16 scale_param_0, .param .u64 scale_param_1)
.maxntid 32
{
  .reg .pred %p<3>;
  .reg .b32 %r<12>;
  .reg .f32 %f<8>;
  .reg .b64 %rd<8>;
  .shared .align 4 .b8 parts[128];
  ld.param.u64 %rd1, [scale_param_0];
  ld.param.u64 %rd2, [scale_param_1];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  setp.gt.u32 %p1, %r1, 3;
  mov.b32 %f1, 0f00000000;
  @%p1 bra $L__BB0_2;
  ld.global.f32 %f1, [%rd4];
$L__BB0_2:
  mov.b32 %r2, %f1;
  shfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;
  mov.b32 %f2, %r3;
  add.rn.ftz.f32 %f3, %f1, %f2;
  mov.u32 %r4, parts;
  shl.b32 %r5, %r1, 2;
  add.s32 %r6, %r4, %r5;
  st.shared.f32 [%r6], %f3;
  bar.sync 0;
  mov.b32 %r7, 0;
  mov.b32 %f4, 0f3F800000;
$L__BB0_3:
  fma.rn.ftz.f32 %f4, %f4, %f3, %f1;
  add.s32 %r7, %r7, 1;
  setp.ne.s32 %p2, %r7, 4;
  @%p2 bra $L__BB0_3;
  @%p1 bra $L__BB0_4;
  add.s64 %rd5, %rd2, %rd3;
  st.global.f32 [%rd5], %f4;
$L__BB0_4:
  ret;
}
)";
}

/// Machine code, which the tests' driver passes over, and PTX in one image.
std::string fatBinaryOf(const std::string &ptx) {
  auto add = [](std::string &to, auto value) {
    to.append(reinterpret_cast<const char *>(&value), sizeof value);
  };
  std::string entries, image;
  for (const auto &[kind, payload] :
       {std::pair(uint16_t(2), std::string(200, '\x7f')), {uint16_t(1), ptx}}) {
    add(entries, kind);
    add(entries, uint16_t(0x101));
    add(entries, uint32_t(64));
    add(entries, uint64_t(payload.size()));
    entries.append(48, '\0');
    entries += payload;
  }
  add(image, uint32_t(0xba55ed50));
  add(image, uint16_t(1));
  add(image, uint16_t(16));
  add(image, uint64_t(entries.size()));
  return image + entries;
}

void *launchAddress;
const char *const noMessages[] = {nullptr};
const float table[4] = {1, 2, 3, 4};
const gpu::LaunchRecord launches[] = {{"scale", "flat1", "", 1, 32, 1}, {}};
const gpu::ConstantRecord constants[] = {{table, sizeof table}, {}};
const gpu::AssertionRecord assertions = {0, 64, noMessages};
const gpu::ImportRecord imports[] = {{gpu::kLaunchName, &launchAddress}, {}};
const gpu::DeviceTables tables = {launches, constants, &assertions, imports};

void neverRun(void **) { std::abort(); }

class Bundles final : public Kind {
public:
  Bundles() {
    setenv("DS_CUDA_LIBRARY", DS_FAKES "/libfake_cuda.so", 1);
    setenv("DS_CUBLASLT_LIBRARY", DS_FAKES "/libfake_cublaslt.so", 1);
    sound.target = "cuda:sm_80,sm_90";
    sound.arenaBytes = 64;
    sound.manifest.entry = "step";
    sound.manifest.numRanks = 1;
    ArgumentSpec x;
    x.name = "x";
    x.shape = {4};
    ResultSpec y;
    y.name = "y";
    y.shape = {4};
    sound.manifest.arguments = {x};
    sound.manifest.results = {y};
    sound.driverArguments = {{DriverArgument::library, 0},
                             {DriverArgument::arena, 0},
                             {DriverArgument::argument, 0},
                             {DriverArgument::result, 0}};
    sound.objects = {"", fatBinaryOf(kernelFor("sm_80")), kernelFor("sm_90")};
    StridedContraction product;
    product.sizes = {2, 2, 2};
    product.lhs = {2, 0, 1};
    product.rhs = {0, 1, 2};
    product.out = {2, 1, 0};
    sound.libraryCalls = {{"contraction_0", product}};
    cpu =
        llvm::Triple::getArchTypeName(llvm::Triple(llvm::sys::getProcessTriple()).getArch()).str();
    if (!load(sound).accepted)
      std::abort();
  }

  Outcome run(uint64_t seed, const std::string &folder) override {
    Mutator mutator(seed);
    Executable mutated = sound;
    switch (mutator.below(4)) {
    case 0: {
      const std::string bytes = writeExecutable(sound);
      const std::string damaged = mutator.bytes(bytes, kernelFor("sm_90"));
      writeBytes(folder + "/description", damaged);
      auto read = readExecutable(damaged);
      Outcome outcome;
      if (read && damaged != bytes)
        outcome.complaint = "damaged bytes are read";
      outcome.accepted = read.has_value();
      return outcome;
    }
    case 1:
      mutated.target = mutator.text(mutated.target, "cuda:sm_90:calls");
      break;
    default: {
      // The driver takes the newest: of the first image without the second.
      const bool isFat = mutator.below(2);
      if (isFat) {
        mutated.target = "cuda:sm_80";
        mutated.objects.pop_back();
      }
      std::string &image = mutated.objects.back();
      const std::string other = kernelFor("sm_80");
      image = mutator.below(2) ? mutator.bytes(image, other) : mutator.text(image, other);
      if (isFat && !image.empty() && mutator.below(4) == 0) // headers are a small part of it
        image[mutator.below(std::min<size_t>(image.size(), 344))] =
            static_cast<char>(mutator.below(256));
      writeBytes(folder + "/k.image", image);
    }
    }
    return load(std::move(mutated));
  }

  size_t largestAllocation() const override { return size_t(64) << 20; }

private:
  Outcome load(Executable executable) const {
    auto step = useLinkedGpuStep(std::move(executable), neverRun, &tables, cpu);
    if (!step)
      return judge(llvm::toString(step.takeError()), "the ");
    auto instance = (*step)->instantiate();
    instance->write(0, [](char *bytes) { std::fill(bytes, bytes + 16, '\1'); });
    (void)instance->readArgument(0);
    return {true};
  }

  Executable sound;
  std::string cpu;
};

} // namespace

std::unique_ptr<Kind> makeBundles() { return std::make_unique<Bundles>(); }

} // namespace ds
