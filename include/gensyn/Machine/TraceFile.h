// A simulation as a timeline, for Perfetto and chrome://tracing.

#ifndef GENSYN_MACHINE_TRACEFILE_H
#define GENSYN_MACHINE_TRACEFILE_H

#include "gensyn/Machine/MappedProgram.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace gensyn::machine {

/// Collects the tasks of a simulation as they end.
class TraceFile {
public:
  /// Tasks after the first `limit` are counted only.
  explicit TraceFile(uint64_t limit) : limit(limit) {}

  void add(const TraceEvent &event) {
    if (events.size() < limit)
      events.push_back(event);
    else
      ++omitted;
  }
  uint64_t size() const { return events.size(); }
  uint64_t getOmitted() const { return omitted; }

  /// Writes Chrome's trace format: a process for each chip, two tracks for each
  /// core, which computes and copies. Throws a Failure (I/O).
  void write(const std::filesystem::path &path,
             const MappedProgram &program) const;

private:
  uint64_t limit, omitted = 0;
  std::vector<TraceEvent> events;
};

} // namespace gensyn::machine

#endif
