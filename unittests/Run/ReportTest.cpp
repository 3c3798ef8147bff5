//===- ReportTest.cpp - Progress for people and programs --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same facts as text and as JSON lines; nothing at all where rank 0 is elsewhere.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Report/Report.h"

#include "TestSupport.h"

#include <chrono>
#include <cmath>
#include <thread>

namespace ds {
namespace {

/// Somebody who reads, or not.
struct Reader final : Sink {
  bool write(std::string line, Need need) override {
    if (!reads && need == Need::ifRead)
      return false;
    text += line;
    return true;
  }
  bool isBehind() const override { return !reads; }
  std::string text;
  bool reads = true;
};

std::string epochAs(ReportStyle style, std::vector<double> losses) {
  Reader reader;
  Report report(reader, style);
  report.fact("start", "local: 2 ranks", llvm::json::Object{{"ranks", 2}});
  report.beginTraining({"loss"});
  Progress progress;
  progress.epochs = 3;
  progress.steps = losses.size();
  progress.samples = 8;
  for (double loss : losses) {
    ++progress.step;
    ++progress.globalStep;
    report.step(progress, {loss});
  }
  report.endEpoch(progress);
  return reader.text;
}

TEST(Report, AnEpochEndsWithTheMeanOfItsMetrics) {
  std::string text = epochAs(ReportStyle::lines, {1, 2});
  EXPECT_NE(text.find("local: 2 ranks\n"), std::string::npos) << text;
  EXPECT_NE(text.find("epoch 1/3 step 2/2  loss 1.5000"), std::string::npos) << text;
}

TEST(Report, JsonLinesParse) {
  std::string text = epochAs(ReportStyle::json, {1, 2});
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).trim().split(lines, '\n');
  ASSERT_EQ(lines.size(), 2u);
  llvm::json::Value start = cantFail(llvm::json::parse(lines[0]));
  EXPECT_EQ(start.getAsObject()->getString("event"), "start");
  llvm::json::Value progress = cantFail(llvm::json::parse(lines[1]));
  EXPECT_EQ(progress.getAsObject()->getObject("metrics")->getNumber("loss"), 1.5);
  EXPECT_EQ(progress.getAsObject()->getInteger("step"), 2);
}

TEST(Report, TheEndOfAnEpochIsToldOnce) {
  Reader reader;
  Report report(reader, ReportStyle::json);
  report.beginTraining({"loss"});
  std::this_thread::sleep_for(std::chrono::milliseconds(1050)); // a line is due
  Progress last{0, 1, 2, 2, 2, 8};
  report.step(last, {1.0});
  report.endEpoch(last);
  EXPECT_EQ(llvm::StringRef(reader.text).count("progress"), 1u) << reader.text;
  // A training that stops within an epoch.
  std::this_thread::sleep_for(std::chrono::milliseconds(1050));
  Progress middle{1, 2, 1, 2, 3, 8};
  report.step(middle, {3.0});
  report.endEpoch(middle);
  EXPECT_EQ(llvm::StringRef(reader.text).count("progress"), 2u) << reader.text;
}

TEST(Report, AnEpochGoesOnWithTheSumsOfItsBeginning) {
  MetricSums begun;
  begun.add({0.1});
  begun.add({0.7});
  Reader reader;
  Report report(reader, ReportStyle::json);
  report.beginTraining({"loss"}, MetricSums::fromText(begun.toText(), 1));
  Progress last{0, 1, 3, 3, 3, 8};
  report.step(last, {0.3});
  EXPECT_EQ(report.endEpoch(last), std::vector<double>{(0.1 + 0.7 + 0.3) / 3});
  EXPECT_EQ(report.endEpoch(last), std::vector<double>{0.0});
}

TEST(MetricSums, TextIsReadToTheLastBit) {
  MetricSums sums;
  sums.add({0.1, -1e300});
  sums.add({1 / 3.0, 7});
  MetricSums read = MetricSums::fromText(sums.toText(), 2);
  EXPECT_EQ(read.steps, 2);
  EXPECT_EQ(read.sums, sums.sums);
  for (const char *text : {"", "2", "2 0x1p+0", "0 0x1p+0 0x1p+0", "x 0x1p+0 0x1p+0", "2 0x1p+0 y",
                           "2 0x1p+0 0x1p+0 0x1p+0"})
    EXPECT_EQ(MetricSums::fromText(text, 2).steps, 0) << text;
}

TEST(Report, JsonHasNoNan) {
  std::string text = epochAs(ReportStyle::json, {NAN});
  llvm::json::Value progress =
      cantFail(llvm::json::parse(llvm::StringRef(text).trim().rsplit('\n').second));
  EXPECT_EQ(*progress.getAsObject()->getObject("metrics")->get("loss"), nullptr);
}

TEST(Report, ProgressThatNobodyReadsIsCounted) {
  for (ReportStyle style : {ReportStyle::lines, ReportStyle::json}) {
    Reader reader;
    reader.reads = false;
    Report report(reader, style);
    report.fact("start", "local: 2 ranks");
    report.beginTraining({"loss"});
    for (int epoch = 0; epoch < 7; ++epoch)
      report.endEpoch({epoch, 7, 1, 1, epoch + 1, 8});
    reader.reads = true;
    report.fact("saved", "saved 'w'");
    report.fact("end", "done");
    EXPECT_EQ(llvm::StringRef(reader.text).count("start") +
                  llvm::StringRef(reader.text).count("2 ranks"),
              1u);
    EXPECT_EQ(llvm::StringRef(reader.text).count("epoch"), 0u) << reader.text;
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(reader.text).trim().split(lines, '\n');
    ASSERT_EQ(lines.size(), 4u) << reader.text;
    EXPECT_EQ(lines[1], style == ReportStyle::json
                            ? R"({"event":"left_out","lines":7})"
                            : "7 lines of progress are left out: they were not read");
    EXPECT_TRUE(lines[2].contains("saved")) << reader.text;
  }
}

TEST(Report, SilenceIsSilent) { EXPECT_EQ(epochAs(ReportStyle::silent, {1, 2}), ""); }

TEST(Report, BarsAndDurations) {
  EXPECT_EQ(bar(0, 10, 4), "[....]");
  EXPECT_EQ(bar(5, 10, 4), "[##..]");
  EXPECT_EQ(bar(10, 10, 4), "[####]");
  EXPECT_EQ(bar(0, 0, 4), "[....]");
  EXPECT_EQ(duration(7), "0:07");
  EXPECT_EQ(duration(125), "2:05");
  EXPECT_EQ(duration(7384), "2:03:04");
  EXPECT_EQ(duration(INFINITY), "0:00");
}

} // namespace
TEST(LateRank, IsTheOneThatWaitsLeastWhenOthersWaitLong) {
  LateRank late;
  EXPECT_EQ(late.describe(), "");
  late.add({1.0, {0.30, 0.31, 0.32, 0.18}});
  EXPECT_EQ(late.describe(), "waiting for rank 3 (14 %)");
  // What all of them spend is the exchange itself.
  LateRank alike;
  alike.add({1.0, {0.80, 0.82, 0.79}});
  EXPECT_EQ(alike.describe(), "");
  // One odd step among many is not told of.
  for (int i = 0; i < 50; ++i)
    alike.add({1.0, {0.80, 0.82, 0.79}});
  alike.add({1.0, {0.80, 0.0, 0.79}});
  EXPECT_EQ(alike.describe(), "");
}

TEST(LateRank, HasNobodyToWaitForAlone) {
  LateRank late;
  late.add({1.0, {}});
  EXPECT_EQ(late.describe(), "");
}

} // namespace ds
