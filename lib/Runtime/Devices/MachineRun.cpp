// See MachineRun.h.

#include "gensyn/Runtime/Devices/MachineRun.h"

#include "MachineBodies.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/MappedProgram.h"

#include <optional>
#include <utility>

namespace gensyn::runtime {

class MachineRun::State {
public:
  State(const plan::Executable &executable, const plan::Code &code,
        bool isPackaged)
      : program(executable), simulator(makeSimulator()),
        bodies(program.getMapping(), code, isPackaged) {
    if (hasPreparation(program.getPlan()))
      preparing = makeSimulator();
  }

  machine::MappedProgram program;
  /// Of runs, and of what prepares them, which has statistics of its own.
  std::unique_ptr<machine::Simulator> simulator, preparing;
  MachineBodies bodies;
  machine::TaskObserver *observer = nullptr;

private:
  std::unique_ptr<machine::Simulator> makeSimulator() const {
    return std::make_unique<machine::Simulator>(
        program.getMachine(), program.getPlan(), program.getMapping());
  }
};

MachineRun::MachineRun(const plan::Executable &executable,
                       const plan::Code &code, bool isPackaged)
    : state(std::make_unique<State>(executable, code, isPackaged)) {}

MachineRun::~MachineRun() = default;

void MachineRun::launch(int number, std::span<const Place> places,
                        FaultWords &faults) {
  const machine::MappedProgram &program = state->program;
  const std::optional<size_t> segment = program.findSegment(number);
  if (!segment)
    return;
  machine::Values values;
  values.places = places;
  values.faults = &faults;
  values.observer = state->observer;
  values.call = [&](const mapping::Body &body,
                    std::span<uint8_t *const> arguments) {
    state->bodies.call(body, arguments);
  };
  (program.getPlan().launches(number).prepares() ? state->preparing
                                                 : state->simulator)
      ->run(*segment, &values);
}

const machine::Statistics &MachineRun::statistics() const {
  return state->simulator->statistics();
}

void MachineRun::setTrace(
    std::function<void(const machine::TraceEvent &)> trace) {
  state->simulator->setTrace(std::move(trace));
}

void MachineRun::setObserver(machine::TaskObserver *observer) {
  state->observer = observer;
}

const machine::Description &MachineRun::machine() const {
  return state->program.getMachine();
}

const mapping::Mapping &MachineRun::mapping() const {
  return state->program.getMapping();
}

} // namespace gensyn::runtime
