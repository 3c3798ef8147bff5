//===- Main.cpp - No input crashes, hangs or fills the memory ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DsMutations KIND FIRST COUNT: mutated inputs of a kind, by seed, each read in a child process
// that goes on to the next. An input that ends the child, that takes longer than an alarm, or for
// which a single allocation is larger than it can justify is a finding; the next child begins
// behind it. A seed alone repeats a finding and leaves its files where --keep says.
//
//===----------------------------------------------------------------------===//
#include "Kinds.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *,
                                                                           size_t),
                                                         void (*freed)(const volatile void *));
#endif

namespace ds {

Outcome judge(const std::string &message, const std::string &start) {
  Outcome outcome;
  // As ds-run prints it: what an input holds and a line cannot is told apart there.
  if (message.empty())
    outcome.complaint = "the error says nothing";
  else if (message.compare(0, start.size(), start) != 0)
    outcome.complaint = "the error does not begin with '" + start + "': " + message;
  return outcome;
}

void writeBytes(const std::string &path, const std::string &bytes) {
  std::remove(path.c_str()); // truncating makes some file systems flush
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string readBytes(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace ds

namespace {

using namespace ds;

size_t largestAllocation = SIZE_MAX;

[[maybe_unused]] void checkAllocation(const volatile void *, size_t bytes) {
  if (bytes <= largestAllocation)
    return;
  char text[100];
  const int length =
      std::snprintf(text, sizeof text, "an allocation of %zu bytes, justified are %zu\n", bytes,
                    largestAllocation);
  (void)!write(STDERR_FILENO, text, static_cast<size_t>(length));
  std::abort();
}

/// Without a sanitizer the address space says no.
void limitMemory(const Kind &kind) {
  largestAllocation = kind.largestAllocation();
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_install_malloc_and_free_hooks(checkAllocation, nullptr);
#else
  std::ifstream statm("/proc/self/statm");
  rlim_t pages = 0;
  statm >> pages;
  const rlim_t most = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t(4) << 30);
  const rlimit limit = {most, most};
  setrlimit(RLIMIT_AS, &limit);
#endif
}

#ifdef DS_MUTATE_STEPS
constexpr const char *program = "DsStepMutations", *kinds = "steps|strategies";
std::unique_ptr<Kind> makeKind(const std::string &name) {
  return name == "steps" ? makeSteps() : name == "strategies" ? makeStrategies() : nullptr;
}
#else
constexpr const char *program = "DsMutations",
                     *kinds = "files|tables|environments|commands|bundles|seals";
std::unique_ptr<Kind> makeKind(const std::string &name) {
  return name == "files"          ? makeFiles()
         : name == "tables"       ? makeTables()
         : name == "environments" ? makeEnvironments()
         : name == "commands"     ? makeCommands()
         : name == "bundles"      ? makeBundles()
         : name == "seals"        ? makeSeals()
                                  : nullptr;
}
#endif

/// What a child says after each input.
struct Progress {
  uint64_t seed;
  bool accepted, reached, complains;
};

[[noreturn]] void runChild(Kind &kind, int channel, uint64_t first, uint64_t end,
                           const std::string &folder) {
  limitMemory(kind);
  for (uint64_t seed = first; seed < end; ++seed) {
    alarm(kind.patience());
    const Outcome outcome = kind.run(seed, folder);
    if (!outcome.complaint.empty())
      std::fprintf(stderr, "%s\n", outcome.complaint.c_str());
    const Progress progress = {seed, outcome.accepted, outcome.reached, !outcome.complaint.empty()};
    if (write(channel, &progress, sizeof progress) != sizeof progress)
      _exit(2);
  }
  _exit(0);
}

struct Totals {
  uint64_t run = 0, accepted = 0, reached = 0, findings = 0;
};

/// Runs seeds in one child until it ends; returns the seed to go on with.
uint64_t runSome(const std::string &name, Kind &kind, uint64_t first, uint64_t end,
                 const std::string &folder, Totals &totals) {
  int channel[2];
  if (pipe(channel) != 0) {
    std::perror("pipe");
    std::exit(2);
  }
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(channel[0]);
    runChild(kind, channel[1], first, end, folder);
  }
  close(channel[1]);
  uint64_t next = first;
  auto report = [&](uint64_t seed, const std::string &what) {
    ++totals.findings;
    std::printf("%s seed %llu: %s; repeat: %s %s %llu 1 --keep FOLDER\n", name.c_str(),
                static_cast<unsigned long long>(seed), what.c_str(), program, name.c_str(),
                static_cast<unsigned long long>(seed));
  };
  for (Progress progress; read(channel[0], &progress, sizeof progress) == sizeof progress;) {
    next = progress.seed + 1;
    ++totals.run;
    totals.accepted += progress.accepted;
    totals.reached += progress.reached;
    if (progress.complains)
      report(progress.seed, "an error that is no sentence");
  }
  close(channel[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return next;
  ++totals.run;
  report(next, WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "it hangs"
               : WIFSIGNALED(status)
                   ? std::string("it dies: ") + strsignal(WTERMSIG(status))
                   : "it ends the process with " + std::to_string(WEXITSTATUS(status)));
  return next + 1;
}

} // namespace

int main(int argc, char **argv) {
  std::unique_ptr<Kind> kind = argc >= 4 ? makeKind(argv[1]) : nullptr;
  if (!kind || (argc != 4 && (argc != 6 || std::strcmp(argv[4], "--keep") != 0))) {
    std::fprintf(stderr, "usage: %s %s FIRST COUNT [--keep FOLDER]\n", program, kinds);
    return 2;
  }
  const uint64_t first = std::strtoull(argv[2], nullptr, 10);
  const uint64_t end = first + std::strtoull(argv[3], nullptr, 10);
  std::string folder = (std::filesystem::temp_directory_path() / "ds-mutations-XXXXXX").string();
  if (argc == 6)
    std::filesystem::create_directories(folder = std::filesystem::absolute(argv[5]));
  else if (!mkdtemp(folder.data()))
    return 2;
  Totals totals;
  for (uint64_t seed = first; seed < end;)
    seed = runSome(argv[1], *kind, seed, end, folder, totals);
  if (argc != 6)
    std::filesystem::remove_all(folder);
  std::printf("%s: seeds %llu to %llu: %llu inputs, %llu past the parser, %llu accepted, %llu "
              "findings\n",
              argv[1], static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(end - 1), static_cast<unsigned long long>(totals.run),
              static_cast<unsigned long long>(totals.reached),
              static_cast<unsigned long long>(totals.accepted),
              static_cast<unsigned long long>(totals.findings));
  // Inputs that all fail at the door would test nothing else.
  return totals.findings != 0 || totals.run != end - first;
}
