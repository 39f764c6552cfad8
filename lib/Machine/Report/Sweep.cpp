// Combinations of values, and the front of the best; see Sweep.h.

#include "gensyn/Machine/Sweep.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/TextTable.h"
#include "gensyn/Machine/Report.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace gensyn::machine {

namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return parts;
    text.remove_prefix(end + 1);
  }
}

int64_t parseCount(std::string_view text, const std::string &path) {
  int64_t count = 0;
  const char *end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || rest != end || count < 2 || count > 1024)
    throw Failure(ExitCode::Usage, "--sweep " + quote(path) + ": " +
                                       quote(text) +
                                       " is not a number of values from 2 to "
                                       "1024");
  return count;
}

/// From the first value to the last one by equal factors.
std::vector<int64_t> spread(int64_t first, int64_t last, int64_t count) {
  std::vector<int64_t> values;
  const double ratio =
      std::log(static_cast<double>(last) / static_cast<double>(first));
  for (int64_t i = 0; i < count; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(count - 1);
    values.push_back(i == 0 ? first
                     : i + 1 == count
                         ? last
                         : std::llround(static_cast<double>(first) *
                                        std::exp(ratio * part)));
  }
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

SweepAxis parseAxis(std::string_view text,
                    const std::vector<MachineNumber> &numbers) {
  constexpr int64_t defaultCount = 8;
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    throw Failure(ExitCode::Usage, "--sweep: " + quote(text) +
                                       " is not PATH=FIRST:LAST[:COUNT]");
  SweepAxis axis;
  axis.number = findNumber(numbers, text.substr(0, equals));
  const auto parts = split(text.substr(equals + 1), ':');
  const int64_t first = parseValue(axis.number, parts.front());
  if (parts.size() == 1) {
    axis.values = {first};
    return axis;
  }
  const int64_t last = parseValue(axis.number, parts[1]);
  if (parts.size() > 3 || first <= 0 || last <= first)
    throw Failure(ExitCode::Usage,
                  "--sweep: " + quote(text) +
                      " is not PATH=FIRST:LAST[:COUNT] with 0 < FIRST < LAST");
  axis.values =
      spread(first, last,
             parts.size() == 3 ? parseCount(parts[2], axis.number.path)
                               : defaultCount);
  return axis;
}

/// True if it costs at most as much in everything, and less in something.
bool isBetter(const SweepPoint &a, const SweepPoint &b) {
  return a.time <= b.time && a.energy <= b.energy && a.size <= b.size &&
         (a.time < b.time || a.energy < b.energy || a.size < b.size);
}

bool isSize(const SweepAxis &axis) {
  return axis.number.pointer.ends_with("/size");
}

} // namespace

bool Sweep::hasSize() const {
  return std::any_of(axes.begin(), axes.end(), isSize);
}

Sweep parseSweep(std::string_view text, const Description &machine) {
  constexpr size_t mostPoints = 4096;
  const std::vector<MachineNumber> numbers = listNumbers(machine);
  Sweep sweep;
  size_t count = 1;
  for (std::string_view part : split(text, ',')) {
    SweepAxis axis = parseAxis(part, numbers);
    for (const SweepAxis &other : sweep.axes)
      if (other.number.path == axis.number.path)
        throw Failure(ExitCode::Usage, "--sweep: " + quote(axis.number.path) +
                                           " is there twice");
    count *= axis.values.size();
    if (count > mostPoints)
      throw Failure(ExitCode::Usage, "--sweep: more than " +
                                         std::to_string(mostPoints) +
                                         " combinations of values");
    sweep.axes.push_back(std::move(axis));
  }
  for (size_t i = 0; i < count; ++i) {
    SweepPoint point;
    size_t rest = i;
    std::vector<NumberChange> changes;
    std::string place = machine.name;
    // The last axis changes first.
    point.values.resize(sweep.axes.size());
    for (size_t axis = sweep.axes.size(); axis-- > 0;) {
      const std::vector<int64_t> &values = sweep.axes[axis].values;
      point.values[axis] = values[rest % values.size()];
      rest /= values.size();
    }
    for (size_t axis = 0; axis < sweep.axes.size(); ++axis) {
      const MachineNumber &number = sweep.axes[axis].number;
      changes.push_back({&number, point.values[axis]});
      place += (axis ? ", " : " with ") + number.path + " = " +
               printQuantity(point.values[axis], number.quantity.unit);
      if (isSize(sweep.axes[axis]))
        point.size += point.values[axis];
    }
    point.machine = changeNumbers(machine.text, changes);
    (void)parseDescription(point.machine, "--sweep: " + place);
    sweep.points.push_back(std::move(point));
  }
  return sweep;
}

void markFront(Sweep &sweep) {
  for (SweepPoint &point : sweep.points)
    point.isOnFront =
        point.problem.empty() &&
        std::none_of(sweep.points.begin(), sweep.points.end(),
                     [&](const SweepPoint &other) {
                       return other.problem.empty() && isBetter(other, point);
                     });
}

std::string printSweep(const Sweep &sweep) {
  constexpr size_t mostRows = 128;
  const bool hasSize = sweep.hasSize();
  TextTable table(0);
  std::vector<std::string> head;
  for (const SweepAxis &axis : sweep.axes)
    head.push_back(axis.number.path);
  head.insert(head.end(), {"time", "energy", "front"});
  table.add(std::move(head));
  size_t left = 0;
  for (const SweepPoint &point : sweep.points) {
    if (sweep.points.size() > mostRows && !point.isOnFront) {
      ++left;
      continue;
    }
    std::vector<std::string> row;
    for (size_t i = 0; i < sweep.axes.size(); ++i)
      row.push_back(
          printQuantity(point.values[i], sweep.axes[i].number.quantity.unit));
    if (point.problem.empty())
      row.insert(row.end(), {printTime(point.time), printEnergy(point.energy),
                             point.isOnFront ? "*" : ""});
    else
      row.push_back("not mapped");
    table.add(std::move(row));
  }
  std::string text = table.print();
  if (left)
    text += "and " + std::to_string(left) + " that others are better than\n";
  // Points fail for the same reason, often.
  std::string last;
  for (const SweepPoint &point : sweep.points)
    if (!point.problem.empty() && point.problem != last) {
      text += "not mapped: " + point.problem + "\n";
      last = point.problem;
      break;
    }
  text += "* no other point is better in time" +
          std::string(hasSize ? ", energy or the swept sizes" : " or energy") +
          " without being worse in another\n";
  return text;
}

OrderedJson toJson(const Sweep &sweep) {
  OrderedJson points = OrderedJson::array(), axes = OrderedJson::array();
  for (const SweepAxis &axis : sweep.axes)
    axes.push_back({{"number", axis.number.path},
                    {"unit", unitName(axis.number.quantity.unit)},
                    {"values", axis.values}});
  for (const SweepPoint &point : sweep.points) {
    OrderedJson one = {{"values", point.values}};
    if (!point.problem.empty())
      one["problem"] = point.problem;
    else
      one.update({{"mapping_digest", point.digest},
                  {"picoseconds", point.time},
                  {"femtojoules", point.energy},
                  {"bytes", point.bytes},
                  {"size", point.size},
                  {"front", point.isOnFront}});
    points.push_back(std::move(one));
  }
  return {{"event", "sweep"}, {"axes", axes}, {"points", points}};
}

} // namespace gensyn::machine
