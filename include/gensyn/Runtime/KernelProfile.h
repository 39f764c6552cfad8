// The time that each kernel of a program takes.
#ifndef GENSYN_RUNTIME_KERNELPROFILE_H
#define GENSYN_RUNTIME_KERNELPROFILE_H

#include "gensyn/Executable/plan.pb.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace gensyn::runtime {

/// The totals of all launches of one kernel.
struct KernelTime {
  std::string kernel;     ///< its symbol
  std::string operations; ///< the node it is of; of several, the first and how
                          ///< many more
  int64_t launches = 0;
  double seconds = 0;
  double flops = 0; ///< floating-point operations of all launches
  /// Bytes of operands and results of all launches, each buffer of a launch
  /// counted once and as a whole.
  double bytes = 0;
};

/// Gathers the times of programs that run one after another on one device.
class KernelProfile {
public:
  /// A launch of the plan took so long.
  void addLaunch(const plan::Plan &plan, int launch, double seconds);
  /// A whole run took so long, launches and what is between them.
  void addRun(double seconds);

  /// Kernels, the longest first; launches of one symbol are one.
  std::vector<KernelTime> kernels() const;
  int64_t runs() const { return numRuns; }
  double runSeconds() const { return secondsOfRuns; }

  /// A table: the runs, then a line a kernel with its share of them,
  /// microseconds and launches a run, Gflop/s, GB/s, kernel and node. Kernels
  /// of which each takes less than a thousandth are one line together.
  std::vector<std::string> lines() const;

private:
  struct Entry {
    KernelTime time;
    std::vector<std::string> nodes;
  };
  std::vector<Entry> entries;
  std::unordered_map<std::string, size_t> known;
  int64_t numRuns = 0;
  double secondsOfRuns = 0;
};

} // namespace gensyn::runtime

#endif
