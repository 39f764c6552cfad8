// Ways through networks.

#include "gensyn/Machine/Description.h"

#include <gtest/gtest.h>

namespace gensyn::machine {
namespace {

TEST(Route, MeshesGoAlongXFirst) {
  const Description machine = findMachine("spinnaker2-chip");
  // Nodes are numbered row by row, from [1, 1]; there are 7 in a row.
  const uint32_t from = 0, to = 5 * 7 + 6;
  const std::vector<uint32_t> way = machine.route(from, to);
  ASSERT_EQ(way.size(), 11U);
  uint32_t node = from;
  for (size_t i = 0; i < way.size(); ++i) {
    EXPECT_EQ(machine.network.links[way[i]].from, node);
    node = machine.network.links[way[i]].to;
    EXPECT_EQ(node, i < 6 ? i + 1 : 6 + 7 * (i - 5));
  }
}

} // namespace
} // namespace gensyn::machine
