//===- LaunchedJob.cpp - The processes of one job ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nccl and hccl meet by a store, so their ranks are started here, one process each; mpi is started
// by its own mpirun, one process of which stands for the job. Signals are taken one at a time by
// sigtimedwait, so nothing here runs in a handler. A signal goes to each rank itself, once it can
// take it: what an mpirun does with one depends on the signal, on its version, and on how far it
// has come with starting ranks. Children are in a process group of their own: a terminal's Ctrl-C
// would reach them twice otherwise, and the second one ends a training at once.
//
//===----------------------------------------------------------------------===//
#include "LaunchedJob.h"

#include "Ranks/Descendants.h"

#include "ds/Run/Ranks/Interrupt.h"
#include "ds/Run/Report/Output.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// What is left of a job gets to end by itself when a rank has failed (it has a word to say), when
/// its ranks have ended, or at a second signal.
static constexpr int graceSeconds = 10;
/// What an mpirun gets for SIGTERM, before SIGKILL.
static constexpr int secondsToTerminate = 5;
/// After which ranks of an mpirun are taken to run elsewhere.
static constexpr int secondsToFind = 10;

sigset_t signalsOfJobs() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGUSR1, SIGHUP, SIGCHLD, SIGTSTP, SIGCONT})
    sigaddset(&set, signal);
  return set;
}

static time_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

/// A port that is free now; 0 if there is none.
static int freePort() {
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto *plain = reinterpret_cast<sockaddr *>(&address);
  bool good = descriptor >= 0 && bind(descriptor, plain, length) == 0 &&
              getsockname(descriptor, plain, &length) == 0;
  if (descriptor >= 0)
    close(descriptor);
  return good ? ntohs(address.sin_port) : 0;
}

static std::string randomSecret() {
  std::random_device device;
  std::string text;
  for (int word = 0; word < 4; ++word)
    text += llvm::utohexstr(device() | 0x80000000U, /*LowerCase=*/true);
  return text;
}

LaunchedJob::LaunchedJob(const RunOptions &options, std::vector<std::string> arguments)
    : options(options), arguments(std::move(arguments)),
      byMpirun(options.backend == "auto" || options.backend == "mpi") {
  if (byMpirun && pipe2(codePipe, O_CLOEXEC | O_NONBLOCK) != 0)
    codePipe[0] = codePipe[1] = -1; // then nobody says more than mpirun
}

LaunchedJob::~LaunchedJob() {
  for (int end : codePipe)
    if (end >= 0)
      close(end);
}

std::vector<std::string> LaunchedJob::commandLine() const {
  std::vector<std::string> line;
  if (byMpirun) {
    const char *given = getenv("DS_MPIRUN");
    llvm::SmallVector<StringRef> words;
    StringRef(given ? given : "mpirun").split(words, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef word : words)
      line.push_back(word.str());
    line.insert(line.end(), {"-n", std::to_string(*options.launch)});
  }
  line.push_back(llvm::sys::fs::getMainExecutable(nullptr, nullptr));
  line.insert(line.end(), arguments.begin(), arguments.end());
  return line;
}

Expected<pid_t> LaunchedJob::startProcess(const std::vector<std::string> &line,
                                          const std::vector<std::string> &variables) {
  // Everything that allocates comes before fork.
  std::vector<const char *> argv, environment;
  for (const std::string &word : line)
    argv.push_back(word.c_str());
  argv.push_back(nullptr);
  for (const std::string &variable : variables)
    environment.push_back(variable.c_str());
  for (char **variable = environ; *variable; ++variable) {
    StringRef name = StringRef(*variable).split('=').first;
    if (llvm::none_of(variables, [&](StringRef ours) { return ours.split('=').first == name; }))
      environment.push_back(*variable);
  }
  environment.push_back(nullptr);
  auto program = llvm::sys::findProgramByName(line.front());
  if (!program)
    return userError("--launch starts processes by '" + line.front() +
                     "', which is not on PATH; --ranks " + Twine(*options.launch) +
                     " runs as many ranks in threads");
  pid_t process = fork();
  if (process < 0)
    return userError("cannot start a process: " + Twine(strerror(errno)));
  if (process > 0) {
    setpgid(process, children.empty() ? process : children.front().process);
    return process;
  }
  setpgid(0, children.empty() ? 0 : children.front().process);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execve(program->c_str(), const_cast<char **>(argv.data()),
         const_cast<char **>(environment.data()));
  _exit(127);
}

Error LaunchedJob::start() {
  const int port = freePort();
  if (port == 0)
    return userError("cannot start processes: no port of this host is free");
  std::vector<std::string> common = {"DS_SECRET=" + randomSecret(), "DS_MASTER_ADDR=127.0.0.1",
                                     "DS_MASTER_PORT=" + std::to_string(port)};
  children.clear();
  ranks.clear();
  told.clear();
  firstFailure.reset();
  hadRanks = endedByUs = false;
  started = now();
  readCodes();
  codes.clear();
  if (byMpirun) {
    if (codePipe[1] >= 0)
      common.push_back(std::string(kLauncherVariable) + "=/proc/" + std::to_string(getpid()) +
                       "/fd/" + std::to_string(codePipe[1]));
    // Open MPI asks who runs it; it is whoever runs this process. MPICH knows neither word.
    common.insert(common.end(), {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                                 "OMPI_MCA_rmaps_base_oversubscribe=1"});
    auto process = startProcess(commandLine(), common);
    if (!process)
      return process.takeError();
    children.push_back({*process});
    return Error::success();
  }
  const std::string size = std::to_string(*options.launch);
  for (int64_t rank = 0; rank < *options.launch; ++rank) {
    std::vector<std::string> variables = common;
    const std::string number = std::to_string(rank);
    variables.insert(variables.end(), {"DS_RANK=" + number, "DS_WORLD_SIZE=" + size,
                                       "DS_LOCAL_RANK=" + number, "DS_LOCAL_SIZE=" + size});
    auto process = startProcess(commandLine(), variables);
    if (!process) {
      killAll(SIGKILL);
      return process.takeError();
    }
    children.push_back({*process, rank});
  }
  return Error::success();
}

/// Takes in whoever has ended. The cause is the first that failed, but one that a signal killed
/// came before those that ended by themselves: a dying process closes its connections before it can
/// be waited for, and the others may miss it first.
void LaunchedJob::collect() {
  for (Child &child : children) {
    if (!child.runs || waitpid(child.process, &child.status, WNOHANG) != child.process)
      continue;
    child.runs = false;
    const bool killed = WIFSIGNALED(child.status);
    if (child.status != 0 && !endedByUs &&
        (!firstFailure || (killed && !WIFSIGNALED(firstFailure->status))))
      firstFailure = child;
  }
}

void LaunchedJob::killAll(int signal) {
  for (const Child &child : children)
    if (child.runs)
      kill(child.process, signal);
}

/// Whether ranks of mpirun may come to this host that are gone within a second.
bool LaunchedJob::awaitsRanks() const {
  return byMpirun && !hadRanks && now() < started + secondsToFind;
}

/// Looks for the ranks of mpirun on this host, in each round until the first is here, then once a
/// second until all are: a search reads all of /proc. Those that have ended go at once.
void LaunchedJob::findRanks() {
  if (!byMpirun)
    return;
  for (auto rank = ranks.begin(); rank != ranks.end();)
    rank = runsThisProgram(*rank) ? std::next(rank) : ranks.erase(rank);
  const bool areAllHere = ranks.size() == static_cast<size_t>(*options.launch);
  if (areAllHere || (toldToEnd != 1 && !awaitsRanks() && now() < nextSearch))
    return;
  nextSearch = now() + 1;
  for (const Child &child : children)
    if (child.runs)
      for (pid_t rank : descendantsOfThisProgram(child.process))
        ranks.insert(rank);
  hadRanks |= !ranks.empty();
}

void LaunchedJob::pass(int signal) {
  if (signal == SIGTSTP) {
    killAll(byMpirun ? SIGTSTP : SIGSTOP);
    raise(SIGSTOP);
    return;
  }
  if (signal == SIGCONT)
    return killAll(SIGCONT);
  interrupted |= signal == SIGINT;
  if (toldToEnd++ > 0) {
    killAll(signal);
    for (pid_t rank : ranks) // not every mpirun passes it on
      kill(rank, signal);
    return;
  }
  // Not every mpirun keeps the code of a rank that ended by SIGINT.
  toTell = byMpirun ? SIGUSR1 : signal;
  elsewhere = now() + secondsToFind;
  findRanks();
  tellRanks();
}

/// Tells the ranks that have not been told yet. One that is just being started cannot take a signal
/// before it has a handler for it.
void LaunchedJob::tellRanks() {
  std::set<pid_t> all = ranks;
  if (!byMpirun)
    for (const Child &child : children)
      if (child.runs)
        all.insert(child.process);
  for (pid_t rank : all)
    if (!told.count(rank) && handlesSignal(rank, toTell) && kill(rank, toTell) == 0)
      told.insert(rank);
  // An mpirun of another host, as DS_MPIRUN may name it, has to pass the signal on.
  if (byMpirun && told.empty() && now() >= elsewhere) {
    killAll(toTell);
    told.insert(0);
  }
}

/// Whether what is left of the job ends by itself, or hangs. Ranks of mpirun on other hosts have as
/// long to save as they were given.
bool LaunchedJob::isOver() const {
  if (firstFailure || toldToEnd > 1)
    return true;
  if (hadRanks)
    return ranks.empty();
  const bool hadTime =
      toldToEnd == 1 && options.saveWithin > 0 && now() > elsewhere + options.saveWithin;
  return byMpirun && (areAllKnown() || hadTime);
}

/// Ends what is left so many seconds after the job was over. An mpirun may have to clean up, and
/// what it has started is in its group.
void LaunchedJob::endLeft(time_t seconds) {
  if (seconds <= graceSeconds)
    return;
  const bool terminates = byMpirun && seconds <= graceSeconds + secondsToTerminate;
  if (terminates && endedByUs)
    return;
  endedByUs = true;
  if (!byMpirun)
    return killAll(SIGKILL);
  kill(-children.front().process, terminates ? SIGTERM : SIGKILL);
  if (!terminates)
    for (pid_t rank : ranks)
      kill(rank, SIGKILL);
}

void LaunchedJob::readCodes() {
  unsigned char bytes[256];
  ssize_t count;
  while (codePipe[0] >= 0 && (count = read(codePipe[0], bytes, sizeof bytes)) > 0)
    codes.insert(codes.end(), bytes, bytes + count);
}

/// Of those that have said it; an error goes first, then the wish for another start.
int LaunchedJob::codeOfRanks() const {
  int worst = 0;
  for (int code : codes) {
    const bool isError = code != 0 && code != exitRequeue && code != exitInterrupted;
    if (isError)
      return code;
    worst = std::max(worst, code);
  }
  return worst;
}

/// Of an mpirun that was ended here.
JobEnd LaunchedJob::endOfHungLauncher() const {
  JobEnd end;
  end.killed = true;
  end.code = areAllKnown() ? codeOfRanks() : toldToEnd > 0 ? exitRequeue : 1;
  end.what = "'" + commandLine().front() + "' still ran " + std::to_string(graceSeconds) +
             " s after the job's end, and was ended";
  const bool isUnknown = !areAllKnown() && toldToEnd == 0;
  tell("ds-run: " + (isUnknown ? "error: " + end.what + "; how the ranks ended is not known"
                               : "warning: " + end.what),
       [] { return true; });
  return end;
}

JobEnd LaunchedJob::wait() {
  const sigset_t signals = signalsOfJobs();
  time_t lasted = now(); // until when the job went on
  while (true) {
    collect();
    readCodes();
    if (llvm::none_of(children, [](const Child &child) { return child.runs; }))
      break;
    findRanks();
    if (toldToEnd == 1)
      tellRanks();
    if (!isOver())
      lasted = now();
    endLeft(now() - lasted);
    timespec slice = {0, awaitsRanks() ? 50'000'000 : 200'000'000};
    int signal = sigtimedwait(&signals, nullptr, &slice);
    if (signal > 0 && signal != SIGCHLD)
      pass(signal);
  }
  JobEnd end = byMpirun && endedByUs ? endOfHungLauncher() : endOfProcesses();
  // mpirun may take the end that was asked for as a failure of its own, or for none.
  if (toldToEnd == 1 && (areAllKnown() || codeOfRanks() != 0))
    end.code = codeOfRanks();
  if (interrupted && end.code == exitRequeue)
    end.code = exitInterrupted;
  return end;
}

/// As the first process that failed says.
JobEnd LaunchedJob::endOfProcesses() const {
  JobEnd end;
  if (!firstFailure)
    return end;
  const int status = firstFailure->status;
  const std::string who = byMpirun ? "the job"
                                   : "rank " + std::to_string(firstFailure->rank) + " of " +
                                         std::to_string(*options.launch);
  if (WIFSIGNALED(status)) {
    end.killed = true;
    end.code = 128 + WTERMSIG(status);
    end.what = who + " was killed by signal " + std::to_string(WTERMSIG(status)) + " (" +
               strsignal(WTERMSIG(status)) + ")";
  } else {
    end.code = WEXITSTATUS(status);
    // mpirun has seen the signal, and says it in its code. A rank that had to be ended hung.
    end.killed = endedByUs || (byMpirun && end.code != 1);
    end.what = who + " ended with exit code " + std::to_string(end.code);
  }
  // A rank that the signal met before its first instruction.
  if (toldToEnd == 1 && end.code == 128 + toTell)
    end.code = exitRequeue;
  return end;
}

} // namespace ds
