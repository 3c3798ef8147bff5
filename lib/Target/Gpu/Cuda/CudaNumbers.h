//===- CudaNumbers.h - Numbers of CUDA's headers ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each with the vendor's name, by which test/Judges compares it with the vendor's header.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_CUDA_CUDANUMBERS_H
#define DS_LIB_TARGET_GPU_CUDA_CUDANUMBERS_H

#include <cstdint>

// Of cuda.h.
#define DS_CUDA_NUMBERS(X)                                                                         \
  X(capabilityMajor, 75, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)                             \
  X(capabilityMinor, 76, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)                             \
  X(memoryOfDevice, 2, CU_MEMORYTYPE_DEVICE)                                                       \
  X(streamNonBlocking, 1, CU_STREAM_NON_BLOCKING)                                                  \
  X(eventWithTiming, 0, CU_EVENT_DEFAULT)                                                          \
  X(eventWithoutTiming, 2, CU_EVENT_DISABLE_TIMING)                                                \
  X(captureOfThread, 1, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)                                       \
  X(jitErrorLog, 5, CU_JIT_ERROR_LOG_BUFFER)                                                       \
  X(jitErrorLogBytes, 6, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)                                       \
  X(errorNotFound, 500, CUDA_ERROR_NOT_FOUND)                                                      \
  X(errorNotReady, 600, CUDA_ERROR_NOT_READY)                                                      \
  X(errorIllegalAddress, 700, CUDA_ERROR_ILLEGAL_ADDRESS)                                          \
  X(errorLaunchTimeout, 702, CUDA_ERROR_LAUNCH_TIMEOUT)                                            \
  X(errorPeerAccessEnabled, 704, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)                           \
  X(errorAssert, 710, CUDA_ERROR_ASSERT)                                                           \
  X(errorHardwareStack, 714, CUDA_ERROR_HARDWARE_STACK_ERROR)                                      \
  X(errorIllegalInstruction, 715, CUDA_ERROR_ILLEGAL_INSTRUCTION)                                  \
  X(errorMisalignedAddress, 716, CUDA_ERROR_MISALIGNED_ADDRESS)                                    \
  X(errorInvalidAddressSpace, 717, CUDA_ERROR_INVALID_ADDRESS_SPACE)                               \
  X(errorInvalidPc, 718, CUDA_ERROR_INVALID_PC)                                                    \
  X(errorLaunchFailed, 719, CUDA_ERROR_LAUNCH_FAILED)                                              \
  X(errorCapturing, 900, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED)

// Of cublasLt.h, library_types.h and cublas_api.h.
#define DS_CUBLASLT_NUMBERS(X)                                                                     \
  X(notSupported, 15, CUBLAS_STATUS_NOT_SUPPORTED)                                                 \
  X(real32, 0, CUDA_R_32F)                                                                         \
  X(real16, 2, CUDA_R_16F)                                                                         \
  X(brain16, 14, CUDA_R_16BF)                                                                      \
  X(compute32, 68, CUBLAS_COMPUTE_32F)                                                             \
  X(computeTf32, 77, CUBLAS_COMPUTE_32F_FAST_TF32)                                                 \
  X(transposeA, 3, CUBLASLT_MATMUL_DESC_TRANSA)                                                    \
  X(transposeB, 4, CUBLASLT_MATMUL_DESC_TRANSB)                                                    \
  X(epilogue, 7, CUBLASLT_MATMUL_DESC_EPILOGUE)                                                    \
  X(biasPointer, 8, CUBLASLT_MATMUL_DESC_BIAS_POINTER)                                             \
  X(batchCount, 5, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT)                                             \
  X(batchStride, 6, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET)                                   \
  X(batchMode, 8, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE)                                               \
  X(pointerArray, 1, CUBLASLT_BATCH_MODE_POINTER_ARRAY)                                            \
  X(largestWorkspace, 1, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES)                                 \
  X(alignmentOfA, 5, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES)                                   \
  X(alignmentOfB, 6, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES)                                   \
  X(alignmentOfC, 7, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES)                                   \
  X(alignmentOfD, 8, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES)                                   \
  X(maximumWithZero, 2, CUBLASLT_EPILOGUE_RELU)                                                    \
  X(addBias, 4, CUBLASLT_EPILOGUE_BIAS)                                                            \
  X(addBiasMaximumWithZero, 6, CUBLASLT_EPILOGUE_RELU_BIAS)

// Of cudnn_graph.h.
#define DS_CUDNN_NUMBERS(X)                                                                        \
  X(real32, 0, CUDNN_DATA_FLOAT)                                                                   \
  X(real16, 2, CUDNN_DATA_HALF)                                                                    \
  X(brain16, 9, CUDNN_DATA_BFLOAT16)                                                               \
  X(crossCorrelation, 1, CUDNN_CROSS_CORRELATION)                                                  \
  X(heuristicFallback, 2, CUDNN_HEUR_MODE_FALLBACK)                                                \
  X(heuristicA, 3, CUDNN_HEUR_MODE_A)                                                              \
  X(tensorCores, 0, CUDNN_NUMERICAL_NOTE_TENSOR_CORE)                                              \
  X(downConverted, 1, CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS)                                    \
  X(reducedPrecision, 2, CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION)                         \
  X(nondeterministic, 4, CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC)                                    \
  X(aConvolution, 1, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR)                                         \
  X(anEngine, 2, CUDNN_BACKEND_ENGINE_DESCRIPTOR)                                                  \
  X(anEngineConfig, 3, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR)                                         \
  X(aHeuristic, 4, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR)                                            \
  X(aPlan, 5, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR)                                             \
  X(aForward, 10, CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR)                          \
  X(aWeightsGradient, 11, CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR)          \
  X(aSourceGradient, 12, CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR)             \
  X(aGraph, 15, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR)                                           \
  X(aPack, 16, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR)                                              \
  X(aTensor, 17, CUDNN_BACKEND_TENSOR_DESCRIPTOR)                                                  \
  X(typeHandle, 0, CUDNN_TYPE_HANDLE)                                                              \
  X(typeNumber, 1, CUDNN_TYPE_DATA_TYPE)                                                           \
  X(typeInteger, 3, CUDNN_TYPE_INT64)                                                              \
  X(typeFloat, 4, CUDNN_TYPE_FLOAT)                                                                \
  X(typePointer, 6, CUDNN_TYPE_VOID_PTR)                                                           \
  X(typeMode, 7, CUDNN_TYPE_CONVOLUTION_MODE)                                                      \
  X(typeHeuristic, 8, CUDNN_TYPE_HEUR_MODE)                                                        \
  X(typeNote, 11, CUDNN_TYPE_NUMERICAL_NOTE)                                                       \
  X(typeDescriptor, 15, CUDNN_TYPE_BACKEND_DESCRIPTOR)                                             \
  X(convolutionType, 100, CUDNN_ATTR_CONVOLUTION_COMP_TYPE)                                        \
  X(convolutionMode, 101, CUDNN_ATTR_CONVOLUTION_CONV_MODE)                                        \
  X(convolutionDilations, 102, CUDNN_ATTR_CONVOLUTION_DILATIONS)                                   \
  X(convolutionStrides, 103, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES)                                \
  X(convolutionAfter, 104, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS)                                   \
  X(convolutionBefore, 105, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS)                                   \
  X(convolutionDimensions, 106, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS)                               \
  X(heuristicMode, 200, CUDNN_ATTR_ENGINEHEUR_MODE)                                                \
  X(heuristicGraph, 201, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH)                                    \
  X(heuristicResults, 202, CUDNN_ATTR_ENGINEHEUR_RESULTS)                                          \
  X(configEngine, 300, CUDNN_ATTR_ENGINECFG_ENGINE)                                                \
  X(planHandle, 400, CUDNN_ATTR_EXECUTION_PLAN_HANDLE)                                             \
  X(planConfig, 401, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG)                                      \
  X(planWorkspace, 402, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE)                                  \
  X(forwardAttributes, 700, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA)                        \
  X(sourceGradientAttributes, 706, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA)                \
  X(weightsGradientAttributes, 712, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA)             \
  X(graphHandle, 800, CUDNN_ATTR_OPERATIONGRAPH_HANDLE)                                            \
  X(graphOperations, 801, CUDNN_ATTR_OPERATIONGRAPH_OPS)                                           \
  X(tensorAlignment, 900, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT)                                        \
  X(tensorType, 901, CUDNN_ATTR_TENSOR_DATA_TYPE)                                                  \
  X(tensorSizes, 902, CUDNN_ATTR_TENSOR_DIMENSIONS)                                                \
  X(tensorStrides, 903, CUDNN_ATTR_TENSOR_STRIDES)                                                 \
  X(tensorId, 906, CUDNN_ATTR_TENSOR_UNIQUE_ID)                                                    \
  X(packIds, 1000, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS)                                             \
  X(packPointers, 1001, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS)                                     \
  X(packWorkspace, 1003, CUDNN_ATTR_VARIANT_PACK_WORKSPACE)                                        \
  X(engineNotes, 1303, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE)

#define DS_NUMBER(name, value, theirs) inline constexpr int name = value;
namespace ds::gpu::cuda {
DS_CUDA_NUMBERS(DS_NUMBER)
} // namespace ds::gpu::cuda
namespace ds::gpu::cublaslt {
DS_CUBLASLT_NUMBERS(DS_NUMBER)

/// A result of the library's choice of algorithms: cublasLtMatmulHeuristicResult_t.
struct HeuristicResult {
  uint64_t algorithm[8];
  uint64_t workspace;
  int state; // a status: 0 if the algorithm computes the product
  float waves;
  int reserved[4];
};
} // namespace ds::gpu::cublaslt
namespace ds::gpu::cudnn {
DS_CUDNN_NUMBERS(DS_NUMBER)
} // namespace ds::gpu::cudnn
#undef DS_NUMBER

#endif // DS_LIB_TARGET_GPU_CUDA_CUDANUMBERS_H
