// Runs a plan's PTX on the simulator.

#include "gensyn/Executable/LaunchGraph.h"
#include "gensyn/Executable/PlanRun.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Ptx/Simulator.h"
#include "gensyn/Runtime/Compiler/Assembler.h"
#include "gensyn/Runtime/Devices/Devices.h"
#include "gensyn/Runtime/Devices/PtxLaunch.h"
#include "gensyn/Runtime/Support/ThreadPool.h"

#include <algorithm>
#include <map>
#include <optional>

namespace gensyn::runtime {

namespace {

/// Tracks the bytes of the arena and of the outputs that kernels of a run have
/// written. A buffer of the arena is uninitialized when a launch first names
/// it, whatever the memory held before.
class WrittenBuffers {
public:
  WrittenBuffers(const plan::Plan &plan, const std::vector<Place> &places,
                 std::span<const Tensor *const> inputs)
      : plan(plan), used(places.size()) {
    for (size_t i = 0; i < places.size(); ++i) {
      const plan::Buffer &buffer = plan.buffers(static_cast<int>(i));
      const Place &place = places[i];
      if (buffer.place_case() == plan::Buffer::kArena && !arena)
        arena.emplace(begin = place.begin - buffer.arena(), plan.arena_bytes());
      // A result that replaces an input may lie there.
      bool isFresh =
          std::none_of(inputs.begin(), inputs.end(), [&](const Tensor *input) {
            return reinterpret_cast<const uint8_t *>(input->data()) ==
                   place.begin;
          });
      if (buffer.place_case() == plan::Buffer::kOutput && isFresh)
        outputs.try_emplace(place.begin, place.begin, place.bytes);
    }
    markSteps(plan.steps(), places);
  }

  /// Called before each launch.
  void start(const plan::Launch &launch, const std::vector<Place> &places) {
    for (uint32_t index : launch.buffers()) {
      if (used[index] || !isInArena(places[index].begin))
        continue;
      // A result may be written over an operand.
      bool isOperand = std::any_of(
          launch.buffers().begin(), launch.buffers().end(),
          [&](uint32_t other) {
            return used[other] && places[other].begin == places[index].begin;
          });
      if (!isOperand)
        arena->forget(places[index].begin, places[index].bytes);
    }
    for (uint32_t index : launch.buffers())
      used[index] = true;
  }

  /// Returns the record of the buffer that begins here; null for memory that is
  /// not tracked.
  ptx::Written *find(const uint8_t *place) {
    if (isInArena(place))
      return &*arena;
    auto output = outputs.find(place);
    return output == outputs.end() ? nullptr : &output->second;
  }

private:
  bool isInArena(const uint8_t *place) const {
    return arena && place >= begin && place < begin + plan.arena_bytes();
  }

  /// Memory that the host writes counts as initialized.
  template <class Steps>
  void markSteps(const Steps &steps, const std::vector<Place> &places) {
    auto mark = [&](uint32_t index) {
      used[index] = true;
      if (ptx::Written *written = find(places[index].begin))
        written->mark(places[index].begin, places[index].bytes);
    };
    for (const plan::Step &step : steps) {
      if (step.has_copy())
        mark(step.copy().to());
      if (step.has_branch()) {
        markSteps(step.branch().then_steps(), places);
        markSteps(step.branch().else_steps(), places);
      }
      if (step.has_loop()) {
        mark(step.loop().index());
        markSteps(step.loop().body(), places);
      }
    }
  }

  const plan::Plan &plan;
  const uint8_t *begin = nullptr; ///< of the arena
  std::optional<ptx::Written> arena;
  std::map<const uint8_t *, ptx::Written> outputs;
  std::vector<bool> used;
};

class PtxSimProgram final : public Program {
public:
  PtxSimProgram(std::shared_ptr<const plan::Executable> executable,
                ptx::Module code, unsigned threads, bool checkMemory,
                uint64_t maxInstructions, std::shared_ptr<WorkMemory> work)
      : Program(std::move(executable)), code(std::move(code)), threads(threads),
        checkMemory(checkMemory), maxInstructions(maxInstructions),
        memory(this->executable().plan(), std::move(work)),
        writes(findWrites(this->executable().plan())) {
    if (checkMemory)
      checkOrder();
  }

  void run(std::span<const Tensor *const> inputs,
           std::span<Tensor> outputs) override;

private:
  /// Throws a Failure (a bug) if launches that a GPU may run side by side
  /// access the same bytes, by what each of them may write: a kernel that
  /// writes more than that is a fault of its own.
  void checkOrder() const {
    const plan::Plan &plan = executable().plan();
    const std::string conflict = findConflict(plan, findLaunchGraph(plan));
    if (!conflict.empty())
      throw Failure(ExitCode::Bug, conflict);
  }
  /// `written` may be null.
  void launch(int number, const std::vector<Place> &places,
              WrittenBuffers *written);

  ptx::Module code;
  unsigned threads;
  bool checkMemory;
  uint64_t maxInstructions;
  PlanMemory memory;
  std::vector<std::vector<bool>> writes;
};

class PtxSimDevice final : public Device {
public:
  PtxSimDevice(const std::string &architecture, unsigned threads,
               bool checkMemory, uint64_t maxInstructions)
      : architecture(architecture),
        threads(threads ? threads : availableProcessors()),
        checkMemory(checkMemory), maxInstructions(maxInstructions) {}

  std::string target() const override { return "ptx:" + architecture; }

  std::unique_ptr<Program>
  load(std::shared_ptr<const plan::Executable> executable,
       std::shared_ptr<WorkMemory> work) override {
    for (const plan::Code &code : executable->code()) {
      if (code.target() != architecture || isMachineCode(code))
        continue;
      auto module = ptx::Module::parse(code.data());
      if (!module)
        failUnsupported("the simulator does not understand the program's PTX: "
                        "line " +
                        std::to_string(module.error().line) + ": " +
                        module.error().message);
      return std::make_unique<PtxSimProgram>(std::move(executable), *module,
                                             threads, checkMemory,
                                             maxInstructions, std::move(work));
    }
    failUnsupported("the program has no PTX for " + architecture);
  }

private:
  std::string architecture;
  unsigned threads;
  bool checkMemory;
  uint64_t maxInstructions;
};

} // namespace

void PtxSimProgram::launch(int number, const std::vector<Place> &places,
                           WrittenBuffers *written) {
  const plan::Launch &source = executable().plan().launches(number);
  auto findWritten = [&](const uint8_t *begin) {
    return written ? written->find(begin) : nullptr;
  };
  PtxLaunch prepared(source, places, findWritten, &writes[size_t(number)]);
  prepared.launch.threads = threads;
  prepared.launch.findRaces = checkMemory;
  prepared.launch.maxInstructions = maxInstructions;
  auto fault = code.launch(prepared.launch, prepared.memory);
  if (!fault)
    return;
  const std::string where =
      "kernel " + quote(source.kernel()) +
      (source.operation().empty() ? "" : " (" + source.operation() + ")") +
      ": ";
  if (fault->kind == ptx::Fault::Kind::Limit)
    throw Failure(ExitCode::OutOfResources, where + fault->message,
                  "--max-instructions raises it");
  throw Failure(ExitCode::Bug, where + fault->message);
}

void PtxSimProgram::run(std::span<const Tensor *const> inputs,
                        std::span<Tensor> outputs) {
  FloatEnvironment environment;
  const plan::Plan &plan = executable().plan();
  FaultWords faults(plan);
  std::vector<Place> places = memory.place(plan, inputs, outputs, faults);
  std::optional<WrittenBuffers> written;
  if (checkMemory)
    written.emplace(plan, places, inputs);
  auto run = [&](int number) {
    if (written)
      written->start(plan.launches(number), places);
    launch(number, places, written ? &*written : nullptr);
  };
  runSteps(plan, places, faults, run, preparation.start());
  preparation.finish();
  faults.report();
}

std::unique_ptr<Device> makePtxSimDevice(const std::string &architecture,
                                         unsigned threads, bool checkMemory,
                                         uint64_t maxInstructions) {
  return std::make_unique<PtxSimDevice>(architecture, threads, checkMemory,
                                        maxInstructions);
}

} // namespace gensyn::runtime
