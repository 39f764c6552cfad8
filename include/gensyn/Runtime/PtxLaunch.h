// A launch of a plan on the PTX simulator.
#ifndef GENSYN_RUNTIME_PTXLAUNCH_H
#define GENSYN_RUNTIME_PTXLAUNCH_H

#include "gensyn/Executable/PlanRun.h"
#include "gensyn/Ptx/Simulator.h"

#include <functional>
#include <span>
#include <vector>

namespace gensyn::runtime {

/// The simulator's view of a launch: the kernel sees its own buffers
/// and nothing else, so an index out of one cannot land in the next.
class PtxLaunch {
public:
  /// The buffers lie at `places`. `findWritten` gives what is known of the
  /// bytes written at a place, or null. Throws a Failure (a bug) where two
  /// buffers overlap that are not one.
  explicit PtxLaunch(
      const plan::Launch &source, std::span<const Place> places,
      const std::function<ptx::Written *(const uint8_t *)> &findWritten = {});
  // `launch` points to the addresses.
  PtxLaunch(const PtxLaunch &) = delete;
  PtxLaunch &operator=(const PtxLaunch &) = delete;

  /// Threads, limits and checks are for the caller to set.
  ptx::Launch launch;
  ptx::Memory memory;

private:
  std::vector<uint64_t> addresses;
};

} // namespace gensyn::runtime

#endif
