// Named ranges of a thread's work, for NVIDIA's profilers.
#ifndef GENSYN_LIB_RUNTIME_PROFILERRANGE_H
#define GENSYN_LIB_RUNTIME_PROFILERRANGE_H

#include "gensyn/Runtime/Devices/NvtxApi.h"

#include <string>

namespace gensyn::nvtx {

/// The functions of the profiler that runs this process; null without one.
struct Profiler {
  /// Opens the library that the environment names, at the first call.
  static const Profiler &get();

  RangePushFunction push = nullptr;
  RangePopFunction pop = nullptr;
};

/// What the thread enqueues while this lives belongs to the range. Ranges of a
/// thread are nested.
class [[nodiscard]] ProfilerRange {
public:
  /// There is no range if `name` is null.
  explicit ProfilerRange(const std::string *name)
      : isOpen(name && Profiler::get().push) {
    if (isOpen)
      Profiler::get().push(name->c_str());
  }
  ~ProfilerRange() {
    if (isOpen)
      Profiler::get().pop();
  }
  ProfilerRange(const ProfilerRange &) = delete;
  ProfilerRange &operator=(const ProfilerRange &) = delete;

private:
  bool isOpen;
};

} // namespace gensyn::nvtx

#endif
