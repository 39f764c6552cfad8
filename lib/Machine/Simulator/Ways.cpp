// Ways from memory to memory; see Ways.h.

#include "Ways.h"

#include "EventQueue.h"

#include "gensyn/Machine/Times.h"

#include <algorithm>

namespace gensyn::machine {

void WayBuilder::addHop(uint32_t resource, uint32_t load,
                        const Quantity &latency) {
  program.hops.push_back({resource, load, limited(factor(latency.value)), 0});
}

uint32_t WayBuilder::addWay(const std::vector<uint32_t> &links, uint32_t from,
                            uint32_t to) {
  const Description &machine = subject.machine;
  if (links.size() + 2 > Event::mostStages)
    failTooLarge(program);
  requireRoom(program, program.hops.size() + links.size());
  const auto first = static_cast<uint32_t>(program.hops.size());
  auto addPort = [&](uint32_t port, uint32_t load) {
    if (port != none)
      addHop(port, load, machine.memories[resources.memoryOf(port)].latency);
  };
  addPort(from, resources.sourceLoad());
  for (uint32_t link : links)
    addHop(link, resources.loadOf(link), machine.network.links[link].latency);
  addPort(to, resources.destinationLoad());
  Wide latency = 0;
  for (size_t i = program.hops.size(); i-- > first;) {
    latency += static_cast<Wide>(program.hops[i].latency);
    program.hops[i].latencyToEnd = limited(latency);
  }
  program.ways.push_back({first,
                          static_cast<uint32_t>(program.hops.size()) - first,
                          limited(latency)});
  return static_cast<uint32_t>(program.ways.size() - 1);
}

uint32_t WayBuilder::findPathWay(uint32_t path, uint32_t from, uint32_t to) {
  auto [found, isNew] = pathWays.try_emplace({path, from, to}, 0);
  if (isNew) {
    std::vector<uint32_t> links;
    if (path != none) {
      const auto &given = subject.mapping.paths(static_cast<int>(path)).links();
      links.assign(given.begin(), given.end());
    }
    found->second = addWay(links, from, to);
  }
  return found->second;
}

uint32_t WayBuilder::findRouteWay(uint32_t node, uint32_t memory, uint32_t port,
                                  bool isRead) {
  const uint32_t resource = resources.firstPort(memory) + port;
  auto [found, isNew] =
      routeWays.try_emplace({node, resource, uint32_t(isRead)}, 0);
  if (isNew) {
    const uint32_t end = subject.machine.memories[memory].nodes[port];
    found->second =
        isRead ? addWay(subject.machine.route(end, node), resource, none)
               : addWay(subject.machine.route(node, end), none, resource);
  }
  return found->second;
}

uint32_t WayBuilder::memoryOf(const mapping::Location &location) const {
  return location.memory_case() == mapping::Location::kBuffer
             ? subject.mapping.memory_of_buffer(
                   static_cast<int>(location.buffer()))
             : none;
}

/// The port of the first byte: packets take turns over the ports by their
/// addresses.
uint32_t WayBuilder::portOf(const mapping::Location &location) const {
  const uint64_t packet =
      std::max<uint64_t>(factor(subject.machine.network.packet.value), 1);
  return static_cast<uint32_t>(
      (location.buffer() + location.offset() / packet) %
      subject.machine.memories[memoryOf(location)].nodes.size());
}

void WayBuilder::setWays(Task &task, const mapping::Copy &copy,
                         uint32_t packets) {
  const Description &machine = subject.machine;
  const uint32_t source = memoryOf(copy.from());
  const uint32_t destination = memoryOf(copy.to());
  const bool isRead = source != none;
  const bool isWithinCore =
      copy.from().memory_case() == mapping::Location::kLocal &&
      copy.to().memory_case() == mapping::Location::kLocal;
  const uint32_t path = isWithinCore ? none : copy.path();
  const bool hasOnePort = isRead == (destination != none);
  const mapping::Location &shared = isRead ? copy.from() : copy.to();
  const uint32_t memory = isRead ? source : destination;
  const uint32_t first = memory == none ? 0 : portOf(shared);
  const uint32_t ports =
      hasOnePort ? 1
                 : static_cast<uint32_t>(machine.memories[memory].nodes.size());
  // The core's end of the path.
  const uint32_t node =
      nodesOf(subject, task.core, isRead ? copy.to() : copy.from()).front();
  const uint32_t last =
      hasOnePort && destination != none ? portOf(copy.to()) : 0;
  auto [found, isNew] = lists.try_emplace(
      {path, node, source, destination, hasOnePort ? first : 0, last},
      static_cast<uint32_t>(program.wayLists.size()));
  task.firstWay = found->second;
  task.ways = ports;
  task.turn = hasOnePort ? 0 : first;
  if (isNew) {
    requireRoom(program, program.wayLists.size() + ports);
    program.wayLists.resize(program.wayLists.size() + ports, none);
  }
  if (hasOnePort) {
    const uint32_t from =
        source == none ? none : resources.firstPort(source) + first;
    const uint32_t to =
        destination == none ? none : resources.firstPort(destination) + last;
    program.wayLists[task.firstWay] = findPathWay(path, from, to);
    return;
  }
  // The node of the port that it leads to.
  const auto &links = subject.mapping.paths(static_cast<int>(path)).links();
  uint32_t reached = node;
  if (!links.empty())
    reached = isRead ? machine.network.links[links[0]].from
                     : machine.network.links[links[links.size() - 1]].to;
  for (uint32_t i = 0; i < std::min(ports, packets); ++i) {
    const uint32_t port = (first + i) % ports;
    uint32_t &way = program.wayLists[task.firstWay + port];
    if (way != none)
      continue;
    const uint32_t resource = resources.firstPort(memory) + port;
    way = machine.memories[memory].nodes[port] != reached
              ? findRouteWay(node, memory, port, isRead)
              : findPathWay(path, isRead ? resource : none,
                            isRead ? none : resource);
  }
}

uint32_t WayBuilder::longest(const Task &task, uint32_t packets) const {
  uint32_t most = 0;
  for (uint32_t i = 0; i < std::min(task.ways, packets); ++i) {
    const uint32_t port = (task.turn + i) % task.ways;
    most = std::max(most,
                    program.ways[program.wayLists[task.firstWay + port]].hops);
  }
  return most;
}

} // namespace gensyn::machine
