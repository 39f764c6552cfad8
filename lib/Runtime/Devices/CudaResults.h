// What a run on a GPU copies back to the host.
#ifndef GENSYN_LIB_RUNTIME_CUDARESULTS_H
#define GENSYN_LIB_RUNTIME_CUDARESULTS_H

#include "CudaContext.h"

#include <functional>
#include <memory>
#include <string>

namespace gensyn::cuda {

/// Pinned memory for the results of a run, and an event that says that they are
/// there: the stream may have the next run by then.
class ResultSlot {
public:
  /// Throws a Failure (out of resources).
  ResultSlot(std::shared_ptr<DeviceContext> owner, uint64_t bytes);
  ~ResultSlot();
  ResultSlot(const ResultSlot &) = delete;
  ResultSlot &operator=(const ResultSlot &) = delete;

  uint8_t *at(uint64_t offset) const { return memory.begin + offset; }

  /// Called when all work of the run is in the stream.
  void close();
  /// Returns when that work has been done. `describe` names it in the message
  /// of a Failure.
  void wait(const std::function<std::string()> &describe) const;

private:
  std::shared_ptr<DeviceContext> context;
  PinnedMemory memory;
  Event arrived = nullptr;
};

} // namespace gensyn::cuda

#endif
