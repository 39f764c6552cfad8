// Forks workers, so that a mutant that crashes costs one process.

#include "Driver.h"

#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gensyn::fuzz {
namespace {

/// The limit on wall-clock time, for mutants that block forever. The limit on
/// processor time is an option.
constexpr unsigned mostSecondsOfClock = 200;
/// The number of mutants after which a worker is replaced, since libraries that
/// cache what they have seen have grown slow.
constexpr uint64_t mostOfAWorker = 5000;

struct Options {
  uint64_t seed = 1, first = 0, count = 1000, jobs = 1, seconds = 10;
  uint64_t memory = 2048; ///< megabytes
  std::string folder = ".";
  std::string replay;
  std::vector<std::string> corpus;
};

/// The reason why a worker ended; the code under test may end it as well, with
/// any exit code.
enum class End { ByMutant, Finding, Fresh, Done };

/// A worker's messages, in memory that both processes share.
struct Report {
  uint64_t number; ///< of the mutant that it works on
  uint64_t done;
  End end;
  char finding[1024];
};

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool parse(int count, char **arguments, bool hasCorpus, Options &options) {
  for (int i = 1; i < count; ++i) {
    std::string option = arguments[i];
    if (option.substr(0, 2) != "--") {
      options.corpus.push_back(option);
      continue;
    }
    if (++i == count)
      return false;
    std::string value = arguments[i];
    if (option == "--crashes") {
      options.folder = value;
      continue;
    }
    if (option == "--replay") {
      options.replay = value;
      continue;
    }
    uint64_t *number = option == "--seed"      ? &options.seed
                       : option == "--first"   ? &options.first
                       : option == "--count"   ? &options.count
                       : option == "--jobs"    ? &options.jobs
                       : option == "--seconds" ? &options.seconds
                       : option == "--memory"  ? &options.memory
                                               : nullptr;
    if (!number ||
        std::from_chars(value.data(), value.data() + value.size(), *number)
                .ptr != value.data() + value.size())
      return false;
  }
  return options.jobs != 0 && options.jobs <= 256 && options.seconds != 0 &&
         options.seconds <= mostSecondsOfClock &&
         hasCorpus != options.corpus.empty();
}

std::string makeMutant(Target &target, const Options &options,
                       uint64_t number) {
  Random random(options.seed * 0x100000001B3 + number);
  return target.mutate(random);
}

uint64_t peakMegabytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return uint64_t(usage.ru_maxrss) >> 10;
}

void setTimers(uint64_t processor, unsigned clock) {
  itimerval timer = {};
  timer.it_value.tv_sec = static_cast<time_t>(processor);
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(clock);
}

std::string runOne(Target &target, const std::string &input,
                   const Options &options) {
  std::string finding;
  setTimers(options.seconds, mostSecondsOfClock);
  try {
    finding = target.run(input);
  } catch (const std::bad_alloc &) {
    // A report of out of memory is a valid answer.
  } catch (const std::exception &exception) {
    finding = std::string("exception: ") + exception.what();
  }
  setTimers(0, 0);
  const uint64_t peak = peakMegabytes();
  if (finding.empty() && peak >= options.memory && input.size() < (1 << 20))
    finding = "memory: " + std::to_string(peak) + " MiB";
  return finding;
}

/// Ends this worker.
[[noreturn]] void leave(Report &report, End end) {
  report.end = end;
  _exit(0);
}

/// Works on every `jobs`-th mutant until one is a finding.
[[noreturn]] void work(const MakeTarget &make, const Options &options,
                       uint64_t from, uint64_t end, Report &report) {
#if !defined(__SANITIZE_ADDRESS__)
  rlimit limit = {uint64_t(16) << 30, uint64_t(16) << 30};
  setrlimit(RLIMIT_AS, &limit);
#endif
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  auto target = make(options.corpus);
  uint64_t mine = 0;
  for (uint64_t number = from; number < end; number += options.jobs) {
    report.number = number;
    if (++mine > mostOfAWorker)
      leave(report, End::Fresh);
    std::string finding =
        runOne(*target, makeMutant(*target, options, number), options);
    if (!finding.empty()) {
      std::snprintf(report.finding, sizeof(report.finding), "%s",
                    finding.c_str());
      leave(report, End::Finding);
    }
    ++report.done;
  }
  leave(report, End::Done);
}

struct Worker {
  pid_t process = -1;
  uint64_t next = 0;
  Report *report = nullptr;
};

class Fuzzer {
public:
  Fuzzer(const MakeTarget &make, const Options &options)
      : make(make), options(options), target(make(options.corpus)) {}

  int run() {
    auto *reports = static_cast<Report *>(
        mmap(nullptr, options.jobs * sizeof(Report), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    if (reports == MAP_FAILED)
      return 6;
    std::vector<Worker> workers(options.jobs);
    for (uint64_t i = 0; i < options.jobs; ++i) {
      workers[i].next = options.first + i;
      workers[i].report = &reports[i];
      start(workers[i]);
    }
    for (uint64_t running = options.jobs; running;) {
      int status = 0;
      pid_t ended = wait(&status);
      if (ended < 0)
        break;
      for (Worker &worker : workers)
        if (worker.process == ended && !finish(worker, status))
          --running;
    }
    uint64_t done = 0;
    for (const Worker &worker : workers)
      done += worker.report->done;
    std::printf("%llu runs, %llu findings\n",
                static_cast<unsigned long long>(done),
                static_cast<unsigned long long>(findings));
    return findings ? 1 : 0;
  }

private:
  void start(Worker &worker) {
    worker.report->finding[0] = 0;
    worker.report->end = End::ByMutant;
    std::fflush(stdout);
    worker.process = fork();
    if (worker.process == 0)
      work(make, options, worker.next, options.first + options.count,
           *worker.report);
  }

  /// Returns false if the worker has done all of its mutants.
  bool finish(Worker &worker, int status) {
    if (worker.report->end == End::Done)
      return false;
    if (worker.report->end == End::Fresh) {
      worker.next = worker.report->number;
      start(worker);
      return true;
    }
    ++findings;
    ++worker.report->done;
    std::string what = worker.report->finding;
    if (WIFSIGNALED(status))
      what = WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM
                 ? "hang: " + std::to_string(options.seconds) + " s"
                 : "signal " + std::to_string(WTERMSIG(status));
    else if (what.empty())
      what = "exit code " + std::to_string(WEXITSTATUS(status));
    uint64_t number = worker.report->number;
    std::filesystem::path file =
        std::filesystem::path(options.folder) /
        (target->name() + "-" + std::to_string(options.seed) + "-" +
         std::to_string(number));
    std::ofstream(file, std::ios::binary)
        << makeMutant(*target, options, number);
    std::printf("%s: %s\n", file.c_str(), what.c_str());
    worker.next = number + options.jobs;
    start(worker);
    return true;
  }

  const MakeTarget &make;
  const Options &options;
  std::unique_ptr<Target> target;
  uint64_t findings = 0;
};

} // namespace

int runFuzzer(int count, char **arguments, const MakeTarget &make,
              const std::string &usage) {
  Options options;
  if (!parse(count, arguments, !usage.empty(), options)) {
    std::fprintf(
        stderr,
        "usage: %s [--seed N] [--first N] [--count N] [--jobs N] "
        "[--seconds N] [--memory MIB] [--crashes FOLDER] [--replay FILE] %s\n",
        arguments[0], usage.c_str());
    return 2;
  }
  for (const std::string &path : options.corpus)
    if (readFile(path).empty()) {
      std::fprintf(stderr, "%s is empty or cannot be read\n", path.c_str());
      return 2;
    }
  if (!options.replay.empty()) {
    std::string finding =
        runOne(*make(options.corpus), readFile(options.replay), options);
    std::printf("%s\n", finding.empty() ? "nothing found" : finding.c_str());
    return finding.empty() ? 0 : 1;
  }
  return Fuzzer(make, options).run();
}

} // namespace gensyn::fuzz
