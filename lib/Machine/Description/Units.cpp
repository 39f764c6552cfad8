// The table of units, and exact conversion to base units.

#include "Units.h"

#include <nlohmann/json.hpp>

#include <charconv>

namespace gensyn::machine {

static constexpr int64_t kThousand = 1000, kMillion = 1'000'000,
                         kBillion = 1'000'000'000,
                         kTrillion = 1'000'000'000'000;

/// Of each unit in ascending order.
static constexpr UnitName kUnits[] = {
    {"B", Unit::Bytes, 1},
    {"kB", Unit::Bytes, kThousand},
    {"KiB", Unit::Bytes, 1 << 10},
    {"MB", Unit::Bytes, kMillion},
    {"MiB", Unit::Bytes, 1 << 20},
    {"GB", Unit::Bytes, kBillion},
    {"GiB", Unit::Bytes, 1 << 30},
    {"TiB", Unit::Bytes, int64_t(1) << 40},
    {"Hz", Unit::Hertz, 1},
    {"kHz", Unit::Hertz, kThousand},
    {"MHz", Unit::Hertz, kMillion},
    {"GHz", Unit::Hertz, kBillion},
    {"THz", Unit::Hertz, kTrillion},
    {"ps", Unit::Picoseconds, 1},
    {"ns", Unit::Picoseconds, kThousand},
    {"us", Unit::Picoseconds, kMillion},
    {"ms", Unit::Picoseconds, kBillion},
    {"cycles", Unit::Millicycles, kThousand},
    {"B/s", Unit::BytesPerSecond, 1},
    {"kB/s", Unit::BytesPerSecond, kThousand},
    {"Mbit/s", Unit::BytesPerSecond, kMillion / 8},
    {"MB/s", Unit::BytesPerSecond, kMillion},
    {"Gbit/s", Unit::BytesPerSecond, kBillion / 8},
    {"GB/s", Unit::BytesPerSecond, kBillion},
    {"TB/s", Unit::BytesPerSecond, kTrillion},
    {"B/cycle", Unit::MillibytesPerCycle, kThousand},
    {"fJ", Unit::Femtojoules, 1},
    {"pJ", Unit::Femtojoules, kThousand},
    {"nJ", Unit::Femtojoules, kMillion},
    {"uJ", Unit::Femtojoules, kBillion},
    {"fJ/B", Unit::FemtojoulesPerByte, 1},
    {"fJ/bit", Unit::FemtojoulesPerByte, 8},
    {"pJ/B", Unit::FemtojoulesPerByte, kThousand},
    {"pJ/bit", Unit::FemtojoulesPerByte, 8 * kThousand},
    {"nJ/B", Unit::FemtojoulesPerByte, kMillion},
    {"nW", Unit::Nanowatts, 1},
    {"uW", Unit::Nanowatts, kThousand},
    {"mW", Unit::Nanowatts, kMillion},
    {"W", Unit::Nanowatts, kBillion},
    {"bits", Unit::Bits, 1},
    {"channels", Unit::Count, 1},
    {"entries", Unit::Count, 1},
};

std::span<const UnitName> unitNames() { return kUnits; }

std::string listSymbols(Unit unit) {
  std::string symbols;
  for (const UnitName &name : kUnits)
    if (name.unit == unit)
      symbols += (symbols.empty() ? "" : ", ") + std::string(name.symbol);
  return symbols;
}

std::string_view baseName(Unit unit) {
  if (unit == Unit::Millicycles)
    return "thousandths of a cycle";
  if (unit == Unit::MillibytesPerCycle)
    return "thousandths of B/cycle";
  for (const UnitName &name : kUnits)
    if (name.unit == unit && name.factor == 1)
      return name.symbol;
  return "";
}

int64_t largest(Unit unit) {
  switch (unit) {
  case Unit::Hertz:
  case Unit::Millicycles:
  case Unit::FemtojoulesPerByte:
    return kTrillion;
  case Unit::MillibytesPerCycle:
    return kBillion;
  case Unit::Bits:
    return 1024;
  case Unit::Count:
  case Unit::Bytes:
  case Unit::Picoseconds:
  case Unit::BytesPerSecond:
  case Unit::Femtojoules:
  case Unit::Nanowatts:
    break;
  }
  return kThousand * kTrillion;
}

namespace {

/// digits * 10^exponent.
struct Decimal {
  Wide digits = 0;
  int exponent = 0;
};

} // namespace

static Decimal toDecimal(const nlohmann::json &number) {
  if (number.is_number_unsigned())
    return {Wide(number.get<uint64_t>()), 0};
  if (number.is_number_integer())
    return {Wide(number.get<int64_t>()), 0};
  char text[64];
  // "-1.25e+03".
  const char *end =
      std::to_chars(text, text + sizeof(text), number.get<double>(),
                    std::chars_format::scientific)
          .ptr;
  Decimal decimal;
  const char *next = text;
  const bool isNegative = *next == '-';
  if (isNegative)
    ++next;
  bool isFraction = false;
  for (; *next != 'e'; ++next) {
    if (*next == '.') {
      isFraction = true;
      continue;
    }
    decimal.digits = decimal.digits * 10 + (*next - '0');
    if (isFraction)
      --decimal.exponent;
  }
  // from_chars reads no plus sign.
  next += next[1] == '+' ? 2 : 1;
  int exponent = 0;
  std::from_chars(next, end, exponent);
  decimal.exponent += exponent;
  if (isNegative)
    decimal.digits = -decimal.digits;
  return decimal;
}

Product multiply(const nlohmann::json &number, int64_t factor, int64_t limit) {
  const Decimal decimal = toDecimal(number);
  // At most 2^64 * 10^12.
  Wide value = decimal.digits * factor;
  if (value == 0)
    return {};
  if (value < 0)
    return {Product::State::Negative, 0};
  for (int i = 0; i < decimal.exponent; ++i) {
    value *= 10;
    if (value > limit)
      return {Product::State::TooLarge, 0};
  }
  for (int i = 0; i > decimal.exponent; --i) {
    if (value % 10 != 0)
      return {Product::State::NotWhole, 0};
    value /= 10;
  }
  if (value > limit)
    return {Product::State::TooLarge, 0};
  return {Product::State::Ok, int64_t(value)};
}

/// Tables print bytes in powers of two and no bits.
static bool isPrinted(const UnitName &name) {
  const bool isDecimalSize = name.unit == Unit::Bytes && name.factor > 1 &&
                             name.factor % kThousand == 0;
  return !isDecimalSize && (name.unit == Unit::Bits ||
                            name.symbol.find("bit") == std::string_view::npos);
}

std::string printQuantity(int64_t value, Unit unit) {
  const UnitName *best = nullptr;
  for (const UnitName &name : kUnits)
    if (name.unit == unit && isPrinted(name) && (!best || value >= name.factor))
      best = &name;
  if (!best)
    return std::to_string(value);
  const Wide thousandths =
      (Wide(value) * kThousand * 2 + best->factor) / (Wide(best->factor) * 2);
  std::string text = std::to_string(int64_t(thousandths / kThousand));
  std::string fraction =
      std::to_string(int64_t(thousandths % kThousand) + kThousand);
  fraction[0] = '.';
  while (fraction.back() == '0')
    fraction.pop_back();
  if (fraction.size() > 1)
    text += fraction;
  if (unit == Unit::Millicycles && text == "1")
    return "1 cycle";
  return text + " " + std::string(best->symbol);
}

} // namespace gensyn::machine
