// Programs on a GPU.
#ifndef GENSYN_LIB_RUNTIME_CUDAPROGRAM_H
#define GENSYN_LIB_RUNTIME_CUDAPROGRAM_H

#include "CudaInputs.h"
#include "CudaResults.h"
#include "CudaSteps.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/Program.h"

#include <array>
#include <deque>
#include <set>

namespace gensyn::cuda {

/// A program whose steps become one CUDA graph unless they depend on data. The
/// inputs of a run are in one of two slots, so that the next inputs can be
/// copied during the run, and so are its results, so that the next run can
/// begin before they are read; kept values stay on the GPU.
class CudaProgram final : public runtime::Program {
public:
  /// Throws a Failure: out of resources before anything is allocated, and as
  /// CodeModule does.
  CudaProgram(std::shared_ptr<const plan::Executable> executable,
              std::shared_ptr<DeviceContext> context);
  ~CudaProgram() override;

  void run(std::span<const Tensor *const> inputs,
           std::span<Tensor> outputs) override;
  void stage(std::span<const Tensor *const> inputs) override;
  void begin(std::span<runtime::Value *const> kept,
             std::span<runtime::Value> outputs) override;
  void end() override;
  /// Steps that depend on data wait for them, and the events of measurements
  /// are those of one run.
  bool mayRunAhead() const override { return isStatic && !context->profile; }

  /// The same as `run`, `times` times in a row, but returns the faults of the
  /// last run instead of throwing. They are valid until the next run.
  const FaultWords &runToFaults(std::span<const Tensor *const> inputs,
                                std::span<Tensor> outputs, int times = 1);

  /// For measurements: enqueues the last run again, without waiting and on the
  /// same inputs. Throws a Failure (unsupported) if it was not a graph.
  void repeat();

private:
  /// A run in progress.
  struct Run {
    /// Numbers of the slots of its inputs and results.
    size_t inputs = 0, results = 0;
    bool isGraph = false;
    FaultWords faults;
    std::span<runtime::Value> outputs;
  };

  void start(std::span<runtime::Value *const> kept,
             std::span<runtime::Value> outputs, bool borrows);
  void measure();
  void foresee();
  void allocate();
  void reserveRunMemory();
  bool isInPlace(size_t output) const;
  std::vector<Address> bindInputs(std::span<runtime::Value *const> kept);
  Address bindBorrowed(const BorrowedMemory &memory, size_t input);
  bool isBorrowed(const runtime::Value *value) const;
  std::vector<Address> bindOutputs(std::span<runtime::Value *const> kept,
                                   std::span<runtime::Value> outputs);
  std::vector<Address> place(const std::vector<Address> &inputs,
                             const std::vector<Address> &outputs) const;
  size_t chooseResults(bool borrows) const;
  FaultMemory faultMemory(size_t slot) const;
  void launch(Run &run, const std::vector<Address> &inputs,
              const std::vector<Address> &outputs, bool borrows);
  void enqueue(CudaSteps &steps, const std::vector<Address> &outputs,
               size_t slot, bool hasBranches = false);
  void destroyGraphs();
  GraphExec record(Run &run, std::vector<Address> places,
                   const std::vector<Address> &outputs);
  void finishFaults(Run &run) const;
  const FaultWords &finish();
  void addTimes(const Run &run);

  std::shared_ptr<DeviceContext> context;
  const plan::Plan &plan;

  // Offsets of staged inputs in a slot, of constants in their memory, and of
  // losses after faults and checks in the memory that is copied back.
  std::vector<uint64_t> inputOffsets, constantOffsets, lossOffsets;
  uint64_t slotBytes = 0, constantBytes = 0, resultBytes = 0;
  /// Fault slots of the checks whose flags are copied back.
  std::vector<uint32_t> checks;

  std::unique_ptr<LoadedKernels> kernels;
  std::shared_ptr<RunMemory> arena;
  /// The arena's address in the graphs.
  Address recorded = 0;
  std::unique_ptr<OwnedMemory> prepared, constants, faultWords;
  std::array<InputSlot, 2> slots;
  std::array<std::unique_ptr<ResultSlot>, 2> results;

  // The work of a run before its graph, or all of it, and that of a graph:
  // graphs differ in addresses alone.
  CudaTimeline streamTimes, graphTimes;
  /// Inputs were staged while nothing else ran, or the run began.
  std::optional<Clock::time_point> started;

  /// Of a profiler's range: "train 4fb4028a".
  std::string rangeName;
  bool isStatic = false, oneByOne = false;
  /// Of the steps of a graph.
  LaunchGraph order;
  /// The slot of the inputs of the last run, and that of the next one.
  size_t current = 1, next = 1;
  /// Oldest first.
  std::deque<Run> runs;
  /// Of the last run that ended.
  std::optional<FaultWords> faults;
  /// Memory of the outputs of a run that begins.
  std::vector<std::unique_ptr<KeptMemory>> made;
  /// By the addresses of inputs and outputs, and the slot of the results.
  std::map<std::vector<Address>, GraphExec> graphs;
  /// Addresses of runs that were not graphs, since memory of others may not
  /// come back.
  std::set<std::vector<Address>> seen;
  GraphExec last = nullptr;
};

} // namespace gensyn::cuda

#endif
