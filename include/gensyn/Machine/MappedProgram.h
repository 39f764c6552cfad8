// A program that is mapped to a machine, and a run of it in counts.

#ifndef GENSYN_MACHINE_MAPPEDPROGRAM_H
#define GENSYN_MACHINE_MAPPEDPROGRAM_H

#include "gensyn/Machine/Simulator.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace google::protobuf {
class Arena;
} // namespace google::protobuf

namespace gensyn::plan {
class Executable;
} // namespace gensyn::plan

namespace gensyn::machine {

/// The mapping of an executable, and the machine that it is for.
class MappedProgram {
public:
  /// The executable must outlive it. Throws a Failure: unsupported if it has no
  /// mapping, bad input if the mapping or its machine file is malformed, or the
  /// mapping does not have its digest. The tasks are checked by a Simulator.
  explicit MappedProgram(const plan::Executable &executable);
  /// Of parts that need no check. The plan must outlive it.
  MappedProgram(const plan::Plan &plan, const mapping::Mapping &mapping,
                Description machine);
  ~MappedProgram();

  const Description &getMachine() const { return *machine; }
  const mapping::Mapping &getMapping() const { return *mapping; }
  const plan::Plan &getPlan() const { return plan; }
  /// The mapping is checked for the first one.
  Simulator makeSimulator() const;
  /// The segment whose first launch this is; none for all other launches, which
  /// run with the first one of their segment.
  std::optional<size_t> findSegment(int launch) const;

private:
  void listSegments();

  const plan::Plan &plan;
  /// It has millions of parts, which are freed at once.
  std::unique_ptr<google::protobuf::Arena> arena;
  const mapping::Mapping *mapping;
  std::unique_ptr<const Description> machine;
  mutable std::atomic<bool> isChecked = false;
  std::map<uint32_t, size_t> segments;
};

using Trace = std::function<void(const TraceEvent &)>;

/// Observes runs with values.
struct Observer {
  /// Of all runs so far, without the launches that prepare.
  Statistics statistics;
  Trace trace;
  /// Of those that prepare, too; may be null.
  TaskObserver *tasks = nullptr;
};

/// Simulates one run of the plan's steps without values: loops run until their
/// bound, and branches take their first side. Throws a Failure as Simulator
/// does, and one (out of resources) if there are too many events.
Statistics simulateRun(const MappedProgram &program, const Trace &trace = {});

/// The same of the launches that prepare, which run once before.
Statistics simulatePreparation(const MappedProgram &program);

/// The same of the copies of weights that stay in cores, which are made once
/// before. Those of one segment after the other.
Statistics simulateLoading(const MappedProgram &program);

} // namespace gensyn::machine

#endif
