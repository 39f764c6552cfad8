// Walks the JSON of a machine file; see MachineNumbers.h.

#include "gensyn/Machine/MachineNumbers.h"

#include "Units.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace gensyn::machine {

namespace {

constexpr const char *changedSource = "(changed)";

const UnitName *findUnit(std::string_view symbol) {
  for (const UnitName &name : unitNames())
    if (name.symbol == symbol)
      return &name;
  return nullptr;
}

/// The smallest unit of a quantity: numbers in it have at most three decimals.
const UnitName &smallestUnit(Unit unit) {
  for (const UnitName &name : unitNames())
    if (name.unit == unit)
      return name;
  return unitNames().front();
}

class NumberList {
public:
  explicit NumberList(const Description &machine) {
    const auto file = OrderedJson::parse(machine.text);
    for (size_t i = 0; i < machine.sources.size(); ++i)
      sources[machine.sources[i].name] = static_cast<uint32_t>(i);
    for (const auto &[key, value] : file.items())
      if (key != "sources")
        walk(value, key, "/" + key);
    shorten();
  }

  std::vector<MachineNumber> numbers;

private:
  /// What an item of a list is called: its name, the operation and first type
  /// of a rate, the kind of a group of links.
  static std::string nameOf(const OrderedJson &item, size_t index) {
    for (const char *key : {"name", "operation", "kind"})
      if (item.contains(key) && item[key].is_string()) {
        auto name = item[key].get<std::string>();
        if (item.contains("types") && !item["types"].empty())
          name += "." + item["types"][0].get<std::string>();
        return name;
      }
    return std::to_string(index);
  }

  void walk(const OrderedJson &value, const std::string &path,
            const std::string &pointer) {
    if (value.is_array()) {
      std::map<std::string, int> known;
      for (size_t i = 0; i < value.size(); ++i) {
        if (!value[i].is_object())
          continue;
        std::string name = nameOf(value[i], i);
        if (const int earlier = known[name]++)
          name += "-" + std::to_string(earlier + 1);
        walk(value[i], path + "." + name, pointer + "/" + std::to_string(i));
      }
      return;
    }
    if (!value.is_object())
      return;
    if (value.contains("value") && value.contains("unit"))
      return add(value, path, pointer);
    for (const auto &[key, member] : value.items())
      // Rates and links are all that units and the network list.
      walk(member, key == "rates" || key == "links" ? path : path + "." + key,
           pointer + "/" + key);
  }

  void add(const OrderedJson &value, const std::string &path,
           const std::string &pointer) {
    const UnitName *unit = findUnit(value["unit"].get<std::string>());
    if (!unit)
      return;
    MachineNumber number;
    number.path = path;
    number.pointer = pointer;
    number.symbol = unit->symbol;
    number.factor = unit->factor;
    Quantity &quantity = number.quantity;
    quantity.unit = unit->unit;
    quantity.source = sources[value["source"].get<std::string>()];
    auto read = [&](const char *key) {
      return value.contains(key)
                 ? multiply(value[key], unit->factor, largest(unit->unit)).value
                 : quantity.value;
    };
    quantity.value = read("value");
    quantity.low = read("low");
    quantity.high = read("high");
    numbers.push_back(std::move(number));
  }

  /// Leaves out the list where the rest is enough.
  void shorten() {
    auto rest = [](const MachineNumber &number) {
      const size_t point = number.path.find('.');
      const std::string list = number.path.substr(0, point);
      const bool isList = list != "network" && list != "chips" &&
                          list != "boards" && point != std::string::npos;
      return isList ? number.path.substr(point + 1) : number.path;
    };
    std::map<std::string, int> uses;
    for (const MachineNumber &number : numbers)
      ++uses[rest(number)];
    for (MachineNumber &number : numbers)
      if (const std::string path = rest(number); uses[path] == 1)
        number.path = path;
  }

  std::map<std::string, uint32_t> sources;
};

} // namespace

std::vector<MachineNumber> listNumbers(const Description &machine) {
  // A machine that was not read from a file has none.
  if (machine.text.empty())
    return {};
  return std::move(NumberList(machine).numbers);
}

const MachineNumber &findNumber(std::span<const MachineNumber> numbers,
                                std::string_view path) {
  std::vector<std::string> known;
  for (const MachineNumber &number : numbers) {
    if (number.path == path)
      return number;
    known.push_back(number.path);
  }
  const std::string near = nearest(path, known);
  throw Failure(ExitCode::Usage,
                quote(path) + " is not a number of the machine file" +
                    (near.empty() ? "" : "; the nearest one is " + quote(near)),
                "gensyn-run machine NAME --numbers lists them");
}

int64_t parseValue(const MachineNumber &number, std::string_view text) {
  auto fail = [&](const std::string &wanted) {
    throw Failure(ExitCode::Usage, quote(number.path) + ": " + quote(text) +
                                       " is not a value; " + wanted +
                                       " is wanted");
  };
  double value = 0;
  const char *end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  std::string symbol(rest, end);
  symbol.erase(0, std::min(symbol.find_first_not_of(' '), symbol.size()));
  if (error != std::errc() || !std::isfinite(value))
    fail("a number such as 2 or 2.5 " + number.symbol);
  int64_t factor = number.factor;
  if (!symbol.empty()) {
    if (number.quantity.unit == Unit::Bytes && symbol.size() == 1 &&
        std::string_view("KMG").find(symbol) != std::string_view::npos)
      symbol += "iB";
    const UnitName *unit = findUnit(symbol);
    if (!unit || unit->unit != number.quantity.unit)
      fail("one in " + listSymbols(number.quantity.unit));
    factor = unit->factor;
  }
  const double scaled = std::round(value * static_cast<double>(factor));
  const int64_t most = largest(number.quantity.unit);
  if (scaled < 0 || scaled > static_cast<double>(most))
    fail("0 to " + printQuantity(most, number.quantity.unit));
  return static_cast<int64_t>(scaled);
}

std::string changeNumbers(std::string_view text,
                          std::span<const NumberChange> changes) {
  if (std::all_of(changes.begin(), changes.end(),
                  [](const NumberChange &change) {
                    return change.value == change.number->quantity.value;
                  }))
    return std::string(text);
  auto file = OrderedJson::parse(text);
  for (const NumberChange &change : changes) {
    const Quantity &old = change.number->quantity;
    if (change.value == old.value)
      continue;
    const UnitName &unit = smallestUnit(old.unit);
    auto amount = [&](int64_t value) -> OrderedJson {
      if (value % unit.factor == 0)
        return value / unit.factor;
      return static_cast<double>(value) / static_cast<double>(unit.factor);
    };
    file[OrderedJson::json_pointer(change.number->pointer)] = {
        {"value", amount(change.value)},
        {"unit", unit.symbol},
        {"source", changedSource},
        {"low", amount(std::min(old.low, change.value))},
        {"high", amount(std::max(old.high, change.value))}};
    file["sources"][changedSource] = {
        {"kind", "assumed"}, {"title", "A value other than the file's"}};
  }
  return file.dump();
}

std::string_view unitName(Unit unit) { return baseName(unit); }

std::string_view nameOf(Source::Kind kind) {
  switch (kind) {
  case Source::Kind::Measured:
    return "measured";
  case Source::Kind::Datasheet:
    return "datasheet";
  case Source::Kind::Paper:
    return "paper";
  case Source::Kind::Assumed:
    break;
  }
  return "assumed";
}

std::string printQuantity(const Quantity &number) {
  std::string text = printQuantity(number.value, number.unit);
  if (number.low != number.high)
    text += " [" + printQuantity(number.low, number.unit) + ", " +
            printQuantity(number.high, number.unit) + "]";
  return text;
}

} // namespace gensyn::machine
