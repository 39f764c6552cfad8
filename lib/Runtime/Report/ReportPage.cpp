// Puts a page together; see ReportPage.h.

#include "gensyn/Runtime/Report/ReportPage.h"

#include "Sections.h"

#include "gensyn/Executable/Html/Html.h"
#include "gensyn/Executable/Support/Nouns.h"

#include <algorithm>
#include <array>

namespace gensyn::runtime {

namespace report {

using nlohmann::json;

static std::string printScaled(double number, double step,
                               const std::array<const char *, 5> &units) {
  size_t unit = 0;
  for (; unit + 1 < units.size() && number >= step; ++unit)
    number /= step;
  return shortText(number, 4) + " " + units[unit];
}

std::string printBytes(double bytes) {
  return printScaled(bytes, 1024, {"B", "KiB", "MiB", "GiB", "TiB"});
}

std::string printFlops(double flops) {
  return printScaled(flops, 1000, {"flop", "kflop", "Mflop", "Gflop", "Tflop"});
}

std::string printType(const json &value) {
  if (!value.contains("type"))
    return "";
  std::string text = value.value("type", "?") + "[";
  bool isFirst = true;
  for (const json &extent : value.value("shape", json::array())) {
    text += (isFirst ? "" : ",") +
            (extent.is_string() ? extent.get<std::string>() : extent.dump());
    isFirst = false;
  }
  return text + "]";
}

static std::string row(std::string_view name, const std::string &content) {
  return "<dt>" + html::escape(name) + "</dt><dd>" + content + "</dd>";
}

static std::string listPorts(const json &info, const char *key) {
  std::string text;
  for (const json &port : info.value(key, json::array()))
    text += (text.empty() ? "" : ", ") + port.value("name", "?") + " " +
            printType(port);
  return html::escape(text);
}

static std::string describeTotals(const json &info) {
  const json totals = info.value("kernel_totals", json::object());
  const json formed = totals.value("formed", json::object()),
             fused = totals.value("fused", json::object());
  auto bytesOf = [](const json &sum) {
    return printBytes(double(sum.value("bytes_read", int64_t(0)) +
                             sum.value("bytes_written", int64_t(0))));
  };
  return groupDigits(fused.value("kernels", int64_t(0))) + " after fusion of " +
         groupDigits(formed.value("kernels", int64_t(0))) +
         "; they read and "
         "write " +
         bytesOf(fused) + " instead of " + bytesOf(formed);
}

std::string makeSummary(const ReportContent &content) {
  const json &info = content.info;
  std::string rows = row("model", html::escape(content.model));
  if (const std::string producer = info.value("producer", "");
      !producer.empty())
    rows += row("producer", html::escape(producer));
  if (!content.recipe.empty())
    rows += row("recipe", html::escape(content.recipe));
  if (!content.compiled.empty())
    rows += row("compiled", html::escape(content.compiled));
  rows += row("target", html::escape(content.target));
  rows += row("program digest",
              "<code>" + html::escape(info.value("program_digest", "unknown")) +
                  "</code>");
  rows +=
      row("parameters",
          groupDigits(info.value("parameter_count", int64_t(0))) + " in " +
              countOf(int64_t(info.value("parameters", json::array()).size()),
                      "tensor"));
  rows += row("inputs", listPorts(info, "inputs"));
  rows += row("outputs", listPorts(info, "outputs"));
  std::string sizes;
  // A named variable, since items() of a temporary would outlive it.
  const json assumed = info.value("assumed_dims", json::object());
  for (const auto &[name, size] : assumed.items())
    sizes += (sizes.empty() ? "" : ", ") + name + " = " + size.dump();
  if (!sizes.empty())
    rows += row("sizes", html::escape(sizes));
  if (info.contains("flops"))
    rows += row("inference", printFlops(info.value("flops", 0.0)));
  if (info.contains("program_flops"))
    rows += row("a step", printFlops(info.value("program_flops", 0.0)));
  if (info.contains("kernel_totals"))
    rows += row("kernels", html::escape(describeTotals(info)));
  for (const json &entry : info.value("unsupported", json::array()))
    rows +=
        row("unsupported", html::escape("node " + entry.value("node", "?") +
                                        " (" + entry.value("operator", "?") +
                                        "): " + entry.value("reason", "?")));
  return html::section("summary", "Summary", "<dl>" + rows + "</dl>");
}

/// A table that is closed at first, since it is long.
static std::string makeTable(const char *id, const std::string &title,
                             const std::string &table) {
  return html::section(id, title,
                       "<details><summary>Show the table</summary><div "
                       "class=\"wide\"><table>" +
                           table + "</table></div></details>");
}

static std::string number(const std::string &text) {
  return "<td class=\"r\">" + text + "</td>";
}

std::string makeLayers(const ReportContent &content) {
  const json layers = content.info.value("layers", json::array());
  std::string rows;
  for (const json &layer : layers)
    rows += "<tr>" + html::cell(layer.value("node", "?")) +
            html::cell(layer.value("operator", "?")) +
            html::cell(printType(layer)) +
            number(groupDigits(layer.value("parameters", int64_t(0)))) +
            number(groupDigits(layer.value("flops", int64_t(0)))) +
            (layer.contains("program_flops")
                 ? number(groupDigits(layer.value("program_flops", int64_t(0))))
                 : "<td></td>") +
            "</tr>\n";
  return makeTable("layers", "Nodes",
                   html::headRow({"node", "operator", "output", "#parameters",
                                  "#flops", "#flops of a step"}) +
                       rows);
}

std::string makeKernels(const ReportContent &content) {
  const std::map<std::string, Phase> phases = findPhases(content.info);
  const json kernels = content.info.value("kernels", json::array());
  std::string rows;
  for (const json &kernel : kernels) {
    const std::string name = kernel.value("name", "?");
    auto phase = phases.find(name);
    rows += "<tr>" + html::cell(name) +
            html::cell(
                (phase == phases.end() ? "" : nameOf(phase->second)) +
                std::string(kernel.contains("recomputes") ? ", again" : "")) +
            html::cell(kernel.value("form", "?")) +
            html::cell(kernel.value("schedule", "")) +
            html::cell(kernel.value("node", "")) +
            html::cell(printType(kernel)) +
            number(groupDigits(kernel.value("flops", int64_t(0)))) +
            number(groupDigits(kernel.value("bytes_read", int64_t(0)))) +
            number(groupDigits(kernel.value("bytes_written", int64_t(0)))) +
            "</tr>\n";
  }
  return makeTable(
      "kernels", "Kernels",
      html::headRow({"kernel", "part", "form", "schedule", "node", "result",
                     "#flops", "#bytes read", "#bytes written"}) +
          rows);
}

} // namespace report

std::string makeReportPage(const ReportContent &content) {
  using namespace report;
  OrderedJson memories = OrderedJson::array(), data;
  for (const ReportedProgram &program : content.programs)
    memories.push_back(describeMemory(program, content.info));
  data["graph"] = describeGraph(content.info);
  data["memory"] = memories;
  std::string body =
      makeSummary(content) + makeGraph(content) + makeMemory(content, memories);
  if (content.measured) {
    data["time"] = describeTime(*content.measured, content.info);
    body += makeTime(data["time"]);
  }
  if (!content.runs.empty()) {
    data["runs"] = describeRuns(content.runs);
    body += makeCurves(data["runs"]);
  }
  body += makeLayers(content) + makeKernels(content);
  std::string title = content.model;
  if (!content.recipe.empty())
    title += " with " + content.recipe;
  return html::print(
      {title + " on " + content.target,
       body,
       data,
       {styles},
       {layoutScript, plotScript, graphScript, chartScript, curvesScript}});
}

} // namespace gensyn::runtime
