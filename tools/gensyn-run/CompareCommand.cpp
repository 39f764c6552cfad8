// compare: reports bit-equality, or the position and size of differences; with
// --replay the first step and op that differ.

#include "../Terminal/Terminal.h"
#include "Commands.h"

#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Runtime/Formats/Compare.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"
#include "gensyn/Runtime/Replay/DescribeReplay.h"
#include "gensyn/Runtime/Replay/Replay.h"
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

static bool isFolder(const std::filesystem::path &path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

/// One side of --replay; for the second one what is its own replaces what the
/// first one has.
static ReplaySide makeSide(const Options &options, bool isSecond) {
  const Options::Second &second = options.secondSide;
  ReplaySide side;
  side.model = options;
  side.parameters = options.trained;
  side.inputs = options.inputs;
  std::vector<std::string> data = options.data, evalData = options.evalData;
  if (isSecond) {
    auto replace = [](auto &value, const auto &own) {
      if (!own.empty())
        value = own;
    };
    replace(side.model.model, second.model);
    replace(side.model.recipe, second.recipe);
    replace(side.model.backend, second.backend);
    replace(side.model.instructionSet, second.instructionSet);
    replace(side.parameters, second.trained);
    replace(side.inputs, second.inputs);
    replace(data, second.data);
    replace(evalData, second.evalData);
    if (second.sm)
      side.model.sm = second.sm;
  }
  checkBackend(side.model.backend);
  const std::filesystem::path &place =
      isSecond && !options.second.empty() ? options.second : options.first;
  if (isFolder(place))
    side.run = place;
  else
    side.model.model = place;
  side.data = makeDataSource(options, data);
  side.evalData = makeDataSource(options, evalData);
  return side;
}

static ReplayResult runReplay(const Options &options) {
  ReplayOptions replayed;
  replayed.first = makeSide(options, /*isSecond=*/false);
  replayed.second = makeSide(options, /*isSecond=*/true);
  replayed.steps = options.steps;
  replayed.values.memory = options.valuesMemory;
  ProgressBar progress(!options.quiet);
  progress.show("compiling");
  replayed.progress = [&](const std::string &what, int64_t done, int64_t all) {
    progress.draw(what, done, all, [&] {
      return std::to_string(done) + (all ? "/" + std::to_string(all) : "");
    });
  };
  return replay(replayed);
}

static void printReplay(const ReplayResult &result, const Options &options) {
  if (options.json) {
    printRecord(toJson(result));
    return;
  }
  if (options.quiet)
    return;
  const std::string second = options.second.empty() ? result.secondTarget
                                                    : options.second.string(),
                    first = options.second.empty() ? result.firstTarget
                                                   : options.first.string();
  constexpr size_t width = 9;
  for (const ReplayLine &line : describeReplay(result, first, second))
    printLine(
        line.term +
        std::string(line.term.size() < width ? width - line.term.size() : 1,
                    ' ') +
        line.text);
}

/// Two files or folders of tensors, and a page of them if one is asked for.
static ExitCode compareFiles(const Options &options,
                             const ReplayResult *replayed) {
  TensorFile first = openTensors(tensorsOf(options.first));
  TensorFile second = openTensors(tensorsOf(options.second));
  if (!options.html.empty())
    requireWritableFile(options.html);
  std::vector<Difference> differences = compareTensors(first, second);
  // Before any output, since a run folder may be malformed.
  std::string page;
  if (!options.html.empty())
    page = makeComparisonPage(
        {options.first, options.second, first, second, differences, replayed});
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
  if (replayed)
    printReplay(*replayed, options);
  if (!options.html.empty())
    writePage(options, page);
  return differences.empty() && (!replayed || replayed->isEqual())
             ? ExitCode::Ok
             : ExitCode::Mismatch;
}

ExitCode runCompare(const Options &options) {
  if (options.second.empty() && !options.replay)
    throw Failure(ExitCode::Usage, "second is required",
                  "gensyn-run --help lists what there is");
  if (!options.replay)
    return compareFiles(options, nullptr);
  const bool haveTensors = isFolder(options.first) && isFolder(options.second);
  if (!options.html.empty() && !haveTensors)
    throw Failure(ExitCode::Usage,
                  "--html is for two run folders or two files of tensors");
  if (!options.html.empty())
    requireWritableFile(options.html);
  const ReplayResult result = runReplay(options);
  if (haveTensors)
    return compareFiles(options, &result);
  printReplay(result, options);
  return result.isEqual() ? ExitCode::Ok : ExitCode::Mismatch;
}

} // namespace gensyn::run
