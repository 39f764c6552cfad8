// Ways from memory to memory; see Ways.h.

#include "Ways.h"

#include "EventQueue.h"
#include "Layouts.h"

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
                          noTask, limited(latency)});
  return static_cast<uint32_t>(program.ways.size() - 1);
}

uint32_t WayBuilder::findTreeWay(uint32_t path, uint32_t memory, uint32_t port,
                                 uint32_t root) {
  auto [found, isNew] = treeWays.try_emplace({path, port}, 0);
  if (!isNew)
    return found->second;
  const Description &machine = subject.machine;
  const auto &links = subject.mapping.paths(static_cast<int>(path)).links();
  const auto first = static_cast<uint32_t>(program.hops.size());
  const auto firstParent = static_cast<uint32_t>(program.parents.size());
  // The last hop that leads to a node.
  std::map<uint32_t, uint32_t> hopTo = {{root, noTask}};
  auto add = [&](uint32_t link, uint32_t parent) {
    program.parents.push_back(parent);
    addHop(link, resources.loadOf(link), machine.network.links[link].latency);
    return static_cast<uint32_t>(program.hops.size()) - first - 1;
  };
  if (port != none) {
    const uint32_t node = machine.memories[memory].nodes[port];
    program.parents.push_back(noTask);
    addHop(resources.firstPort(memory) + port, resources.sourceLoad(),
           machine.memories[memory].latency);
    uint32_t last = 0;
    for (uint32_t link : machine.route(node, root))
      last = add(link, last);
    hopTo[root] = last;
  }
  for (uint32_t link : links)
    hopTo[machine.network.links[link].to] =
        add(link, hopTo.at(machine.network.links[link].from));
  requireRoom(program, program.hops.size());
  // From the ends: what is after a hop, and the farthest end of all.
  const auto hops = static_cast<uint32_t>(program.hops.size()) - first;
  Wide latency = 0;
  for (uint32_t i = hops; i-- > 0;) {
    Hop &hop = program.hops[first + i];
    hop.latencyToEnd = limited(static_cast<Wide>(hop.latencyToEnd) +
                               static_cast<Wide>(hop.latency));
    const uint32_t parent = program.parents[firstParent + i];
    if (parent != noTask)
      program.hops[first + parent].latencyToEnd =
          std::max(program.hops[first + parent].latencyToEnd, hop.latencyToEnd);
    else
      latency = std::max(latency, static_cast<Wide>(hop.latencyToEnd));
  }
  program.ways.push_back({first, hops, firstParent, limited(latency)});
  return found->second = static_cast<uint32_t>(program.ways.size() - 1);
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

/// Of some ports that of the first byte: packets take turns by their addresses.
uint32_t WayBuilder::turnOf(const mapping::Location &location,
                            size_t ports) const {
  const uint64_t packet =
      std::max<uint64_t>(factor(subject.machine.network.packet.value), 1);
  return static_cast<uint32_t>(
      (firstPorts[location.buffer()] + location.offset() / packet) % ports);
}

void WayBuilder::setWays(Task &task, const mapping::Copy &copy,
                         uint32_t packets) {
  const Description &machine = subject.machine;
  const uint32_t source = memoryOf(copy.from());
  const uint32_t destination = memoryOf(copy.to());
  const bool isRead = source != none;
  const bool isWithinCore =
      copy.from().memory_case() == mapping::Location::kLocal &&
      copy.to().memory_case() == mapping::Location::kLocal &&
      copy.others().empty();
  const uint32_t path = isWithinCore ? none : copy.path();
  const bool hasOnePort = isRead == (destination != none);
  const mapping::Location &shared = isRead ? copy.from() : copy.to();
  const uint32_t memory = isRead ? source : destination;
  std::vector<uint32_t> some;
  size_t count = 1;
  if (memory != none) {
    some = findPorts(subject, shared.buffer(), makeRegion(copy, isRead));
    count = some.empty() ? machine.memories[memory].nodes.size() : some.size();
  }
  auto portAt = [&](uint32_t place) {
    return some.empty() ? place : some[place];
  };
  const uint32_t first = memory == none ? 0 : turnOf(shared, count);
  const uint32_t ports = hasOnePort ? 1 : static_cast<uint32_t>(count);
  const bool isTree = !copy.others().empty();
  // The core's end of the path, and the beginning of a tree.
  uint32_t node =
      nodesOf(subject, task.core, isRead ? copy.to() : copy.from()).front();
  if (isTree) {
    const auto &tree = subject.mapping.paths(static_cast<int>(path)).links();
    node = tree.empty() ? nodesOf(subject, task.core, copy.from()).front()
                        : machine.network.links[tree[0]].from;
  }
  const uint32_t last =
      hasOnePort && destination != none
          ? turnOf(copy.to(), machine.memories[destination].nodes.size())
          : 0;
  const uint32_t list =
      portLists.try_emplace(some, static_cast<uint32_t>(portLists.size()))
          .first->second;
  auto [found, isNew] = lists.try_emplace(
      {path, node, source, destination, hasOnePort ? first : 0, last, list},
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
        source == none ? none : resources.firstPort(source) + portAt(first);
    const uint32_t to =
        destination == none ? none : resources.firstPort(destination) + last;
    program.wayLists[task.firstWay] = isTree
                                          ? findTreeWay(path, none, none, node)
                                          : findPathWay(path, from, to);
    return;
  }
  // The node of the port that it leads to.
  const auto &links = subject.mapping.paths(static_cast<int>(path)).links();
  uint32_t reached = node;
  if (!links.empty())
    reached = isRead ? machine.network.links[links[0]].from
                     : machine.network.links[links[links.size() - 1]].to;
  for (uint32_t i = 0; i < std::min(ports, packets); ++i) {
    const uint32_t place = (first + i) % ports;
    const uint32_t port = portAt(place);
    uint32_t &way = program.wayLists[task.firstWay + place];
    if (way != none)
      continue;
    const uint32_t resource = resources.firstPort(memory) + port;
    if (isTree) {
      way = findTreeWay(path, memory, port, node);
      continue;
    }
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
