// Shortest paths through networks.

#include "TinyMachine.h"
#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Machine/Channels.h"

#include <algorithm>
#include <random>
#include <thread>

namespace gensyn::machine {
namespace {

/// A network of nodes in a grid, as a mesh file gives it.
Description gridOf(uint32_t columns, uint32_t rows) {
  Description machine;
  machine.network.nodes = columns * rows;
  auto add = [&](uint32_t from, uint32_t to) {
    for (auto [one, other] : {std::pair(from, to), std::pair(to, from)}) {
      Link link;
      link.from = one;
      link.to = other;
      machine.network.links.push_back(link);
    }
  };
  for (uint32_t i = 0; i < columns * rows; ++i)
    if (i % columns + 1 < columns)
      add(i, i + 1);
  for (uint32_t i = 0; i + columns < columns * rows; ++i)
    add(i, i + columns);
  return machine;
}

/// The nodes of a path, checked for being connected.
std::vector<uint32_t> nodesOf(const Description &machine, uint32_t from,
                              uint32_t to) {
  std::vector<uint32_t> nodes = {from};
  for (uint32_t link : machine.route(from, to)) {
    EXPECT_EQ(machine.network.links[link].from, nodes.back());
    EXPECT_FALSE(machine.network.links[link].isDead);
    nodes.push_back(machine.network.links[link].to);
  }
  EXPECT_EQ(nodes.back(), to);
  return nodes;
}

void kill(Description &machine, uint32_t from, uint32_t to) {
  for (Link &link : machine.network.links)
    if (link.from == from && link.to == to)
      link.isDead = true;
}

TEST(Route, MeshesGoAlongXFirst) {
  const Description machine = gridOf(4, 3);
  EXPECT_EQ(nodesOf(machine, 0, 11),
            (std::vector<uint32_t>{0, 1, 2, 3, 7, 11}));
  EXPECT_EQ(nodesOf(machine, 11, 0),
            (std::vector<uint32_t>{11, 10, 9, 8, 4, 0}));
  EXPECT_TRUE(machine.route(5, 5).empty());
}

TEST(Route, EveryWayOfTheChipIsAShortestOne) {
  const Description machine = findMachine("spinnaker2-chip");
  for (uint32_t from = 0; from < machine.network.nodes; ++from)
    for (uint32_t to = 0; to < machine.network.nodes; ++to) {
      const int dx = int(from % 7) - int(to % 7);
      const int dy = int(from / 7) - int(to / 7);
      EXPECT_EQ(nodesOf(machine, from, to).size(),
                size_t(std::abs(dx) + std::abs(dy) + 1));
    }
}

TEST(Route, DeadLinksAreAvoidedInTheirDirection) {
  Description machine = gridOf(4, 3);
  kill(machine, 1, 2);
  EXPECT_EQ(nodesOf(machine, 0, 3), (std::vector<uint32_t>{0, 1, 5, 6, 7, 3}));
  EXPECT_EQ(nodesOf(machine, 3, 0), (std::vector<uint32_t>{3, 2, 1, 0}));
}

TEST(Route, ACopyMayHaveOtherLinks) {
  const Description machine = gridOf(3, 1);
  EXPECT_EQ(machine.route(0, 2).size(), 2U);
  Description broken = machine;
  kill(broken, 1, 2);
  try {
    broken.route(0, 2);
    FAIL();
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.code, ExitCode::Unsupported);
    EXPECT_STREQ(failure.what(),
                 "machine '': no path leads from node 0 to node "
                 "2 of its network");
  }
  EXPECT_EQ(machine.route(0, 2).size(), 2U);
  broken = machine;
  EXPECT_EQ(broken.route(0, 2).size(), 2U);
}

/// What is remembered of earlier questions does not change an answer.
TEST(Route, IsTheSameInEveryOrder) {
  const Description machine = gridOf(9, 7);
  std::vector<std::vector<uint32_t>> alone;
  for (uint32_t from = 0; from < 63; ++from)
    for (uint32_t to = 0; to < 63; ++to)
      alone.push_back(Description(machine).route(from, to));
  std::vector<std::thread> threads;
  for (uint32_t first : {0U, 31U})
    threads.emplace_back([&, first] {
      for (uint32_t i = 0; i < 63; ++i) {
        const uint32_t from = (i * 5 + first) % 63;
        for (uint32_t to = 63; to-- > 0;)
          EXPECT_EQ(machine.route(from, to), alone[from * 63 + to]);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// More distances than are remembered at a time.
TEST(Route, AllCoresOfTheRackToTheirMemory) {
  const Description machine = findMachine("spinnaker2-rack");
  const MemoryKind &dram = machine.memories[machine.sharedMemories().back()];
  size_t links = 0;
  for (uint32_t core = 0; core < machine.cores.size(); core += 37)
    links += machine
                 .route(dram.nodes[size_t(machine.cores[core].chip) * 2],
                        machine.cores[core].node)
                 .size();
  EXPECT_GT(links, 0U);
}

/// Of a machine with chips a path is put together of parts.
TEST(Route, OverChipsIsThatOfTheWholeNetwork) {
  const Description machine = findMachine("spinnaker2-board");
  Description flat = machine;
  flat.network.gateways.clear();
  const MemoryKind &dram = machine.memories[machine.sharedMemories().back()];
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    const auto from = uint32_t(random() % machine.network.nodes);
    const auto to = uint32_t(random() % machine.network.nodes);
    EXPECT_EQ(machine.route(from, to), flat.route(from, to));
    EXPECT_EQ(machine.findNearest(dram.nodes, to),
              flat.findNearest(dram.nodes, to));
  }
}

/// Links never wait for each other in a circle on the paths of a machine: all
/// within some chips, and all between gateways.
void expectNoCircle(const Description &machine) {
  const Network &network = machine.network;
  ChannelDependencies waits(uint32_t(network.links.size()));
  auto add = [&](uint32_t from, uint32_t to) {
    const std::vector<uint32_t> path = machine.route(from, to);
    for (uint32_t link : path)
      EXPECT_FALSE(network.links[link].isDead);
    waits.addPath(path);
  };
  for (uint32_t from : network.gateways)
    for (uint32_t to : network.gateways)
      add(from, to);
  const uint32_t each = network.nodesOfChip();
  for (uint32_t chip = 0; chip < std::min<size_t>(12, network.gateways.size());
       ++chip)
    for (uint32_t from = 0; from < each; ++from)
      for (uint32_t to = 0; to < each; ++to) {
        try {
          add(chip * each + from, chip * each + to);
          // On to another chip.
          add(chip * each + from, (chip + 7) % 48 * each + to);
        } catch (const Failure &) {
          // A node is cut off.
          continue;
        }
      }
  EXPECT_TRUE(waits.findCycle().empty());
}

TEST(Route, LinksDoNotWaitForEachOther) {
  const Description intact = findMachine("spinnaker2-board");
  expectNoCircle(intact);
  // Shortest paths around dead links would.
  Description machine = intact;
  std::mt19937 random(7);
  for (Link &link : machine.network.links)
    link.isDead = false;
  for (uint32_t i = 0; i < machine.network.links.size(); i += 2)
    if (random() % 12 == 0)
      machine.network.links[i].isDead = machine.network.links[i + 1].isDead =
          true;
  expectNoCircle(machine);
}

TEST(Route, AroundATorusLinksDoNotWaitForEachOther) {
  const Description machine = findMachine("spinnaker2-rack");
  const std::vector<uint32_t> &gateways = machine.network.gateways;
  ChannelDependencies waits(uint32_t(machine.network.links.size()));
  std::vector<uint64_t> loads(machine.network.links.size());
  uint64_t links = 0;
  for (uint32_t from : gateways)
    for (uint32_t to : gateways) {
      const std::vector<uint32_t> path = machine.route(from, to);
      waits.addPath(path);
      links += path.size();
      for (uint32_t link : path)
        ++loads[link];
    }
  EXPECT_TRUE(waits.findCycle().empty());
  // Shortest ones have 14.0 links. Up to one root and down again they have
  // 17.8, and 86,868 of them lead over one link.
  const uint64_t paths = gateways.size() * (gateways.size() - 1);
  EXPECT_LT(links, paths * 15);
  EXPECT_LT(*std::max_element(loads.begin(), loads.end()), 12000U);
}

/// Chips of one node each in a ring, with links in both directions.
Description ringOf(uint32_t chips) {
  Description machine = gridOf(chips, 1);
  for (auto [from, to] : {std::pair(chips - 1, 0U), std::pair(0U, chips - 1)}) {
    Link link;
    link.from = from;
    link.to = to;
    machine.network.links.push_back(link);
  }
  for (uint32_t chip = 0; chip < chips; ++chip)
    machine.network.gateways.push_back(chip);
  return machine;
}

TEST(Route, AroundARingOfChips) {
  for (uint32_t chips = 3; chips < 12; ++chips) {
    const Description machine = ringOf(chips);
    ChannelDependencies waits(uint32_t(machine.network.links.size()));
    for (uint32_t from = 0; from < chips; ++from)
      for (uint32_t to = 0; to < chips; ++to) {
        nodesOf(machine, from, to);
        waits.addPath(machine.route(from, to));
      }
    EXPECT_TRUE(waits.findCycle().empty()) << chips;
  }
}

/// Whatever links are dead, a path leads to each chip to which one can.
TEST(Route, ChipsAroundDeadLinks) {
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const uint32_t columns = 3 + uint32_t(random() % 4);
    const uint32_t rows = 2 + uint32_t(random() % 4);
    Description machine = gridOf(columns, rows);
    Description flat = machine;
    for (uint32_t chip = 0; chip < columns * rows; ++chip)
      machine.network.gateways.push_back(chip);
    // In one direction, or in both.
    for (size_t link = 0; link < machine.network.links.size(); ++link)
      if (random() % 6 == 0)
        machine.network.links[link].isDead = flat.network.links[link].isDead =
            true;
    for (uint32_t from = 0; from < columns * rows; ++from)
      for (uint32_t to = 0; to < columns * rows; ++to) {
        bool exists = true;
        try {
          flat.route(from, to);
        } catch (const Failure &) {
          exists = false;
        }
        if (exists)
          nodesOf(machine, from, to);
        else
          EXPECT_THROW(machine.route(from, to), Failure);
      }
  }
}

TEST(Route, TheFirstOfTheNearest) {
  const Description machine = gridOf(5, 1);
  EXPECT_EQ(machine.findNearest({4, 3, 1}, 2), 3U);
  EXPECT_EQ(machine.findNearest({4, 2, 0}, 2), 2U);
  try {
    machine.findNearest({}, 2);
    FAIL();
  } catch (const Failure &failure) {
    EXPECT_STREQ(failure.what(), "machine '': no path leads to node 2 of its "
                                 "network from any of 0");
  }
}

} // namespace
} // namespace gensyn::machine
