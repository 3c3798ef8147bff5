//===- SafetensorsTest.cpp - Checkpoints, sound and damaged -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rule of the format is broken once.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Safetensors.h"
#include "ds/Data/Checksum.h"

#include "Samples.h"
#include "TestSupport.h"

#include <filesystem>

namespace ds {
namespace {

using Checkpoint = TemporaryDirectory;

TEST_F(Checkpoint, ReadsTensorsAndMetadata) {
  auto contents = readSafetensors(write("a", sampleSafetensors()));
  ASSERT_TRUE(bool(contents)) << errorOf(std::move(contents));
  EXPECT_EQ(contents->metadata["ds.step"], "3");
  EXPECT_EQ(valuesOf<float>(contents->tensors["w"]), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(valuesOf<int64_t>(contents->tensors["b"]), std::vector<int64_t>{7});
}

TEST_F(Checkpoint, WhatIsWrittenIsRead) {
  Safetensors out;
  out.tensors["a \"quoted\" name"] = arrayOf<float>(DataType::f32, {3}, {1, 2, 3});
  out.tensors["byte"] = arrayOf<uint8_t>(DataType::u8, {3}, {1, 2, 3});
  out.tensors["scalar"] = arrayOf<double>(DataType::f64, {}, {0.5});
  out.tensors["none"] = arrayOf<float>(DataType::f32, {0}, {});
  out.tensors["flag"] = arrayOf<uint8_t>(DataType::boolean, {1}, {1});
  out.metadata["ds.seed"] = "42";
  ASSERT_EQ(errorOf(writeSafetensors(path("a"), out)), "(no error)");
  auto in = readSafetensors(path("a"));
  ASSERT_TRUE(bool(in)) << errorOf(std::move(in));
  EXPECT_EQ(in->metadata, out.metadata);
  ASSERT_EQ(in->tensors.size(), out.tensors.size());
  for (const auto &[name, array] : out.tensors) {
    EXPECT_EQ(in->tensors[name].type, array.type) << name;
    EXPECT_EQ(in->tensors[name].shape, array.shape) << name;
    auto bytes = [](const Array &a) { return std::string(a.data, a.data + a.bytes()); };
    EXPECT_EQ(bytes(in->tensors[name]), bytes(array)) << name;
  }
  EXPECT_EQ(files(), std::vector<std::string>{"a"});
}

TEST_F(Checkpoint, TensorsAreReadOneAtATime) {
  auto file = SafetensorsFile::open(write("a", sampleSafetensors()));
  ASSERT_TRUE(bool(file)) << errorOf(std::move(file));
  EXPECT_EQ(file->metadata().at("ds.step"), "3");
  EXPECT_EQ(file->names(), (std::vector<std::string>{"b", "w"}));
  EXPECT_TRUE(file->holds("w"));
  EXPECT_FALSE(file->holds("v"));
  EXPECT_EQ(file->shapeOf("w"), (std::vector<int64_t>{2, 2}));
  SafetensorsFile copy = *file;
  EXPECT_EQ(valuesOf<float>(cantFail(copy.read("w"))), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(valuesOf<int64_t>(cantFail(file->read("b"))), std::vector<int64_t>{7});
}

TEST_F(Checkpoint, AFileThatShrinksAfterItWasOpenedIsTold) {
  std::string bytes = sampleSafetensors();
  auto file = SafetensorsFile::open(write("a", bytes));
  ASSERT_TRUE(bool(file)) << errorOf(std::move(file));
  std::filesystem::resize_file(path("a"), bytes.size() - 1);
  std::vector<std::string> read, failed;
  for (const std::string &name : file->names()) {
    auto array = file->read(name);
    (array ? read : failed).push_back(name);
    if (!array)
      expectSentence(errorOf(std::move(array)), {"cannot read '" + path("a"), "became shorter"});
  }
  EXPECT_EQ(read.size(), 1u);
  EXPECT_EQ(failed.size(), 1u);
}

TEST_F(Checkpoint, ContentsInMemoryAreLikeAFile) {
  Safetensors contents;
  contents.tensors["w"] = arrayOf<float>(DataType::f32, {2}, {1, 2});
  contents.metadata["ds.step"] = "5";
  SafetensorsFile file(contents);
  EXPECT_EQ(file.metadata().at("ds.step"), "5");
  EXPECT_EQ(file.names(), std::vector<std::string>{"w"});
  EXPECT_EQ(file.shapeOf("w"), std::vector<int64_t>{2});
  EXPECT_EQ(valuesOf<float>(cantFail(file.read("w"))), (std::vector<float>{1, 2}));
}

TEST_F(Checkpoint, UnalignedTensorsAreRead) {
  auto contents = readSafetensors(
      write("a", safetensors(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}} )",
                             rawBytes<float>({1.5f}))));
  ASSERT_TRUE(bool(contents)) << errorOf(std::move(contents));
  EXPECT_EQ(valuesOf<float>(contents->tensors["w"]), std::vector<float>{1.5f});
}

TEST_F(Checkpoint, EveryBrokenRuleIsOneSentence) {
  auto message = [&](const std::string &bytes) {
    return errorOf(readSafetensors(write("a", bytes)));
  };
  auto entry = [&](const std::string &text, int bytes = 4) {
    return message(safetensors("{\"w\":" + text + "}", std::string(bytes, '\0')));
  };
  expectSentence(message("1234"), {"/a'", "expected at least 8 bytes, got 4"});
  std::string sound = sampleSafetensors();
  expectSentence(message(sound.substr(0, 20)), {"header claims", "the file has 12"});
  expectSentence(message(sound.substr(0, sound.size() - 1)), {"data_offsets end at byte 24 of 23"});
  expectSentence(message(sound + "x"), {"cover 24 of 25 bytes"});
  expectSentence(message(littleEndian(UINT64_MAX, 8) + "{}"), {"header claims"});
  expectSentence(message(safetensors("{", "")), {"the safetensors header is no JSON: "});
  expectSentence(message(safetensors("[]", "")), {"no JSON object"});
  expectSentence(message(safetensors(std::string(100000, '['), "")), {"nests deeper"});
  expectSentence(message(safetensors("{\"__metadata__\":3}", "")), {"__metadata__ is no object"});
  expectSentence(message(safetensors("{\"__metadata__\":{\"a\":3}}", "")),
                 {"__metadata__ 'a' is no string"});
  expectSentence(entry("3"), {"tensor 'w': expected an object"});
  expectSentence(entry("{}"), {"expected exactly dtype, shape and data_offsets"});
  expectSentence(entry(R"({"dtype":"F8_E4M3","shape":[4],"data_offsets":[0,4]})"),
                 {"type 'F8_E4M3' are not supported"});
  expectSentence(entry(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})"),
                 {"no non-negative integer"});
  expectSentence(entry(R"({"dtype":"F32","shape":[1.5],"data_offsets":[0,4]})"),
                 {"no non-negative integer"});
  expectSentence(entry(R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})"),
                 {"not two ascending integers"});
  expectSentence(entry(R"({"dtype":"F32","shape":[1],"data_offsets":[0]})"),
                 {"not two ascending integers"});
  expectSentence(entry(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})"),
                 {"span 4 bytes, expected 8 for 2 of f32"});
  expectSentence(entry(R"({"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,4]})"),
                 {"expected an impossible number"});
  expectSentence(entry(R"({"dtype":"F32","shape":[1],"data_offsets":[4,8]})", 8),
                 {"begins at byte 4, expected 0", "hole"});
  expectSentence(message(safetensors(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                                     R"("b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}})",
                                     "123456")),
                 {"tensor 'b' begins at byte 2, expected 4", "overlaps"});
}

TEST_F(Checkpoint, AKeyThatStandsTwiceIsNamed) {
  auto message = [&](const std::string &header, int bytes) {
    return errorOf(SafetensorsFile::open(write("a", safetensors(header, std::string(bytes, 0)))));
  };
  std::string w = R"("w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
  std::string next = R"("w":{"dtype":"F32","shape":[1],"data_offsets":[4,8]})";
  expectSentence(message("{" + w + "," + next + "}", 8), {"'w' stands twice"});
  // The same name, written in two ways.
  std::string escaped = R"("\u0077":{"dtype":"F32","shape":[1],"data_offsets":[4,8]})";
  expectSentence(message("{" + w + "," + escaped + "}", 8), {"'w' stands twice"});
  expectSentence(message(R"({"__metadata__":{"a":"1","a":"2"},)" + w + "}", 4),
                 {"'a' stands twice"});
  // Strings, and keys of other objects, are none.
  EXPECT_EQ(message(R"({"__metadata__":{"w":"\"w\":","v":"{\"v\":1}"},)" + w + "}", 4),
            "(no error)");
}

TEST_F(Checkpoint, ATypeThatOnlyTheFormatKnowsIsRefusedWhereItIsRead) {
  std::string header = R"({"s":{"dtype":"F8_E4M3","shape":[4],"data_offsets":[0,4]},)"
                       R"("c":{"dtype":"C64","shape":[1],"data_offsets":[4,12]},)"
                       R"("w":{"dtype":"F32","shape":[1],"data_offsets":[12,16]}})";
  auto file = SafetensorsFile::open(
      write("a", safetensors(header, std::string(12, '\1') + rawBytes<float>({1.5f}))));
  ASSERT_TRUE(bool(file)) << errorOf(std::move(file));
  EXPECT_EQ(valuesOf<float>(cantFail(file->read("w"))), std::vector<float>{1.5f});
  expectSentence(errorOf(file->read("s")),
                 {"tensor 's': elements of type 'F8_E4M3' are not supported"});
  expectSentence(errorOf(file->read("c")), {"elements of type 'C64' are not supported"});
}

TEST_F(Checkpoint, OtherFormatsAreNamed) {
  auto message = [&](const std::string &bytes) {
    return errorOf(SafetensorsFile::open(write("a", bytes)));
  };
  expectSentence(message(zip("data.pkl", "x", false)), {"'" + path("a"), "a zip archive", ".pt"});
  expectSentence(message(sampleNpy()), {"an .npy file"});
  expectSentence(message(gzip(sampleNpy())), {"compressed by gzip"});
  expectSentence(message("\x89HDF\r\n\x1a\n----"), {"an HDF5 file"});
  expectSentence(message(std::string("\x80\x04\x95\x10\0\0\0\x01", 8) + "----"), {"a pickle"});
  expectSentence(message(R"({"a": 1, "b": [2, 3]})"), {"it is JSON, but no index"});
}

class Index : public TemporaryDirectory {
protected:
  void SetUp() override {
    Safetensors first, second;
    first.tensors["w"] = arrayOf<float>(DataType::f32, {2}, {1, 2});
    second.tensors["b"] = arrayOf<float>(DataType::f32, {1}, {3});
    cantFail(writeSafetensors(path("m-1.safetensors"), first));
    cantFail(writeSafetensors(path("m-2.safetensors"), second));
  }
  llvm::Expected<SafetensorsFile> open(const std::string &map) {
    return SafetensorsFile::open(write(
        "m.safetensors.index.json", R"({"metadata":{"total_size":12},"weight_map":)" + map + "}"));
  }
};

TEST_F(Index, OfSeveralFilesIsReadAsOne) {
  auto file = open(R"({"w":"m-1.safetensors","b":"m-2.safetensors"})");
  ASSERT_TRUE(bool(file)) << errorOf(std::move(file));
  EXPECT_EQ(file->names(), (std::vector<std::string>{"b", "w"}));
  EXPECT_EQ(valuesOf<float>(cantFail(file->read("w"))), (std::vector<float>{1, 2}));
  EXPECT_EQ(valuesOf<float>(cantFail(file->read("b"))), std::vector<float>{3});
}

TEST_F(Index, MistakesAreOneSentence) {
  expectSentence(errorOf(open(R"({"w":"m-3.safetensors"})")), {"cannot read", "m-3.safetensors"});
  expectSentence(errorOf(open(R"({"v":"m-1.safetensors"})")),
                 {"'m-1.safetensors' does not hold 'v', which the index lists there"});
  for (const char *elsewhere : {"\"../m-1.safetensors\"", "\"/etc/passwd\"", "\"\"", "\"..\"", "3"})
    expectSentence(errorOf(open(R"({"w":)" + std::string(elsewhere) + "}")),
                   {"'w' is in no file of the index's folder"});
  expectSentence(errorOf(open(R"({"w":"m-1.safetensors","w":"m-2.safetensors"})")),
                 {"'w' stands twice in the index"});
  expectSentence(errorOf(open(R"({"w":)")), {"its JSON is damaged"});
  expectSentence(errorOf(open(std::string(100, '['))), {"nests deeper than an index"});
}

/// A checkpoint in two shares: `w` is whole in the first one, the rows of `m` are in both.
class Shares : public TemporaryDirectory {
protected:
  void SetUp() override {
    Safetensors first, second;
    first.tensors["w"] = arrayOf<float>(DataType::f32, {2}, {1, 2});
    first.tensors["m@0"] = arrayOf<float>(DataType::f32, {2, 2}, {1, 2, 5, 6});
    second.tensors["m@1"] = arrayOf<float>(DataType::f32, {1, 2}, {3, 4});
    index.metadata["ds.step"] = "7";
    index.files["w"] = "s-1.safetensors";
    index.sharded["m"] = {{3, 2},
                          {{"s-1.safetensors", "m@0", {{{0, 1}, {2, 3}}, {{0, 2}}}},
                           {"s-2.safetensors", "m@1", {{{1, 2}}, {{0, 2}}}}}};
    for (auto [name, contents] :
         {std::pair("s-1.safetensors", &first), {"s-2.safetensors", &second}}) {
      seal(*contents);
      cantFail(writeSafetensors(path(name), *contents));
      index.shares[name] = {static_cast<int64_t>(this->contents(name).size()),
                            storedSeal(contents->metadata)};
    }
  }
  llvm::Expected<SafetensorsFile> open() {
    cantFail(writeSafetensorsIndex(file(), index, 32, std::nullopt));
    return SafetensorsFile::open(file());
  }
  std::string file() const { return path("s.safetensors.index.json"); }
  SafetensorsIndex index;
};

TEST_F(Shares, AreReadAsOne) {
  auto file = open();
  ASSERT_TRUE(bool(file)) << errorOf(std::move(file));
  EXPECT_EQ(file->names(), (std::vector<std::string>{"m", "w"}));
  EXPECT_EQ(file->metadata().at("ds.step"), "7");
  EXPECT_EQ(file->shapeOf("m"), (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(valuesOf<float>(cantFail(file->read("m"))), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(valuesOf<float>(cantFail(file->read("w"))), (std::vector<float>{1, 2}));
  EXPECT_EQ(errorOf(checkSeal(*file, this->file())), "(no error)");
  std::vector<float> visited;
  cantFail(file->visit(
      [&](const TensorBytes &part) {
        const auto *values = reinterpret_cast<const float *>(part.bytes.data());
        visited.insert(visited.end(), values, values + part.bytes.size() / sizeof(float));
      },
      8));
  EXPECT_EQ(visited, (std::vector<float>{1, 2, 3, 4, 5, 6, 1, 2}));
}

TEST_F(Shares, ThoseThatAreNotAsWrittenAreNamed) {
  const std::string whole = contents("s-2.safetensors");
  cantFail(open());
  write("s-2.safetensors", whole.substr(0, whole.size() - 1));
  expectSentence(errorOf(open()),
                 {"cannot read", "s-2.safetensors", std::to_string(whole.size() - 1) + " bytes",
                  "s.safetensors.index.json' was written with " + std::to_string(whole.size())});
  std::string flipped = whole;
  flipped.back() ^= 1;
  write("s-2.safetensors", flipped);
  expectSentence(errorOf(checkSeal(cantFail(open()), file())),
                 {"s-2.safetensors", "is damaged: its checksum is"});
  // Sound, but of another checkpoint.
  Safetensors other;
  other.tensors["m@1"] = arrayOf<float>(DataType::f32, {1, 2}, {3, 5});
  seal(other);
  cantFail(writeSafetensors(path("s-2.safetensors"), other));
  expectSentence(errorOf(checkSeal(cantFail(open()), file())),
                 {"s-2.safetensors", "its checksum is", "but '",
                  "index.json' was written with " + index.shares["s-2.safetensors"].checksum});
  std::filesystem::remove(path("s-2.safetensors"));
  expectSentence(errorOf(open()), {"cannot read", "s-2.safetensors", "no such file"});
}

TEST_F(Shares, PartsCoverTheirTensorOnce) {
  std::vector<SafetensorsIndex::Part> &parts = index.sharded["m"].parts;
  const SafetensorsIndex::Part second = parts[1];
  parts[1].at = {{{2, 3}}, {{0, 2}}}; // a row twice
  expectSentence(errorOf(open()), {"'m' is in no parts that lie apart from each other"});
  parts[1].at = {{{3, 4}}, {{0, 2}}}; // beyond the last row
  expectSentence(errorOf(open()), {"'m' is in no parts"});
  parts[1].at = {{{1, 2}}, {{0, 1}}}; // fewer columns than the share holds
  expectSentence(errorOf(open()),
                 {"'s-2.safetensors' holds 'm@1' of 1x2 F32, expected a part of 'm' of 1x1 F32"});
  parts.pop_back();
  expectSentence(errorOf(open()), {"the parts of 'm' have 4 elements, expected those of 3x2"});
  parts.push_back(second);
  parts[1].file = "../s-2.safetensors";
  expectSentence(errorOf(open()), {"'m' is in no parts"});
  parts[1] = second;
  index.shares["../s-2.safetensors"] = {1, "0"};
  expectSentence(errorOf(open()), {"s-2.safetensors' among its shares"});
}

TEST_F(Shares, TheIndexHasAChecksum) {
  cantFail(open());
  std::string text = contents("s.safetensors.index.json");
  text[text.find("\"7\"") + 1] = '8';
  write("s.safetensors.index.json", text);
  expectSentence(errorOf(SafetensorsFile::open(file())),
                 {"cannot read", "index.json", "it is damaged: its checksum is"});
}

TEST_F(Checkpoint, AnUnwritableDestinationIsOneSentence) {
  expectSentence(errorOf(writeSafetensors(path("no/a"), {})), {"there is no directory"});
}

} // namespace
} // namespace ds
