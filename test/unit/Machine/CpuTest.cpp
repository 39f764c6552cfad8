// The table of instruction sets.

#include "gensyn/Machine/Cpu.h"

#include <gtest/gtest.h>

using namespace gensyn::machine;

TEST(Cpu, IsFoundByName) {
  ASSERT_FALSE(getCpus().empty());
  for (const Cpu &cpu : getCpus())
    EXPECT_EQ(findCpu(cpu.name), &cpu);
  for (const char *name : {"", "native", "x86-64-v", "x86-64-v31", "X86-64"})
    EXPECT_EQ(findCpu(name), nullptr) << name;
}

TEST(Cpu, VectorsWidenWithinAnArchitecture) {
  for (size_t i = 1; i < getCpus().size(); ++i)
    if (getCpus()[i - 1].triple == getCpus()[i].triple)
      EXPECT_LE(getCpus()[i - 1].vectorBytes, getCpus()[i].vectorBytes);
  EXPECT_EQ(findCpu("x86-64-v4")->lanes(4), 16);
  EXPECT_EQ(findCpu("x86-64")->lanes(8), 2);
  EXPECT_EQ(findCpu("aarch64+sve256")->lanes(4), 8);
}

TEST(Cpu, TilesLeaveRegistersForOperands) {
  for (const Cpu &cpu : getCpus()) {
    EXPECT_LT(cpu.tileVectors + cpu.tileColumns, cpu.vectorRegisters)
        << cpu.name;
    EXPECT_EQ(cpu.tileVectors % cpu.tileColumns, 0) << cpu.name;
  }
}

TEST(Cpu, HasLengthsOfVectors) {
  const std::vector<const Cpu *> lengths = findVectorLengths("aarch64+sve");
  ASSERT_EQ(lengths.size(), 3u);
  EXPECT_EQ(lengths[1], findCpu("aarch64+sve256"));
  for (const char *name : {"aarch64", "aarch64+sve256", "x86-64", ""})
    EXPECT_TRUE(findVectorLengths(name).empty()) << name;
}

TEST(Cpu, DescribesTheTable) {
  EXPECT_EQ(describeCpus(),
            "x86-64, x86-64-v3, x86-64-v3+vnni, x86-64-v4, x86-64-v4+vnni, "
            "x86-64-v4+amx, aarch64, aarch64+dotprod, aarch64+sve128, "
            "aarch64+sve256 or aarch64+sve512");
}

#if defined(__x86_64__)
// Each level of x86-64 has all of the ones before it; what is added to a level
// may be absent.
TEST(Cpu, NativeSetsAreThoseUpToTheBest) {
  const std::vector<const Cpu *> native = getNativeCpus();
  ASSERT_FALSE(native.empty());
  size_t next = 0;
  for (const Cpu &cpu : getCpus())
    if (next < native.size() && native[next] == &cpu)
      ++next;
    else if (next < native.size())
      EXPECT_FALSE(cpu.features.empty()) << cpu.name;
  EXPECT_EQ(next, native.size());
}
#elif defined(__aarch64__)
// A thread has one length of vectors.
TEST(Cpu, NativeSetsAreThoseOfNeonAndOneOfSve) {
  const std::vector<const Cpu *> native = getNativeCpus();
  ASSERT_FALSE(native.empty());
  EXPECT_EQ(native[0], findCpu("aarch64"));
  EXPECT_LE(native.size(), 3u);
}
#endif
