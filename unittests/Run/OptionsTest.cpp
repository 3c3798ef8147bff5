//===- OptionsTest.cpp - The command line of ds-run -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What options mean, and one sentence for each way to get them wrong.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Options/Options.h"

#include "TestSupport.h"

namespace ds {
namespace {

std::string mistake(const std::vector<std::string> &arguments) {
  std::string message = errorOf(parseRunOptions(arguments));
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  return message;
}

TEST(Options, DefaultsAndValues) {
  auto options = parseRunOptions({"s.mlir", "--data", "x=f"});
  ASSERT_TRUE(bool(options)) << errorOf(std::move(options));
  EXPECT_EQ(options->step, "s.mlir");
  EXPECT_FALSE(options->ranks || options->epochs || options->steps || options->checkSteps);
  EXPECT_EQ(options->tolerance.rtol, 2e-4);
  EXPECT_EQ(options->tolerance.atol, 2e-5);

  options = parseRunOptions({"--ranks=4",
                             "s.mlir",
                             "--data",
                             "x=f",
                             "--config",
                             "batch=global,all_reduce_fusion_config=[20,35]",
                             "--config",
                             "timeout=5s",
                             "--steps",
                             "7",
                             "--check=50",
                             "--arg",
                             "lr=1e-2",
                             "--arg=wd=0",
                             "--last-batch=wrap",
                             "--seed",
                             "9",
                             "--rtol",
                             "1e-3",
                             "--json",
                             "--save",
                             "w.safetensors",
                             "--backend=mpi"});
  ASSERT_TRUE(bool(options)) << errorOf(std::move(options));
  EXPECT_EQ(options->ranks, 4);
  EXPECT_EQ(options->config, (std::vector<std::string>{
                                 "batch=global,all_reduce_fusion_config=[20,35]", "timeout=5s"}));
  EXPECT_EQ(options->steps, 7);
  EXPECT_EQ(options->checkSteps, 50);
  EXPECT_EQ(options->arguments, (std::map<std::string, double>{{"lr", 0.01}, {"wd", 0}}));
  EXPECT_EQ(options->lastBatch, LastBatch::wrap);
  EXPECT_EQ(options->seed, 9u);
  EXPECT_EQ(options->tolerance.rtol, 1e-3);
  EXPECT_TRUE(options->json);
  EXPECT_EQ(options->backend, "mpi");
}

TEST(Options, CheckWithoutANumberIsTenSteps) {
  EXPECT_EQ(cantFail(parseRunOptions({"s.mlir", "--data", "x=f", "--check"})).checkSteps, 10);
}

TEST(Options, EvaluationNeedsNoTrainingData) {
  EXPECT_EQ(
      errorOf(parseRunOptions({"s.mlir", "--init", "w", "--eval", "f.mlir", "--eval-data", "x=f"})),
      "(no error)");
}

TEST(Options, AnUnknownOptionNamesTheNearest) {
  expectSentence(mistake({"s.mlir", "--epoch", "3"}),
                 {"unknown option '--epoch', did you mean '--epochs'?"});
  expectSentence(mistake({"s.mlir", "--rnaks=3"}),
                 {"unknown option '--rnaks', did you mean '--ranks'?"});
  expectSentence(mistake({"s.mlir", "--zzzzzz"}),
                 {"unknown option '--zzzzzz'; 'ds-run --help' lists them"});
  // Those of the LLVM libraries are not ours.
  expectSentence(mistake({"s.mlir", "--print-after-all"}), {"unknown option '--print-after-all'"});
}

TEST(Options, ATypoOfEachOptionNamesIt) {
  for (std::string name : {"arg",          "atol",           "backend",     "certificate",
                           "check",        "check-replicas", "config",      "data",
                           "device",       "dump-results",   "entry",       "epochs",
                           "eval",         "eval-data",      "help",        "help-config",
                           "init",         "init-missing",   "json",        "keep",
                           "keep-best",    "last-batch",     "launch",      "link",
                           "max-restarts", "no-graph",       "on-index",    "on-nan",
                           "print-config", "probe-link",     "profile",     "progress",
                           "ranks",        "replay",         "resume",      "rtol",
                           "save",         "save-every",     "save-within", "seed",
                           "steps",        "target-cpu",     "verify",      "version"})
    for (const std::string &typo : {name + name.back(), name.substr(0, 1) + name})
      EXPECT_EQ(mistake({"s.mlir", "--" + typo + "=3"}),
                "unknown option '--" + typo + "', did you mean '--" + name + "'?");
}

TEST(Options, TheLastTypoOfALineChangesNothingBefore) {
  // The parser is left as it was: the same line is right behind a wrong one.
  std::vector<std::string> line = {"s.mlir", "--data", "x=f", "--json"};
  for (int i = 0; i < 3; ++i) {
    mistake({"s.mlir", "--jsn"});
    EXPECT_TRUE(cantFail(parseRunOptions(line)).json);
  }
}

TEST(Options, RangesAreNamed) {
  auto with = [](const std::string &option) {
    return mistake({"s.mlir", "--data", "x=f", option});
  };
  expectSentence(with("--ranks=0"), {"--ranks is '0', expected an integer from 1 to 4096"});
  expectSentence(with("--ranks=4097"), {"--ranks is '4097'"});
  expectSentence(with("--ranks=four"), {"--ranks is 'four'"});
  expectSentence(with("--epochs=0"), {"--epochs is '0'"});
  expectSentence(with("--steps=-1"), {"--steps is '-1'"});
  expectSentence(with("--check=0"), {"--check is '0'"});
  expectSentence(with("--seed=4294967296"), {"--seed is '4294967296'", "to 4294967295"});
  expectSentence(with("--rtol=-1"), {"--rtol is '-1', expected a number not below 0"});
  expectSentence(with("--atol=nan"), {"--atol is 'nan'"});
  expectSentence(with("--last-batch=keep"), {"--last-batch is 'keep', expected drop, wrap or pad"});
  expectSentence(with("--backend=gloo"),
                 {"--backend is 'gloo', expected auto, local, mpi, tcp, nccl or hccl"});
  expectSentence(with("--json=maybe"), {"--json is a flag and takes no value, got 'maybe'"});
  expectSentence(with("--check-replicas=0"), {"--check-replicas is '0'"});
  expectSentence(with("--on-nan=ignore"), {"--on-nan is 'ignore', expected stop or warn"});
  for (const char *text : {"--save-every=often", "--save-every=0", "--save-every=-1steps",
                           "--save-every=3 weeks", "--save-every=", "--save-every=9999999999999"})
    expectSentence(with(text),
                   {"expected a number of steps or epochs, such as 500steps or 1epochs"});
  expectSentence(with("--arg=lr"), {"--arg is 'lr', expected NAME=NUMBER"});
  expectSentence(with("--arg=lr=fast"), {"--arg is 'lr=fast'"});
  expectSentence(mistake({"s.mlir", "--data", "x=f", "--arg=lr=1", "--arg=lr=2"}),
                 {"--arg gives 'lr' twice"});
}

TEST(Options, CheckpointsAreCountedInStepsOrEpochs) {
  for (auto [text, count, epochs] : {std::tuple("500", 500, false),
                                     {"500steps", 500, false},
                                     {"1 step", 1, false},
                                     {"2epochs", 2, true},
                                     {"1 epoch", 1, true}}) {
    RunOptions options = llvm::cantFail(parseRunOptions(
        {"s.mlir", "--data=x=f", "--save=w", "--keep=7", std::string("--save-every=") + text}));
    EXPECT_EQ(options.saveEvery, count) << text;
    EXPECT_EQ(options.saveEveryEpochs, epochs) << text;
    EXPECT_EQ(options.keep, 7);
  }
}

TEST(Options, ContradictionsAreNamed) {
  expectSentence(mistake({}), {"no step is given"});
  expectSentence(mistake({"a.mlir", "b.mlir", "--data", "x=f"}), {"expected one STEP.mlir"});
  expectSentence(mistake({"s.mlir"}), {"there is nothing to run"});
  expectSentence(mistake({"s.mlir", "--data", "x=f", "--epochs=1", "--steps=1"}),
                 {"--epochs and --steps are both given"});
  expectSentence(mistake({"s.mlir", "--data", "x=f", "--eval", "f.mlir"}),
                 {"--eval needs --eval-data"});
  expectSentence(mistake({"s.mlir", "--data", "x=f", "--eval-data", "x=f"}),
                 {"--eval-data needs --eval"});
  expectSentence(mistake({"s.mlir", "--data", "x=f", "--keep=2"}), {"--keep needs --save-every"});
  expectSentence(mistake({"s.mlir", "--data", "x=f", "--save-every=2"}),
                 {"--save-every needs --save FILE, which names the checkpoints"});
  expectSentence(mistake({"s.mlir", "--data", "x=f", "--resume"}),
                 {"--resume needs --save FILE, which names the checkpoints"});
  expectSentence(mistake({"s.mlir", "--replay", "r.npz", "--save", "w", "--resume"}),
                 {"--resume needs --data"});
  expectSentence(mistake({"s.mlir", "--data", "x=f", "--save", "w", "--resume", "--check"}),
                 {"--check compares from the first step of a training, so --resume cannot be given "
                  "with it"});
  for (const char *option : {"--data=x=f", "--init=w", "--check", "--check=exact",
                             "--check-replicas=2", "--epochs=1", "--steps=1"})
    expectSentence(mistake({"s.mlir", "--replay", "r.npz", option}),
                   {"--replay takes everything from its recording"});
  expectSentence(mistake({"s.mlir", "--data=x=f", "--backend=mpi", "--link=1ms:1MB"}),
                 {"so it cannot be given with --backend=mpi"});
  expectSentence(mistake({"s.mlir", "--data=x=f", "--launch=2", "--link=1ms:1MB"}),
                 {"so it cannot be given with --launch"});
  for (const char *backend : {"--backend=local", "--backend=auto"})
    EXPECT_EQ(mistake({"s.mlir", "--data=x=f", backend, "--link=1ms:1MB"}), "(no error)");
  // A value that is empty is none, and a value that a rule is not about breaks none.
  expectSentence(mistake({"s.mlir", "--data=", "--resume", "--save=w"}), {"--resume needs --data"});
  EXPECT_EQ(mistake({"s.mlir", "--data=x=f", "--json", "--progress=lines"}), "(no error)");
  EXPECT_EQ(mistake({"s.mlir", "--data=x=f", "--init-missing=error"}), "(no error)");
  expectSentence(mistake({"s.mlir", "--init", "w", "--eval", "f", "--eval-data", "x=f", "--check"}),
                 {"--check, --check-replicas, --epochs and --steps need --data"});
}

TEST(Options, MissingAndRepeatedValuesAreNamed) {
  expectSentence(mistake({"s.mlir", "--data"}), {"option '--data' needs a value"});
  expectSentence(mistake({"s.mlir", "--data", "x=f", "--ranks", "2", "--ranks=2"}),
                 {"option '--ranks' is given twice"});
}

} // namespace
} // namespace ds
