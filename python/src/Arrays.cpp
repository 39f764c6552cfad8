// See Arrays.h. Element types are those of DLPack.

#include "Arrays.h"

#include "gensyn/Executable/Formats/TensorFile.h"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <memory>
#include <utility>

namespace nb = nanobind;

namespace gensyn::python {

using Code = nb::dlpack::dtype_code;

std::optional<Code> codeOf(ElementType type) {
  switch (type) {
  case ElementType::I1:
    return Code::Bool;
  case ElementType::I8:
  case ElementType::I16:
  case ElementType::I32:
  case ElementType::I64:
    return Code::Int;
  case ElementType::UI8:
  case ElementType::UI16:
  case ElementType::UI32:
  case ElementType::UI64:
    return Code::UInt;
  case ElementType::F16:
  case ElementType::F32:
  case ElementType::F64:
    return Code::Float;
  case ElementType::BF16:
    return Code::Bfloat;
  case ElementType::F8E4M3FN:
    return Code::Float8_E4M3FN;
  case ElementType::F8E4M3FNUZ:
    return Code::Float8_E4M3FNUZ;
  case ElementType::F8E5M2:
    return Code::Float8_E5M2;
  case ElementType::F8E5M2FNUZ:
    return Code::Float8_E5M2FNUZ;
  case ElementType::F8E8M0FNU:
    return Code::Float8_E8M0FNU;
  default:
    return std::nullopt;
  }
}

bool hasNumpyType(ElementType type) {
  const std::optional<Code> code = codeOf(type);
  return code && *code <= Code::Bool && *code != Code::Bfloat;
}

bool isRowMajor(const InputArray &array) {
  int64_t stride = 1;
  for (size_t i = array.ndim(); i-- > 0;) {
    const auto extent = static_cast<int64_t>(array.shape(i));
    if (extent != 1 && array.stride(i) != stride)
      return false;
    stride *= extent;
  }
  return true;
}

bool hasType(const InputArray &array, ElementType type, bool isConverted) {
  std::optional<Code> code = codeOf(type);
  if (code && isConverted && !hasNumpyType(type))
    code = Code::UInt;
  const nb::dlpack::dtype found = array.dtype();
  return code && found.code == static_cast<uint8_t>(*code) &&
         found.bits == byteWidth(type) * 8 && found.lanes == 1;
}

std::vector<int64_t> shapeOf(const InputArray &array) {
  std::vector<int64_t> shape;
  shape.reserve(array.ndim());
  for (size_t i = 0; i < array.ndim(); ++i)
    shape.push_back(static_cast<int64_t>(array.shape(i)));
  return shape;
}

std::optional<Tensor> viewArray(nb::handle object, ElementType type,
                                bool isConverted, InputArray &array) {
  if (!nb::try_cast(object, array, /*convert=*/false))
    return std::nullopt;
  if (!hasType(array, type, isConverted) ||
      (array.device_type() != nb::device::cpu::value &&
       array.device_type() != nb::device::cuda_host::value))
    return std::nullopt;
  const auto address = reinterpret_cast<uintptr_t>(array.data());
  if (address % static_cast<uintptr_t>(byteWidth(type)) != 0 ||
      (array.size() != 0 && !isRowMajor(array)))
    return std::nullopt;
  return Tensor::view(type, shapeOf(array), array.data(), nullptr);
}

nb::object makeArray(Tensor tensor) {
  const ElementType type = tensor.elementType();
  const Code code = hasNumpyType(type) ? *codeOf(type) : Code::UInt;
  const nb::dlpack::dtype dtype = {
      static_cast<uint8_t>(code), static_cast<uint8_t>(byteWidth(type) * 8), 1};
  std::vector<size_t> shape(tensor.shape().begin(), tensor.shape().end());
  auto owned = std::make_unique<Tensor>(std::move(tensor));
  void *data = owned->data();
  const nb::capsule owner(owned.get(), [](void *pointer) noexcept {
    delete static_cast<Tensor *>(pointer);
  });
  (void)owned.release();
  return nb::cast(nb::ndarray<nb::numpy>(data, shape.size(), shape.data(),
                                         owner, nullptr, dtype));
}

nb::list describeTensors(const std::vector<runtime::ModelTensor> &tensors) {
  nb::list list;
  for (const runtime::ModelTensor &tensor : tensors) {
    nb::list shape;
    for (const runtime::ModelTensor::Dimension &dimension : tensor.shape) {
      if (!dimension.isOpen)
        shape.append(dimension.size);
      else if (!dimension.name.empty())
        shape.append(dimension.name);
      else
        shape.append(nb::none());
    }
    list.append(
        nb::make_tuple(tensor.name, longName(tensor.type), nb::tuple(shape)));
  }
  return list;
}

} // namespace gensyn::python
