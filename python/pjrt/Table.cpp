//===- Table.cpp - The function table that JAX gets -----------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that ds does not implement returns an error with its name.
//
//===----------------------------------------------------------------------===//
#include "Plugin.h"

#include <utility>

using namespace ds::pjrt;

Hooks ds::pjrt::hooks = {};

static const char *const kNames[] = {
#define DS_PJRT_NAME(name) "PJRT_" #name,
    DS_PJRT_FUNCTIONS(DS_PJRT_NAME)
#undef DS_PJRT_NAME
};

template <size_t At> static Error *isMissing(void *) {
  return fail(std::string("ds has no function ") + kNames[At], ErrorCode::unimplemented);
}

template <size_t... At> static void fillMissing(Api &api, std::index_sequence<At...>) {
  ((api.functions[At] = reinterpret_cast<void *>(isMissing<At>)), ...);
}

static Error *destroyError(Of<Error> *args) {
  delete args->of;
  return nullptr;
}

static Error *tellError(TextOf<const Error> *args) {
  args->text = args->of->text.c_str();
  args->size = args->of->text.size();
  return nullptr;
}

static Error *tellErrorCode(ValueOf<const Error, ErrorCode> *args) {
  args->value = args->of->code;
  return nullptr;
}

static Error *initialize(Call *) { return nullptr; }

/// Returns the range of versions of StableHLO's portable artifacts that ds accepts.
static Error *tellAttributes(PluginAttributes *args) {
  static const int64_t current[] = {1, 13, 0}, minimum[] = {1, 0, 0};
  static const NamedValue values[] = {
      {{sizeof(NamedValue), nullptr}, "stablehlo_current_version", 25, 2, {}, 3},
      {{sizeof(NamedValue), nullptr}, "stablehlo_minimum_version", 25, 2, {}, 3}};
  static const NamedValue *filled = [] {
    static NamedValue copies[] = {values[0], values[1]};
    copies[0].numbers = current;
    copies[1].numbers = minimum;
    return copies;
  }();
  args->attributes = filled;
  args->count = 2;
  return nullptr;
}

// Every event has happened.
static Error *destroyEvent(Of<Event> *args) {
  delete args->of;
  return nullptr;
}
static Error *isReady(ValueOf<Event, bool> *args) {
  args->value = true;
  return nullptr;
}
static Error *hasNoError(Of<Event> *) { return nullptr; }
static Error *callNow(EventOnReady *args) {
  args->callback(nullptr, args->argument);
  return nullptr;
}

extern "C" {

__attribute__((visibility("default"))) const Api *GetPjrtApi() {
  static const Api api = [] {
    Api made = {};
    made.structSize = sizeof made;
    made.extensions = shardingsExtension();
    made.version = {sizeof(Version), nullptr, kMajorVersion, kMinorVersion};
    fillMissing(made, std::make_index_sequence<static_cast<size_t>(Function::count)>());
    Table table{made};
    table.set(Function::Error_Destroy, destroyError);
    table.set(Function::Error_Message, tellError);
    table.set(Function::Error_GetCode, tellErrorCode);
    table.set(Function::Plugin_Initialize, initialize);
    table.set(Function::Plugin_Attributes, tellAttributes);
    table.set(Function::Event_Destroy, destroyEvent);
    table.set(Function::Event_IsReady, isReady);
    table.set(Function::Event_Error, hasNoError);
    table.set(Function::Event_Await, hasNoError);
    table.set(Function::Event_OnReady, callNow);
    addClientFunctions(table);
    addBufferFunctions(table);
    addExecutableFunctions(table);
    return made;
  }();
  return &api;
}

/// Sets the hooks; called before the first client is created. Null removes the calls to Python.
__attribute__((visibility("default"))) void ds_pjrt_set_hooks(const Hooks *given) {
  hooks = given ? *given : Hooks();
}
}
