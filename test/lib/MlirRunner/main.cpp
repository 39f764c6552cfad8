// gensyn-mlir-runner: runs many MLIR texts through pipelines, each in a child
// process with limits on time and memory, and says which of them ended it.
//
// Standard input is a list of cases: a line `case NAME ACTION-BYTES
// TEXT-BYTES`, then so many bytes of each. For each case a line `NAME OUTCOME`
// is written: `ok`, `refused` (an error was reported), `signal N` or `timeout`.
// An action is a pipeline as --pass-pipeline takes it, without
// `builtin.module(...)`, or
//   roundtrip          prints the text in both forms and reads it again
//   check-bits P       pipeline P under --check-bits
//   translate OPTIONS  gensyn-translate with these options, split at blanks
// Children share a context that was set up before they were forked, so a case
// costs a millisecond where a run of gensyn-opt costs a hundred.

#include "gensyn/CheckBits/CheckBits.h"
#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Pipelines/Register.h"
#include "gensyn/Pipelines/TextFacts.h"
#include "gensyn/Pipelines/TranslateMain.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
namespace cl = llvm::cl;

namespace {

struct Case {
  std::string name, action, text;
};

struct Limits {
  unsigned seconds, megabytes;
};

enum Outcome : char { Ok = 'o', Refused = 'r' };

/// The output that the tools would print. Messages are printed too: their types
/// and attributes come from the text.
class Silence {
public:
  explicit Silence(MLIRContext &context)
      : handler(context.getDiagEngine().registerHandler(
            [this](Diagnostic &diagnostic) {
              std::string text = diagnostic.str();
              hasError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
              return success();
            })),
        context(context) {}
  ~Silence() { context.getDiagEngine().eraseHandler(handler); }
  bool hasError = false;

private:
  DiagnosticEngine::HandlerID handler;
  MLIRContext &context;
};

std::string printed(ModuleOp module, const OpPrintingFlags &flags) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, flags);
  return text;
}

Outcome runTranslation(const Case &one) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::StringRef(one.action).split(words, ' ', -1, false);
  const std::string path =
      "/tmp/gensyn-mlir-runner-" + std::to_string(getpid()) + ".mlir";
  std::ofstream(path) << one.text;
  auto remove = llvm::make_scope_exit([&] { unlink(path.c_str()); });
  std::vector<std::string> arguments = {"gensyn-translate"};
  for (llvm::StringRef word : llvm::drop_begin(words))
    arguments.push_back(word.str());
  arguments.insert(arguments.end(), {path, "-o", "/dev/null"});
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  const int exitCode = gensyn::runTranslateMain(
      static_cast<int>(pointers.size()), pointers.data());
  if (exitCode < 0 || exitCode > 6)
    _exit(exitCode);
  return exitCode == 0 ? Ok : Refused;
}

Outcome runCase(MLIRContext &context, const Case &one) {
  llvm::StringRef action = one.action;
  if (action.starts_with("translate "))
    return runTranslation(one);
  // The same as in the tools.
  if (!gensyn::whyNotRead(one.text).empty())
    return Refused;
  Silence silence(context);
  auto module = parseSourceString<ModuleOp>(one.text, &context);
  if (!module)
    return Refused;
  if (action == "roundtrip") {
    for (bool generic : {false, true})
      if (!parseSourceString<ModuleOp>(
              printed(*module, OpPrintingFlags().printGenericOpForm(generic)),
              &context))
        return Refused;
    return Ok;
  }
  PassManager passes(&context, ModuleOp::getOperationName(),
                     OpPassManager::Nesting::Implicit);
  gensyn::checkbits::CheckResult result;
  if (action.consume_front("check-bits ")) {
    gensyn::checkbits::CheckOptions options;
    options.trials = 2;
    options.work = 1 << 28; // a few seconds: what is large is another's concern
    gensyn::checkbits::checkBits(passes, options, result, llvm::nulls());
  }
  if (failed(parsePassPipeline(action, passes, llvm::nulls())) ||
      failed(passes.run(*module)))
    return Refused;
  printed(*module, OpPrintingFlags());
  return Ok;
}

/// Ends the process by a signal after this many seconds of processor time,
/// whatever else the machine does, and after many more on the clock, if it
/// blocks; 0: never.
void setTimer(unsigned seconds) {
  constexpr unsigned slowest = 30;
  const itimerval timer = {{0, 0}, {static_cast<time_t>(seconds), 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(slowest * seconds);
}

/// In the child: a byte for each case that ended.
[[noreturn]] void runCases(MLIRContext &context, llvm::ArrayRef<Case> cases,
                           const Limits &limits, int out) {
  const int null = open("/dev/null", O_WRONLY);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  std::ifstream statm("/proc/self/statm");
  rlim_t pages = 0;
  statm >> pages;
  const rlim_t most = pages * static_cast<rlim_t>(getpagesize()) +
                      (static_cast<rlim_t>(limits.megabytes) << 20);
  const rlimit memory = {most, most}, core = {0, 0};
  // A sanitizer's shadow takes terabytes of addresses.
  if (limits.megabytes > 0)
    setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_CORE, &core);
  for (const Case &one : cases) {
    setTimer(limits.seconds);
    const Outcome outcome = runCase(context, one);
    setTimer(0);
    if (write(out, &outcome, 1) != 1)
      _exit(1);
  }
  _exit(0);
}

std::string describe(int status) {
  if (!WIFSIGNALED(status))
    return "exit " + std::to_string(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  return signal == SIGALRM || signal == SIGPROF
             ? "timeout"
             : "signal " + std::to_string(signal);
}

/// gensyn-translate may exit at once on an error.
std::string describeTool(int status) {
  return WIFEXITED(status) && WEXITSTATUS(status) == 3 ? "refused"
                                                       : describe(status);
}

void runAll(MLIRContext &context, llvm::ArrayRef<Case> cases,
            const Limits &limits) {
  while (!cases.empty()) {
    // A translation keeps its options, so it gets a process of its own.
    auto isTranslation = [](const Case &one) {
      return llvm::StringRef(one.action).starts_with("translate ");
    };
    const size_t size =
        isTranslation(cases.front())
            ? 1
            : static_cast<size_t>(std::distance(
                  cases.begin(), llvm::find_if(cases, isTranslation)));
    llvm::ArrayRef<Case> some = cases.take_front(size);
    int ends[2];
    if (pipe(ends) != 0)
      llvm::report_fatal_error("no pipe");
    std::cout.flush();
    const pid_t child = fork();
    if (child < 0)
      llvm::report_fatal_error("no process");
    if (child == 0) {
      close(ends[0]);
      runCases(context, some, limits, ends[1]);
    }
    close(ends[1]);
    char outcome = 0;
    size_t done = 0;
    while (read(ends[0], &outcome, 1) == 1)
      std::cout << some[done++].name
                << (outcome == Ok ? " ok\n" : " refused\n");
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (done < some.size())
      std::cout << some[done++].name << " "
                << (isTranslation(some.front()) ? describeTool(status)
                                                : describe(status))
                << "\n";
    cases = cases.drop_front(done);
  }
  std::cout.flush();
}

std::vector<Case> readCases(size_t most) {
  std::vector<Case> cases;
  std::string word;
  while (cases.size() < most && std::cin >> word && word == "case") {
    Case one;
    size_t action = 0, text = 0;
    std::cin >> one.name >> action >> text;
    std::cin.get();
    one.action.resize(action);
    one.text.resize(text);
    std::cin.read(one.action.data(), static_cast<std::streamsize>(action));
    std::cin.read(one.text.data(), static_cast<std::streamsize>(text));
    cases.push_back(std::move(one));
  }
  return cases;
}

} // namespace

int main(int argc, char **argv) {
  // The options of gensyn-translate are registered in the children only.
  unsigned seconds = 10, megabytes = 2048;
  for (int i = 1; i + 1 < argc; i += 2)
    (llvm::StringRef(argv[i]) == "--memory" ? megabytes : seconds) =
        static_cast<unsigned>(std::stoul(argv[i + 1]));
  gensyn::FloatEnvironment environment;
  gensyn::registerAllPasses();
  DialectRegistry registry;
  gensyn::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  constexpr size_t kBatch = 64;
  for (std::vector<Case> cases = readCases(kBatch); !cases.empty();
       cases = readCases(kBatch))
    runAll(context, cases, {seconds, megabytes});
  return 0;
}
