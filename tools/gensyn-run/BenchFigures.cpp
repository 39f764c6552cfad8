// Figures of bench as text and as JSON, and their comparison with a baseline.

#include "../Terminal/Terminal.h"
#include "Bench.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

namespace gensyn::run {

using namespace terminal;

using namespace runtime;

std::string describeTime(double seconds) {
  if (seconds < 1e-3)
    return shortNumber(seconds * 1e6) + " us";
  return seconds < 1 ? shortNumber(seconds * 1e3) + " ms"
                     : shortNumber(seconds) + " s";
}

std::string BenchSubject::describe() const {
  return model + ", " + kind +
         (batchSize ? ", batch " + std::to_string(batchSize) : "") + ", " +
         counted(threads, "thread") + " of " + target;
}

OrderedJson BenchSubject::toJson() const {
  return {{"model", model},          {"kind", kind},
          {"batch_size", batchSize}, {"threads", threads},
          {"target", target},        {"program_digest", programDigest}};
}

OrderedJson BenchTimes::toJson() const {
  return {{"minimum", minimum}, {"median", median}, {"p99", p99}};
}

BenchTimes summarize(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const size_t count = seconds.size();
  const auto rank = static_cast<size_t>(std::ceil(0.99 * double(count)));
  return {seconds.front(), (seconds[(count - 1) / 2] + seconds[count / 2]) / 2,
          seconds[std::max<size_t>(rank, 1) - 1]};
}

/// True if a line is a measurement of the subject, by whatever program.
static bool isSubject(const nlohmann::json &row, OrderedJson subject) {
  if (!row.is_object() || row.value("event", nlohmann::json()) != "bench")
    return false;
  subject.erase("program_digest");
  return std::all_of(subject.items().begin(), subject.items().end(),
                     [&](const auto &item) {
                       return row.value(item.key(), nlohmann::json()) ==
                              nlohmann::json(item.value());
                     });
}

/// Returns the positive number under a key.
static double readTime(const nlohmann::json &row, const char *key,
                       const std::string &file) {
  const nlohmann::json value = row.value(key, nlohmann::json());
  if (!value.is_number() || !(value.get<double>() > 0))
    failBadInput(file + ": " + quote(key) + " is not a positive number");
  return value.get<double>();
}

BenchBaseline::BenchBaseline(const std::filesystem::path &file,
                             const BenchSubject &subject)
    : name(file.string()) {
  const OrderedJson wanted = subject.toJson();
  std::optional<nlohmann::json> newest;
  std::istringstream text(readText(file, size_t(64) << 20));
  for (std::string line; std::getline(text, line);) {
    if (line.empty())
      continue;
    nlohmann::json row = parseJson(line, name, "line");
    if (isSubject(row, wanted))
      newest = std::move(row);
  }
  if (!newest)
    failBadInput(name + ": has no measurement of " + subject.describe(),
                 "bench --json with the same options writes one");
  minimum = readTime(*newest, "minimum", name);
  median = readTime(*newest, "median", name);
  otherProgram = newest->value("program_digest", nlohmann::json()) !=
                 subject.programDigest;
}

/// "minimum 1.23 ms, now 12.0 % slower"
static std::string describeChange(const char *figure, double before,
                                  double now) {
  const double percent = (now / before - 1) * 100;
  return std::string(figure) + " " + describeTime(before) + ", now " +
         fixedText(std::abs(percent), 1) + " % " +
         (percent > 0 ? "slower" : "faster");
}

std::string BenchBaseline::describe(const BenchTimes &now) const {
  return name + ": " + describeChange("minimum", minimum, now.minimum) + "; " +
         describeChange("median", median, now.median);
}

OrderedJson BenchBaseline::toJson(const BenchTimes &now,
                                  double tolerance) const {
  return {{"file", name},
          {"minimum", minimum},
          {"median", median},
          {"minimum_ratio", slowdown(now)},
          {"median_ratio", now.median / median},
          {"is_other_program", otherProgram},
          {"is_slower", slowdown(now) > 1 + tolerance}};
}

} // namespace gensyn::run
