// Submits the steps of a plan to a stream.
#ifndef GENSYN_LIB_RUNTIME_CUDASTEPS_H
#define GENSYN_LIB_RUNTIME_CUDASTEPS_H

#include "CudaBranches.h"
#include "CudaModule.h"
#include "CudaTimeline.h"
#include "gensyn/Executable/PlanRun.h"
#include "gensyn/Executable/plan.pb.h"

#include <optional>
#include <utility>
#include <vector>

namespace gensyn::cuda {

/// The fault words and check flags of a run: on the GPU, and their copies on
/// the host.
struct FaultMemory {
  /// A 64-bit word per fault slot.
  Address words = 0;
  /// Pinned memory with the same words, and with a byte per check.
  uint8_t *copy = nullptr;
  uint8_t *checks = nullptr;
};

/// Returns the number of operations that the steps of a plan enqueue;
/// std::nullopt if it depends on data or is too large for a graph.
std::optional<uint64_t> countWork(const plan::Plan &plan);
/// Returns the fault slots of the checks among the steps, in their order.
std::vector<uint32_t> listChecks(const plan::Plan &plan);

/// Enqueues steps into a context's stream. Either all steps are recorded
/// without waiting, as in a graph, and the caller checks faults at the end; or
/// the host waits wherever control flow depends on data.
class CudaSteps final : public StepMachine {
public:
  enum class Mode {
    /// Enqueues everything and never waits.
    Record,
    /// Waits where control flow depends on data.
    Decide,
    /// Waits after every kernel.
    OneByOne,
  };

  CudaSteps(DeviceContext &context, const LoadedKernels &kernels,
            const plan::Plan &plan, std::vector<Address> places,
            const FaultMemory &memory, FaultWords &faults, CudaTimeline &times,
            Mode mode)
      : context(context), kernels(kernels), plan(plan),
        places(std::move(places)), memory(memory), faults(faults), times(times),
        mode(mode) {}

  /// Sets all fault words to "none".
  void clearFaults();
  /// Copies to pinned memory.
  void copyToHost(uint8_t *to, Address from, uint64_t bytes);
  /// The order of the steps of a graph that is recorded; without it, that of
  /// the stream.
  void setBranches(const LaunchGraph &graph) {
    branches.emplace(context, graph);
  }
  /// Called after the last step: what follows is not measured.
  void stopTimes() { times.stop(context.compute); }

  void beginStep(size_t number) override {
    if (branches)
      branches->begin(number);
  }
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
  const LoadedKernels &kernels;
  const plan::Plan &plan;
  std::vector<Address> places;
  FaultMemory memory;
  FaultWords &faults;
  CudaTimeline &times;
  Mode mode;
  /// Checks that were recorded.
  size_t checks = 0;
  std::optional<CudaBranches> branches;
  /// Launches that have not been waited for.
  std::vector<int> running;
};

/// Returns "kernel 'a' (...)", or "one of 12 kernels: 'a', 'b', ...".
std::string describeKernels(const plan::Plan &plan,
                            const std::vector<int> &launches);

} // namespace gensyn::cuda

#endif
