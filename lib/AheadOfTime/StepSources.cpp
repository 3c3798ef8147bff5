//===- StepSources.cpp - A compiled step as sources in C ------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StepSources.h"

#include "ds-c/ds.h"
#include "ds/Run/Ranks/Batch.h"
#include "ds/Support/Escape.h"
#include "ds/Support/Version.h"
#include "ds/Target/EntrySlots.h"
#include "ds/Target/Target.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::StringRef;

namespace ds {

std::string identifierOf(StringRef text) {
  std::string name;
  for (char c : text)
    name += llvm::isAlnum(c) ? c : '_';
  if (name.empty() || llvm::isDigit(name.front()))
    name.insert(0, "_");
  return name;
}

namespace {

/// Returns the global shape as text: `3 x 4 f32`.
template <typename Spec> std::string shapeOf(const Manifest &manifest, const Spec &spec) {
  std::string text;
  for (int64_t size : wholeShape(manifest, spec, manifest.numRanks))
    text += std::to_string(size) + " x ";
  return text + toString(spec.type);
}

/// Lists one enumerator a line; a name whose C identifier is taken already gets its number
/// appended.
class SlotList {
public:
  SlotList(StringRef name, StringRef kind) : prefix((name + "_" + kind + "_").str()) {}

  void add(StringRef slot, const std::string &comment) {
    std::string name = prefix + identifierOf(slot);
    if (!taken.insert(name).second)
      name += "_" + std::to_string(count);
    text += llvm::formatv("  {0} = {1}, /* {2} */\n", name, count++, inComment(comment));
  }
  std::string finish() const {
    return llvm::formatv("enum {{\n{0}  {1}count = {2}\n};\n", text, prefix, count);
  }

private:
  const std::string prefix;
  llvm::StringSet<> taken;
  std::string text;
  unsigned count = 0;
};

} // namespace

std::string headerOf(StringRef name, const Manifest &manifest) {
  SlotList arguments(name, "arg"), results(name, "res");
  for (const ArgumentSpec &argument : manifest.arguments)
    arguments.add(argument.name, shapeOf(manifest, argument) + ", " + toString(argument.role));
  for (const ResultSpec &result : manifest.results) {
    std::string what = result.updates    ? "updates " + manifest.arguments[*result.updates].name
                       : result.isMetric ? "metric"
                                         : "result";
    results.add(result.name, shapeOf(manifest, result) + ", " + what);
  }
  return llvm::formatv(R"(/* {0}.h - a training step for {1} ranks, by ds-compile {2} */
#ifndef DS_COMPILED_{3}_H
#define DS_COMPILED_{3}_H

#include "ds-c/ds.h"

#ifdef __cplusplus
extern "C" {{
#endif

extern const ds_compiled_step {0}_compiled; /* for ds_program_load */

enum {{ {0}_ranks = {1} };

/* Slots, with the shapes of what all ranks hold together. */
{4}
{5}
#ifdef __cplusplus
}
#endif

#endif
)",
                       name, manifest.numRanks, DS_VERSION_STRING, name.upper(), arguments.finish(),
                       results.finish());
}

/// Returns the bytes as numbers, 24 a line.
static std::string numbersOf(StringRef bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    text += std::to_string(static_cast<uint8_t>(bytes[i]));
    text += i % 24 == 23 ? ",\n" : ",";
  }
  return text;
}

static bool isForGpu(const Executable &executable) { return executable.target != kCpuTarget; }

llvm::ArrayRef<std::string> linkedObjects(const Executable &executable) {
  llvm::ArrayRef<std::string> objects = executable.objects;
  return isForGpu(executable) ? objects.take_front() : objects;
}

std::string sourceOf(StringRef name, Executable executable, const Config &config, StringRef cpu) {
  const bool hasTables = isForGpu(executable);
  for (size_t linked = linkedObjects(executable).size(), i = 0; i < linked; ++i)
    executable.objects[i].clear();
  executable.kernels.clear();
  const std::string description = writeExecutable(executable);
  std::vector<std::string> keys;
  for (const auto &[key, value] : config.written())
    keys.push_back(key + "=" + toText(value));
  return llvm::formatv(R"(#include "{0}.h"

extern void {1}(void **slots);
{7}static const unsigned char description[] = {{
{2}};
const ds_compiled_step {0}_compiled = {{
    sizeof(ds_compiled_step), {3}, {4}, {5}, {6}, description, sizeof description, {1}, {8}};
)",
                       name, kEntryName, numbersOf(description), DS_ABI_VERSION, quotedForC(name),
                       quotedForC(llvm::join(keys, ",")), quotedForC(cpu),
                       hasTables ? "extern const char ds_gpu_tables[];\n" : "",
                       hasTables ? "ds_gpu_tables" : "0");
}

std::string exportsOf(StringRef name) {
  return llvm::formatv("{{ global: {0}_compiled; local: *; };\n", name);
}

} // namespace ds
