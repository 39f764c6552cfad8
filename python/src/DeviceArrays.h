// Tensors in a GPU's memory, of other libraries and for them.
#ifndef GENSYN_PYTHON_DEVICEARRAYS_H
#define GENSYN_PYTHON_DEVICEARRAYS_H

#include "Arrays.h"

#include "gensyn/Runtime/Devices/DeviceExchange.h"

#include <nanobind/nanobind.h>

#include <string>

namespace gensyn::python {

/// True if the object is a tensor with DLPack in the memory of a GPU of CUDA.
bool isOnGpu(nanobind::handle object);
/// True if the object is an array, and no number or list.
bool isArray(nanobind::handle object);

/// The value of an input over the memory of a tensor on a GPU, which `array`
/// keeps alive. `share(object, name, stream)` returns its capsule. Throws a
/// Failure if the tensor has another type, is not contiguous, or is not on the
/// GPU of the exchange.
runtime::Value borrowArray(nanobind::handle object, const std::string &name,
                           ElementType type, runtime::DeviceExchange &exchange,
                           const nanobind::callable &share, InputArray &array);

/// A result in a GPU's memory, for gensyn.DeviceArray.
class DeviceTensor {
public:
  DeviceTensor(runtime::Value value, int device)
      : value(std::move(value)), device(device) {}
  /// The driver may wait for work of others, whose callbacks may need the GIL.
  ~DeviceTensor();
  DeviceTensor(DeviceTensor &&) = default;

  nanobind::tuple shape() const;
  std::string type() const;
  int deviceNumber() const { return device; }
  /// A copy on the host. Types that numpy lacks are integers of their width.
  nanobind::object copyToHost() const;
  /// An object with __dlpack__ over the memory, which `self` owns.
  nanobind::object share(nanobind::handle self) const;

private:
  runtime::Value value;
  int device;
};

/// Adds the class to the extension module.
void defineDeviceTensor(nanobind::module_ &module);

} // namespace gensyn::python

#endif
