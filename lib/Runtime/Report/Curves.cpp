// Training runs laid over each other.

#include "../Training/ReadRun.h"
#include "Sections.h"

#include "gensyn/Executable/Html/Html.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Nouns.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace gensyn::runtime::report {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

struct StepRow {
  int64_t step = 0;
  /// Nothing where the log has none, or one that is not finite.
  std::optional<double> loss, rate, norm;
  std::string lossText; ///< as the log has it
};

struct EpochRow {
  int64_t step = 0;
  std::string digest;
};

struct EvalRow {
  int64_t step = 0;
  double loss = 0;
};

struct Run {
  std::string name;
  std::vector<StepRow> steps;
  std::vector<EvalRow> evaluations;
  std::vector<EpochRow> epochs;
};

} // namespace

static std::optional<double> readNumber(const json &row, const char *key) {
  auto found = row.find(key);
  if (found == row.end() || !found->is_number())
    return std::nullopt;
  const double value = found->get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

static void addRow(const json &row, Run &run) {
  const auto step = row["step"].get<int64_t>();
  if (auto loss = row.find("loss"); loss != row.end())
    run.steps.push_back({step, readNumber(row, "loss"), readNumber(row, "lr"),
                         readNumber(row, "grad_norm"), loss->dump()});
  if (const std::optional<double> loss = readNumber(row, "eval_loss"))
    run.evaluations.push_back({step, *loss});
  if (auto digest = row.find("parameters");
      digest != row.end() && digest->is_string())
    run.epochs.push_back({step, digest->get<std::string>()});
}

static Run readRun(const fs::path &folder) {
  Run run;
  run.name = folder.lexically_normal().string();
  visitLog(folder, [&](const json &row) { addRow(row, run); });
  return run;
}

/// The first step at which the losses differ; both logs have it.
static std::optional<int64_t> findLossDifference(const Run &a, const Run &b) {
  for (size_t i = 0, j = 0; i < a.steps.size() && j < b.steps.size();) {
    const StepRow &left = a.steps[i], &right = b.steps[j];
    if (left.step == right.step && left.lossText != right.lossText)
      return left.step;
    i += left.step <= right.step;
    j += right.step <= left.step;
  }
  return std::nullopt;
}

static std::optional<int64_t> findDigestDifference(const Run &a, const Run &b) {
  for (const EpochRow &left : a.epochs)
    for (const EpochRow &right : b.epochs)
      if (left.step == right.step && left.digest != right.digest)
        return left.step;
  return std::nullopt;
}

/// A sentence about where the bits of two runs part.
static OrderedJson compareRuns(const Run &first, const Run &run) {
  std::string words = run.name + " against " + first.name + ": ";
  if (first.steps.empty() || run.steps.empty())
    return {{"words", words + "there is no step to compare."}};
  const std::optional<int64_t> loss = findLossDifference(first, run),
                               digest = findDigestDifference(first, run);
  const int64_t common =
      std::min(first.steps.back().step, run.steps.back().step);
  int64_t digests = 0;
  for (const EpochRow &left : first.epochs)
    digests += std::any_of(
        run.epochs.begin(), run.epochs.end(),
        [&](const EpochRow &right) { return left.step == right.step; });
  if (!loss && !digest)
    words += "no difference up to step " + groupDigits(common) +
             ", the last that both have: every loss is equal, and " +
             (digests ? countOf(digests, "digest") + " of the parameters"
                      : "no digest of the parameters is there to compare");
  else if (loss && (!digest || *loss <= *digest))
    words += "the bits part at or before step " + groupDigits(*loss) +
             ", the first whose losses differ";
  else
    words += "the losses are equal up to step " + groupDigits(common) +
             ", but the parameters differ after step " + groupDigits(*digest);
  if (loss && digest)
    words += "; the first digest of the parameters that differs is that after "
             "step " +
             groupDigits(*digest);
  else if (loss && digests)
    words += "; the digests of the parameters after an epoch are equal";
  OrderedJson result{{"words", words + "."}};
  if (loss || digest)
    result["step"] =
        std::min(loss.value_or(INT64_MAX), digest.value_or(INT64_MAX));
  return result;
}

/// The steps to draw: all, or evenly chosen ones of a long run.
static OrderedJson listSteps(const Run &run, bool &isThinned) {
  constexpr size_t most = 3000;
  const size_t stride = (run.steps.size() + most - 1) / most;
  isThinned = stride > 1;
  auto number = [](const std::optional<double> &value) {
    return value ? OrderedJson(*value) : OrderedJson();
  };
  OrderedJson rows = OrderedJson::array();
  for (size_t i = 0; i < run.steps.size(); i += stride) {
    const StepRow &row = run.steps[i];
    rows.push_back(
        {row.step, number(row.loss), number(row.rate), number(row.norm)});
  }
  return rows;
}

OrderedJson describeRuns(const std::vector<fs::path> &folders) {
  std::vector<Run> runs;
  for (const fs::path &folder : folders)
    runs.push_back(readRun(folder));
  OrderedJson rows = OrderedJson::array();
  for (size_t i = 0; i < runs.size(); ++i) {
    const Run &run = runs[i];
    bool isThinned = false;
    OrderedJson evaluations = OrderedJson::array(),
                steps = listSteps(run, isThinned);
    for (const EvalRow &row : run.evaluations)
      evaluations.push_back({row.step, row.loss});
    OrderedJson own{
        {"name", run.name},
        {"count", run.steps.size()},
        {"lastLoss", run.steps.empty() ? "-" : run.steps.back().lossText},
        {"digest", run.epochs.empty() ? "" : run.epochs.back().digest},
        {"thinned", isThinned},
        {"steps", steps},
        {"evaluations", evaluations}};
    if (i != 0)
      own["against"] = compareRuns(runs.front(), run);
    rows.push_back(std::move(own));
  }
  return rows;
}

std::string makeCurves(const OrderedJson &runs) {
  std::string rows, words, thinned;
  for (const OrderedJson &run : runs) {
    rows += "<tr>" + html::cell(run["name"].get<std::string>()) +
            "<td class=\"r\">" + groupDigits(run["count"].get<int64_t>()) +
            "</td><td class=\"r\">" +
            html::escape(run["lastLoss"].get<std::string>()) +
            "</td><td><code>" + html::escape(run["digest"].get<std::string>()) +
            "</code></td></tr>";
    if (run.contains("against"))
      words += "<p class=\"finding\">" +
               html::escape(run["against"]["words"].get<std::string>()) +
               "</p>";
    if (run["thinned"].get<bool>())
      thinned = "<p>Of long runs, evenly spaced steps are drawn.</p>";
  }
  return html::section(
      "curves", "Training runs",
      words + "<div class=\"wide\"><table>" +
          html::headRow({"run", "#steps", "#last loss",
                         "digest of the parameters, last epoch"}) +
          rows +
          "</table></div><div id=\"curveKey\" class=\"bar\"></div>"
          "<figure class=\"chart curveChart\" data-c=\"1\"></figure>"
          "<figure class=\"chart curveChart\" data-c=\"2\"></figure>"
          "<figure class=\"chart curveChart\" data-c=\"3\"></figure>" +
          thinned);
}

} // namespace gensyn::runtime::report
