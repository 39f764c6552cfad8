// Tensors that may be in a device's memory.
#ifndef GENSYN_RUNTIME_DEVICES_VALUE_H
#define GENSYN_RUNTIME_DEVICES_VALUE_H

#include "gensyn/Numerics/Tensor.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace gensyn::runtime {

/// Device memory that holds the bytes of one tensor.
class DeviceMemory {
public:
  virtual ~DeviceMemory() = default;
  /// Copies all bytes to host memory after all work that was submitted to the
  /// device. Throws a Failure.
  virtual void download(void *to) const = 0;
  /// Returns the address, for other libraries of the process to use as long as
  /// this object lives; 0 if they cannot. Afterwards `download` waits for their
  /// work too, as far as CUDA's default stream does.
  virtual uint64_t share() { return 0; }
};

/// A tensor on the host to which bytes are still being written.
class ArrivingTensor {
public:
  explicit ArrivingTensor(Tensor tensor) : tensor(std::move(tensor)) {}
  /// Returns when nothing reads or writes the bytes any more.
  virtual ~ArrivingTensor() = default;
  /// Returns when all bytes have been written. Throws a Failure if they never
  /// will be.
  virtual void wait() = 0;

  /// Whoever takes it keeps it longer than this object.
  Tensor tensor;
};

/// A tensor whose bytes are on the host, on a device, or on both. They are
/// copied only when they are needed elsewhere, so parameters stay on the device
/// between steps.
class Value {
public:
  Value() = default;
  explicit Value(Tensor tensor)
      : type(tensor.elementType()), extents(tensor.shape()),
        host(std::move(tensor)), isOnHost(true), stamp(makeStamp()) {}
  /// A tensor that is waited for when it is read.
  explicit Value(std::unique_ptr<ArrivingTensor> given)
      : type(given->tensor.elementType()), extents(given->tensor.shape()),
        arriving(std::move(given)), stamp(makeStamp()) {}
  /// A tensor with undefined contents; takes no memory.
  Value(ElementType type, std::vector<int64_t> shape)
      : type(type), extents(std::move(shape)) {}

  ElementType elementType() const { return type; }
  const std::vector<int64_t> &shape() const { return extents; }
  int64_t byteSize() const { return countBytes(type, extents).value_or(0); }

  /// Returns a number that differs from those of all other contents that a
  /// value of this process has had.
  uint64_t version() const { return stamp; }

  /// Returns the tensor on the host, copied from the device if only that has
  /// it. Throws a Failure if the device fails, or what arrives does not.
  const Tensor &read() const;
  /// Returns the host tensor for overwriting and invalidates the device copy.
  /// Its contents are undefined.
  Tensor &overwrite();

  /// Takes a tensor that nobody has waited for; null if there is none. The
  /// value's contents are undefined then.
  std::unique_ptr<ArrivingTensor> takeArriving();

  /// Returns the device memory if that is up to date, else null.
  DeviceMemory *device() const { return isOnDevice ? memory.get() : nullptr; }
  /// Records that the device has the same bytes as the host.
  void setCopy(std::unique_ptr<DeviceMemory> copy);
  /// Records that the host has the same bytes as the device.
  void setHost(Tensor tensor) {
    arriving.reset();
    host = std::move(tensor);
    isOnHost = true;
  }
  /// Records that only the device is up to date.
  void setNew(std::unique_ptr<DeviceMemory> newest);
  /// Releases the device memory and its contents to the caller.
  std::unique_ptr<DeviceMemory> takeMemory();

private:
  static uint64_t makeStamp();

  ElementType type = ElementType::F32;
  std::vector<int64_t> extents = {0};
  // Mutable: reading may copy bytes but does not change the value.
  mutable std::unique_ptr<ArrivingTensor> arriving;
  mutable Tensor host;
  mutable bool isOnHost = false;
  bool isOnDevice = false;
  std::unique_ptr<DeviceMemory> memory;
  uint64_t stamp = 0; ///< 0: undefined contents
};

} // namespace gensyn::runtime

#endif
