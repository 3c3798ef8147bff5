//===- DatasetTest.cpp - Files as batches -----------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows on demand, and every mismatch of a file with the step.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Dataset.h"
#include "ds/Data/FileMap.h"

#include "Samples.h"
#include "TestSupport.h"

namespace ds {
namespace {

ArgumentSpec batch(const std::string &name, ElementType type, std::vector<int64_t> shape,
                   int64_t dim = 0) {
  ArgumentSpec argument;
  argument.name = name;
  argument.role = ArgumentRole::batch;
  argument.type = type;
  argument.shape = std::move(shape);
  argument.batchDim = dim;
  return argument;
}

class DatasetTest : public TemporaryDirectory {
protected:
  /// i32 4x2x1: sample s is 10s, 10s+1.
  std::string fourSamples() {
    return write("x.npy", npy("{'descr': '<i4', 'fortran_order': False, 'shape': (4, 2, 1)}",
                              rawBytes<int32_t>({0, 1, 10, 11, 20, 21, 30, 31})));
  }
  std::string labels(int count) {
    std::string data;
    for (int i = 0; i < count; ++i)
      data += littleEndian(i, 8);
    return write(
        "y" + std::to_string(count) + ".npy",
        npy("{'descr': '<i8', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",)}",
            data));
  }
  llvm::Expected<Dataset> load(const std::string &spec,
                               const std::vector<ArgumentSpec> &arguments) {
    return Dataset::load(cantFail(parseDataSpec(spec)), arguments);
  }
};

TEST_F(DatasetTest, GathersSamplesInAnyOrder) {
  auto data = load("x=" + fourSamples() + ":reshape=2:scale=0.5,y=" + labels(4),
                   {batch("x", ElementType::f32, {3, 2}), batch("y", ElementType::i32, {3})});
  ASSERT_TRUE(bool(data)) << errorOf(std::move(data));
  EXPECT_EQ(data->samples(), 4);
  std::vector<float> x(6);
  data->gather("x", {3, 0, 3}, x.data());
  EXPECT_EQ(x, (std::vector<float>{15, 15.5, 0, 0.5, 15, 15.5}));
  std::vector<int32_t> y(2);
  data->gather("y", {2, 1}, y.data());
  EXPECT_EQ(y, (std::vector<int32_t>{2, 1}));
}

TEST_F(DatasetTest, SeveralFilesAreOneBehindTheOther) {
  labels(4);
  labels(3);
  ArgumentSpec y = batch("y", ElementType::i32, {3});
  auto rowsOf = [&](const std::string &spec) {
    Dataset data = cantFail(load(spec, {y}));
    EXPECT_EQ(data.samples(), 7);
    std::vector<int32_t> rows(7);
    data.gather("y", {0, 6, 2, 3, 4, 1, 5}, rows.data());
    return rows;
  };
  std::string folder = write("list.txt", "# by hand\ny4.npy\ny3.npy\n");
  folder.resize(folder.size() - std::string("list.txt").size());
  EXPECT_EQ(rowsOf("y=" + folder + "y?.npy"), (std::vector<int32_t>{0, 3, 2, 0, 1, 1, 2}));
  EXPECT_EQ(rowsOf("y=@" + folder + "list.txt"), (std::vector<int32_t>{0, 2, 2, 3, 0, 1, 1}));
  y.indexRange = IntegerRange{0, 3, {}};
  auto sentences = cantFail(load("y=" + folder + "y?.npy", {y})).findOutOfRange({y});
  ASSERT_EQ(sentences.size(), 1u);
  EXPECT_NE(sentences[0].find("y4.npy': sample 6 holds 3"), std::string::npos) << sentences[0];
  y.apart = true;
  expectSentence(errorOf(load("y=" + folder + "y?.npy", {y})),
                 {"several files need samples along the first dimension, the entries of each "
                  "together"});
}

TEST_F(DatasetTest, FindsWhatIsNoIndex) {
  auto arguments = std::vector{batch("x", ElementType::i16, {3, 2, 1})};
  auto data = cantFail(load("x=" + fourSamples(), arguments));
  auto found = [&](int64_t low, int64_t high, std::vector<int64_t> others) {
    arguments[0].indexRange = IntegerRange{low, high, std::move(others)};
    auto sentences = data.findOutOfRange(arguments);
    return sentences.empty() ? "" : sentences.front().substr(sentences.front().find("sample"));
  };
  EXPECT_EQ(found(0, 32, {}), "");
  EXPECT_EQ(found(0, 31, {}), "sample 3 holds 31, expected an index from 0 to 30");
  EXPECT_EQ(found(0, 31, {-100, 31}), "");
  EXPECT_EQ(found(1, 32, {}), "sample 0 holds 0, expected an index from 1 to 31");
  EXPECT_EQ(found(-5, 20, {30}),
            "sample 2 holds 20, expected an index from -5 to 19 or 30; 3 of 8 are out of range");
  EXPECT_EQ(found(INT64_MIN, 31, {}), "sample 3 holds 31, expected an index below 31");
  arguments[0].indexRange.reset();
  EXPECT_TRUE(data.findOutOfRange(arguments).empty());
}

TEST_F(DatasetTest, UnsignedIntegersAreAsLargeAsTheyAre) {
  std::string file = write(
      "x.npy", npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3,)}", "\x7f\xc8\xff"));
  auto arguments = std::vector{batch("x", ElementType::i8, {3})};
  EXPECT_NE(errorOf(load("x=" + file, arguments)).find("u8 200, does not convert"),
            std::string::npos);
  arguments[0].isUnsigned = true;
  arguments[0].indexRange = IntegerRange{0, 255, {}};
  auto data = cantFail(load("x=" + file, arguments));
  std::vector<uint8_t> x(3);
  data.gather("x", {2, 1, 0}, x.data());
  EXPECT_EQ(x, (std::vector<uint8_t>{255, 200, 127}));
  auto sentences = data.findOutOfRange(arguments);
  ASSERT_EQ(sentences.size(), 1u);
  EXPECT_NE(sentences[0].find("sample 2 holds 255, expected an index from 0 to 254"),
            std::string::npos);
  std::string negative =
      write("n.npy", npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2,)}",
                         rawBytes<int16_t>({255, -1})));
  EXPECT_NE(
      errorOf(load("x=" + negative, arguments)).find("i16 -1, does not convert without loss to u8"),
      std::string::npos);
}

TEST_F(DatasetTest, FindsTheSampleOfAnIndexAmongBlocks) {
  constexpr int rows = 2, samples = 20000; // of a batch dimension that is the second
  std::string values(rows * samples, '\1');
  values[samples + 16384] = '\2';
  std::string file =
      write("x.npy", npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 20000)}", values));
  auto arguments = std::vector{batch("x", ElementType::i64, {2, 4}, 1)};
  arguments[0].indexRange = IntegerRange{0, 2, {}};
  auto sentences = cantFail(load("x=" + file, arguments)).findOutOfRange(arguments);
  ASSERT_EQ(sentences.size(), 1u);
  EXPECT_EQ(sentences[0], "data for 'x' from '" + file +
                              "': sample 16384 holds 2, expected an index from 0 to 1");
}

TEST_F(DatasetTest, TheBatchDimensionNeedNotBeFirst) {
  std::string file = write("x.npy", npy("{'descr': '<i4', 'fortran_order': False, "
                                        "'shape': (2, 3, 2)}",
                                        rawBytes<int32_t>({0, 1, 10, 11, 20, 21, //
                                                           100, 101, 110, 111, 120, 121})));
  auto data = cantFail(load("x=" + file, {batch("x", ElementType::i32, {2, 4, 2}, 1)}));
  EXPECT_EQ(data.samples(), 3);
  std::vector<int32_t> x(8);
  data.gather("x", {2, 0}, x.data());
  EXPECT_EQ(x, (std::vector<int32_t>{20, 21, 0, 1, 120, 121, 100, 101}));
}

TEST_F(DatasetTest, AWrongShapeSaysWhatWouldFit) {
  expectSentence(errorOf(load("x=" + fourSamples(), {batch("x", ElementType::f32, {3, 2})})),
                 {"data for 'x'", "/x.npy'", "got shape 4x2x1, expected Nx2", ":reshape=2"});
  expectSentence(errorOf(load("x=" + fourSamples(), {batch("x", ElementType::f32, {3, 7})})),
                 {"got shape 4x2x1, expected Nx7"});
  expectSentence(
      errorOf(load("x=" + fourSamples() + ":reshape=3", {batch("x", ElementType::f32, {3, 3})})),
      {"a sample has shape 2x1, which reshape=3 does not fit"});
  expectSentence(errorOf(load("x=" + fourSamples() + ":reshape=4000000000x4000000000x4000000000",
                              {batch("x", ElementType::f32, {3, 3})})),
                 {"does not fit"});
}

TEST_F(DatasetTest, SamplesBehindFeaturesAreNotReshaped) {
  ArgumentSpec columns = batch("x", ElementType::f32, {2, 3});
  columns.batchDim = 1;
  expectSentence(errorOf(load("x=" + fourSamples() + ":reshape=2", {columns})),
                 {"reshape needs samples along the first dimension"});
}

TEST_F(DatasetTest, WeightsWithoutASourceAreOne) {
  ArgumentSpec weight = batch("k", ElementType::f32, {3});
  weight.isWeight = true;
  auto data = load("y=" + labels(4), {batch("y", ElementType::i32, {3}), weight});
  ASSERT_TRUE(bool(data)) << errorOf(std::move(data));
  EXPECT_EQ(data->samples(), 4);
  float weights[] = {0, 0, 0};
  data->gather("k", {3, 0, 3}, weights);
  EXPECT_EQ(std::vector<float>(weights, weights + 3), (std::vector<float>{1, 1, 1}));
}

TEST_F(DatasetTest, AWrongTypeIsRefused) {
  std::string file = write("x.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
                                        rawBytes<float>({1, 0.5})));
  expectSentence(errorOf(load("x=" + file, {batch("x", ElementType::i32, {2})})),
                 {"data for 'x'", "element 1, f32 0.5, does not fit i32"});
}

TEST_F(DatasetTest, ColumnsMustAgree) {
  expectSentence(
      errorOf(load("x=" + fourSamples() + ":reshape=2,y=" + labels(3),
                   {batch("x", ElementType::f32, {3, 2}), batch("y", ElementType::i32, {3})})),
      {"'y' has 3 samples, but 'x' has 4"});
}

TEST_F(DatasetTest, MissingAndUnknownArgumentsAreNamed) {
  expectSentence(errorOf(load("lable=" + labels(4), {batch("label", ElementType::i32, {3})})),
                 {"data is given for 'lable'", "did you mean 'label'?"});
  expectSentence(errorOf(load("y=" + labels(4), {batch("x", ElementType::f32, {3, 2}),
                                                 batch("y", ElementType::i32, {3}),
                                                 batch("z", ElementType::i32, {3})})),
                 {"no data is given for the batch argument 'x', 'z'"});
}

TEST_F(DatasetTest, NoSamplesAreNoData) {
  expectSentence(errorOf(load("y=" + labels(0), {batch("y", ElementType::i32, {3})})),
                 {"there are no samples"});
}

TEST_F(DatasetTest, SamplesHaveSeveralEntries) {
  ArgumentSpec y = batch("y", ElementType::i64, {4});
  y.entries = 2;
  auto rowsOf = [&](const ArgumentSpec &argument, const std::string &spec,
                    std::vector<DataEntry> entries) {
    Dataset data = cantFail(load(spec, {argument}));
    EXPECT_EQ(data.samples(), argument.entries == 0 ? 0 : 3);
    std::vector<int64_t> rows(entries.size());
    data.gatherEntries("y", entries, rows.data());
    return rows;
  };
  std::vector<DataEntry> some = {{2, 0}, {2, 1}, {0, 1}};
  EXPECT_EQ(rowsOf(y, "y=" + labels(6), some), (std::vector<int64_t>{4, 5, 1}));
  y.apart = true;
  EXPECT_EQ(rowsOf(y, "y=" + labels(6), some), (std::vector<int64_t>{2, 5, 3}));
  expectSentence(errorOf(load("y=" + labels(5), {y})),
                 {"got 5 rows, expected a multiple of 2, which a step takes for each sample"});
  y.indexRange = IntegerRange{0, 4, {}};
  auto sentences = cantFail(load("y=" + labels(6), {y})).findOutOfRange({y});
  ASSERT_EQ(sentences.size(), 1u);
  EXPECT_NE(sentences[0].find("entry 1 of sample 1 holds 4"), std::string::npos);
  y.entries = 0;
  EXPECT_EQ(rowsOf(y, "y=" + labels(4), {{0, 3}, {0, 0}, {0, 5}}), (std::vector<int64_t>{3, 0, 1}));
  expectSentence(errorOf(load("y=" + labels(6), {y})),
                 {"got 6 rows, expected 4, which is no multiple of the samples of a step"});
}

TEST_F(DatasetTest, FilesOfRanksLieOneBehindAnother) {
  fourSamples();
  ArgumentSpec x = batch("x", ElementType::f32, {2, 2, 1});
  auto part = [&](const char *scale) {
    return cantFail(load("x=" + path("x.npy") + ":scale=" + scale, {x}));
  };
  Dataset joined = cantFail(Dataset::join({part("1"), std::nullopt, part("2")}));
  EXPECT_EQ(joined.samples(), 4);
  float rows[4];
  joined.gather("x", {1, 8 + 3}, rows);
  EXPECT_EQ(std::vector<float>(rows, rows + 4), (std::vector<float>{10, 11, 60, 62}));
  ArgumentSpec y = batch("y", ElementType::i64, {2});
  std::string text = toString(
      Dataset::join({cantFail(load("y=" + labels(3), {y})), cantFail(load("y=" + labels(4), {y}))})
          .takeError());
  EXPECT_EQ(text,
            "every rank brings as many samples as the others, but rank 1 has files with 4 and "
            "rank 0 with 3");
}

TEST_F(DatasetTest, ContentsAreToldApart) {
  // More than 1 MiB: blocks of it are looked at.
  std::string zeros(4 << 20, '\0'), other = zeros;
  other.back() = 1;
  auto hashOf = [&](const std::string &name, const std::string &data) {
    std::string file =
        write(name, npy("{'descr': '|u1', 'fortran_order': False, 'shape': (4194304,)}", data));
    return cantFail(load("y=" + file, {batch("y", ElementType::i64, {2})})).contentHash();
  };
  EXPECT_EQ(hashOf("a.npy", zeros), hashOf("b.npy", zeros));
  EXPECT_NE(hashOf("a.npy", zeros), hashOf("c.npy", other));
}

TEST_F(DatasetTest, TheFingerprintIsOfAllThatATrainingSees) {
  auto of = [&](const std::string &bytes, const std::string &options = "") {
    std::string file = write("big.npy", npy("{'descr': '|u1', 'fortran_order': False, 'shape': (" +
                                                std::to_string(bytes.size()) + ",)}",
                                            bytes));
    return cantFail(load("x=" + file + options, {batch("x", ElementType::f32, {3})})).fingerprint();
  };
  std::string bytes(3 << 20, '\1');
  const std::string before = of(bytes);
  EXPECT_EQ(of(bytes), before);
  EXPECT_NE(of(bytes, ":scale=1/255"), before);
  bytes[1234567] ^= 4; // between the blocks of contentHash
  EXPECT_NE(of(bytes), before);
  bytes[1234567] ^= 4;
  EXPECT_EQ(of(bytes), before);
}

TEST_F(DatasetTest, BytesThatBecomeFloatsAsTheyAreAreToldOf) {
  auto told = [&](const std::string &bytes, ElementType type, const std::string &options = "") {
    std::string file =
        write("u8.npy", npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3,)}", bytes));
    return cantFail(load("x=" + file + options, {batch("x", type, {3})})).describeRawBytes();
  };
  auto pixels = told("\1\xc8\2", ElementType::f32);
  ASSERT_EQ(pixels.size(), 1u);
  expectSentence(pixels[0], {"data for 'x' from", "u8.npy': bytes up to 200 become floats as they "
                                                  "are; ':scale=1/255' would make them 0 to 1"});
  EXPECT_TRUE(told("\1\xc8\2", ElementType::f32, ":scale=1/255").empty());
  EXPECT_TRUE(told("\1\x09\2", ElementType::f32).empty());
  EXPECT_TRUE(told("\1\xc8\2", ElementType::i32).empty());
}

TEST_F(DatasetTest, AMappedFileIsCheckedWhereItIsUsed) {
  const int64_t rows = FileMap::leastBytes / 8;
  ArgumentSpec y = batch("y", ElementType::i32, {4});
  y.indexRange = IntegerRange{0, 10, {}};
  std::string name = write("y.npy", npy("{'descr': '<i8', 'fortran_order': False, 'shape': (" +
                                            std::to_string(rows) + ",)}",
                                        ""));
  const int64_t header = contents("y.npy").size();
  std::filesystem::resize_file(name, header + 8 * rows); // of zeroes, which take no room
  auto put = [&](int64_t row, int64_t value) {
    std::fstream file(name, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(header + 8 * row);
    file.write(reinterpret_cast<const char *>(&value), 8);
  };
  put(5, 7);
  put(6, 10);
  put(7, int64_t(1) << 32);
  auto sources = cantFail(parseDataSpec("y=" + name));
  EXPECT_EQ(errorOf(Dataset::load(sources, {y})),
            "data for 'y' from '" + name +
                "': element 7, i64 4294967296, does not convert without loss to i32");
  Dataset data = cantFail(Dataset::load(sources, {y}, Look::whenUsed));
  EXPECT_TRUE(data.findOutOfRange({y}).empty());
  std::vector<int32_t> value(1);
  data.gather("y", {5}, value.data());
  EXPECT_EQ(value[0], 7);
  EXPECT_EQ(errorOf(data.checkRows(y, {{0, 0}, {5, 0}, {6, 0}})), "(no error)");
  data.checkIndices(true);
  EXPECT_EQ(errorOf(data.checkRows(y, {{0, 0}, {6, 0}})),
            "data for 'y' from '" + name +
                "': sample 6 holds 10, expected an index from 0 to 9 (--on-index=warn trains "
                "nevertheless)");
  EXPECT_EQ(errorOf(data.checkRows(y, {{7, 0}})),
            "data for 'y' from '" + name +
                "': element 7, i64 4294967296, does not convert without loss to i32");
  std::filesystem::resize_file(name, header + 80);
  EXPECT_EQ(errorOf(data.checkRows(y, {{0, 0}})),
            "cannot read '" + name + "': it had " + std::to_string(header + 8 * rows) +
                " bytes when the training began, now it has " + std::to_string(header + 80));
  std::filesystem::resize_file(name, header + 8 * rows);
  EXPECT_EQ(errorOf(data.checkRows(y, {{0, 0}})),
            "cannot read '" + name + "': it was written to since the training began");
  EXPECT_EQ(errorOf(FileMap::open(write("empty", ""))),
            "cannot read '" + path("empty") + "': it cannot be mapped: Invalid argument");
}

} // namespace
} // namespace ds
