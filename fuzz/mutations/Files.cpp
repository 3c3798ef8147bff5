//===- Files.cpp - Mutated data, checkpoints and recordings -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Half of the compressed files are mutated before they are compressed, so that what is inside of
// them is read, too. Every byte that a reader hands out is read once.
//
//===----------------------------------------------------------------------===//
#include "Kinds.h"
#include "Mutator.h"

#include "../../unittests/Data/Samples.h"

#include "ds/Data/DataSpec.h"
#include "ds/Data/Dataset.h"
#include "ds/Data/Safetensors.h"
#include "ds/Run/Ranks/Recording.h"
#include "ds/Run/Ranks/Values.h"
#include "ds/Run/Train/Kept.h"

#include <unistd.h>

namespace ds {
namespace {

const std::string stateHeader =
    R"({"__metadata__":{"ds.step":"3"},"c":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})";
const std::string index = R"({"metadata": {"total_size": 32},
"weight_map": {
  "b": "a.safetensors",
  "c": "b.safetensors",
  "w": "a.safetensors"
}})";

class Files final : public Kind {
public:
  Files() {
    ArgumentSpec w, x, lr, m;
    w.name = "w";
    w.role = ArgumentRole::parameter;
    w.shape = {2, 2};
    w.init = "ones";
    x.name = "x";
    x.role = ArgumentRole::batch;
    x.shape = {2, 3};
    x.batchDim = 0;
    lr.name = "lr";
    m.name = "b";
    m.role = ArgumentRole::state;
    m.type = ElementType::i64;
    m.shape = {1};
    manifest.arguments = {w, x, lr, m};
    ResultSpec updated;
    updated.name = "w";
    updated.shape = {2, 2};
    updated.updates = 0;
    manifest.results = {updated};
    manifest.global = true;
    for (int version : {1, 2})
      npys.push_back(sampleNpy(version));
    for (const char *type : {"<f8", ">f4", "|u1", "|b1", "<i8", "<V2", ">i2"})
      npys.push_back(
          npy(std::string("{'descr': '") + type + "', 'fortran_order': True, 'shape': (2, 3), }",
              std::string(6 * (type[2] - '0'), '\x7f')));
    for (int code : {0x08, 0x09, 0x0b, 0x0c, 0x0d, 0x0e}) {
      std::string idx = sampleIdx();
      idx[2] = static_cast<char>(code);
      idxs.push_back(idx.substr(0, 12) + std::string(6 * 8, '\1'));
    }
    idxs.push_back(sampleIdx());
    checkpoints = {sampleSafetensors(),
                   safetensors(R"({"__metadata__":{"ds.step":"4","ds.may_be_infinite":"[\"w\"]",)"
                               R"("ds.sums_of_epoch":"2 1.5","ds.sums_of_training":"4 7"},)"
                               R"("w":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}})",
                               rawBytes<float>({1, 2, 3, 4}))};
  }

  Outcome run(uint64_t seed, const std::string &folder) override {
    Mutator mutator(seed);
    switch (mutator.below(7)) {
    case 0:
      return array(folder + "/x.idx", mutator.bytes(mutator.oneOf(idxs), npys[0]));
    case 1: {
      std::string idx = mutator.oneOf(idxs);
      return array(folder + "/x.gz", mutator.below(2) ? gzip(mutator.bytes(idx, npys[0]))
                                                      : mutator.bytes(gzip(idx), gzip(npys[0])));
    }
    case 2:
      return array(folder + "/x.npy", mutator.bytes(mutator.oneOf(npys), mutator.oneOf(npys)));
    case 3:
      return array(folder + "/x.npz", archive(mutator, "x.npy", mutator.oneOf(npys)));
    case 4:
      return checkpoint(folder + "/w.safetensors",
                        mutator.bytes(mutator.oneOf(checkpoints), sampleSafetensors()));
    case 5:
      return split(folder + "/w.index.json", folder, mutator.text(index, index));
    default:
      return recording(folder + "/r.npz", mutator);
    }
  }

  // What a reader allocates before it knows better, and what deflate can make of a small file.
  size_t largestAllocation() const override { return size_t(16) << 20; }

private:
  static std::string archive(Mutator &mutator, const std::string &name, const std::string &member) {
    bool deflated = mutator.below(2);
    if (mutator.below(2))
      return zip(name, mutator.bytes(member, sampleNpy()), deflated);
    return mutator.bytes(zip(name, member, deflated), zip("y.npy", sampleNpy(), deflated));
  }

  static void touch(const Array &array) {
    static volatile uint64_t sum = 0;
    uint64_t own = 0;
    for (int64_t i = 0; i < array.bytes(); ++i)
      own += array.data[i];
    sum = sum + own;
  }

  Outcome array(const std::string &path, const std::string &bytes) const {
    writeBytes(path, bytes);
    auto read = readArray(path, "", "x");
    if (!read)
      return judge(llvm::toString(read.takeError()), "cannot read '" + path);
    touch(*read);
    DataSource source;
    source.argument = "x";
    source.file = path;
    source.scale = Scale{1, 255};
    auto data = Dataset::load({source}, {manifest.arguments[1]});
    if (!data)
      return judge(llvm::toString(data.takeError()), "data for 'x' from '" + path);
    float rows[6];
    data->gather("x", {0, data->samples() - 1}, rows);
    return {true};
  }

  Outcome checkpoint(const std::string &path, const std::string &bytes) const {
    writeBytes(path, bytes);
    auto read = readSafetensors(path);
    if (!read)
      return judge(llvm::toString(read.takeError()), "cannot read '" + path);
    for (const auto &item : read->tensors)
      touch(item.second);
    (void)CarriedFacts::from(read->metadata, 1, 4, 2);
    SafetensorsFile checkpoint(std::move(*read));
    return begin(checkpoint, path);
  }

  Outcome split(const std::string &path, const std::string &folder,
                const std::string &bytes) const {
    writeBytes(folder + "/a.safetensors", sampleSafetensors());
    writeBytes(folder + "/b.safetensors", safetensors(stateHeader, rawBytes<int64_t>({7})));
    writeBytes(path, bytes);
    auto opened = SafetensorsFile::open(path);
    if (!opened)
      return judge(llvm::toString(opened.takeError()), "cannot read '");
    return begin(*opened, path);
  }

  Outcome begin(const SafetensorsFile &checkpoint, const std::string &path) const {
    auto values = initialValues(manifest, &checkpoint, path, 0, {{"lr", 0.5}});
    if (!values)
      return judge(llvm::toString(values.takeError()), "");
    return {values->firstStep + 1 > 0};
  }

  Outcome recording(const std::string &path, Mutator &mutator) const {
    // One member: the sound archives of several are those of numpy, which tests of ds-run read.
    static const std::vector<std::string> names = {"step1_arg0.npy", "step1_arg1.npy",
                                                   "step1_res0.npy", "step2_arg1.npy"};
    std::string name = mutator.oneOf(names);
    if (mutator.below(2))
      name = mutator.text(name, names[0]);
    writeBytes(path, archive(mutator, name, mutator.oneOf(npys)));
    auto read = readRecording(path, manifest, 1);
    if (!read)
      return judge(llvm::toString(read.takeError()), "cannot read '" + path);
    return {true};
  }

  Manifest manifest;
  std::vector<std::string> npys, idxs, checkpoints;
};

} // namespace

std::unique_ptr<Kind> makeFiles() { return std::make_unique<Files>(); }

} // namespace ds
