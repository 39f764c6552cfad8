// Runs the steps of plans; see PlanRun.h.

#include "gensyn/Executable/PlanRun.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <cstring>

#include <unistd.h>

namespace gensyn {

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
    throw Failure(ExitCode::BadInput, text);
  }
}

FaultWords::FaultWords(const plan::Plan &plan)
    : plan(plan), elements(static_cast<size_t>(plan.faults_size()), none),
      positions(elements) {}

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

/// Returns the bytes of inputs, outputs, constants, prepared values and arena
/// of a checked plan; the largest number if the sum overflows.
static uint64_t countPlanBytes(const plan::Plan &plan) {
  uint64_t total = plan.arena_bytes();
  auto add = [&](uint64_t bytes) {
    if (__builtin_add_overflow(total, bytes, &total))
      total = ~uint64_t(0);
  };
  auto addSpec = [&](const plan::TensorSpec &spec) {
    auto type = elementTypeFromName(spec.element_type());
    const std::vector<int64_t> shape(spec.shape().begin(), spec.shape().end());
    if (type)
      add(static_cast<uint64_t>(countBytes(*type, shape).value_or(0)));
  };
  add(plan.prepared_bytes());
  for (const plan::TensorSpec &spec : plan.inputs())
    addSpec(spec);
  for (int j = 0; j < plan.outputs_size(); ++j)
    if (j >= plan.in_place_size() || !plan.in_place(j))
      addSpec(plan.outputs(j));
  for (const std::string &bytes : plan.constants())
    add(bytes.size());
  return total;
}

void requireMemory(const plan::Plan &plan) {
  const uint64_t wanted = countPlanBytes(plan);
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long pageBytes = ::sysconf(_SC_PAGE_SIZE);
  const uint64_t present =
      uint64_t(std::max(pages, 0L)) * uint64_t(std::max(pageBytes, 0L));
  if (present && wanted > present)
    throw Failure(ExitCode::OutOfResources,
                  "the program needs " + std::to_string(wanted) +
                      " bytes of memory; this machine has " +
                      std::to_string(present),
                  "a smaller batch needs less of it");
}

static AlignedBytes allocatePrepared(const plan::Plan &plan) {
  requireMemory(plan);
  return allocateInLargePages(plan.prepared_bytes());
}

PlanMemory::PlanMemory(const plan::Plan &plan,
                       std::shared_ptr<WorkMemory> given)
    : work(given ? std::move(given) : std::make_shared<WorkMemory>()),
      prepared(allocatePrepared(plan)), arenaBytes(plan.arena_bytes()),
      preparedBytes(plan.prepared_bytes()) {
  work->reserveArena(arenaBytes);
  for (const std::string &bytes : plan.constants()) {
    constants.push_back(allocateAligned(bytes.size()));
    std::memcpy(constants.back().get(), bytes.data(), bytes.size());
  }
}

void PlanMemory::fillArena(uint8_t pattern) {
  std::memset(work->arena(), pattern, arenaBytes);
}

void PlanMemory::fillPrepared(uint8_t pattern) {
  std::memset(prepared.get(), pattern, preparedBytes);
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
    case plan::Buffer::kPrepared:
      places.push_back({prepared.get() + buffer.prepared(), bytes, true});
      break;
    default:
      places.push_back({work->arena() + buffer.arena(), bytes, true});
    }
  }
  return places;
}

namespace {

using Steps = google::protobuf::RepeatedPtrField<plan::Step>;

class StepRunner {
public:
  StepRunner(const plan::Plan &plan, StepMachine &machine)
      : machine(machine), mergesInLoops(mayFaultInLoops(plan)) {}

  void runAll(const Steps &steps) {
    for (int i = 0; i < steps.size(); ++i) {
      machine.beginStep(size_t(i));
      count();
      run(steps[i]);
    }
    machine.beginStep(size_t(steps.size()));
  }

private:
  void run(const Steps &steps) {
    for (const plan::Step &step : steps) {
      count();
      run(step);
    }
  }

  void count() {
    if (++taken > mostSteps)
      failTooManySteps();
  }

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
    const bool merges = mergesInLoops && depth == 0;
    if (merges)
      machine.mergeFaults(0);
    ++depth;
    auto goesOn = [&] {
      return !loop.has_condition() || machine.flag(loop.condition());
    };
    for (int64_t i = 0; i < loop.trips() && goesOn(); ++i) {
      count();
      machine.setIndex(loop.index(), i);
      run(loop.body());
      for (const plan::Step::Carry &carry : loop.carries())
        machine.exchange(carry.current(), carry.next());
      if (merges)
        machine.mergeFaults(i);
    }
    --depth;
    if (loop.has_exhaust_fault() && goesOn())
      machine.record(loop.exhaust_fault());
  }

  StepMachine &machine;
  bool mergesInLoops;
  int depth = 0;
  uint64_t taken = 0;
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

void failTooManySteps() {
  throw Failure(ExitCode::OutOfResources,
                "a run of the program takes more than " +
                    std::to_string(mostSteps) + " steps",
                "its loops run too often; give them fewer iterations");
}

bool mayFaultInLoops(const plan::Plan &plan) {
  return std::any_of(
      plan.faults().begin(), plan.faults().end(),
      [](const plan::FaultSlot &fault) { return fault.in_loop(); });
}

bool hasPreparation(const plan::Plan &plan) {
  return std::any_of(
      plan.launches().begin(), plan.launches().end(),
      [](const plan::Launch &launch) { return launch.prepares(); });
}

void runPreparation(const plan::Plan &plan, StepMachine &machine) {
  for (int i = 0; i < plan.launches_size(); ++i)
    if (plan.launches(i).prepares())
      machine.launch(i);
}

void runSteps(const plan::Plan &plan, StepMachine &machine) {
  if (plan.steps().empty()) {
    size_t number = 0;
    for (int i = 0; i < plan.launches_size(); ++i)
      if (!plan.launches(i).prepares()) {
        machine.beginStep(number++);
        machine.launch(i);
      }
    machine.beginStep(number);
  } else {
    StepRunner(plan, machine).runAll(plan.steps());
  }
  machine.mergeFaults(0);
}

void runSteps(const plan::Plan &plan, std::vector<Place> &places,
              FaultWords &faults, const std::function<void(int)> &launch,
              bool prepares) {
  HostMachine machine(places, faults, launch);
  if (prepares)
    runPreparation(plan, machine);
  runSteps(plan, machine);
}

} // namespace gensyn
