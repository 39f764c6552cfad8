// Simulates the segments of a mapping one by one; see Simulator.h.

#include "gensyn/Machine/Simulator.h"

#include "Accounts.h"
#include "Binding.h"
#include "Check.h"
#include "Events/EventLoop.h"
#include "Program.h"
#include "SegmentCounts.h"
#include "Values/CoreMemories.h"

#include <array>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace gensyn::machine {

class Simulator::State {
public:
  State(const Description &machine, const plan::Plan &plan,
        const mapping::Mapping &mapping, bool isChecked)
      : subject{machine, plan, mapping}, resources(machine),
        accounts(machine, resources,
                 static_cast<size_t>(plan.launches_size())) {
    if (!isChecked)
      checkMapping(subject);
    ways.emplace(subject, resources);
    programs.resize(static_cast<size_t>(mapping.segments_size()));
  }

  Subject subject;
  Resources resources;
  Accounts accounts;
  /// Of a checked mapping.
  std::optional<Ways> ways;
  /// By their phases, made when they run for the first time: a loop runs them
  /// again.
  std::vector<std::array<std::optional<Program>, 3>> programs;
  std::optional<CoreMemories> memories;
  EventLoop::Trace trace;
  std::optional<SegmentCounts> counts;

  const Program &programOf(size_t segment, Phase phase);
  void runOnce(const Program &program, const Bindings &bindings,
               const Values *values, const EventLoop::Trace &trace);
  void runEach(size_t segment, const Values *values);
  void runCounted(size_t segment);
  /// Adds what was simulated before; false: nothing was.
  bool addCounts(size_t segment);
  void traceAgain(const mapping::Segment &segment,
                  std::span<const TraceEvent> events, uint32_t repetition,
                  int64_t later) const;
};

const Program &Simulator::State::programOf(size_t segment, Phase phase) {
  std::optional<Program> &known =
      programs.at(segment).at(static_cast<size_t>(phase));
  if (!known)
    known.emplace(makeProgram(subject, resources, *ways, segment, phase));
  return *known;
}

void Simulator::State::runOnce(const Program &program, const Bindings &bindings,
                               const Values *values,
                               const EventLoop::Trace &trace) {
  if (values) {
    if (!memories)
      memories.emplace(subject);
    memories->reset(
        program, bindings, *values,
        hasAhead(subject.mapping.segments(static_cast<int>(program.segment))) &&
            program.phase != Phase::Ahead);
  }
  EventLoop(subject, program, bindings, accounts, values ? &*memories : nullptr,
            trace)
      .run();
}

void Simulator::State::runEach(size_t number, const Values *values) {
  const mapping::Segment &segment =
      subject.mapping.segments(static_cast<int>(number));
  const bool isAhead = hasAhead(segment);
  if (isAhead)
    runOnce(programOf(number, Phase::Ahead), Bindings(subject.plan, segment),
            values, trace);
  const uint32_t repetitions = countRepetitions(segment);
  for (uint32_t i = 0; i < repetitions; ++i) {
    const bool isLast = isAhead && i + 1 == repetitions;
    runOnce(programOf(number, isLast ? Phase::Last : Phase::All),
            Bindings(subject.plan, segment, i), values, trace);
  }
}

bool Simulator::State::addCounts(size_t number) {
  std::unique_ptr<Accounts> part;
  if (counts && !trace)
    part = counts->take(number);
  if (!part)
    return false;
  EventLoop::requireTime(number, Wide(accounts.statistics.time) +
                                     Wide(part->statistics.time));
  accounts.append(*part);
  return true;
}

/// In counts, all repetitions of a segment are one, as their buffers lie in the
/// same memories, and begin at the same ports; but for the last one if others
/// fetch ahead. So one is simulated.
void Simulator::State::runCounted(size_t number) {
  const mapping::Segment &segment =
      subject.mapping.segments(static_cast<int>(number));
  const bool isAhead = hasAhead(segment);
  const uint32_t last = countRepetitions(segment) - 1;
  if (isAhead)
    runOnce(programOf(number, Phase::Ahead), Bindings(subject.plan, segment),
            nullptr, trace);
  const Accounts before = accounts;
  std::vector<TraceEvent> events;
  EventLoop::Trace record;
  if (trace)
    record = [&](const TraceEvent &event) {
      events.push_back(event);
      trace(event);
    };
  runOnce(programOf(number, Phase::All), Bindings(subject.plan, segment, 0),
          nullptr, record);
  const int64_t time = accounts.statistics.time - before.statistics.time;
  EventLoop::requireTime(number, Wide(accounts.statistics.time) +
                                     product(factor(time), last));
  const uint32_t more = isAhead ? last - 1 : last;
  accounts.repeat(before, segment, more);
  for (uint32_t i = 1; trace && i <= more; ++i)
    traceAgain(segment, events, i, time * int64_t(i));
  if (isAhead)
    runOnce(programOf(number, Phase::Last),
            Bindings(subject.plan, segment, last), nullptr, trace);
}

/// The events of the first repetition as those of another one.
void Simulator::State::traceAgain(const mapping::Segment &segment,
                                  std::span<const TraceEvent> events,
                                  uint32_t repetition, int64_t later) const {
  const Bindings first(subject.plan, segment, 0);
  const Bindings own(subject.plan, segment, repetition);
  // Ahead are those of the second one.
  std::map<uint32_t, uint32_t> launches;
  for (uint32_t i = 0; i < uint32_t(segment.launches_size()); ++i) {
    launches[first.ahead.launch(i)] = own.ahead.launch(i);
    launches[first.own.launch(i)] = own.own.launch(i);
  }
  for (TraceEvent event : events) {
    event.launch = launches.at(event.launch);
    event.begin += later;
    event.end += later;
    trace(event);
  }
}

void Simulator::check(const Description &machine, const plan::Plan &plan,
                      const mapping::Mapping &mapping) {
  checkMapping({machine, plan, mapping});
}

Simulator::Simulator(const Description &machine, const plan::Plan &plan,
                     const mapping::Mapping &mapping, bool isChecked)
    : state(std::make_unique<State>(machine, plan, mapping, isChecked)) {}

Simulator::~Simulator() = default;

void Simulator::startCounting(std::span<const size_t> segments,
                              uint64_t mostEvents) {
  if (!state->trace)
    state->counts.emplace(state->subject, state->resources, segments,
                          mostEvents);
}

uint64_t Simulator::run(size_t segment, const Values *values) {
  const uint64_t before = state->accounts.statistics.handledEvents;
  const uint32_t repetitions = countRepetitions(
      state->subject.mapping.segments(static_cast<int>(segment)));
  if (values || !state->addCounts(segment)) {
    if (values || repetitions == 1)
      state->runEach(segment, values);
    else
      state->runCounted(segment);
  }
  return state->accounts.statistics.handledEvents - before;
}

const Statistics &Simulator::statistics() const {
  return state->accounts.finish();
}

void Simulator::setTrace(std::function<void(const TraceEvent &)> trace) {
  state->trace = std::move(trace);
}

} // namespace gensyn::machine
