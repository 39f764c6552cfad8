// Runs a plan on the simulator of a machine of many cores, with values.

#include "ElfCheck.h"
#include "MachineBodies.h"
#include "gensyn/Executable/PlanRun.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/Simulator.h"
#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Runtime/Devices/Devices.h"

#include <map>

namespace gensyn::runtime {

namespace {

/// The mapping of an executable, and the machine that it is for.
struct Mapped {
  explicit Mapped(const plan::Executable &executable) {
    if (!mapping.ParseFromString(executable.mapping()))
      failBadInput("the program is malformed: its mapping does not parse");
    machine = machine::parseDescription(mapping.machine(),
                                        "the program's machine file");
  }

  mapping::Mapping mapping;
  machine::Description machine;
};

class MachineProgram final : public Program {
public:
  MachineProgram(std::shared_ptr<const plan::Executable> executable,
                 std::unique_ptr<Mapped> mapped, const plan::Code &code,
                 machine::Statistics *statistics, bool isPackaged)
      : Program(std::move(executable)), mapped(std::move(mapped)),
        memory(this->executable().plan()),
        simulator(this->mapped->machine, this->executable().plan(),
                  this->mapped->mapping),
        bodies(this->mapped->mapping, code, isPackaged),
        statistics(statistics) {
    for (int i = 0; i < this->mapped->mapping.segments_size(); ++i) {
      const mapping::Segment &segment = this->mapped->mapping.segments(i);
      if (!segment.launches().empty())
        segmentOf[segment.launches(0)] = size_t(i);
    }
  }

  void run(std::span<const Tensor *const> inputs,
           std::span<Tensor> outputs) override {
    FloatEnvironment environment;
    const plan::Plan &plan = executable().plan();
    FaultWords faults(plan);
    std::vector<Place> places = memory.place(plan, inputs, outputs, faults);
    machine::Values values;
    values.places = places;
    values.faults = &faults;
    values.call = [&](const mapping::Body &body,
                      std::span<uint8_t *const> arguments) {
      bodies.call(body, arguments);
    };
    // The first launch of a segment runs all of it.
    auto launch = [&](int number) {
      if (auto found = segmentOf.find(uint32_t(number));
          found != segmentOf.end())
        simulator.run(found->second, &values);
    };
    runSteps(plan, places, faults, launch, preparation.start());
    preparation.finish();
    if (statistics)
      *statistics = simulator.statistics();
    faults.report();
  }

private:
  std::unique_ptr<Mapped> mapped;
  PlanMemory memory;
  machine::Simulator simulator;
  MachineBodies bodies;
  machine::Statistics *statistics;
  std::map<uint32_t, size_t> segmentOf;
};

class MachineDevice final : public Device {
public:
  MachineDevice(std::string name, machine::Statistics *statistics,
                bool isPackaged)
      : name(std::move(name)), statistics(statistics), isPackaged(isPackaged) {}

  std::string target() const override { return "machine:" + name; }

  std::unique_ptr<Program>
  load(std::shared_ptr<const plan::Executable> executable) override {
    if (executable->mapping().empty())
      failUnsupported("the program is not mapped to a machine");
    auto mapped = std::make_unique<Mapped>(*executable);
    for (const std::string &known : nativeInstructionSets())
      for (const plan::Code &code : executable->code())
        if (code.target() == known)
          return std::make_unique<MachineProgram>(executable, std::move(mapped),
                                                  code, statistics, isPackaged);
    failUnsupported("the program has no code that computes values on this "
                    "processor");
  }

private:
  std::string name;
  machine::Statistics *statistics;
  bool isPackaged;
};

} // namespace

std::unique_ptr<Device> makeMachineDevice(const std::string &name,
                                          machine::Statistics *statistics,
                                          bool isPackaged) {
  return std::make_unique<MachineDevice>(name, statistics, isPackaged);
}

} // namespace gensyn::runtime
