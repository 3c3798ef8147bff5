//===- LayeredStep.cpp - A training step of any number of layers -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block is a dense layer with a bias and a rectifier, which moves on to the next of three widths,
// and a residual dense layer with batch normalisation. The loss is the mean squared error; the
// update is momentum with weight decay on kernels. Gradients are written out by hand, so that the
// step trains and `ds-run --check` can judge it.
//
//===----------------------------------------------------------------------===//
#include "LayeredStep.h"

#include <algorithm>
#include <map>
#include <vector>

namespace {

constexpr int64_t samples = 16;
constexpr int64_t widths[] = {8, 12, 16};

struct Value {
  std::string name;
  std::vector<int64_t> shape;
  std::string element = "f32";

  std::string type() const {
    std::string text = "tensor<";
    for (int64_t size : shape)
      text += std::to_string(size) + "x";
    return text + element + ">";
  }
};

/// Writes operations and counts them.
class StepWriter {
public:
  int64_t ops = 0;

  Value argument(const std::vector<int64_t> &shape, const std::string &attributes) {
    Value value{"%arg" + std::to_string(arguments++), shape};
    separate(argumentText) += value.name + ": " + value.type() + " {" + attributes + "}";
    return value;
  }
  void result(const Value &value, const std::string &attributes) {
    separate(resultTypes) += value.type() + " {" + attributes + "}";
    separate(returned) += value.name;
    separate(returnedTypes) += value.type();
  }

  /// A number; all uses of one share it.
  Value number(const std::string &text) {
    auto [found, isNew] = numbers.try_emplace(text);
    if (isNew) {
      found->second = fresh({});
      constants +=
          "    " + found->second.name + " = arith.constant dense<" + text + "> : tensor<f32>\n";
      ++ops;
    }
    return found->second;
  }
  /// The number at every element of a shape.
  Value splat(const std::string &text, const std::vector<int64_t> &shape) {
    return generic({number(text)}, shape, "f32", {"()"}, "");
  }
  /// A vector, repeated for every sample.
  Value perSample(const Value &vector) {
    return generic({vector}, {samples, vector.shape[0]}, "f32", {"(d1)"}, "");
  }
  Value binary(const std::string &op, const Value &lhs, const Value &rhs) {
    return generic({lhs, rhs}, lhs.shape, "f32", {identity(lhs), identity(rhs)},
                   "arith." + op + " %a, %b : f32");
  }
  Value multiply(const Value &lhs, const Value &rhs) { return binary("mulf", lhs, rhs); }
  Value add(const Value &lhs, const Value &rhs) { return binary("addf", lhs, rhs); }
  Value subtract(const Value &lhs, const Value &rhs) { return binary("subf", lhs, rhs); }
  Value scale(const std::string &factor, const Value &value) {
    return multiply(splat(factor, value.shape), value);
  }
  Value inverseRoot(const Value &value) {
    return generic({value}, value.shape, "f32", {identity(value)}, "math.rsqrt %a : f32");
  }
  Value isPositive(const Value &value) {
    return generic({value, splat("0.0", value.shape)}, value.shape, "i1",
                   {identity(value), identity(value)}, "arith.cmpf ogt, %a, %b : f32");
  }
  Value select(const Value &flag, const Value &one, const Value &other) {
    return generic({flag, one, other}, one.shape, "f32",
                   {identity(one), identity(one), identity(one)}, "arith.select %a, %b, %c : f32");
  }
  Value sumOverSamples(const Value &matrix) {
    return reduce({matrix}, {matrix.shape[1]}, "(d0, d1)", {"(d0, d1)"}, "(d1)",
                  "\"reduction\", \"parallel\"");
  }
  Value sumOverAll(const Value &matrix) {
    return reduce({matrix}, {}, "(d0, d1)", {"(d0, d1)"}, "()", "\"reduction\", \"reduction\"");
  }
  Value product(const Value &lhs, const Value &rhs) {
    return contract(lhs, rhs, {lhs.shape[0], rhs.shape[1]}, "(d0, d2)", "(d2, d1)");
  }
  Value transposedProduct(const Value &lhs, const Value &rhs) {
    return contract(lhs, rhs, {lhs.shape[1], rhs.shape[1]}, "(d2, d0)", "(d2, d1)");
  }
  Value productTransposed(const Value &lhs, const Value &rhs) {
    return contract(lhs, rhs, {lhs.shape[0], rhs.shape[0]}, "(d0, d2)", "(d1, d2)");
  }
  /// A number computed by the step, at every element of `like`.
  Value spread(const Value &scalar, const Value &like) {
    return generic({scalar}, like.shape, "f32", {"()"}, "");
  }

  std::string finish() {
    ++ops; // the return
    return "module {\n  func.func @step(" + argumentText + ")\n      -> (" + resultTypes +
           ") {\n    %zero = arith.constant 0.0 : f32\n" + constants + body + "    return " +
           returned + " : " + returnedTypes + "\n  }\n}\n";
  }

private:
  static std::string &separate(std::string &list) {
    if (!list.empty())
      list += ", ";
    return list;
  }
  Value fresh(const std::vector<int64_t> &shape, const std::string &element = "f32") {
    return {"%" + std::to_string(values++), shape, element};
  }
  static std::string dims(size_t rank) {
    return rank == 0 ? "()" : rank == 1 ? "(d0)" : "(d0, d1)";
  }
  static std::string identity(const Value &value) { return dims(value.shape.size()); }

  Value empty(const std::vector<int64_t> &shape, const std::string &element) {
    Value wanted{"", shape, element};
    auto [found, isNew] = empties.try_emplace(wanted.type());
    if (isNew) {
      found->second = fresh(shape, element);
      constants += "    " + found->second.name + " = tensor.empty() : " + wanted.type() + "\n";
      ++ops;
    }
    return found->second;
  }
  Value zeros(const std::vector<int64_t> &shape) {
    Value out = empty(shape, "f32");
    auto [found, isNew] = fills.try_emplace(out.type());
    if (isNew) {
      found->second = fresh(shape);
      constants += "    " + found->second.name + " = linalg.fill ins(%zero : f32) outs(" +
                   out.name + " : " + out.type() + ") -> " + out.type() + "\n";
      ops += 2; // with its yield
    }
    return found->second;
  }

  /// One `linalg.generic` whose body is `scalar` (empty: its input) on %a, %b, ...
  Value write(const std::vector<Value> &inputs, const Value &out, const std::string &loops,
              const std::vector<std::string> &maps, const std::string &outMap,
              const std::string &iterators, const std::vector<std::string> &scalars) {
    Value result = fresh(out.shape, out.element);
    std::string mapText, names, types, block;
    for (size_t i = 0; i < inputs.size(); ++i) {
      separate(mapText) += "affine_map<" + loops + " -> " + maps[i] + ">";
      separate(names) += inputs[i].name;
      separate(types) += inputs[i].type();
      separate(block) += std::string("%") + char('a' + i) + ": " + inputs[i].element;
    }
    body += "    " + result.name + " = linalg.generic {indexing_maps = [" + mapText +
            ", affine_map<" + loops + " -> " + outMap + ">], iterator_types = [" + iterators +
            "]} ins(" + names + " : " + types + ") outs(" + out.name + " : " + out.type() +
            ") {\n    ^bb0(" + block + ", %out: " + out.element + "):\n";
    std::string last = "%a";
    for (const std::string &scalar : scalars) {
      last = "%s" + std::to_string(&scalar - scalars.data());
      body += "      " + last + " = " + scalar + "\n";
    }
    body += "      linalg.yield " + last + " : " + out.element + "\n    } -> " + out.type() + "\n";
    ops += 2 + scalars.size();
    return result;
  }
  Value generic(const std::vector<Value> &inputs, const std::vector<int64_t> &shape,
                const std::string &element, const std::vector<std::string> &maps,
                const std::string &scalar) {
    std::string loops = dims(shape.size()), iterators;
    for (size_t i = 0; i < shape.size(); ++i)
      separate(iterators) += "\"parallel\"";
    return write(inputs, empty(shape, element), loops, maps, loops, iterators,
                 scalar.empty() ? std::vector<std::string>() : std::vector<std::string>{scalar});
  }
  Value reduce(const std::vector<Value> &inputs, const std::vector<int64_t> &shape,
               const std::string &loops, const std::vector<std::string> &maps,
               const std::string &outMap, const std::string &iterators) {
    return write(inputs, zeros(shape), loops, maps, outMap, iterators,
                 {"arith.addf %out, %a : f32"});
  }
  Value contract(const Value &lhs, const Value &rhs, const std::vector<int64_t> &shape,
                 const std::string &lhsMap, const std::string &rhsMap) {
    return write({lhs, rhs}, zeros(shape), "(d0, d1, d2)", {lhsMap, rhsMap}, "(d0, d1)",
                 "\"parallel\", \"parallel\", \"reduction\"",
                 {"arith.mulf %a, %b : f32", "arith.addf %out, %s0 : f32"});
  }

  int64_t arguments = 0, values = 0;
  std::string argumentText, resultTypes, returned, returnedTypes, constants, body;
  std::map<std::string, Value> numbers, empties, fills;
};

/// Builds the network on a writer.
class Network {
public:
  explicit Network(StepWriter &writer) : w(writer) {}

  void build(int64_t blocks) {
    // Arguments first: parameters by layer, then the data.
    for (int64_t i = 0; i < blocks; ++i) {
      std::string name = "block" + std::to_string(i);
      layers.push_back(declareLayer(name + ".dense", widths[i % 3], widths[(i + 1) % 3], false));
      layers.push_back(
          declareLayer(name + ".residual", widths[(i + 1) % 3], widths[(i + 1) % 3], true));
    }
    Value x = w.argument({samples, widths[0]}, "ds.batch = 0 : i64, ds.name = \"x\"");
    Value y = w.argument({samples, widths[blocks % 3]}, "ds.batch = 0 : i64, ds.name = \"y\"");
    rate = w.argument({}, "ds.name = \"learning_rate\"");
    Value h = x;
    for (Layer &layer : layers)
      h = forward(layer, h);
    Value error = w.subtract(h, y);
    std::string mean = std::to_string(1.0 / double(samples * y.shape[1]));
    Value loss = w.scale(mean, w.sumOverAll(w.multiply(error, error)));
    Value gradient = w.scale(mean, w.add(error, error));
    for (size_t i = layers.size(); i-- > 0;)
      gradient = backward(layers[i], gradient);
    for (const auto &[name, value] : updates)
      w.result(value, "ds.updates = \"" + name + "\"");
    w.result(loss, "ds.metric = \"loss\"");
  }

private:
  struct Parameter {
    std::string name;
    Value value, momentum;
  };
  struct Layer {
    bool normalized;
    Parameter kernel, shift, gain;             // a gain only where normalised
    std::string statistics;                    // name of the running ones
    Value runningMean, runningSquare;          // likewise
    Value input, isActive, normal, inverseDev; // kept for the way back
  };

  Parameter declare(const std::string &name, const std::vector<int64_t> &shape,
                    const std::string &init) {
    Parameter parameter{name, {}, {}};
    parameter.value = w.argument(shape, "ds.param = \"" + name + "\", ds.init = \"" + init + "\"");
    parameter.momentum = w.argument(shape, "ds.state = \"" + name + ".momentum\"");
    return parameter;
  }
  Layer declareLayer(const std::string &name, int64_t from, int64_t to, bool normalized) {
    Layer layer;
    layer.normalized = normalized;
    layer.kernel = declare(name + ".kernel", {from, to}, "glorot_uniform");
    layer.shift = declare(name + ".shift", {to}, "zeros");
    if (!normalized)
      return layer;
    layer.gain = declare(name + ".gain", {to}, "ones");
    layer.statistics = name;
    layer.runningMean = w.argument({to}, "ds.state = \"" + name + ".mean\"");
    layer.runningSquare = w.argument({to}, "ds.state = \"" + name + ".square\"");
    return layer;
  }

  /// What a moving average becomes.
  Value follow(const Value &running, const Value &now) {
    return w.add(w.scale("0.9", running), w.scale("0.1", now));
  }

  Value forward(Layer &layer, const Value &input) {
    layer.input = input;
    Value z = w.product(input, layer.kernel.value);
    if (layer.normalized) {
      std::string oneOverSamples = std::to_string(1.0 / samples);
      Value mean = w.scale(oneOverSamples, w.sumOverSamples(z));
      Value square = w.scale(oneOverSamples, w.sumOverSamples(w.multiply(z, z)));
      Value variance = w.subtract(square, w.multiply(mean, mean));
      updates.emplace_back(layer.statistics + ".mean", follow(layer.runningMean, mean));
      updates.emplace_back(layer.statistics + ".square", follow(layer.runningSquare, square));
      layer.inverseDev = w.inverseRoot(w.add(variance, w.splat("0.01", variance.shape)));
      layer.normal = w.multiply(w.subtract(z, w.perSample(mean)), w.perSample(layer.inverseDev));
      z = w.multiply(layer.normal, w.perSample(layer.gain.value));
    }
    z = w.add(z, w.perSample(layer.shift.value));
    layer.isActive = w.isPositive(z);
    Value out = w.select(layer.isActive, z, w.splat("0.0", z.shape));
    return layer.normalized ? w.add(out, input) : out;
  }

  Value backward(Layer &layer, const Value &outGradient) {
    Value dz = w.select(layer.isActive, outGradient, w.splat("0.0", outGradient.shape));
    update(layer.shift, w.sumOverSamples(dz));
    if (layer.normalized) {
      std::string oneOverSamples = std::to_string(1.0 / samples);
      update(layer.gain, w.sumOverSamples(w.multiply(dz, layer.normal)));
      Value dn = w.multiply(dz, w.perSample(layer.gain.value));
      Value mean = w.scale(oneOverSamples, w.sumOverSamples(dn));
      Value along = w.scale(oneOverSamples, w.sumOverSamples(w.multiply(dn, layer.normal)));
      Value centred = w.subtract(w.subtract(dn, w.perSample(mean)),
                                 w.multiply(layer.normal, w.perSample(along)));
      dz = w.multiply(centred, w.perSample(layer.inverseDev));
    }
    Value dw = w.transposedProduct(layer.input, dz);
    update(layer.kernel, w.add(dw, w.scale("1.0e-04", layer.kernel.value)));
    Value dx = w.productTransposed(dz, layer.kernel.value);
    return layer.normalized ? w.add(dx, outGradient) : dx;
  }

  void update(const Parameter &parameter, const Value &gradient) {
    Value momentum = w.add(w.scale("0.9", parameter.momentum), gradient);
    Value change = w.multiply(w.spread(rate, momentum), momentum);
    updates.emplace_back(parameter.name, w.subtract(parameter.value, change));
    updates.emplace_back(parameter.name + ".momentum", momentum);
  }

  StepWriter &w;
  Value rate;
  std::vector<Layer> layers;
  std::vector<std::pair<std::string, Value>> updates;
};

} // namespace

ds::bench::LayeredStep ds::bench::makeLayeredStep(int64_t blocks) {
  StepWriter writer;
  Network(writer).build(blocks);
  std::string text = writer.finish();
  // The function, the module's contents and the shared zero.
  return {std::move(text), writer.ops + 2};
}

int64_t ds::bench::blocksForOps(int64_t ops) {
  // All constants and shared tensors exist from three blocks on.
  int64_t three = makeLayeredStep(3).ops, perBlock = (makeLayeredStep(6).ops - three) / 3;
  return std::max<int64_t>(1, 3 + (ops - three + perBlock / 2) / perBlock);
}
