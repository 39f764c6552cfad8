// A page about a sweep: time against energy, and the front.

#include "Html.h"
#include "PageData.h"

#include "gensyn/Machine/Sweep.h"

#include <algorithm>
#include <cmath>

namespace gensyn::machine {

namespace page {

namespace {

constexpr double left = 90, top = 10, width = 820, height = 400;

/// A logarithmic axis over positive numbers.
class Scale {
public:
  void include(int64_t value) {
    const auto number = static_cast<double>(std::max<int64_t>(value, 1));
    low = std::min(low, number);
    high = std::max(high, number);
  }
  /// With room around what is included.
  void close() {
    const double room = std::max(std::pow(high / low, 0.06), 1.02);
    low /= room;
    high *= room;
  }
  /// From 0 to 1.
  double at(double value) const {
    return std::log(value / low) / std::log(high / low);
  }
  /// Numbers with one or two digits.
  std::vector<int64_t> marks() const {
    std::vector<int64_t> numbers;
    for (double power = std::pow(10, std::floor(std::log10(low)) - 1);
         power <= high; power *= 10)
      for (double digits = 10; digits < 100; digits += 1)
        if (const double value = std::round(digits * power);
            value >= low && value <= high && value >= 1)
          numbers.push_back(static_cast<int64_t>(value));
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    // About eight of them, as evenly as they come.
    std::vector<int64_t> chosen;
    double last = -1;
    for (int64_t number : numbers)
      if (const double place = at(static_cast<double>(number));
          place - last > 0.11) {
        chosen.push_back(number);
        last = place;
      }
    return chosen;
  }

private:
  double low = 1e300, high = 1;
};

std::string describe(const Sweep &sweep, const SweepPoint &point) {
  std::string text;
  for (size_t i = 0; i < sweep.axes.size(); ++i)
    text += (i ? ", " : "") + sweep.axes[i].number.path + " = " +
            printQuantity(point.values[i], sweep.axes[i].number.quantity.unit);
  return text + ": " + printTime(point.time) + ", " + printEnergy(point.energy);
}

std::string drawPoints(const Sweep &sweep) {
  Scale time, energy;
  for (const SweepPoint &point : sweep.points)
    if (point.problem.empty()) {
      time.include(point.time);
      energy.include(point.energy);
    }
  time.close();
  energy.close();
  auto x = [&](int64_t value) {
    return left + time.at(static_cast<double>(value)) * width;
  };
  auto y = [&](int64_t value) {
    return top + height - energy.at(static_cast<double>(value)) * height;
  };
  std::string axes, rest, front;
  for (int64_t mark : time.marks())
    axes += "<path class=\"grid\" d=\"M" + coordinate(x(mark)) + " " +
            coordinate(top) + "v" + coordinate(height) + "\"/>" +
            label(x(mark), top + height + 16, printTime(mark), "tick");
  for (int64_t mark : energy.marks())
    axes += "<path class=\"grid\" d=\"M" + coordinate(left) + " " +
            coordinate(y(mark)) + "h" + coordinate(width) + "\"/>" +
            label(left - 6, y(mark) + 4, printEnergy(mark), "name");
  axes += label(left + width / 2, top + height + 34, "time of a run", "tick");
  for (const SweepPoint &point : sweep.points)
    if (point.problem.empty())
      (point.isOnFront ? front : rest) +=
          std::string("<circle class=\"") +
          (point.isOnFront ? "front" : "rest") + "\" cx=\"" +
          coordinate(x(point.time)) + "\" cy=\"" + coordinate(y(point.energy)) +
          "\" r=\"" + (point.isOnFront ? "6" : "4") + "\" data-t=\"" +
          escape(describe(sweep, point)) + "\"/>";
  return "<svg viewBox=\"0 0 " + coordinate(left + width + 30) + " " +
         coordinate(top + height + 42) + "\"><rect class=\"plot\"" +
         box(left, top, width, height) + "/>" + axes + rest + front + "</svg>";
}

std::string makeTable(const Sweep &sweep, bool isFront) {
  std::vector<std::string> head;
  for (const SweepAxis &axis : sweep.axes)
    head.push_back("#" + axis.number.path);
  for (const char *name : {"#time", "#energy", "#bytes moved"})
    head.emplace_back(name);
  if (sweep.hasSize())
    head.emplace_back("#swept sizes");
  std::vector<const SweepPoint *> points;
  for (const SweepPoint &point : sweep.points)
    if (!isFront || point.isOnFront)
      points.push_back(&point);
  if (isFront)
    std::stable_sort(points.begin(), points.end(),
                     [](const SweepPoint *a, const SweepPoint *b) {
                       return a->time < b->time;
                     });
  std::string rows;
  for (const SweepPoint *point : points) {
    rows += "<tr>";
    for (size_t i = 0; i < sweep.axes.size(); ++i)
      rows += figureCell(
          printQuantity(point->values[i], sweep.axes[i].number.quantity.unit),
          Origin::Remapping);
    if (!point->problem.empty()) {
      rows += "<td colspan=\"4\">" + escape(point->problem) + "</td></tr>\n";
      continue;
    }
    rows += figureCell(printTime(point->time), Origin::Remapping) +
            figureCell(printEnergy(point->energy), Origin::Remapping) +
            figureCell(printBytes(point->bytes), Origin::Remapping);
    if (sweep.hasSize())
      rows += figureCell(printBytes(static_cast<uint64_t>(point->size)),
                         Origin::Remapping);
    rows += "</tr>\n";
  }
  return "<div class=\"wide\"><table>" + headRow(head) + rows +
         "</table></div>\n";
}

} // namespace

} // namespace page

std::string makeSweepPage(const Sweep &sweep, const Description &machine) {
  using namespace page;
  const std::string title = sweep.model + " on " + machine.name + ": a sweep";
  const std::vector<MachineNumber> numbers = listNumbers(machine);
  std::string axes;
  for (const SweepAxis &axis : sweep.axes) {
    size_t number = 0;
    while (number + 1 < numbers.size() &&
           numbers[number].pointer != axis.number.pointer)
      ++number;
    const Unit unit = axis.number.quantity.unit;
    axes +=
        "<li>" + escape(axis.number.path) + ": " +
        figureOf(std::to_string(axis.values.size()), idOfNumber(number)) +
        " from " +
        figureOf(printQuantity(axis.values.front(), unit), idOfNumber(number)) +
        " to " +
        figureOf(printQuantity(axis.values.back(), unit), idOfNumber(number)) +
        "; in the file " +
        figureOf(printQuantity(axis.number.quantity.value, unit),
                 idOfNumber(number)) +
        "</li>\n";
  }
  const std::string better =
      std::string("better in time") +
      (sweep.hasSize() ? ", energy or the swept sizes" : " or energy") +
      " without being worse in another";
  const std::string body =
      section("sweep", "Values",
              "<p>Each point is the program mapped to the machine at these "
              "values, and estimated in closed form.</p><ul>" +
                  axes + "</ul>\n") +
      section("pareto", "Time against energy",
              picture(drawPoints(sweep),
                      "Orange: no other point is " + better + ".",
                      Origin::Remapping)) +
      section("front", "The front", makeTable(sweep, true)) +
      section("points", "All points",
              "<details><summary>all</summary>" + makeTable(sweep, false) +
                  "</details>\n") +
      makeSources(machine, numbers, "");
  return makeDocument(title, body, OrderedJson::object());
}

} // namespace gensyn::machine
