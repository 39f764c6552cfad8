// Runs a plan on the simulator of a machine of many cores, with values.

#include "gensyn/Executable/PlanRun.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/MappedProgram.h"
#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Runtime/Devices/Devices.h"
#include "gensyn/Runtime/Devices/MachineRun.h"

namespace gensyn::runtime {

namespace {

class MachineProgram final : public Program {
public:
  MachineProgram(std::shared_ptr<const plan::Executable> executable,
                 const plan::Code &code, machine::Observer *observer,
                 bool isPackaged)
      : Program(std::move(executable)), memory(this->executable().plan()),
        mapped(this->executable(), code, isPackaged), observer(observer) {
    if (!observer)
      return;
    mapped.setTrace(observer->trace);
    mapped.setObserver(observer->tasks);
  }

  const machine::Description &getMachine() const { return mapped.machine(); }

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
    if (observer)
      observer->statistics = mapped.statistics();
    faults.report();
  }

private:
  PlanMemory memory;
  MachineRun mapped;
  machine::Observer *observer;
};

class MachineDevice final : public Device {
public:
  MachineDevice(std::string name, machine::Observer *observer, bool isPackaged)
      : name(std::move(name)), observer(observer), isPackaged(isPackaged) {}

  std::string target() const override { return "machine:" + name; }

  std::unique_ptr<Program>
  load(std::shared_ptr<const plan::Executable> executable,
       std::shared_ptr<WorkMemory>) override {
    if (executable->mapping().empty())
      failUnsupported("the program is not mapped to a machine");
    for (const std::string &known : nativeInstructionSets())
      for (const plan::Code &code : executable->code())
        if (code.target() == known)
          return loadCode(std::move(executable), code);
    if (executable->code().empty())
      failUnsupported("the program has no code to compute values with",
                      "map the model with --bodies");
    failUnsupported("the program has no code that computes values on this "
                    "processor",
                    "map the model again on this one");
  }

private:
  std::unique_ptr<Program>
  loadCode(std::shared_ptr<const plan::Executable> executable,
           const plan::Code &code) {
    auto program = std::make_unique<MachineProgram>(std::move(executable), code,
                                                    observer, isPackaged);
    if (const std::string &found = program->getMachine().name; found != name)
      failBadInput("the program is malformed: it is mapped to " + quote(found) +
                   ", expected " + quote(name));
    return program;
  }

  std::string name;
  machine::Observer *observer;
  bool isPackaged;
};

} // namespace

std::unique_ptr<Device> makeMachineDevice(const std::string &name,
                                          machine::Observer *observer,
                                          bool isPackaged) {
  return std::make_unique<MachineDevice>(name, observer, isPackaged);
}

} // namespace gensyn::runtime
