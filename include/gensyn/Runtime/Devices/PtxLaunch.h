// A launch of a plan on the PTX simulator.
#ifndef GENSYN_RUNTIME_DEVICES_PTXLAUNCH_H
#define GENSYN_RUNTIME_DEVICES_PTXLAUNCH_H

#include "gensyn/Executable/PlanRun.h"
#include "gensyn/Ptx/Simulator.h"

#include <functional>
#include <span>
#include <vector>

namespace gensyn::runtime {

/// A plan's launch in the form that the simulator takes. Only the buffers of
/// the kernel are mapped, so an out-of-bounds access cannot land in another
/// buffer.
class PtxLaunch {
public:
  using FindWritten = std::function<ptx::Written *(const uint8_t *)>;

  /// The buffers lie at `places`. `findWritten` returns the record of
  /// initialized bytes for a place, or null. `writes` tells for each argument
  /// if the kernel may write to it; null: to all whose places are writable.
  /// Throws a Failure (a bug) if two different buffers overlap.
  explicit PtxLaunch(const plan::Launch &source, std::span<const Place> places,
                     const FindWritten &findWritten = {},
                     const std::vector<bool> *writes = nullptr);
  /// `launch` keeps a view of the kernel's name, so `source` outlives this.
  PtxLaunch(plan::Launch &&source, std::span<const Place> places,
            const FindWritten &findWritten = {},
            const std::vector<bool> *writes = nullptr) = delete;
  // `launch` points to the addresses.
  PtxLaunch(const PtxLaunch &) = delete;
  PtxLaunch &operator=(const PtxLaunch &) = delete;

  /// The caller sets threads, limits and checks.
  ptx::Launch launch;
  ptx::Memory memory;

private:
  std::vector<uint64_t> addresses;
};

} // namespace gensyn::runtime

#endif
