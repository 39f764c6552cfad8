// See Html.h.

#include "gensyn/Executable/Html/Html.h"

#include "gensyn/Executable/Support/Printable.h"

#include <cmath>

namespace gensyn::html {

std::string escape(std::string_view text) {
  std::string result;
  for (const char c : printable(text))
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\'':
      result += "&#39;";
      break;
    default:
      result += c;
    }
  return result;
}

std::string cell(std::string_view text) {
  return "<td>" + escape(text) + "</td>";
}

std::string headRow(const std::vector<std::string> &names) {
  std::string row = "<tr>";
  for (const std::string &name : names) {
    const bool isRight = name.starts_with("#");
    row += (isRight ? "<th class=\"r\">" : "<th>") +
           escape(std::string_view(name).substr(isRight)) + "</th>";
  }
  return row + "</tr>\n";
}

std::string coordinate(double value) {
  const auto tenths = std::llround(value * 10);
  std::string text = std::to_string(std::abs(tenths) / 10);
  if (tenths % 10)
    text += "." + std::to_string(std::abs(tenths) % 10);
  return (tenths < 0 ? "-" : "") + text;
}

std::string box(double x, double y, double width, double height) {
  return " x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" width=\"" +
         coordinate(width) + "\" height=\"" + coordinate(height) + "\"";
}

static std::string openText(double x, double y, std::string_view kind,
                            std::string_view attributes) {
  std::string tag =
      "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\"";
  if (!kind.empty())
    tag += " class=\"" + std::string(kind) + "\"";
  return tag + std::string(attributes) + ">";
}

std::string label(double x, double y, std::string_view text,
                  std::string_view kind, std::string_view attributes) {
  return openText(x, y, kind, attributes) + escape(text) + "</text>";
}

std::string shortLabel(double x, double y, const std::string &text, size_t most,
                       std::string_view kind, std::string_view attributes) {
  if (text.size() <= most)
    return label(x, y, text, kind, attributes);
  std::string_view start = std::string_view(text).substr(0, most - 1);
  start.remove_suffix(incompleteSuffix(start));
  return openText(x, y, kind, attributes) + "<title>" + escape(text) +
         "</title>" + escape(start) + "\u2026</text>";
}

std::string section(std::string_view id, std::string_view title,
                    std::string_view content) {
  return "<section id=\"" + std::string(id) + "\"><h2>" + escape(title) +
         "</h2>\n" + std::string(content) + "</section>\n";
}

std::vector<int64_t> ticks(int64_t end, int most) {
  std::vector<int64_t> numbers;
  if (end <= 0)
    return {0};
  int64_t step = 1;
  for (int next = 0; end / step > most; ++next)
    step = next % 3 == 1 ? step / 2 * 5 : step * 2;
  for (int64_t number = 0; number <= end; number += step)
    numbers.push_back(number);
  return numbers;
}

} // namespace gensyn::html
