// Steps of plans; see PlanRun.h.

#include "PlanRun.h"

#include "gensyn/Runtime/Error.h"

#include <algorithm>
#include <cstring>

namespace gensyn::runtime {

void reportFaults(const plan::Plan &plan, std::span<const uint64_t> positions) {
  constexpr unsigned elementBits = 40;
  for (size_t i = 0; i < positions.size(); ++i) {
    const uint64_t position = positions[i];
    if (position == ~uint64_t(0))
      continue;
    const plan::FaultSlot &slot = plan.faults(static_cast<int>(i));
    std::string text = slot.operation();
    if (slot.by_element())
      text += ": element " +
              std::to_string(position & ((uint64_t(1) << elementBits) - 1));
    text += ": " + slot.message();
    if (slot.in_loop())
      text += " in iteration " + std::to_string(position >> elementBits);
    failBadInput(text);
  }
}

void FaultWords::merge(int64_t iteration) {
  const auto upper = static_cast<uint64_t>(
      std::min<int64_t>(iteration, (int64_t(1) << 24) - 1));
  for (size_t i = 0; i < elements.size(); ++i) {
    if (elements[i] == none)
      continue;
    positions[i] = std::min(positions[i], upper << 40 | elements[i]);
    elements[i] = none;
  }
}

PlanMemory::PlanMemory(const plan::Plan &plan)
    : arena(allocateAligned(plan.arena_bytes())) {
  for (const std::string &bytes : plan.constants()) {
    constants.push_back(allocateAligned(bytes.size()));
    std::memcpy(constants.back().get(), bytes.data(), bytes.size());
  }
}

std::vector<Place> PlanMemory::place(const plan::Plan &plan,
                                     std::span<const Tensor *const> inputs,
                                     std::span<Tensor> outputs,
                                     FaultWords &faults) const {
  std::vector<Place> places;
  for (const plan::Buffer &buffer : plan.buffers()) {
    const uint64_t bytes = buffer.bytes();
    switch (buffer.place_case()) {
    case plan::Buffer::kInput:
      // Kernels take one kind of pointer; they do not write to operands.
      places.push_back({reinterpret_cast<uint8_t *>(const_cast<std::byte *>(
                            inputs[buffer.input()]->data())),
                        bytes, false});
      break;
    case plan::Buffer::kOutput:
      places.push_back(
          {reinterpret_cast<uint8_t *>(outputs[buffer.output()].data()), bytes,
           true});
      break;
    case plan::Buffer::kConstant:
      places.push_back({constants[buffer.constant()].get(), bytes, false});
      break;
    case plan::Buffer::kFault:
      places.push_back({faults.word(buffer.fault()), bytes, true});
      break;
    default:
      places.push_back({arena.get() + buffer.arena(), bytes, true});
    }
  }
  return places;
}

namespace {

using Steps = google::protobuf::RepeatedPtrField<plan::Step>;

class StepRunner {
public:
  StepRunner(std::vector<Place> &places, FaultWords &faults,
             const std::function<void(int)> &launch)
      : places(places), faults(faults), launch(launch) {}

  void run(const Steps &steps) {
    for (const plan::Step &step : steps)
      run(step);
  }

private:
  bool flag(uint32_t buffer) const { return *places[buffer].begin != 0; }

  void run(const plan::Step &step) {
    switch (step.kind_case()) {
    case plan::Step::kLaunch:
      return launch(static_cast<int>(step.launch()));
    case plan::Step::kCopy:
      if (const Place &from = places[step.copy().from()]; from.bytes)
        std::memcpy(places[step.copy().to()].begin, from.begin, from.bytes);
      return;
    case plan::Step::kCheck:
      if (!flag(step.check().ok()))
        faults.record(step.check().fault());
      return;
    case plan::Step::kBranch:
      return run(flag(step.branch().predicate()) ? step.branch().then_steps()
                                                 : step.branch().else_steps());
    case plan::Step::kLoop:
      return run(step.loop());
    case plan::Step::KIND_NOT_SET:
      return;
    }
  }

  void run(const plan::Step::Loop &loop) {
    const bool isOutermost = depth == 0;
    if (isOutermost)
      faults.merge(0);
    ++depth;
    auto goesOn = [&] {
      return !loop.has_condition() || flag(loop.condition());
    };
    for (int64_t i = 0; i < loop.trips() && goesOn(); ++i) {
      std::memcpy(places[loop.index()].begin, &i, sizeof(i));
      run(loop.body());
      for (const plan::Step::Carry &carry : loop.carries())
        std::swap(places[carry.current()], places[carry.next()]);
      if (isOutermost)
        faults.merge(i);
    }
    --depth;
    if (loop.has_exhaust_fault() && goesOn())
      faults.record(loop.exhaust_fault());
  }

  std::vector<Place> &places;
  FaultWords &faults;
  const std::function<void(int)> &launch;
  int depth = 0;
};

} // namespace

void runSteps(const plan::Plan &plan, std::vector<Place> &places,
              FaultWords &faults, const std::function<void(int)> &launch) {
  if (plan.steps().empty())
    for (int i = 0; i < plan.launches_size(); ++i)
      launch(i);
  else
    StepRunner(places, faults, launch).run(plan.steps());
  faults.merge(0);
}

} // namespace gensyn::runtime
