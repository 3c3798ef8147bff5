//===- GemmPlan.cpp - Contractions as matrix products by strides -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops are classed by the operands that they move: batch (all), M (lhs and out), N (rhs and out),
// K (lhs and rhs). Neighbours of a class merge where the outer stride is the inner size times the
// inner stride in every operand. One loop of M, N and K each becomes the product, by the choice
// that costs least; the others run around it, and leftover K loops accumulate. An operand without a
// unit stride is packed. All addresses are computed here, once.
//
//===----------------------------------------------------------------------===//
#include "ContractionLoops.h"
#include "LibraryPlan.h"

#include <algorithm>
#include <array>
#include <dnnl.h>

using namespace ds;

namespace {

/// A matrix operand: element (i, j) lies at i * row + j * column.
struct Matrix {
  int64_t rows, columns, row, column;
  /// True if BLAS takes it: one unit stride, and the other at least as long as a line.
  bool isDense() const {
    return (column == 1 || columns == 1)
               ? (rows == 1 || row >= columns)
               : (row == 1 || rows == 1) && (columns == 1 || column >= rows);
  }
  bool isTransposed() const {
    return !((column == 1 || columns == 1) && (rows == 1 || row >= columns));
  }
  int64_t leading() const {
    int64_t line = isTransposed() ? rows : columns;
    return std::max(isTransposed() ? column : row, std::max<int64_t>(line, 1));
  }
  int64_t elements() const { return rows * columns; }
};

struct Step {
  int64_t lhs, rhs, out;
  bool accumulate;
};

struct Choice {
  Loop m, n, k;
  Matrix lhs, rhs, out;
  double cost = 0;
};

/// Returns nanoseconds of one core, roughly: only the order of choices matters.
double costOf(const Choice &choice, int64_t calls) {
  double m = choice.m.size, n = choice.n.size, k = choice.k.size;
  // Edges of the register tile are wasted.
  double flops = 2 * std::max(m, 4.0) * std::max(n, 16.0) * std::max(k, 8.0);
  double cost = 150 + flops / 100;
  // Every call reads its operands and writes its result: with a short depth that is most of the
  // cost.
  cost += 0.1 * (choice.lhs.elements() + choice.rhs.elements()) + 0.25 * choice.out.elements();
  for (const Matrix *matrix : {&choice.lhs, &choice.rhs})
    if (!matrix->isDense())
      cost += 1.0 * matrix->elements();
  if (!choice.out.isDense())
    cost += 2.0 * choice.out.elements();
  return cost * calls;
}

class GemmPlan final : public LibraryPlan {
public:
  explicit GemmPlan(const StridedContraction &contraction);
  size_t scratchBytes() const override {
    size_t elements = 0;
    for (const Matrix *matrix : {&choice.lhs, &choice.rhs, &choice.out})
      if (!matrix->isDense())
        elements += (matrix->elements() + 15) / 16 * 16;
    return elements * sizeof(float);
  }
  std::string implementation() const override { return "sgemm x " + std::to_string(steps.size()); }
  std::unique_ptr<LibraryCall> instantiate() const override;
  void run(const float *lhs, const float *rhs, float *out, float *scratch) const;
  double cost() const { return choice.cost; }

private:
  void choose(const ClassedLoops &loops);

  Choice choice;
  std::vector<Step> steps;
};

struct GemmCall final : LibraryCall {
  explicit GemmCall(const GemmPlan &plan) : plan(plan) {}
  void run(const float *lhs, const float *rhs, float *out, char *scratch) override {
    plan.run(lhs, rhs, out, reinterpret_cast<float *>(scratch));
  }
  const GemmPlan &plan;
};

/// Copies `matrix` to dense rows.
void pack(const Matrix &matrix, const float *from, float *to) {
  // Walk the operand along its smaller stride.
  if (matrix.column <= matrix.row || matrix.rows == 1) {
    for (int64_t i = 0; i < matrix.rows; ++i)
      for (int64_t j = 0; j < matrix.columns; ++j)
        to[i * matrix.columns + j] = from[i * matrix.row + j * matrix.column];
    return;
  }
  for (int64_t j = 0; j < matrix.columns; ++j)
    for (int64_t i = 0; i < matrix.rows; ++i)
      to[i * matrix.columns + j] = from[i * matrix.row + j * matrix.column];
}

void unpack(const Matrix &matrix, const float *from, float *to, bool accumulate) {
  for (int64_t i = 0; i < matrix.rows; ++i)
    for (int64_t j = 0; j < matrix.columns; ++j) {
      float &element = to[i * matrix.row + j * matrix.column];
      element = (accumulate ? element : 0.0f) + from[i * matrix.columns + j];
    }
}

GemmPlan::GemmPlan(const StridedContraction &contraction) {
  ClassedLoops loops = classify(contraction);
  choose(loops);
  // The loops that are left run around the product; depth innermost, so that its first step decides
  // about accumulation.
  steps.push_back({contraction.lhsOffset, contraction.rhsOffset, contraction.outOffset,
                   contraction.accumulate});
  for (const Loop *chosen : {&choice.m, &choice.n, &choice.k}) {
    auto same = [&](const Loop &loop) {
      return loop.size == chosen->size && loop.lhs == chosen->lhs && loop.rhs == chosen->rhs &&
             loop.out == chosen->out;
    };
    for (int c : {rows, columns, depth}) {
      auto found = std::find_if(loops[c].begin(), loops[c].end(), same);
      if (found != loops[c].end()) {
        loops[c].erase(found);
        break;
      }
    }
  }
  for (int c : {batch, rows, columns, depth})
    for (const Loop &loop : loops[c]) {
      std::vector<Step> expanded;
      for (const Step &step : steps)
        for (int64_t i = 0; i < loop.size; ++i)
          expanded.push_back({step.lhs + i * loop.lhs, step.rhs + i * loop.rhs,
                              step.out + i * loop.out, step.accumulate || (c == depth && i > 0)});
      steps = std::move(expanded);
    }
}

void GemmPlan::choose(const ClassedLoops &loops) {
  auto candidates = [&](LoopClass c) {
    return loops[c].empty() ? std::vector<Loop>{Loop()} : loops[c];
  };
  int64_t iterations = 1;
  for (const std::vector<Loop> &members : loops)
    for (const Loop &loop : members)
      iterations *= loop.size;
  bool first = true;
  for (const Loop &m : candidates(rows))
    for (const Loop &n : candidates(columns))
      for (const Loop &k : candidates(depth)) {
        Choice next{m,
                    n,
                    k,
                    {m.size, k.size, m.lhs, k.lhs},
                    {k.size, n.size, k.rhs, n.rhs},
                    {m.size, n.size, m.out, n.out}};
        next.cost = costOf(next, iterations / std::max<int64_t>(m.size * n.size * k.size, 1));
        if (first || next.cost < choice.cost)
          choice = next;
        first = false;
      }
}

std::unique_ptr<LibraryCall> GemmPlan::instantiate() const {
  return std::make_unique<GemmCall>(*this);
}

void GemmPlan::run(const float *lhs, const float *rhs, float *out, float *scratch) const {
  auto reserve = [&](const Matrix &matrix) {
    float *space = scratch;
    scratch += (matrix.elements() + 15) / 16 * 16;
    return space;
  };
  float *packedLhs = choice.lhs.isDense() ? nullptr : reserve(choice.lhs);
  float *packedRhs = choice.rhs.isDense() ? nullptr : reserve(choice.rhs);
  float *packedOut = choice.out.isDense() ? nullptr : reserve(choice.out);
  int64_t lastLhs = -1, lastRhs = -1;
  for (const Step &step : steps) {
    Matrix a = choice.lhs, b = choice.rhs, c = choice.out;
    const float *aData = lhs + step.lhs, *bData = rhs + step.rhs;
    float *cData = out + step.out;
    if (packedLhs) {
      if (lastLhs != step.lhs)
        pack(a, aData, packedLhs);
      a = {a.rows, a.columns, a.columns, 1};
      aData = packedLhs;
      lastLhs = step.lhs;
    }
    if (packedRhs) {
      if (lastRhs != step.rhs)
        pack(b, bData, packedRhs);
      b = {b.rows, b.columns, b.columns, 1};
      bData = packedRhs;
      lastRhs = step.rhs;
    }
    if (packedOut) {
      c = {c.rows, c.columns, c.columns, 1};
      cData = packedOut;
    }
    float beta = step.accumulate && !packedOut ? 1.0f : 0.0f;
    if (!c.isTransposed())
      dnnl_sgemm(a.isTransposed() ? 'T' : 'N', b.isTransposed() ? 'T' : 'N', c.rows, c.columns,
                 a.columns, 1.0f, aData, a.leading(), bData, b.leading(), beta, cData, c.leading());
    else // out is stored by columns: its transpose is rhs^T * lhs^T.
      dnnl_sgemm(b.isTransposed() ? 'N' : 'T', a.isTransposed() ? 'N' : 'T', c.columns, c.rows,
                 a.columns, 1.0f, bData, b.leading(), aData, a.leading(), beta, cData, c.leading());
    if (packedOut)
      unpack(choice.out, packedOut, out + step.out, step.accumulate);
  }
}

} // namespace

std::unique_ptr<LibraryPlan> ds::planGemm(const StridedContraction &contraction, double &cost) {
  auto plan = std::make_unique<GemmPlan>(contraction);
  cost = plan->cost();
  return plan;
}
