// Steps of a plan as work in a stream.
#ifndef GENSYN_LIB_RUNTIME_CUDASTEPS_H
#define GENSYN_LIB_RUNTIME_CUDASTEPS_H

#include "CudaModule.h"
#include "gensyn/Executable/PlanRun.h"

#include <optional>
#include <utility>
#include <vector>

namespace gensyn::cuda {

/// The words and flags that say whether a run went well: on the GPU, and where
/// they are copied to.
struct FaultMemory {
  /// A 64-bit word per fault slot.
  Address words = 0;
  /// The same and then a byte per check, pinned.
  uint8_t *copy = nullptr;
  uint8_t *checks = nullptr;
  /// Fault slots of the checks that were recorded.
  std::vector<uint32_t> checked;
};

/// How many pieces of work the steps of a plan are; nothing where that depends
/// on data, or they are too many for a graph.
std::optional<uint64_t> countWork(const plan::Plan &plan);
/// Checks among the steps, each counted once.
size_t countChecks(const plan::Plan &plan);

/// Puts steps into a context's stream. Either every step is only put there, as
/// a graph records it, and the caller looks at faults in the end; or the host
/// waits where data decides what comes next.
class CudaSteps final : public StepMachine {
public:
  enum class Mode {
    /// Puts everything into the stream and never waits.
    Record,
    /// Waits where it must.
    Decide,
    /// Waits after every kernel.
    OneByOne,
  };

  CudaSteps(DeviceContext &context, const LoadedModule &module,
            const plan::Plan &plan, std::vector<Address> places,
            FaultMemory &memory, FaultWords &faults, Mode mode)
      : context(context), module(module), plan(plan), places(std::move(places)),
        memory(memory), faults(faults), mode(mode) {}

  /// Sets all fault words to "none".
  void clearFaults();

  void launch(int number) override;
  void copy(uint32_t from, uint32_t to) override;
  bool flag(uint32_t buffer) override;
  void check(uint32_t ok, uint32_t fault) override;
  void record(uint32_t fault) override { faults.record(fault); }
  void setIndex(uint32_t buffer, int64_t value) override;
  void exchange(uint32_t first, uint32_t second) override {
    std::swap(places[first], places[second]);
  }
  void mergeFaults(int64_t iteration) override;

private:
  void wait();

  DeviceContext &context;
  const LoadedModule &module;
  const plan::Plan &plan;
  std::vector<Address> places;
  FaultMemory &memory;
  FaultWords &faults;
  Mode mode;
  /// Launches that nobody has waited for.
  std::vector<int> running;
};

/// "kernel 'a' (...)", or "one of 12 kernels: 'a', 'b', ...".
std::string describeKernels(const plan::Plan &plan,
                            const std::vector<int> &launches);

} // namespace gensyn::cuda

#endif
