//===- Model.h - A random network, planned before it is emitted -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model is a list of layers whose choices are made: emitting it twice (for each microbatch, or in
// the body of a loop) computes the same function of another batch.
//
//===----------------------------------------------------------------------===//
#ifndef DS_FUZZ_MODEL_H
#define DS_FUZZ_MODEL_H

#include "Tape.h"

#include <map>
#include <string>

namespace ds::fuzz {

struct Parameter {
  std::string name;
  Shape shape;
};

struct State {
  std::string name;
  Shape shape;
  mlir::Type element;
};

/// One emission of a model.
struct Build {
  Emitter &e;
  Tape &tape;
  std::map<std::string, Var> parameters;     // as stored
  std::map<std::string, mlir::Value> states; // read
  std::map<std::string, mlir::Value> newStates;
  mlir::Value seedWord;
  mlir::Value ids, labels, targets; // inputs beside the activation
  mlir::Value order;                // numbers of samples of the batch; null: none
  std::vector<Var> penalties;       // scalars that the loss adds to that of the samples

  int64_t batch(Var x) { return tape.shapeOf(x)[0]; }
};

using Layer = std::function<Var(Build &, Var)>;

struct Model {
  mlir::Type stored, compute; // element types of parameters, and of activations
  std::vector<Parameter> parameters;
  std::vector<State> states;
  std::vector<Layer> layers;
  int64_t vocabulary = 0;  // of the ids, if there are any
  int64_t batchParts = 1;  // the batch is sharded in so many parts by some layer
  bool statistics = false; // some layer uses values of the whole batch
  bool mayUseStatistics = true;
  bool loops = false; // layers may use scf
  bool kinks = true;  // layers may use functions that are not smooth
  int64_t layerNumber = 0;

  std::string parameter(llvm::StringRef kind, const Shape &shape);
  std::string state(llvm::StringRef kind, const Shape &shape, mlir::Type element);
  /// The parameter in the type of the activations.
  Var read(Build &build, const std::string &name) const;
  Var emit(Build &build, Var x) const {
    for (const Layer &layer : layers)
      x = layer(build, x);
    return x;
  }
};

/// Appends layers that turn an activation of `shape` (dimension 0 is the batch) into one of rank 2.
void planBody(Model &model, Random &random, Shape &shape, int64_t count);
/// Layers for activations of rank 3 and 4, and those of any rank.
void planSequenceLayer(Model &model, Random &random, Shape &shape);
void planImageLayer(Model &model, Random &random, Shape &shape);
void planAnyLayer(Model &model, Random &random, Shape &shape);
void planDense(Model &model, Random &random, Shape &shape, int64_t features);
/// Rows of other ranks are read, which only `global` can do.
void planSimilarity(Model &model);
/// Samples are mixed with those that the batch names.
void planOrder(Model &model);
/// States that follow from the batch and that no sample reads.
void planObservers(Model &model, Random &random, const Shape &shape);
/// A term of the loss beside that of the samples.
void planSecondPath(Model &model, Random &random, const Shape &shape);

/// A smooth or, where the model allows it, a kinked activation function.
Function pickFunction(const Model &model, Random &random);
Var meanOver(Tape &tape, Var x, const Shape &dims);
/// A softmax along the last dimension.
Var softmax(Tape &tape, Var x);

enum class Loss { crossEntropy, validCrossEntropy, squared, margin };
struct LossChoice {
  Loss kind;
  int64_t classes;
  bool mean;    // over the batch, else the sum
  bool indexed; // weighs samples by their position
};
/// One loss per sample from an activation [batch, classes], and the scalar.
Var perSampleLoss(Build &build, const LossChoice &choice, Var x);
Var totalLoss(Build &build, const LossChoice &choice, Var perSample);

} // namespace ds::fuzz

#endif // DS_FUZZ_MODEL_H
