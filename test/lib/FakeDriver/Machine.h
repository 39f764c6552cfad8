// A simulated driver: the state that the functions of the driver API share.
// Kernels run on the PTX simulator, device memory is memory of the host, and
// work is done as late as the API allows, so that a missing synchronisation
// shows as wrong data. README.md lists the environment variables that control
// it.
#ifndef GENSYN_TEST_LIB_FAKEDRIVER_MACHINE_H
#define GENSYN_TEST_LIB_FAKEDRIVER_MACHINE_H

#include "gensyn/Ptx/Simulator.h"
#include "gensyn/Runtime/Devices/CudaApi.h"

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gensyn::fakedriver {

using cuda::Address;
using cuda::Result;

/// Work that waits in a stream or is part of a graph. Returns Success, or the
/// state of the context from then on.
using Operation = std::function<Result()>;

/// Work in a graph, and the numbers of the nodes that come before it.
struct NodeData {
  Operation operation;
  std::vector<size_t> dependencies;
  /// The event that it records, or null.
  cuda::Event record = nullptr;
};

/// A graph's nodes, each after those that it depends on. A handle of a node is
/// its address.
struct GraphData {
  std::vector<std::shared_ptr<NodeData>> nodes;

  /// Adds a node; returns its number.
  size_t add(Operation operation, std::vector<size_t> dependencies);
  /// The numbers behind handles; nothing if one is of another graph.
  std::optional<std::vector<size_t>> find(const cuda::GraphNode *handles,
                                          size_t count) const;
  /// The numbers of all nodes, in an order that dependencies allow: without a
  /// seed the latest node that may run is next.
  std::vector<size_t> order(std::optional<uint64_t> seed) const;
};

struct StreamData {
  cuda::Context context = nullptr;
  bool isBlocking = true;
  std::deque<Operation> waiting;
  uint64_t added = 0, done = 0;
  bool hasLaunched = false;
  /// While capturing: the graph, the nodes that the next one depends on, and
  /// their handles when somebody asked for them.
  std::shared_ptr<GraphData> capture;
  std::vector<size_t> dependencies;
  std::vector<cuda::GraphNode> handles;
  bool captureBroken = false;
};

struct EventData {
  bool hasTiming = true;
  bool isRecorded = false;
  StreamData *stream = nullptr;
  /// The position of the record in its stream.
  uint64_t position = 0;
  double seconds = 0;

  /// Notes that the newest work of a stream records it.
  void note(StreamData &newest) {
    isRecorded = true;
    stream = &newest;
    position = newest.added;
  }
};

struct ModuleData {
  ptx::Module code;
  std::vector<ptx::KernelInfo> kernels;
};

struct FunctionData {
  std::shared_ptr<ModuleData> module;
  ptx::KernelInfo info;
  uint64_t dynamicSharedBytes = 48 * 1024;
};

/// Objects behind handles; a handle is the object's address.
template <class T> class Handles {
public:
  T *add(std::unique_ptr<T> object) {
    T *handle = object.get();
    objects.emplace(handle, std::move(object));
    return handle;
  }
  T *find(const void *handle) const {
    auto found = objects.find(handle);
    return found == objects.end() ? nullptr : found->second.get();
  }
  bool remove(const void *handle) { return objects.erase(handle) != 0; }
  void clear() { objects.clear(); }
  template <class Visit> void each(Visit visit) {
    for (auto &[handle, object] : objects)
      visit(*object);
  }

private:
  std::map<const void *, std::unique_ptr<T>> objects;
};

/// A context: the primary one of a device, or one that a program made.
struct ContextData {
  cuda::Device device = 0;
  bool isPrimary = false;
  /// How often it was retained.
  int uses = 1;
};

/// Ranges of memory, by start address.
class Ranges {
public:
  struct Range {
    size_t bytes = 0;
    cuda::Context owner = nullptr;
  };

  void add(uint64_t begin, size_t bytes, cuda::Context owner) {
    ranges[begin] = {bytes, owner};
  }
  /// The range that has these bytes, or null.
  const Range *find(uint64_t begin, size_t bytes) const {
    auto after = ranges.upper_bound(begin);
    if (after == ranges.begin())
      return nullptr;
    auto range = std::prev(after);
    const uint64_t offset = begin - range->first;
    return offset <= range->second.bytes &&
                   bytes <= range->second.bytes - offset
               ? &range->second
               : nullptr;
  }
  bool contains(uint64_t begin, size_t bytes) const {
    return find(begin, bytes) != nullptr;
  }
  /// The bytes at the time of the call.
  std::optional<size_t> remove(uint64_t begin) {
    auto found = ranges.find(begin);
    if (found == ranges.end())
      return std::nullopt;
    size_t bytes = found->second.bytes;
    ranges.erase(found);
    return bytes;
  }
  const std::map<uint64_t, Range> &all() const { return ranges; }
  void clear() { ranges.clear(); }

private:
  std::map<uint64_t, Range> ranges;
};

/// The machine with its one kind of device. Each device has memory of its own,
/// of which contexts do not see each other's.
struct Machine {
  static Machine &get();

  std::recursive_mutex mutex;
  bool isInitialized = false;
  /// The error state that a faulting kernel left.
  Result broken = cuda::Success;
  std::map<cuda::Context, ContextData> contexts;

  int devices = 1, version = 13000, major = 9, minor = 0;
  size_t capacity = size_t(8) << 30, used = 0;
  unsigned threads = 1;
  bool isEager = false;
  /// Of the order of nodes in graphs.
  std::optional<uint64_t> graphSeed;

  Ranges deviceMemory, pinnedMemory;
  StreamData defaultStream;
  Handles<StreamData> streams;
  Handles<EventData> events;
  /// Functions outlive their module's handle.
  std::map<ModuleData *, std::shared_ptr<ModuleData>> modules;
  Handles<FunctionData> functions;
  Handles<GraphData> graphs, executables;

  /// The context of the calling thread, or null.
  static cuda::Context current();
  /// True if the bytes are device memory of the calling thread's context.
  bool isMine(Address address, size_t bytes) const {
    const Ranges::Range *range = deviceMemory.find(address, bytes);
    return range && range->owner == current();
  }

  void readEnvironment();
  /// Frees the device memory of a context.
  void removeMemory(cuda::Context owner);
  /// Resets the state of an earlier use.
  void reset();
  /// The shared memory of a block, if a kernel requests it.
  uint64_t sharedBytes() const;
  StreamData *find(cuda::Stream stream) {
    return stream ? streams.find(stream) : &defaultStream;
  }
  bool isCapturing();

  /// Puts work in a stream, or in the graph that it captures.
  Result add(StreamData &stream, Operation operation);
  /// Does the work of a stream up to a position.
  Result runUntil(StreamData &stream, uint64_t position);
  Result synchronize(StreamData &stream) {
    return runUntil(stream, stream.added);
  }
  Result synchronizeAll();
};

/// Adds a line to the trace, if there is one.
void trace(const char *what, size_t amount);

/// One call: holds the lock, and checks that the call may proceed at all.
class Call {
public:
  enum Needs { Nothing, Initialized, Current };
  Call(const char *function, Needs needs, size_t amount = 0);
  /// The error to return at once, or Success.
  Result error = cuda::Success;

private:
  std::lock_guard<std::recursive_mutex> lock;
};

} // namespace gensyn::fakedriver

// Makes every source that defines a function of the API see its declaration.
#define GENSYN_FAKE_EXPORT                                                     \
  extern "C" __attribute__((visibility("default"))) gensyn::cuda::Result

namespace gensyn::cuda {
#define GENSYN_FAKE_DECLARE(name, parameters)                                  \
  GENSYN_FAKE_EXPORT name parameters;
GENSYN_CUDA_FUNCTIONS(GENSYN_FAKE_DECLARE)
} // namespace gensyn::cuda

// Begins a function: returns if the call may not proceed.
#define GENSYN_FAKE_BEGIN(needs, ...)                                          \
  gensyn::fakedriver::Call call(                                               \
      __func__, gensyn::fakedriver::Call::needs __VA_OPT__(, ) __VA_ARGS__);   \
  if (call.error)                                                              \
    return call.error;                                                         \
  [[maybe_unused]] auto &machine = gensyn::fakedriver::Machine::get()

#endif
