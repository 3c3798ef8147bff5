//===- CudnnGraph.h - What cuDNN's descriptors describe ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_CUDA_CUDNNGRAPH_H
#define DSRT_TEST_FAKES_CUDA_CUDNNGRAPH_H

#include "Convolution.h"
#include "FakeDevice.h"

#include <cstring>
#include <map>

namespace fake::cudnn {

enum Status : int {
  success = 0,
  notInitialized = 1001,
  badParameter = 2000,
  notFinalized = 2004,
  sizeInsufficient = 2006,
  shapeMismatch = 2008,
  attributeType = 2010,
  notSupported = 3000,
  graphPattern = 3001,
  dataType = 3003,
  executionFailed = 5000
};
enum Kind : int {
  convolutionKind = 1,
  engineKind = 2,
  configKind = 3,
  heuristicKind = 4,
  planKind = 5,
  forwardKind = 10,
  filterGradientKind = 11,
  dataGradientKind = 12,
  graphKind = 15,
  packKind = 16,
  tensorKind = 17
};
enum Type : int {
  handleType = 0,
  booleanType = 2,
  int64Type = 3,
  floatType = 4,
  doubleType = 5,
  pointerType = 6,
  noteType = 11,
  descriptorType = 15
};

struct Descriptor {
  int kind;
  bool final = false;
  struct Attribute {
    int type;
    std::string bytes;
  };
  std::map<int, Attribute> attributes;

  template <typename T> std::vector<T> list(int name) const {
    auto found = attributes.find(name);
    std::vector<T> values(found == attributes.end() ? 0 : found->second.bytes.size() / sizeof(T));
    if (!values.empty())
      std::memcpy(values.data(), found->second.bytes.data(), values.size() * sizeof(T));
    return values;
  }
  template <typename T> T one(int name, T otherwise = T()) const {
    const std::vector<T> values = list<T>(name);
    return values.empty() ? otherwise : values[0];
  }
};

/// All that were made and not destroyed.
Handles &descriptors();
/// Null unless it is a descriptor of that kind, and final.
Descriptor *finished(void *handle, int kind);

struct Operation {
  fake::Convolution convolution;
  int64_t x = 0, w = 0, y = 0; // the tensors' names
  uint64_t alignment = 1;      // that all addresses are multiples of
};

/// What a tensor's descriptor says, without the address, and its name.
int makeTensor(void *handle, Tensor &out, int64_t &id);
int makeOperation(const Descriptor &operation, Operation &out);
/// The operation of a graph; an error where something is not final.
int operationOf(void *graph, Operation &out);
/// The engine of a plan or a configuration; null where something is not final.
const Descriptor *engineOf(const Descriptor &configured);
void *graphOfPlan(const Descriptor &plan);

/// What heuristics offer, in this order: as many engines of tensor cores, which round f32 to TF32,
/// as an H100's are, one that no plan can be made of, and one of other units.
enum Engine : int64_t {
  numTensorEngines = 25,
  brokenEngine = numTensorEngines,
  plainEngine,
  numEngines
};

} // namespace fake::cudnn

#endif // DSRT_TEST_FAKES_CUDA_CUDNNGRAPH_H
