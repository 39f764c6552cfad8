// Reads numbers and their sources.

#include "Numbers.h"

#include "Units.h"
#include "gensyn/Executable/Support/Error.h"

#include <algorithm>

namespace gensyn::machine {

using nlohmann::json;

void readSources(JsonReader &file, Description &machine) {
  const std::vector<std::string> kinds = {"measured", "datasheet", "paper",
                                          "assumed"};
  JsonReader sources = file.object("sources");
  constexpr size_t most = 256;
  if (sources.source().size() > most)
    file.fail("'sources' has " + std::to_string(sources.source().size()) +
              " members; at most " + std::to_string(most) + " are wanted");
  for (const auto &[name, value] : sources.source().items()) {
    JsonReader reader = sources.object(name);
    Source source;
    source.name = name;
    source.kind = Source::Kind(reader.choice("kind", kinds, "kind"));
    reader.require("title");
    reader.text("title", source.title);
    reader.text("where", source.where);
    reader.finish();
    machine.sources.push_back(std::move(source));
  }
}

static std::string printFound(const json &number, std::string_view symbol) {
  return number.dump() + " " + std::string(symbol);
}

/// Reads `value`, `low` or `high`.
static int64_t readAmount(JsonReader &reader, const std::string &key,
                          const UnitName &unit, Sign sign) {
  reader.require(key);
  const json &number = *reader.find(key);
  if (!number.is_number())
    reader.failType(key, "a number");
  const Product product = multiply(number, unit.factor, largest(unit.unit));
  const std::string found =
      quote(key) + " is " + printFound(number, unit.symbol) + "; ";
  const std::string base(baseName(unit.unit));
  const bool isZero = product.state == Product::State::Ok && product.value == 0;
  if (product.state == Product::State::Negative ||
      (isZero && sign == Sign::Positive))
    reader.fail(found + (sign == Sign::Positive ? "more than 0 is wanted"
                                                : "at least 0 is wanted"));
  if (product.state == Product::State::NotWhole)
    reader.fail(found + "a whole number of " + base + " is wanted");
  if (product.state == Product::State::TooLarge)
    reader.fail(found + "at most " + std::to_string(largest(unit.unit)) + " " +
                base + " is wanted");
  return product.value;
}

static const UnitName &readUnit(JsonReader &reader, Unit unit) {
  std::vector<std::string> symbols;
  for (const UnitName &name : unitNames())
    symbols.emplace_back(name.symbol);
  const UnitName &name = unitNames()[reader.choice("unit", symbols, "unit")];
  if (name.unit != unit)
    reader.failType("unit", "one of " + listSymbols(unit));
  return name;
}

Quantity readNumber(JsonReader &parent, const std::string &key, Unit unit,
                    Description &machine, Sign sign) {
  JsonReader reader = parent.object(key);
  Quantity number;
  number.unit = unit;
  number.source =
      readReference(reader, "source", namesOf(machine.sources), "source");
  const UnitName &name = readUnit(reader, unit);
  number.value = readAmount(reader, "value", name, sign);
  number.low = number.high = number.value;
  Source &source = machine.sources[number.source];
  const bool hasLow = reader.has("low"), hasHigh = reader.has("high");
  if (hasLow)
    number.low = readAmount(reader, "low", name, sign);
  if (hasHigh)
    number.high = readAmount(reader, "high", name, sign);
  for (const auto &[isOrdered, one, other] :
       {std::tuple(number.low <= number.value, "low", "value"),
        std::tuple(number.value <= number.high, "value", "high")})
    if (!isOrdered)
      reader.fail(quote(one) + " is " +
                  printFound(*reader.find(one), name.symbol) + "; at most " +
                  quote(other) + ", " +
                  printFound(*reader.find(other), name.symbol) + ", is wanted");
  if (source.kind == Source::Kind::Assumed && number.low == number.high)
    reader.fail(
        "the source " + quote(source.name) +
        " is an assumption, so 'low' and 'high' that differ are wanted");
  reader.finish();
  ++source.numbers;
  return number;
}

void readLayoutSource(JsonReader &reader, Description &machine) {
  if (reader.has("source"))
    ++machine
          .sources[readReference(reader, "source", namesOf(machine.sources),
                                 "source")]
          .numbers;
}

uint32_t readReference(JsonReader &reader, const std::string &key,
                       const std::vector<std::string> &names,
                       const std::string &noun) {
  return uint32_t(reader.choice(key, names, noun));
}

std::string readName(JsonReader &reader,
                     const std::vector<std::string> &earlier) {
  std::string name;
  reader.require("name");
  reader.text("name", name);
  if (std::find(earlier.begin(), earlier.end(), name) != earlier.end())
    reader.fail("name " + quote(name) + " is there twice");
  return name;
}

} // namespace gensyn::machine
