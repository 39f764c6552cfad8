// See MachineRun.h.

#include "gensyn/Runtime/Devices/MachineRun.h"

#include "MachineBodies.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/Simulator.h"

#include <map>

namespace gensyn::runtime {

static mapping::Mapping readMapping(const plan::Executable &executable) {
  mapping::Mapping mapping;
  if (executable.mapping().empty())
    failUnsupported("the program is not mapped to a machine");
  if (!mapping.ParseFromString(executable.mapping()))
    failBadInput("the program is malformed: its mapping does not parse");
  return mapping;
}

class MachineRun::State {
public:
  State(const plan::Executable &executable, const plan::Code &code,
        bool isPackaged)
      : mapping(readMapping(executable)),
        machine(machine::parseDescription(mapping.machine(),
                                          "the program's machine file")),
        simulator(machine, executable.plan(), mapping),
        bodies(mapping, code, isPackaged) {
    for (int i = 0; i < mapping.segments_size(); ++i)
      if (const mapping::Segment &segment = mapping.segments(i);
          !segment.launches().empty())
        segmentOf[segment.launches(0)] = size_t(i);
  }

  mapping::Mapping mapping;
  machine::Description machine;
  machine::Simulator simulator;
  MachineBodies bodies;
  std::map<uint32_t, size_t> segmentOf;
};

MachineRun::MachineRun(const plan::Executable &executable,
                       const plan::Code &code, bool isPackaged)
    : state(std::make_unique<State>(executable, code, isPackaged)) {}

MachineRun::~MachineRun() = default;

void MachineRun::launch(int number, std::span<const Place> places,
                        FaultWords &faults) {
  auto found = state->segmentOf.find(uint32_t(number));
  if (found == state->segmentOf.end())
    return;
  machine::Values values;
  values.places = places;
  values.faults = &faults;
  values.call = [&](const mapping::Body &body,
                    std::span<uint8_t *const> arguments) {
    state->bodies.call(body, arguments);
  };
  state->simulator.run(found->second, &values);
}

const machine::Statistics &MachineRun::statistics() const {
  return state->simulator.statistics();
}

const machine::Description &MachineRun::machine() const {
  return state->machine;
}

} // namespace gensyn::runtime
