//===- main.cpp - ds-fuzz: random steps on n ranks against one --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each seed runs in a process of its own, so that a crash or a hang of the compiler is a finding
// like any other. The process is forked, because loading the compiler takes longer than a seed.
//
//===----------------------------------------------------------------------===//
#include "EndAfter.h"
#include "ds/Compiler/Registration.h"
#include "ds/Support/ToolMain.h"
#include "ds/Support/Version.h"
#include "ds/Target/Gpu/GpuTarget.h"
#include "ds/Target/OpenMPThreads.h"
#include "ds/Target/TargetCpu.h"
#include "steps/CompleteMarks.h"
#include "steps/Differential.h"
#include "steps/Generator.h"

#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <csignal>
#include <map>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ds::fuzz;
namespace cl = llvm::cl;

static cl::OptionCategory category("ds-fuzz options");
static cl::opt<uint64_t> firstSeed("seed", cl::desc("The first seed"), cl::init(1),
                                   cl::cat(category));
static cl::opt<uint64_t> count("count", cl::desc("How many seeds"), cl::init(1), cl::cat(category));
static cl::opt<unsigned> jobs("jobs", cl::desc("How many seeds at a time"), cl::init(1),
                              cl::cat(category));
static cl::opt<unsigned> limit("timeout", cl::desc("Seconds that a seed may take"), cl::init(600),
                               cl::cat(category));
static cl::opt<bool> print("print", cl::desc("Print the step of the seed instead of running it"),
                           cl::cat(category));
static cl::opt<bool> printProgram("print-program",
                                  cl::desc("Print the step as the compiler gets it"),
                                  cl::cat(category));
static cl::opt<bool> printSharded("print-sharded",
                                  cl::desc("Print the step as it is sharded over a mesh; with "
                                           "--print, the one with marks"),
                                  cl::cat(category));
static cl::opt<std::string> file("file", cl::desc("Run this step instead of random ones"),
                                 cl::cat(category));
static cl::opt<std::string> distributed(
    "distributed",
    cl::desc("A step for one rank, made of that of --file by hand or by other passes: compare it"),
    cl::cat(category));
static cl::opt<std::string> passes("passes",
                                   cl::desc("Passes that the step of --file went through "
                                            "before the compiler gets it"),
                                   cl::cat(category));
static cl::opt<bool> keepMarks("keep-marks",
                               cl::desc("The step of --file has all marks that its meaning needs, "
                                        "and the compiler gets it with them"),
                               cl::cat(category));
static cl::list<int64_t> ranks("ranks", cl::CommaSeparated, cl::desc("Numbers of ranks"),
                               cl::cat(category));
static cl::list<std::string>
    meshes("mesh", cl::CommaSeparated, cl::value_desc("2x2,2x4"),
           cl::desc("Divide every step at random over the axes of a mesh, these taken in turn"),
           cl::cat(category));
static cl::opt<bool>
    opens("open", cl::desc("With --mesh: marks of values leave dimensions open to other axes"),
          cl::cat(category));
static cl::opt<bool> stopAtFirst("stop", cl::desc("Stop at the first finding"), cl::cat(category));
static cl::opt<bool> verbose("verbose", cl::desc("A line for every seed"), cl::cat(category));
static cl::opt<bool> loops("loops", cl::desc("Generate control flow"), cl::init(true),
                           cl::cat(category));

static cl::opt<bool> code("code",
                          cl::desc("Compare code instead, in floats on one device: as users get it "
                                   "with the same step compiled plainly"),
                          cl::cat(category));
static cl::opt<std::string>
    device("device",
           cl::desc("Compare code, that for cuda, the GPUs of this machine, with the same ranks "
                    "compiled plainly for the CPU"),
           cl::value_desc("NAME"), cl::init(ds::kCpuTarget), cl::cat(category));
static cl::opt<bool> placements(
    "placements",
    cl::desc("Compare the bits of ranks that share several processes with those of threads"),
    cl::cat(category));
static cl::opt<std::string> targetCpu("target-cpu", cl::desc(ds::kTargetCpuHelp),
                                      cl::value_desc("NAME"), cl::cat(category));

namespace {

struct Report {
  Outcome outcome;
  std::string summary;
};

class Fuzz {
public:
  Fuzz() {
    ds::registerDialects(registry);
    mlir::registerAllPasses();
    ds::registerPasses();
  }

  std::unique_ptr<mlir::MLIRContext> makeContext() {
    auto context =
        std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
    context->printOpOnDiagnostic(false);
    return context;
  }

  /// Empty if seeds choose for themselves. What else a seed chooses by its remainder meets all
  /// meshes.
  static std::vector<ds::MeshAxis> meshOf(uint64_t seed) {
    return meshes.empty() ? std::vector<ds::MeshAxis>()
                          : parseMesh(meshes[seed / 4 % meshes.size()]);
  }

  static Step generate(mlir::MLIRContext &context, uint64_t seed) {
    std::vector<ds::MeshAxis> mesh = meshOf(seed);
    return generateStep(context, seed, {loops, mesh.empty() ? 0 : mesh.front().size});
  }

  /// In the process of a seed: what a driver of devices has does not survive a fork. Appends to
  /// `where` on which ranks. `numbers`: those of the step, or what `--ranks` asks for.
  static Outcome compareCodeOf(mlir::ModuleOp author, mlir::ModuleOp program,
                               llvm::ArrayRef<int64_t> numbers, uint64_t seed, std::string &where) {
    if (device == ds::kCpuTarget)
      return compareCode(program, seed);
    llvm::Expected<std::string> target = ds::findGpu();
    if (!target)
      return {Verdict::broken, llvm::toString(target.takeError()), 0};
    GpuPlace place = pickGpuPlace(*target, numbers.front(), seed);
    if (!ranks.empty())
      place.numRanks = numbers.front();
    where += ", " + toText(place);
    return compareGpuCode(author, program, place, seed);
  }

  Report runSeed(uint64_t seed) {
    auto context = makeContext();
    Step step = generate(*context, seed);
    if (mlir::failed(mlir::verify(*step.marked)))
      return {{Verdict::broken, "the generated step is not valid", 0}, step.summary};
    mlir::OwningOpRef<mlir::ModuleOp> program = makeProgram(*step.marked, step.variant);
    if (!program) // upstream's passes have mistakes of their own
      program = makeProgram(*step.marked, "");
    std::vector<int64_t> numbers(ranks.begin(), ranks.end());
    if (numbers.empty())
      numbers = {step.numRanks};
    std::vector<ds::MeshAxis> mesh = meshOf(seed);
    std::string where;
    auto compare = [&](mlir::ModuleOp tested) {
      where.clear();
      return placements     ? comparePlacements(*step.marked, tested, numbers.front(), mesh, opens,
                                                seed, where)
             : code         ? compareCodeOf(*step.marked, tested, numbers, seed, where)
             : mesh.empty() ? compareWithOneDevice(*step.marked, tested, numbers, seed)
                            : compareOnMesh(*step.marked, tested, mesh, opens, seed);
    };
    Outcome outcome = compare(*program);
    bool isFinding = outcome.verdict == Verdict::different || outcome.verdict == Verdict::broken;
    if (isFinding && !isSameStep(*step.marked, *program, seed))
      outcome = compare(*makeProgram(*step.marked, ""));
    if (!mesh.empty())
      step.summary += ", mesh " + ds::toText(mesh);
    return {outcome, step.summary + where};
  }

  int runFile();
  int printSeed();
  int runSeeds();

private:
  struct Child {
    uint64_t seed;
    int pipe;
  };
  void start(uint64_t seed);
  bool finish();

  mlir::DialectRegistry registry;
  std::map<pid_t, Child> children;
  std::map<std::string, int64_t> refusals;
  int64_t equal = 0, unmarked = 0, refused = 0, found = 0; // unmarked: equal with marks alone
};

int Fuzz::runFile() {
  auto context = makeContext();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(file.getValue(), context.get());
  if (!module)
    return 1;
  mlir::OwningOpRef<mlir::ModuleOp> program = makeProgram(*module, passes);
  auto config = ds::getConfig(*module);
  if (!program || mlir::failed(config))
    return 1;
  std::vector<int64_t> numbers(ranks.begin(), ranks.end());
  if (numbers.empty())
    numbers = {config->deviceNum().value_or(2)};
  mlir::OwningOpRef<mlir::ModuleOp> ofRanks;
  if (!distributed.empty()) {
    ofRanks = mlir::parseSourceFile<mlir::ModuleOp>(distributed.getValue(), context.get());
    if (!ofRanks)
      return 1;
  }
  std::string where;
  Outcome outcome = ofRanks     ? compareDistributed(*module, *ofRanks, firstSeed)
                    : code      ? compareCodeOf(*module, *module, numbers, firstSeed, where)
                    : keepMarks ? compareAsMarked(*module, numbers, firstSeed)
                                : compareWithOneDevice(*module, *program, numbers, firstSeed);
  static constexpr const char *words[] = {"equal", "refused", "DIFFERENT", "BROKEN"};
  llvm::outs() << words[static_cast<int>(outcome.verdict)] << (outcome.message.empty() ? "" : ": ")
               << outcome.message << "\n";
  return outcome.verdict == Verdict::equal ? 0 : outcome.verdict == Verdict::refused ? 3 : 2;
}

int Fuzz::printSeed() {
  auto context = makeContext();
  Step step = generate(*context, firstSeed);
  std::vector<ds::MeshAxis> mesh = meshOf(firstSeed);
  auto config = ds::getConfig(*step.marked);
  llvm::cantFail(config->set("device_num", step.numRanks));
  ds::setConfig(*step.marked, *config);
  llvm::outs() << "// " << step.summary << "\n";
  if (!print && (printProgram || printSharded))
    step.marked = makeProgram(*step.marked, step.variant);
  else
    completeMarks(*step.marked);
  if (printSharded)
    step.marked = mesh.empty() ? shardAtRandom(*step.marked, step.numRanks, firstSeed)
                               : shardDensely(*step.marked, mesh, opens, firstSeed);
  step.marked->print(llvm::outs());
  llvm::outs() << "\n";
  return 0;
}

void Fuzz::start(uint64_t seed) {
  int ends[2];
  if (pipe(ends) != 0)
    llvm::report_fatal_error("no pipe");
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    endAfter(limit);
    Report report = runSeed(seed);
    std::string text = llvm::formatv("{0}\n{1}\n{2}\n{3}", static_cast<int>(report.outcome.verdict),
                                     report.outcome.worst, report.summary, report.outcome.message);
    ssize_t written = write(ends[1], text.data(), text.size());
    _exit(written == ssize_t(text.size()) ? 0 : 1);
  }
  close(ends[1]);
  children[child] = {seed, ends[0]};
}

/// Waits for one child; whether it found nothing.
bool Fuzz::finish() {
  int status = 0;
  pid_t pid = wait(&status);
  Child child = children[pid];
  children.erase(pid);
  std::string text;
  char buffer[4096];
  for (ssize_t size; (size = read(child.pipe, buffer, sizeof buffer)) > 0;)
    text.append(buffer, size);
  close(child.pipe);
  const std::string what = device != ds::kCpuTarget ? " --device " + device
                           : code                   ? " --code"
                           : placements             ? " --placements"
                                                    : "";
  std::string reproduce = llvm::formatv(
      "ds-fuzz --seed {0}{1}{2}{3}{4}{5}", child.seed, what, loops ? "" : " --loops=false",
      meshes.empty() ? "" : " --mesh " + llvm::join(meshes, ","), opens ? " --open" : "",
      targetCpu == ds::kNativeCpu ? "" : " --target-cpu=" + targetCpu);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    ++found;
    std::string how = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM
                          ? "hangs"
                          : llvm::formatv("dies (status {0})", status).str();
    llvm::outs() << "seed " << child.seed << ": BROKEN: " << how << "\n  " << reproduce << "\n";
    return false;
  }
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n', 3);
  auto verdict = static_cast<Verdict>(lines[0][0] - '0');
  if (verdict == Verdict::equal) {
    ++equal;
    unmarked += !lines[3].empty();
  }
  if (verdict == Verdict::refused) {
    ++refused;
    ++refusals[lines[3].str()];
  }
  bool good = verdict == Verdict::equal || verdict == Verdict::refused;
  static constexpr const char *words[] = {"equal", "refused", "DIFFERENT", "BROKEN"};
  if (!good || verbose) {
    llvm::outs() << "seed " << child.seed << ": " << words[static_cast<int>(verdict)] << " ("
                 << lines[1] << ") " << lines[3] << "\n  " << lines[2] << "\n";
    if (!good)
      llvm::outs() << "  " << reproduce << "\n";
    llvm::outs().flush();
  }
  found += !good;
  return good;
}

int Fuzz::runSeeds() {
  uint64_t next = firstSeed, end = firstSeed + count;
  bool stop = false;
  auto told = std::chrono::steady_clock::now();
  while ((next < end && !stop) || !children.empty()) {
    if (next < end && !stop && children.size() < jobs)
      start(next++);
    else if (!finish() && stopAtFirst)
      stop = true;
    if (auto now = std::chrono::steady_clock::now(); now - told >= std::chrono::minutes(1)) {
      llvm::errs() << llvm::formatv("ds-fuzz: {0} of {1} seeds, {2} found\n",
                                    equal + refused + found, count.getValue(), found);
      told = now;
    }
  }
  for (const auto &[reason, times] : refusals)
    llvm::outs() << "refused " << times << " times: " << reason << "\n";
  llvm::outs() << llvm::formatv("{0} seeds: {1} equal, {2} refused, {3} found\n",
                                equal + refused + found, equal, refused, found);
  if (unmarked)
    llvm::outs() << unmarked << " of the equal ones are refused without their marks\n";
  return found ? 1 : 0;
}

} // namespace

static int run(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  ds::setVersionPrinter("ds-fuzz");
  cl::ParseCommandLineOptions(argc, argv, "Random training steps on n ranks against one device\n");
  omp_set_num_threads(1);
  if (!targetCpu.getNumOccurrences())
    targetCpu = ds::defaultTargetCpu();
  if (llvm::Error error = ds::checkRunsHere(targetCpu)) {
    llvm::errs() << "ds-fuzz: error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  if (device != ds::kCpuTarget && device != ds::kGpuTarget) {
    llvm::errs() << "ds-fuzz: error: '--device' is '" << device << "', expected cpu or cuda\n";
    return 1;
  }
  code = code || device != ds::kCpuTarget;
  for (const std::string &mesh : meshes)
    if (parseMesh(mesh).empty()) {
      llvm::errs() << "ds-fuzz: error: '--mesh' is '" << mesh
                   << "', expected the sizes of 1 to 4 axes, as in 2x4\n";
      return 1;
    }
  if (placements && (code || !file.empty())) {
    llvm::errs() << "ds-fuzz: error: '--placements' compares random steps on ranks of the CPU; "
                    "leave out '--code', '--device' and '--file'\n";
    return 1;
  }
  if (opens && meshes.empty()) {
    llvm::errs()
        << "ds-fuzz: error: '--open' says how marks divide a mesh, but '--mesh' gives none\n";
    return 1;
  }
  if (keepMarks && !passes.empty()) {
    llvm::errs() << "ds-fuzz: error: '--passes' rewrites a step whose marks are found again, and "
                    "'--keep-marks' keeps those it has; leave out one of them\n";
    return 1;
  }
  setTargetCpu(targetCpu);
  Fuzz fuzz;
  if (print || printProgram || printSharded)
    return fuzz.printSeed();
  return file.empty() ? fuzz.runSeeds() : fuzz.runFile();
}

int main(int argc, char **argv) {
  return ds::toolMain("ds-fuzz", [&] { return run(argc, argv); });
}
