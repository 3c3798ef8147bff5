//===- LaunchedJob.cpp - The processes of one job ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nccl and hccl ranks meet by a store, so they are started here, one process each; mpi ranks are
// started by their own mpirun, one process of which stands for the job. Signals are taken one at a
// time by sigtimedwait, so no code runs in a handler. A signal is sent to each rank itself, once
// the rank handles it: what an mpirun does with a signal depends on the signal, on its version, and
// on its progress in starting ranks. Children have a process group of their own; otherwise, a
// terminal's Ctrl-C would reach them twice, and the second one ends a training at once.
//
//===----------------------------------------------------------------------===//
#include "LaunchedJob.h"

#include "Ranks/Descendants.h"

#include "ds/Run/Options/RosterAddress.h"
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

/// The time between SIGTERM and SIGKILL to an mpirun.
static constexpr int secondsToTerminate = 5;
/// The time after which ranks of an mpirun are assumed to run on other hosts.
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

/// Returns a port that is free now; 0 if there is none.
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
    codePipe[0] = codePipe[1] = -1; // then mpirun alone reports exit codes
}

LaunchedJob::~LaunchedJob() {
  dsrt_roster_close(roster);
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

/// Opens the roster that the started processes join, with any that come by themselves.
Error LaunchedJob::openRoster() {
  RosterAddress address;
  if (!options.roster.empty())
    if (Error error = RosterAddress::parse(options.roster).moveInto(address))
      return error;
  const dsrt_roster_options rules = {sizeof(dsrt_roster_options),
                                     static_cast<int32_t>(*options.launch),
                                     static_cast<int32_t>(*options.minProcesses),
                                     static_cast<int32_t>(*options.ranks), 1000 * options.maxWait};
  if (dsrt_roster_open(&rules, address.host.c_str(), &address.port, &roster) != DSRT_OK)
    return userError(std::string("--min-processes needs a roster: ") + dsrt_last_error(nullptr));
  arguments.insert(arguments.end(), {"--roster", address.text()});
  return Error::success();
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
    // Open MPI asks which user runs it: that of this process. MPICH ignores both variables.
    common.insert(common.end(), {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                                 "OMPI_MCA_rmaps_base_oversubscribe=1"});
    auto process = startProcess(commandLine(), common);
    if (!process)
      return process.takeError();
    children.push_back({*process});
    return Error::success();
  }
  if (options.minProcesses) {
    common.clear(); // their places and their secret are those of the roster
    if (Error error = openRoster())
      return error;
  }
  const std::string size = std::to_string(*options.launch);
  for (int64_t rank = 0; rank < *options.launch; ++rank) {
    std::vector<std::string> variables = common;
    const std::string number = std::to_string(rank);
    variables.push_back("DS_RANK=" + number);
    if (!roster)
      variables.insert(variables.end(), {"DS_WORLD_SIZE=" + size, "DS_LOCAL_RANK=" + number,
                                         "DS_LOCAL_SIZE=" + size});
    auto process = startProcess(commandLine(), variables);
    if (!process) {
      killAll(SIGKILL);
      return process.takeError();
    }
    children.push_back({*process, rank});
  }
  return Error::success();
}

/// Reaps processes that have ended. The cause of a failure is the first process that failed, but a
/// process killed by a signal precedes those that exited: a dying process closes its connections
/// before it can be waited for, so the others may fail over it first.
void LaunchedJob::collect() {
  for (Child &child : children) {
    if (!child.runs || waitpid(child.process, &child.status, WNOHANG) != child.process)
      continue;
    child.runs = false;
    finished |= child.status == 0;
    if (mayLose(child.status) && !endedByUs) {
      lastLost = child;
      if (WIFSIGNALED(child.status) && toldToEnd == 0)
        tell("ds-run: warning: " + endOf(child).what + "; the training goes on while at least " +
                 std::to_string(*options.minProcesses) + " are left (--min-processes)",
             [] { return true; });
      continue;
    }
    const bool killed = WIFSIGNALED(child.status);
    if (child.status != 0 && !endedByUs &&
        (!firstFailure || (killed && !WIFSIGNALED(firstFailure->status))))
      firstFailure = child;
  }
}

bool LaunchedJob::mayLose(int status) const {
  if (!roster || status == 0)
    return false;
  constexpr int crashed = 70;
  return WIFSIGNALED(status) || WEXITSTATUS(status) == exitRequeue ||
         WEXITSTATUS(status) == crashed;
}

/// True if processes that were not started here may still train.
bool LaunchedJob::isRosterInUse() const {
  return roster && !finished && !firstFailure && dsrt_roster_members(roster) > 0;
}

void LaunchedJob::killAll(int signal) {
  for (const Child &child : children)
    if (child.runs)
      kill(child.process, signal);
}

/// True if ranks of mpirun may still start on this host and end within a second.
bool LaunchedJob::awaitsRanks() const {
  return byMpirun && !hadRanks && now() < started + secondsToFind;
}

/// Searches for the ranks of mpirun on this host: in each round until the first is found, then once
/// a second until all are, because a search reads all of /proc. Ranks that have ended are removed
/// at once.
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
    for (pid_t rank : ranks) // not every mpirun forwards it
      kill(rank, signal);
    return;
  }
  // Not every mpirun keeps the code of a rank that ended by SIGINT, and for a member of a roster
  // SIGTERM means that it alone shall leave.
  toTell = byMpirun || (roster && signal == SIGTERM) ? SIGUSR1 : signal;
  elsewhere = now() + secondsToFind;
  findRanks();
  tellRanks();
}

/// Sends the signal to ranks that have not got it yet. A rank that is just starting cannot take a
/// signal before it has installed a handler.
void LaunchedJob::tellRanks() {
  std::set<pid_t> all = ranks;
  if (!byMpirun)
    for (const Child &child : children)
      if (child.runs)
        all.insert(child.process);
  for (pid_t rank : all)
    if (!told.count(rank) && handlesSignal(rank, toTell) && kill(rank, toTell) == 0)
      told.insert(rank);
  // An mpirun for other hosts, as DS_MPIRUN may name it, has to forward the signal.
  if (byMpirun && told.empty() && now() >= elsewhere) {
    killAll(toTell);
    told.insert(0);
  }
}

/// True if the rest of the job should end by itself now; if it does not, it hangs. Ranks of mpirun
/// on other hosts get the time that --save-within grants them.
bool LaunchedJob::isOver() const {
  if (firstFailure || toldToEnd > 1)
    return true;
  if (roster)
    return finished || (toldToEnd == 1 && lastLost) || dsrt_roster_members(roster) < 0;
  if (hadRanks)
    return ranks.empty();
  const bool hadTime =
      toldToEnd == 1 && options.saveWithin > 0 && now() > elsewhere + options.saveWithin;
  return byMpirun && (areAllKnown() || hadTime);
}

/// Ends the remaining processes when the job has been over for this many seconds. An mpirun may
/// have to clean up, and the processes that it started are in its group.
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

JobEnd LaunchedJob::wait() {
  const sigset_t signals = signalsOfJobs();
  time_t lasted = now(); // the last time at which the job was not over
  while (true) {
    collect();
    readCodes();
    if (llvm::none_of(children, [](const Child &child) { return child.runs; }) && !isRosterInUse())
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
  // mpirun may report the requested end as a failure of its own, or as none.
  if (toldToEnd == 1 && (areAllKnown() || codeOfRanks() != 0))
    end.code = codeOfRanks();
  if (interrupted && end.code == exitRequeue)
    end.code = exitInterrupted;
  return end;
}

} // namespace ds
