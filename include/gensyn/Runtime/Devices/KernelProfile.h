// Execution times of a program's kernels.
#ifndef GENSYN_RUNTIME_DEVICES_KERNELPROFILE_H
#define GENSYN_RUNTIME_DEVICES_KERNELPROFILE_H

#include "gensyn/Executable/PlanMessages.h"
#include "gensyn/Executable/Support/Json.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gensyn::runtime {

/// Totals over all launches of one kernel, or over all copies of one kind.
struct KernelTime {
  std::string kernel;     ///< symbol of the kernel, or kind of the copies
  std::string operations; ///< its node; of several, the first one and the
                          ///< number of others
  std::string schedule;   ///< that made its code
  bool isCopy = false;
  int64_t launches = 0;
  /// The kernels of the program, as `info --kernels` names them; several if
  /// they are equal. Empty for copies.
  std::vector<std::string> sourceKernels;
  double seconds = 0;
  double flops = 0; ///< floating-point operations of all launches
  /// Bytes of operands and results of all launches. Each buffer counts once per
  /// launch, in full.
  double bytes = 0;

  /// Adds the totals of another one.
  void add(const KernelTime &other);
};

/// The time from the first to the last tile of a launch that a thread ran, in
/// seconds from the start of the run.
struct ThreadSpan {
  int launch = 0;
  unsigned thread = 0;
  double begin = 0, end = 0;
};

/// How often a launch of a plan was run, and the seconds of all of them.
struct LaunchTime {
  int64_t count = 0;
  double seconds = 0;
};

/// Collects the times of programs that run one after another on one device.
class KernelProfile {
public:
  /// Adds the time of one launch of the plan.
  void addLaunch(const plan::Plan &plan, int launch, double seconds);
  /// Adds copies between a device's memory and the host's or within the
  /// device's, or fills of it. `kind` names their line.
  void addCopies(const std::string &kind, int64_t count, uint64_t bytes,
                 double seconds);
  /// From now on keeps what each thread did in the last run, and the time of
  /// each launch of the one program that is run.
  void keepSpans() { wantsSpans = true; }
  bool keepsSpans() const { return wantsSpans; }
  /// Replaces the spans by those of another run.
  void setSpans(std::vector<ThreadSpan> ofRun) {
    spansOfRun = std::move(ofRun);
  }
  /// Those of the last run on a CPU, by thread, in the order of time; empty
  /// unless they are kept.
  const std::vector<ThreadSpan> &spans() const { return spansOfRun; }
  /// By the number of the launch; empty unless spans are kept.
  const std::vector<LaunchTime> &launches() const { return timesOfLaunches; }
  /// Adds the time of one whole run, launches and everything between them.
  void addRun(double seconds);
  /// Adds time outside of runs, in which their results were copied.
  void addAfterRun(double seconds) { secondsOfRuns += seconds; }
  /// Forgets everything.
  void clear() { *this = KernelProfile(); }

  /// Returns the kernels, longest time first; launches of the same symbol are
  /// merged.
  std::vector<KernelTime> kernels() const;
  int64_t runs() const { return numRuns; }
  double runSeconds() const { return secondsOfRuns; }
  /// Returns the time of the kernels that the baseline schedule made.
  double baselineSeconds() const;

  /// Returns a table: the runs, then one line per kernel or kind of copies with
  /// its share of the time, microseconds and launches per run, Gflop/s, GB/s,
  /// kernel, schedule and node.
  /// Kernels below a thousandth of the time are summed in one line.
  std::vector<std::string> lines() const;
  /// Returns the same as an object: runs, seconds of all of them, seconds of
  /// the baseline schedule, and kernels, each with its totals.
  OrderedJson describe() const;

private:
  struct Entry {
    KernelTime time;
    std::vector<std::string> nodes;
  };
  Entry &entry(const std::string &kernel);

  std::vector<Entry> entries;
  std::unordered_map<std::string, size_t> known;
  bool wantsSpans = false;
  std::vector<ThreadSpan> spansOfRun;
  std::vector<LaunchTime> timesOfLaunches;
  int64_t numRuns = 0;
  double secondsOfRuns = 0;
};

} // namespace gensyn::runtime

#endif
