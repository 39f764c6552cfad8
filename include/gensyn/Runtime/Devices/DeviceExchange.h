// Tensors in a device's memory that other libraries of the process share.
#ifndef GENSYN_RUNTIME_DEVICES_DEVICEEXCHANGE_H
#define GENSYN_RUNTIME_DEVICES_DEVICEEXCHANGE_H

#include "gensyn/Runtime/Devices/Value.h"

#include <cstdint>
#include <memory>
#include <string>

namespace gensyn::runtime {

/// A device whose memory has addresses for the whole process, as DLPack passes
/// them between libraries. Thread-safe.
class DeviceExchange {
public:
  virtual ~DeviceExchange() = default;
  /// The number of the device among those of CUDA's runtime API.
  virtual int number() const = 0;
  /// A stream (cudaStream_t) for the owners of borrowed memory: a run that
  /// begins later waits for all that this stream waits for.
  virtual uint64_t stream() const = 0;
  /// The memory of a tensor of others, `bytes` from the address on, for runs to
  /// read. It must stay until they end. Messages call it `what`. Throws a
  /// Failure: bad input if it is not memory of a GPU, unsupported if it is that
  /// of another one.
  virtual std::unique_ptr<DeviceMemory> borrow(uint64_t address, uint64_t bytes,
                                               const std::string &what) = 0;
};

} // namespace gensyn::runtime

#endif
