//===- CudaAbi.cpp - Our declarations of CUDA are those of its headers -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled by check_headers.py; everything happens at compile time. The vendor's names live in the
// global namespace, ours in ds::gpu. What is passed must have the same shape.
//
//===----------------------------------------------------------------------===//
#include "../../lib/Target/Gpu/Cuda/CudaApi.h"
#include "../../lib/Target/Gpu/Cuda/CudaNumbers.h"
#include "SamePassing.h"

#include <cublasLt.h>
#include <cuda.h>
#include <cudnn.h>

#include <cstddef>

using namespace ds::gpu;

#define CHECK(name, ...)                                                                           \
  static_assert(ds::judges::SameCall<Function<__VA_ARGS__>, decltype(&::name)>::value,             \
                #name " differs from the vendor's header");
DS_CUDA_FUNCTIONS(CHECK)
DS_CUBLASLT_FUNCTIONS(CHECK)
DS_CUDNN_FUNCTIONS(CHECK)

#define SAME(name, value, theirs)                                                                  \
  static_assert(name == static_cast<int>(::theirs), #name " is not " #theirs);
namespace ds::gpu::cuda {
DS_CUDA_NUMBERS(SAME)
} // namespace ds::gpu::cuda
namespace ds::gpu::cublaslt {
DS_CUBLASLT_NUMBERS(SAME)
} // namespace ds::gpu::cublaslt
namespace ds::gpu::cudnn {
DS_CUDNN_NUMBERS(SAME)
} // namespace ds::gpu::cudnn

#define FIELD(ours, name, theirs, field)                                                           \
  static_assert(offsetof(ours, name) == offsetof(::theirs, field) &&                               \
                    sizeof(ours::name) == sizeof(::theirs::field),                                 \
                #ours "::" #name " is not " #theirs "::" #field);
#define WHOLE(ours, theirs)                                                                        \
  static_assert(sizeof(ours) == sizeof(::theirs) && alignof(ours) == alignof(::theirs),            \
                #ours " has not the size of " #theirs);
WHOLE(CopyRows, CUDA_MEMCPY2D)
FIELD(CopyRows, fromX, CUDA_MEMCPY2D, srcXInBytes)
FIELD(CopyRows, fromY, CUDA_MEMCPY2D, srcY)
FIELD(CopyRows, fromType, CUDA_MEMCPY2D, srcMemoryType)
FIELD(CopyRows, fromHost, CUDA_MEMCPY2D, srcHost)
FIELD(CopyRows, from, CUDA_MEMCPY2D, srcDevice)
FIELD(CopyRows, fromArray, CUDA_MEMCPY2D, srcArray)
FIELD(CopyRows, fromPitch, CUDA_MEMCPY2D, srcPitch)
FIELD(CopyRows, toX, CUDA_MEMCPY2D, dstXInBytes)
FIELD(CopyRows, toY, CUDA_MEMCPY2D, dstY)
FIELD(CopyRows, toType, CUDA_MEMCPY2D, dstMemoryType)
FIELD(CopyRows, toHost, CUDA_MEMCPY2D, dstHost)
FIELD(CopyRows, to, CUDA_MEMCPY2D, dstDevice)
FIELD(CopyRows, toArray, CUDA_MEMCPY2D, dstArray)
FIELD(CopyRows, toPitch, CUDA_MEMCPY2D, dstPitch)
FIELD(CopyRows, width, CUDA_MEMCPY2D, WidthInBytes)
FIELD(CopyRows, height, CUDA_MEMCPY2D, Height)

using cublaslt::HeuristicResult;
WHOLE(HeuristicResult, cublasLtMatmulHeuristicResult_t)
FIELD(HeuristicResult, algorithm, cublasLtMatmulHeuristicResult_t, algo)
FIELD(HeuristicResult, workspace, cublasLtMatmulHeuristicResult_t, workspaceSize)
FIELD(HeuristicResult, state, cublasLtMatmulHeuristicResult_t, state)
FIELD(HeuristicResult, waves, cublasLtMatmulHeuristicResult_t, wavesCount)
FIELD(HeuristicResult, reserved, cublasLtMatmulHeuristicResult_t, reserved)

// The attributes of a convolution follow its first one in the same order for all directions.
#define ORDER(first, kind, w, x, y)                                                                \
  static_assert(cudnn::first + 1 == ::CUDNN_ATTR_OPERATION_CONVOLUTION_##kind##_BETA);             \
  static_assert(cudnn::first + 2 == ::CUDNN_ATTR_OPERATION_CONVOLUTION_##kind##_CONV_DESC);        \
  static_assert(cudnn::first + 3 == ::CUDNN_ATTR_OPERATION_CONVOLUTION_##kind##_##w);              \
  static_assert(cudnn::first + 4 == ::CUDNN_ATTR_OPERATION_CONVOLUTION_##kind##_##x);              \
  static_assert(cudnn::first + 5 == ::CUDNN_ATTR_OPERATION_CONVOLUTION_##kind##_##y);
ORDER(forwardAttributes, FORWARD, W, X, Y)
ORDER(sourceGradientAttributes, BWD_DATA, W, DX, DY)
ORDER(weightsGradientAttributes, BWD_FILTER, DW, X, DY)
