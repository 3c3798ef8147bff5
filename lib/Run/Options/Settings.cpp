//===- Settings.cpp - The configuration in force, and where it comes from --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Options/Settings.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// True for a text that begins with 'name =', which names of files do not.
static bool isAssignment(StringRef text) {
  StringRef name = text.ltrim().take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  return !name.empty() && text.ltrim().drop_front(name.size()).ltrim().starts_with("=");
}

/// Adds the keys of one place to those of its kind; fails if one is given twice.
static Error add(const Config &from, Config &to) {
  for (const auto &[name, value] : from.written())
    if (to.isSet(name))
      return userError("configuration key '" + Twine(name) + "' is given twice");
  to.overrideWith(from);
  return Error::success();
}

Expected<Settings> readSettings(const Config &module, StringRef modulePath,
                                llvm::ArrayRef<std::string> given) {
  Config files, assignments;
  std::map<std::string, std::string> lines;
  for (const std::string &text : given) {
    bool isFile = !isAssignment(text);
    Config one;
    if (isFile) {
      auto read = readConfigFile(text, lines);
      if (!read && !StringRef(text).contains('.') && !StringRef(text).contains('/')) {
        llvm::consumeError(read.takeError());
        return userError("--config " + text + ": expected key=value, or a YAML or JSON file");
      }
      if (!read)
        return read.takeError();
      one = std::move(*read);
    } else if (Error error = one.setFromText(StringRef(text))) {
      return userError("--config " + text + ": " + llvm::toString(std::move(error)));
    }
    if (Error error = add(one, isFile ? files : assignments))
      return userError("--config " + text + ": " + llvm::toString(std::move(error)));
  }
  Settings settings{module, {}};
  for (const auto &item : module.written())
    settings.origins[item.first] = modulePath.str();
  settings.config.overrideWith(files);
  for (const auto &item : files.written())
    settings.origins[item.first] = lines[item.first];
  settings.config.overrideWith(assignments);
  for (const auto &item : assignments.written())
    settings.origins[item.first] = "--config";
  if (!given.empty())
    if (Error error = settings.config.validate())
      return userError("--config: " + llvm::toString(std::move(error)));
  return settings;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// Returns the value as a user types it, without quotes.
static std::string valueText(const ConfigValue &value) {
  auto *text = std::get_if<std::string>(&value);
  return text ? *text : toText(value);
}

static std::string originOf(const Settings &settings, StringRef key) {
  auto found = settings.origins.find(key.str());
  return found == settings.origins.end() ? "default" : found->second;
}

std::string describeSettings(const Settings &settings) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (StringRef key : configKeys()) {
    std::optional<ConfigValue> value = llvm::cantFail(settings.config.get(key));
    out << llvm::left_justify(key, 29) << llvm::left_justify(value ? valueText(*value) : "-", 24)
        << originOf(settings, key) << "\n";
  }
  text.pop_back(); // the last line break
  return text;
}

llvm::json::Object settingsObject(const Settings &settings) {
  llvm::json::Object keys;
  for (StringRef key : configKeys()) {
    std::optional<ConfigValue> value = llvm::cantFail(settings.config.get(key));
    llvm::json::Object entry{{"from", originOf(settings, key)}};
    entry["value"] = value ? llvm::json::Value(valueText(*value)) : llvm::json::Value(nullptr);
    keys[key] = std::move(entry);
  }
  return keys;
}

/// Prints a text in lines that begin with blanks.
static void printWrapped(llvm::raw_ostream &out, StringRef text, unsigned indent, unsigned width) {
  unsigned column = 0;
  for (StringRef word : llvm::split(text, ' ')) {
    if (column == 0 || column + 1 + word.size() > width) {
      if (column)
        out << "\n";
      out.indent(indent);
      column = indent;
    } else {
      out << ' ';
      ++column;
    }
    out << word;
    column += word.size();
  }
  out << "\n";
}

void printKeys(llvm::raw_ostream &out) {
  out << "Keys of the configuration, for 'ds.config' of a module, files and --config.\n"
         "Later places override earlier ones; 'ds-run STEP.mlir --print-config' shows the "
         "result.\n";
  for (const KeyDescription &key : describeKeys()) {
    out << "\n" << key.name << (key.fallback.empty() ? "" : " = " + key.fallback) << "\n";
    printWrapped(out, key.effect, 2, 78);
    printWrapped(out, key.values, 4, 78);
    if (key.built != "all")
      printWrapped(
          out, "Built: " + key.built + (key.instead.empty() ? "" : ". Else " + key.instead.str()),
          4, 78);
  }
}

} // namespace ds
