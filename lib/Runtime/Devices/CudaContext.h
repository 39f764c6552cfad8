// One GPU: its facts, its memory, its streams.
#ifndef GENSYN_LIB_RUNTIME_CUDACONTEXT_H
#define GENSYN_LIB_RUNTIME_CUDACONTEXT_H

#include "gensyn/Runtime/CudaDriver.h"
#include "gensyn/Runtime/Value.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace gensyn::cuda {

/// Properties of a GPU that are known without a context on it.
struct DeviceFacts {
  Device device = 0;
  /// "GPU 0 (NVIDIA H100 PCIe)".
  std::string label;
  /// 90 for compute capability 9.0.
  int capability = 0;
  /// Bytes of shared memory that a block can have at most.
  uint64_t sharedBytes = 0;
};

/// Throws a Failure (unsupported) where there is no such GPU, or one that is
/// too old.
DeviceFacts describeDevice(int number);

/// The context of a GPU, shared by its programs and the values in its memory.
/// Not for two threads at once.
class DeviceContext : public DeviceFacts {
public:
  /// Throws a Failure (unsupported) as describeDevice does.
  explicit DeviceContext(int number);
  ~DeviceContext();
  DeviceContext(const DeviceContext &) = delete;
  DeviceContext &operator=(const DeviceContext &) = delete;

  const Driver &driver;
  /// Kernels, and copies of what they need and give, in order.
  Stream compute = nullptr;
  /// Copies of inputs, beside the kernels.
  Stream copies = nullptr;

  /// Makes this the context of the calling thread.
  void enter() const;

  /// Memory of at least one byte, with anything in it. Throws a Failure (out of
  /// resources).
  Address allocate(uint64_t bytes);
  /// Gives memory back, for others of the same size: where the same addresses
  /// come again, so do the graphs that hold them. The lowest comes first.
  void release(Address address, uint64_t bytes) noexcept;
  uint64_t freeBytes() const;

  /// Throws a Failure (out of resources) where `own` bytes of a program and
  /// those of kept values, by their names, do not fit beside what is there.
  void foresee(uint64_t own, const std::map<std::string, uint64_t> &kept);

  /// Waits for all kernels; `running` says what they are where one fails.
  void synchronize(const std::string &running);
  [[noreturn]] void failRunning(Result error, const std::string &running) const;

private:
  friend class KeptMemory;
  Context context = nullptr;
  std::map<uint64_t, std::set<Address>> pool;
  std::map<std::string, uint64_t> promised;
  uint64_t keptBytes = 0;
};

/// Memory of a GPU for one value.
class KeptMemory final : public runtime::DeviceMemory {
public:
  KeptMemory(std::shared_ptr<DeviceContext> context, uint64_t bytes);
  ~KeptMemory() override;
  void download(void *to) const override;

  std::shared_ptr<DeviceContext> context;
  Address address;
  uint64_t bytes;
};

/// Memory of a GPU that belongs to a program.
class OwnedMemory {
public:
  OwnedMemory() = default;
  OwnedMemory(std::shared_ptr<DeviceContext> owner, uint64_t size);
  ~OwnedMemory();
  OwnedMemory(const OwnedMemory &) = delete;
  OwnedMemory &operator=(const OwnedMemory &) = delete;

  Address address = 0;

private:
  std::shared_ptr<DeviceContext> context;
  uint64_t bytes = 0;
};

/// Host memory that the GPU copies from and to on its own.
class PinnedMemory {
public:
  PinnedMemory(std::shared_ptr<DeviceContext> owner, uint64_t size);
  ~PinnedMemory();
  PinnedMemory(const PinnedMemory &) = delete;
  PinnedMemory &operator=(const PinnedMemory &) = delete;

  uint8_t *begin = nullptr;

private:
  std::shared_ptr<DeviceContext> context;
};

/// "3.2 GiB".
std::string bytesText(uint64_t bytes);

} // namespace gensyn::cuda

#endif
