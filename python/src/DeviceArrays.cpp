// See DeviceArrays.h.

#include "DeviceArrays.h"

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/Support/Error.h"

#include <nanobind/stl/string.h>

#include <utility>

namespace nb = nanobind;

namespace gensyn::python {

bool isOnGpu(nb::handle object) {
  try {
    const nb::object device =
        nb::getattr(object, "__dlpack_device__", nb::none());
    return !device.is_none() &&
           nb::cast<int>(device()[0]) == nb::device::cuda::value;
  } catch (const std::exception &) {
    return false; // It is told later what the object is not.
  }
}

bool isArray(nb::handle object) {
  return nb::hasattr(object, "__dlpack__") ||
         PyObject_CheckBuffer(object.ptr());
}

/// The name of a type in messages.
static std::string nameOf(const InputArray &array) {
  for (int number = 0; number < kNumElementTypes; ++number)
    if (const auto type = static_cast<ElementType>(number);
        hasType(array, type, false))
      return longName(type);
  return "of a type that models do not have";
}

runtime::Value borrowArray(nb::handle object, const std::string &name,
                           ElementType type, runtime::DeviceExchange &exchange,
                           const nb::callable &share, InputArray &array) {
  const std::string what = "input " + quote(name);
  const nb::object capsule = share(object, name, exchange.stream());
  if (!nb::try_cast(capsule, array, /*convert=*/false))
    failBadInput(what + " has no capsule of DLPack that can be used");
  if (array.device_type() != nb::device::cuda::value ||
      array.device_id() != exchange.number())
    failUnsupported(
        what + " is in the memory of GPU " + std::to_string(array.device_id()) +
            "; the program runs on GPU " + std::to_string(exchange.number()),
        "copy it there first");
  if (!hasType(array, type, false))
    failBadInput(what + " is " + nameOf(array) + "; the model wants " +
                     longName(type),
                 "in the memory of a GPU nothing is converted");
  std::vector<int64_t> shape = shapeOf(array);
  const std::optional<int64_t> bytes = countBytes(type, shape);
  if (!bytes)
    failBadInput(what + " has an impossible shape");
  if (*bytes != 0 && !isRowMajor(array))
    failBadInput(what + " is not contiguous in C order",
                 "in the memory of a GPU nothing is converted");
  runtime::Value value(type, std::move(shape));
  value.setNew(exchange.borrow(reinterpret_cast<uintptr_t>(array.data()),
                               static_cast<uint64_t>(*bytes), what));
  return value;
}

DeviceTensor::~DeviceTensor() {
  const nb::gil_scoped_release release;
  value = runtime::Value();
}

nb::tuple DeviceTensor::shape() const {
  nb::list list;
  for (const int64_t extent : value.shape())
    list.append(extent);
  return nb::tuple(list);
}

std::string DeviceTensor::type() const { return longName(value.elementType()); }

nb::object DeviceTensor::copyToHost() const {
  Tensor tensor(value.elementType(), value.shape());
  if (tensor.byteSize() != 0) {
    const nb::gil_scoped_release release;
    value.device()->download(tensor.data());
  }
  return makeArray(std::move(tensor));
}

nb::object DeviceTensor::share(nb::handle self) const {
  const std::optional<nb::dlpack::dtype_code> code =
      codeOf(value.elementType());
  if (!code)
    throw nb::buffer_error("DLPack lacks the type of the elements");
  const nb::dlpack::dtype dtype = {
      static_cast<uint8_t>(*code),
      static_cast<uint8_t>(byteWidth(value.elementType()) * 8), 1};
  const std::vector<size_t> shape(value.shape().begin(), value.shape().end());
  void *data = reinterpret_cast<void *>(value.device()->share());
  return nb::cast(nb::ndarray<nb::array_api>(data, shape.size(), shape.data(),
                                             self, nullptr, dtype,
                                             nb::device::cuda::value, device));
}

void defineDeviceTensor(nb::module_ &module) {
  nb::class_<DeviceTensor>(module, "DeviceTensor",
                           "A tensor on a GPU; see gensyn.DeviceArray.")
      .def("shape", &DeviceTensor::shape,
           nb::sig("def shape(self) -> tuple[int, ...]"))
      .def("type", &DeviceTensor::type)
      .def("device", &DeviceTensor::deviceNumber)
      .def("copy_to_host", &DeviceTensor::copyToHost,
           nb::sig("def copy_to_host(self) -> typing.Any"))
      .def(
          "share",
          [](nb::handle self) {
            return nb::cast<const DeviceTensor &>(self).share(self);
          },
          nb::sig("def share(self) -> typing.Any"));
}

} // namespace gensyn::python
