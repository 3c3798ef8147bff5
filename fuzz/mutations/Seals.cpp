//===- Seals.cpp - Files that are no longer what was written ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of each kind of file that ds writes and reads again one region is changed, as a disk, a transfer
// or an editor changes it: a bit flips, bytes are overwritten, moved, doubled or cut off. The file
// is refused, or what is read is what was written.
//
//===----------------------------------------------------------------------===//
#include "Kinds.h"
#include "Mutator.h"

#include "ds/Data/Checksum.h"
#include "ds/Run/Asynchronous/Order.h"
#include "ds/Run/Feed/Checkpoints.h"
#include "ds/Run/Report/Certificate.h"
#include "ds/Step/Executable.h"
#include "ds/Step/SealedLibrary.h"
#include "ds/Support/Seal.h"
#include "ds/Support/UserError.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstdlib>
#include <filesystem>

namespace ds {
namespace {

using llvm::Error;
using llvm::Expected;

std::string textOf(const llvm::json::Object &object) {
  return llvm::formatv("{0}", llvm::json::Value(llvm::json::Object(object)));
}

/// A kind of file: its bytes, and what is read of such a file, as text that says all of it.
struct FileKind {
  std::string name, sound;
  std::function<Expected<std::string>(const std::string &path)> read;
};

Expected<std::string> readCheckpoint(const std::string &path) {
  auto file = SafetensorsFile::open(path);
  if (!file)
    return file.takeError();
  if (Error error = checkSeal(*file, path))
    return error;
  std::string text;
  for (const auto &[key, value] : file->metadata())
    if (key == "ds.step" || key == "ds.seed") // not how the checksum is called
      text += key + "=" + value + "\n";
  if (Error error = file->visit(
          [&](const TensorBytes &part) {
            text += (part.name + " " + part.type + " " + shapeToString(part.shape) + " ").str() +
                    std::string(part.bytes.begin(), part.bytes.end());
          },
          Checksum::chunkBytes))
    return error;
  return text;
}

Expected<std::string> readOrder(const std::string &path) {
  auto order = Order::read(path, 2, 2);
  if (!order)
    return order.takeError();
  std::string text;
  for (Order::Turn turn : order->all())
    text += std::to_string(turn.pulled) + ":" + std::to_string(turn.pushed) + " ";
  return text;
}

Expected<std::string> readProfile(const std::string &path) {
  auto object = readSealedJson(path, "profile", {"ds_profile", "ranks", "compute_ns", "gradients"});
  if (!object)
    return userError("'" + path + "' " + llvm::toString(object.takeError()));
  return textOf(*object);
}

class Seals final : public Kind {
public:
  Seals() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ds-seals-XXXXXX").string();
    const std::string folder = mkdtemp(pattern.data()), path = folder + "/file";
    auto written = [&](Error error) {
      llvm::cantFail(std::move(error));
      return readBytes(path);
    };
    Safetensors values;
    values.metadata = {{"format", "ds"}, {"ds.step", "12"}, {"ds.seed", "3"}};
    const float numbers[] = {1, 2, 3, 4};
    values.tensors["w"] = Array::copy(DataType::f32, {2, 2}, numbers);
    kinds.push_back({"checkpoint", written(writeCheckpoint(path, values)), readCheckpoint});
    Order order(2, 2);
    for (int64_t shard : {0, 1}) {
      order.change(0, 0, shard) = {0, shard};
      order.change(0, 1, shard) = {0, 1 - shard};
    }
    kinds.push_back({"order", written(order.write(path, 1)), readOrder});
    llvm::json::Object profile{
        {"ds_profile", 1},
        {"ranks", 2},
        {"compute_ns", 1000},
        {"gradients",
         llvm::json::Array{llvm::json::Object{{"names", "w"}, {"bytes", 16}, {"ready_ns", 70}}}}};
    kinds.push_back({"plan", written(writeSealedJson(path, std::move(profile))), readProfile});
    certificate.configuration = {{"batch", "'global'"}, {"device_num", "2"}};
    for (const char *key : {"step", "distributed", "oneDevice", "plan"})
      certificate.hashes[key] = checksumOf(key);
    certificate.found.ranks = certificate.found.steps = 2;
    certificate.found.elements = 40;
    certificate.found.degree = 12;
    certificate.found.opaque = {"math.exp"};
    certificate.found.runs = {{2147483647, 5}, {2147483629, 6}};
    kinds.push_back({"certificate", written(certificate.write(path)),
                     [this](const std::string &path) -> Expected<std::string> {
                       auto read = Certificate::read(path);
                       if (!read)
                         return read.takeError();
                       if (Error error = compareInputs(path, *read, certificate))
                         return error;
                       if (Error error = compareResults(path, *read, certificate))
                         return error;
                       return textOf(read->toJson());
                     }});
    Executable step;
    step.target = "cpu";
    step.manifest.entry = "step";
    step.objects = {std::string(300, '\x7f')};
    kinds.push_back({"cached step", writeExecutable(step, "key"),
                     [](const std::string &path) -> Expected<std::string> {
                       auto read = readExecutable(readBytes(path), "key");
                       if (!read)
                         return userError("it is compiled again");
                       return writeExecutable(*read, "key");
                     }});
    kinds.push_back({"library", sealLibrary(std::string(300, '\x7f'), "x.h", "header"),
                     [](const std::string &path) -> Expected<std::string> {
                       auto isSealed = checkLibrary(path);
                       if (!isSealed)
                         return isSealed.takeError();
                       if (!*isSealed)
                         return userError("it has no seal");
                       return readBytes(path);
                     }});
    for (const FileKind &kind : kinds) {
      writeBytes(path, kind.sound);
      contents.push_back(llvm::cantFail(kind.read(path)));
    }
    std::filesystem::remove_all(folder);
  }

  Outcome run(uint64_t seed, const std::string &folder) override {
    Mutator mutator(seed);
    const size_t number = seed % kinds.size();
    const FileKind &kind = kinds[number];
    const std::string path = folder + "/" + kind.name, bytes = damage(mutator, kind.sound);
    writeBytes(path, bytes);
    auto read = kind.read(path);
    if (!read)
      return judge(llvm::toString(read.takeError()), "");
    Outcome outcome;
    outcome.accepted = true;
    if (*read != contents[number])
      outcome.complaint = "a " + kind.name + " that is not what was written is read";
    return outcome;
  }

  size_t largestAllocation() const override { return size_t(16) << 20; }

private:
  static std::string damage(Mutator &mutator, std::string bytes) {
    const size_t at = mutator.below(bytes.size()),
                 count = 1 + mutator.below(std::min<size_t>(64, bytes.size() - at));
    switch (mutator.below(8)) {
    case 0:
      for (size_t i = at; i < at + count; ++i)
        bytes[i] = static_cast<char>(mutator.below(256));
      return bytes;
    case 1:
      return bytes.replace(at, count, std::string(count, '\0'));
    case 2:
      return bytes.erase(at, count);
    case 3:
      return bytes.insert(at, bytes.substr(mutator.below(bytes.size()), count));
    case 4:
      return bytes.substr(0, at);
    case 5: // a digit or a letter becomes another
      bytes[at] = "0123456789abcdef"[mutator.below(16)];
      return bytes;
    default:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << mutator.below(8)));
      return bytes;
    }
  }

  Certificate certificate;
  std::vector<FileKind> kinds;
  std::vector<std::string> contents; // of each
};

} // namespace

std::unique_ptr<Kind> makeSeals() { return std::make_unique<Seals>(); }

} // namespace ds
