// Numbers with units, sources and intervals.

#include "TinyMachine.h"

namespace gensyn::machine {
namespace {

TEST(Numbers, KeepValueIntervalUnitAndSource) {
  const Description machine = parseTiny(tinyText());
  const Quantity &clock = machine.clocks[0].frequency;
  EXPECT_EQ(clock.value, 300'000'000);
  EXPECT_EQ(clock.low, 150'000'000);
  EXPECT_EQ(clock.high, 300'000'000);
  EXPECT_EQ(clock.unit, Unit::Hertz);
  EXPECT_EQ(machine.sources[clock.source].name, "sheet");
  // Without an interval it is the value alone.
  const Quantity &size = machine.memories[0].size;
  EXPECT_EQ(size.low, 65536);
  EXPECT_EQ(size.high, 65536);
}

TEST(Numbers, AreCountedForTheirSources) {
  const Description machine = parseTiny(tinyText());
  ASSERT_EQ(machine.sources.size(), 2U);
  EXPECT_EQ(machine.sources[0].name, "guess");
  EXPECT_EQ(machine.sources[0].kind, Source::Kind::Assumed);
  EXPECT_EQ(machine.sources[0].numbers, 1U);
  EXPECT_EQ(machine.sources[1].kind, Source::Kind::Datasheet);
  EXPECT_EQ(machine.sources[1].where, "page 1");
  EXPECT_EQ(machine.sources[1].numbers, 38U);
}

TEST(Numbers, ArrangementsHaveTheCyclesOfTheRateOrTheirOwn) {
  const Description machine = parseTiny(tinyWith(
      R"("step": [4, 16, 1],)",
      R"("arrangements": [{"step": [4, 16, 2, 1, 1]}, {"step": [4, 1, 1, 4, 8], "cycles": {"value": 2, "unit": "cycles", "source": "sheet"}}],)"));
  const Rate &rate = machine.units[0].rates[0];
  ASSERT_EQ(rate.arrangements.size(), 2U);
  EXPECT_EQ(rate.arrangements[0].points(), 128);
  EXPECT_EQ(rate.arrangements[0].cycles.value, 1'000);
  EXPECT_EQ(rate.arrangements[1].step, (std::array<int64_t, 5>{4, 1, 1, 4, 8}));
  EXPECT_EQ(rate.arrangements[1].cycles.value, 2'000);
}

TEST(Numbers, ReadGranulesAndOutputOfArrays) {
  const Description machine = parseTiny(tinyWith(
      R"("step": [4, 16, 1],)",
      R"("arrangements": [{"step": [4, 16, 2, 1, 1]}], "granules": [{"lines": 2, "positions": 3}], "output": {"block": [4, 8], "cycles": {"value": 0.5, "unit": "cycles", "source": "sheet"}, "column": {"value": 2, "unit": "cycles", "source": "sheet"}},)"));
  const Rate &rate = machine.units[0].rates[0];
  ASSERT_EQ(rate.granules.size(), 1U);
  EXPECT_EQ(rate.granules[0].extents, (std::array<int64_t, 2>{2, 3}));
  ASSERT_TRUE(rate.output);
  EXPECT_EQ(rate.output->block, (std::array<int64_t, 2>{4, 8}));
  EXPECT_EQ(rate.output->cycles.value, 500);
  EXPECT_EQ(rate.output->column.value, 2'000);
}

TEST(Numbers, ReadAllFieldsOfUnitsAndEngines) {
  const Description machine = parseTiny(tinyText());
  const Rate &rate = machine.units[0].rates[0];
  EXPECT_EQ(rate.operation, "multiply_add");
  EXPECT_EQ(rate.types, std::vector<std::string>{"i8"});
  EXPECT_EQ(rate.step, (std::array<int64_t, 3>{4, 16, 1}));
  EXPECT_EQ(rate.accumulator.value, 29);
  EXPECT_EQ(rate.cycles.value, 1000);
  EXPECT_EQ(rate.energy.value, 100);
  EXPECT_EQ(machine.units[0].rates[1].accumulator.value, 0);
  EXPECT_EQ(machine.units[0].rates[2].cycles.value, 500);
  EXPECT_EQ(machine.units[0].start.value, 20'000);
  EXPECT_EQ(machine.engines[0].start.value, 40'000);
  EXPECT_EQ(machine.engines[0].row.value, 4'000);
  EXPECT_EQ(machine.engines[0].bandwidth.value, 16'000);
  EXPECT_EQ(machine.coreKinds[0].issue.value, 100'000);
  EXPECT_EQ(machine.coreKinds[0].idle.value, 200'000);
  EXPECT_EQ(machine.network.packet.value, 256);
  EXPECT_EQ(machine.network.signal.value, 50'000);
  EXPECT_EQ(machine.network.signalEnergy.value, 10'000);
  const MemoryKind &big = machine.memories[1];
  EXPECT_EQ(big.bandwidth.value, 6'400'000'000);
  EXPECT_EQ(big.latency.value, 100'000);
  EXPECT_EQ(big.burst.value, 32);
  EXPECT_EQ(big.readEnergy.value, 60'000);
  EXPECT_EQ(big.standby.value, 1'000'000);
  EXPECT_TRUE(big.isAddressable);
  EXPECT_FALSE(big.isReadOnly);
  EXPECT_EQ(machine.memories[0].writeEnergy.value, 8'000);
}

TEST(Numbers, MemoriesMayBeReadOnly) {
  EXPECT_TRUE(parseTiny(tinyWith("\"addressable\": true",
                                 "\"addressable\": true, \"writable\": false"))
                  .memories[1]
                  .isReadOnly);
}

} // namespace
} // namespace gensyn::machine
