// Times of kernels and copies on a GPU.
#ifndef GENSYN_LIB_RUNTIME_CUDATIMELINE_H
#define GENSYN_LIB_RUNTIME_CUDATIMELINE_H

#include "CudaContext.h"
#include "gensyn/Executable/PlanMessages.h"

#include <chrono>
#include <vector>

namespace gensyn::runtime {
class KernelProfile;
}

namespace gensyn::cuda {

using Clock = std::chrono::steady_clock;

inline double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Kinds of copies, which a profile lists like kernels.
inline constexpr const char *kCopyOfInputs = "copy of inputs to the GPU";
inline constexpr const char *kCopyOfParameters =
    "copy of parameters to the GPU";
inline constexpr const char *kCopyOfLosses =
    "copy of losses and faults to the host";
inline constexpr const char *kCopyOfResults = "copy of results to the host";
inline constexpr const char *kCopyOnGpu = "copy on the GPU";
inline constexpr const char *kFill = "fill on the GPU";

/// Measures the work in one stream by events: one before it, one after it, and
/// one between neighbours. A stream that is being captured gets event nodes, so
/// the graph's own launches are measured, each time that it runs. Measures
/// nothing if the context has no profile.
class CudaTimeline {
public:
  explicit CudaTimeline(const DeviceContext &context, bool isCaptured = false)
      : context(context), isCaptured(isCaptured) {}
  /// Destroys the events; graphs that contain them must not be there any more.
  ~CudaTimeline();
  CudaTimeline(const CudaTimeline &) = delete;
  CudaTimeline &operator=(const CudaTimeline &) = delete;

  /// Forgets all work. The same events are used again, in the same order, so
  /// graphs of the same work can share them.
  void clear();
  /// The next work in the stream is a launch of the plan.
  void beginLaunch(Stream stream, int launch);
  /// The next work in the stream is a copy. Copies of one kind in a row are
  /// measured together.
  void beginCopy(Stream stream, const char *kind, uint64_t bytes);
  /// The stream waits, or has no more work.
  void stop(Stream stream);
  /// True if the host should wait and add the times: events take memory.
  bool isLong() const { return work.size() >= mostWork; }
  /// Adds the times to the context's profile. All work must be done.
  void addTo(const plan::Plan &plan) const;
  /// The same, of copies alone.
  void addCopies() const;

private:
  static constexpr size_t mostWork = 4096;

  struct Work {
    int launch = -1;
    const char *copy = nullptr;
    int64_t copies = 0;
    uint64_t bytes = 0;
    /// Numbers of events.
    size_t begin = 0, end = 0;
  };

  Work &begin(Stream stream);
  size_t record(Stream stream);
  double seconds(const Work &work) const;

  const DeviceContext &context;
  bool isCaptured;
  std::vector<Event> events;
  size_t used = 0;
  std::vector<Work> work;
  /// The last work has no end yet.
  bool isOpen = false;
};

} // namespace gensyn::cuda

#endif
