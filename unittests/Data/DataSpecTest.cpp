//===- DataSpecTest.cpp - The --data language -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a specification means, and one sentence for each way to get it wrong.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/DataSpec.h"
#include "ds/Support/Suggestion.h"

#include "Samples.h"
#include "TestSupport.h"

namespace ds {
namespace {

TEST(DataSpec, ParsesEveryPart) {
  auto sources = parseDataSpec("x=train-images.gz:scale=1/255:reshape=28x28x1,y=l.npz:labels");
  ASSERT_TRUE(bool(sources)) << errorOf(std::move(sources));
  ASSERT_EQ(sources->size(), 2u);
  const DataSource &x = sources->front(), &y = sources->back();
  EXPECT_EQ(x.argument, "x");
  EXPECT_EQ(x.file, "train-images.gz");
  ASSERT_TRUE(x.scale.has_value());
  EXPECT_EQ(x.scale->numerator, 1);
  EXPECT_EQ(x.scale->denominator, 255);
  EXPECT_EQ(*x.reshape, (std::vector<int64_t>{28, 28, 1}));
  EXPECT_EQ(y.key, "labels");
  EXPECT_FALSE(y.scale.has_value());
}

TEST(DataSpec, EscapesKeepSeparators) {
  auto sources = cantFail(parseDataSpec(R"(x=a\,b\:c.npy)"));
  EXPECT_EQ(sources.front().file, "a,b:c.npy");
}

TEST(DataSpec, EveryMistakeIsOneSentence) {
  auto message = [](llvm::StringRef spec) { return errorOf(parseDataSpec(spec)); };
  expectSentence(message(""), {"in the data specification ''", "expected ARGUMENT=FILE"});
  expectSentence(message("x"), {"expected ARGUMENT=FILE"});
  expectSentence(message("x="), {"expected ARGUMENT=FILE"});
  expectSentence(message("=f"), {"expected ARGUMENT=FILE"});
  expectSentence(message("x=f:scale=1/0"), {"scale is '1/0', expected a number"});
  expectSentence(message("x=f:scale=abc"), {"scale is 'abc'"});
  expectSentence(message("x=f:scale="), {"scale is ''"});
  expectSentence(message("x=f:scale=1:scale=2"), {"scale is given twice"});
  expectSentence(message("x=f:reshape=2:reshape=2"), {"reshape is given twice"});
  expectSentence(message("x=f:reshape=3x"), {"reshape is '3x', expected the sizes of one sample"});
  expectSentence(message("x=f:reshape=-3"), {"reshape is '-3'"});
  expectSentence(message("x=f:sclae=2"), {"unknown option 'sclae', expected scale or reshape"});
  expectSentence(message("x=f:a:b"), {"a second key 'b'"});
  expectSentence(message("x=f:"), {"an empty key"});
  expectSentence(message("x=f,x=g"), {"argument 'x' is given twice"});
}

using ReadArray = TemporaryDirectory;

TEST_F(ReadArray, TellsFormatsApartByContent) {
  EXPECT_EQ(cantFail(readArray(write("a", sampleIdx()), "", "x")).type, DataType::u8);
  EXPECT_EQ(cantFail(readArray(write("b", gzip(sampleIdx())), "", "x")).type, DataType::u8);
  EXPECT_EQ(cantFail(readArray(write("c", sampleNpy()), "", "x")).type, DataType::f32);
  EXPECT_EQ(cantFail(readArray(write("d", zip("q.npy", sampleNpy(), true)), "", "x")).type,
            DataType::f32);
  EXPECT_EQ(cantFail(readArray(write("e.safetensors", sampleSafetensors()), "b", "x")).type,
            DataType::i64);
  expectSentence(errorOf(readArray(write("f", "plain text"), "", "x")),
                 {"/f'", "none of IDX and .npy (plain or gzip), .npz and .safetensors"});
}

TEST_F(ReadArray, TheArgumentsNameIsTheDefaultKey) {
  std::string file = write("e.safetensors", sampleSafetensors());
  EXPECT_EQ(cantFail(readArray(file, "", "w")).type, DataType::f32);
  expectSentence(errorOf(readArray(file, "", "x")),
                 {"it holds 'b', 'w'", "; choose one with x=FILE:KEY"});
  expectSentence(errorOf(readArray(file, "v", "x")), {"there is no array 'v' among 'b', 'w'"});
}

TEST_F(ReadArray, AFileWithoutArraysSaysSo) {
  expectSentence(errorOf(readArray(write("e.safetensors", safetensors("{}", "")), "", "x")),
                 {"it holds no arrays"});
}

TEST_F(ReadArray, FormatsOfOneArrayHaveNoKeys) {
  expectSentence(errorOf(readArray(write("a", sampleIdx()), "k", "x")), {"('k') has no meaning"});
  expectSentence(errorOf(readArray(write("c", sampleNpy()), "k", "x")), {"('k') has no meaning"});
}

TEST(Suggestion, NamesTheNearestOrNothing) {
  EXPECT_EQ(suggestion("epoch", {"epochs", "steps"}), ", did you mean 'epochs'?");
  EXPECT_EQ(suggestion("quux", {"epochs", "steps"}), "");
}

TEST(DataSpecTest, FilesMayBeNamedByRank) {
  EXPECT_TRUE(namesRank("x=part-{rank}.npy,y=y.npy"));
  EXPECT_TRUE(namesRank("x=part-{rank:05}.npy"));
  EXPECT_FALSE(namesRank("x=of-{ranks}.npy,y={other}.npy,z=\\{rank}.npy,v={rank"));
  EXPECT_EQ(cantFail(specOfRank("x=part-{rank:05}-of-{ranks:05}.npy:k,y={rank}/y", 12, 100)),
            "x=part-00012-of-00100.npy:k,y=12/y");
  EXPECT_EQ(cantFail(specOfRank("x={rank:01}{other},y=\\{rank}", 123, 200)),
            "x=123{other},y=\\{rank}");
  EXPECT_EQ(cantFail(parseDataSpec(cantFail(specOfRank("x=\\{rank}", 1, 2))))[0].file, "{rank}");
  for (const char *bad : {"x={rank:5}", "x={rank:}", "x={rankle}", "x={rank:00}", "x={rank:0x}"})
    EXPECT_NE(toString(specOfRank(bad, 0, 2).takeError()).find("is none of {rank}"),
              std::string::npos)
        << bad;
}

} // namespace
} // namespace ds
