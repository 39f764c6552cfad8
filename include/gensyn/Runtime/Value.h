// Tensors that may lie in a device's memory.
#ifndef GENSYN_RUNTIME_VALUE_H
#define GENSYN_RUNTIME_VALUE_H

#include "gensyn/Numerics/Tensor.h"

#include <memory>
#include <vector>

namespace gensyn::runtime {

/// Memory of a device that holds the bytes of one tensor.
class DeviceMemory {
public:
  virtual ~DeviceMemory() = default;
  /// Copies all bytes to host memory, after everything that the device has been
  /// asked for so far. Throws a Failure.
  virtual void download(void *to) const = 0;
};

/// A tensor whose bytes are on the host, on a device, or on both. They stay
/// where they are until somebody asks for them elsewhere, so that parameters
/// need not travel between steps.
class Value {
public:
  Value() = default;
  explicit Value(Tensor tensor)
      : type(tensor.elementType()), extents(tensor.shape()),
        host(std::move(tensor)), isOnHost(true) {}
  /// Of contents that nobody may read yet; takes no memory.
  Value(ElementType type, std::vector<int64_t> shape)
      : type(type), extents(std::move(shape)) {}

  ElementType elementType() const { return type; }
  const std::vector<int64_t> &shape() const { return extents; }
  int64_t byteSize() const { return countBytes(type, extents).value_or(0); }

  /// The tensor on the host, fetched where only the device has it. Throws a
  /// Failure where the device fails.
  const Tensor &read() const;
  /// The tensor on the host to be overwritten: what a device has of it is old.
  /// Its contents are anything.
  Tensor &overwrite();

  /// The device's memory if that has the newest bytes, else null.
  DeviceMemory *device() const { return isOnDevice ? memory.get() : nullptr; }
  /// The device has the same bytes as the host.
  void setCopy(std::unique_ptr<DeviceMemory> copy);
  /// The host has the same bytes as the device.
  void setHost(Tensor tensor) {
    host = std::move(tensor);
    isOnHost = true;
  }
  /// Only the device has the newest bytes.
  void setNew(std::unique_ptr<DeviceMemory> newest);
  /// Gives up the device's memory and what is in it.
  std::unique_ptr<DeviceMemory> takeMemory();

private:
  ElementType type = ElementType::F32;
  std::vector<int64_t> extents = {0};
  // Reading is no change, even where bytes travel for it.
  mutable Tensor host;
  mutable bool isOnHost = false;
  bool isOnDevice = false;
  std::unique_ptr<DeviceMemory> memory;
};

} // namespace gensyn::runtime

#endif
