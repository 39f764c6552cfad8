// One GPU: its properties, memory and streams.
#ifndef GENSYN_LIB_RUNTIME_CUDACONTEXT_H
#define GENSYN_LIB_RUNTIME_CUDACONTEXT_H

#include "gensyn/Runtime/Devices/CudaDriver.h"
#include "gensyn/Runtime/Devices/Devices.h"
#include "gensyn/Runtime/Devices/Value.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

namespace gensyn::runtime {
class KernelProfile;
class ThreadPool;
} // namespace gensyn::runtime

namespace gensyn::cuda {

/// Properties of a GPU that are available without a context.
struct DeviceFacts {
  Device device = 0;
  /// "NVIDIA H100 PCIe".
  std::string name;
  /// "GPU 0 (NVIDIA H100 PCIe)".
  std::string label;
  /// 90 for compute capability 9.0.
  int capability = 0;
  /// Maximum bytes of shared memory per block.
  uint64_t sharedBytes = 0;
  /// Maximum number of threads that are resident at a time.
  uint64_t residentThreads = 0;
};

/// Returns the bytes that the driver takes of a GPU's memory for an allocation:
/// large ones are whole pages of 2 MiB.
uint64_t countPages(uint64_t bytes);

/// Throws a Failure (unsupported) if there is no such GPU, or it is too old.
DeviceFacts describeDevice(int number);
/// The number of GPUs that the driver shows.
int countDevices();

/// A context is the calling thread's as long as this lives. The one before it,
/// of other users of the driver in the process, is the thread's afterwards.
class [[nodiscard]] CurrentContext {
public:
  /// Throws a Failure.
  CurrentContext(const Driver &driver, Context context,
                 const std::string &label);
  /// For destructors: an error, as at the end of a process, is of no interest.
  CurrentContext(const Driver &driver, Context context) noexcept;
  ~CurrentContext();
  CurrentContext(const CurrentContext &) = delete;
  CurrentContext &operator=(const CurrentContext &) = delete;

private:
  const Driver &driver;
  bool isPushed;
};

class RunMemory;
class CodeModule;
class PinnedMemory;

/// A value that stays between runs.
struct KeptValue {
  uint64_t bytes = 0;
  /// It may be in the host's memory (findReplacedOnce).
  bool mayBeOnHost = false;
};

/// The primary context of a GPU, that of CUDA's runtime API and of frameworks
/// in the process, shared by our programs and the values in its memory. Its
/// flags are left as they are. Not thread-safe, but memory may be released by
/// any thread at any time.
class DeviceContext : public DeviceFacts {
public:
  /// Throws a Failure (unsupported) as describeDevice does.
  explicit DeviceContext(int number, runtime::CudaOptions options = {});
  ~DeviceContext();
  DeviceContext(const DeviceContext &) = delete;
  DeviceContext &operator=(const DeviceContext &) = delete;

  const Driver &driver;
  /// Null unless kernels and copies are measured.
  runtime::KernelProfile *const profile;
  /// A program is running.
  bool isBusy = false;
  /// Kernels, and copies of their inputs and outputs, in order.
  Stream compute = nullptr;
  /// Copies of inputs that overlap with kernels.
  Stream copies = nullptr;
  /// Waits for the owners of borrowed memory; never captured.
  Stream arrivals = nullptr;

  /// Lets `compute` wait for what `arrivals` waits for.
  void awaitArrivals();

  /// Makes this the context of the calling thread while the result lives. Each
  /// function that calls the driver needs it, here and in the other classes.
  CurrentContext enter() const { return {driver, context, label}; }
  /// The same for destructors.
  CurrentContext tryEnter() const noexcept { return {driver, context}; }

  /// Allocates at least one byte of memory with undefined contents. Throws a
  /// Failure (out of resources).
  Address allocate(uint64_t bytes);
  /// Returns memory to a pool by size. Later allocations get the same
  /// addresses, lowest first, so the graphs that contain them can be reused.
  void release(Address address, uint64_t bytes) noexcept;
  /// Returns memory to the driver, which waits for all work that may use it:
  /// others may have enqueued some in streams of theirs.
  void free(Address address) noexcept;
  uint64_t freeBytes() const;

  /// Finds room for `own` bytes of a program, those of kept values, by name,
  /// and local memory of `localBytes` per thread. Where there is too little,
  /// values that may be in the host's memory will be (isOnHost). Throws a
  /// Failure (out of resources) if that is not enough.
  void foresee(uint64_t own, const std::map<std::string, KeptValue> &kept,
               uint64_t localBytes);
  bool isOnHost(const std::string &value) const;
  /// The value's memory is being made, so its place stays as it is.
  void settle(const std::string &value);

  /// Waits for all kernels; `running` describes them in the error message.
  void synchronize(const std::string &running);
  [[noreturn]] void failRunning(Result error, const std::string &running) const;

  /// Calls `work(first, last)` for pieces of [begin, end) of at most `piece`
  /// each, on a few threads of the host; it must not throw.
  void onThreads(uint64_t begin, uint64_t end, uint64_t piece,
                 const std::function<void(uint64_t, uint64_t)> &work);

private:
  friend class CodeModule;
  friend class KeptMemory;
  friend class RunMemory;
  uint64_t availableBytes() const;
  void giveBack(Address address);
  uint64_t limit = 0;
  std::function<void(const std::string &)> warn;
  Context context = nullptr;
  Event arrived = nullptr;
  /// For the pool and keptBytes.
  std::mutex mutex;
  std::map<uint64_t, std::set<Address>> pool;
  std::map<std::string, uint64_t> promised;
  uint64_t keptBytes = 0;
  /// Bytes of memory that was taken from the driver.
  std::map<Address, uint64_t> taken;
  uint64_t takenBytes = 0;
  /// Kept values, by name.
  std::set<std::string> onHost, settled;
  /// Local memory of a thread that the driver has made room for: as much as any
  /// kernel needs, for all threads that may be resident.
  uint64_t localBytes = 0;
  std::weak_ptr<RunMemory> runMemory;
  /// By the digest of their code.
  std::map<std::string, std::weak_ptr<CodeModule>> modules;
  /// Made when there is work for more than one thread.
  std::unique_ptr<runtime::ThreadPool> threads;
};

/// Memory of one value: the GPU's, or pinned memory of the host, whose address
/// is valid on the GPU, too (unified addressing).
class KeptMemory final : public runtime::DeviceMemory {
public:
  KeptMemory(std::shared_ptr<DeviceContext> context, uint64_t bytes,
             bool isOnHost = false);
  ~KeptMemory() override;
  void download(void *to) const override;
  uint64_t share() override;

  std::shared_ptr<DeviceContext> context;
  /// Null for memory of the GPU.
  std::unique_ptr<PinnedMemory> host;
  Address address;
  uint64_t bytes;
  bool isShared = false;
};

/// GPU memory of one value that others own, and that is only read.
class BorrowedMemory final : public runtime::DeviceMemory {
public:
  BorrowedMemory(std::shared_ptr<DeviceContext> context, Address address,
                 uint64_t bytes)
      : context(std::move(context)), address(address), bytes(bytes) {}
  /// Not during a run.
  void download(void *to) const override;

  std::shared_ptr<DeviceContext> context;
  Address address;
  uint64_t bytes;
};

/// GPU memory that belongs to a program.
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

/// The memory of intermediate values: as much as the largest of the programs of
/// a context needs. They share it, as their runs are in one stream.
class RunMemory {
public:
  /// Returns that of the context, which lives as long as somebody holds it.
  static std::shared_ptr<RunMemory>
  of(const std::shared_ptr<DeviceContext> &context);
  explicit RunMemory(std::shared_ptr<DeviceContext> owner)
      : context(std::move(owner)) {}
  ~RunMemory();
  RunMemory(const RunMemory &) = delete;
  RunMemory &operator=(const RunMemory &) = delete;

  /// Makes room for `bytes`, at another address if there is too little. Throws
  /// a Failure (out of resources).
  void reserve(uint64_t bytes);
  Address address = 0;
  uint64_t bytes = 0;

private:
  std::shared_ptr<DeviceContext> context;
};

/// Pinned host memory, which the GPU can copy asynchronously, and access.
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

/// Formats a size: "3.2 GiB".
std::string bytesText(uint64_t bytes);

} // namespace gensyn::cuda

#endif
