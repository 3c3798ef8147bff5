//===- CallLibrary.cpp - Contractions become library calls ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each loop d the stride of an operand is the sum over its dimensions of
// coefficient(expression, d) times the stride of that dimension. Sizes and strides describe the
// contraction completely; the engine chooses gemm or convolution from them. This also covers
// windows (oh * s + kh), which are no projected permutations.
//
//===----------------------------------------------------------------------===//
#include "BufferSource.h"
#include "ConvolutionForm.h"
#include "ProductEpilogue.h"
#include "Utils/Buffers.h"
#include "WidenContraction.h"
#include "ds/Conversion/Passes.h"
#include "ds/Conversion/Utils/Contraction.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace ds {
#define GEN_PASS_DEF_CALLLIBRARYPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

/// Adds the linear expression `expr`, times `scale`, to the strides per loop and to the offset.
bool addLinear(AffineExpr expr, int64_t scale, MutableArrayRef<int64_t> strides, int64_t &offset) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    offset += constant.getValue() * scale;
    return true;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    strides[dim.getPosition()] += scale;
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addLinear(binary.getLHS(), scale, strides, offset) &&
           addLinear(binary.getRHS(), scale, strides, offset);
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return binary.getKind() == AffineExprKind::Mul && factor &&
         addLinear(binary.getLHS(), scale * factor.getValue(), strides, offset);
}

struct Access {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
};

/// Returns how the operand is accessed if it is read from `source`.
std::optional<Access> accessOf(linalg::GenericOp op, OpOperand *operand,
                               const ds::BufferSource &source) {
  if (!source.base)
    return std::nullopt;
  Access access;
  access.offset = source.offset;
  access.strides.assign(op.getNumLoops(), 0);
  for (auto [expr, dimension] :
       llvm::zip_equal(op.getMatchingIndexingMap(operand).getResults(), source.dimensions))
    if (!addLinear(expr, dimension.stride, access.strides, access.offset))
      return std::nullopt;
  return access;
}

/// A product by strides: the buffers that it reads and writes, and their access.
struct Product {
  SmallVector<int64_t> sizes;
  SmallVector<Value> buffers;
  SmallVector<Access> accesses;
};

/// The iterations of a loop that read data, not zeros: low + step * i.
struct Rounds {
  int64_t size = 0, low = 0, step = 1;
  bool operator==(const Rounds &o) const {
    return size == o.size && low == o.low && step == o.step;
  }
};

/// Reads operands that were padded or dilated by zeros from their sources: reductions run only over
/// the iterations that read data.
class ZeroSkipper {
public:
  explicit ZeroSkipper(linalg::GenericOp op) : op(op) {}

  /// Reads the operand from its source if no other operand needs other iterations of the same loop.
  void visit(OpOperand *operand) {
    ds::BufferSource source = ds::findSource(operand->get(), op);
    if (!source.base || source.base == operand->get())
      return;
    AffineMap map = op.getMatchingIndexingMap(operand);
    llvm::SmallDenseMap<unsigned, Rounds> mine;
    for (auto [d, expr] : llvm::enumerate(map.getResults())) {
      const ds::BufferSource::Dimension &dimension = source.dimensions[d];
      if (dimension.isWhole(cast<MemRefType>(operand->get().getType()).getDimSize(d)))
        continue;
      Rounds wanted = {dimension.size, dimension.low, dimension.step};
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim || wanted.step < 1)
        return;
      unsigned loop = dim.getPosition();
      auto usesLoop = [&](AffineExpr each) { return each.isFunctionOfDim(loop); };
      auto known = rounds.find(loop);
      if (op.getIteratorTypesArray()[loop] != utils::IteratorType::reduction ||
          llvm::count_if(map.getResults(), usesLoop) > 1 ||
          (known != rounds.end() && !(known->second == wanted)))
        return;
      mine[loop] = wanted;
    }
    for (auto [loop, wanted] : mine)
      rounds[loop] = wanted;
    sources[operand] = {std::move(source), std::move(mine)};
  }

  /// Returns the access of the operand and the buffer that it is read from now.
  std::optional<Access> read(OpOperand *operand, Value &buffer) const {
    auto taken = sources.find(operand);
    ds::BufferSource source =
        taken == sources.end() ? ds::describeBuffer(operand->get()) : taken->second.source;
    buffer = source.base;
    std::optional<Access> access = accessOf(op, operand, source);
    if (!access)
      return std::nullopt;
    for (auto [loop, kept] : rounds) {
      if (taken != sources.end() && taken->second.rounds.contains(loop))
        continue; // its elements are those iterations
      access->offset += kept.low * access->strides[loop];
      access->strides[loop] *= kept.step;
    }
    return access;
  }

  int64_t sizeOf(unsigned loop, int64_t whole) const {
    auto it = rounds.find(loop);
    return it == rounds.end() ? whole : it->second.size;
  }

private:
  struct Source {
    ds::BufferSource source;
    llvm::SmallDenseMap<unsigned, Rounds> rounds;
  };
  linalg::GenericOp op;
  llvm::SmallDenseMap<unsigned, Rounds> rounds;
  llvm::SmallDenseMap<OpOperand *, Source> sources;
};

/// True if the library multiplies factors of these types: f32, or one type of 16 bits.
bool hasKnownFactors(linalg::GenericOp op, bool takesNarrow) {
  Type lhs = cast<MemRefType>(op.getInputs()[0].getType()).getElementType(),
       rhs = cast<MemRefType>(op.getInputs()[1].getType()).getElementType();
  return lhs == rhs && (lhs.isF32() || (takesNarrow && (lhs.isBF16() || lhs.isF16())));
}

std::optional<Product> describeProduct(linalg::GenericOp op, bool takesNarrow) {
  if (!hasKnownFactors(op, takesNarrow) ||
      !cast<MemRefType>(op.getDpsInits()[0].getType()).getElementType().isF32())
    return std::nullopt;
  ZeroSkipper zeros(op);
  for (OpOperand *operand : op.getDpsInputOperands())
    zeros.visit(operand);
  Product product;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges()))
    product.sizes.push_back(zeros.sizeOf(loop, size));
  for (OpOperand &operand : op->getOpOperands()) {
    Value buffer;
    std::optional<Access> access = zeros.read(&operand, buffer);
    if (!access)
      return std::nullopt;
    product.accesses.push_back(*access);
    product.buffers.push_back(buffer);
  }
  return product;
}

/// Returns the zero fill of exactly this buffer if no operation in between accesses its memory.
Operation *findZeroFill(linalg::GenericOp op) {
  Value out = op.getDpsInits()[0];
  Value root = ds::rootOf(out);
  auto type = cast<MemRefType>(out.getType());
  for (Operation *prior = op->getPrevNode(); prior; prior = prior->getPrevNode()) {
    if (auto fill = dyn_cast<linalg::LinalgOp>(prior); fill && ds::isZeroFill(fill)) {
      Value filled = fill.getDpsInits()[0];
      auto filledType = cast<MemRefType>(filled.getType());
      if (filled == out ||
          (ds::rootOf(filled) == root && filledType.getLayout().isIdentity() &&
           type.getLayout().isIdentity() && filledType.getNumElements() == type.getNumElements()))
        return fill;
    }
    if (isa<memref::AllocOp>(prior) || ds::isView(prior))
      continue;
    if (prior->getNumRegions() != 0 && !isa<linalg::LinalgOp>(prior))
      return nullptr;
    bool touches =
        llvm::any_of(prior->getOperands(), [&](Value v) { return ds::rootOf(v) == root; });
    if (isa<linalg::GenericOp>(prior))
      prior->getRegion(0).walk([&](Operation *inner) {
        for (Value v : inner->getOperands())
          touches |= ds::rootOf(v) == root;
      });
    if (touches)
      return nullptr;
  }
  return nullptr;
}

struct CallLibrary final : ds::impl::CallLibraryPassBase<CallLibrary> {
  using CallLibraryPassBase::CallLibraryPassBase;
  void runOnOperation() override {
    declared.clear(); // a pass may run on one module after another
    func::FuncOp driver = ds::findDriver(getOperation());
    if (!driver)
      return signalPassFailure();
    unsigned index = ds::findMarkedArgument(driver, ds::kContextArgument) ? 1 : 0;
    Value library = ds::getOrAddMarkedArgument(driver, ds::kLibraryArgument, index,
                                               LLVM::LLVMPointerType::get(&getContext()));
    widenOthers(driver);
    // All forms are recognised first: a call hides which buffers it reads and writes.
    struct Found {
      linalg::GenericOp op;
      ds::ConvolutionForm convolution;
      std::optional<Product> product;
    };
    std::vector<Found> found;
    driver.walk([&](linalg::GenericOp op) {
      if (ds::isContraction(op))
        found.push_back({op, ds::recognizeConvolution(op, /*unitWindows=*/epilogues),
                         ds::isMatrixProduct(op) ? describeProduct(op, epilogues) : std::nullopt});
    });
    for (Found &contraction : found) {
      if (contraction.convolution.plan &&
          callConvolution(contraction.op, contraction.convolution, library))
        continue;
      if (contraction.product) // otherwise it stays a kernel
        callProduct(contraction.op, *contraction.product, library);
    }
    ds::eraseUnreadBuffers(driver);
  }

  /// Widens the contractions in 16 bits that are no convolutions of the library.
  void widenOthers(func::FuncOp driver) {
    SmallVector<std::pair<linalg::GenericOp, Operation *>> others;
    driver.walk([&](linalg::GenericOp op) {
      Operation *fill = ds::isNarrowContraction(op) ? findZeroFill(op) : nullptr;
      if (ds::isNarrowContraction(op) && !(fill && ds::recognizeConvolution(op).plan))
        others.push_back({op, fill});
    });
    for (auto [op, fill] : others)
      ds::widenContraction(op, fill);
  }

  /// Replaces a convolution by a call; false if it accumulates into its output, which the library
  /// cannot do.
  bool callConvolution(linalg::GenericOp op, const ds::ConvolutionForm &form, Value library) {
    Operation *fill = findZeroFill(op);
    if (!fill)
      return false;
    replaceByCall(op, fill, ds::kConvolutionFunction, form.plan,
                  {library, form.lhs, form.rhs, form.out});
    return true;
  }

  void callProduct(linalg::GenericOp op, Product &product, Value library) {
    Builder builder(&getContext());
    SmallVector<NamedAttribute> plan;
    Operation *fill = findZeroFill(op);
    if (epilogues && !fill)
      fill = takeRow(op, product);
    ds::LastStep last;
    if (epilogues && fill)
      last = ds::findLastStep(op);
    const bool hasBias = product.buffers.size() > 3;
    Type factors = cast<MemRefType>(product.buffers[0].getType()).getElementType();
    // The library rounds the result once, and only to the type of the factors.
    if (last.kernel && !last.isMaximum && (hasBias || last.type != factors))
      last = {};
    if (last.kernel) {
      ds::makeAvailable(last, op);
      product.buffers[2] = last.kernel.getDpsInits()[0];
      if (last.isMaximum)
        plan.push_back(builder.getNamedAttr("relu", builder.getUnitAttr()));
      last.kernel.erase();
    }
    auto typeOf = [](Value buffer) {
      return TypeAttr::get(cast<MemRefType>(buffer.getType()).getElementType());
    };
    if (!factors.isF32()) {
      plan.push_back(builder.getNamedAttr("factors", typeOf(product.buffers[0])));
      plan.push_back(builder.getNamedAttr("result", typeOf(product.buffers[2])));
    }
    SmallVector<int64_t> offsets;
    const StringRef names[] = {"lhs", "rhs", "out", "bias"};
    for (auto [name, access] : llvm::zip(names, product.accesses)) {
      plan.push_back(builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(access.strides)));
      offsets.push_back(access.offset);
    }
    plan.push_back(builder.getNamedAttr("accumulate", builder.getBoolAttr(!fill)));
    plan.push_back(builder.getNamedAttr("offsets", builder.getDenseI64ArrayAttr(offsets)));
    plan.push_back(builder.getNamedAttr("sizes", builder.getDenseI64ArrayAttr(product.sizes)));
    SmallVector<Value> operands = {library};
    llvm::append_range(operands, product.buffers);
    if (hasBias)
      std::swap(operands[3], operands[4]); // the output comes last
    replaceByCall(op, fill, ds::kContractionFunction, builder.getDictionaryAttr(plan), operands);
  }

  /// Passes the row that fills the result to the library as a bias. Returns the fill.
  Operation *takeRow(linalg::GenericOp op, Product &product) {
    ds::RowFill row = ds::findRowFill(op);
    if (!row.fill)
      return nullptr;
    if (!isOneFactors(product, row.strides))
      return nullptr;
    product.buffers.push_back(row.row);
    product.accesses.push_back({row.strides, 0});
    return row.fill;
  }

  /// True if the library can add the row as a bias: it has the strides of the result along all
  /// loops of one factor, and is constant along those of the other one, of which there is at least
  /// one.
  static bool isOneFactors(const Product &product, ArrayRef<int64_t> row) {
    bool isSound = true, hasOthers = false;
    std::optional<bool> isOfLhs;
    auto strideOf = [&](unsigned operand, size_t loop) {
      return product.sizes[loop] == 1 ? 0 : product.accesses[operand].strides[loop];
    };
    for (size_t loop = 0; loop < row.size(); ++loop)
      if (product.sizes[loop] > 1 && row[loop] != 0) {
        const bool left = strideOf(0, loop) != 0, right = strideOf(1, loop) != 0;
        isSound &=
            row[loop] == strideOf(2, loop) && left != right && isOfLhs.value_or(left) == left;
        isOfLhs = left;
      }
    for (size_t loop = 0; loop < row.size() && isOfLhs; ++loop)
      if (strideOf(2, loop) != 0 && row[loop] == 0) {
        const bool left = strideOf(0, loop) != 0, right = strideOf(1, loop) != 0;
        isSound &= left == right || left != *isOfLhs;
        hasOthers |= left != right;
      }
    return isSound && isOfLhs && hasOthers;
  }

  void replaceByCall(linalg::GenericOp op, Operation *fill, StringRef kind, DictionaryAttr plan,
                     ArrayRef<Value> operands) {
    OpBuilder builder(op);
    func::FuncOp callee = declare(kind, plan, ValueRange(operands).getTypes());
    func::CallOp::create(builder, op.getLoc(), callee, operands);
    op.erase();
    if (fill)
      fill->erase();
  }

  func::FuncOp declare(StringRef kind, DictionaryAttr plan, TypeRange types) {
    auto type = FunctionType::get(&getContext(), types, {});
    func::FuncOp &callee = declared[{plan, type}];
    if (callee)
      return callee;
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    std::string name =
        (kind.drop_front(3) + "_" + Twine(declared.size() - 1)).str(); // without "ds."
    callee = func::FuncOp::create(builder, getOperation().getLoc(), name, type);
    callee.setPrivate();
    callee->setAttr(kind, plan);
    return callee;
  }

  DenseMap<std::pair<Attribute, Type>, func::FuncOp> declared;
};

} // namespace
