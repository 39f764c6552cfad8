// See DescribeReplay.h.

#include "gensyn/Runtime/Replay/DescribeReplay.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Nouns.h"
#include "gensyn/Executable/Support/Printable.h"
#include "gensyn/Runtime/Formats/Compare.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <algorithm>
#include <iterator>

namespace gensyn::runtime {

static constexpr size_t longestText = 300;

static std::string countText(int64_t number, std::string_view noun) {
  return groupDigits(number) + " " + nounFor(number, noun);
}

static std::string countOfUlps(uint64_t ulps) {
  if (ulps == kNanUlps)
    return "NaN against a number";
  return ulps > INT64_MAX
             ? std::to_string(ulps) + " ulps"
             : groupDigits(int64_t(ulps)) + (ulps == 1 ? " ulp" : " ulps");
}

/// "[0,3]: 1.5 and 1.25, 2,097,152 ulps"
static std::string describeElement(const ValueDifference::Element &element) {
  return describeShape(element.index) + ": " + element.first + " and " +
         element.second + ", " + countOfUlps(element.ulps);
}

/// "0.1 against 0.2" for a scalar, else "3 of 8 elements differ, ...".
static std::string describeValue(const ValueDifference &value) {
  if (!value.reason.empty())
    return value.reason;
  const ValueDifference::Element &worst = value.worst.front();
  if (value.elements == 1)
    return worst.first + " against " + worst.second;
  return groupDigits(value.different) + " of " + groupDigits(value.elements) +
         (value.different == 1 ? " elements differs, " : " elements differ, ") +
         (worst.ulps == kNanUlps ? "" : "up to ") + countOfUlps(worst.ulps);
}

static std::string describeSamples(const std::vector<int64_t> &samples) {
  constexpr size_t shown = 8;
  std::string text;
  for (size_t i = 0; i < std::min(shown, samples.size()); ++i)
    text += (i ? ", " : "") + std::to_string(samples[i]);
  return text + (samples.size() > shown ? ", ..." : "");
}

static std::string describeOrdinal(size_t number) {
  static const char *const words[] = {"first",  "second", "third",
                                      "fourth", "fifth",  "sixth"};
  return number < std::size(words) ? words[number]
                                   : "number " + std::to_string(number + 1);
}

static std::string printText(const std::string &text) {
  return printable(text, longestText);
}

/// What the op is, as a sentence: "node 'fc' (Gemm): repro.contract".
static std::string describeOp(const OpDifference &difference,
                              const StepDifference &step) {
  const ProgramOp &op = difference.op;
  std::string text = op.operation;
  if (!op.operation.ends_with(op.name + "'"))
    text += ": " + op.name;
  text += ", op " + groupDigits(difference.position.first + 1) + " of " +
          groupDigits(step.firstOps);
  if (!op.scope.empty())
    text += ", in " + quote(op.scope);
  if (!op.leadsTo.empty())
    text += ", for " + quote(op.leadsTo);
  return text;
}

static void addOp(const OpDifference &difference, const StepDifference &step,
                  std::vector<ReplayLine> &lines) {
  lines.push_back({"op", describeOp(difference, step)});
  std::string term = "operands";
  for (size_t k = 0; k < difference.operands.size(); ++k) {
    const OpDifference::Operand &operand = difference.operands[k];
    if (operand.isEqual)
      continue;
    lines.push_back(
        {term,
         "the " + describeOrdinal(k) + ", " + operand.name +
             (operand.value ? ", differs: " + describeValue(*operand.value)
                            : ", is another op")});
    term.clear();
  }
  if (difference.operandsEqual())
    lines.push_back(
        {term, difference.attributesDiffer
                   ? "are equal: the op differs in its attributes"
                   : "and attributes are equal: its kernel differs"});
  if (difference.attributesDiffer) {
    lines.push_back({"first", printText(difference.firstAttributes)});
    lines.push_back({"second", printText(difference.secondAttributes)});
  }
  const ProgramOp::Result &type = difference.op.results.at(difference.result);
  lines.push_back({"result", longName(type.type) + describeShape(type.shape) +
                                 ": " + describeValue(difference.value)});
  for (const ValueDifference::Element &element : difference.value.worst)
    lines.push_back({"", describeElement(element)});
}

/// Values of parameters are listed by number: all that a step changed differ.
static void addInputs(const ReplayResult &result, const std::string &first,
                      const std::string &second,
                      std::vector<ReplayLine> &lines) {
  const StepDifference &step = *result.difference;
  std::string term = "inputs";
  auto add = [&](std::string text) {
    lines.push_back({term, std::move(text)});
    term.clear();
  };
  constexpr size_t shown = 6;
  size_t count = 0;
  for (const InputDifference &input : step.inputs)
    if (count++ < shown)
      add(std::string(name(input.role)) + " " + quote(input.name) + ": " +
          describeValue(input.value));
  if (count > shown)
    add("and " + groupDigits(int64_t(count - shown)) + " more");
  if (!result.firstSamples.empty())
    add("samples " + describeSamples(result.firstSamples) + " in " + first +
        ", " + describeSamples(result.secondSamples) + " in " + second);
  if (step.inputs.empty())
    add("are equal");
}

static void addStep(const ReplayResult &result, const std::string &first,
                    const std::string &second, std::vector<ReplayLine> &lines) {
  const StepDifference &step = *result.difference;
  addInputs(result, first, second, lines);
  if (step.onlyFirst || step.onlySecond)
    lines.push_back(
        {"programs", "differ: " + countText(step.onlyFirst, "op") +
                         " only in " + first + " and " +
                         countText(step.onlySecond, "op") + " only in " +
                         second + ", the first of them " + step.firstUnpaired});
  if (step.op) {
    addOp(*step.op, step, lines);
    return;
  }
  lines.push_back(
      {"ops", "the values of " + countText(step.compared, "op") + " are equal" +
                  (result.step && step.inputs.empty() && !step.onlyFirst &&
                           !step.onlySecond
                       ? ": the step differs only if its kernels are fused, "
                         "and returning values changes what is fused"
                       : "")});
}

static std::string describeBegin(const ReplayResult &result) {
  return result.begin ? "the checkpoint of step " + groupDigits(result.begin)
                      : std::string("the initialization");
}

static void addVerdict(const std::string &name, const ReplayResult &result,
                       const std::optional<Unreproduced> &found,
                       std::vector<ReplayLine> &lines) {
  if (found)
    lines.push_back({"refuted", name + ": not reproduced at step " +
                                    groupDigits(found->step) + ", " +
                                    found->reason});
  else
    lines.push_back(
        {"upheld", name + ": reproduced up to step " +
                       groupDigits(result.begin + result.repeated)});
}

std::vector<ReplayLine> describeReplay(const ReplayResult &result,
                                       const std::string &first,
                                       const std::string &second) {
  std::vector<ReplayLine> lines;
  for (const std::string &setting : result.settings)
    lines.push_back({lines.empty() ? "settings" : "", setting});
  if (result.kind == ReplayResult::Kind::Equal) {
    lines.push_back({"replay", "nothing differs: the records of both runs are "
                               "equal, and they were made alike"});
    return lines;
  }
  const bool isJudged = result.kind == ReplayResult::Kind::Judged;
  lines.push_back({"replay", countText(result.repeated, "step") + " from " +
                                 describeBegin(result) + " on " +
                                 result.firstTarget +
                                 (result.firstTarget == result.secondTarget
                                      ? ""
                                      : " and " + result.secondTarget)});
  if (isJudged) {
    lines.push_back(
        {"step", groupDigits(*result.step) +
                     " is the first that differs: " + result.record});
    addVerdict(first, result, result.first, lines);
    addVerdict(second, result, result.second, lines);
    return lines;
  }
  if (!result.step) {
    lines.push_back({"step", "none differs"});
  } else if (!result.firstLoss.empty()) {
    lines.push_back({"step", groupDigits(*result.step) +
                                 " is the first that differs" +
                                 (result.firstLoss == result.secondLoss
                                      ? ", with equal losses"
                                      : ": the losses are " + result.firstLoss +
                                            " and " + result.secondLoss)});
  }
  if (result.difference)
    addStep(result, first, second, lines);
  if (result.first)
    addVerdict(first, result, result.first, lines);
  if (result.second)
    addVerdict(second, result, result.second, lines);
  return lines;
}

} // namespace gensyn::runtime
