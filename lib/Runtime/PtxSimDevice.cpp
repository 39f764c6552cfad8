// Runs a plan's PTX text on the simulator. Each launch sees its own buffers
// and nothing else, so an index out of one buffer cannot land in the next.

#include "PlanRun.h"
#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Ptx/Simulator.h"
#include "gensyn/Runtime/Devices.h"
#include "gensyn/Runtime/Error.h"
#include "gensyn/Runtime/ThreadPool.h"

#include <map>

namespace gensyn::runtime {

namespace {

class PtxSimProgram final : public Program {
public:
  PtxSimProgram(std::shared_ptr<const plan::Executable> executable,
                ptx::Module code, unsigned threads)
      : Program(std::move(executable)), code(std::move(code)), threads(threads),
        memory(this->executable().plan()) {}

  void run(std::span<const Tensor *const> inputs,
           std::span<Tensor> outputs) override;

private:
  void launch(const plan::Launch &launch, const std::vector<Place> &places);

  ptx::Module code;
  unsigned threads;
  PlanMemory memory;
};

class PtxSimDevice final : public Device {
public:
  PtxSimDevice(const std::string &architecture, unsigned threads)
      : architecture(architecture),
        threads(threads ? threads : availableProcessors()) {}

  std::string target() const override { return "ptx:" + architecture; }

  std::unique_ptr<Program>
  load(std::shared_ptr<const plan::Executable> executable) override {
    for (const plan::Code &code : executable->code()) {
      if (code.target() != architecture)
        continue;
      auto module = ptx::Module::parse(code.data());
      if (!module)
        failUnsupported("the simulator does not understand the program's PTX: "
                        "line " +
                        std::to_string(module.error().line) + ": " +
                        module.error().message);
      return std::make_unique<PtxSimProgram>(std::move(executable), *module,
                                             threads);
    }
    failUnsupported("the program has no PTX for " + architecture);
  }

private:
  std::string architecture;
  unsigned threads;
};

} // namespace

template <class Extents> static ptx::Dimensions toDimensions(const Extents &e) {
  return {e.size() > 0 ? e[0] : 1, e.size() > 1 ? e[1] : 1,
          e.size() > 2 ? e[2] : 1};
}

void PtxSimProgram::launch(const plan::Launch &source,
                           const std::vector<Place> &places) {
  ptx::Memory memory;
  std::vector<uint64_t> addresses;
  // A result may have the memory of an operand, which then can be written.
  std::map<uint8_t *, Place> distinct;
  for (uint32_t index : source.buffers()) {
    const Place &place = places[index];
    addresses.push_back(reinterpret_cast<uint64_t>(place.begin));
    if (place.bytes)
      distinct.try_emplace(place.begin, place).first->second.writable |=
          place.writable;
  }
  for (const auto &[begin, place] : distinct) {
    bool fits = place.writable ? memory.add(begin, place.bytes)
                               : memory.addReadOnly(begin, place.bytes);
    if (!fits)
      throw Failure(ExitCode::Bug, "kernel " + quote(source.kernel()) + " (" +
                                       source.operation() +
                                       ") has buffers that overlap");
  }
  ptx::Launch launch;
  launch.kernel = source.kernel();
  launch.grid = toDimensions(source.grid());
  launch.block = toDimensions(source.block());
  launch.dynamicSharedBytes = source.shared_bytes();
  launch.parameters = std::as_bytes(std::span(addresses));
  launch.threads = threads;
  if (auto fault = code.launch(launch, memory))
    throw Failure(ExitCode::Bug, "kernel " + quote(source.kernel()) +
                                     (source.operation().empty()
                                          ? ""
                                          : " (" + source.operation() + ")") +
                                     ": " + fault->message);
}

void PtxSimProgram::run(std::span<const Tensor *const> inputs,
                        std::span<Tensor> outputs) {
  FloatEnvironment environment;
  const plan::Plan &plan = executable().plan();
  FaultWords faults(plan);
  std::vector<Place> places = memory.place(plan, inputs, outputs, faults);
  runSteps(plan, places, faults,
           [&](int number) { launch(plan.launches(number), places); });
  faults.report();
}

std::unique_ptr<Device> makePtxSimDevice(const std::string &architecture,
                                         unsigned threads) {
  return std::make_unique<PtxSimDevice>(architecture, threads);
}

} // namespace gensyn::runtime
