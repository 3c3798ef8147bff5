//===- MpiBackend.cpp - Ranks as processes that talk MPI --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joining, leaving, groups and failures. MPI is initialised by the first context unless the program
// has done so, and finalised when the last healthy context leaves (Start.cpp). A rank that has
// failed never frees nor finalises: messages of its failed call may still be under way, and
// MPI_Finalize would wait for the others.
//
//===----------------------------------------------------------------------===//
#include "MpiBackend.h"
#include "MpiState.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <mutex>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>

namespace dsrt::mpi {
namespace {

/// MPI itself, once per process.
struct Library {
  std::mutex mutex;
  MPI_Comm base = MPI_COMM_NULL; // a copy of MPI_COMM_WORLD, for our tags alone
  int contexts = 0;
  bool ours = false;   // we called MPI_Init
  bool broken = false; // some context has failed: never finalise
  bool yields = false; // whether MPI yielded in every test of a request before us
};
Library library;

/// Sets whether Open MPI yields in every test of a request, and returns the old setting. It does so
/// when it knows that ranks outnumber cores; our waits yield or sleep between tests (Waiting.cpp).
/// No header has the function, and other libraries have none.
bool yieldInTests(bool yields) {
  using Setter = bool(bool);
  void *symbol = dlsym(RTLD_DEFAULT, "opal_progress_set_yield_when_idle");
  return symbol && reinterpret_cast<Setter *>(symbol)(yields);
}

dsrt_status ready(int64_t timeoutMs, dsrt_error *error) {
  int finalized = 0, initialized = 0, level = MPI_THREAD_SINGLE;
  MPI_Finalized(&finalized);
  if (finalized)
    return failWith(error, DSRT_FAILED_PRECONDITION,
                    "MPI has been finalised in this process and cannot start again");
  MPI_Initialized(&initialized);
  if (!initialized) {
    int code = MPI_SUCCESS;
    if (dsrt_status status = initialiseMpi(timeoutMs, code, error); status != DSRT_OK) {
      library.broken = true;
      return status;
    }
    if (code != MPI_SUCCESS)
      return failWith(error, DSRT_UNAVAILABLE,
                      "MPI_Init_thread failed; start the program with mpirun or srun");
    library.ours = true;
  }
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_SERIALIZED)
    return failWith(
        error, DSRT_UNAVAILABLE,
        "the MPI library is initialised for a single thread; MPI_THREAD_SERIALIZED is needed");
  if (library.base != MPI_COMM_NULL)
    return DSRT_OK;
  int code = MPI_SUCCESS;
  if (dsrt_status status = copyWorld(timeoutMs, library.base, code, error); status != DSRT_OK) {
    library.broken = true;
    return status;
  }
  if (code == MPI_SUCCESS)
    code = MPI_Comm_set_errhandler(library.base,
                                   MPI_ERRORS_RETURN); // inherited by all copies and parts
  return checkMpi(code, "MPI_Comm_dup", error);
}

/// Blocks, but only among ranks that have just met.
dsrt_status findHost(Process &process, dsrt_error *error) {
  MPI_Comm host = MPI_COMM_NULL;
  int code =
      MPI_Comm_split_type(process.world->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  if (code != MPI_SUCCESS)
    return checkMpi(code, "MPI_Comm_split_type", error);
  int onHost = 0;
  MPI_Comm_size(host, &onHost);
  process.oneHost = onHost == process.size;
  process.onHost = onHost;
  process.crowded = onHost > static_cast<int32_t>(std::thread::hardware_concurrency());
  int32_t first = process.rank;
  code = MPI_Bcast(&first, 1, MPI_INT32_T, 0, host); // it keeps the order of ranks
  MPI_Comm_free(&host);
  process.hostOf.resize(static_cast<size_t>(process.size));
  if (code == MPI_SUCCESS)
    code = MPI_Allgather(&first, 1, MPI_INT32_T, process.hostOf.data(), 1, MPI_INT32_T,
                         process.world->comm);
  process.world->hosts = hostsOf(process.hostOf);
  return checkMpi(code, "MPI_Allgather", error);
}

dsrt_status init(const dsrt_options *options, void **outState, int32_t *outRank,
                 int32_t *outNumRanks, dsrt_error *error) {
  std::lock_guard<std::mutex> lock(library.mutex);
  if (dsrt_status status = ready(options->timeout_ms, error); status != DSRT_OK)
    return status;
  // Until the rendezvous has succeeded these may be the target of messages, so a failure leaves
  // them.
  auto *process = new Process;
  auto *world = new Communicator;
  process->world = world;
  process->options = *options;
  MPI_Comm_rank(library.base, &process->rank);
  MPI_Comm_size(library.base, &process->size);
  world->comm = library.base;
  world->ranks = world->indices = counting(process->size);
  world->index = process->rank;

  Arrival mine;
  mine.signature.op = rendezvousJoin;
  mine.signature.elementsHash = static_cast<uint64_t>(options->chunk_bytes);
  Verdict verdict;
  dsrt_status status =
      meet(*process, *world, library.base, world->ranks, mine, options->timeout_ms, verdict, error);
  // Failure notes are looked for on the base until the new communicator is complete.
  MPI_Comm copy = MPI_COMM_NULL;
  if (status == DSRT_OK) {
    world->requests.assign(1, MPI_REQUEST_NULL);
    status =
        checkMpi(MPI_Comm_idup(library.base, &copy, &world->requests[0]), "MPI_Comm_idup", error);
  }
  if (status == DSRT_OK)
    status = waitForData(*process, *world, options->timeout_ms, error);
  if (status != DSRT_OK) {
    library.broken = true;
    return status;
  }
  world->comm = copy;
  MPI_Comm_set_errhandler(world->comm, MPI_ERRORS_RETURN);
  if (dsrt_status split = findHost(*process, error); split != DSRT_OK) {
    library.broken = true;
    return split;
  }
  if (library.ours && process->crowded && library.contexts == 0)
    library.yields = yieldInTests(false);
  ++library.contexts;
  *outState = process;
  *outRank = process->rank;
  *outNumRanks = process->size;
  return DSRT_OK;
}

dsrt_status shutdown(void *state, int32_t failed, dsrt_error *error) {
  std::lock_guard<std::mutex> lock(library.mutex);
  auto *process = static_cast<Process *>(state);
  --library.contexts;
  if (failed) {
    library.broken = true;
    return DSRT_OK;
  }
  Arrival mine;
  mine.signature.op = rendezvousLeave;
  Verdict verdict;
  Communicator *world = process->world;
  dsrt_status status = meet(*process, *world, world->comm, world->ranks, mine,
                            process->options.timeout_ms, verdict, error);
  if (status != DSRT_OK) {
    library.broken = true;
    return status;
  }
  MPI_Comm_free(&world->comm);
  delete world;
  delete process;
  if (library.contexts > 0 || library.broken || !library.ours)
    return DSRT_OK;
  if (library.yields)
    yieldInTests(true);
  MPI_Comm_free(&library.base);
  return checkMpi(finaliseMpi(), "MPI_Finalize", error);
}

/// Returns a hash of the gaps between the buffers of a call that lie in one span.
uint64_t spanLayout(const dsrt_call &call) {
  if (!call.one_span)
    return 0;
  uint64_t hash = 1;
  const char *first = nullptr;
  for (int64_t b = 0; b < call.n_buffers; ++b) {
    if (call.elements[b] == 0)
      continue;
    const char *data = static_cast<const char *>(call.outputs[b]);
    first = first ? first : data;
    hash = hash * 1099511628211u + static_cast<uint64_t>(data - first);
  }
  return hash | 1;
}

dsrt_status collective(void *state, void *group, const dsrt_call *call, dsrt_error *error) {
  auto *process = static_cast<Process *>(state);
  auto *communicator = static_cast<Communicator *>(group);
  if (communicator->apart)
    process = communicator->apart.get();
  Arrival mine;
  mine.signature = signatureOf(*call);
  mine.spanLayout = spanLayout(*call);
  Verdict verdict;
  double begin = MPI_Wtime();
  process->call = call;
  dsrt_status status = DSRT_OK;
  const bool isOfPartners = call->op == DSRT_OP_COLLECTIVE_PERMUTE && !call->sources;
  if (!isOfPartners)
    status = meet(*process, *communicator, communicator->comm, communicator->indices, mine,
                  call->timeout_ms, verdict, error);
  *call->waiting_ns = static_cast<uint64_t>((MPI_Wtime() - begin) * 1e9);
  if (status == DSRT_OK)
    status = moveData(*process, *communicator, *call, verdict.oneSpan, error);
  process->call = nullptr;
  return status;
}

void failed(void *state, dsrt_status, const char *text, const dsrt_error *) {
  auto *process = static_cast<Process *>(state);
  if (process->learnt->informed)
    return;
  auto *note = new FailureNote; // sent without waiting, so it lives on
  note->rank = process->rank;
  std::snprintf(note->text, sizeof note->text, "%s", text);
  for (int32_t r = 0; r < process->size; ++r) {
    if (r == process->rank)
      continue;
    MPI_Request request;
    MPI_Isend(note, sizeof *note, MPI_BYTE, r, tagFailure, process->world->comm, &request);
    MPI_Request_free(&request);
  }
}

/// Gives the launcher, which reads stderr through a pipe, time to read the pipe: MPICH's ends with
/// the job and drops what it has not read yet.
void letStderrBeRead() {
  std::fflush(stderr);
  int unread = 0;
  for (int i = 0; i < 200 && ioctl(STDERR_FILENO, FIONREAD, &unread) == 0 && unread > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void abortJob(void *state, const char *reason) {
  auto *process = static_cast<Process *>(state);
  std::fprintf(stderr, "dsrt: rank %d of %d aborted: %s\n", process->rank, process->size, reason);
  letStderrBeRead();
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/// Returns "Open MPI v4.1.4, package: ..." or "MPICH Version: 4.0.2 ...", on one line.
const char *libraryVersion() {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING];
  static std::once_flag once;
  std::call_once(once, [] {
    int length = 0;
    MPI_Get_library_version(text, &length);
    for (char *c = text; *c; ++c)
      if (*c == '\n' || *c == '\t')
        *c = ' ';
  });
  return text;
}

/// Both are extensions with no common header; a library without them is not aware.
bool isGpuAware() {
  using OpenMpiQuery = int();
  using MpichQuery = int(int, int *);
  if (void *symbol = dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support"))
    return reinterpret_cast<OpenMpiQuery *>(symbol)() == 1;
  if (void *symbol = dlsym(RTLD_DEFAULT, "MPIX_GPU_query_support")) {
    constexpr int cuda = 0; // MPIX_GPU_SUPPORT_CUDA
    int supported = 0;
    return reinterpret_cast<MpichQuery *>(symbol)(cuda, &supported) == MPI_SUCCESS && supported;
  }
  return false;
}

void describe(void *state, dsrt_capabilities *capabilities) {
  capabilities->ranks_on_host = static_cast<const Process *>(state)->onHost;
  capabilities->deterministic = 1; // there is no other way
  capabilities->library = libraryVersion();
  capabilities->gpu_aware = isGpuAware();
}

dsrt_backend makeBackend() {
  dsrt_backend table = {};
  table.abi_version = DSRT_BACKEND_ABI_VERSION;
  table.struct_size = sizeof(dsrt_backend);
  table.init = init;
  table.shutdown = shutdown;
  table.group_create = createGroup;
  table.group_destroy = destroyGroup;
  table.collective = collective;
  table.failed = failed;
  table.abort = abortJob;
  table.describe = describe;
  table.group_create_apart = createGroupApart;
  return table;
}

} // namespace
} // namespace dsrt::mpi

extern "C" __attribute__((visibility("default"))) const dsrt_backend *dsrt_mpi_plugin() {
  static const dsrt_backend table = dsrt::mpi::makeBackend();
  return &table;
}
