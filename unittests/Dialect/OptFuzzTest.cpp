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

#include "../../fuzz/mutations/UpstreamDefects.h"
#include "ds/Compiler/Pipelines.h"
#include "ds/Compiler/Registration.h"
#include "ds/Conversion/Passes.h"

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

struct Word {
  size_t begin, length;
};

/// Words of a text, those with a sigil (%value, #map, @name) including it.
std::vector<Word> wordsOf(StringRef text) {
  std::vector<Word> words;
  for (size_t i = 0; i < text.size();) {
    size_t begin = i;
    if (StringRef("%#@").contains(text[i]))
      ++i;
    while (i < text.size() && (llvm::isAlnum(text[i]) || text[i] == '_' || text[i] == '.'))
      ++i;
    if (i > begin)
      words.push_back({begin, i - begin});
    else
      ++i;
  }
  return words;
}

/// A word that can stand where the other does: values for values, numbers for numbers, names of the
/// dialect for such names.
char classOf(StringRef word) {
  if (StringRef("%#@").contains(word[0]))
    return word[0];
  if (llvm::isDigit(word[0]))
    return '0';
  return word.starts_with("ds.") ? 'd' : 'w';
}

class Mutator {
public:
  Mutator(std::string text, uint64_t seed) : text(std::move(text)), random(seed) {}

  std::string run() {
    for (size_t edits = below(3) ? 1 : 3; edits > 0; --edits)
      edit();
    return std::move(text);
  }

private:
  size_t below(size_t n) { return n ? random() % n : 0; }

  void edit() {
    std::vector<Word> words = wordsOf(text);
    if (words.empty())
      return;
    Word word = words[below(words.size())];
    switch (below(10)) {
    case 0:
      text[below(text.size())] = static_cast<char>(below(256));
      return;
    case 1:
      text.erase(word.begin, 1 + below(40));
      return;
    case 2:
      text.insert(word.begin, text.substr(words[below(words.size())].begin, 1 + below(60)));
      return;
    case 3:
      text.resize(word.begin);
      return;
    case 4:
      return eraseLine(word.begin);
    case 5: {
      static const char *extremes[] = {"0", "-1", "4097", "9223372036854775807",
                                       "18446744073709551616"};
      return replaceLike('0', words, extremes[below(std::size(extremes))]);
    }
    default:
      return replaceLike(classOf(StringRef(text).substr(word.begin, word.length)), words, "");
    }
  }

  void eraseLine(size_t at) {
    size_t begin = text.rfind('\n', at), end = text.find('\n', at);
    begin = begin == std::string::npos ? 0 : begin;
    text.erase(begin, end == std::string::npos ? end : end - begin);
  }

  /// Replaces a word of a class by 'by', or by another word of its class.
  void replaceLike(char wanted, const std::vector<Word> &words, std::string by) {
    std::vector<Word> alike;
    for (Word word : words)
      if (classOf(StringRef(text).substr(word.begin, word.length)) == wanted)
        alike.push_back(word);
    if (alike.empty())
      return;
    Word place = alike[below(alike.size())], other = alike[below(alike.size())];
    text.replace(place.begin, place.length,
                 by.empty() ? text.substr(other.begin, other.length) : by);
  }

  std::string text;
  std::mt19937_64 random;
};

std::string mutate(const std::string &text, uint64_t seed) { return Mutator(text, seed).run(); }

/// Parses, verifies, distributes and lowers; errors are expected and dropped. Says whether the text
/// got past the parser.
bool process(MLIRContext &context, StringRef text, uint64_t seed) {
  if (ds::hitsUpstreamDefect(text))
    return false;
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  if (!module)
    return false;
  PassManager manager(&context);
  ds::DataParallelOptions options;
  options.config = seed % 2 ? "device_num=2,batch=global" : "";
  ds::buildDataParallelPipeline(manager, options);
  OwningOpRef<ModuleOp> undistributed = module->clone();
  // Lowering also sees what distribution refuses, which is most of what is mutated.
  PassManager lowering(&context);
  ds::buildLowerToDriverPipeline(lowering);
  if (succeeded(manager.run(*module)))
    (void)lowering.run(*module);
  (void)lowering.run(*undistributed);
  return true;
}

/// What a child says before and after each mutation.
struct Progress {
  uint64_t seed;
  bool parsed;
};

void runChild(int channel, const Case &input, uint64_t firstSeed, unsigned mutations) {
  alarm(120); // a mutation that never ends dies like one that crashes
  DialectRegistry registry;
  ds::registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.getDiagEngine().registerHandler([](Diagnostic &) {});
  auto say = [&](Progress progress) {
    if (write(channel, &progress, sizeof(progress)) != sizeof(progress))
      _exit(2);
  };
  for (uint64_t seed = firstSeed; seed < firstSeed + mutations; ++seed) {
    say({seed, false});
    if (process(context, mutate(input.text, seed), seed))
      say({seed, true});
  }
  _exit(0);
}

struct Outcome {
  std::optional<uint64_t> crash; // the seed a child died of
  unsigned parsed = 0;           // mutations that got past the parser
};

/// Runs the mutations of one case in a child.
Outcome runCase(const Case &input, uint64_t firstSeed, unsigned mutations) {
  int channel[2];
  if (pipe(channel) != 0)
    ADD_FAILURE() << "no pipe";
  pid_t child = fork();
  if (child == 0) {
    close(channel[0]);
    runChild(channel[1], input, firstSeed, mutations);
  }
  close(channel[1]);
  Outcome outcome;
  Progress last{firstSeed, false};
  for (Progress next; read(channel[0], &next, sizeof(next)) == sizeof(next); last = next)
    outcome.parsed += next.parsed;
  close(channel[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    outcome.crash = last.seed;
  return outcome;
}

class OptFuzz : public testing::TestWithParam<const char *> {};

TEST_P(OptFuzz, NeverCrashes) {
  std::vector<Case> cases = collectCases(GetParam());
  ASSERT_FALSE(cases.empty());
  unsigned mutations = cases.size() < 10 ? 100 : 20;
  unsigned parsed = 0;
  for (auto [i, input] : llvm::enumerate(cases)) {
    Outcome outcome = runCase(input, i * 1000, mutations);
    parsed += outcome.parsed;
    if (outcome.crash)
      ADD_FAILURE() << input.name << " crashes with seed " << *outcome.crash << ":\n"
                    << mutate(input.text, *outcome.crash);
  }
  // Texts that all fail in the parser would test nothing else.
  EXPECT_GT(parsed, 0u);
  std::printf("%zu cases, %u mutations reached the pipeline\n", cases.size(), parsed);
}

INSTANTIATE_TEST_SUITE_P(Folders, OptFuzz,
                         testing::Values("Dialect", "Transforms", "Pipelines", "Transforms/Inputs",
                                         "Pipelines/Inputs", "Conversion"),
                         [](const auto &folder) {
                           std::string name = folder.param;
                           llvm::erase(name, '/');
                           return name;
                         });

} // namespace
