// gensyn-bench-gpu [--programs FOLDER] [--device N] [--quick] [NAME...]
//
// Measures the programs from gpu_programs.py against other libraries for the
// same work: ratios of medians, alternating in one process, and compares every
// bit with the CPU's. NAMEs are prefixes of the cases to run. Needs a driver
// and the folder, but no LLVM. Measurements that are impossible here are
// reported and are not failures: the exit code is 1 if bits differ or a ratio
// misses its goal, else 0. On a simulated GPU times are meaningless, and goals
// are not checked.

#include "GpuCase.h"

#include "gensyn/Executable/Support/Error.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>

using namespace gensyn;
using namespace gensyn::bench;

namespace {

struct Arguments {
  std::filesystem::path programs = "programs";
  int device = 0;
  bool isQuick = false;
  std::vector<std::string> names;
};

/// The meaning of a case's ratio; larger is better if `isSpeed`.
struct Comparison {
  const char *against, *text;
  bool isSpeed;
};
constexpr Comparison comparisons[] = {
    {"sgemm", "speed / cuBLAS SGEMM", true},
    {"copy", "bandwidth / device copy", true},
    {"libdevice", "time / libdevice", false},
    {"cub", "time / CUB", false},
};

} // namespace

static Arguments parse(int argc, char **argv) {
  Arguments arguments;
  if (argc > 0)
    arguments.programs = std::filesystem::path(argv[0]).parent_path() / "gpu";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quick")
      arguments.isQuick = true;
    else if (word == "--programs" && i + 1 < argc)
      arguments.programs = argv[++i];
    else if (word == "--device" && i + 1 < argc)
      arguments.device = std::atoi(argv[++i]);
    else if (word.starts_with("--"))
      throw Failure(ExitCode::Usage,
                    "usage: gensyn-bench-gpu [--programs FOLDER] [--device N] "
                    "[--quick] [NAME...]");
    else
      arguments.names.push_back(word);
  }
  return arguments;
}

static nlohmann::json readCases(const std::filesystem::path &folder) {
  std::ifstream file(folder / "cases.json");
  if (!file)
    failInputOutput((folder / "cases.json").string() + ": cannot be opened",
                    "benchmarks/gpu_programs.py makes it");
  return nlohmann::json::parse(file);
}

static bool isWanted(const Arguments &arguments, const std::string &name) {
  for (const std::string &beginning : arguments.names)
    if (name.starts_with(beginning))
      return true;
  return arguments.names.empty();
}

static void printHead(const cuda::DeviceContext &context, bool isSimulated) {
  auto ask = [&](int attribute) {
    int value = 0;
    context.driver.cuDeviceGetAttribute(&value, attribute, context.device);
    return value;
  };
  const std::time_t now = std::time(nullptr);
  char date[32];
  std::strftime(date, sizeof(date), "%Y-%m-%d", std::gmtime(&now));
  std::printf("%s, %s, compute capability %d.%d, %d multiprocessors, driver "
              "for CUDA %s, at most %d MHz, memory %d MHz on %d bits%s\n\n",
              date, context.label.c_str(), context.capability / 10,
              context.capability % 10, ask(cuda::AttributeMultiprocessors),
              cuda::versionText(context.driver.version).c_str(),
              ask(cuda::AttributeClockKilohertz) / 1000,
              ask(cuda::AttributeMemoryClockKilohertz) / 1000,
              ask(cuda::AttributeMemoryBusBits),
              isSimulated ? "; simulated: times mean nothing" : "");
}

static std::string timeText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f us", seconds * 1e6);
  return seconds > 0 ? text : "";
}

/// Prints a row of the table. Returns false if the case failed.
static bool printRow(const nlohmann::json &facts, const Outcome &outcome,
                     bool isSimulated) {
  const std::string against = facts.at("against");
  const Comparison *comparison = nullptr;
  for (const Comparison &each : comparisons)
    if (against == each.against)
      comparison = &each;
  const double goal = facts.at("goal");
  const bool isSpeed = comparison && comparison->isSpeed;
  bool isGood = outcome.isEqual;
  std::string verdict = "not measured: " + outcome.problem;
  if (outcome.problem.empty()) {
    const double ratio = isSpeed ? outcome.ratio : 1 / outcome.ratio;
    const bool isMet = isSpeed ? ratio >= goal : ratio <= goal;
    char text[64];
    std::snprintf(text, sizeof(text), "%.3f", ratio);
    verdict = text;
    if (!isSimulated) {
      verdict += isMet ? "" : ", missed";
      isGood &= isMet;
    }
  }
  std::printf("| %s | %s | %s | %s | %s | %s %.2f | %s |\n",
              facts.at("name").get<std::string>().c_str(),
              timeText(outcome.ours).c_str(), timeText(outcome.theirs).c_str(),
              comparison ? comparison->text : against.c_str(), verdict.c_str(),
              isSpeed ? ">=" : "<=", goal,
              outcome.isEqual ? "equal" : "DIFFERENT");
  std::fflush(stdout);
  return isGood;
}

static int run(const Arguments &arguments) {
  const nlohmann::json cases = readCases(arguments.programs);
  std::shared_ptr<cuda::DeviceContext> context;
  try {
    context = std::make_shared<cuda::DeviceContext>(arguments.device);
  } catch (const Failure &failure) {
    if (failure.code != ExitCode::Unsupported)
      throw;
    std::printf("%s: not measured\n", failure.what());
    for (const nlohmann::json &facts : cases)
      std::printf("| %s | not measured |\n",
                  facts.at("name").get<std::string>().c_str());
    return 0;
  }
  const cuda::CurrentContext current = context->enter();
  const bool isSimulated =
      context->label.find("Simulated") != std::string::npos;
  Effort effort;
  if (arguments.isQuick || isSimulated)
    effort = {isSimulated ? 1 : 5, 1e-3};
  printHead(*context, isSimulated);
  std::printf("| case | ours | theirs | ratio of | ratio | goal | bits of the "
              "CPU |\n| --- | ---: | ---: | --- | ---: | ---: | --- |\n");
  bool isGood = true;
  for (const nlohmann::json &facts : cases) {
    const std::string name = facts.at("name");
    if (!isWanted(arguments, name))
      continue;
    try {
      isGood &=
          printRow(facts, runCase(context, facts, arguments.programs, effort),
                   isSimulated);
    } catch (const Failure &failure) {
      // A GPU that is too small for a case is not a failure of the case.
      const bool isSmall = failure.code == ExitCode::OutOfResources;
      std::printf("| %s | | | | %s: %s | | |\n", name.c_str(),
                  isSmall ? "not measured" : "FAILED", failure.what());
      isGood &= isSmall;
    }
  }
  return isGood ? 0 : 1;
}

int main(int argc, char **argv) {
  try {
    return run(parse(argc, argv));
  } catch (const Failure &failure) {
    std::fprintf(stderr, "gensyn-bench-gpu: error: %s\n", failure.what());
    if (!failure.note.empty())
      std::fprintf(stderr, "note: %s\n", failure.note.c_str());
    return static_cast<int>(failure.code);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "gensyn-bench-gpu: error: %s\n", error.what());
    return static_cast<int>(ExitCode::BadInput);
  }
}
