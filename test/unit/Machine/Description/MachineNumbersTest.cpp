// Numbers of machine files by their paths, and other values for them.

#include "TinyMachine.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Machine/MachineNumbers.h"

#include <gtest/gtest.h>

#include <set>

namespace gensyn::machine {
namespace {

std::string failureOf(const std::function<void()> &run) {
  try {
    run();
  } catch (const Failure &failure) {
    return failure.what();
  }
  return "";
}

TEST(MachineNumbers, EveryNumberOfEveryMachineHasAPathOfItsOwn) {
  for (const std::string &name : listMachines()) {
    const Description machine = findMachine(name);
    const std::vector<MachineNumber> numbers = listNumbers(machine);
    std::set<std::string> paths, pointers;
    uint64_t named = 0;
    for (const MachineNumber &number : numbers) {
      EXPECT_TRUE(paths.insert(number.path).second)
          << name << ": " << number.path;
      EXPECT_TRUE(pointers.insert(number.pointer).second);
      EXPECT_EQ(&findNumber(numbers, number.path), &number);
    }
    // Layouts name sources without numbers.
    for (const Source &source : machine.sources)
      named += source.numbers;
    EXPECT_LE(numbers.size(), named) << name;
    EXPECT_GT(numbers.size(), 40u) << name;
  }
}

TEST(MachineNumbers, PathsLeaveOutTheList) {
  const Description machine = parseDescription(tinyText(), "tiny.json");
  const std::vector<MachineNumber> numbers = listNumbers(machine);
  const MachineNumber &bandwidth = findNumber(numbers, "big.bandwidth");
  EXPECT_EQ(bandwidth.quantity.value, 6'400'000'000);
  EXPECT_EQ(bandwidth.pointer, "/memories/1/bandwidth");
  EXPECT_EQ(findNumber(numbers, "cpu.multiply_add.i8.energy").quantity.value,
            100);
  EXPECT_EQ(findNumber(numbers, "network.packet").quantity.unit, Unit::Bytes);
  EXPECT_EQ(failureOf([&] { (void)findNumber(numbers, "big.bandwith"); }),
            "'big.bandwith' is not a number of the machine file; the nearest "
            "one is 'big.bandwidth'");
}

TEST(MachineNumbers, ValuesHaveUnits) {
  const Description machine = parseDescription(tinyText(), "tiny.json");
  const std::vector<MachineNumber> numbers = listNumbers(machine);
  const MachineNumber &bandwidth = findNumber(numbers, "big.bandwidth");
  EXPECT_EQ(parseValue(bandwidth, "2"), 2'000'000'000);
  EXPECT_EQ(parseValue(bandwidth, "2.5 MB/s"), 2'500'000);
  const MachineNumber &size = findNumber(numbers, "local.size");
  EXPECT_EQ(parseValue(size, "256K"), 256 << 10);
  EXPECT_EQ(parseValue(size, "1MiB"), 1 << 20);
  EXPECT_EQ(failureOf([&] { (void)parseValue(size, "2 GB/s"); }),
            "'local.size': '2 GB/s' is not a value; one in B, kB, KiB, MB, "
            "MiB, GB, GiB, TiB is wanted");
  EXPECT_EQ(failureOf([&] { (void)parseValue(bandwidth, "fast"); }),
            "'big.bandwidth': 'fast' is not a value; a number such as 2 or "
            "2.5 GB/s is wanted");
  EXPECT_NE(failureOf([&] { (void)parseValue(bandwidth, "-1"); }), "");
  EXPECT_NE(failureOf([&] { (void)parseValue(bandwidth, "nan"); }), "");
  EXPECT_NE(failureOf([&] { (void)parseValue(bandwidth, "1e30"); }), "");
}

TEST(MachineNumbers, AChangedFileIsOneOfItsOwn) {
  const Description machine = parseDescription(tinyText(), "tiny.json");
  const std::vector<MachineNumber> numbers = listNumbers(machine);
  const NumberChange changes[] = {
      {&findNumber(numbers, "big.bandwidth"), 1'234'567'891},
      {&findNumber(numbers, "cpu.float.cycles"), 1250},
      {&findNumber(numbers, "network.packet"),
       findNumber(numbers, "network.packet").quantity.value}};
  const Description changed =
      parseDescription(changeNumbers(machine.text, changes), "changed");
  EXPECT_EQ(changed.memories[1].bandwidth.value, 1'234'567'891);
  EXPECT_EQ(changed.memories[1].bandwidth.high, 6'400'000'000);
  EXPECT_EQ(changed.units[0].rates[2].cycles.value, 1250);
  EXPECT_EQ(changed.sources[changed.memories[1].bandwidth.source].kind,
            Source::Kind::Assumed);
  // One that keeps its value keeps its source.
  EXPECT_EQ(changed.sources[changed.network.packet.source].name,
            machine.sources[machine.network.packet.source].name);
}

} // namespace
} // namespace gensyn::machine
