// gensyn-random-programs: compares the reference with compiled code on random
// programs. Each batch runs in a process of its own, so that a crash is found,
// named and survived.

#include "Batch.h"
#include "MapPass/MapPass.h"
#include "SplitPass/SplitPass.h"
#include "TensorPass/TensorPass.h"
#include "WrongPasses/WrongPasses.h"

#include "gensyn/CheckBits/Compiled.h"
#include "gensyn/Codegen/Gpu/Schedule.h"
#include "gensyn/Pipelines/Register.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <map>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace gensyn::random_programs;
namespace cl = llvm::cl;

static cl::opt<uint64_t> seed("seed", cl::desc("Of the run; 0: the time"));
static cl::opt<uint64_t> first("first",
                               cl::desc("Number of the first program"));
static cl::opt<uint64_t> count("count", cl::desc("Programs"), cl::init(64));
static cl::opt<unsigned> inputs("inputs", cl::desc("Of each program"),
                                cl::init(10));
static cl::opt<uint64_t> batch("batch", cl::desc("Programs compiled at once"),
                               cl::init(32));
static cl::opt<unsigned> jobs("jobs", cl::desc("Processes"), cl::init(1));
static cl::opt<double> seconds("seconds",
                               cl::desc("Stop after these; 0: never"));
static cl::list<std::string>
    targets("target", cl::CommaSeparated,
            cl::desc("reference, cpu:aarch64, ptx:sm_80 "
                     "on ptx-sim, cuda:sm_80, machine:NAME, ..."));
static cl::opt<uint64_t>
    ptxEvery("ptx-every", cl::desc("Batches of which one runs on ptx-sim"),
             cl::init(8));
static cl::list<std::string>
    without("without", cl::CommaSeparated,
            cl::desc("Families that do not take part"));
static cl::opt<std::string>
    passes("passes", cl::desc("Passes to compile with: wrong ones are found"));
static cl::opt<std::string>
    ptxFolder("ptx-folder", cl::desc("Where to leave the PTX of each batch"));
static cl::opt<bool>
    unoptimized("unoptimized",
                cl::desc("Compile code for CPUs, and for the pieces of "
                         "machines, by the baseline at -O0: quicker"));
static cl::opt<bool>
    slices("sliced",
           cl::desc("Slice contractions of floats, as --accuracy sliced"));
static cl::opt<bool> print("print", cl::desc("Print the programs"));

namespace {

/// A child process and the batch it works on.
struct Child {
  uint64_t first, count;
  int pipe;
};

class Run {
public:
  Run(mlir::MLIRContext &context, const Vocabulary &vocabulary,
      const Options &options)
      : context(context), vocabulary(vocabulary), options(options) {}

  Outcome run() {
    auto start = std::chrono::steady_clock::now();
    uint64_t next = options.first;
    const uint64_t end = options.first + options.count;
    while (next < end || !children.empty()) {
      std::chrono::duration<double> time =
          std::chrono::steady_clock::now() - start;
      if (options.seconds > 0 && time.count() > options.seconds)
        next = end;
      if (next < end && children.size() < options.jobs) {
        const uint64_t size = std::min(options.perBatch, end - next);
        startChild(next, size);
        next += size;
        continue;
      }
      if (!children.empty())
        finishOne();
      showProgress(next);
    }
    return sum;
  }

private:
  /// From time to time prints progress, with the number from which a later run
  /// continues.
  void showProgress(uint64_t next) {
    constexpr uint64_t kStep = 1000;
    if (sum.programs / kStep == shown)
      return;
    shown = sum.programs / kStep;
    for (const auto &[pid, child] : children)
      next = std::min(next, child.first);
    llvm::outs() << sum.programs << " programs, " << sum.failures
                 << " failures; goes on at --first " << next << "\n";
    llvm::outs().flush();
  }

  void startChild(uint64_t from, uint64_t size) {
    int ends[2];
    if (pipe(ends) != 0)
      llvm::report_fatal_error("no pipe");
    llvm::outs().flush();
    pid_t child = fork();
    if (child == 0) {
      close(ends[0]);
      Outcome outcome = compareBatch(context, vocabulary, options, from, size);
      llvm::outs().flush();
      const bool written =
          write(ends[1], &outcome, sizeof outcome) == sizeof outcome;
      _exit(written ? 0 : 1);
    }
    close(ends[1]);
    if (child < 0)
      llvm::report_fatal_error("no process");
    children[child] = {from, size, ends[0]};
  }

  void finishOne() {
    int status = 0;
    pid_t pid = waitpid(-1, &status, 0);
    auto found = children.find(pid);
    if (found == children.end())
      return;
    Child child = found->second;
    children.erase(found);
    Outcome outcome;
    const bool whole =
        read(child.pipe, &outcome, sizeof outcome) == sizeof outcome;
    close(child.pipe);
    if (whole && !outcome.lostGpu) {
      sum += outcome;
      return;
    }
    if (child.count > 1) { // one of them crashes: each alone
      for (uint64_t i = 0; i < child.count; ++i) {
        startChild(child.first + i, 1);
        finishOne();
      }
      return;
    }
    ++sum.failures;
    llvm::outs() << "failure: --seed " << options.seed << " --first "
                 << child.first << " --count 1: "
                 << (WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                         : "ends early")
                 << "\n";
  }

  mlir::MLIRContext &context;
  const Vocabulary &vocabulary;
  const Options &options;
  std::map<pid_t, Child> children;
  Outcome sum;
  uint64_t shown = 0; // thousands of programs
};

/// Prints the number of kernels of each schedule of the GPU path.
void showKernels(const Outcome &outcome) {
  if (outcome.ptxPairs + outcome.cudaPairs == 0)
    return;
  const gensyn::gpu::Schedules &all = gensyn::gpu::getSchedules();
  llvm::outs() << "kernels for GPUs:";
  for (size_t i = 0; i < all.size(); ++i)
    llvm::outs() << " " << outcome.kernels[i] << " " << all[i]->getName()
                 << ",";
  llvm::outs() << " " << outcome.kernels[all.size()] << " baseline\n";
}

/// Whether all targets of a driver can run here; says why not. Asks in a
/// process of its own, since one that has opened the driver must not fork.
bool haveGpus(const std::vector<std::string> &targets) {
  const pid_t child = fork();
  if (child < 0)
    llvm::report_fatal_error("no process");
  if (child == 0) {
    for (llvm::StringRef target : targets)
      if (target.consume_front("cuda:"))
        if (llvm::Error error = gensyn::checkbits::findGpu(target)) {
          llvm::errs() << "gensyn-random-programs: error: "
                       << llvm::toString(std::move(error)) << "\n";
          _exit(1);
        }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    llvm::errs()
        << "gensyn-random-programs: error: the driver ends its process: "
        << strsignal(WTERMSIG(status)) << "\n";
  return status == 0;
}

} // namespace

int main(int argc, char **argv) {
  gensyn::registerAllPasses();
  gensyn::wrong::registerWrongPasses();
  gensyn::testing::registerMapPass();
  gensyn::testing::registerSplitPass();
  gensyn::testing::registerTensorPass();
  cl::ParseCommandLineOptions(argc, argv, "random programs of repro ops\n");
  mlir::DialectRegistry registry;
  gensyn::registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();

  // All options at once: the linker inside the compiler resets them.
  Options options;
  options.seed = seed ? uint64_t(seed) : uint64_t(time(nullptr));
  options.first = first;
  options.count = count;
  options.perBatch = batch;
  options.inputs = inputs;
  options.jobs = jobs;
  options.ptxEvery = ptxEvery;
  options.print = print;
  options.slices = slices;
  options.optimize = !unoptimized;
  options.ptxFolder = ptxFolder;
  options.passes = passes;
  options.seconds = seconds;
  options.targets.assign(targets.begin(), targets.end());
  if (options.targets.empty()) {
    options.targets = gensyn::checkbits::getCpuTargets();
    options.targets.push_back("ptx:sm_80");
  }
  const bool onGpu = llvm::any_of(options.targets, [](llvm::StringRef target) {
    return target.starts_with("cuda:");
  });
  if (onGpu && !haveGpus(options.targets))
    return 1;
  const std::vector<std::string> left(without.begin(), without.end());
  Vocabulary vocabulary = findVocabulary(context);
  llvm::erase_if(vocabulary.makers, [&](unsigned maker) {
    return llvm::is_contained(left, getMakers()[maker].name);
  });
  size_t patterns = 0;
  for (const auto &op : vocabulary.elementwise)
    patterns += op.size();
  llvm::outs() << "seed " << options.seed << "; "
               << vocabulary.elementwise.size() << " elementwise ops in "
               << patterns << " forms, " << vocabulary.makers.size() << " of "
               << getMakers().size() << " families; without code "
               << vocabulary.notEmitted.size() << " forms\n";
  for (const std::string &family : vocabulary.absentFamilies)
    llvm::outs() << "absent: " << family << "\n";
  if (options.print)
    for (const std::string &form : vocabulary.notEmitted)
      llvm::outs() << "without code: " << form << "\n";
  auto start = std::chrono::steady_clock::now();
  Outcome outcome = Run(context, vocabulary, options).run();
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  showKernels(outcome);
  llvm::outs()
      << outcome.programs << " programs, " << outcome.pairs
      << " pairs of program and input on " << options.targets.size()
      << " targets (" << outcome.ptxPairs << " on ptx-sim"
      << (onGpu ? ", " + std::to_string(outcome.cudaPairs) + " on cuda" : "")
      << "), " << outcome.notFrozen << " batches not frozen, "
      << (outcome.refused ? std::to_string(outcome.refused) + " refused, " : "")
      << (options.slices
              ? std::to_string(outcome.sliced) + " contractions sliced, "
              : "")
      << outcome.failures << " failures, " << llvm::format("%.1f", time.count())
      << " s\n";
  return outcome.failures ? 1 : 0;
}
