// Puts a page about differences together; see ComparisonPage.h.

#include "gensyn/Runtime/Report/ComparisonPage.h"

#include "Comparison.h"
#include "Sections.h"

#include "gensyn/Executable/Html/Html.h"
#include "gensyn/Executable/Support/Nouns.h"
#include "gensyn/Executable/Support/Printable.h"
#include "gensyn/Runtime/Replay/DescribeReplay.h"

#include <algorithm>

namespace gensyn::runtime {

namespace report {

namespace fs = std::filesystem;

// These bound the size of a page: cells of all maps, maps, rows of the table,
// bytes of a name, and of the names of equal tensors.
static constexpr int64_t mostCells = 2'500'000;
static constexpr size_t mostMaps = 200, mostRows = 2000, longestName = 200,
                        mostEqualNames = 20'000;
static constexpr size_t mostWorst = 8;

static std::string cutName(const std::string &name) {
  return printable(name, longestName);
}

static std::string countText(int64_t number, std::string_view noun) {
  return groupDigits(number) + " " + nounFor(number, noun);
}

static std::string describeUlps(uint64_t ulps) {
  if (ulps == kNanUlps)
    return "NaN against a number";
  return ulps > INT64_MAX ? std::to_string(ulps) + " ulps"
                          : countText(int64_t(ulps), "ulp");
}

/// NaNs first, then tensors that cannot be compared.
static std::vector<const Difference *>
sortByWorst(const std::vector<Difference> &differences) {
  std::vector<const Difference *> sorted;
  for (const Difference &difference : differences)
    sorted.push_back(&difference);
  auto weight = [](const Difference *difference) {
    return difference->reason.empty() ? difference->maxUlps : kNanUlps - 1;
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Difference *a, const Difference *b) {
                     return weight(a) > weight(b);
                   });
  return sorted;
}

static bool isRun(const fs::path &path) {
  std::error_code ignored;
  return fs::exists(path / "log.jsonl", ignored);
}

/// The names of the files or folders, with their paths if they are the same.
static std::string makeTitle(const ComparisonContent &content) {
  auto nameOf = [](const fs::path &path) {
    const fs::path plain = path.lexically_normal();
    return plain.has_filename() ? plain.filename()
                                : plain.parent_path().filename();
  };
  const fs::path first = nameOf(content.first), second = nameOf(content.second);
  return first == second
             ? content.first.string() + " against " + content.second.string()
             : first.string() + " against " + second.string();
}

static std::string numberCell(const std::string &text) {
  return "<td class=\"r\">" + text + "</td>";
}

static std::string termOf(std::string_view name, const std::string &content) {
  return "<dt>" + html::escape(name) + "</dt><dd>" + html::escape(content) +
         "</dd>";
}

static std::string makeDifferenceSummary(const ComparisonContent &content) {
  int64_t common = 0, elements = 0, different = 0, uncompared = 0;
  uint64_t worst = 0;
  for (const auto &[name, entry] : content.firstTensors.entries())
    if (content.secondTensors.find(name)) {
      ++common;
      elements += countElements(entry);
    }
  for (const Difference &difference : content.differences) {
    different += difference.different;
    uncompared += !difference.reason.empty();
    worst = std::max(worst, difference.maxUlps);
  }
  const auto all = int64_t(content.differences.size());
  std::string rows = termOf("first", content.first.string()) +
                     termOf("second", content.second.string());
  rows += termOf("tensors", countText(common, "tensor") + " in both");
  rows += termOf("result", all == 0 ? "bit-equal"
                                    : countText(all, "tensor") + " differ" +
                                          (all == 1 ? "s" : ""));
  if (uncompared != 0)
    rows += termOf("not compared", countText(uncompared, "tensor") +
                                       ", see the table for the reasons");
  if (different != 0)
    rows += termOf("elements", groupDigits(different) + " of " +
                                   groupDigits(elements) + " differ") +
            termOf("worst", describeUlps(worst));
  return html::section("summary", "Summary", "<dl>" + rows + "</dl>");
}

static std::string makeRuns(const ComparisonContent &content,
                            const OrderedJson &runs) {
  std::string body = makeCurves(runs);
  std::string more;
  if (const auto step =
          findCheckpointDifference(content.first, content.second)) {
    const std::string place = "checkpoints/step-" + std::to_string(*step);
    more +=
        "<p class=\"finding\">" +
        html::escape(
            "Both runs have a checkpoint of step " + groupDigits(*step) +
            ", the first whose parameters differ: gensyn-run compare " +
            (content.first / place).string() + " " +
            (content.second / place).string() + " --html FILE shows them.") +
        "</p>";
  }
  const std::vector<SettingDifference> statements =
      compareRunStatements(content.first, content.second);
  if (statements.empty())
    more += "<p>The run folders state the same program, recipe and data.</p>";
  std::string rows;
  for (const SettingDifference &statement : statements)
    rows += "<tr>" + html::cell(statement.name) + html::cell(statement.first) +
            html::cell(statement.second) + "</tr>";
  if (!rows.empty())
    more += "<div class=\"wide\"><table>" +
            html::headRow({"what differs", "first", "second"}) + rows +
            "</table></div>";
  return body + html::section("statements", "How the runs were made", more);
}

/// The findings of repeating the runs, as on the terminal.
static std::string makeReplay(const ComparisonContent &content) {
  if (!content.replay)
    return "";
  std::string rows, first = content.first.string(),
                    second = content.second.string();
  std::string words;
  for (const ReplayLine &line :
       describeReplay(*content.replay, first, second)) {
    if (line.term.empty()) {
      words += "<br>" + html::escape(line.text);
      continue;
    }
    if (!words.empty())
      rows += words + "</dd>";
    words = "<dt>" + html::escape(line.term) + "</dt><dd>" +
            html::escape(line.text);
  }
  return html::section("replay", "Repeated on this machine",
                       "<dl>" + rows + words + "</dd></dl>");
}

static std::string
makeDifferenceTable(const std::vector<const Difference *> &sorted,
                    const std::vector<const Difference *> &mapped) {
  std::string rows;
  size_t map = 0;
  for (size_t i = 0; i < std::min(mostRows, sorted.size()); ++i) {
    const Difference &difference = *sorted[i];
    const std::string name = html::escape(cutName(difference.name));
    if (!difference.reason.empty()) {
      rows += "<tr><td>" + name + "</td><td></td><td></td>" +
              numberCell(html::escape(difference.reason)) + "</tr>\n";
      continue;
    }
    const bool hasMap = map < mapped.size() && mapped[map] == &difference;
    rows +=
        "<tr><td>" +
        (hasMap ? "<a href=\"#t" + std::to_string(map) + "\">" + name + "</a>"
                : name) +
        "</td>" + numberCell(groupDigits(difference.different)) +
        numberCell(groupDigits(difference.elements)) +
        numberCell(describeUlps(difference.maxUlps)) + "</tr>\n";
    map += hasMap;
  }
  std::string more;
  if (sorted.size() > mostRows)
    more = "<p>and " + countText(int64_t(sorted.size() - mostRows), "tensor") +
           " more, which gensyn-run compare lists.</p>";
  return html::section(
      "tensors", "Tensors that differ",
      "<p>The worst first. An ulp is the distance between neighbouring values "
      "of the element type, so that 2<sup>23</sup> ulps of float32 are a "
      "factor of two; of integers it is 1.</p><div class=\"wide\"><table>" +
          html::headRow({"tensor", "#different", "#elements", "#worst"}) +
          rows + "</table></div>" + more);
}

/// "2 to 3", for the powers of two from `first` to below `end`.
static std::string describeRange(int first, int end) {
  const uint64_t low = uint64_t(1) << first,
                 high = end == 64 ? kNanUlps - 1 : (uint64_t(1) << end) - 1;
  auto text = [](uint64_t value) {
    return value > INT64_MAX ? std::to_string(value)
                             : groupDigits(int64_t(value));
  };
  return low == high ? text(low) : text(low) + " to " + text(high);
}

/// Elements by distance, in classes of a factor of four.
static std::string makeHistogram(const TensorDifference &found, int64_t equal) {
  struct Bar {
    std::string name;
    int64_t elements;
  };
  std::vector<Bar> bars = {{"equal", equal}};
  for (int first = 0; first < 64; first = first == 0 ? 1 : first + 2) {
    const int end = std::min(64, first == 0 ? 1 : first + 2);
    int64_t sum = 0;
    for (int at = first; at < end; ++at)
      sum += found.counts[size_t(at)];
    // Bars begin at the smallest difference.
    if (sum != 0 || bars.size() > 1)
      bars.push_back({describeRange(first, end), sum});
  }
  while (bars.size() > 1 && bars.back().elements == 0)
    bars.pop_back();
  if (found.counts.back() != 0)
    bars.push_back({"NaN against a number", found.counts.back()});
  int64_t most = 1;
  for (size_t i = 1; i < bars.size(); ++i)
    most = std::max(most, bars[i].elements);
  std::string rows;
  for (size_t i = 0; i < bars.size(); ++i) {
    const double width =
        i == 0 ? 0 : 100.0 * double(bars[i].elements) / double(most);
    rows +=
        "<tr>" + html::cell(bars[i].name) +
        numberCell(groupDigits(bars[i].elements)) +
        "<td class=\"bar\"><svg viewBox=\"0 0 100 12\" "
        "preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect" +
        html::box(0, 0, bars[i].elements && i ? std::max(1.0, width) : 0, 12) +
        "/></svg></td></tr>";
  }
  return "<div><h3>Elements by distance in ulps</h3><div "
         "class=\"wide\"><table class=\"histogram\">" +
         html::headRow({"ulps", "#elements", ""}) + rows +
         "</table></div></div>";
}

static std::string makeWorst(const TensorDifference &found,
                             const TensorEntry &a, const TensorEntry &b) {
  std::string rows;
  for (const WorstElement &worst : found.worst) {
    auto values = [&](const TensorEntry &entry) {
      return numberCell(printElement(entry, worst.element)) + "<td><code>" +
             printElementBits(entry, worst.element) + "</code></td>";
    };
    rows +=
        "<tr>" + html::cell(describeShape(indexOfElement(a, worst.element))) +
        values(a) + values(b) + numberCell(describeUlps(worst.ulps)) + "</tr>";
  }
  return "<div><h3>Elements that differ most</h3><div class=\"wide\"><table>" +
         html::headRow(
             {"index", "first", "its bits", "second", "its bits", "distance"}) +
         rows + "</table></div></div>";
}

/// "rows: dimension 0, columns: dimensions 1 to 3"
static std::string describeMap(const MapShape &map, size_t rank) {
  auto dimensions = [](size_t first, size_t end) {
    return end - first == 1 ? "dimension " + std::to_string(first)
                            : "dimensions " + std::to_string(first) + " to " +
                                  std::to_string(end - 1);
  };
  std::string text =
      map.rowDims     ? "Rows are " + dimensions(0, *map.rowDims) +
                            ", columns are " + dimensions(*map.rowDims, rank)
      : map.rows == 1 ? std::string("One row has all elements")
                      : "Elements are in row-major order, in lines of " +
                            groupDigits(map.columns);
  if (map.blockRows * map.blockColumns > 1)
    text += "; a cell is the largest difference of " +
            groupDigits(map.blockRows) + " by " +
            groupDigits(map.blockColumns) + " elements";
  return text + ". A ring marks the element that differs most.";
}

static OrderedJson toJson(const TensorDifference &found, int64_t elements,
                          const std::string &name) {
  const MapShape &map = found.map;
  const int64_t worst = found.worst.empty() ? 0 : found.worst.front().element;
  return {{"name", name},
          {"elements", elements},
          {"rows", map.rows},
          {"columns", map.columns},
          {"blockRows", map.blockRows},
          {"blockColumns", map.blockColumns},
          {"isMatrix", map.rowDims.has_value()},
          {"worst",
           {worst / map.columns / map.blockRows,
            worst % map.columns / map.blockColumns}},
          {"cells", found.cells}};
}

/// A closed part of the page for each tensor; the first ones are open.
static std::string makeMaps(const ComparisonContent &content,
                            const std::vector<const Difference *> &mapped,
                            OrderedJson &data) {
  constexpr size_t mostOpen = 3;
  data = OrderedJson::array();
  if (mapped.empty())
    return "";
  std::string body =
      "<p>A map shows a tensor as a matrix. Its cells say their place and "
      "their difference in words: point at one, or focus the map and use the "
      "arrow keys.</p><div id=\"ulpKey\" class=\"bar\"></div><noscript><p>"
      "Maps need JavaScript; the tables do not.</p></noscript>";
  const int64_t cells =
      std::max<int64_t>(1, mostCells / int64_t(mapped.size()));
  for (size_t i = 0; i < mapped.size(); ++i) {
    const Difference &difference = *mapped[i];
    const TensorEntry &a = *content.firstTensors.find(difference.name),
                      &b = *content.secondTensors.find(difference.name);
    const TensorDifference found = findTensorDifference(a, b, cells, mostWorst);
    const std::string name = cutName(difference.name);
    data.push_back(toJson(found, difference.elements, name));
    const std::string id = std::to_string(i);
    body += "<details class=\"tensor\" id=\"t" + id + "\"" +
            (i < mostOpen ? " open" : "") + "><summary><b>" +
            html::escape(name) + "</b> " +
            html::escape(
                longName(a.type) + describeShape(a.shape) + ": " +
                groupDigits(difference.different) + " of " +
                countText(difference.elements, "element") +
                (difference.maxUlps == kNanUlps ? ", with a " : ", up to ") +
                describeUlps(difference.maxUlps)) +
            "</summary><figure class=\"chart ulpMap\" data-n=\"" + id +
            "\"></figure><p>" + describeMap(found.map, a.shape.size()) +
            "</p><div class=\"two\">" +
            makeHistogram(found, difference.elements - difference.different) +
            makeWorst(found, a, b) + "</div></details>\n";
  }
  return html::section("maps", "Maps of differences", body);
}

static std::string makeEqual(const ComparisonContent &content) {
  std::vector<std::string> different;
  for (const Difference &difference : content.differences)
    different.push_back(difference.name); // sorted, as compareTensors() is
  std::string names;
  int64_t equal = 0, unnamed = 0;
  for (const auto &[name, entry] : content.firstTensors.entries()) {
    if (std::binary_search(different.begin(), different.end(), name))
      continue;
    ++equal;
    if (names.size() > mostEqualNames)
      ++unnamed;
    else
      names += (names.empty() ? "" : ", ") + cutName(name);
  }
  if (unnamed != 0)
    names += " and " + groupDigits(unnamed) + " more";
  return html::section("equal", "Equal tensors",
                       "<p>" + countText(equal, "tensor") +
                           (names.empty() ? "" : ": " + html::escape(names)) +
                           "</p>");
}

} // namespace report

std::string makeComparisonPage(const ComparisonContent &content) {
  using namespace report;
  const std::vector<const Difference *> sorted =
      sortByWorst(content.differences);
  std::vector<const Difference *> mapped;
  for (const Difference *difference : sorted)
    if (difference->reason.empty() && mapped.size() < mostMaps)
      mapped.push_back(difference);
  std::string body = makeDifferenceSummary(content);
  OrderedJson data;
  if (isRun(content.first) && isRun(content.second)) {
    data["runs"] = describeRuns({content.first, content.second});
    body += makeRuns(content, data["runs"]);
  }
  body += makeReplay(content);
  if (!sorted.empty())
    body += makeDifferenceTable(sorted, mapped);
  body += makeMaps(content, mapped, data["tensors"]) + makeEqual(content);
  return html::print({makeTitle(content),
                      body,
                      data,
                      {styles, compareStyles},
                      {plotScript, curvesScript, compareScript}});
}

} // namespace gensyn::runtime
