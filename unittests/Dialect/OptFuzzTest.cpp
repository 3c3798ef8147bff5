//===- OptFuzzTest.cpp - ds-opt never crashes -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every test file of the dialect, the passes and the pipelines is cut into its cases, and each case
// mutated: bytes flipped, stretches deleted, doubled or moved, numbers replaced by extreme ones,
// words by words of other places. Parser, verifiers and the whole pipeline then run in a child
// process per case. A child may report errors; it may not die. Seeds are fixed, so a failure names
// the case and the seed that repeat it.
//
//===----------------------------------------------------------------------===//

#include "ds/Pipelines/Pipelines.h"
#include "ds/Pipelines/Registration.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <gtest/gtest.h>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;

namespace {

struct Case {
  std::string name, text;
};

std::vector<Case> collectCases(StringRef folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(Twine(DS_TEST_SOURCES "/") + folder, error), end;
       it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".mlir"))
      paths.push_back(it->path());
  llvm::sort(paths);
  std::vector<Case> cases;
  for (const std::string &path : paths) {
    std::string text = (*llvm::MemoryBuffer::getFile(path))->getBuffer().str();
    SmallVector<StringRef> parts;
    StringRef(text).split(parts, "// -----");
    for (auto [i, part] : llvm::enumerate(parts))
      cases.push_back({(llvm::sys::path::filename(path) + " case " + Twine(i)).str(), part.str()});
  }
  return cases;
}

/// Start and length of the words of a text.
std::vector<std::pair<size_t, size_t>> wordsOf(StringRef text) {
  std::vector<std::pair<size_t, size_t>> words;
  for (size_t i = 0; i < text.size();) {
    size_t begin = i;
    while (i < text.size() && (llvm::isAlnum(text[i]) || text[i] == '_' || text[i] == '.'))
      ++i;
    if (i > begin)
      words.push_back({begin, i - begin});
    else
      ++i;
  }
  return words;
}

std::string mutate(std::string text, uint64_t seed) {
  std::mt19937_64 random(seed);
  auto below = [&](size_t n) { return n ? random() % n : 0; };
  static const char *extremes[] = {
      "0", "-1", "4097", "9223372036854775807", "18446744073709551616", "?", "true", "\"\""};
  for (size_t edits = 1 + below(3); edits > 0 && !text.empty(); --edits) {
    auto words = wordsOf(text);
    if (words.empty())
      break;
    auto [begin, length] = words[below(words.size())];
    auto [otherBegin, otherLength] = words[below(words.size())];
    switch (below(6)) {
    case 0:
      text[below(text.size())] = static_cast<char>(below(256));
      break;
    case 1:
      text.erase(begin, 1 + below(40));
      break;
    case 2:
      text.insert(begin, text.substr(otherBegin, 1 + below(60)));
      break;
    case 3:
      text.replace(begin, length, extremes[below(std::size(extremes))]);
      break;
    case 4:
      text.replace(begin, length, text.substr(otherBegin, otherLength));
      break;
    case 5:
      text.resize(begin);
      break;
    }
  }
  return text;
}

/// Parses, verifies and distributes; errors are expected and dropped.
void process(MLIRContext &context, StringRef text, uint64_t seed) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  if (!module)
    return;
  PassManager manager(&context);
  ds::DataParallelOptions options;
  options.config = seed % 2 ? "device_num=2,batch=global" : "";
  ds::buildDataParallelPipeline(manager, options);
  (void)manager.run(*module);
}

/// Runs the mutations of one case in a child; returns the seed it died of.
std::optional<uint64_t> findCrash(const Case &input, uint64_t firstSeed, unsigned mutations) {
  int channel[2];
  if (pipe(channel) != 0)
    ADD_FAILURE() << "no pipe";
  pid_t child = fork();
  if (child == 0) {
    close(channel[0]);
    alarm(120); // a mutation that never ends dies like one that crashes
    DialectRegistry registry;
    ds::registerDialects(registry);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.getDiagEngine().registerHandler([](Diagnostic &) {});
    for (uint64_t seed = firstSeed; seed < firstSeed + mutations; ++seed) {
      if (write(channel[1], &seed, sizeof(seed)) != sizeof(seed))
        _exit(2);
      process(context, mutate(input.text, seed), seed);
    }
    _exit(0);
  }
  close(channel[1]);
  uint64_t last = firstSeed;
  for (uint64_t seed; read(channel[0], &seed, sizeof(seed)) == sizeof(seed);)
    last = seed;
  close(channel[0]);
  int status = 0;
  waitpid(child, &status, 0);
  bool ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return ended ? std::nullopt : std::optional<uint64_t>(last);
}

class OptFuzz : public testing::TestWithParam<const char *> {};

TEST_P(OptFuzz, NeverCrashes) {
  std::vector<Case> cases = collectCases(GetParam());
  ASSERT_FALSE(cases.empty());
  for (auto [i, input] : llvm::enumerate(cases))
    if (std::optional<uint64_t> seed = findCrash(input, i * 1000, /*mutations=*/12))
      ADD_FAILURE() << input.name << " crashes with seed " << *seed << ":\n"
                    << mutate(input.text, *seed);
}

INSTANTIATE_TEST_SUITE_P(Folders, OptFuzz, testing::Values("Dialect", "Transforms", "Pipelines"),
                         [](const auto &folder) { return std::string(folder.param); });

} // namespace
