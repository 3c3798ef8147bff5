//===- World.cpp - The ranks of this process --------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Handles.h"

#include "ds/Run/Program/Ranks.h"
#include "ds/Run/Program/WorldOfOptions.h"
#include "ds/Support/UserError.h"

using namespace ds;
using namespace ds::capi;
using llvm::Error;

Error ds_world::run(llvm::function_ref<Error(int64_t, dsrt_context *)> body) {
  if (!failure.empty())
    return userError(failure);
  Error error = world->run(body);
  if (error && !world->isForked()) { // a child's failure is not its parent's
    failure = llvm::toString(std::move(error));
    return userError(failure);
  }
  return error;
}

/// Returns how many ranks the processes of a launched job hold together.
static llvm::Expected<int64_t> ranksOfJob(const ds_program &program, const World &processes) {
  RunOptions options;
  options.device = program.computesOnDevices() ? "cuda" : "cpu";
  // A step that was compiled for fewer is refused with its name when it is loaded.
  if (auto compiled = program.compiledFor(); compiled && *compiled >= processes.numRanks())
    options.ranks = compiled;
  return countRanks(program.config(), options, &processes);
}

extern "C" {

ds_status ds_world_create(const ds_program *program, int64_t num_ranks, ds_world **out_world) {
  if (out_world)
    *out_world = nullptr;
  if (!program || !out_world || num_ranks < 1)
    return refuse(program ? program->context : nullptr,
                  "ds_world_create takes one rank at least, and an out parameter");
  return guarded(program->context, [&]() -> Error {
    const Config &config = program->config();
    auto ranks = resolveRanks(config, num_ranks, std::nullopt);
    if (!ranks)
      return ranks.takeError();
    auto world = World::create(*ranks, "local", worldOptionsOf(config, RunOptions()));
    if (!world)
      return world.takeError();
    if (Error error = checkGlobalRank(config, (*world)->firstRank(), (*world)->numLocalRanks()))
      return error;
    *out_world = new ds_world{program->context, std::move(*world), {}};
    return Error::success();
  });
}

ds_status ds_world_join(const ds_program *program, ds_world **out_world) {
  if (out_world)
    *out_world = nullptr;
  if (!program || !out_world)
    return refuse(program ? program->context : nullptr,
                  "ds_world_join takes a program and an out parameter");
  return guarded(program->context, [&]() -> Error {
    const Config &config = program->config();
    program->joins();
    auto world = World::join("auto", worldOptionsOf(config, RunOptions()));
    if (!world)
      return world.takeError();
    if (!*world) // this process was not launched
      return Error::success();
    auto ranks = ranksOfJob(*program, **world);
    if (Error error = (*world)->agree(ranks ? Error::success() : ranks.takeError()))
      return error;
    if (Error error = (*world)->divide(*ranks))
      return error;
    if (Error error = (*world)->agree(
            checkGlobalRank(config, (*world)->firstRank(), (*world)->numLocalRanks())))
      return error;
    if (const std::string crowded = (*world)->describeCrowding();
        (*world)->hasRoot() && !crowded.empty())
      program->context->tell(DS_WARNING, crowded);
    // Queried here once, so that a process can compile by itself later.
    if (auto overNetwork = (*world)->isOverNetwork(); !overNetwork)
      return overNetwork.takeError();
    *out_world = new ds_world{program->context, std::move(*world), {}};
    return Error::success();
  });
}

void ds_world_destroy(ds_world *world) { delete world; }
int64_t ds_world_num_ranks(const ds_world *world) { return world ? world->world->numRanks() : 0; }
int64_t ds_world_num_local_ranks(const ds_world *world) {
  return world ? world->world->numLocalRanks() : 0;
}
int64_t ds_world_first_rank(const ds_world *world) {
  return world ? world->world->firstRank() : -1;
}

} // extern "C"
