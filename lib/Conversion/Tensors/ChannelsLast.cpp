//===- ChannelsLast.cpp - Activations in the library's order ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From every activation of a convolution whose channels are outside its positions, channels are
// followed through kernels, reshapes, slices and padding, up to contractions, which take any order
// of dimensions. All tensors that are reached change their layout together, or none does: a copy is
// needed wherever an operation that cannot follow reads or writes one of them, and a copy within
// each convolution is saved. The layout changes if it saves more bytes than it copies. Linear in
// the number of operations.
//
//===----------------------------------------------------------------------===//
#include "ChannelLayout.h"
#include "Utils/Buffers.h"
#include "ds/Conversion/Passes.h"
#include "ds/Conversion/Utils/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

#include <deque>

namespace ds {
#define GEN_PASS_DEF_CHANNELSLASTPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;
using ds::Channels;
using ds::OpChannels;

namespace {

/// With fewer channels the library takes activations in either layout.
constexpr int64_t minChannels = 8;

int64_t bytesOf(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getNumElements() * ds::elementBytes(type.getElementType());
}

/// True if all elements are equal, or not yet written: there is nothing to copy.
bool isUniform(Value value) {
  Operation *def = value.getDefiningOp();
  if (auto kernel = dyn_cast_or_null<linalg::GenericOp>(def))
    return kernel.getNumDpsInits() == 1 && kernel.isAllParallelLoops() &&
           !kernel.hasIndexSemantics() &&
           kernel.getMatchingIndexingMap(kernel.getDpsInitOperand(0)).isIdentity() &&
           kernel.getRegionOutputArgs().front().use_empty() &&
           isUniform(kernel.getDpsInits().front()) &&
           llvm::none_of(kernel.getDpsInputs(),
                         [](Value input) { return isa<ShapedType>(input.getType()); });
  SplatElementsAttr splat;
  return isa_and_nonnull<tensor::EmptyOp>(def) || matchPattern(value, m_Constant(&splat));
}

/// Creates the same value in another shape.
Value remakeUniform(Value value, RankedTensorType type, OpBuilder &builder) {
  Operation *def = value.getDefiningOp();
  if (auto empty = dyn_cast<tensor::EmptyOp>(def))
    return tensor::EmptyOp::create(builder, def->getLoc(), type.getShape(), type.getElementType());
  if (auto constant = dyn_cast<arith::ConstantOp>(def))
    return arith::ConstantOp::create(
        builder, def->getLoc(), cast<SplatElementsAttr>(constant.getValue()).resizeSplat(type));
  auto kernel = cast<linalg::GenericOp>(def);
  Value init = remakeUniform(kernel.getDpsInits().front(), type, builder);
  auto made = cast<linalg::GenericOp>(builder.clone(*def));
  made.getDpsInitOperand(0)->set(init);
  made->getResult(0).setType(type);
  return made->getResult(0);
}

/// An activation of a convolution.
struct Activation {
  Value value;
  Channels channels;
};

/// Returns the tensors of a convolution that hold samples: the one read in windows, and the one
/// that shares its samples. Empty if channels are last already, or cannot be distinguished from
/// samples.
SmallVector<Activation> activationsOf(linalg::GenericOp op, bool narrow) {
  // Convolutions of other types are kernels.
  Type type = getElementTypeOrSelf(op->getOperandTypes().front());
  if (llvm::any_of(op.getStaticLoopRanges(), ShapedType::isDynamic) ||
      llvm::any_of(op->getOperandTypes(),
                   [&](Type each) { return getElementTypeOrSelf(each) != type; }) ||
      !(narrow ? ds::isNarrowContraction(op) : type.isF32()))
    return {};
  auto isWindow = [](AffineExpr index) { return !isa<AffineDimExpr>(index); };
  OpOperand *image = nullptr;
  for (OpOperand *input : op.getDpsInputOperands())
    if (llvm::any_of(op.getMatchingIndexingMap(input).getResults(), isWindow))
      image = input;
  if (!image)
    return {};
  ArrayRef<AffineExpr> indices = op.getMatchingIndexingMap(image).getResults();
  const unsigned first = llvm::find_if(indices, isWindow) - indices.begin();
  if (first < 2 || !llvm::all_of(indices.drop_front(first), isWindow))
    return {};
  Channels ofImage(indices.size());
  ofImage.set(1, first);
  SmallVector<Activation> found = {{image->get(), ofImage}};

  const unsigned sample = cast<AffineDimExpr>(indices.front()).getPosition();
  for (OpOperand &operand : op->getOpOperands()) {
    ArrayRef<AffineExpr> others = op.getMatchingIndexingMap(&operand).getResults();
    if (&operand == image || others.empty() ||
        others.front() != getAffineDimExpr(sample, op.getContext()))
      continue;
    Channels channels(others.size());
    for (auto [d, index] : llvm::enumerate(others.drop_front())) {
      auto loop = dyn_cast<AffineDimExpr>(index);
      bool isPosition = !loop || llvm::any_of(indices.drop_front(first), [&](AffineExpr window) {
        return window.isFunctionOfDim(loop.getPosition());
      });
      channels[d + 1] = !isPosition;
    }
    found.push_back(
        {op.isDpsInit(&operand) ? Value(op.getTiedOpResult(&operand)) : operand.get(), channels});
  }
  return found;
}

/// Tensors that change their layout together.
class Region {
public:
  explicit Region(llvm::DenseSet<Operation *> &taken) : taken(taken) {}

  void grow(Value value, const Channels &channels);
  void addGain(const Activation &activation);
  const llvm::MapVector<Value, Channels> &all() const { return tensors; }
  bool pays() const { return !contradicts && saved > copied; }
  void apply(IRRewriter &rewriter);

private:
  void add(Value value, const Channels &channels);
  bool follow(Operation *op, Value value, const Channels &channels);
  Value transposed(Value value, const Channels &channels, bool back, IRRewriter &rewriter);

  llvm::DenseSet<Operation *> &taken; // by any region
  llvm::MapVector<Value, Channels> tensors;
  llvm::MapVector<Operation *, OpChannels> kernels;
  llvm::SetVector<Operation *> contractions;
  SmallVector<Value> worklist;
  llvm::SetVector<Value> entering;  // results of operations that do not follow
  SmallVector<OpOperand *> leaving; // uses by operations that do not follow
  int64_t saved = 0, copied = 0;    // bytes
  bool contradicts = false;
};

void Region::add(Value value, const Channels &channels) {
  if (ds::liesChannelsLast(channels) || isUniform(value))
    return;
  auto [known, isNew] = tensors.insert({value, channels});
  if (isNew)
    worklist.push_back(value);
  contradicts |= known->second != channels;
}

/// Adds the bytes that a convolution saves if it need not copy this activation.
void Region::addGain(const Activation &activation) {
  const Channels channels = tensors.lookup(activation.value);
  contradicts |= !channels.empty() && channels != activation.channels;
  int64_t wide = 1;
  auto type = cast<RankedTensorType>(activation.value.getType());
  for (unsigned d : channels.set_bits())
    wide *= type.getDimSize(d);
  if (wide >= minChannels)
    saved += 2 * bytesOf(activation.value); // read and written
}

/// Follows the channels through an operation; false if it needs the present layout of `value`.
bool Region::follow(Operation *op, Value value, const Channels &channels) {
  auto kernel = dyn_cast<linalg::GenericOp>(op);
  if (kernel && ds::isContraction(kernel)) {
    contractions.insert(op);
    Value result = kernel->getResult(0), init = kernel.getDpsInits()[0];
    if (value == result)
      add(init, channels);
    else if (value == init)
      add(result, channels);
    return true;
  }
  std::optional<OpChannels> all = ds::spreadChannels(op, value, channels);
  if (!all)
    return false;
  auto [known, isNew] = kernels.insert({op, *all});
  contradicts |= known->second != *all || (isNew && !taken.insert(op).second);
  if (isNew) {
    for (auto [operand, each] : llvm::zip(op->getOperands(), *all))
      if (!each.empty())
        add(operand, each);
    for (auto [result, each] :
         llvm::zip(op->getResults(), ArrayRef(*all).drop_front(op->getNumOperands())))
      if (!each.empty())
        add(result, each);
  }
  return true;
}

void Region::grow(Value start, const Channels &startChannels) {
  add(start, startChannels);
  while (!worklist.empty() && !contradicts) {
    Value value = worklist.pop_back_val();
    const Channels channels = tensors.lookup(value);
    Operation *def = value.getDefiningOp();
    if (!def || !follow(def, value, channels)) {
      entering.insert(value);
      copied += 2 * bytesOf(value);
    }
    const size_t before = leaving.size();
    for (OpOperand &use : value.getUses())
      if (!follow(use.getOwner(), value, channels))
        leaving.push_back(&use);
    if (leaving.size() > before && !entering.contains(value))
      copied += 2 * bytesOf(value);
  }
  // An operation may follow from one of its tensors but not from another, for example one that it
  // reads twice.
  contradicts |=
      llvm::any_of(leaving, [&](OpOperand *use) { return kernels.contains(use->getOwner()); }) ||
      llvm::any_of(entering, [&](Value value) { return kernels.contains(value.getDefiningOp()); });
}

/// Creates a copy of `value` with channels last, or, with `back`, in the original layout.
Value Region::transposed(Value value, const Channels &channels, bool back, IRRewriter &rewriter) {
  rewriter.setInsertionPointAfterValue(value);
  auto type = cast<RankedTensorType>(value.getType());
  AffineMap last =
      AffineMap::getPermutationMap(ds::channelsLastOrder(channels), rewriter.getContext());
  AffineMap first = rewriter.getMultiDimIdentityMap(channels.size());
  // Loops in the order of the result.
  AffineMap map = back ? last : inversePermutation(last);
  SmallVector<int64_t> shape =
      applyPermutationMap(back ? inversePermutation(last) : last, type.getShape());
  Location loc = value.getLoc();
  Value empty = tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
  return linalg::GenericOp::create(
             rewriter, loc, empty.getType(), value, empty, ArrayRef{map, first},
             SmallVector<utils::IteratorType>(channels.size(), utils::IteratorType::parallel),
             [](OpBuilder &builder, Location loc, ValueRange args) {
               linalg::YieldOp::create(builder, loc, args.front());
             })
      ->getResult(0);
}

void Region::apply(IRRewriter &rewriter) {
  DenseMap<Value, Value> copies;
  for (auto &[value, channels] : tensors)
    if (entering.contains(value))
      copies[value] = transposed(value, channels, /*back=*/false, rewriter);
  // Copies into the region are created above, while types are still the original ones.
  for (auto &[value, channels] : tensors)
    if (!entering.contains(value))
      value.setType(ds::channelsLastType(cast<RankedTensorType>(value.getType()), channels));
  DenseMap<Value, Value> back;
  for (OpOperand *use : leaving) {
    Value value = use->get();
    if (entering.contains(value))
      continue;
    Value &copy = back[value];
    if (!copy)
      copy = transposed(value, tensors.lookup(value), /*back=*/true, rewriter);
    use->set(copy);
  }
  auto setOperand = [&](OpOperand &operand, const Channels &channels) {
    Value value = operand.get();
    if (Value copy = copies.lookup(value)) {
      operand.set(copy);
    } else if (!ds::liesChannelsLast(channels) && isUniform(value)) {
      rewriter.setInsertionPoint(operand.getOwner());
      operand.set(remakeUniform(
          value, ds::channelsLastType(cast<RankedTensorType>(value.getType()), channels),
          rewriter));
    }
  };
  for (Operation *op : contractions) {
    auto kernel = cast<linalg::GenericOp>(op);
    SmallVector<AffineMap> maps = kernel.getIndexingMapsArray();
    for (OpOperand &operand : op->getOpOperands()) {
      Value value =
          kernel.isDpsInit(&operand) ? Value(kernel.getTiedOpResult(&operand)) : operand.get();
      auto known = tensors.find(value);
      if (known == tensors.end())
        continue;
      setOperand(operand, known->second);
      AffineMap &map = maps[operand.getOperandNumber()];
      map = AffineMap::get(map.getNumDims(), 0,
                           applyPermutation(map.getResults(), ds::channelsLastOrder(known->second)),
                           op->getContext());
    }
    kernel.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  }
  for (auto &[op, channels] : kernels) {
    for (auto [operand, each] : llvm::zip(op->getOpOperands(), channels))
      setOperand(operand, each);
    ds::putChannelsLast(op, channels, rewriter);
  }
}

struct ChannelsLast final : ds::impl::ChannelsLastPassBase<ChannelsLast> {
  using ChannelsLastPassBase::ChannelsLastPassBase;
  void runOnOperation() override {
    SmallVector<Activation> activations;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.hasPureTensorSemantics() && ds::isContraction(op))
        llvm::append_range(activations, activationsOf(op, narrow));
    });
    llvm::DenseSet<Operation *> taken;
    std::deque<Region> regions;
    DenseMap<Value, Region *> regionOf;
    for (const Activation &activation : activations) {
      Region *known = regionOf.lookup(activation.value);
      if (!known) {
        known = &regions.emplace_back(taken);
        known->grow(activation.value, activation.channels);
        for (auto &[value, channels] : known->all())
          regionOf.try_emplace(value, known);
      }
      known->addGain(activation);
    }
    IRRewriter rewriter(&getContext());
    for (Region &region : regions)
      if (region.pays())
        region.apply(rewriter);
  }
};

} // namespace
