// Simulates phases of segments apart; see SegmentCounts.h.

#include "SegmentCounts.h"

#include "Binding.h"
#include "Events/EventLoop.h"

#include "gensyn/Machine/Estimate.h"

#include <algorithm>
#include <system_error>

namespace gensyn::machine {

/// Each has tables and sums of its own.
constexpr unsigned mostThreads = 4;

/// A measure of how long the simulation of a phase takes.
static uint64_t countPackets(const Description &machine,
                             const mapping::Segment &segment, Phase phase) {
  uint64_t packets = 0;
  for (const mapping::Core &core : segment.cores())
    for (const mapping::Task &task : core.tasks()) {
      if (phase != Phase::All && task.ahead() != (phase == Phase::Ahead))
        continue;
      ++packets;
      if (!task.has_copy())
        continue;
      uint64_t rows = 1;
      for (const mapping::Copy::Dimension &dimension : task.copy().dimensions())
        rows *= dimension.count();
      packets += countPackets(machine, task.copy().row_bytes(), rows);
    }
  return packets;
}

SegmentCounts::SegmentCounts(const Subject &subject, const Resources &resources,
                             std::span<const size_t> segments,
                             uint64_t mostEvents)
    : subject(subject), resources(resources), mostEvents(mostEvents) {
  for (size_t number : segments) {
    const mapping::Segment &segment =
        subject.mapping.segments(static_cast<int>(number));
    const bool isAhead = hasAhead(segment);
    for (Phase phase : {Phase::Ahead, Phase::All, Phase::Last})
      if (isAhead || phase == Phase::All)
        parts.push_back(
            {number, phase, countPackets(subject.machine, segment, phase)});
  }
  std::stable_sort(
      parts.begin(), parts.end(),
      [](const Part &a, const Part &b) { return a.packets > b.packets; });
  const size_t count =
      std::min<size_t>({parts.size(), mostThreads,
                        std::max(std::thread::hardware_concurrency(), 1u)});
  // The thread that asks is one of them.
  try {
    for (size_t i = 1; i < count; ++i)
      threads.emplace_back([this] { work(); });
  } catch (const std::system_error &) {
    // It is one of fewer.
  }
}

SegmentCounts::~SegmentCounts() {
  {
    const std::lock_guard lock(mutex);
    stops = true;
  }
  for (std::thread &thread : threads)
    thread.join();
}

std::vector<SegmentCounts::Part *> SegmentCounts::partsOf(size_t segment) {
  std::vector<Part *> found;
  for (Phase phase : {Phase::Ahead, Phase::All, Phase::Last})
    for (Part &part : parts)
      if (part.segment == segment && part.phase == phase && !part.isTaken)
        found.push_back(&part);
  return found;
}

SegmentCounts::Part *SegmentCounts::findNext(std::optional<size_t> segment) {
  if (stops || (events > mostEvents && !segment))
    return nullptr;
  for (Part &part : parts)
    if (!part.isBegun && (events <= mostEvents || part.segment == *segment))
      return &part;
  return nullptr;
}

std::unique_ptr<Accounts> SegmentCounts::runPart(const Part &part,
                                                 Ways &own) const {
  const mapping::Segment &segment =
      subject.mapping.segments(static_cast<int>(part.segment));
  const uint32_t last = countRepetitions(segment) - 1;
  const Program program =
      makeProgram(subject, resources, own, part.segment, part.phase);
  const Bindings bindings =
      part.phase == Phase::Ahead
          ? Bindings(subject.plan, segment)
          : Bindings(subject.plan, segment,
                     part.phase == Phase::Last ? last : 0);
  auto sums = std::make_unique<Accounts>(
      subject.machine, resources,
      static_cast<size_t>(subject.plan.launches_size()));
  const Accounts nothing = *sums;
  const EventLoop::Trace noTrace;
  EventLoop(subject, program, bindings, *sums, nullptr, noTrace).run();
  if (part.phase == Phase::All) {
    EventLoop::requireTime(part.segment,
                           product(factor(sums->statistics.time), last + 1));
    sums->repeat(nothing, segment, hasAhead(segment) ? last - 1 : last);
  }
  return sums;
}

/// Without the lock.
void SegmentCounts::simulate(Part &part, std::optional<Ways> &own) {
  std::unique_ptr<Accounts> sums;
  std::exception_ptr failure;
  try {
    if (!own)
      own.emplace(subject, resources);
    sums = runPart(part, *own);
  } catch (...) {
    failure = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex);
    if (sums)
      events += sums->statistics.handledEvents;
    part.accounts = std::move(sums);
    part.failure = failure;
    part.isDone = true;
  }
  isChanged.notify_all();
}

void SegmentCounts::work() {
  std::optional<Ways> own;
  for (;;) {
    Part *part = nullptr;
    {
      const std::lock_guard lock(mutex);
      part = findNext(std::nullopt);
      if (!part)
        return;
      part->isBegun = true;
    }
    simulate(*part, own);
  }
}

std::unique_ptr<Accounts> SegmentCounts::take(size_t segment) {
  std::unique_lock lock(mutex);
  const std::vector<Part *> own = partsOf(segment);
  if (own.empty())
    return nullptr;
  auto areDone = [&] {
    return std::all_of(own.begin(), own.end(),
                       [](const Part *part) { return part->isDone; });
  };
  while (!areDone()) {
    if (Part *part = findNext(segment)) {
      part->isBegun = true;
      lock.unlock();
      simulate(*part, ways);
      lock.lock();
    } else {
      isChanged.wait(lock);
    }
  }
  std::unique_ptr<Accounts> sums;
  for (Part *part : own) {
    part->isTaken = true;
    if (part->failure)
      std::rethrow_exception(part->failure);
    if (sums) {
      EventLoop::requireTime(segment,
                             Wide(sums->statistics.time) +
                                 Wide(part->accounts->statistics.time));
      sums->append(*part->accounts);
    } else {
      sums = std::move(part->accounts);
    }
    part->accounts.reset();
  }
  return sums;
}

} // namespace gensyn::machine
