// Simulates the segments of a mapping one by one; see Simulator.h.

#include "gensyn/Machine/Simulator.h"

#include "Accounts.h"
#include "Check.h"
#include "CoreMemories.h"
#include "EventLoop.h"
#include "Program.h"

#include <optional>
#include <utility>

namespace gensyn::machine {

class Simulator::State {
public:
  State(const Description &machine, const plan::Plan &plan,
        const mapping::Mapping &mapping)
      : subject{machine, plan, mapping}, resources(machine),
        accounts(machine, resources,
                 static_cast<size_t>(plan.launches_size())) {
    checkMapping(subject);
    programs.resize(static_cast<size_t>(mapping.segments_size()));
  }

  Subject subject;
  Resources resources;
  Accounts accounts;
  /// Made when they run for the first time: a loop runs them again.
  std::vector<std::optional<Program>> programs;
  std::optional<CoreMemories> memories;
  EventLoop::Trace trace;
};

Simulator::Simulator(const Description &machine, const plan::Plan &plan,
                     const mapping::Mapping &mapping)
    : state(std::make_unique<State>(machine, plan, mapping)) {}

Simulator::~Simulator() = default;

uint64_t Simulator::run(size_t segment, const Values *values) {
  std::optional<Program> &program = state->programs.at(segment);
  if (!program)
    program = makeProgram(state->subject, state->resources, segment);
  if (values) {
    if (!state->memories)
      state->memories.emplace(state->subject);
    state->memories->reset(*program, *values);
  }
  const uint64_t before = state->accounts.statistics.events;
  EventLoop(state->subject, *program, state->accounts,
            values ? &*state->memories : nullptr, state->trace)
      .run();
  return state->accounts.statistics.events - before;
}

const Statistics &Simulator::statistics() const {
  return state->accounts.finish();
}

void Simulator::setTrace(std::function<void(const TraceEvent &)> trace) {
  state->trace = std::move(trace);
}

} // namespace gensyn::machine
