// Runs a plan on the simulator of a machine of many cores, with values.

#include "gensyn/Executable/PlanRun.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/Simulator.h"
#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Runtime/Devices/Devices.h"
#include "gensyn/Runtime/Devices/MachineRun.h"

namespace gensyn::runtime {

namespace {

class MachineProgram final : public Program {
public:
  MachineProgram(std::shared_ptr<const plan::Executable> executable,
                 const plan::Code &code, machine::Statistics *statistics,
                 bool isPackaged)
      : Program(std::move(executable)), memory(this->executable().plan()),
        mapped(this->executable(), code, isPackaged), statistics(statistics) {}

  void run(std::span<const Tensor *const> inputs,
           std::span<Tensor> outputs) override {
    FloatEnvironment environment;
    const plan::Plan &plan = executable().plan();
    FaultWords faults(plan);
    std::vector<Place> places = memory.place(plan, inputs, outputs, faults);
    runSteps(
        plan, places, faults,
        [&](int number) { mapped.launch(number, places, faults); },
        preparation.start());
    preparation.finish();
    if (statistics)
      *statistics = mapped.statistics();
    faults.report();
  }

private:
  PlanMemory memory;
  MachineRun mapped;
  machine::Statistics *statistics;
};

class MachineDevice final : public Device {
public:
  MachineDevice(std::string name, machine::Statistics *statistics,
                bool isPackaged)
      : name(std::move(name)), statistics(statistics), isPackaged(isPackaged) {}

  std::string target() const override { return "machine:" + name; }

  std::unique_ptr<Program>
  load(std::shared_ptr<const plan::Executable> executable) override {
    for (const std::string &known : nativeInstructionSets())
      for (const plan::Code &code : executable->code())
        if (code.target() == known)
          return std::make_unique<MachineProgram>(executable, code, statistics,
                                                  isPackaged);
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
