// Simulates the segments of a mapping one by one; see Simulator.h.

#include "gensyn/Machine/Simulator.h"

#include "Accounts.h"
#include "Binding.h"
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
    ways.emplace(subject, resources);
    programs.resize(static_cast<size_t>(mapping.segments_size()));
  }

  Subject subject;
  Resources resources;
  Accounts accounts;
  /// Of a checked mapping.
  std::optional<Ways> ways;
  /// Made when they run for the first time: a loop runs them again.
  std::vector<std::optional<Program>> programs;
  std::optional<CoreMemories> memories;
  EventLoop::Trace trace;

  void runOnce(const Program &program, uint32_t repetition,
               const Values *values, const EventLoop::Trace &trace);
  void repeat(const Program &program);
};

void Simulator::State::runOnce(const Program &program, uint32_t repetition,
                               const Values *values,
                               const EventLoop::Trace &trace) {
  const Binding binding(
      subject.plan, subject.mapping.segments(static_cast<int>(program.segment)),
      repetition);
  if (values) {
    if (!memories)
      memories.emplace(subject);
    memories->reset(program, binding, *values);
  }
  EventLoop(subject, program, binding, accounts, values ? &*memories : nullptr,
            trace)
      .run();
}

/// In counts, all repetitions of a segment are one: their buffers lie in the
/// same memories, and begin at the same ports. So one is simulated.
void Simulator::State::repeat(const Program &program) {
  const mapping::Segment &segment =
      subject.mapping.segments(static_cast<int>(program.segment));
  const Accounts before = accounts;
  std::vector<TraceEvent> events;
  EventLoop::Trace record;
  if (trace)
    record = [&](const TraceEvent &event) {
      events.push_back(event);
      trace(event);
    };
  runOnce(program, 0, nullptr, record);
  const int64_t time = accounts.statistics.time - before.statistics.time;
  EventLoop::requireTime(
      program.segment,
      Wide(accounts.statistics.time) +
          product(factor(time), uint64_t(segment.repetitions_size())));
  accounts.repeat(before, segment);
  if (!trace)
    return;
  for (uint32_t i = 1; i < countRepetitions(segment); ++i) {
    const Binding binding(subject.plan, segment, i);
    const int64_t later = time * int64_t(i);
    for (TraceEvent event : events) {
      event.launch = binding.launchOf(event.launch);
      event.begin += later;
      event.end += later;
      trace(event);
    }
  }
}

Simulator::Simulator(const Description &machine, const plan::Plan &plan,
                     const mapping::Mapping &mapping)
    : state(std::make_unique<State>(machine, plan, mapping)) {}

Simulator::~Simulator() = default;

uint64_t Simulator::run(size_t segment, const Values *values) {
  std::optional<Program> &program = state->programs.at(segment);
  if (!program)
    program =
        makeProgram(state->subject, state->resources, *state->ways, segment);
  const uint32_t repetitions = countRepetitions(
      state->subject.mapping.segments(static_cast<int>(segment)));
  const uint64_t before = state->accounts.statistics.events;
  if (!values && repetitions > 1) {
    state->repeat(*program);
    return (state->accounts.statistics.events - before) / repetitions;
  }
  for (uint32_t i = 0; i < repetitions; ++i)
    state->runOnce(*program, i, values, state->trace);
  return state->accounts.statistics.events - before;
}

const Statistics &Simulator::statistics() const {
  return state->accounts.finish();
}

void Simulator::setTrace(std::function<void(const TraceEvent &)> trace) {
  state->trace = std::move(trace);
}

} // namespace gensyn::machine
