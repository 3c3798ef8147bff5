//===- ConvolutionForm.cpp - Contractions that are convolutions -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops are classed only by the operands that they index; I is the operand with windows
// (ConvolutionLoops.h). A forward convolution whose kernel is reversed is the gradient of the
// source: I is the padded and, for strides, dilated gradient of the destination. Padding follows
// from the copies that were looked through:
//   forward:            padding = low           (source position = o * s + k * d - padding)
//   source's gradient:  padding = (size of the kernel - 1) * d - low, s = step of I
//   weights' gradient:  padding = low of I - d * low of K, s = sv * step of K
//
//===----------------------------------------------------------------------===//
#include "ConvolutionForm.h"
#include "BufferSource.h"
#include "ConvolutionLoops.h"
#include "ds/Conversion/Utils/Contraction.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ds::convolution;

namespace {

class Recognizer {
public:
  Recognizer(linalg::GenericOp op, bool unitWindows)
      : op(op), mayBeUnit(unitWindows), sizes(op.getStaticLoopRanges()) {}
  ds::ConvolutionForm run();

private:
  bool findOperands();
  bool classify();
  bool addWindow(unsigned dim, ArrayRef<std::pair<unsigned, int64_t>> terms);
  bool addUnitWindows();
  bool isPlain(Operand which, ArrayRef<unsigned> exceptions);
  void dropSource(Operand which) { sources[which] = ds::describeBuffer(operands[which]->get()); }
  void settleSources();
  void readLoops();
  ds::ConvolutionForm build();

  int dimOf(Operand which, unsigned loop) const { return dims[which][loop]; }
  Loop loopOf(unsigned loop) const;

  linalg::GenericOp op;
  const bool mayBeUnit;
  bool isUnit = false; // windows have one position
  SmallVector<int64_t> sizes;
  std::array<OpOperand *, numOperands> operands = {};
  std::array<ds::BufferSource, numOperands> sources;
  std::array<SmallVector<int>, numOperands> dims;        // per loop; -1: the loop does not index it
  std::array<SmallVector<unsigned>, numClasses> members; // loops of each class
  struct Term {
    unsigned dim;
    int u = -1, v = -1; // loops
    int64_t su = 1, sv = 1;
  };
  SmallVector<Term> windowTerms;

  ds::convolution::Loops loops; // in the layout of the sources
  bool forward = true, reversed = false;
};

/// Returns the loops that index one dimension of an operand, with their coefficients; none if there
/// is a constant part.
std::optional<SmallVector<std::pair<unsigned, int64_t>>> readTerms(AffineExpr expr,
                                                                   unsigned numLoops) {
  AffineMap map = AffineMap::get(numLoops, 0, expr);
  SmallVector<int64_t> zero(numLoops, 0);
  if (!expr.isPureAffine() || map.compose(zero)[0] != 0)
    return std::nullopt;
  SmallVector<std::pair<unsigned, int64_t>> terms;
  for (unsigned d = 0; d < numLoops; ++d) {
    SmallVector<int64_t> one = zero;
    one[d] = 1;
    if (int64_t coefficient = map.compose(one)[0])
      terms.emplace_back(d, coefficient);
  }
  return terms;
}

/// Finds I: the only operand with windows, or else the one dilated by zeros. Every dimension of the
/// other operands must be a loop.
bool Recognizer::findOperands() {
  operands[result] = op.getDpsInitOperand(0);
  OpOperand *first = op.getDpsInputOperand(0), *second = op.getDpsInputOperand(1);
  auto isPlain = [&](OpOperand *operand) {
    return op.getMatchingIndexingMap(operand).isProjectedPermutation();
  };
  ds::BufferSource read[] = {ds::findSource(first->get(), op), ds::findSource(second->get(), op)};
  bool firstIsStepped =
      llvm::any_of(read[0].dimensions, [](const auto &dimension) { return dimension.step > 1; });
  bool swapped = isPlain(first) && !(isPlain(second) && firstIsStepped);
  operands[image] = swapped ? second : first;
  operands[kernel] = swapped ? first : second;
  if (!isPlain(operands[kernel]) || !isPlain(operands[result]))
    return false;
  sources = {read[swapped], read[!swapped], ds::describeBuffer(operands[result]->get())};
  for (Operand which : {image, kernel, result}) {
    Value buffer = operands[which]->get();
    if (!sources[which].base ||
        !(ds::isNarrowContraction(op) || getElementTypeOrSelf(buffer.getType()).isF32()))
      return false;
  }
  return true;
}

bool Recognizer::addWindow(unsigned dim, ArrayRef<std::pair<unsigned, int64_t>> terms) {
  Term window;
  window.dim = dim;
  for (auto [loop, coefficient] : terms) {
    bool inResult = dimOf(result, loop) >= 0, inKernel = dimOf(kernel, loop) >= 0;
    int &slot = inResult ? window.u : window.v;
    if (inResult == inKernel || slot >= 0 || coefficient < 1)
      return false;
    slot = loop;
    (inResult ? window.su : window.sv) = coefficient;
  }
  windowTerms.push_back(window);
  return true;
}

/// Reads the reduction of the gradient of weights of one element as one over samples, the slowest
/// loop, and over one window of one position for each dimension of positions. With one sample or
/// one position a single loop is left, which is a product.
bool Recognizer::addUnitWindows() {
  SmallVector<unsigned> &reduced = members[imageKernel];
  constexpr size_t mostDimensions = 3;
  if (!mayBeUnit || !members[group].empty() || members[imageResult].size() != 1 ||
      members[kernelResult].size() != 1 || reduced.size() < 2 ||
      reduced.size() > mostDimensions + 1)
    return false;
  llvm::stable_sort(reduced, [&](unsigned a, unsigned b) {
    return std::pair(sizes[a] > 1, loopOf(a).strides[image]) >
           std::pair(sizes[b] > 1, loopOf(b).strides[image]);
  });
  if (sizes[reduced[1]] == 1)
    return false;
  const Loop outer = loopOf(reduced[0]), inner = loopOf(reduced[1]);
  if (llvm::all_of(std::array{image, kernel}, [&](Operand which) {
        return outer.strides[which] == inner.size * inner.strides[which];
      }))
    return false; // one loop of a product
  // In memory of weights the channels of the source are inside those of the destination.
  if (loopOf(members[imageResult][0]).strides[result] >
      loopOf(members[kernelResult][0]).strides[result]) {
    std::swap(operands[image], operands[kernel]);
    std::swap(sources[image], sources[kernel]);
    std::swap(dims[image], dims[kernel]);
    std::swap(members[imageResult], members[kernelResult]);
  }
  for (unsigned loop : llvm::drop_begin(reduced)) {
    Term window;
    window.dim = dimOf(image, loop);
    window.v = loop;
    windowTerms.push_back(window);
  }
  reduced.resize(1);
  return isUnit = true;
}

bool Recognizer::classify() {
  for (Operand which : {image, kernel, result})
    dims[which].assign(sizes.size(), -1);
  for (Operand which : {kernel, result})
    for (auto [d, expr] : llvm::enumerate(op.getMatchingIndexingMap(operands[which]).getResults()))
      dims[which][cast<AffineDimExpr>(expr).getPosition()] = d;
  for (auto [d, expr] : llvm::enumerate(op.getMatchingIndexingMap(operands[image]).getResults())) {
    auto terms = readTerms(expr, op.getNumLoops());
    if (!terms)
      return false;
    for (auto [loop, coefficient] : *terms) {
      if (dimOf(image, loop) >= 0)
        return false;
      dims[image][loop] = d;
    }
    // Positions with zeros between or around them are windows of one element.
    bool isWindow = terms->size() > 1;
    if (terms->size() == 1) {
      auto [loop, coefficient] = terms->front();
      bool positions = dimOf(result, loop) >= 0 && dimOf(kernel, loop) < 0;
      isWindow =
          coefficient != 1 || (positions && !sources[image].dimensions[d].isWhole(sizes[loop]));
    }
    if (isWindow && !addWindow(d, *terms))
      return false;
  }
  for (unsigned loop = 0; loop < sizes.size(); ++loop) {
    bool inImage = dimOf(image, loop) >= 0, inKernel = dimOf(kernel, loop) >= 0,
         inResult = dimOf(result, loop) >= 0;
    if (llvm::any_of(windowTerms,
                     [&](const Term &w) { return w.u == int(loop) || w.v == int(loop); }))
      continue;
    if (inImage + inKernel + inResult < 2)
      return false;
    members[inImage && inKernel && inResult ? group
            : !inKernel                     ? imageResult
            : !inResult                     ? imageKernel
                                            : kernelResult]
        .push_back(loop);
  }
  return !windowTerms.empty() || addUnitWindows();
}

/// True if all dimensions of the operand but the excepted ones are complete in its source.
bool Recognizer::isPlain(Operand which, ArrayRef<unsigned> exceptions) {
  auto type = cast<MemRefType>(operands[which]->get().getType());
  for (auto [d, dimension] : llvm::enumerate(sources[which].dimensions))
    if (!llvm::is_contained(exceptions, d) && !dimension.isWhole(type.getDimSize(d)))
      return false;
  return true;
}

Loop Recognizer::loopOf(unsigned loop) const {
  Loop read{sizes[loop]};
  for (Operand which : {image, kernel, result})
    if (int d = dimOf(which, loop); d >= 0)
      read.strides[which] = sources[which].dimensions[d].stride;
  return read;
}

/// Drops a source whose copy a convolution cannot express.
void Recognizer::settleSources() {
  SmallVector<unsigned> imageDims, kernelDims;
  for (const Term &window : windowTerms) {
    imageDims.push_back(window.dim);
    if (window.v >= 0)
      kernelDims.push_back(dimOf(kernel, window.v));
  }
  if (!isPlain(image, imageDims) ||
      llvm::any_of(imageDims, [&](unsigned d) { return sources[image].dimensions[d].step < 1; }))
    dropSource(image);
  if (!isPlain(kernel, kernelDims))
    dropSource(kernel);
}

void Recognizer::readLoops() {
  loops = {};
  for (const Term &term : windowTerms) {
    Window window;
    window.inImage = sources[image].dimensions[term.dim];
    if (term.u >= 0)
      window.positions = loopOf(term.u), window.positionStep = term.su;
    if (term.v >= 0) {
      window.elements = loopOf(term.v), window.elementStep = term.sv;
      window.inKernel = sources[kernel].dimensions[dimOf(kernel, term.v)];
    }
    loops.windows.push_back(window);
  }
  for (Class each : {group, imageResult, imageKernel, kernelResult})
    for (unsigned loop : members[each])
      if (sizes[loop] != 1)
        loops.classes[each].push_back(loopOf(loop));
  loops.merge();
}

ds::ConvolutionForm Recognizer::run() {
  if (!findOperands() || !classify())
    return {};
  settleSources();
  readLoops();
  forward = loops.readForward();
  if (isUnit && forward)
    return {};

  auto isWholeKernel = [&](const Window &w) { return w.inKernel.isWhole(w.elements.size); };
  auto isReversed = [](const Window &w) {
    int64_t size = w.elements.size;
    return w.inKernel.size == size && w.inKernel.low == size - 1 && w.inKernel.step == -1;
  };
  auto isSingle = [](const Window &w) { return w.elements.size == 1 && w.inKernel.size == 1; };
  auto isStepped = [](const Window &w) { return w.inImage.step != 1; };
  if (forward) {
    // A kernel of one element is its own reverse.
    auto mayReverse = [&](const Window &w) {
      return w.positionStep == 1 && (isReversed(w) || isSingle(w));
    };
    // A kernel dimension without a window cannot be reversed.
    reversed =
        loops.classes[imageKernel].size() <= 1 && llvm::all_of(loops.windows, mayReverse) &&
        (llvm::any_of(loops.windows, isStepped) || !llvm::all_of(loops.windows, isWholeKernel));
    if (!reversed) {
      if (!llvm::all_of(loops.windows, isWholeKernel))
        dropSource(kernel);
      if (llvm::any_of(loops.windows, isStepped))
        dropSource(image);
    }
  } else {
    // The library pads with zeros, but it does not crop.
    auto isCropped = [&](const Window &w) { return isUnit && !w.inImage.isWhole(w.elements.size); };
    auto cannotRead = [&](const Window &w) {
      return w.inKernel.step < 1 || (isUnit && !isWholeKernel(w));
    };
    if (llvm::any_of(loops.windows, isStepped) || llvm::any_of(loops.windows, isCropped))
      dropSource(image);
    if (llvm::any_of(loops.windows, cannotRead))
      dropSource(kernel);
  }
  readLoops();
  if (!loops.spread())
    return {};
  return build();
}

ds::ConvolutionForm Recognizer::build() {
  // Roles of the operands and of the classes in this reading.
  Operand source = reversed ? result : image;
  Operand destination = forward ? (reversed ? image : result) : kernel;
  Operand weights = forward ? kernel : result;
  Class samples = forward ? imageResult : imageKernel;
  Class sourceChannels = forward ? (reversed ? kernelResult : imageKernel) : imageResult;
  Class channels = forward && reversed ? imageKernel : kernelResult;
  auto only = [&](Class each) {
    return loops.classes[each].empty() ? Loop() : loops.classes[each].front();
  };

  struct Tensor {
    SmallVector<int64_t> sizes, strides;
    void add(const Loop &loop, Operand which) { add(loop.size, loop.strides[which]); }
    void add(int64_t size, int64_t stride) {
      sizes.push_back(size);
      strides.push_back(stride);
    }
  };
  Tensor x, y, w;
  x.add(only(samples), source), x.add(only(sourceChannels), source);
  y.add(only(samples), destination), y.add(only(channels), destination);
  w.add(only(channels), weights), w.add(only(sourceChannels), weights);

  SmallVector<int64_t> stride, dilation, padding;
  for (const Window &s : loops.windows) {
    if (!forward) {
      x.add(s.inImage.size, s.inImage.stride);
      y.add(s.inKernel.size, s.inKernel.stride);
      w.add(s.positions, result);
      stride.push_back(s.elementStep * s.inKernel.step);
      dilation.push_back(s.positionStep);
      padding.push_back(s.inImage.low - s.elementStep * s.inKernel.low);
    } else if (reversed) {
      x.add(s.positions, result);
      y.add(s.inImage.size, s.inImage.stride);
      w.add(s.inKernel.size, s.inKernel.stride);
      stride.push_back(s.inImage.step);
      dilation.push_back(s.elementStep);
      padding.push_back((s.elements.size - 1) * s.elementStep - s.inImage.low);
    } else {
      x.add(s.inImage.size, s.inImage.stride);
      y.add(s.positions, result);
      w.add(s.inKernel.size, s.inKernel.stride);
      stride.push_back(s.positionStep);
      dilation.push_back(s.elementStep);
      padding.push_back(s.inImage.low);
    }
  }

  Builder builder(op.getContext());
  SmallVector<NamedAttribute> plan;
  auto add = [&](StringRef name, ArrayRef<int64_t> values) {
    plan.push_back(builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(values)));
  };
  Loop groups = only(group);
  add("groups",
      {groups.size, groups.strides[source], groups.strides[destination], groups.strides[weights]});
  add("source_sizes", x.sizes), add("source_strides", x.strides);
  add("destination_sizes", y.sizes), add("destination_strides", y.strides);
  add("weights_sizes", w.sizes), add("weights_strides", w.strides);
  add("stride", stride), add("dilation", dilation), add("padding", padding);
  StringRef kind = !forward ? "weights_gradient" : reversed ? "source_gradient" : "forward";
  plan.push_back(builder.getNamedAttr("kind", builder.getStringAttr(kind)));
  if (Type type = getElementTypeOrSelf(sources[result].base.getType()); !type.isF32())
    plan.push_back(builder.getNamedAttr("type", TypeAttr::get(type)));
  add("offsets", {sources[image].offset, sources[kernel].offset, sources[result].offset});
  return {sources[image].base, sources[kernel].base, sources[result].base,
          builder.getDictionaryAttr(plan)};
}

} // namespace

ds::ConvolutionForm ds::recognizeConvolution(linalg::GenericOp op, bool unitWindows) {
  if (!isContraction(op))
    return {};
  return Recognizer(op, unitWindows).run();
}
