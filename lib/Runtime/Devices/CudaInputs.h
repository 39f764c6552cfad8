// Inputs of a run on a GPU: host memory to pinned memory to the GPU's.
#ifndef GENSYN_LIB_RUNTIME_CUDAINPUTS_H
#define GENSYN_LIB_RUNTIME_CUDAINPUTS_H

#include "CudaTimeline.h"
#include "gensyn/Runtime/Devices/Value.h"

#include <memory>
#include <span>

namespace gensyn::cuda {

/// Alignment of tensors in a slot, which permits wide loads.
inline constexpr uint64_t tensorAlignment = 256;

/// GPU memory for the inputs of one run.
class InputSlot {
public:
  InputSlot() = default;
  ~InputSlot();
  InputSlot(const InputSlot &) = delete;
  InputSlot &operator=(const InputSlot &) = delete;

  /// Begins to copy each input that is not null to its offset, ascending, in
  /// the slot of `bytes` bytes, and returns when the inputs may change. Throws
  /// a Failure (out of resources) at the first call with an input.
  void fill(const std::shared_ptr<DeviceContext> &owner, uint64_t bytes,
            std::span<const Tensor *const> inputs,
            std::span<const uint64_t> offsets);
  /// Lets the kernels wait for a copy of `bytes` bytes on the GPU to an offset
  /// of the slot, and returns its address. Throws a Failure as `fill` does.
  Address copyOnGpu(const std::shared_ptr<DeviceContext> &owner,
                    uint64_t slotBytes, uint64_t offset, Address from,
                    uint64_t bytes);
  /// Lets the kernels wait until the copy has ended.
  void awaitCopy();
  /// The address of an offset; 0 if the slot was never filled.
  Address at(uint64_t offset) const {
    return memory ? memory->address + offset : 0;
  }
  /// Adds the time of the copy, which has ended, to the profile.
  void addTimes();

private:
  void allocate(const std::shared_ptr<DeviceContext> &owner, uint64_t bytes);

  std::shared_ptr<DeviceContext> context;
  std::unique_ptr<OwnedMemory> memory;
  std::unique_ptr<PinnedMemory> staging;
  std::unique_ptr<CudaTimeline> times;
  Event uploaded = nullptr;
  bool isUsed = false;
};

} // namespace gensyn::cuda

#endif
