// The ways of copies through the network: what a packet occupies one after
// another.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_WAYS_H
#define GENSYN_LIB_MACHINE_SIMULATOR_WAYS_H

#include "Binding.h"
#include "Program.h"

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace gensyn::machine {

class WayBuilder {
public:
  WayBuilder(const Subject &subject, const Resources &resources,
             Program &program)
      : subject(subject), resources(resources), program(program),
        firstPorts(joinBoundBuffers(
            subject.mapping,
            static_cast<size_t>(subject.plan.buffers_size()))) {}

  /// Sets the ways over which the packets of a copy take turns. Accesses are
  /// interleaved over the ports of a shared memory by their addresses, or over
  /// those of the parts in which the buffer's layout puts the bytes; between
  /// two shared memories there is one way, the path. To several cores, packets
  /// of other ports take the machine's route to the beginning of the tree.
  /// Throws a Failure (unsupported) if there are too many.
  void setWays(Task &task, const mapping::Copy &copy, uint32_t packets);
  /// The longest of a task's ways, in hops.
  uint32_t longest(const Task &task, uint32_t packets) const;

private:
  static constexpr uint32_t none = ~uint32_t(0);

  uint32_t memoryOf(const mapping::Location &location) const;
  uint32_t turnOf(const mapping::Location &location, size_t ports) const;
  /// Ways along the copy's path, and along the machine's route between a core
  /// and a port.
  uint32_t findPathWay(uint32_t path, uint32_t from, uint32_t to);
  uint32_t findRouteWay(uint32_t node, uint32_t memory, uint32_t port,
                        bool isRead);
  uint32_t addWay(const std::vector<uint32_t> &links, uint32_t from,
                  uint32_t to);
  /// A tree, after the route from a port to its first node; `port` is none
  /// unless the source is a shared memory.
  uint32_t findTreeWay(uint32_t path, uint32_t memory, uint32_t port,
                       uint32_t root);
  void addHop(uint32_t resource, uint32_t load, const Quantity &latency);

  const Subject &subject;
  const Resources &resources;
  Program &program;
  /// Where buffers begin; those in each other's place at the same port, so that
  /// repetitions of a segment take the same time.
  std::vector<uint32_t> firstPorts;
  std::map<std::array<uint32_t, 3>, uint32_t> pathWays;
  std::map<std::array<uint32_t, 3>, uint32_t> routeWays;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> treeWays;
  /// Path, core's node, memories, their ports if there is one way, the number
  /// of the ports.
  std::map<std::array<uint32_t, 7>, uint32_t> lists;
  /// Numbers of lists of ports; that of all is 0.
  std::map<std::vector<uint32_t>, uint32_t> portLists = {{{}, 0}};
};

} // namespace gensyn::machine

#endif
