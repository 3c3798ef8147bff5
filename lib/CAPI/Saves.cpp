//===- Saves.cpp - The checkpoints of a training ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// File names, checksums, locks and the metadata that identifies a training are those of ds-run.
//
//===----------------------------------------------------------------------===//
#include "DataHandle.h"

#include "ds/Data/Checksum.h"
#include "ds/Run/Feed/Checkpoints.h"
#include "ds/Run/Feed/Facts.h"
#include "ds/Run/Feed/SaveLock.h"
#include "ds/Run/Ranks/Values.h"
#include "ds/Support/File.h"

using namespace ds;
using namespace ds::capi;
using llvm::Error;
using llvm::Twine;

struct ds_saves {
  ds_saves(ds_context *context, std::string file, int64_t keep)
      : context(context), file(std::move(file)), writer(this->file, keep) {}

  ds_context *const context;
  const std::string file;
  std::unique_ptr<SaveLock> lock; // of a training that writes
  CheckpointWriter writer;        // destroyed before the lock
  std::optional<FoundCheckpoint> found;
};

/// Returns the metadata that identifies the training of a checkpoint.
static std::map<std::string, std::string> factsOf(const ds_program &program, const ds_data *data) {
  std::map<std::string, std::string> facts;
  if (data)
    facts = data->inputs.facts;
  facts["ds.written_hash"] = program.writtenHash();
  return facts;
}

/// Gives all tensors of a checkpoint, one at a time.
static Error giveArrays(const SafetensorsFile &contents, ds_array_callback out, void *user_data) {
  for (const std::string &name : contents.names()) {
    auto array = contents.read(name);
    if (!array)
      return array.takeError();
    const ds_array given = {name.c_str(), toString(array->type), array->shape.data(),
                            static_cast<int64_t>(array->shape.size()), array->data};
    out(&given, user_data);
  }
  return Error::success();
}

static llvm::json::Object metadataOf(const SafetensorsFile &contents) {
  llvm::json::Object metadata;
  for (const auto &[name, text] : contents.metadata())
    metadata[name] = text;
  return metadata;
}

static Error write(ds_saves &saves, std::map<std::string, std::string> metadata, int64_t step,
                   bool isNumbered, llvm::ArrayRef<ds_array> arrays) {
  if (Error error = saves.lock->check())
    return error;
  Safetensors contents;
  contents.metadata = std::move(metadata);
  for (auto [i, given] : llvm::enumerate(arrays)) {
    auto array = arrayOf(given, i);
    if (!array)
      return array.takeError();
    contents.tensors[given.name] = // the writing thread has a copy
        isNumbered ? Array::copy(array->type, array->shape, array->data) : std::move(*array);
  }
  if (isNumbered)
    return saves.writer.start(step, std::move(contents));
  if (Error error = saves.writer.finish())
    return error;
  return writeCheckpoint(saves.file, std::move(contents));
}

extern "C" {

ds_status ds_saves_create(ds_context *context, const char *file, ds_saving saving, int64_t keep,
                          ds_saves **out_saves) {
  if (out_saves)
    *out_saves = nullptr;
  if (!context || !file || !out_saves || keep < 1)
    return refuse(context,
                  "ds_saves_create takes a context, a file, how many checkpoints stay, and "
                  "an out parameter");
  return guarded(context, [&]() -> Error {
    auto made = std::make_unique<ds_saves>(context, file, keep);
    if (saving == DS_SAVES_NEW)
      if (Error error = checkNoEarlier(file))
        return error;
    if (saving != DS_SAVES_READ) {
      if (Error error = checkWritable(file))
        return error;
      auto warn = [&](const std::string &why) { context->tell(DS_WARNING, why); };
      if (Error error = SaveLock::take(file, warn).moveInto(made->lock))
        return error;
    }
    *out_saves = made.release();
    return Error::success();
  });
}

void ds_saves_destroy(ds_saves *saves) { delete saves; }

ds_status ds_saves_find(ds_saves *saves, ds_string_callback out, void *user_data) {
  if (!saves)
    return DS_INVALID_ARGUMENT;
  return guarded(saves->context, [&]() -> Error {
    auto warn = [&](const std::string &why) {
      saves->context->tell(DS_WARNING, why + "; it is passed over");
    };
    if (Error error = findNewest(saves->file, warn).moveInto(saves->found))
      return error;
    if (!saves->found)
      return Error::success();
    const SafetensorsFile &contents = saves->found->contents;
    auto step = stepOf(contents, saves->found->path);
    if (!step)
      return step.takeError();
    giveJson(out, user_data,
             llvm::json::Object{{"file", saves->found->path},
                                {"step", *step},
                                {"metadata", metadataOf(contents)}});
    return Error::success();
  });
}

ds_status ds_saves_check(ds_saves *saves, const ds_program *program, const ds_data *data) {
  if (!saves || !saves->found || !program)
    return refuse(saves ? saves->context : nullptr,
                  "ds_saves_check takes saves that have found a checkpoint, and a program");
  return guarded(saves->context, [&]() -> Error {
    ToContext sink(saves->context);
    Report report(sink, ReportStyle::json, /*showsProgress=*/false);
    return checkFacts(*saves->found, factsOf(*program, data),
                      !data || data->instance->manifest->global, report);
  });
}

ds_status ds_saves_read(ds_saves *saves, ds_array_callback out, void *user_data) {
  if (!saves || !saves->found || !out)
    return refuse(saves ? saves->context : nullptr,
                  "ds_saves_read takes saves that have found a checkpoint, and a callback");
  return guarded(saves->context,
                 [&] { return giveArrays(saves->found->contents, out, user_data); });
}

ds_status ds_saves_write(ds_saves *saves, const ds_program *program, const ds_instance *instance,
                         const ds_data *data, int64_t step, int32_t is_numbered,
                         const ds_array *arrays, int64_t num_arrays, const char *const *metadata,
                         int64_t count) {
  if (!saves || !saves->lock || !program || !instance || num_arrays < 0 ||
      (num_arrays && !arrays) || count < 0 || (count && !metadata) || step < 0 || step > mostSteps)
    return refuse(
        saves ? saves->context : nullptr,
        "ds_saves_write takes saves that write, a program, an instance of it, arrays, metadata "
        "and a step from 0 to 2^53, got step " +
            Twine(step));
  return guarded(saves->context, [&]() -> Error {
    if (Error error = checkIsWhole(*instance->manifest, instance->world->world->numRanks()))
      return error;
    std::map<std::string, std::string> texts = factsOf(*program, data);
    for (int64_t i = 0; i < count; ++i)
      texts[metadata[2 * i]] = metadata[2 * i + 1];
    texts["format"] = "ds";
    texts["ds.step"] = std::to_string(step);
    return write(*saves, std::move(texts), step, is_numbered, llvm::ArrayRef(arrays, num_arrays));
  });
}

ds_status ds_checkpoint_read(ds_context *context, const char *file, ds_string_callback metadata,
                             ds_array_callback out, void *user_data) {
  if (!context || !file || !metadata || !out)
    return refuse(context, "ds_checkpoint_read takes a context, a file and two callbacks");
  return guarded(context, [&]() -> Error {
    auto contents = SafetensorsFile::open(file);
    if (!contents)
      return contents.takeError();
    if (Error error = checkSeal(*contents, file))
      return error;
    giveJson(metadata, user_data, metadataOf(*contents));
    return giveArrays(*contents, out, user_data);
  });
}

ds_status ds_checkpoint_write(ds_context *context, const char *file, const ds_array *arrays,
                              int64_t num_arrays, const char *const *metadata, int64_t count) {
  if (!context || !file || num_arrays < 0 || (num_arrays && !arrays) || count < 0 ||
      (count && !metadata))
    return refuse(context, "ds_checkpoint_write takes a context, a file, arrays and metadata");
  return guarded(context, [&]() -> Error {
    Safetensors contents;
    for (int64_t i = 0; i < num_arrays; ++i)
      if (Error error = arrayOf(arrays[i], i).moveInto(contents.tensors[arrays[i].name]))
        return error;
    for (int64_t i = 0; i < count; ++i)
      contents.metadata[metadata[2 * i]] = metadata[2 * i + 1];
    auto warn = [&](const std::string &why) { context->tell(DS_WARNING, why); };
    auto lock = SaveLock::take(file, warn);
    if (!lock)
      return lock.takeError();
    return writeCheckpoint(file, std::move(contents));
  });
}

} // extern "C"
