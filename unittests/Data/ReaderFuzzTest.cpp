//===- ReaderFuzzTest.cpp - No file crashes a reader ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sound files with a few bytes changed, cut or inserted by a fixed generator. A reader either reads
// or gives one sentence; under the address sanitizer it also touches nothing that is not its own.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/DataSpec.h"
#include "ds/Data/Idx.h"
#include "ds/Data/Npy.h"
#include "ds/Data/Random.h"
#include "ds/Data/Safetensors.h"

#include "Samples.h"
#include "TestSupport.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace ds {
namespace {

class ReaderFuzz : public TemporaryDirectory {
protected:
  static std::string mutate(std::string bytes, RandomStream &random) {
    static const uint8_t nasty[] = {0x00, 0x01, 0x7f, 0x80, 0xff, '0', '9', '{', '[', '"', '-'};
    for (uint64_t edits = 1 + random.below(4); edits && !bytes.empty(); --edits) {
      size_t at = random.below(bytes.size());
      switch (random.below(6)) {
      case 0:
        bytes[at] ^= 1 << random.below(8);
        break;
      case 1:
        bytes[at] = char(random.next());
        break;
      case 2:
        bytes[at] = char(nasty[random.below(sizeof(nasty))]);
        break;
      case 3:
        bytes.resize(at);
        break;
      case 4:
        bytes.insert(at, 1 + random.below(9), char(random.next()));
        break;
      case 5:
        bytes.erase(at, 1 + random.below(9));
        break;
      }
    }
    return bytes;
  }

  /// Reads `count` mutations; sums every byte that a reader hands out, so that it must be readable.
  void fuzz(const std::string &sound, int count,
            llvm::function_ref<llvm::Error(const std::string &, uint64_t &)> read) {
    RandomStream random(count, sound.substr(0, 4));
    int accepted = 0;
    uint64_t sum = 0;
    for (int i = 0; i < count; ++i) {
      std::string file = write("mutant", mutate(sound, random));
      if (llvm::Error error = read(file, sum))
        expectSentence(llvm::toString(std::move(error)), {"cannot read '" + file});
      else
        ++accepted;
    }
    // Most mutations must reach the checks, and some of them change nothing that matters.
    EXPECT_LT(accepted, count / 2 + 1);
    RecordProperty("accepted", accepted);
  }

  static void touch(const Array &array, uint64_t &sum) {
    for (int64_t i = 0; i < array.bytes(); ++i)
      sum += array.data[i];
  }
  template <typename Read> void fuzzArray(const std::string &sound, Read read) {
    fuzz(sound, 3000, [&](const std::string &file, uint64_t &sum) -> llvm::Error {
      auto array = read(file);
      if (!array)
        return array.takeError();
      touch(*array, sum);
      return llvm::Error::success();
    });
  }
};

TEST_F(ReaderFuzz, GzipIdx) {
  fuzzArray(gzip(sampleIdx()), [](const std::string &file) { return readIdx(file); });
}

TEST_F(ReaderFuzz, NpyHeader) {
  // Little data, so that most mutations hit the header.
  for (int version : {1, 2})
    fuzzArray(sampleNpy(version), [](const std::string &file) { return readNpy(file); });
}

TEST_F(ReaderFuzz, Npz) {
  for (bool deflated : {false, true})
    fuzz(zip("x.npy", sampleNpy(), deflated), 3000,
         [&](const std::string &file, uint64_t &sum) -> llvm::Error {
           auto reader = NpzReader::open(file);
           if (!reader)
             return reader.takeError();
           for (const std::string &name : (*reader)->names()) {
             auto array = (*reader)->read(name);
             if (!array)
               return array.takeError();
             touch(*array, sum);
           }
           return llvm::Error::success();
         });
}

TEST_F(ReaderFuzz, Safetensors) {
  fuzz(sampleSafetensors(), 4000, [&](const std::string &file, uint64_t &sum) -> llvm::Error {
    auto contents = readSafetensors(file);
    if (!contents)
      return contents.takeError();
    for (const auto &item : contents->tensors)
      touch(item.second, sum);
    return llvm::Error::success();
  });
}

TEST_F(ReaderFuzz, PlainIdxByContent) {
  // Every truncation, through the function that tells formats apart.
  std::string sound = sampleIdx();
  for (size_t length = 0; length < sound.size(); ++length) {
    std::string file = write("mutant", sound.substr(0, length));
    expectSentence(errorOf(readArray(file, "", "x")), {"cannot read '" + file});
  }
}

TEST_F(ReaderFuzz, DataSpecification) {
  RandomStream random(7, "spec");
  std::string sound = R"(x=a.gz:key:scale=1/255:reshape=28x28x1,y=b\,c.npy)";
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    auto sources = parseDataSpec(mutate(sound, random));
    if (!sources) {
      ++refused;
      EXPECT_NE(llvm::toString(sources.takeError()).find("in the data specification"),
                std::string::npos);
    }
  }
  EXPECT_GT(refused, 500);
}

} // namespace
} // namespace ds
