// Conversion of numbers to base units, exactly.

#include "Units.h"

#include "gensyn/Machine/MachineNumbers.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace gensyn::machine {
namespace {

using nlohmann::json;
using State = Product::State;

Product convert(const char *number, const char *symbol) {
  for (const UnitName &name : unitNames())
    if (name.symbol == symbol)
      return multiply(json::parse(number), name.factor, largest(name.unit));
  ADD_FAILURE() << symbol;
  return {};
}

TEST(Units, WholeNumbersOfBaseUnits) {
  const std::tuple<const char *, const char *, int64_t> cases[] = {
      {"128", "KiB", 131072},
      {"1.5", "MiB", 1572864},
      {"2", "GiB", 2147483648},
      {"96", "GB", 96000000000},
      {"2.4", "GHz", 2400000000},
      {"300", "MHz", 300000000},
      {"0.001", "ns", 1},
      {"8.33", "us", 8330000},
      {"0.125", "cycles", 125},
      {"6.4", "GB/s", 6400000000},
      {"2.4", "Gbit/s", 300000000},
      {"3.35", "TB/s", 3350000000000},
      {"7.5", "B/cycle", 7500},
      {"0.04", "pJ", 40},
      {"2.6", "nJ", 2600000},
      {"0.53", "pJ/B", 530},
      {"1.2", "pJ/bit", 9600},
      {"0.25", "uW", 250},
      {"29", "bits", 29},
      {"1e3", "Hz", 1000},
      {"12e-1", "kHz", 1200},
      {"0", "B", 0},
      {"0.0", "GB/s", 0},
      {"1000000000000000", "B/s", 1000000000000000},
      {"9007199254740.993", "Hz", 0},
  };
  for (const auto &[number, symbol, value] : cases) {
    const Product product = convert(number, symbol);
    const bool isOk = std::string_view(number) != "9007199254740.993";
    EXPECT_EQ(product.state == State::Ok, isOk) << number << " " << symbol;
    EXPECT_EQ(product.value, value) << number << " " << symbol;
  }
}

TEST(Units, OthersAreRefused) {
  const std::tuple<const char *, const char *, State> cases[] = {
      {"1.5", "B", State::NotWhole},
      {"0.0001", "ns", State::NotWhole},
      {"0.1234", "cycles", State::NotWhole},
      {"1e-300", "GiB", State::NotWhole},
      {"0.3", "KiB", State::NotWhole},
      {"-1", "B", State::Negative},
      {"-0.5", "GHz", State::Negative},
      {"1000000000000001", "B", State::TooLarge},
      {"18446744073709551615", "GB", State::TooLarge},
      {"1e300", "B", State::TooLarge},
      {"1025", "bits", State::TooLarge},
      {"1000.000000001", "GHz", State::TooLarge},
  };
  for (const auto &[number, symbol, state] : cases)
    EXPECT_EQ(convert(number, symbol).state, state) << number << " " << symbol;
}

TEST(Units, AreNamedOnceAndPrinted) {
  std::set<std::string_view> symbols;
  for (const UnitName &name : unitNames()) {
    EXPECT_TRUE(symbols.insert(name.symbol).second) << name.symbol;
    EXPECT_NE(baseName(name.unit), "");
    EXPECT_NE(listSymbols(name.unit).find(name.symbol), std::string::npos);
  }
  EXPECT_EQ(printQuantity(6400000000, Unit::BytesPerSecond), "6.4 GB/s");
  EXPECT_EQ(printQuantity(131072, Unit::Bytes), "128 KiB");
  EXPECT_EQ(printQuantity(0, Unit::Bytes), "0 B");
  EXPECT_EQ(printQuantity(500, Unit::Millicycles), "0.5 cycles");
  EXPECT_EQ(printQuantity(1000, Unit::Millicycles), "1 cycle");
  EXPECT_EQ(printQuantity(530, Unit::FemtojoulesPerByte), "530 fJ/B");
  EXPECT_EQ(printQuantity(9600, Unit::FemtojoulesPerByte), "9.6 pJ/B");
  EXPECT_EQ(printQuantity(1234567, Unit::Picoseconds), "1.235 us");
  EXPECT_EQ(printQuantity(999999, Unit::Nanowatts), "999.999 uW");
  EXPECT_EQ(printQuantity(1000000000000000, Unit::Picoseconds), "1000000 ms");
}

} // namespace
} // namespace gensyn::machine
