// The ways of copies through the network: what a packet occupies one after
// another.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_WAYS_H
#define GENSYN_LIB_MACHINE_SIMULATOR_WAYS_H

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
      : subject(subject), resources(resources), program(program) {}

  /// Sets the ways over which the packets of a copy take turns. Accesses are
  /// interleaved over the ports of a shared memory by their addresses; between
  /// two shared memories there is one way, the path. Throws a Failure
  /// (unsupported) if there are too many.
  void setWays(Task &task, const mapping::Copy &copy, uint32_t packets);
  /// The longest of a task's ways, in hops.
  uint32_t longest(const Task &task, uint32_t packets) const;

private:
  static constexpr uint32_t none = ~uint32_t(0);

  uint32_t memoryOf(const mapping::Location &location) const;
  uint32_t portOf(const mapping::Location &location) const;
  /// Ways along the copy's path, and along the machine's route between a core
  /// and a port.
  uint32_t findPathWay(uint32_t path, uint32_t from, uint32_t to);
  uint32_t findRouteWay(uint32_t node, uint32_t memory, uint32_t port,
                        bool isRead);
  uint32_t addWay(const std::vector<uint32_t> &links, uint32_t from,
                  uint32_t to);
  void addHop(uint32_t resource, uint32_t load, const Quantity &latency);

  const Subject &subject;
  const Resources &resources;
  Program &program;
  std::map<std::array<uint32_t, 3>, uint32_t> pathWays;
  std::map<std::array<uint32_t, 3>, uint32_t> routeWays;
  /// Path, core's node, memories, their ports if there is one way.
  std::map<std::array<uint32_t, 6>, uint32_t> lists;
};

} // namespace gensyn::machine

#endif
