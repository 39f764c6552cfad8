// A program on the simulation of a machine of many cores, with values.

#ifndef GENSYN_RUNTIME_DEVICES_MACHINERUN_H
#define GENSYN_RUNTIME_DEVICES_MACHINERUN_H

#include "gensyn/Executable/PlanRun.h"

#include <functional>
#include <memory>
#include <span>

namespace gensyn::machine {
struct Description;
struct Statistics;
struct TraceEvent;
class TaskObserver;
} // namespace gensyn::machine

namespace gensyn::mapping {
class Mapping;
} // namespace gensyn::mapping

namespace gensyn::runtime {

class MachineRun {
public:
  /// Loads the mapping of an executable and the code of its pieces; both must
  /// outlive it. Throws a Failure: bad input if the mapping is malformed. Code
  /// of a package (`isPackaged`) must declare what it accesses.
  MachineRun(const plan::Executable &executable, const plan::Code &code,
             bool isPackaged);
  ~MachineRun();

  /// Runs a launch of the plan on buffers at these addresses: the first launch
  /// of a segment runs all of it, the others nothing. Throws a Failure (bug)
  /// for what a correct mapping does not do; see Simulator.
  void launch(int number, std::span<const Place> places, FaultWords &faults);

  /// Of all launches so far that do not prepare.
  const machine::Statistics &statistics() const;
  /// Is told about the tasks of those launches.
  void setTrace(std::function<void(const machine::TraceEvent &)> trace);
  /// Is told about the values of the tasks of all launches; null: nobody.
  void setObserver(machine::TaskObserver *observer);
  const machine::Description &machine() const;
  const mapping::Mapping &mapping() const;

private:
  class State;
  std::unique_ptr<State> state;
};

} // namespace gensyn::runtime

#endif
