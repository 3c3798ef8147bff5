//===- IndexRanges.cpp - Which values of the data a step can index with ----===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk in program order, bodies included. Each value is described by what its elements are, as
// far as that is one of the few things that an index is computed from.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/IndexRanges.h"

#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Dialect/IR/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ds {
namespace {

/// Describes the elements of a value.
struct Element {
  enum Kind {
    Unknown,
    Constant,    // `number`
    Position,    // in a dimension of size `number`
    OfData,      // an integer of `data`
    Shifted,     // an integer of `data`, and `number` more
    Counted,     // as OfData; negative ones count from the end of `number`
    IsNegative,  // true where the integer of `data` is negative
    NotNegative, // true where it is not negative
    Known,       // true where it is, or is not, `number`
  };
  Kind kind = Unknown;
  BlockArgument data = {};
  int64_t number = 0;

  bool isIndex() const { return kind == OfData || kind == Counted || kind == Shifted; }
  bool operator==(const Element &other) const {
    return kind == other.kind && data == other.data && number == other.number;
  }
};

class RangeFinder {
public:
  explicit RangeFinder(func::FuncOp step) : step(step) {
    for (const BatchArgument &batch : getBatchArguments(step)) {
      Type element = getElementTypeOrSelf(batch.argument.getType());
      bool isRead = paramOrState(step, batch.argument.getArgNumber()).empty(); // from data
      if (isRead && element.isInteger() && !element.isInteger(1))
        elements[batch.argument] = {Element::OfData, batch.argument};
    }
  }

  llvm::MapVector<BlockArgument, IndexRange> run() {
    if (!elements.empty())
      step.walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
    // An integer bounded on both sides has a range, even if nothing is indexed by it.
    for (auto &[data, bounds] : asserted)
      if (bounds.low > std::numeric_limits<int64_t>::min() &&
          bounds.high < std::numeric_limits<int64_t>::max() && bounds.low < bounds.high) {
        IndexRange &range = ranges.insert({data, bounds}).first->second;
        range.low = std::max(range.low, bounds.low);
        range.high = std::min(range.high, bounds.high);
      }
    for (auto &[data, range] : ranges) {
      if (guarded.contains(data) && !counted.contains(data))
        range.low = std::numeric_limits<int64_t>::min();
      // A comparison does not make integers safe that are also row numbers: PyTorch's embedding
      // compares with the row that has no gradient (-1: none), and reads every row.
      for (int64_t each : reads.contains(data) ? replaced[data] : known[data])
        if ((each < range.low || each >= range.high) && !llvm::is_contained(range.others, each))
          range.others.push_back(each);
    }
    return std::move(ranges);
  }

private:
  bool isUnsigned(BlockArgument data) const {
    return func::FuncOp(step).getArgAttr(data.getArgNumber(), role::isUnsigned) != nullptr;
  }
  Element of(Value value) const { return elements.lookup(value); }
  void set(Value value, Element element) {
    if (element.kind != Element::Unknown)
      elements[value] = element;
  }

  void visit(Operation *op) {
    if (auto assertion = dyn_cast<cf::AssertOp>(op))
      return assertHolds(assertion.getArg());
    if (auto generic = dyn_cast<linalg::LinalgOp>(op)) {
      for (OpOperand &operand : op->getOpOperands())
        if (!generic.isDpsInit(&operand) || generic.getNumLoops() == generic.getNumParallelLoops())
          set(generic.getMatchingBlockArgument(&operand), of(operand.get()));
      return;
    }
    if (auto yield = dyn_cast<linalg::YieldOp>(op)) {
      if (isa<linalg::LinalgOp>(op->getParentOp()))
        for (auto [value, result] : // operations on buffers have no results
             llvm::zip(yield.getValues(), op->getParentOp()->getResults()))
          set(result, of(value));
      return;
    }
    if (op->getNumResults() == 1)
      set(op->getResult(0), evaluate(op));
  }

  Element evaluate(Operation *op) {
    return llvm::TypeSwitch<Operation *, Element>(op)
        .Case<arith::ConstantOp>([&](auto constant) { return ofConstant(constant.getValue()); })
        .Case<linalg::IndexOp>([&](linalg::IndexOp index) {
          auto loops = cast<linalg::LinalgOp>(op->getParentOp()).getStaticLoopRanges();
          return Element{Element::Position, {}, loops[index.getDim()]};
        })
        .Case<arith::IndexCastUIOp, arith::ExtUIOp>([&](Operation *widened) {
          Element element = of(widened->getOperand(0));
          // An unsigned extension gives a value by its bits, not the signed integer that a file
          // holds.
          return element.isIndex() && !isUnsigned(element.data) ? Element() : element;
        })
        .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp, tensor::CastOp,
              tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::SplatOp, tensor::PadOp>(
            [&](Operation *same) { return of(same->getOperand(0)); })
        .Case<tensor::FromElementsOp>([&](auto all) { return joined(all->getOperands()); })
        .Case<tensor::ConcatOp>([&](tensor::ConcatOp concat) {
          // The coordinates of a gather are joined as columns.
          auto isColumn = [&](Value each) {
            return cast<RankedTensorType>(each.getType()).getDimSize(concat.getDim()) == 1;
          };
          if (llvm::all_of(concat.getInputs(), isColumn))
            columns[concat] = {
                concat.getDim(),
                llvm::map_to_vector<2>(concat.getInputs(), [&](Value each) { return of(each); })};
          return joined(concat.getInputs());
        })
        .Case<arith::MaxSIOp, arith::MinSIOp>([&](Operation *clamp) {
          // A clamp of integers that are not indices is a choice of the step and gives no range.
          Element left = of(clamp->getOperand(0)), right = of(clamp->getOperand(1));
          if (!isa<IndexType>(getElementTypeOrSelf(clamp->getResult(0).getType())))
            return Element();
          return right.kind == Element::Constant  ? left
                 : left.kind == Element::Constant ? right
                                                  : Element();
        })
        .Case<arith::AddIOp>([&](arith::AddIOp add) {
          Element left = of(add.getLhs()), right = of(add.getRhs());
          if (left.kind == Element::Constant)
            std::swap(left, right);
          return shifted(left, right, 1);
        })
        .Case<arith::SubIOp>([&](arith::SubIOp subtract) {
          return shifted(of(subtract.getLhs()), of(subtract.getRhs()), -1);
        })
        .Case<arith::CmpIOp>([&](arith::CmpIOp compare) { return ofCompare(compare); })
        .Case<arith::SelectOp>([&](arith::SelectOp select) { return ofSelect(select); })
        .Case<tensor::ExtractOp>([&](tensor::ExtractOp extract) {
          for (auto [dim, index] : llvm::enumerate(extract.getIndices()))
            readAt(of(index), extract.getTensor().getType().getDimSize(dim));
          return ofColumn(extract.getTensor(), getAsOpFoldResult(extract.getIndices()));
        })
        .Case<tensor::ExtractSliceOp>([&](tensor::ExtractSliceOp slice) {
          auto offsets = slice.getMixedOffsets(), sizes = slice.getMixedSizes();
          for (auto [dim, offset, size] : llvm::enumerate(offsets, sizes))
            if (auto index = dyn_cast<Value>(offset))
              if (std::optional<int64_t> taken = getConstantIntValue(size))
                readAt(of(index), slice.getSourceType().getDimSize(dim) - *taken + 1);
          return ofColumn(slice.getSource(), offsets, sizes);
        })
        .Case<tensor::GatherOp>([&](tensor::GatherOp gather) {
          if (ArrayRef<int64_t> dims = gather.getGatherDims(); dims.size() == 1)
            readAt(of(gather.getIndices()), gather.getSourceType().getDimSize(dims.front()));
          return of(gather.getSource());
        })
        .Case<tensor::InsertSliceOp>([&](tensor::InsertSliceOp insert) {
          return joined({insert.getSource(), insert.getDest()});
        })
        .Default(Element());
  }

  static Element ofConstant(Attribute attr) {
    if (auto number = dyn_cast<IntegerAttr>(attr))
      return {Element::Constant, {}, number.getValue().getSExtValue()};
    auto dense = dyn_cast<DenseIntElementsAttr>(attr);
    if (!dense || dense.empty())
      return {};
    if (dense.isSplat())
      return {Element::Constant, {}, dense.getSplatValue<APInt>().getSExtValue()};
    // Folded positions: 0 to n - 1 along the only dimension that is not 1.
    SmallVector<int64_t> sizes = llvm::to_vector(llvm::make_filter_range(
        dense.getType().getShape(), [](int64_t size) { return size != 1; }));
    bool counts =
        sizes.size() == 1 && llvm::all_of(llvm::enumerate(dense.getValues<APInt>()), [](auto each) {
          return each.value().getSExtValue() == int64_t(each.index());
        });
    return counts ? Element{Element::Position, {}, sizes.front()} : Element();
  }

  static Element shifted(const Element &index, const Element &by, int64_t sign) {
    if (index.kind != Element::OfData || by.kind != Element::Constant)
      return {};
    return {Element::Shifted, index.data, sign * by.number};
  }

  /// Returns the elements of a tensor at `offsets`; of a tensor with columns, the column that is
  /// read.
  Element ofColumn(Value tensor, ArrayRef<OpFoldResult> offsets,
                   ArrayRef<OpFoldResult> sizes = {}) const {
    auto found = columns.find(tensor);
    if (found == columns.end())
      return of(tensor);
    const auto &[dim, elements] = found->second;
    std::optional<int64_t> at = getConstantIntValue(offsets[dim]);
    bool isOne = sizes.empty() || getConstantIntValue(sizes[dim]) == 1;
    return at && isOne ? elements[*at] : of(tensor);
  }

  /// A mix of integers of the data and constants is an index where it is used as one.
  Element joined(ValueRange values) const {
    Element all;
    for (Value value : values) {
      Element each = of(value);
      if (each.kind == Element::Constant || value.getDefiningOp<tensor::EmptyOp>())
        continue;
      if (all.kind != Element::Unknown && !(each == all))
        return {};
      all = each;
      if (all.kind == Element::Unknown)
        return {};
    }
    return all;
  }

  /// True if only assertions use the condition: the step itself does not handle such values.
  static bool isOnlyAsserted(Operation *condition) {
    return !condition->use_empty() && llvm::all_of(condition->getUsers(), [](Operation *user) {
      return isa<cf::AssertOp>(user) || (isa<arith::AndIOp>(user) && isOnlyAsserted(user));
    });
  }

  /// Records the bounds that an assertion gives for integers of the data.
  void assertHolds(Value condition) {
    if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
      assertHolds(both.getLhs());
      return assertHolds(both.getRhs());
    }
    auto compare = condition.getDefiningOp<arith::CmpIOp>();
    if (!compare)
      return;
    auto [left, predicate, right] = read(compare);
    if (left.kind != Element::OfData || right.kind != Element::Constant)
      return;
    IndexRange bounds;
    bounds.low = std::numeric_limits<int64_t>::min();
    bounds.high = std::numeric_limits<int64_t>::max();
    switch (predicate) {
    case arith::CmpIPredicate::slt:
      bounds.high = right.number;
      break;
    case arith::CmpIPredicate::sle:
      bounds.high = right.number + 1;
      break;
    case arith::CmpIPredicate::sge:
      bounds.low = right.number;
      break;
    case arith::CmpIPredicate::sgt:
      bounds.low = right.number + 1;
      break;
    default:
      return;
    }
    auto [it, isFirst] = asserted.insert({left.data, bounds});
    it->second.low = std::max(it->second.low, bounds.low);
    it->second.high = std::min(it->second.high, bounds.high);
  }

  /// A comparison with the positions of a dimension is a one-hot; with a constant, the step knows
  /// such values.
  Element ofCompare(arith::CmpIOp compare) {
    auto [left, predicate, right] = read(compare);
    bool isEquality =
        predicate == arith::CmpIPredicate::eq || predicate == arith::CmpIPredicate::ne;
    if (isEquality && right.kind == Element::Position)
      use(left, right.number);
    if (left.kind != Element::OfData || right.kind != Element::Constant || isOnlyAsserted(compare))
      return {};
    if (isEquality) {
      unsigned width = getElementTypeOrSelf(left.data.getType()).getIntOrFloatBitWidth();
      int64_t number = isUnsigned(left.data)
                           ? right.number & llvm::maskTrailingOnes<uint64_t>(width)
                           : right.number;
      known[left.data].push_back(number);
      return {Element::Known, left.data, number};
    }
    // x < 0 is x <= -1; x >= 0 is x > -1.
    auto isOrder = [&](arith::CmpIPredicate ofZero, arith::CmpIPredicate ofMinusOne) {
      return predicate == (right.number == 0 ? ofZero : ofMinusOne);
    };
    if (right.number != 0 && right.number != -1)
      return {};
    bool isNegative = isOrder(arith::CmpIPredicate::slt, arith::CmpIPredicate::sle);
    if (!isNegative && !isOrder(arith::CmpIPredicate::sge, arith::CmpIPredicate::sgt))
      return {};
    guarded.insert(left.data);
    return {isNegative ? Element::IsNegative : Element::NotNegative, left.data};
  }

  /// Returns the sides of a comparison, an index on the left, and its predicate.
  std::tuple<Element, arith::CmpIPredicate, Element> read(arith::CmpIOp compare) {
    Element left = of(compare.getLhs()), right = of(compare.getRhs());
    if (right.isIndex())
      return {right, mirrored(compare.getPredicate()), left};
    return {left, compare.getPredicate(), right};
  }

  /// The predicate with its sides exchanged, of those that are used here.
  static arith::CmpIPredicate mirrored(arith::CmpIPredicate predicate) {
    using Predicate = arith::CmpIPredicate;
    for (auto [x, y] :
         {std::pair(Predicate::slt, Predicate::sgt), {Predicate::sle, Predicate::sge}}) {
      if (predicate == x)
        return y;
      if (predicate == y)
        return x;
    }
    return predicate;
  }

  Element ofSelect(arith::SelectOp select) {
    Element condition = of(select.getCondition()), ifTrue = of(select.getTrueValue()),
            ifFalse = of(select.getFalseValue());
    if (condition.kind == Element::NotNegative)
      std::swap(ifTrue, ifFalse);
    bool asksSign = condition.kind == Element::IsNegative || condition.kind == Element::NotNegative;
    if (asksSign && ifTrue.kind == Element::Shifted && ifFalse.kind == Element::OfData &&
        ifTrue.data == ifFalse.data && condition.data == ifTrue.data) {
      counted.insert(ifTrue.data);
      return {Element::Counted, ifTrue.data, ifTrue.number};
    }
    // An ignored label is replaced.
    if (condition.kind == Element::Known)
      for (const auto &[index, other] : {std::pair(ifTrue, ifFalse), std::pair(ifFalse, ifTrue)})
        if (index.isIndex() && index.data == condition.data && other.kind == Element::Constant) {
          replaced[index.data].push_back(condition.number);
          return index;
        }
    return {};
  }

  void readAt(const Element &index, int64_t extent) {
    if (index.isIndex())
      reads.insert(index.data);
    use(index, extent);
  }

  void use(const Element &index, int64_t extent) {
    if (!index.isIndex() || ShapedType::isDynamic(extent))
      return;
    int64_t low = index.kind == Element::OfData ? 0 : -index.number;
    int64_t high = index.kind == Element::Shifted ? extent - index.number : extent;
    auto [it, isFirst] = ranges.insert({index.data, {low, high, {}}});
    IndexRange &range = it->second;
    range.low = std::max(range.low, low);
    range.high = std::min(range.high, high);
  }

  func::FuncOp step;
  llvm::DenseMap<Value, Element> elements;
  struct Columns {
    uint64_t dim = 0;
    SmallVector<Element, 2> elements;
  };
  llvm::DenseMap<Value, Columns> columns; // of tensors joined from parts of size 1
  llvm::MapVector<BlockArgument, IndexRange> ranges, asserted;
  llvm::DenseMap<BlockArgument, SmallVector<int64_t>> known, replaced; // constants compared with
  llvm::DenseSet<BlockArgument> guarded, counted; // sign compared; compared to count from the end
  llvm::DenseSet<BlockArgument> reads;            // a tensor is read at them
};

} // namespace

llvm::MapVector<BlockArgument, IndexRange> findIndexRanges(func::FuncOp step) {
  return RangeFinder(step).run();
}

} // namespace ds
