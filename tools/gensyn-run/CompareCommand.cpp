// compare: reports bit-equality, or the position and size of differences.

#include "Commands.h"
#include "Terminal.h"

#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Runtime/Formats/Compare.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"
#include "gensyn/Runtime/Report/ComparisonPage.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

namespace gensyn::run {

using namespace runtime;

static std::filesystem::path tensorsOf(const std::filesystem::path &path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored)
             ? path / "parameters.safetensors"
             : path;
}

static std::string describeUlps(uint64_t ulps) {
  return ulps == kNanUlps
             ? "NaN against a number"
             : "up to " + std::to_string(ulps) + (ulps == 1 ? " ulp" : " ulps");
}

static void printDifference(const Difference &difference) {
  std::string line = quote(difference.name) + ": ";
  if (!difference.reason.empty()) {
    printLine(line + difference.reason);
    return;
  }
  printLine(line + groupDigits(difference.different) + " of " +
            groupDigits(difference.elements) + " elements differ, " +
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

static void writePage(const Options &options, const std::string &page) {
  writeText(options.html, page);
  if (options.json)
    printRecord({{"event", "report"},
                 {"output", options.html.string()},
                 {"bytes", page.size()}});
  else if (!options.quiet)
    printLine("wrote    " + options.html.string() + ", " +
              counted(int64_t(page.size()), "byte"));
}

ExitCode runCompare(const Options &options) {
  TensorFile first = openTensors(tensorsOf(options.first));
  TensorFile second = openTensors(tensorsOf(options.second));
  if (!options.html.empty())
    requireWritableFile(options.html);
  std::vector<Difference> differences = compareTensors(first, second);
  // Before any output, since a run folder may be malformed.
  std::string page;
  if (!options.html.empty())
    page = makeComparisonPage(
        {options.first, options.second, first, second, differences});
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
  if (!options.html.empty())
    writePage(options, page);
  return differences.empty() ? ExitCode::Ok : ExitCode::Mismatch;
}

} // namespace gensyn::run
