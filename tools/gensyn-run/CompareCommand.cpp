// compare: reports bit-equality, or the position and size of differences.

#include "Commands.h"
#include "Terminal.h"

#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Runtime/Formats/Compare.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"

#include <limits>

namespace gensyn::run {

using namespace runtime;

static std::filesystem::path tensorsOf(const std::filesystem::path &path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored)
             ? path / "parameters.safetensors"
             : path;
}

static std::string describeUlps(uint64_t ulps) {
  return ulps == std::numeric_limits<uint64_t>::max()
             ? "NaN against a number"
             : "up to " + std::to_string(ulps) + (ulps == 1 ? " ulp" : " ulps");
}

static void printDifference(const Difference &difference) {
  std::string line = quote(difference.name) + ": ";
  if (!difference.reason.empty()) {
    printLine(line + difference.reason);
    return;
  }
  printLine(line + grouped(difference.different) + " of " +
            grouped(difference.elements) + " elements differ, " +
            describeUlps(difference.maxUlps) + "; the first at " +
            describeShape(difference.index) + ": " + difference.first +
            " and " + difference.second);
}

static OrderedJson toJson(const Difference &difference) {
  if (!difference.reason.empty())
    return {{"name", difference.name},
            {"equal", false},
            {"reason", difference.reason}};
  return {
      {"name", difference.name},         {"equal", false},
      {"elements", difference.elements}, {"different", difference.different},
      {"index", difference.index},       {"first", difference.first},
      {"second", difference.second},     {"max_ulps", difference.maxUlps}};
}

ExitCode runCompare(const Options &options) {
  TensorFile first = openTensors(tensorsOf(options.first));
  TensorFile second = openTensors(tensorsOf(options.second));
  std::vector<Difference> differences = compareTensors(first, second);
  for (const Difference &difference : differences) {
    if (options.json)
      printRecord(toJson(difference));
    else if (!options.quiet)
      printDifference(difference);
  }
  if (options.json)
    printRecord({{"equal", differences.empty()},
                 {"tensors", first.entries().size()},
                 {"different", differences.size()}});
  else if (!options.quiet && differences.empty())
    printLine("bit-equal: " +
              counted(int64_t(first.entries().size()), "tensor"));
  return differences.empty() ? ExitCode::Ok : ExitCode::Mismatch;
}

} // namespace gensyn::run
