//===- ConfigFile.cpp - A configuration in YAML or JSON ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file is one mapping of keys to values, read by LLVM's YAML reader, which parses JSON, too.
// Every error has a line.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Options/Settings.h"
#include "ds/Support/File.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {
class FileReader {
public:
  FileReader(StringRef path, StringRef text)
      : path(path), stream((sources.setDiagHandler(remember, this), text), sources) {}

  Expected<Config> read(std::map<std::string, std::string> &origins) {
    Config config;
    auto document = stream.begin();
    llvm::yaml::Node *root = document == stream.end() ? nullptr : document->getRoot();
    if (root && llvm::isa<llvm::yaml::NullNode>(root))
      return config; // nothing but comments
    auto *mapping = llvm::dyn_cast_or_null<llvm::yaml::MappingNode>(root);
    if (!mapping)
      return mistake(root, "expected a mapping of keys to values");
    for (llvm::yaml::KeyValueNode &entry : *mapping) {
      auto *key = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(entry.getKey());
      if (!key)
        return mistake(mapping, "expected a key");
      llvm::SmallString<32> storage;
      std::string name = key->getValue(storage).str();
      std::string place = path + ":" + std::to_string(lineOf(key));
      std::optional<llvm::json::Value> value = toData(entry.getValue(), 0);
      if (!value || stream.failed())
        return mistake(key, "the value of '" + Twine(name) +
                                "' is no scalar, list or dictionary with distinct keys");
      if (config.isSet(name))
        return mistake(key, "configuration key '" + Twine(name) + "' is given twice");
      if (Error error = config.setFromData(name, *value))
        return mistake(key, llvm::toString(std::move(error)));
      origins[name] = place;
    }
    if (stream.failed())
      return mistake(root, "expected a mapping of keys to values");
    if (++document != stream.end()) // this invalidates the nodes of the first one
      return mistake(nullptr, "expected one document");
    return config;
  }

private:
  static constexpr int deepest = 8;

  static void remember(const llvm::SMDiagnostic &diagnostic, void *self) {
    auto *reader = static_cast<FileReader *>(self);
    if (!reader->syntax.empty())
      return;
    reader->syntax = diagnostic.getMessage().str();
    reader->syntaxLine = diagnostic.getLineNo();
  }

  unsigned lineOf(llvm::yaml::Node *node) const {
    return node ? sources.getLineAndColumn(node->getSourceRange().Start).first : 1;
  }

  /// Returns an error: the reader's own, if there is one, because `what` may follow from it.
  Error mistake(llvm::yaml::Node *node, const Twine &what) {
    std::string text = syntax.empty()
                           ? path + ":" + std::to_string(lineOf(node)) + ": error: " + what.str()
                           : path + ":" + std::to_string(syntaxLine) + ": error: " + syntax;
    return llvm::createStringError(text);
  }

  std::optional<llvm::json::Value> toData(llvm::yaml::Node *node, int depth) {
    if (!node || depth == deepest)
      return std::nullopt;
    if (llvm::isa<llvm::yaml::NullNode>(node))
      return nullptr;
    llvm::SmallString<32> storage;
    if (auto *scalar = llvm::dyn_cast<llvm::yaml::ScalarNode>(node)) {
      bool quoted = StringRef("'\"").contains(scalar->getRawValue().take_front(1)) &&
                    !scalar->getRawValue().empty();
      StringRef text = scalar->getValue(storage);
      return quoted ? llvm::json::Value(text.str()) : configScalar(text);
    }
    if (auto *list = llvm::dyn_cast<llvm::yaml::SequenceNode>(node)) {
      llvm::json::Array items;
      for (llvm::yaml::Node &item : *list) {
        std::optional<llvm::json::Value> value = toData(&item, depth + 1);
        if (!value)
          return std::nullopt;
        items.push_back(std::move(*value));
      }
      return items;
    }
    auto *mapping = llvm::dyn_cast<llvm::yaml::MappingNode>(node);
    if (!mapping)
      return std::nullopt; // such as an alias or a block of text
    llvm::json::Object entries;
    for (llvm::yaml::KeyValueNode &entry : *mapping) {
      auto *key = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(entry.getKey());
      std::string name = key ? key->getValue(storage).str() : "";
      std::optional<llvm::json::Value> value = toData(entry.getValue(), depth + 1);
      if (!key || !value || !entries.try_emplace(name, std::move(*value)).second)
        return std::nullopt;
    }
    return entries;
  }

  std::string path, syntax;
  int syntaxLine = 0;
  llvm::SourceMgr sources;
  llvm::yaml::Stream stream;
};
} // namespace

Expected<Config> readConfigFile(StringRef path, std::map<std::string, std::string> &origins) {
  auto text = openText(path);
  if (!text)
    return text.takeError();
  return FileReader(path, (*text)->getBuffer()).read(origins);
}

} // namespace ds
