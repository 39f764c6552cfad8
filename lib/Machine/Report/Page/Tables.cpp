// The sections of a page that are tables and lists.

#include "Html.h"
#include "PageData.h"

#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace gensyn::machine::page {

namespace {

Wide wide(int64_t value) { return static_cast<Wide>(value); }

std::string term(std::string_view name, const std::string &content) {
  return "<dt>" + escape(name) + "</dt><dd>" + content + "</dd>\n";
}

/// Words that may have numbers in them.
std::string nameTerm(std::string_view name, std::string_view words) {
  return term(name, "<span class=\"t\">" + escape(words) + "</span>");
}

/// "2,681,028"
std::string number(uint64_t value, Origin origin) {
  std::string digits = std::to_string(value);
  for (size_t place = digits.size(); place > 3;)
    digits.insert(place -= 3, ",");
  return figure(digits, origin);
}

/// "1.2 mJ [0.5 mJ, 3 mJ]"
std::string interval(const Interval &energy) {
  return figure(printEnergy(energy), Origin::Energy);
}

} // namespace

std::string nameOf(const KernelReport &kernel) {
  return kernel.kernel +
         (kernel.launches.size() > 1
              ? " and " + std::to_string(kernel.launches.size() - 1) + " more"
              : "");
}

std::string colourOf(size_t kernel) {
  constexpr size_t colours = 8;
  return "k" + std::to_string(kernel % colours);
}

std::string makeSummary(const PageData &data) {
  const MappingFacts &facts = data.facts;
  const Description &machine = data.machine();
  std::string list;
  if (!data.content.model.empty())
    list += nameTerm("model", data.content.model);
  if (!data.content.program.empty())
    list += nameTerm("program", data.content.program);
  list += nameTerm("machine", machine.name + ": " + machine.about);
  list += term("mapping", "<code>" + escape(facts.digest) + "</code>");
  list += term(
      "time of a run",
      "<b>" + figure(printTime(data.run.time), Origin::Simulation) + "</b>" +
          (data.preparation.time ? ", and " +
                                       figure(printTime(data.preparation.time),
                                              Origin::Simulation) +
                                       " once per set of parameters"
                                 : ""));
  list += term("energy of a run",
               "<b>" + interval(data.report.totalEnergy) + "</b>");
  list +=
      term("cores", number(facts.cores, Origin::Mapping) + " of " +
                        number(facts.liveCores, Origin::Mapping) +
                        " that work have tasks: " +
                        number(facts.computes, Origin::Mapping) + " compute, " +
                        number(facts.copies, Origin::Mapping) + " copy");
  const Wide all = wide(data.run.time) * data.report.cores;
  list += term(
      "time of cores",
      figure(printPercent(data.report.computing, all), Origin::Simulation) +
          " computing, " +
          figure(printPercent(data.report.waiting, all), Origin::Simulation) +
          " waiting for their copies, " +
          figure(printPercent(data.report.waitingForOthers, all),
                 Origin::Simulation) +
          " waiting for other cores");
  list += term(
      "memory of a core",
      "at most " + figure(printBytes(facts.memoryPeak), Origin::Mapping) +
          " of " + figure(printBytes(facts.memoryUsable), Origin::Mapping) +
          ", core " + std::to_string(facts.peakCore));
  if (facts.weights)
    list +=
        term("weights",
             figure(printBytes(facts.weights->resident), Origin::Mapping) +
                 " resident in cores, " +
                 figure(printBytes(facts.weights->streamed), Origin::Mapping) +
                 " streamed in a run");
  constexpr size_t mostMemories = 8;
  size_t memories = 0;
  std::string shared;
  for (size_t i = 0; i < facts.shared.size(); ++i) {
    const SharedUse &use = facts.shared[i];
    const ResourceUse &traffic = data.report.memories[i];
    if ((!use.used && !traffic.bytes) || ++memories > mostMemories)
      continue;
    shared += (shared.empty() ? "" : "<br>") + escape(use.name) + ": " +
              figure(printBytes(use.used), Origin::Mapping) + " of " +
              figure(printBytes(use.usable), Origin::Mapping) + ", " +
              figure(printBytes(traffic.bytes), Origin::Simulation) +
              " moved, busy " +
              figure(printPercent(wide(traffic.busy), wide(data.run.time)),
                     Origin::Simulation);
  }
  if (memories > mostMemories)
    shared += "<br>and " + std::to_string(memories - mostMemories) + " more";
  list += term("shared memories", shared);
  std::string path;
  for (const PathPart &part : pathParts())
    if (const int64_t time = data.report.path.*part.time)
      path += (path.empty() ? "" : ", ") + std::string(part.name) + " " +
              figure(printPercent(wide(time), wide(data.run.time)),
                     Origin::Simulation);
  list += term("critical path", path);
  for (const std::string &line : data.content.assumptions)
    list += nameTerm("assumed", line);
  return section("summary", "Summary", "<dl>" + list + "</dl>\n");
}

std::string makeKernels(const PageData &data) {
  constexpr size_t mostRows = 200;
  // A kernel without a note has a part for each core.
  std::map<uint32_t, const mapping::Note *> notes;
  for (const mapping::Note &note : data.program.getMapping().notes())
    notes[note.launch()] = &note;
  std::string rows;
  size_t row = 0;
  for (const KernelReport &kernel : data.report.kernels) {
    if (row++ == mostRows)
      break;
    const LaunchStatistics &sums = kernel.sums;
    const int64_t time = sums.path.total();
    const auto note = notes.find(kernel.launches.front());
    rows +=
        "<tr>" + cell(nameOf(kernel)) + cell(kernel.operation) +
        figureCell(printTime(time), Origin::Simulation) +
        figureCell(printPercent(wide(time), wide(data.run.time)),
                   Origin::Simulation) +
        cell(time ? boundOf(sums.path).name : "others") +
        figureCell(std::to_string(note == notes.end() ? sums.cores
                                                      : note->second->parts()),
                   Origin::Mapping) +
        figureCell(std::to_string(sums.cores), Origin::Mapping) +
        figureCell(
            printPercent(wide(sums.compute), wide(sums.span) * sums.cores),
            Origin::Simulation) +
        figureCell(printBytes(sums.bytesRead), Origin::Simulation) +
        figureCell(printBytes(sums.bytesWritten), Origin::Simulation) +
        figureCell(printEnergy(sums.energy), Origin::Energy) + "</tr>\n";
  }
  std::string rest;
  if (data.report.kernels.size() > mostRows)
    rest = "<p>" + std::to_string(data.report.kernels.size() - mostRows) +
           " faster kernels are left out.</p>\n";
  return section(
      "kernels", "Kernels",
      "<div class=\"wide\"><table>" +
          headRow({"kernel", "operation", "#time", "#share", "bound by",
                   "#parts", "#cores", "#busy", "#read", "#written",
                   "#energy"}) +
          rows + "</table></div>\n" + rest +
          "<p>Time is that on the critical path, so it adds up to that of the "
          "run. Launches of equal pieces are one kernel. Parts are those at "
          "the same time; busy is the part of its cores' time in which they "
          "compute; bytes are those of shared memories.</p>\n");
}

/// The lines of a text below its first one, as a list.
static std::string makeList(const std::string &text, Origin origin) {
  std::istringstream lines(text);
  std::string line, list;
  for (bool isTitle = true; std::getline(lines, line); isTitle = false)
    if (!isTitle && !line.empty())
      list += "<li>" + escape(line.substr(line.find_first_not_of(' '))) + " (" +
              figure("source", origin) + ")</li>\n";
  return list.empty() ? "<p>Nothing.</p>\n" : "<ul>" + list + "</ul>\n";
}

std::string makeReasons(const PageData &data) {
  return section("limits", "What limits the slowest kernels",
                 makeList(printLimits(data.report), Origin::Simulation)) +
         section(
             "reasons", "What was not done, and why",
             makeList(printNotes(data.program, data.report), Origin::Mapping));
}

static std::string printChange(int64_t value, int64_t base) {
  if (!base)
    return "";
  const double change =
      (static_cast<double>(value) / static_cast<double>(base) - 1) * 100;
  const std::string text = coordinate(change);
  return (change > 0 && text != "0" ? "+" : "") + text + " %";
}

std::string makeDecisions(const PageData &data) {
  const std::vector<Decision> &decisions = data.content.decisions;
  if (decisions.empty() && !data.content.withoutDecisions.empty())
    return section("decisions", "What each decision is worth",
                   "<p>" + escape(data.content.withoutDecisions) + "</p>\n");
  if (decisions.empty())
    return section("decisions", "What each decision is worth",
                   "<p>Not known here: the mapping was read from a file. "
                   "<code>gensyn-run simulate MODEL --machine NAME --report "
                   "FILE</code> maps the model again without each decision."
                   "</p>\n");
  const Decision &base = decisions.front();
  std::string rows;
  for (const Decision &decision : decisions) {
    const bool isBase = &decision == &base;
    rows += "<tr>" + cell(isBase ? "as it is" : "without " + decision.name) +
            cell(decision.meaning);
    if (!decision.problem.empty()) {
      rows += "<td colspan=\"6\">" + escape(decision.problem) + "</td></tr>\n";
      continue;
    }
    auto change = [&](int64_t value, int64_t other) {
      return figureCell(isBase ? "" : printChange(value, other),
                        Origin::Remapping);
    };
    rows += figureCell(printTime(decision.time), Origin::Remapping) +
            change(decision.time, base.time) +
            figureCell(printEnergy(decision.energy), Origin::Remapping) +
            change(decision.energy, base.energy) +
            figureCell(printBytes(decision.bytes), Origin::Remapping) +
            change(static_cast<int64_t>(decision.bytes),
                   static_cast<int64_t>(base.bytes)) +
            "</tr>\n";
  }
  return section(
      "decisions", "What each decision is worth",
      "<div class=\"wide\"><table>" +
          headRow({"mapping", "what the decision does", "#time", "#change",
                   "#energy", "#change", "#bytes", "#change"}) +
          rows + "</table></div>\n");
}

namespace {

/// Changes of a cost at both ends of a number, as two bars from the middle.
std::string drawChanges(double low, double high, double most) {
  auto bar = [&](double change, const char *kind) {
    const double length = std::min(std::abs(change) / most, 1.0) * 50;
    return std::string("<rect class=\"") + kind + "\"" +
           box(change < 0 ? 50 - length : 50, kind[0] == 'w' ? 0.5 : 5.5,
               length, 4) +
           "/>";
  };
  return "<td class=\"bar\"><svg viewBox=\"0 0 100 10\" "
         "preserveAspectRatio=\"none\"><path class=\"grid\" d=\"M50 0v10\"/>" +
         bar(low, "we") + bar(high, "se") + "</svg></td>";
}

double changeOf(int64_t value, int64_t base) {
  return base ? static_cast<double>(value) / static_cast<double>(base) - 1 : 0;
}

std::string printElasticity(double value) {
  const auto hundredths = std::llround(std::abs(value) * 100);
  if (!hundredths)
    return "0";
  return (value < 0 ? "-" : "") + std::to_string(hundredths / 100) + "." +
         std::to_string(hundredths % 100 + 100).substr(1);
}

} // namespace

std::string makeSensitivity(const PageData &data) {
  if (!data.content.hasSensitivity)
    return "";
  const Sensitivities found = findSensitivities(data.program, data.numbers);
  std::vector<Sensitivity> rows = found.numbers;
  auto effectOf = [&](const Sensitivity &row) {
    return std::max({std::abs(changeOf(row.timeAtLow, found.time)),
                     std::abs(changeOf(row.timeAtHigh, found.time)),
                     std::abs(changeOf(row.energyAtLow, found.energy)),
                     std::abs(changeOf(row.energyAtHigh, found.energy))});
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Sensitivity &a, const Sensitivity &b) {
                     return effectOf(a) > effectOf(b);
                   });
  constexpr double leastEffect = 0.0005, widest = 1;
  double most = 0.01;
  for (const Sensitivity &row : rows)
    most = std::max(most, std::min(effectOf(row), widest));
  std::string text;
  std::string small;
  for (const Sensitivity &row : rows) {
    const MachineNumber &number = data.numbers[row.number];
    const std::string id = idOfNumber(row.number);
    if (effectOf(row) < leastEffect) {
      small += (small.empty() ? "" : ", ") + figureOf(number.path, id);
      continue;
    }
    auto change = [&](int64_t value, int64_t base) {
      return figureCell(printChange(value, base), Origin::Estimate);
    };
    auto elasticityCell = [&](int64_t low, int64_t high) {
      return figureCell(
          printElasticity(elasticity(low, high, row.low, row.high)),
          Origin::Estimate);
    };
    const Unit unit = number.quantity.unit;
    text +=
        "<tr>" + cell(number.path) + "<td class=\"r\">" +
        figureOf(printQuantity(number.quantity.value, unit), id) +
        "</td><td class=\"r\">" + figureOf(printQuantity(row.low, unit), id) +
        "</td><td class=\"r\">" + figureOf(printQuantity(row.high, unit), id) +
        "</td>" + change(row.timeAtLow, found.time) +
        change(row.timeAtHigh, found.time) +
        drawChanges(changeOf(row.timeAtLow, found.time),
                    changeOf(row.timeAtHigh, found.time), most) +
        elasticityCell(row.timeAtLow, row.timeAtHigh) +
        change(row.energyAtLow, found.energy) +
        change(row.energyAtHigh, found.energy) +
        drawChanges(changeOf(row.energyAtLow, found.energy),
                    changeOf(row.energyAtHigh, found.energy), most) +
        elasticityCell(row.energyAtLow, row.energyAtHigh) + "</tr>\n";
  }
  std::string without;
  for (size_t number : found.without)
    without += (without.empty() ? "" : ", ") +
               figureOf(data.numbers[number].path, idOfNumber(number));
  return section(
      "sensitivity", "Sensitivity to the numbers of the machine file",
      "<p>Estimated for this mapping, one number at a time, at the ends of its "
      "interval, or a tenth less and more. Base: " +
          figure(printTime(found.time), Origin::Estimate) + ", " +
          figure(printEnergy(found.energy), Origin::Estimate) +
          ". The last column of each cost is d ln(cost) / d ln(number) between "
          "both ends: -1 if twice the number halves it. Bars end at " +
          figure(coordinate(most * 100) + " %", Origin::Estimate) +
          ": orange at the low end, blue at the high one.</p>\n" +
          (found.problem.empty() ? ""
                                 : "<p>" + escape(found.problem) + "</p>") +
          "<div class=\"wide\"><table>" +
          headRow({"number", "#value", "#low", "#high", "#time at low",
                   "#at high", "", "#elasticity", "#energy at low", "#at high",
                   "", "#elasticity"}) +
          text + "</table></div>\n" +
          (small.empty() ? ""
                         : "<p>Below " + figure("0.05 %", Origin::Estimate) +
                               ": " + small + ".</p>\n") +
          (without.empty()
               ? ""
               : "<details><summary>Numbers on which the cost of this mapping "
                 "does not depend</summary><p>Sizes decide what is mapped "
                 "where; rates of operations that are not there cost "
                 "nothing: " +
                     without + ".</p></details>\n"));
}

} // namespace gensyn::machine::page
