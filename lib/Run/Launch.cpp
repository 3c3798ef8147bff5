//===- Launch.cpp - The ranks of one host as processes ----------*- C++ -*-===//
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
// A job is started again if a rank was killed, or if it has written a generation since its start:
// one that fails twice at the same place would fail there for ever.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Launch.h"

#include "Descendants.h"

#include "ds/Run/Checkpoints.h"
#include "ds/Run/Interrupt.h"
#include "ds/Run/Output.h"
#include "ds/Support/UserError.h"

#include "dsrt/dsrt.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <random>
#include <set>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// What the others get to end by themselves when a rank has failed: they have a word to say.
static constexpr int graceSeconds = 10;
/// After which ranks of an mpirun are taken to run elsewhere.
static constexpr int secondsToFind = 10;

namespace {
struct Child {
  pid_t process = -1;
  int64_t rank = 0;
  int status = 0; // of waitpid
  bool runs = true;
};

/// How a job ended.
struct End {
  int code = 0;        // of the first process that failed
  bool killed = false; // a process, by somebody else
  std::string what;    // a sentence about it
};

class Job {
public:
  Job(const RunOptions &options, std::vector<std::string> arguments)
      : options(options), arguments(std::move(arguments)),
        byMpirun(options.backend == "auto" || options.backend == "mpi") {}

  Error start();
  Expected<End> wait();
  bool wasToldToEnd() const { return toldToEnd > 0; }

private:
  std::vector<std::string> commandLine() const;
  Expected<pid_t> startProcess(const std::vector<std::string> &line,
                               const std::vector<std::string> &variables);
  void collect();
  void pass(int signal);
  void tellRanks();
  void killAll(int signal);

  const RunOptions &options;
  std::vector<std::string> arguments;
  bool byMpirun, interrupted = false;
  int toldToEnd = 0;      // signals
  int toTell = 0;         // the first of them
  std::set<pid_t> told;   // ranks
  time_t elsewhere = 0;   // when ranks that are not found here are told by mpirun
  bool endedByUs = false; // what a failure left, after its grace
  std::vector<Child> children;
  std::optional<Child> firstFailure;
};
} // namespace

/// The signals that are passed on, and that of a child that ended.
static sigset_t ourSignals() {
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

std::vector<std::string> Job::commandLine() const {
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

Expected<pid_t> Job::startProcess(const std::vector<std::string> &line,
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

Error Job::start() {
  const int port = freePort();
  if (port == 0)
    return userError("cannot start processes: no port of this host is free");
  std::vector<std::string> common = {"DS_SECRET=" + randomSecret(), "DS_MASTER_ADDR=127.0.0.1",
                                     "DS_MASTER_PORT=" + std::to_string(port)};
  children.clear();
  told.clear();
  firstFailure.reset();
  endedByUs = false;
  if (byMpirun) {
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
void Job::collect() {
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

void Job::killAll(int signal) {
  for (const Child &child : children)
    if (child.runs)
      kill(child.process, signal);
}

void Job::pass(int signal) {
  if (signal == SIGTSTP) {
    killAll(byMpirun ? SIGTSTP : SIGSTOP);
    raise(SIGSTOP);
    return;
  }
  if (signal == SIGCONT)
    return killAll(SIGCONT);
  interrupted |= signal == SIGINT;
  if (toldToEnd++ > 0)
    return killAll(signal);
  // Not every mpirun keeps the code of a rank that ended by SIGINT.
  toTell = byMpirun ? SIGUSR1 : signal;
  elsewhere = now() + secondsToFind;
  tellRanks();
}

/// Tells the ranks that have not been told yet. One that is just being started cannot take a signal
/// before it has a handler for it.
void Job::tellRanks() {
  std::vector<pid_t> ranks;
  for (const Child &child : children)
    if (child.runs && byMpirun)
      ranks = descendantsOfThisProgram(child.process);
    else if (child.runs)
      ranks.push_back(child.process);
  for (pid_t rank : ranks)
    if (!told.count(rank) && handlesSignal(rank, toTell) && kill(rank, toTell) == 0)
      told.insert(rank);
  // An mpirun of another host, as DS_MPIRUN may name it, has to pass the signal on.
  if (byMpirun && told.empty() && now() >= elsewhere) {
    killAll(toTell);
    told.insert(0);
  }
}

Expected<End> Job::wait() {
  const sigset_t signals = ourSignals();
  time_t deadline = 0; // for the ranks that a failure leaves
  while (true) {
    collect();
    if (llvm::none_of(children, [](const Child &child) { return child.runs; }))
      break;
    if (toldToEnd == 1)
      tellRanks();
    if (firstFailure && deadline == 0)
      deadline = now() + graceSeconds;
    if (deadline && now() > deadline) {
      endedByUs = true;
      killAll(SIGKILL);
    }
    timespec slice = {0, 200'000'000};
    int signal = sigtimedwait(&signals, nullptr, &slice);
    if (signal > 0 && signal != SIGCHLD)
      pass(signal);
  }
  End end;
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
    // mpirun has seen the signal, and says it in its code. One that had to be ended hung.
    end.killed = endedByUs || (byMpirun && end.code != 1);
    end.what = who + " ended with exit code " + std::to_string(end.code);
  }
  // A rank that the signal met before its first instruction.
  if (toldToEnd == 1 && end.code == 128 + toTell)
    end.code = exitRequeue;
  if (interrupted && end.code == exitRequeue)
    end.code = exitInterrupted;
  return end;
}

/// When the last generation was written; the beginning of time if there is none. Not the last one
/// by name: that may be one that was passed over.
static llvm::sys::TimePoint<> lastGeneration(const RunOptions &options) {
  llvm::sys::TimePoint<> last;
  if (options.save.empty())
    return last;
  for (const auto &generation : findGenerations(options.save)) {
    llvm::sys::fs::file_status status;
    if (!llvm::sys::fs::status(generation.second, status))
      last = std::max(last, status.getLastModificationTime());
  }
  return last;
}

/// Without what the started processes must not do again.
static std::vector<std::string> withoutLaunch(const std::vector<std::string> &arguments) {
  std::vector<std::string> kept;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef name = StringRef(arguments[i]).ltrim('-');
    bool ours = arguments[i][0] == '-' &&
                llvm::is_contained({"launch", "max-restarts"}, name.split('=').first);
    if (!ours)
      kept.push_back(arguments[i]);
    else if (!name.contains('='))
      ++i; // its value
  }
  return kept;
}

Expected<int> launch(const RunOptions &options, const std::vector<std::string> &arguments) {
  int32_t rank = 0, size = 1;
  if (dsrt_launched(&rank, &size))
    return userError("--launch starts " + Twine(*options.launch) +
                     " processes, but a launcher has started this one; leave one of them out");
  sigset_t signals = ourSignals();
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  Job job(options, withoutLaunch(arguments));
  for (int64_t restarts = 0;; ++restarts) {
    const auto before = lastGeneration(options);
    if (Error error = job.start())
      return error;
    auto end = job.wait();
    if (!end)
      return end.takeError();
    const bool isDone = end->code == 0 || end->code == exitRequeue || end->code == exitInterrupted;
    if (isDone || job.wasToldToEnd() || options.maxRestarts == 0)
      return end->code;
    const bool goesOn = end->killed || lastGeneration(options) > before;
    if (restarts == options.maxRestarts || !goesOn) {
      tell("ds-run: error: " + end->what + "; " +
               (goesOn ? "it was started again " + std::to_string(restarts) + " times"
                       : "it is not started again, because it has written no generation since its "
                         "start"),
           [] { return true; });
      return end->code;
    }
    tell("ds-run: warning: " + end->what + "; starting the job again (" +
             std::to_string(restarts + 1) + " of " + std::to_string(options.maxRestarts) +
             " restarts)",
         [] { return true; });
  }
}

} // namespace ds
