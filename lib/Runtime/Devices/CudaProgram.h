// Programs on a GPU.
#ifndef GENSYN_LIB_RUNTIME_CUDAPROGRAM_H
#define GENSYN_LIB_RUNTIME_CUDAPROGRAM_H

#include "CudaSteps.h"
#include "gensyn/Runtime/Program.h"

#include <array>

namespace gensyn::cuda {

/// A program whose steps are one graph, where data does not decide about them.
/// A run's inputs lie in one of two slots, so that the next ones can be copied
/// while it goes on; what is kept stays on the GPU.
class CudaProgram final : public runtime::Program {
public:
  /// Throws a Failure: out of resources before anything is allocated, and as
  /// LoadedModule does.
  CudaProgram(std::shared_ptr<const plan::Executable> executable,
              std::shared_ptr<DeviceContext> context);
  ~CudaProgram() override;

  void run(std::span<const Tensor *const> inputs,
           std::span<Tensor> outputs) override;
  void stage(std::span<const Tensor *const> inputs) override;
  void begin(std::span<runtime::Value *const> kept,
             std::span<runtime::Value> outputs) override;
  void end() override;

  /// For measurements: puts the last run into the stream again, without waiting
  /// and on the same inputs. Throws a Failure (unsupported) where it was no
  /// graph.
  void repeat();

private:
  struct Slot {
    std::unique_ptr<OwnedMemory> memory;
    std::unique_ptr<PinnedMemory> staging;
    Event uploaded = nullptr;
    bool isUsed = false;
  };

  void measure();
  void allocate();
  bool isInPlace(size_t output) const;
  std::vector<Address> bindInputs(std::span<runtime::Value *const> kept);
  std::vector<Address> bindOutputs(std::span<runtime::Value *const> kept,
                                   std::span<runtime::Value> outputs);
  std::vector<Address> place(const std::vector<Address> &inputs,
                             const std::vector<Address> &outputs) const;
  void enqueue(CudaSteps &steps, const std::vector<Address> &outputs);
  GraphExec record(std::vector<Address> places,
                   const std::vector<Address> &outputs);
  void finishFaults();

  std::shared_ptr<DeviceContext> context;
  const plan::Plan &plan;

  // Offsets of staged inputs in a slot, of constants in their memory, and of
  // losses behind faults and checks in what is copied back.
  std::vector<uint64_t> inputOffsets, constantOffsets, lossOffsets;
  uint64_t slotBytes = 0, constantBytes = 0, resultBytes = 0;

  std::unique_ptr<LoadedModule> module;
  std::unique_ptr<OwnedMemory> arena, constants, faultWords;
  std::unique_ptr<PinnedMemory> results;
  std::array<Slot, 2> slots;
  FaultMemory faultMemory;

  bool isStatic = false, oneByOne = false, isRunning = false;
  /// The slot of the last run, and that of the next one.
  size_t current = 1, next = 1;
  std::optional<FaultWords> faults;
  /// Of the run in progress: memory of its outputs, and where they go.
  std::vector<std::unique_ptr<KeptMemory>> made;
  std::span<runtime::Value> targets;
  std::map<std::vector<Address>, GraphExec> graphs;
  GraphExec last = nullptr;
};

} // namespace gensyn::cuda

#endif
