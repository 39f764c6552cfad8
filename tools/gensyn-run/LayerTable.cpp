// info: prints the table of a model's layers.

#include "../Terminal/Terminal.h"
#include "Commands.h"

#include "gensyn/Executable/Formats/SafeTensors.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace gensyn::run {

using nlohmann::json;

namespace {

constexpr size_t columns = 6;
using Row = std::array<std::string, columns>;

/// A longer name keeps its end, where names differ.
constexpr size_t longestName = 44;

} // namespace

/// The number of characters of UTF-8 text.
static size_t widthOf(const std::string &text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

static std::string shortened(const std::string &name) {
  // Quoted, so that control characters of an untrusted file are harmless.
  std::string text = quote(name);
  text = text.substr(1, text.size() - 2);
  if (widthOf(text) <= longestName)
    return text;
  size_t begin = text.size() - longestName + 3;
  while (begin < text.size() &&
         (static_cast<unsigned char>(text[begin]) & 0xc0) == 0x80)
    ++begin;
  return "..." + text.substr(begin);
}

static std::string describeResult(const json &layer) {
  if (!layer.contains("shape"))
    return "";
  const std::string name = layer.value("type", "?");
  const std::optional<ElementType> type = elementTypeFromName(name);
  std::string text = (type ? longName(*type) : name) + "[";
  const char *comma = "";
  for (const json &extent : layer.at("shape")) {
    text += comma +
            (extent.is_string() ? extent.get<std::string>() : extent.dump());
    comma = ",";
  }
  return text + "]";
}

static void printRows(const std::vector<Row> &rows, size_t used) {
  std::array<size_t, columns> widths{};
  for (const Row &row : rows)
    for (size_t i = 0; i < used; ++i)
      widths[i] = std::max(widths[i], widthOf(row[i]));
  for (const Row &row : rows) {
    std::string line = "           ";
    for (size_t i = 0; i < used; ++i) {
      const std::string gap(widths[i] - widthOf(row[i]), ' ');
      // Numbers, from the fourth column on, are right-aligned.
      line += " " + (i < 3 ? row[i] + gap : gap + row[i]) + " ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    printLine(line);
  }
}

void printLayers(const json &info) {
  if (!info.contains("layers"))
    return;
  std::string assumed;
  const json dims = info.value("assumed_dims", json::object());
  for (const auto &[name, size] : dims.items())
    assumed +=
        (assumed.empty() ? "      with " : ", ") + name + "=" + size.dump();
  printLine("layers" + assumed);
  const bool hasProgram = info.contains("program_flops");
  std::vector<Row> rows = {
      {"node", "operator", "output", "parameters", "flops", "flops of a step"}};
  int64_t others = 0, parameters = 0;
  int64_t rest = info.value("program_flops", int64_t(0));
  const json layers = info.at("layers");
  for (const json &layer : layers) {
    const int64_t own = layer.value("parameters", int64_t(0));
    const int64_t flops = layer.value("flops", int64_t(0));
    const int64_t program = layer.value("program_flops", int64_t(0));
    parameters += own;
    rest -= program;
    if (own + flops + program == 0) {
      ++others;
      continue;
    }
    rows.push_back({shortened(layer.value("node", "?")),
                    layer.value("operator", "?"), describeResult(layer),
                    runtime::groupDigits(own), runtime::groupDigits(flops),
                    runtime::groupDigits(program)});
  }
  if (rest)
    rows.push_back(
        {"loss and update", "", "", "", "", runtime::groupDigits(rest)});
  rows.push_back(
      {"all", "", "", runtime::groupDigits(parameters),
       runtime::groupDigits(info.value("flops", int64_t(0))),
       runtime::groupDigits(info.value("program_flops", int64_t(0)))});
  printRows(rows, hasProgram ? columns : columns - 1);
  if (others)
    printLine("            and " + counted(others, "node") +
              " without parameters or floats to compute with");
}

} // namespace gensyn::run
