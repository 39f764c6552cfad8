// One way of a packet through the network.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_NETWORK_WAY_H
#define GENSYN_LIB_MACHINE_SIMULATOR_NETWORK_WAY_H

#include <array>
#include <cstdint>

namespace gensyn::machine {

/// In the place of a task or a hop, of which there is none.
constexpr uint32_t noTask = ~uint32_t(0);

/// One resource on a way.
struct Hop {
  uint32_t resource, load;
  /// Until the first byte is at the next hop, and at the end of its stretch.
  int64_t latency, latencyToEnd;
};

/// The hops from one memory to another one, or to those of several cores, as
/// stretches that it shares with other ways: from a port to the gateway of its
/// chip, from there to the chip of the core, and to its node; then a tree.
/// There are too many ways on a large machine to keep them.
struct Way {
  struct Part {
    /// Hop `number` of the way is hop `offset` + `number` of all, up to `end`.
    uint32_t offset, end;
  };
  std::array<Part, 4> parts;
  uint32_t hops;
  /// To the farthest end.
  int64_t latency;

  const Part &partOf(uint32_t number) const {
    const Part *part = parts.data();
    while (number >= part->end)
      ++part;
    return *part;
  }
};

/// Where a packet is on its way: like Way, but with the present stretch alone,
/// and those behind it by their numbers.
struct Walk {
  /// As in Way::Part.
  uint32_t offset, end;
  /// Of all stretches behind this one.
  int64_t latencyAfter;
  std::array<uint32_t, 3> next;
  /// Of a tree, in which the way ends; noTask: it is a chain.
  uint32_t firstBranch;
  /// The hops before the tree.
  uint32_t stem;
  /// The hops behind which a packet goes no further.
  uint32_t leaves;
};

} // namespace gensyn::machine

#endif
