// Sums up packets in closed form; see CopyShapes.h.

#include "CopyShapes.h"

#include <algorithm>

namespace gensyn::machine {

CopyShapes::CopyShapes(const Description &machine, const Resources &resources,
                       const Program &program)
    : machine(machine), resources(resources), program(program),
      numbers(program.size()), places(resources.size(), noTask) {
  for (uint32_t number = 0; number < program.size(); ++number) {
    const Task &task = program.tasks[number];
    if (!task.isCopy)
      continue;
    auto [found, isNew] =
        known.try_emplace({task.cost, task.ways.list, task.ways.turn}, 0);
    if (isNew)
      found->second = add(task);
    numbers[number] = found->second;
    ++shapes[found->second].tasks;
  }
  findCrowded();
}

void CopyShapes::findCrowded() {
  std::vector<uint64_t> copies(resources.size());
  for (const CopyShape &shape : shapes)
    for (const Share &share : sharesOf(shape))
      copies[share.resource] += shape.tasks;
  for (CopyShape &shape : shapes) {
    const std::span<Share> own(shares.data() + shape.firstShare, shape.shares);
    for (const Share &share : own) {
      shape.longest = std::max(shape.longest, share.busy);
      if (!share.isQueue)
        shape.moving = std::max(shape.moving, share.busy);
    }
    const auto alone =
        std::partition(own.begin(), own.end(), [&](const Share &share) {
          return copies[share.resource] > 1;
        });
    shape.crowded = static_cast<uint32_t>(alone - own.begin());
  }
}

/// How many of the numbers below `count` are `first` plus a multiple of `step`.
static uint64_t countEvery(uint64_t count, uint64_t first, uint64_t step) {
  return count > first ? (count - first - 1) / step + 1 : 0;
}

uint32_t CopyShapes::add(const Task &task) {
  const Transfer &transfer = program.transfers[task.cost];
  CopyShape shape{};
  shape.firstShare = static_cast<uint32_t>(shares.size());
  shape.start = transfer.engineStart;
  shape.moving =
      int64_t(transfer.packets) * transfer.engine.time + transfer.engine.longer;
  const uint32_t ways = task.ways.ways;
  for (uint32_t i = 0; i < std::min(ways, transfer.packets); ++i) {
    const Way way = wayOf(program, task, i);
    shape.latency = std::max(shape.latency, way.latency);
    const uint64_t packets = countEvery(transfer.packets, i, ways);
    for (uint32_t k = 0; k < way.hops; ++k) {
      const Hop &hop = program.ways->hop(way, k);
      const Load &load = program.loads[transfer.firstLoad + hop.load];
      const uint64_t bytes =
          packets * load.bytes + countEvery(load.larger, i, ways);
      uint32_t &place = places[hop.resource];
      if (place == noTask) {
        place = static_cast<uint32_t>(shares.size());
        shares.push_back({hop.resource, 0, load.time, 0, k > 0});
      }
      Share &share = shares[place];
      share.busy += static_cast<int64_t>(packets) * load.time +
                    static_cast<int64_t>(countEvery(load.longer, i, ways));
      share.bytes += bytes;
      if (hop.resource < resources.links())
        shape.linkEnergy += product(
            bytes, factor(machine.network.links[hop.resource].energy.value));
    }
  }
  shape.shares = static_cast<uint32_t>(shares.size()) - shape.firstShare;
  shapes.push_back(shape);
  for (const Share &share : sharesOf(shape))
    places[share.resource] = noTask;
  return static_cast<uint32_t>(shapes.size() - 1);
}

} // namespace gensyn::machine
