//===- Symbols.cpp - Functions that generated code may call -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A list instead of the symbols that the process happens to hold: code that links on one machine
// links on all. Where a CPU has no instruction for an operation, LLVM calls a function of the
// compiler's library; the ones that steps can reach are here, and any other is an error that names
// the operation.
//
//===----------------------------------------------------------------------===//
#include "Symbols.h"

#include "dsrt/dsrt.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ObjectFile.h"

using namespace llvm;
using namespace ds;

// Integers of 128 bits come from products of 64-bit ones.
__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

/// Computes a power by squaring, as LLVM's own expansion for constant exponents does.
template <typename T> static T powerOf(T base, int exponent) {
  T result = 1;
  for (unsigned left = exponent < 0 ? -unsigned(exponent) : exponent; left; left >>= 1) {
    if (left & 1)
      result *= base;
    base *= base;
  }
  return exponent < 0 ? 1 / result : result;
}

static Wide divideSigned(Wide a, Wide b) { return a / b; }
static Wide remainderSigned(Wide a, Wide b) { return a % b; }
static UnsignedWide divideUnsigned(UnsignedWide a, UnsignedWide b) { return a / b; }
static UnsignedWide remainderUnsigned(UnsignedWide a, UnsignedWide b) { return a % b; }

template <typename F> static NamedFunction named(const char *name, F *function) {
  return {name, reinterpret_cast<void *>(function)};
}

std::vector<NamedFunction> ds::runtimeFunctions() {
  return {named("dsrt_all_reduce", dsrt_all_reduce),
          named("dsrt_all_reduce_start", dsrt_all_reduce_start),
          named("dsrt_reduce_scatter", dsrt_reduce_scatter),
          named("dsrt_reduce_scatter_start", dsrt_reduce_scatter_start),
          named("dsrt_all_gather", dsrt_all_gather),
          named("dsrt_all_gather_start", dsrt_all_gather_start),
          named("dsrt_all_to_all", dsrt_all_to_all),
          named("dsrt_collective_permute", dsrt_collective_permute),
          named("dsrt_broadcast", dsrt_broadcast),
          named("dsrt_barrier", dsrt_barrier),
          named("dsrt_wait", dsrt_wait),
          named("dsrt_progress", dsrt_progress),
          named("dsrt_group_create", dsrt_group_create),
          named("dsrt_rank", dsrt_rank),
          named("dsrt_num_ranks", dsrt_num_ranks),
          named("dsrt_failed", dsrt_failed),
          named("__powisf2", powerOf<float>),
          named("__powidf2", powerOf<double>),
          named("__divti3", divideSigned),
          named("__modti3", remainderSigned),
          named("__udivti3", divideUnsigned),
          named("__umodti3", remainderUnsigned)};
}

bool ds::isSystemFunction(StringRef name) {
  static const StringSet<> memory = {"memcpy", "memmove", "memset", "memcmp", "bcmp",
                                     "malloc", "free",    "abort",  "puts"};
  // Each also with the `f` of its f32 version.
  static const StringSet<> math = {
      "acos",   "acosh",  "asin",      "asinh", "atan",      "atan2", "atanh",    "cbrt",
      "ceil",   "cos",    "cosh",      "erf",   "erfc",      "exp",   "exp10",    "exp2",
      "expm1",  "fabs",   "floor",     "fma",   "fmax",      "fmin",  "fmod",     "frexp",
      "ldexp",  "llrint", "llround",   "log",   "log10",     "log1p", "log2",     "lrint",
      "lround", "modf",   "nearbyint", "pow",   "remainder", "rint",  "round",    "roundeven",
      "sin",    "sincos", "sinh",      "sqrt",  "tan",       "tanh",  "copysign", "trunc"};
  return memory.contains(name) || math.contains(name) ||
         (name.ends_with("f") && math.contains(name.drop_back()));
}

/// Returns the operation that a function of the compiler's library does, as `__divti3` divides
/// i128.
static std::string operationOf(StringRef symbol) {
  static constexpr std::pair<StringLiteral, StringLiteral> types[] = {
      {"hf", "f16"},  {"bf", "bf16"}, {"sf", "f32"}, {"df", "f64"}, {"xf", "f80"},
      {"tf", "f128"}, {"si", "i32"},  {"di", "i64"}, {"ti", "i128"}};
  StringRef rest = symbol;
  if (!rest.consume_front("__"))
    return "";
  rest = rest.rtrim("0123456789");
  SmallVector<StringRef> found;
  for (bool again = true; again;) {
    again = false;
    for (auto [letters, type] : types)
      if (rest.size() > 2 && rest.consume_back(letters)) {
        found.insert(found.begin(), type);
        again = true;
        break;
      }
  }
  if (found.empty())
    return "";
  return (" (" + rest + " of " + join(found, " to ") + ")").str();
}

Error ds::checkSymbols(ArrayRef<MemoryBufferRef> objects, ArrayRef<NamedFunction> given) {
  StringSet<> defined;
  for (const NamedFunction &function : given)
    defined.insert(function.first);
  SmallVector<StringRef> needed;
  SmallVector<std::unique_ptr<object::ObjectFile>> files;
  for (MemoryBufferRef buffer : objects) {
    auto file = object::ObjectFile::createObjectFile(buffer);
    if (!file)
      return file.takeError();
    files.push_back(std::move(*file));
    for (const object::SymbolRef &symbol : files.back()->symbols()) {
      Expected<StringRef> name = symbol.getName();
      Expected<uint32_t> flags = symbol.getFlags();
      if (!name || !flags)
        return joinErrors(name.takeError(), flags.takeError());
      if (!(*flags & object::SymbolRef::SF_Undefined))
        defined.insert(*name);
      else if (!name->empty())
        needed.push_back(*name);
    }
  }
  for (StringRef name : needed)
    if (!defined.contains(name) && !isSystemFunction(name) && name != "_GLOBAL_OFFSET_TABLE_")
      return createStringError(inconvertibleErrorCode(),
                               "the step needs the function '" + name + "'" + operationOf(name) +
                                   ", which neither ds nor the system's math library holds");
  return Error::success();
}
