//===- Support.h - A step and its context, through ds.h alone ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_UNITTESTS_CAPI_SUPPORT_H
#define DS_UNITTESTS_CAPI_SUPPORT_H

#include "ds-c/ds.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

inline std::string readFile(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// examples/c_api/step.mlir: w, x, y, lr -> w, loss, of 8 samples.
inline std::string linearStep() { return readFile(DS_SOURCE_DIR "/examples/c_api/step.mlir"); }

inline void append(const char *data, size_t length, void *text) {
  static_cast<std::string *>(text)->append(data, length);
}

/// A context that keeps what it is told.
/// Options of an instance with arguments in memory of others.
inline ds_instance_options borrowing(const ds_borrowed *borrowed, int64_t count) {
  ds_instance_options options;
  ds_instance_options_init(&options);
  options.borrowed = borrowed;
  options.num_borrowed = count;
  return options;
}

class CApiTest : public testing::Test {
protected:
  struct Told {
    int severity;
    std::string message, file;
    int64_t line, column;
    int32_t code;
    std::string fields;
  };

  CApiTest() {
    setenv("DS_CACHE_DIR", "off", 1);
    context = ds_context_create(
        [](const ds_diagnostic *diagnostic, void *self) {
          static_cast<CApiTest *>(self)->told.push_back(
              {diagnostic->severity, diagnostic->message, diagnostic->file ? diagnostic->file : "",
               diagnostic->line, diagnostic->column, diagnostic->code,
               diagnostic->fields ? diagnostic->fields : ""});
        },
        this);
  }
  ~CApiTest() override {
    ds_instance_destroy(instance);
    ds_step_destroy(step);
    ds_world_destroy(world);
    ds_program_destroy(program);
    ds_context_destroy(context);
  }

  ds_status parse(const std::string &text, const char *config = "batch=global") {
    ds_program_options options;
    ds_program_options_init(&options);
    options.config = config;
    options.device = device;
    return ds_program_parse(context, text.data(), text.size(), &options, &program);
  }

  /// Threads of this process, with the step on them.
  void start(int64_t ranks, const std::string &text = linearStep(),
             const ds_instance_options *options = nullptr) {
    ASSERT_EQ(parse(text), DS_OK) << first();
    ASSERT_EQ(ds_world_create(program, ranks, &world), DS_OK) << first();
    ASSERT_EQ(ds_program_compile(program, world, &step), DS_OK) << first();
    ASSERT_EQ(ds_instance_create(step, world, options, &instance), DS_OK) << first();
  }

  std::string first() const { return told.empty() ? "(nothing)" : told[0].message; }

  const char *device = nullptr;
  ds_context *context;
  ds_program *program = nullptr;
  ds_world *world = nullptr;
  ds_step *step = nullptr;
  ds_instance *instance = nullptr;
  std::vector<Told> told;
};

#endif // DS_UNITTESTS_CAPI_SUPPORT_H
