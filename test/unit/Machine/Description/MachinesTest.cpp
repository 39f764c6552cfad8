// The machines that come with the tools.

#include "gensyn/Machine/Description.h"

#include <gtest/gtest.h>

namespace gensyn::machine {
namespace {

TEST(Machines, AllLoad) {
  for (const std::string &name : listMachines())
    EXPECT_EQ(findMachine(name).name, name);
}

TEST(Machines, SpiNNaker2Chip) {
  const Description machine = findMachine("spinnaker2-chip");
  EXPECT_EQ(machine.cores.size(), 152U);
  EXPECT_EQ(machine.memoryOf(0).size.value, 128 << 10);
  ASSERT_EQ(machine.sharedMemories().size(), 1U);
  const MemoryKind &dram = machine.memories[machine.sharedMemories()[0]];
  EXPECT_EQ(dram.bandwidth.value, 6'400'000'000);
  EXPECT_EQ(machine.clocks[0].frequency.value, 300'000'000);
}

} // namespace
} // namespace gensyn::machine
