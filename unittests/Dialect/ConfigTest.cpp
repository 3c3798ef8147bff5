//===- ConfigTest.cpp - set, get and reset of every key ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ds/Dialect/IR/Config.h"
#include "ds/Dialect/IR/Sizes.h"

#include <gtest/gtest.h>

using namespace ds;

namespace {

std::string message(llvm::Error error) { return llvm::toString(std::move(error)); }

ConfigValue inForce(const Config &config, llvm::StringRef key) {
  return llvm::cantFail(config.get(key)).value();
}

TEST(Config, DefaultsAreThoseOfTheField) {
  Config config;
  EXPECT_EQ(config.parallelMode(), ParallelMode::DataParallel);
  EXPECT_EQ(config.batch(), BatchSemantics::Local);
  EXPECT_EQ(config.localState(), LocalState::Mean);
  EXPECT_EQ(config.fusionOrder(), FusionOrder::Ready);
  EXPECT_FALSE(config.gradientsMean());
  EXPECT_TRUE(config.gradientFp32Sync());
  EXPECT_FALSE(config.mindsporeInclusive());
  EXPECT_FALSE(config.syncMetrics());
  EXPECT_TRUE(config.deterministic());
  EXPECT_FALSE(config.parameterBroadcast());
  EXPECT_EQ(config.timeoutMs(), 600 * 1000);
  EXPECT_FALSE(config.deviceNum());
  EXPECT_FALSE(config.globalRank());
  EXPECT_EQ(config.fusionPolicy().mode, FusionPolicy::Mode::All);
}

TEST(Config, DefaultsAreBuiltAndAccepted) {
  Config config;
  for (llvm::StringRef key : configKeys()) {
    std::optional<ConfigValue> value = llvm::cantFail(config.get(key));
    if (value && key != "auto_parallel_search_mode" && key != "search_mode") {
      EXPECT_EQ(message(config.set(key, *value)), "") << key.str();
    }
  }
  EXPECT_EQ(message(config.validate()), "");
  EXPECT_EQ(message(config.checkBuilt()), "");
}

TEST(Config, WhatIsSearchedIsOneFunction) {
  Config config;
  ASSERT_EQ(message(config.setFromText("parallel_mode", "auto_parallel")), "");
  EXPECT_EQ(config.batch(), BatchSemantics::Global);
  EXPECT_EQ(inForce(config, "batch"), ConfigValue(std::string("global")));
  ASSERT_EQ(message(config.setFromText("cross_batch", "true")), "");
  EXPECT_EQ(config.batch(), BatchSemantics::Local);
  EXPECT_EQ(message(config.validate()), "");
  ASSERT_EQ(message(config.setFromText("batch", "global")), "");
  EXPECT_NE(message(config.validate()), "");
}

TEST(Config, KeysAreSorted) {
  llvm::ArrayRef<llvm::StringRef> keys = configKeys();
  for (size_t i = 1; i < keys.size(); ++i)
    EXPECT_LT(keys[i - 1], keys[i]);
  EXPECT_EQ(keys.size(), 54u);
}

TEST(Config, SizesNameDimensions) {
  Config config;
  ASSERT_EQ(message(config.setFromText("sizes=[batch=8, x.1=2],batch=global")), "");
  std::vector<DimensionSize> sizes = sizesOf(config);
  ASSERT_EQ(sizes.size(), 2u);
  EXPECT_EQ(sizes[1].name, "x.1");
  EXPECT_EQ(sizes[1].size, 2);
  EXPECT_EQ(toText(sizes), "batch=8,x.1=2");
  EXPECT_TRUE(sizesOf(Config()).empty());
}

TEST(Config, GetReturnsWhatIsInForce) {
  Config config;
  EXPECT_EQ(inForce(config, "gradients_mean"), ConfigValue(false));
  EXPECT_EQ(message(config.set("gradients_mean", true)), "");
  EXPECT_TRUE(config.isSet("gradients_mean"));
  EXPECT_EQ(inForce(config, "gradients_mean"), ConfigValue(true));
  EXPECT_EQ(message(config.reset("gradients_mean")), "");
  EXPECT_FALSE(config.isSet("gradients_mean"));
  EXPECT_FALSE(config.gradientsMean());
}

TEST(Config, ResetForgetsEverything) {
  Config config;
  ASSERT_EQ(message(config.setFromText("device_num=4,batch=global")), "");
  config.reset();
  EXPECT_TRUE(config.written().empty());
  EXPECT_EQ(config.batch(), BatchSemantics::Local);
}

TEST(Config, ABadValueLeavesTheOldOne) {
  Config config;
  ASSERT_EQ(message(config.set("device_num", int64_t(4))), "");
  EXPECT_EQ(message(config.set("device_num", int64_t(4097))),
            "'device_num' must be an integer in [1, 4096], got 4097");
  EXPECT_EQ(config.deviceNum(), 4);
}

TEST(Config, ReadsAssignments) {
  Config config;
  ASSERT_EQ(message(config.setFromText(
                "device_num = 8, all_reduce_fusion_config=[20, 35],local_state=rank0,timeout=5s")),
            "");
  EXPECT_EQ(config.deviceNum(), 8);
  EXPECT_EQ(config.fusionPolicy().mode, FusionPolicy::Mode::Index);
  EXPECT_EQ(config.fusionPolicy().indices, (std::vector<int64_t>{20, 35}));
  EXPECT_EQ(config.localState(), LocalState::Rank0);
  EXPECT_EQ(config.timeoutMs(), 5000);
  EXPECT_EQ(message(config.setFromText("")), "");
}

TEST(Config, RejectsTextThatIsNoAssignment) {
  Config config;
  EXPECT_EQ(message(config.setFromText("device_num")), "expected key=value, got 'device_num'");
  EXPECT_EQ(message(config.setFromText("all_reduce_fusion_config=[20, 35")),
            "'all_reduce_fusion_config' must be a list of integers, got '[20, 35'");
  EXPECT_EQ(message(config.setFromText("all_reduce_fusion_config=[20,x]")),
            "'all_reduce_fusion_config' must be a list of integers, got '[20, x]'");
  EXPECT_EQ(message(config.setFromText("gradients_mean=1")),
            "'gradients_mean' must be true or false, got '1'");
  EXPECT_EQ(message(config.setFromText("device_num=99999999999999999999")),
            "'device_num' must be an integer in [1, 4096], got '99999999999999999999'");
}

TEST(Config, NamesTheNearestKey) {
  Config config;
  EXPECT_EQ(message(config.setFromText("gradient_mean=true")),
            "unknown configuration key 'gradient_mean', did you mean 'gradients_mean'?");
  EXPECT_EQ(message(config.get("batches").takeError()),
            "unknown configuration key 'batches', did you mean 'batch'?");
  EXPECT_EQ(message(config.reset("timeot")),
            "unknown configuration key 'timeot', did you mean 'timeout'?");
  EXPECT_EQ(nearest("zzzzzzzzz", configKeys()), std::nullopt);
}

TEST(Config, TimesHaveUnits) {
  Config config;
  for (auto [text, ms] : {std::pair("1ms", 1), {"500ms", 500}, {"2", 2000}, {"86400s", 86400000}}) {
    EXPECT_EQ(message(config.setFromText("timeout", text)), "");
    EXPECT_EQ(config.timeoutMs(), ms);
  }
  for (llvm::StringRef text :
       {"0", "0ms", "-1s", "86401", "86400001ms", "1h", "s", "", "9999999999999s"})
    EXPECT_NE(message(config.setFromText("timeout", text)), "") << text.str();
}

TEST(Config, FusionBySize) {
  Config config;
  ASSERT_EQ(message(config.setFromText("comm_fusion=size:25:1")), "");
  FusionPolicy policy = config.fusionPolicy();
  EXPECT_EQ(policy.mode, FusionPolicy::Mode::Size);
  EXPECT_EQ(policy.bytes, 25 << 20);
  EXPECT_EQ(policy.firstBytes, 1 << 20);
  ASSERT_EQ(message(config.setFromText("comm_fusion=ddp")), "");
  EXPECT_EQ(config.fusionPolicy().bytes, 25 << 20);
  ASSERT_EQ(message(config.setFromText("comm_fusion=size:64")), "");
  EXPECT_EQ(config.fusionPolicy().firstBytes, 0);
}

TEST(Config, FusionByDictionary) {
  for (llvm::StringRef text :
       {"comm_fusion={allreduce: {mode: size, config: 25}}", "comm_fusion={mode=size,config=25}",
        R"(comm_fusion={"openstate": True, 'allreduce': {'mode': 'size', "config": 25}})"}) {
    Config config;
    ASSERT_EQ(message(config.setFromText(text)), "");
    EXPECT_EQ(inForce(config, "comm_fusion"), ConfigValue(std::string("size:25")));
  }
  Config config;
  ASSERT_EQ(message(config.setFromText(
                "comm_fusion={allreduce: {mode: index, config: [20, 35]}}, batch = global")),
            "");
  EXPECT_EQ(config.fusionPolicy().mode, FusionPolicy::Mode::Index);
  EXPECT_EQ(config.fusionPolicy().indices, (std::vector<int64_t>{20, 35}));
  EXPECT_EQ(config.batch(), BatchSemantics::Global);
  ASSERT_EQ(message(config.setFromText("comm_fusion=auto")), "");
  EXPECT_EQ(config.fusionPolicy().bytes, 64 << 20);
}

TEST(Config, ReadsWordsAsPythonWritesThem) {
  Config config;
  ASSERT_EQ(message(config.setFromText("gradients_mean=True,parallel_mode=ParallelMode.STAND_ALONE,"
                                       "all_reduce_fusion_config=(1,2),timeout='5s'")),
            "");
  EXPECT_TRUE(config.gradientsMean());
  EXPECT_EQ(config.parallelMode(), ParallelMode::StandAlone);
  EXPECT_EQ(config.fusionPolicy().indices, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(config.timeoutMs(), 5000);
}

TEST(Config, AKeyIsGivenOnce) {
  Config config;
  EXPECT_EQ(message(config.setFromText("batch=local,device_num=2,batch=local")),
            "configuration key 'batch' is given twice");
  EXPECT_TRUE(config.written().empty());
}

TEST(Config, RejectsDataThatIsNone) {
  for (llvm::StringRef value :
       {"{", "{mode}", "{mode:}", "{mode: size, mode: size}", "[1", "[1 2]", "{mode: 'size}",
        "{a: {a: {a: {a: {a: {a: {a: {a: {a: 1}}}}}}}}}", "[]", "{}}"}) {
    Config config;
    EXPECT_NE(message(config.setFromText("comm_fusion", value)), "") << value.str();
  }
}

TEST(Config, EveryKeyIsDescribed) {
  std::vector<KeyDescription> rows = describeKeys();
  ASSERT_EQ(rows.size(), configKeys().size());
  for (const KeyDescription &row : rows) {
    EXPECT_FALSE(row.effect.empty()) << row.name.str();
    // dataset_strategy says where its tuples go, and comm_fusion has sentences of its own.
    EXPECT_EQ(row.instead.empty(),
              (row.built == "all" && row.name != "dataset_strategy") || row.name == "comm_fusion")
        << row.name.str();
  }
}

TEST(Config, SaysWhatIsNotBuilt) {
  Config config;
  ASSERT_EQ(message(config.setFromText("pipeline_stages=2")), "");
  EXPECT_EQ(message(config.checkBuilt()),
            "'pipeline_stages = 2' is not built; leave it out: every rank runs the whole step");
}

} // namespace
