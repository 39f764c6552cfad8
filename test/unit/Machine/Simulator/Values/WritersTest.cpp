// The tasks that make a value.

#include "../MappingBuilder.h"

#include "gensyn/Machine/Writers.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

namespace {

std::string findWriter(const Mapped &mapped, uint32_t buffer, uint64_t byte) {
  return machine::findWriter(mapped.machine, mapped.plan, mapped.mapping,
                             buffer, byte);
}

/// Without the colon that ends it in a message.
std::string named(uint32_t core, uint32_t task) {
  const std::string name = taskName(core, task);
  return name.substr(0, name.rfind(':'));
}

TEST(Writers, RowsOfAStore) {
  Mapped mapped(2, {64});
  mapped.load(0, buffer(0), 0, 64);
  mapped.store(0, 0, buffer(0, 8), 4).rows(3, 4, 16);
  mapped.store(1, 0, buffer(0, 12), 4).rows(3, 4, 16);
  EXPECT_EQ(findWriter(mapped, 0, 7), "");
  EXPECT_EQ(findWriter(mapped, 0, 8), named(0, 1));
  EXPECT_EQ(findWriter(mapped, 0, 11), named(0, 1));
  EXPECT_EQ(findWriter(mapped, 0, 12), named(1, 0));
  EXPECT_EQ(findWriter(mapped, 0, 16), "");
  EXPECT_EQ(findWriter(mapped, 0, 43), named(0, 1));
  EXPECT_EQ(findWriter(mapped, 0, 47), named(1, 0));
  EXPECT_EQ(findWriter(mapped, 0, 48), "");
}

TEST(Writers, ResultInPlace) {
  Mapped mapped(1, {64, 64});
  const uint32_t body = mapped.body(1, {16, 16}, 1);
  mapped.compute(0, body, {buffer(0, 16), buffer(1, 32)});
  EXPECT_EQ(findWriter(mapped, 0, 16), "");
  EXPECT_EQ(findWriter(mapped, 1, 31), "");
  EXPECT_EQ(findWriter(mapped, 1, 32), named(0, 0));
  EXPECT_EQ(findWriter(mapped, 1, 47), named(0, 0));
}

TEST(Writers, TheLastLaunch) {
  Mapped mapped(2, {64});
  mapped.plan.add_launches()->set_kernel("later");
  mapped.segment().add_launches(1);
  mapped.store(0, 0, buffer(0), 64).task->set_launch(1);
  mapped.store(1, 0, buffer(0), 64);
  EXPECT_EQ(findWriter(mapped, 0, 5),
            "segment 0, core 0, task 0 (kernel later)");
}

TEST(Writers, FaultWords) {
  Mapped mapped(2, {64});
  const uint32_t body = mapped.body(1, {16}, 1);
  mapped.mapping.mutable_bodies(0)->set_faults(1);
  // Rows 0 and 1 of 4, and columns 3 to 5 of 6 of the others.
  for (uint32_t core = 0; core < 2; ++core) {
    mapping::Fault &fault = *mapped.compute(core, body, {buffer(0)})
                                 .task->mutable_compute()
                                 ->add_faults();
    fault.set_slot(3);
    mapping::Fault::Range &row = *fault.add_ranges();
    row.set_begin(core ? 2 : 0);
    row.set_size(2);
    row.set_extent(4);
    mapping::Fault::Range &column = *fault.add_ranges();
    column.set_begin(core ? 3 : 0);
    column.set_size(core ? 3 : 6);
    column.set_extent(6);
  }
  auto find = [&](uint32_t slot, uint64_t element) {
    return machine::findFaultCounters(mapped.machine, mapped.plan,
                                      mapped.mapping, slot, element);
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(find(3, 11), Names{named(0, 0)});
  EXPECT_EQ(find(3, 14), Names{});
  EXPECT_EQ(find(3, 15), Names{named(1, 0)});
  EXPECT_EQ(find(3, 24), Names{});
  EXPECT_EQ(find(2, 11), Names{});
}

} // namespace
