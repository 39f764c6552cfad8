// Ways over several chips, as parts that many share, are the ways of a network
// of which nobody knows that it has chips.

#include "../MappingBuilder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

using namespace gensyn;
using namespace gensyn::test;

namespace {

/// Cores of a board that read and write a buffer in the memory of all chips.
class OnBoard : public Mapped {
public:
  OnBoard() : Mapped(0, {1 << 20}) {
    machine = machine::findMachine("spinnaker2-board");
    mapping.clear_paths();
    memory = machine.sharedMemories().front();
    mapping.set_memory_of_buffer(0, memory);
  }

  uint32_t addPath(const std::vector<uint32_t> &links) {
    mapping.add_paths()->mutable_links()->Add(links.begin(), links.end());
    return uint32_t(mapping.paths_size() - 1);
  }
  /// Adds a core, and returns its place in the segment.
  uint32_t addCore(uint32_t core) {
    segment().add_cores()->set_core(core);
    return uint32_t(segment().cores_size() - 1);
  }
  uint32_t nodeOf(uint32_t core) const { return machine.cores[core].node; }
  uint32_t nearestPort(uint32_t core) const {
    return machine.findNearest(machine.memories[memory].nodes, nodeOf(core));
  }

  void expectSameAsFlat() {
    ASSERT_EQ(machine.network.gateways.size(), 48U);
    const machine::Statistics parts = simulate();
    // A copy, which has not routed yet.
    machine::Description whole = machine;
    whole.network.gateways.clear();
    machine = whole;
    const machine::Statistics flat = simulate();
    EXPECT_EQ(parts.time, flat.time);
    EXPECT_EQ(parts.energy.total(), flat.energy.total());
    EXPECT_EQ(parts.launches[0].path.latencies,
              flat.launches[0].path.latencies);
    EXPECT_EQ(parts.linkBytes, flat.linkBytes);
    EXPECT_EQ(parts.linkBusy, flat.linkBusy);
    EXPECT_GT(std::accumulate(parts.linkBytes.begin(), parts.linkBytes.end(),
                              uint64_t(0)),
              0U);
  }

  uint32_t memory;
};

TEST(Ways, OfPartsAreThoseOfTheWholeNetwork) {
  OnBoard mapped;
  for (uint32_t core : {5U, 140U, 700U, 3001U, 7290U}) {
    const uint32_t place = mapped.addCore(core);
    const uint32_t node = mapped.nodeOf(core), port = mapped.nearestPort(core);
    const uint32_t in = mapped.addPath(mapped.machine.route(port, node));
    const uint32_t out = mapped.addPath(mapped.machine.route(node, port));
    mapped.copy(place, buffer(0, 128 * core), local(0), 40000, in);
    mapped.copy(place, local(0), buffer(0, 512 * core % 65536), 30000, out)
        .after(0);
  }
  mapped.expectSameAsFlat();
}

TEST(Ways, APathThatIsNotTheMachinesIsTaken) {
  OnBoard mapped;
  const uint32_t core = 300, place = mapped.addCore(core);
  const uint32_t node = mapped.nodeOf(core), port = mapped.nearestPort(core);
  const uint32_t aside = mapped.nodeOf(7000);
  std::vector<uint32_t> links = mapped.machine.route(port, aside);
  const std::vector<uint32_t> rest = mapped.machine.route(aside, node);
  links.insert(links.end(), rest.begin(), rest.end());
  mapped.copy(place, buffer(0), local(0), 256 * 96, mapped.addPath(links));
  const machine::Statistics found = mapped.simulate();
  // The packet of that port alone; others take the machine's route.
  EXPECT_GE(found.linkBytes[links[links.size() / 2]], 256U);
  mapped.expectSameAsFlat();
}

TEST(Ways, TreesBeginAfterTheRouteFromAPort) {
  OnBoard mapped;
  const uint32_t place = mapped.addCore(310);
  const uint32_t root = mapped.nearestPort(310);
  std::vector<uint32_t> tree = mapped.machine.route(root, mapped.nodeOf(310));
  for (uint32_t core : {318U, 350U, 420U})
    for (uint32_t link : mapped.machine.route(root, mapped.nodeOf(core))) {
      const auto &links = mapped.machine.network.links;
      if (std::none_of(tree.begin(), tree.end(), [&](uint32_t other) {
            return links[other].to == links[link].to;
          }))
        tree.push_back(link);
    }
  TaskBuilder task = mapped.copy(place, buffer(0, 1024), local(64), 50000,
                                 mapped.addPath(tree));
  for (uint32_t core : {318U, 350U, 420U})
    *task.task->mutable_copy()->add_others() = remote(core, 64);
  mapped.expectSameAsFlat();
}

/// On so many chips there is no room for a way from each port to each core.
TEST(Ways, AllChipsOfTheRackReadAllPorts) {
  OnBoard mapped;
  mapped.machine = machine::findMachine("spinnaker2-rack");
  ASSERT_EQ(mapped.machine.chips, 1152U);
  for (uint32_t chip = 0; chip < mapped.machine.chips; ++chip)
    for (uint32_t core : {40U, 90U, 149U}) {
      const uint32_t place = mapped.addCore(152 * chip + core);
      const uint32_t node = mapped.nodeOf(152 * chip + core);
      const uint32_t port = mapped.nearestPort(152 * chip + core);
      mapped.copy(place, buffer(0, 256 * chip), local(0), 2048,
                  mapped.addPath(mapped.machine.route(port, node)));
    }
  EXPECT_GT(mapped.simulate().time, 0);
}

} // namespace
