//===- UpdateMode.cpp - When ranks exchange parameters --------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A text is a list of items, each a word, `name=value` or `word(number, ..)`. The first one is the
// mode, the others are its options, each at most once.
//
//===----------------------------------------------------------------------===//
#include "ds/Dialect/IR/UpdateMode.h"

#include "ConfigKeys.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstdio>

using namespace llvm;
using namespace ds;

static constexpr int64_t mostSteps = 2147483647;
static constexpr int64_t mostDelay = 8;
static constexpr int64_t mostStaleness = 1024;
static constexpr int64_t mostRank = 16; // of matrices that power_sgd sends

/// Splits at commas outside parentheses.
static SmallVector<StringRef> splitItems(StringRef text) {
  SmallVector<StringRef> items;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(')
      ++depth;
    else if (i < text.size() && text[i] == ')')
      --depth;
    else if (i == text.size() || (text[i] == ',' && depth <= 0)) {
      items.push_back(text.slice(begin, i).trim());
      begin = i + 1;
    }
  }
  return items;
}

static Error mustBe(StringRef what, const Twine &expected, StringRef given) {
  return createStringError("'" + what + "' must be " + expected + ", got '" + given + "'");
}

static Expected<int64_t> parseCount(StringRef what, StringRef text, int64_t least, int64_t most) {
  int64_t count;
  if (text.trim().getAsInteger(10, count) || count < least || count > most)
    return mustBe(what, formatv("an integer in [{0}, {1}]", least, most).str(), text);
  return count;
}

/// Returns the numbers of `word(a, b)`; none if the text has another form.
static std::optional<SmallVector<StringRef>> argumentsOf(StringRef text, StringRef word) {
  if (!text.consume_front(word) || !text.consume_front("(") || !text.consume_back(")"))
    return std::nullopt;
  SmallVector<StringRef> arguments;
  text.split(arguments, ',');
  for (StringRef &argument : arguments)
    argument = argument.trim();
  return arguments;
}

//===----------------------------------------------------------------------===//
// update
//===----------------------------------------------------------------------===//

static Expected<UpdateMode::Outer> parseOuter(StringRef text) {
  UpdateMode::Outer outer;
  for (StringRef word : {"nesterov", "momentum"}) {
    std::optional<SmallVector<StringRef>> numbers = argumentsOf(text, word);
    if (!numbers || numbers->size() != 2 || (*numbers)[0].getAsDouble(outer.learningRate) ||
        (*numbers)[1].getAsDouble(outer.momentum))
      continue;
    outer.nesterov = word == "nesterov";
    if (outer.learningRate > 0 && outer.momentum >= 0 && outer.momentum < 1)
      return outer;
  }
  return mustBe("outer",
                "nesterov(LR, MOMENTUM) or momentum(LR, MOMENTUM) with LR above 0 and MOMENTUM in "
                "[0, 1)",
                text);
}

static Error parseDetail(StringRef name, StringRef value, UpdateMode &mode) {
  if (name == "outer") {
    Expected<UpdateMode::Outer> outer = parseOuter(value);
    if (!outer)
      return outer.takeError();
    mode.outer = *outer;
    return Error::success();
  }
  if (name == "elastic") {
    if (value.getAsDouble(mode.elastic) || !(mode.elastic > 0 && mode.elastic <= 1))
      return mustBe("elastic", "a number above 0 and at most 1", value);
    return Error::success();
  }
  if (name == "warmup") {
    Expected<int64_t> warmup = parseCount("warmup", value, 0, mostSteps);
    if (!warmup)
      return warmup.takeError();
    mode.warmup = *warmup;
    return Error::success();
  }
  if (name != "states")
    return createStringError("'update = average_parameters' holds '" + name +
                             "', expected 'elastic', 'outer', 'warmup' or 'states'");
  if (!is_contained({"keep", "mean", "reset"}, value))
    return mustBe("states", "keep, mean or reset", value);
  mode.states = value == "keep"   ? UpdateMode::States::Keep
                : value == "mean" ? UpdateMode::States::Mean
                                  : UpdateMode::States::Reset;
  return Error::success();
}

Expected<UpdateMode> ds::parseUpdateMode(StringRef text) {
  using Kind = UpdateMode::Kind;
  static constexpr StringLiteral expected =
      "gradient, accumulate=K, average_parameters=H, delayed=S or asynchronous=S";
  SmallVector<StringRef> items = splitItems(text);
  auto [word, count] = items[0].split('=');
  UpdateMode mode;
  int64_t least = 1, most = mostSteps;
  if (word == "gradient" && !items[0].contains('=')) {
    if (items.size() > 1)
      return mustBe("update", expected, text);
    return mode;
  }
  if (word == "accumulate")
    mode.kind = Kind::Accumulate;
  else if (word == "average_parameters")
    mode.kind = Kind::AverageParameters;
  else if (word == "delayed") {
    mode.kind = Kind::Delayed;
    most = mostDelay;
  } else if (word == "asynchronous") {
    mode.kind = Kind::Asynchronous;
    least = 0;
    most = mostStaleness;
  } else
    return mustBe("update", expected, text);
  Expected<int64_t> steps = parseCount(word, count, least, most);
  if (!steps)
    return steps.takeError();
  mode.steps = *steps;
  StringSet<> seen;
  for (StringRef item : ArrayRef(items).drop_front()) {
    auto [name, value] = item.split('=');
    if (mode.kind != Kind::AverageParameters)
      return createStringError("'update = " + word + "' takes a number alone, got '" + item +
                               "' after it");
    if (!seen.insert(name).second)
      return createStringError("'update' holds '" + name + "' twice");
    if (Error error = parseDetail(name, value, mode))
      return error;
  }
  for (StringRef other : {"outer", "warmup"})
    if (mode.elastic && seen.contains(other))
      return createStringError("'update' holds 'elastic' and '" + other +
                               "', but ranks that pull each other have no mean for it");
  return mode;
}

/// Writes the value with the fewest digits that are read as the same number.
static std::string shortest(double value) {
  std::string text;
  for (unsigned digits = 1; digits <= 17; ++digits) {
    char buffer[32];
    snprintf(buffer, sizeof buffer, "%.*g", static_cast<int>(digits), value);
    text = buffer;
    double again;
    if (!StringRef(text).getAsDouble(again) && again == value)
      break;
  }
  return text;
}

std::string ds::toText(const UpdateMode &mode) {
  using Kind = UpdateMode::Kind;
  switch (mode.kind) {
  case Kind::Gradient:
    return "gradient";
  case Kind::Accumulate:
    return formatv("accumulate={0}", mode.steps);
  case Kind::Delayed:
    return formatv("delayed={0}", mode.steps);
  case Kind::Asynchronous:
    return formatv("asynchronous={0}", mode.steps);
  case Kind::AverageParameters:
    break;
  }
  std::string text = formatv("average_parameters={0}", mode.steps);
  if (mode.outer)
    text += formatv(",outer={0}({1},{2})", mode.outer->nesterov ? "nesterov" : "momentum",
                    shortest(mode.outer->learningRate), shortest(mode.outer->momentum));
  if (mode.elastic)
    text += ",elastic=" + shortest(mode.elastic);
  if (mode.warmup != 0)
    text += formatv(",warmup={0}", mode.warmup);
  if (mode.states != UpdateMode::States::Keep)
    text += mode.states == UpdateMode::States::Mean ? ",states=mean" : ",states=reset";
  return text;
}

//===----------------------------------------------------------------------===//
// gradient_compression
//===----------------------------------------------------------------------===//

Expected<GradientCompression> ds::parseGradientCompression(StringRef text) {
  using Kind = GradientCompression::Kind;
  static constexpr StringLiteral expected =
      "none, f16, bf16, power_sgd(RANK) or top_k(COUNT or FRACTION), and error_feedback after one "
      "of these";
  SmallVector<StringRef> items = splitItems(text);
  GradientCompression compression;
  if (std::optional<SmallVector<StringRef>> much = argumentsOf(items[0], "top_k")) {
    compression.kind = Kind::TopK;
    std::string written = join(*much, ",");
    bool isCount = !StringRef(written).getAsInteger(10, compression.count);
    bool isFraction = !isCount && !StringRef(written).getAsDouble(compression.fraction);
    if (isCount ? compression.count < 1
                : !isFraction || compression.fraction <= 0 || compression.fraction >= 1)
      return mustBe("top_k", "a number of elements or a fraction in (0, 1)", written);
  } else if (std::optional<SmallVector<StringRef>> rank = argumentsOf(items[0], "power_sgd")) {
    Expected<int64_t> parsed = parseCount("power_sgd", join(*rank, ","), 1, mostRank);
    if (!parsed)
      return parsed.takeError();
    compression.kind = Kind::PowerSgd;
    compression.rank = *parsed;
  } else if (items[0] == "f16" || items[0] == "bf16")
    compression.kind = items[0] == "f16" ? Kind::F16 : Kind::BF16;
  else if (items[0] != "none")
    return mustBe("gradient_compression", expected, text);
  if (items.size() == 1)
    return compression;
  if (items.size() > 2 || items[1] != "error_feedback" || compression.kind == Kind::None)
    return mustBe("gradient_compression", expected, text);
  compression.errorFeedback = true;
  return compression;
}

std::string ds::toText(const GradientCompression &compression) {
  using Kind = GradientCompression::Kind;
  std::string text = compression.kind == Kind::F16    ? "f16"
                     : compression.kind == Kind::BF16 ? "bf16"
                     : compression.kind == Kind::None ? "none"
                     : compression.kind == Kind::PowerSgd
                         ? formatv("power_sgd({0})", compression.rank).str()
                     : compression.count > 0 ? formatv("top_k({0})", compression.count).str()
                                             : "top_k(" + shortest(compression.fraction) + ")";
  return text + (compression.errorFeedback ? ",error_feedback" : "");
}

//===----------------------------------------------------------------------===//
// Keys that exclude each other
//===----------------------------------------------------------------------===//

/// Checks the keys about the time at which ranks exchange parameters.
Error ds::detail::checkUpdate(const Config &config) {
  using Kind = UpdateMode::Kind;
  UpdateMode mode = config.updateMode();
  std::string written = "'update = " + toText(mode) + "'";
  if (int64_t microbatches = std::get<int64_t>(*cantFail(config.get("grad_accumulation_step")));
      mode.kind == Kind::Accumulate && config.isSet("grad_accumulation_step") &&
      microbatches != mode.steps)
    return createStringError(written + " and 'grad_accumulation_step' say the same, got " +
                             Twine(microbatches));
  bool isAverage = mode.kind == Kind::AverageParameters;
  bool isAsynchronous = mode.kind == Kind::Asynchronous;
  if (!isAverage && !isAsynchronous && mode.kind != Kind::Delayed)
    return Error::success();
  if (config.batch() == BatchSemantics::Global)
    return createStringError(written + " needs 'batch = local': " +
                             (isAverage        ? "between averages each rank trains with a loss"
                              : isAsynchronous ? "a rank updates by the gradients of a loss"
                                               : "a rank keeps gradients of a loss") +
                             " of its own samples");
  if (config.mesh().size() > 1)
    return createStringError(written + " needs ranks along one axis, got 'mesh = [" +
                             toText(config.mesh()) + "]'");
  if (config.enableParallelOptimizer())
    return createStringError(written + " and 'enable_parallel_optimizer = true' exclude one "
                                       "another");
  if (isAsynchronous) {
    if (std::get<int64_t>(*cantFail(config.get("grad_accumulation_step"))) > 1)
      return createStringError(written +
                               " and 'grad_accumulation_step' exclude one another: a rank "
                               "pushes the gradients of each step");
    if (config.overlaps())
      return createStringError(written + " and 'overlap = on' exclude one another: ranks exchange "
                                         "nothing that could hide behind work");
    return Error::success();
  }
  if (std::optional<int64_t> ranks = config.deviceNum(); ranks && mode.elastic * *ranks > 1)
    return createStringError(written + ": what " + Twine(*ranks) +
                             " ranks share would go beyond their mean; expected 'elastic' of at "
                             "most 1 / " +
                             Twine(*ranks));
  if (isAverage && config.localState() != LocalState::Mean)
    return createStringError(written +
                             " averages running statistics with the parameters, so it "
                             "cannot be given with 'local_state = " +
                             std::get<std::string>(*cantFail(config.get("local_state"))) + "'");
  return Error::success();
}

/// Returns a key, with its value, that needs a copy on each rank.
static std::string excludesSharing(const Config &config) {
  UpdateMode mode = config.updateMode();
  if (config.overlaps())
    return "overlap = on";
  if (mode.kind != UpdateMode::Kind::Gradient)
    return "update = " + toText(mode);
  if (config.mesh().size() > 1)
    return "mesh = [" + toText(config.mesh()) + "]";
  return "";
}

bool Config::mayShareReplicas() const {
  // A search without a mesh tries meshes of several axes, which need copies.
  const bool triesMeshes = parallelMode() == ParallelMode::AutoParallel && mesh().empty();
  return excludesSharing(*this).empty() && !triesMeshes;
}

Error ds::detail::checkSharing(const Config &config) {
  std::string other = excludesSharing(config);
  if (!config.sharesReplicas() || other.empty())
    return Error::success();
  return createStringError("'shared_replicas = on' and '" + other + "' exclude one another");
}

Error ds::detail::checkCompression(const Config &config) {
  GradientCompression compression = cantFail(parseGradientCompression(
      std::get<std::string>(*cantFail(config.get("gradient_compression")))));
  bool isPower = compression.kind == GradientCompression::Kind::PowerSgd;
  bool isTopK = compression.kind == GradientCompression::Kind::TopK;
  if (compression.kind == GradientCompression::Kind::None)
    return Error::success();
  std::string written = "'gradient_compression = " + toText(compression) + "'";
  UpdateMode mode = config.updateMode();
  if (mode.kind == UpdateMode::Kind::AverageParameters ||
      mode.kind == UpdateMode::Kind::Asynchronous)
    return createStringError(written + " and 'update = " + toText(mode) +
                             "', where ranks reduce no gradients, exclude one another");
  if (!isPower && !isTopK && !compression.errorFeedback)
    return Error::success();
  if (config.batch() == BatchSemantics::Global)
    return createStringError(written + " needs 'batch = local', where a rank has a gradient of its "
                                       "own to compress");
  if ((isPower || isTopK) && !config.gradientsMean())
    return createStringError(written +
                             " needs 'gradients_mean = true': the error of a rank is what "
                             "its gradient and the mean differ by");
  if (isPower && mode.kind == UpdateMode::Kind::Delayed)
    return createStringError(written +
                             " exchanges a gradient in two parts, of which one needs the "
                             "other, so 'update = " +
                             toText(mode) + "' cannot delay it");
  if (isTopK && mode.kind == UpdateMode::Kind::Delayed)
    return createStringError(written + " sends what is large in this step, so 'update = " +
                             toText(mode) + "' cannot delay it");
  if (config.mesh().size() > 1 || config.enableParallelOptimizer())
    return createStringError(written + " needs ranks along one axis and whole gradients, so it "
                                       "cannot be given with 'mesh' or "
                                       "'enable_parallel_optimizer'");
  return Error::success();
}
