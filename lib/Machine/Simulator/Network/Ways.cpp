// Ways from memory to memory; see Ways.h.

#include "Ways.h"

#include "../Events/EventQueue.h"
#include "Layouts.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Machine/Times.h"

#include <algorithm>

namespace gensyn::machine {

/// Entries of one table: about a gigabyte of hops.
constexpr size_t mostEntries = size_t(1) << 25;

Ways::Ways(const Subject &subject, const Resources &resources)
    : subject(subject), resources(resources),
      firstPorts(joinBoundBuffers(
          subject.mapping, static_cast<size_t>(subject.plan.buffers_size()))) {
  const Network &network = subject.machine.network;
  std::vector<uint32_t> counts(std::max<size_t>(network.gateways.size(), 1));
  for (const MemoryKind &memory : subject.machine.memories)
    for (uint32_t node : memory.nodes) {
      uint32_t &count = counts[network.chipOf(node)];
      nodes.push_back(node);
      chipsOfPorts.push_back(network.chipOf(node));
      placesInChip.push_back(count++);
      mostPorts = std::max(mostPorts, count);
    }
  ofNodes.resize(network.nodes, {none, none});
  ofPorts.resize(nodes.size(), {none, none});
  directs.resize(network.nodes);
}

void Ways::failTooMany() const {
  failUnsupported("mapping: segment " + std::to_string(segment) +
                  ": its copies take too many ways through the network");
}

void Ways::requireRoom(size_t entries) const {
  if (entries > mostEntries)
    failTooMany();
}

void Ways::addHop(uint32_t resource, uint32_t load, const Quantity &latency) {
  hops.push_back({resource, load, limited(factor(latency.value)), 0});
}

Wide Ways::energyOf(const std::vector<uint32_t> &links) const {
  Wide energy = 0;
  for (uint32_t link : links)
    energy += factor(subject.machine.network.links[link].energy.value);
  return energy;
}

uint32_t Ways::addStretch(uint32_t from, const std::vector<uint32_t> &links,
                          uint32_t to) {
  const Description &machine = subject.machine;
  requireRoom(hops.size() + links.size() + 2);
  const auto first = static_cast<uint32_t>(hops.size());
  auto addPort = [&](uint32_t port, uint32_t load) {
    if (port != none)
      addHop(port, load, machine.memories[resources.memoryOf(port)].latency);
  };
  addPort(from, resources.sourceLoad());
  for (uint32_t link : links)
    addHop(link, resources.loadOf(link), machine.network.links[link].latency);
  addPort(to, resources.destinationLoad());
  Wide latency = 0;
  for (size_t i = hops.size(); i-- > first;) {
    latency += static_cast<Wide>(hops[i].latency);
    hops[i].latencyToEnd = limited(latency);
  }
  stretches.push_back({first, static_cast<uint32_t>(hops.size()) - first,
                       noTask, 1, limited(latency), energyOf(links)});
  return static_cast<uint32_t>(stretches.size() - 1);
}

uint32_t Ways::findTree(uint32_t path, uint32_t root) {
  auto [found, isNew] = trees.try_emplace({path, root}, 0);
  if (!isNew)
    return found->second;
  const std::vector<Link> &links = subject.machine.network.links;
  const auto first = static_cast<uint32_t>(hops.size());
  const auto firstBranch = static_cast<uint32_t>(branches.size());
  // The last hop that leads to a node.
  std::map<uint32_t, uint32_t> hopTo = {{root, noTask}};
  std::vector<uint32_t> parents;
  const std::vector<uint32_t> taken = linksOf(path);
  for (uint32_t link : taken) {
    parents.push_back(hopTo.at(links[link].from));
    hopTo[links[link].to] = static_cast<uint32_t>(hops.size()) - first;
    addHop(link, resources.loadOf(link), links[link].latency);
  }
  branches.resize(firstBranch + parents.size(), {noTask, noTask, 0});
  requireRoom(hops.size());
  // From the ends: what is after a hop, and the farthest end of all.
  const auto count = static_cast<uint32_t>(hops.size()) - first;
  Wide latency = 0;
  uint32_t firstRoot = noTask, leaves = 0;
  for (uint32_t i = count; i-- > 0;) {
    Hop &hop = hops[first + i];
    hop.latencyToEnd = limited(static_cast<Wide>(hop.latencyToEnd) +
                               static_cast<Wide>(hop.latency));
    Branch &branch = branches[firstBranch + i];
    branch.leaves = std::max(branch.leaves, 1u);
    const uint32_t parent = parents[i];
    Branch *before =
        parent == noTask ? nullptr : &branches[firstBranch + parent];
    uint32_t &firstAfter = before ? before->firstAfter : firstRoot;
    branch.nextBeside = firstAfter;
    firstAfter = i;
    (before ? before->leaves : leaves) += branch.leaves;
    if (before)
      hops[first + parent].latencyToEnd =
          std::max(hops[first + parent].latencyToEnd, hop.latencyToEnd);
    else
      latency = std::max(latency, static_cast<Wide>(hop.latencyToEnd));
  }
  stretches.push_back({first, count, firstBranch, std::max(leaves, 1u),
                       limited(latency), energyOf(taken)});
  return found->second = static_cast<uint32_t>(stretches.size() - 1);
}

uint32_t &Ways::directOf(uint32_t node, uint32_t port, bool isRead) {
  std::vector<uint32_t> &row = directs[node];
  if (row.empty()) {
    directEntries += 2 * size_t(mostPorts);
    requireRoom(directEntries);
    row.resize(2 * size_t(mostPorts), none);
  }
  return row[2 * placesInChip[port] + uint32_t(isRead)];
}

void Ways::prepare(uint32_t node, uint32_t port, bool isRead) {
  const Description &machine = subject.machine;
  const Network &network = machine.network;
  const uint32_t end = nodes[port], resource = resources.links() + port;
  const uint32_t own = network.chipOf(node), other = network.chipOf(end);
  auto make = [&](uint32_t &stretch, uint32_t from, uint32_t to, bool hasPort) {
    if (stretch == none)
      stretch =
          addStretch(hasPort && isRead ? resource : none,
                     isRead ? machine.route(to, from) : machine.route(from, to),
                     hasPort && !isRead ? resource : none);
  };
  if (own == other)
    return make(directOf(node, port, isRead), node, end, true);
  const size_t chips = network.gateways.size();
  if (ofChips.empty()) {
    requireRoom(chips * chips);
    ofChips.resize(chips * chips, none);
  }
  // Seen from the node, so that a read goes the other way.
  const uint32_t from = network.gateways[own], to = network.gateways[other];
  make(ofNodes[node][isRead], node, from, false);
  make(isRead ? ofChips[other * chips + own] : ofChips[own * chips + other],
       from, to, false);
  make(ofPorts[port][isRead], to, end, true);
}

uint32_t Ways::memoryOf(const mapping::Location &location) const {
  return location.memory_case() == mapping::Location::kBuffer
             ? subject.mapping.memory_of_buffer(
                   static_cast<int>(location.buffer()))
             : none;
}

/// Of some ports that of the first byte: packets take turns by their addresses.
uint32_t Ways::turnOf(const mapping::Location &location, size_t count) const {
  const uint64_t packet =
      std::max<uint64_t>(factor(subject.machine.network.packet.value), 1);
  return static_cast<uint32_t>(
      (firstPorts[location.buffer()] + location.offset() / packet) % count);
}

std::vector<uint32_t> Ways::linksOf(uint32_t path) const {
  if (path == none)
    return {};
  const auto &links = subject.mapping.paths(static_cast<int>(path)).links();
  return {links.begin(), links.end()};
}

/// True if a path is the one that the machine's route takes.
bool Ways::isRoute(const std::vector<uint32_t> &links, uint32_t from,
                   uint32_t to) const {
  try {
    return subject.machine.route(from, to) == links;
  } catch (const Failure &) {
    return false;
  }
}

/// The place of the ports of a memory, of all if there are none, among `ports`.
uint32_t Ways::addPorts(uint32_t memory, std::vector<uint32_t> some) {
  const size_t given = some.size();
  some.push_back(memory);
  auto [found, isNew] =
      portLists.try_emplace(some, static_cast<uint32_t>(ports.size()));
  if (isNew) {
    const uint32_t first = resources.firstPort(memory) - resources.links();
    const size_t count =
        given ? given : subject.machine.memories[memory].nodes.size();
    requireRoom(ports.size() + count);
    for (uint32_t i = 0; i < count; ++i)
      ports.push_back(first + (given ? some[i] : i));
  }
  return found->second;
}

uint32_t Ways::addList(const WayList &list,
                       const std::vector<uint32_t> &stretchesOfPorts) {
  requireRoom(explicits.size() + stretchesOfPorts.size());
  lists.push_back(list);
  if (!stretchesOfPorts.empty())
    lists.back().firstExplicit = static_cast<uint32_t>(explicits.size());
  explicits.insert(explicits.end(), stretchesOfPorts.begin(),
                   stretchesOfPorts.end());
  return static_cast<uint32_t>(lists.size() - 1);
}

Ways::List Ways::findList(size_t number, uint32_t core,
                          const mapping::Copy &copy, uint32_t packets) {
  segment = number;
  const Description &machine = subject.machine;
  const uint32_t source = memoryOf(copy.from());
  const uint32_t destination = memoryOf(copy.to());
  const bool isRead = source != none, isTree = !copy.others().empty();
  const bool isWithinCore =
      copy.from().memory_case() == mapping::Location::kLocal &&
      copy.to().memory_case() == mapping::Location::kLocal && !isTree;
  const uint32_t path = isWithinCore ? none : copy.path();
  const bool hasOneWay = isRead == (destination != none);
  const mapping::Location &shared = isRead ? copy.from() : copy.to();
  const uint32_t memory = isRead ? source : destination;
  std::vector<uint32_t> some;
  size_t count = 1;
  if (memory != none) {
    some = findPorts(subject, shared.buffer(), makeRegion(copy, isRead));
    count = some.empty() ? machine.memories[memory].nodes.size() : some.size();
  }
  const uint32_t first = memory == none ? 0 : turnOf(shared, count);
  const uint32_t firstPort =
      memory == none ? none : addPorts(memory, std::move(some));
  // The core's end of the path, and the beginning of a tree.
  uint32_t node =
      nodesOf(subject, core, isRead ? copy.to() : copy.from()).front();
  if (isTree) {
    const auto &tree = subject.mapping.paths(static_cast<int>(path)).links();
    node = tree.empty() ? nodesOf(subject, core, copy.from()).front()
                        : machine.network.links[tree[0]].from;
  }
  const uint32_t last =
      hasOneWay && destination != none
          ? turnOf(copy.to(), machine.memories[destination].nodes.size())
          : 0;
  auto [found, isNew] = known.try_emplace(
      {path, node, source, destination, hasOneWay ? first : 0, last, firstPort},
      0);
  if (isNew) {
    WayList list = {none, node,   none,
                    none, isRead, machine.network.chipOf(node)};
    std::vector<uint32_t> given;
    const std::vector<uint32_t> links =
        isTree ? std::vector<uint32_t>() : linksOf(path);
    auto portAt = [&](uint32_t place) {
      return resources.links() + ports[firstPort + place];
    };
    if (isTree)
      list.tree = findTree(path, node);
    if (!hasOneWay) {
      list.firstPort = firstPort;
      // A path that is not the machine's, to the port that it leads to.
      uint32_t reached = node;
      if (!links.empty())
        reached = isRead ? machine.network.links[links.front()].from
                         : machine.network.links[links.back()].to;
      if (!isTree &&
          !isRoute(links, isRead ? reached : node, isRead ? node : reached)) {
        requireRoom(explicits.size() + count);
        for (uint32_t place = 0; place < count; ++place) {
          const uint32_t port = portAt(place);
          given.push_back(nodes[port - resources.links()] != reached
                              ? none
                              : addStretch(isRead ? port : none, links,
                                           isRead ? none : port));
        }
      }
    } else if (!isTree) {
      given = {addStretch(source == none ? none : portAt(first), links,
                          destination == none
                              ? none
                              : resources.firstPort(destination) + last)};
    }
    found->second = addList(list, given);
  }
  const auto ways = static_cast<uint32_t>(hasOneWay ? 1 : count);
  const List result = {found->second, ways, hasOneWay ? 0 : first};
  if (!hasOneWay)
    for (uint32_t i = 0; i < std::min(ways, packets); ++i)
      prepare(node, ports[firstPort + (first + i) % ways], isRead);
  for (uint32_t i = 0; i < std::min(ways, packets); ++i)
    if (find(result.list, (result.turn + i) % ways).hops > Event::mostStages)
      failTooMany();
  return result;
}

} // namespace gensyn::machine
