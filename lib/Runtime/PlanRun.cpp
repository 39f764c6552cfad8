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
  explicit StepRunner(StepMachine &machine) : machine(machine) {}

  void run(const Steps &steps) {
    for (const plan::Step &step : steps)
      run(step);
  }

private:
  void run(const plan::Step &step) {
    switch (step.kind_case()) {
    case plan::Step::kLaunch:
      return machine.launch(static_cast<int>(step.launch()));
    case plan::Step::kCopy:
      return machine.copy(step.copy().from(), step.copy().to());
    case plan::Step::kCheck:
      return machine.check(step.check().ok(), step.check().fault());
    case plan::Step::kBranch:
      return run(machine.flag(step.branch().predicate())
                     ? step.branch().then_steps()
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
      machine.mergeFaults(0);
    ++depth;
    auto goesOn = [&] {
      return !loop.has_condition() || machine.flag(loop.condition());
    };
    for (int64_t i = 0; i < loop.trips() && goesOn(); ++i) {
      machine.setIndex(loop.index(), i);
      run(loop.body());
      for (const plan::Step::Carry &carry : loop.carries())
        machine.exchange(carry.current(), carry.next());
      if (isOutermost)
        machine.mergeFaults(i);
    }
    --depth;
    if (loop.has_exhaust_fault() && goesOn())
      machine.record(loop.exhaust_fault());
  }

  StepMachine &machine;
  int depth = 0;
};

/// Buffers in host memory.
class HostMachine final : public StepMachine {
public:
  HostMachine(std::vector<Place> &places, FaultWords &faults,
              const std::function<void(int)> &launcher)
      : places(places), faults(faults), launcher(launcher) {}

  void launch(int number) override { launcher(number); }
  void copy(uint32_t from, uint32_t to) override {
    if (places[from].bytes)
      std::memcpy(places[to].begin, places[from].begin, places[from].bytes);
  }
  bool flag(uint32_t buffer) override { return *places[buffer].begin != 0; }
  void check(uint32_t ok, uint32_t fault) override {
    if (!flag(ok))
      record(fault);
  }
  void record(uint32_t fault) override { faults.record(fault); }
  void setIndex(uint32_t buffer, int64_t value) override {
    std::memcpy(places[buffer].begin, &value, sizeof(value));
  }
  void exchange(uint32_t first, uint32_t second) override {
    std::swap(places[first], places[second]);
  }
  void mergeFaults(int64_t iteration) override { faults.merge(iteration); }

private:
  std::vector<Place> &places;
  FaultWords &faults;
  const std::function<void(int)> &launcher;
};

} // namespace

void runSteps(const plan::Plan &plan, StepMachine &machine) {
  if (plan.steps().empty())
    for (int i = 0; i < plan.launches_size(); ++i)
      machine.launch(i);
  else
    StepRunner(machine).run(plan.steps());
  machine.mergeFaults(0);
}

void runSteps(const plan::Plan &plan, std::vector<Place> &places,
              FaultWords &faults, const std::function<void(int)> &launch) {
  HostMachine machine(places, faults, launch);
  runSteps(plan, machine);
}

} // namespace gensyn::runtime
