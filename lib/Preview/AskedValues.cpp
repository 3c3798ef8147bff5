//===- AskedValues.cpp - Values that a user names -------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of values exist in the text alone, so it is parsed once more with a parser that keeps them;
// equal texts give equal modules, in which an operation is found by its number.
//
//===----------------------------------------------------------------------===//
#include "AskedValues.h"

#include "ds/Analysis/StepRoles.h"
#include "ds/Dialect/IR/Roles.h"
#include "ds/Support/File.h"
#include "ds/Support/Suggestion.h"
#include "ds/Support/UserError.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

namespace ds {
namespace {

/// The definition of a value: an operation, or the block of arguments of one.
struct Definition {
  unsigned operation;
  std::optional<unsigned> argument;
};

using Names = std::multimap<std::string, Definition>;

Expected<Names> readNames(StringRef path, MLIRContext *ctx) {
  auto text = openText(path);
  if (!text)
    return text.takeError();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*text), llvm::SMLoc());
  Block block;
  AsmParserState state;
  if (failed(parseAsmSourceFile(sources, &block, ParserConfig(ctx, /*verifyAfterParse=*/false),
                                &state)))
    return userError(""); // the parser has reported why
  // A file without a module operation gets one around it.
  unsigned next = llvm::hasSingleElement(block) && isa<ModuleOp>(block.front()) ? 0 : 1;
  llvm::DenseMap<Operation *, unsigned> numbers;
  for (Operation &top : block)
    top.walk<WalkOrder::PreOrder>([&](Operation *op) { numbers.try_emplace(op, next++); });
  auto nameOf = [](llvm::SMRange range) {
    return std::string(range.Start.getPointer(), range.End.getPointer());
  };
  Names names;
  for (const AsmParserState::OperationDefinition &op : state.getOpDefs())
    for (const auto &group : op.resultGroups)
      if (auto number = numbers.find(op.op); number != numbers.end())
        names.insert({nameOf(group.definition.loc), {number->second, std::nullopt}});
  for (const AsmParserState::BlockDefinition &of : state.getBlockDefs())
    for (auto [argument, definition] : llvm::enumerate(of.arguments))
      if (auto number = numbers.find(of.block->getParentOp()); number != numbers.end())
        names.insert({nameOf(definition.loc), {number->second, unsigned(argument)}});
  return names;
}

class Finder {
public:
  Finder(ModuleOp module, func::FuncOp step, StringRef path)
      : step(step), path(path), context(module.getContext()) {
    module.walk<WalkOrder::PreOrder>([&](Operation *op) { operations.push_back(op); });
  }

  Expected<ExplainedValue> find(StringRef asked) {
    auto [file, line] = asked.rsplit(':');
    unsigned number;
    if (asked.starts_with("%"))
      return byName(asked);
    return !line.getAsInteger(10, number) ? byPlace(asked, file, number) : byArgument(asked);
  }

private:
  Expected<ExplainedValue> byName(StringRef asked) {
    if (!known) {
      if (Error error = readNames(path, context).moveInto(known))
        return error;
    }
    auto [begin, end] = known->equal_range(asked.str());
    ExplainedValue value{std::nullopt, nameFor(asked)};
    bool isMarked = false;
    for (auto it = begin; it != end; ++it) {
      Operation *op = operations[it->second.operation];
      if (op == step && it->second.argument)
        return ExplainedValue{it->second.argument, {}};
      if (it->second.argument || !step->isAncestor(op))
        continue;
      isMarked = true;
      mark(op, value.name);
    }
    if (isMarked)
      return value;
    if (begin != end)
      return userError("--explain " + asked + ": no operation of '" + step.getName() +
                       "' makes this value, ask for an argument or the result of one");
    std::vector<std::string> names;
    for (auto &[name, definition] : *known)
      names.push_back(name);
    return userError("--explain " + asked + ": '" + path + "' has no such value" +
                     suggestion(asked, names));
  }

  Expected<ExplainedValue> byPlace(StringRef asked, StringRef file, unsigned line) {
    ExplainedValue value{std::nullopt, nameFor(asked)};
    bool isMarked = false;
    std::vector<std::string> files;
    std::optional<unsigned> nearest; // line of the same file
    auto distance = [&](unsigned other) { return std::max(line, other) - std::min(line, other); };
    step.walk([&](Operation *op) {
      bool isThere = false;
      op->getLoc()->walk([&](Location location) {
        if (auto place = dyn_cast<FileLineColLoc>(location)) {
          bool isFile = names(file, place.getFilename());
          if (!isFile)
            files.push_back(llvm::sys::path::filename(place.getFilename()).str());
          else if (!nearest || distance(place.getLine()) < distance(*nearest))
            nearest = place.getLine();
          isThere |= place.getLine() == line && isFile;
        }
        return WalkResult::advance();
      });
      if (isThere && op != step && op->getNumResults() > 0) {
        isMarked = true;
        mark(op, value.name);
      }
    });
    if (isMarked)
      return value;
    if (nearest)
      return userError("--explain " + asked + ": no operation of the step is there, the nearest " +
                       "line that has one is " + Twine(*nearest));
    return userError("--explain " + asked + ": the step has no operation from '" + file + "'" +
                     suggestion(llvm::sys::path::filename(file), files));
  }

  /// True if the user gave the whole path, or its end.
  static bool names(StringRef asked, StringRef file) {
    return file == asked || file.ends_with(("/" + asked).str());
  }

  Expected<ExplainedValue> byArgument(StringRef asked) {
    std::vector<std::string> names;
    for (unsigned i = 0; i < step.getNumArguments(); ++i) {
      std::string name = argumentName(step, i).str();
      if (name == asked)
        return ExplainedValue{i, {}};
      if (!name.empty())
        names.push_back(std::move(name));
    }
    return userError("--explain " + asked + ": the step has no such argument" +
                     (suggestion(asked, names).empty() ? "; %name is a value, and FILE:LINE a place"
                                                       : suggestion(asked, names)));
  }

  static std::string nameFor(StringRef asked) { return ("ds-plan --explain " + asked).str(); }

  static void mark(Operation *op, StringRef name) {
    op->setLoc(NameLoc::get(StringAttr::get(op->getContext(), name), op->getLoc()));
  }

  func::FuncOp step;
  StringRef path;
  MLIRContext *context;
  std::vector<Operation *> operations; // in textual order
  std::optional<Names> known;
};

} // namespace

Expected<std::vector<ExplainedValue>> findAsked(ModuleOp module, StringRef entry, StringRef path,
                                                const std::vector<std::string> &asked) {
  std::vector<ExplainedValue> found;
  if (asked.empty())
    return found;
  func::FuncOp step = getStep(module, entry);
  if (!step)
    return userError("");
  Finder finder(module, step, path);
  for (const std::string &text : asked) {
    auto value = finder.find(text);
    if (!value)
      return value.takeError();
    found.push_back(std::move(*value));
  }
  return found;
}

} // namespace ds
