//===- ToField.cpp - a step over a finite field ---------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The transformations of ds are identities over any field: they move linear factors across sums,
// split sums, slice and gather, and apply every scalar function to the same values as before. Over
// a finite field both sides of an identity agree bit for bit, and random inputs distinguish two
// programs that are not the same rational expression of uninterpreted functions, except with
// probability d / p (d the degree, p the prime; Schwartz 1980, Zippel 1979). "Probabilistic
// equivalence verification" of tensor programs is Mirage's (Wu et al., OSDI 2025).
//
// First all types change, in place, then each operation that computed with floats is rewritten.
// Loops that end when a float is small enough may not end over a field, so their rounds are
// counted, too.
//
//===----------------------------------------------------------------------===//
#include "DegreeBound.h"
#include "FieldCollectives.h"
#include "FieldReading.h"
#include "FieldWork.h"
#include "FloatSources.h"

#include "ds/Dialect/IR/Roles.h"
#include "ds/Exact/FieldFacts.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/PassManager.h"

namespace ds {
#define GEN_PASS_DEF_TOFIELDPASS
#include "ds/Exact/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

/// Bound for the rounds of a loop that a float ends.
constexpr int64_t mostRounds = 64;

bool isFloat(Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); }

Type overField(Type type) {
  Type element = IntegerType::get(type.getContext(), 64);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return isFloat(type) ? tensor.clone(element) : type;
  return isa<FloatType>(type) ? element : type;
}

/// True if the operation forwards elements without looking at them.
bool movesElements(Operation *op) {
  return isa<ModuleOp, func::FuncOp, func::ReturnOp, linalg::GenericOp, linalg::YieldOp,
             arith::SelectOp>(op) ||
         isa_and_nonnull<tensor::TensorDialect, scf::SCFDialect>(op->getDialect());
}

/// Returns the numbers of a constant; none for a resource of another form.
std::optional<SmallVector<int64_t>> readNumbers(const PrimeField &field, ElementsAttr attr,
                                                int64_t ranks) {
  SmallVector<int64_t> numbers;
  if (auto dense = dyn_cast<DenseFPElementsAttr>(attr)) {
    if (dense.isSplat())
      return SmallVector<int64_t>{field.read(dense.getSplatValue<APFloat>(), ranks)};
    for (APFloat value : dense.getValues<APFloat>())
      numbers.push_back(field.read(value, ranks));
    return numbers;
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(attr);
  AsmResourceBlob *blob = resource ? resource.getRawHandle().getBlob() : nullptr;
  auto type = cast<FloatType>(attr.getElementType());
  if (!blob)
    return std::nullopt;
  ArrayRef<char> data = blob->getData();
  size_t bytes = type.getWidth() / 8;
  for (; data.size() >= bytes; data = data.drop_front(bytes)) {
    uint64_t bits = 0;
    std::memcpy(&bits, data.data(), bytes); // little-endian, like the resource
    numbers.push_back(
        field.read(APFloat(type.getFloatSemantics(), APInt(type.getWidth(), bits)), ranks));
  }
  return numbers;
}

/// Rewrites the loop to end after `mostRounds`.
void boundRounds(scf::WhileOp loop) {
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  SmallVector<Value> inits(loop.getInits());
  inits.push_back(zero);
  SmallVector<Type> types(loop.getResultTypes());
  types.push_back(b.getIndexType());
  auto bounded = scf::WhileOp::create(b, loc, types, inits);
  bounded.getBefore().takeBody(loop.getBefore());
  bounded.getAfter().takeBody(loop.getAfter());
  Value before = bounded.getBeforeBody()->addArgument(b.getIndexType(), loc);
  Value after = bounded.getAfterBody()->addArgument(b.getIndexType(), loc);
  scf::ConditionOp condition = bounded.getConditionOp();
  b.setInsertionPoint(condition);
  Value most = arith::ConstantIndexOp::create(b, loc, mostRounds);
  Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, before, most);
  condition.getConditionMutable().assign(
      arith::AndIOp::create(b, loc, condition.getCondition(), more));
  condition.getArgsMutable().append(before);
  scf::YieldOp yield = bounded.getYieldOp();
  b.setInsertionPoint(yield);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  yield.getResultsMutable().append(arith::AddIOp::create(b, loc, after, one).getResult());
  loop.replaceAllUsesWith(bounded.getResults().drop_back());
  loop.erase();
}

/// Returns the indices at which the operation reads or writes.
SmallVector<Value> indicesOf(Operation *op) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return SmallVector<Value>(extract.getIndices());
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return SmallVector<Value>(slice.getOffsets());
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    return SmallVector<Value>(slice.getOffsets());
  return {};
}

/// Clamps an index computed from a float into the tensor.
Value clampIndex(OpBuilder &b, Location loc, Value index, int64_t largest) {
  if (index.getDefiningOp<linalg::IndexOp>() || matchPattern(index, m_Constant()))
    return index;
  Value low = arith::ConstantIndexOp::create(b, loc, 0);
  Value high = arith::ConstantIndexOp::create(b, loc, std::max<int64_t>(0, largest));
  return arith::MinSIOp::create(b, loc, arith::MaxSIOp::create(b, loc, index, low), high);
}

void clampIndices(ModuleOp module) {
  module.walk([](tensor::ExtractOp op) {
    OpBuilder b(op);
    for (auto [dim, index] : llvm::enumerate(op.getIndicesMutable()))
      index.set(
          clampIndex(b, op.getLoc(), index.get(), op.getTensor().getType().getDimSize(dim) - 1));
  });
  auto clampOffsets = [](auto op, RankedTensorType whole, RankedTensorType) {
    OpBuilder b(op);
    unsigned next = 0;
    for (auto [dim, offset] : llvm::enumerate(op.getStaticOffsets()))
      if (ShapedType::isDynamic(offset)) {
        OpOperand &operand = op.getOffsetsMutable()[next++];
        operand.set(clampIndex(b, op.getLoc(), operand.get(),
                               whole.getDimSize(dim) - op.getStaticSizes()[dim]));
      }
  };
  module.walk(
      [&](tensor::ExtractSliceOp op) { clampOffsets(op, op.getSourceType(), op.getType()); });
  module.walk(
      [&](tensor::InsertSliceOp op) { clampOffsets(op, op.getDestType(), op.getSourceType()); });
}

struct ToField final : impl::ToFieldPassBase<ToField> {
  using ToFieldPassBase::ToFieldPassBase;
  ToField(const ToFieldPassOptions &options, FieldFacts &facts)
      : ToFieldPassBase(options), facts(&facts) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (prime != PrimeField::firstPrime && prime != PrimeField::secondPrime) {
      module.emitError() << "prime is " << prime.getValue() << ", expected "
                         << PrimeField::firstPrime << " or " << PrimeField::secondPrime;
      return signalPassFailure();
    }
    OpPassManager generalise(ModuleOp::getOperationName());
    OpPassManager &ofStep = generalise.nest<func::FuncOp>();
    ofStep.addPass(createConvertElementwiseToLinalgPass());
    ofStep.addPass(createLinalgGeneralizeNamedOpsPass());
    if (failed(runPipeline(generalise, module)) || failed(collect(module)))
      return signalPassFailure();
    if (facts)
      facts->degree = boundDegree(module);
    for (cf::AssertOp assertion : dropped)
      assertion.erase();
    changeTypes(module);
    PrimeField field(prime);
    FieldBuilder builder(&getContext(), field, mixBits(seed));
    for (FloatOperation &read : reading)
      if (failed(write(builder, field, read)))
        return signalPassFailure();
    for (scf::WhileOp loop : loops)
      boundRounds(loop);
    if (makesIndices)
      clampIndices(module);
    if (facts) {
      facts->opaque = named;
      facts->work = countFieldWork(module);
    }
  }

private:
  /// Collects the operations that compute with floats, before types change.
  LogicalResult collect(ModuleOp module) {
    WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto floats = [](TypeRange types) {
        llvm::SmallBitVector found(types.size());
        for (auto [i, type] : llvm::enumerate(types))
          found[i] = isFloat(type);
        return found;
      };
      for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
        if (isa<ComplexType, UnrankedTensorType>(getElementTypeOrSelf(type)) ||
            isa<BaseMemRefType, VectorType>(type)) {
          op->emitError() << "has the type " << type
                          << ", expected real numbers and ranked tensors of them";
          return WalkResult::interrupt();
        }
      if (auto loop = dyn_cast<scf::WhileOp>(op);
          loop && isDecidedByFloats(loop.getConditionOp().getCondition())) {
        loops.push_back(loop);
        tellUndecided(op, "RoundsBounded", "a loop that floats end", keptWithinBounds);
      }
      if (auto assertion = dyn_cast<cf::AssertOp>(op);
          assertion && isDecidedByFloats(assertion.getArg())) {
        dropped.push_back(assertion);
        std::string what = "an assertion about floats ('" + assertion.getMsg().str() + "')";
        tellUndecided(op, "AssertionDropped", what, "is not asked");
      }
      if (llvm::any_of(indicesOf(op), isNumberOfFloat))
        tellUndecided(op, "IndexClamped", "an index that was a float", keptWithinBounds);
      makesIndices |= isa<arith::FPToSIOp, arith::FPToUIOp, arith::BitcastOp>(op);
      FloatOperation read{op, floats(op->getOperandTypes()), floats(op->getResultTypes())};
      if ((read.operands.any() || read.results.any()) && !movesElements(op))
        reading.push_back(std::move(read));
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  static constexpr StringLiteral keptWithinBounds = "is kept within bounds";

  /// Reports a decision by floats that both programs take alike: a number of rounds or an index
  /// kept within bounds, or an assertion that is dropped.
  void tellUndecided(Operation *op, StringRef name, const std::string &what, StringRef how) {
    remark::passed(op->getLoc(), remark::RemarkOpts::name(name).category("ds-to-field"))
        << (what + " " + how.str());
    if (!facts)
      return;
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << what;
    if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
      stream << " at " << place.getFilename().getValue() << ":" << place.getLine() << ":"
             << place.getColumn();
    stream << " " << how << ", so what it does ";
    stream << (how == keptWithinBounds ? "beyond them" : "where it fails") << " is not compared";
    facts->undecided.push_back(std::move(text));
  }

  /// Parameters become states, which may hold integers; roles that only floats may have are
  /// removed.
  static void changeRoles(func::FuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      Attribute name = function.removeArgAttr(i, role::param);
      if (!name)
        continue;
      function.setArgAttr(i, role::state, name);
      for (StringRef other : {role::fusion, role::init})
        function.removeArgAttr(i, other);
    }
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      function.removeArgAttr(i, role::weight);
  }

  void changeTypes(ModuleOp module) {
    module.walk([](Operation *op) {
      for (Value value : op->getResults())
        value.setType(overField(value.getType()));
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Value value : block.getArguments())
            value.setType(overField(value.getType()));
      if (auto function = dyn_cast<func::FuncOp>(op)) {
        SmallVector<Type> inputs, results;
        for (Type type : function.getArgumentTypes())
          inputs.push_back(overField(type));
        for (Type type : function.getResultTypes())
          results.push_back(overField(type));
        function.setType(FunctionType::get(op->getContext(), inputs, results));
        changeRoles(function);
      }
    });
  }

  LogicalResult write(FieldBuilder &b, const PrimeField &field, FloatOperation &read) {
    Operation *op = read.op;
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return writeConstant(field, constant);
    if (isa<GradientOp, ShardingConstraintOp, CombineOp>(op)) {
      op->replaceAllUsesWith(op->getOperands()); // identities on one device
      op->erase();
      return success();
    }
    if (isa<WaitOp>(op))
      return success(); // rewritten with its start
    if (isCollective(op))
      return readCollective(b, field, op);
    b.at(op);
    std::optional<SmallVector<Value>> results = readOperation(b, read);
    if (!results)
      return op->emitError("has no reading over a field");
    if (read.isOpaque && named.insert(op->getName().getStringRef().str()).second)
      remark::passed(op->getLoc(), remark::RemarkOpts::name("ReadAsOpaque").category("ds-to-field"))
          << "an arbitrary function of its operands"
          << remark::metric("operation", op->getName().getStringRef());
    op->replaceAllUsesWith(*results);
    op->erase();
    return success();
  }

  LogicalResult writeConstant(const PrimeField &field, arith::ConstantOp constant) {
    Type type = constant.getType(); // already that of elements
    OpBuilder b(constant);
    TypedAttr value;
    if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
      value = b.getI64IntegerAttr(field.read(number.getValue(), ranks));
    else if (auto numbers = readNumbers(field, cast<ElementsAttr>(constant.getValue()), ranks))
      value = DenseElementsAttr::get(cast<ShapedType>(type), ArrayRef<int64_t>(*numbers));
    else
      return constant.emitError("a constant without its numbers has no reading over a field");
    constant.setValueAttr(value);
    return success();
  }

  SmallVector<FloatOperation> reading;
  SmallVector<scf::WhileOp> loops;
  SmallVector<cf::AssertOp> dropped; // decided by floats
  std::set<std::string> named;       // opaque operations
  bool makesIndices = false;
  FieldFacts *facts = nullptr;
};

} // namespace

std::unique_ptr<Pass> createToFieldPass(const ToFieldPassOptions &options, FieldFacts &facts) {
  return std::make_unique<ToField>(options, facts);
}

} // namespace ds
