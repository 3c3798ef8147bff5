//===- ConvolutionForm.cpp - Contractions that are convolutions -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The windowed operand has dimensions p * s + k * d, one loop of the output and one of the
// reduction. Where the output's loop is the longer one this is a forward convolution, else it
// computes weights. A forward convolution whose weights are reversed is the gradient of the source:
// there the windowed operand is the padded and, for strides, dilated gradient of the destination.
// Padding follows from what was looked through:
//   forward:          p = low                    (source position = o * s + k * d - p)
//   source gradient:  p = (K - 1) * d - low, stride = dilation of the operand
// and the right padding from the sizes.
//
//===----------------------------------------------------------------------===//
#include "ConvolutionForm.h"
#include "BufferSource.h"
#include "Buffers.h"
#include "ds/Conversion/Contraction.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace {

/// Coefficient of each loop in one result of a map; no constant part.
using Terms = SmallVector<std::pair<unsigned, int64_t>>;

std::optional<Terms> readTerms(AffineExpr expr, unsigned numLoops) {
  AffineMap map = AffineMap::get(numLoops, 0, expr);
  SmallVector<int64_t> zero(numLoops, 0);
  if (!expr.isPureAffine() || map.compose(zero)[0] != 0)
    return std::nullopt;
  Terms terms;
  for (unsigned d = 0; d < numLoops; ++d) {
    SmallVector<int64_t> one(numLoops, 0);
    one[d] = 1;
    if (int64_t coefficient = map.compose(one)[0])
      terms.emplace_back(d, coefficient);
  }
  return terms;
}

/// A tensor of the convolution as the library sees it: size and stride of up to four dimensions,
/// and an offset.
struct Operand {
  Value base;
  SmallVector<int64_t> sizes, strides;
  int64_t offset = 0;
};

/// One spatial dimension: the dimension of the windowed operand, and its loops.
struct Spatial {
  unsigned dim = 0;
  int position = -1, kernel = -1; // loops; -1: size 1
  int64_t stride = 1, dilation = 1;
  int64_t low = 0, step = 1; // where the window's data lies
};

class Recognizer {
public:
  explicit Recognizer(linalg::GenericOp op) : op(op), sizes(op.getStaticLoopRanges()) {}
  ds::ConvolutionForm run();

private:
  bool findWindow();
  bool readSpatial();
  std::optional<Operand> describe(OpOperand *operand, ArrayRef<int> loops,
                                  const ds::BufferSource &source);
  int loopOf(function_ref<bool(unsigned)> wanted);
  bool has(OpOperand *operand, int loop) {
    return loop >= 0 && llvm::any_of(op.getMatchingIndexingMap(operand).getResults(),
                                     [&](AffineExpr e) { return e.isFunctionOfDim(loop); });
  }
  int64_t sizeOf(int loop) { return loop < 0 ? 1 : sizes[loop]; }

  linalg::GenericOp op;
  SmallVector<int64_t> sizes;
  OpOperand *window = nullptr, *other = nullptr, *out = nullptr;
  SmallVector<Terms> windowTerms;
  SmallVector<Spatial> spatial; // two
  int batchLoop = -1, windowChannels = -1, otherChannels = -1;
  bool forward = true;
};

/// The operand with compound dimensions.
bool Recognizer::findWindow() {
  out = op.getDpsInitOperand(0);
  for (OpOperand *operand : op.getDpsInputOperands()) {
    SmallVector<Terms> terms;
    bool compound = false;
    for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults()) {
      std::optional<Terms> read = readTerms(expr, op.getNumLoops());
      if (!read || read->size() > 2)
        return false;
      compound |= read->size() == 2 || (read->size() == 1 && read->front().second != 1);
      terms.push_back(*read);
    }
    if (compound) {
      if (window)
        return false;
      window = operand;
      windowTerms = terms;
    } else {
      other = operand;
    }
  }
  return window && other && op.getMatchingIndexingMap(out).isProjectedPermutation();
}

bool Recognizer::readSpatial() {
  auto isReduction = [&](unsigned loop) { return !has(out, loop); };
  int64_t outputs = 0, reductions = 0;
  for (auto [dim, terms] : llvm::enumerate(windowTerms)) {
    bool compound = terms.size() == 2 || (terms.size() == 1 && terms.front().second != 1);
    if (!compound)
      continue;
    if (terms.size() == 2 && isReduction(terms[0].first) == isReduction(terms[1].first))
      return false;
    for (auto [loop, coefficient] : terms)
      (isReduction(loop) ? reductions : outputs) += sizes[loop];
    Spatial next;
    next.dim = dim;
    spatial.push_back(next);
  }
  if (spatial.empty() || spatial.size() > 2)
    return false;
  forward = outputs >= reductions;
  for (Spatial &s : spatial)
    for (auto [loop, coefficient] : windowTerms[s.dim]) {
      bool isPosition = isReduction(loop) != forward;
      (isPosition ? s.position : s.kernel) = loop;
      (isPosition ? s.stride : s.dilation) = coefficient;
      if (coefficient < 1)
        return false;
    }
  // What is left of the windowed operand: samples and channels. Positions and samples stand in the
  // same operands.
  auto *positions = forward ? out : other, *kernels = forward ? other : out;
  for (Spatial &s : spatial)
    if ((s.position >= 0 && has(kernels, s.position)) ||
        (s.kernel >= 0 && has(positions, s.kernel)))
      return false;
  for (auto [dim, terms] : llvm::enumerate(windowTerms)) {
    if (llvm::any_of(spatial, [&, d = dim](const Spatial &s) { return s.dim == d; }))
      continue;
    if (terms.size() != 1)
      return false;
    int loop = terms.front().first;
    bool inPositions = has(positions, loop), inKernels = has(kernels, loop);
    if (inPositions == inKernels)
      return false;
    int &slot = inPositions ? batchLoop : windowChannels;
    if (slot >= 0)
      return false;
    slot = loop;
  }
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    if (!has(window, loop)) {
      if (otherChannels >= 0 || !has(positions, loop) || !has(kernels, loop))
        return false;
      otherChannels = loop;
    }
  return true;
}

/// Sizes and strides of `operand` in the order of `loops` (-1: a dimension of size 1), read from
/// its source.
std::optional<Operand> Recognizer::describe(OpOperand *operand, ArrayRef<int> loops,
                                            const ds::BufferSource &source) {
  auto type = cast<MemRefType>(source.base.getType());
  Operand result;
  SmallVector<int64_t> strides;
  result.base = source.base;
  if (failed(type.getStridesAndOffset(strides, result.offset)))
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(operand);
  for (int loop : loops) {
    int64_t size = 1, stride = 0;
    for (unsigned d = 0; d < map.getNumResults(); ++d)
      if (loop >= 0 && map.getResult(d).isFunctionOfDim(loop)) {
        size = type.getDimSize(d);
        stride = strides[d];
      }
    result.sizes.push_back(size);
    result.strides.push_back(stride);
  }
  // A dimension that no loop walks has size 1; the stride it would have in a dense tensor lets the
  // library see that the tensor is dense.
  for (unsigned i = result.sizes.size(); i-- > 0;)
    if (result.strides[i] == 0) {
      result.strides[i] = 1;
      for (unsigned j = 0; j < result.sizes.size(); ++j)
        if (j != i && i != 1 && (i == 0 || j > i))
          result.strides[i] = std::max(result.strides[i], result.sizes[j] * result.strides[j]);
    }
  return result;
}

ds::ConvolutionForm Recognizer::run() {
  if (!findWindow() || !readSpatial())
    return {};
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = cast<MemRefType>(operand.get().getType());
    if (!type.getElementType().isF32() || !ds::hasStaticLayout(type))
      return {};
  }
  auto identity = [](Value buffer) {
    unsigned rank = cast<MemRefType>(buffer.getType()).getRank();
    return ds::BufferSource{buffer, SmallVector<int64_t>(rank, 0), SmallVector<int64_t>(rank, 1)};
  };
  ds::BufferSource windowSource = ds::findSource(window->get(), op);
  ds::BufferSource otherSource = ds::findSource(other->get(), op);
  // Only spatial dimensions may be padded, and the window's dilation is only known to gradients of
  // the source.
  auto sizeIn = [](Value buffer, unsigned d) {
    return cast<MemRefType>(buffer.getType()).getDimSize(d);
  };
  auto plainBut = [&](const ds::BufferSource &source, Value buffer, ArrayRef<unsigned> dims) {
    for (unsigned d = 0; d < source.low.size(); ++d)
      if (!llvm::is_contained(dims, d) && (source.low[d] != 0 || source.step[d] != 1 ||
                                           sizeIn(source.base, d) != sizeIn(buffer, d)))
        return false;
    return true;
  };
  SmallVector<unsigned> windowDims;
  for (Spatial &s : spatial)
    windowDims.push_back(s.dim);
  // The library reads dense tensors.
  auto isDense = [](Value buffer) {
    return cast<MemRefType>(buffer.getType()).getLayout().isIdentity();
  };
  if (!plainBut(windowSource, window->get(), windowDims) || !isDense(windowSource.base))
    windowSource = identity(window->get());
  AffineMap otherMap = op.getMatchingIndexingMap(other);
  // The other operand's dimension that moves with a loop.
  auto otherDim = [&](int loop) {
    for (unsigned d = 0; d < otherMap.getNumResults(); ++d)
      if (loop >= 0 && otherMap.getResult(d).isFunctionOfDim(loop))
        return int(d);
    return -1;
  };
  SmallVector<unsigned> otherDims;
  for (Spatial &s : spatial)
    if (int d = otherDim(forward ? s.kernel : s.position); d >= 0)
      otherDims.push_back(d);
  // A kernel is reversed, not padded.
  auto isWhole = [&](unsigned d) { return sizeIn(otherSource.base, d) == sizeIn(other->get(), d); };
  if (!plainBut(otherSource, other->get(), otherDims) || !isDense(otherSource.base) ||
      (forward && !llvm::all_of(otherDims, isWhole)))
    otherSource = identity(other->get());

  if (!isDense(windowSource.base) || !isDense(otherSource.base) || !isDense(out->get()))
    return {};

  bool reversed = false, dilated = false;
  if (forward) {
    for (Spatial &s : spatial) {
      int d = otherDim(s.kernel);
      reversed |= d >= 0 && otherSource.step[d] == -1;
      dilated |= windowSource.step[s.dim] > 1;
    }
    // All kernel dimensions are reversed together, or the copy is needed.
    for (Spatial &s : spatial) {
      int d = otherDim(s.kernel);
      bool allowed = d < 0 || sizes[s.kernel] == 1 || otherSource.step[d] == (reversed ? -1 : 1);
      if (!allowed || (reversed && s.stride != 1))
        reversed = false, otherSource = identity(other->get());
    }
    if (dilated && !reversed) {
      bool unitKernel =
          llvm::all_of(spatial, [&](Spatial &s) { return sizeOf(s.kernel) == 1 && s.stride == 1; });
      if (unitKernel)
        reversed = true; // a kernel of one element is its own reverse
      else
        windowSource = identity(window->get()), dilated = false;
    }
  } else {
    for (Spatial &s : spatial)
      if (windowSource.step[s.dim] != 1)
        windowSource = identity(window->get());
    for (Spatial &s : spatial)
      if (int d = otherDim(s.position);
          d >= 0 && (otherSource.low[d] != 0 || otherSource.step[d] < 1))
        otherSource = identity(other->get());
  }

  int h = spatial.size() == 2 ? 0 : -1, w = spatial.size() == 2 ? 1 : 0;
  auto loop = [&](int i, int Spatial::*member) { return i < 0 ? -1 : spatial[i].*member; };
  // The windowed operand is walked by positions or by kernel loops: either moves its spatial
  // dimensions.
  auto windowLoop = [&](int i) {
    int position = loop(i, &Spatial::position);
    return position >= 0 ? position : loop(i, &Spatial::kernel);
  };
  OpOperand *positions = forward ? out : other, *kernels = forward ? other : out;
  ds::BufferSource outSource = identity(out->get());
  auto image =
      describe(window, {batchLoop, windowChannels, windowLoop(h), windowLoop(w)}, windowSource);
  auto result =
      describe(positions,
               {batchLoop, otherChannels, loop(h, &Spatial::position), loop(w, &Spatial::position)},
               forward ? outSource : otherSource);
  auto weights = describe(
      kernels,
      {otherChannels, windowChannels, loop(h, &Spatial::kernel), loop(w, &Spatial::kernel)},
      forward ? otherSource : outSource);
  if (!image || !result || !weights)
    return {};

  SmallVector<int64_t> stride, dilation, left, right;
  for (int i : {h, w}) {
    if (i < 0) {
      stride.push_back(1), dilation.push_back(0), left.push_back(0), right.push_back(0);
      continue;
    }
    const Spatial &s = spatial[i];
    int64_t kernelSize = sizeOf(s.kernel), reach = (kernelSize - 1) * s.dilation;
    int64_t low = windowSource.low[s.dim], pad, step = s.stride;
    // Sizes as the convolution of the source sees them.
    int64_t sourceSize = image->sizes[i == h ? 2 : 3], positionSize = sizeOf(s.position);
    if (reversed) {
      step = windowSource.step[s.dim];
      pad = reach - low;
      std::swap(sourceSize, positionSize);
    } else {
      pad = low;
      if (!forward)
        if (int d = otherDim(s.position); d >= 0) {
          step *= otherSource.step[d];
          positionSize = cast<MemRefType>(otherSource.base.getType()).getDimSize(d);
        }
    }
    int64_t rest = (positionSize - 1) * step + reach + 1 - sourceSize - pad;
    // Positions that a stride leaves over at the end need no padding.
    if (rest < 0)
      rest = std::min<int64_t>(0, rest + step - 1);
    if (pad < 0 || rest < 0)
      return {};
    stride.push_back(step), dilation.push_back(s.dilation - 1), left.push_back(pad),
        right.push_back(rest);
  }

  Builder builder(op.getContext());
  SmallVector<NamedAttribute> plan;
  auto add = [&](StringRef name, ArrayRef<int64_t> values) {
    plan.push_back(builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(values)));
  };
  // Of a source gradient the windowed operand is the destination and the output the source.
  const Operand &source = reversed ? *result : *image, &destination = reversed ? *image : *result;
  SmallVector<int64_t> weightSizes = weights->sizes, weightStrides = weights->strides;
  if (reversed) {
    std::swap(weightSizes[0], weightSizes[1]);
    std::swap(weightStrides[0], weightStrides[1]);
  }
  add("source_sizes", source.sizes), add("source_strides", source.strides);
  add("destination_sizes", destination.sizes), add("destination_strides", destination.strides);
  add("weights_sizes", weightSizes), add("weights_strides", weightStrides);
  add("stride", stride), add("dilation", dilation), add("padding_left", left),
      add("padding_right", right);
  ds::ConvolutionForm form;
  StringRef kind = !forward ? "weights_gradient" : reversed ? "source_gradient" : "forward";
  plan.push_back(builder.getNamedAttr("kind", builder.getStringAttr(kind)));
  form.lhs = image->base;
  form.rhs = forward ? weights->base : result->base;
  form.out = out->get();
  add("offsets", {image->offset, forward ? weights->offset : result->offset,
                  forward ? result->offset : weights->offset});
  form.plan = builder.getDictionaryAttr(plan);
  return form;
}

} // namespace

ds::ConvolutionForm ds::recognizeConvolution(linalg::GenericOp op) {
  if (!isContraction(op))
    return {};
  return Recognizer(op).run();
}
