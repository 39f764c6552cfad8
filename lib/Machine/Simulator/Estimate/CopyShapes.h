// What copies occupy as a whole, without their packets: for estimates.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_ESTIMATE_COPYSHAPES_H
#define GENSYN_LIB_MACHINE_SIMULATOR_ESTIMATE_COPYSHAPES_H

#include "../NumberTable.h"
#include "../Program.h"

#include "gensyn/Machine/Times.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace gensyn::machine {

/// What all packets of a copy are to one resource.
struct Share {
  uint32_t resource;
  int64_t busy, packet; ///< with all packets, and with one
  uint64_t bytes;
  /// Packets on their way wait here in the order in which they came. Where they
  /// wait before they are on their way, copies take turns.
  bool isQueue;
};

/// Copies with the same times on the same ways.
struct CopyShape {
  uint32_t firstShare, shares;
  /// Those of them at which it may have to wait; they come first.
  uint32_t crowded;
  /// Tasks of this shape.
  uint64_t tasks;
  /// Before the first packet; latencies; until all packets are on their way;
  /// and the most that one resource is busy.
  int64_t start, latency, moving, longest;
  Wide linkEnergy;
};

class CopyShapes {
public:
  CopyShapes(const Description &machine, const Resources &resources,
             const Program &program);

  /// Of a task that copies.
  const CopyShape &of(uint32_t task) const { return shapes[numbers[task]]; }
  /// Each resource is there once.
  std::span<const Share> sharesOf(const CopyShape &shape) const {
    return {shares.data() + shape.firstShare, shape.shares};
  }
  /// Those of resources that other copies take, too.
  std::span<const Share> crowdedOf(const CopyShape &shape) const {
    return sharesOf(shape).first(shape.crowded);
  }
  std::span<const CopyShape> all() const { return shapes; }

private:
  uint32_t add(const Task &task);
  void findCrowded();

  const Description &machine;
  const Resources &resources;
  const Program &program;
  std::vector<uint32_t> numbers;
  std::vector<CopyShape> shapes;
  std::vector<Share> shares;
  /// Transfer, list of ways, turn.
  NumberTable<std::array<uint32_t, 3>> known;
  /// The place of a resource among the shares of a shape.
  std::vector<uint32_t> places;
};

} // namespace gensyn::machine

#endif
