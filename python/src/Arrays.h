// Arrays of Python as tensors of the runtime, and back.
#ifndef GENSYN_PYTHON_ARRAYS_H
#define GENSYN_PYTHON_ARRAYS_H

#include "gensyn/Numerics/Tensor.h"
#include "gensyn/Runtime/Models/ModelTensor.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <vector>

namespace gensyn::python {

/// An array that is only read, of any framework, in host memory or not.
using InputArray = nanobind::ndarray<nanobind::ro>;

/// A tensor over the bytes of an object with the buffer protocol or DLPack,
/// which `array` keeps alive. Nothing if the object is no such array, or if its
/// bytes cannot be used where they are: another element type or rank, strides
/// that are not row-major, an address that is not aligned to an element,
/// another device than the host. With `isConverted`, elements of types that
/// numpy lacks are unsigned integers.
std::optional<Tensor> viewArray(nanobind::handle object, ElementType type,
                                bool isConverted, InputArray &array);

/// DLPack's name for a type; of types that it lacks, no code.
std::optional<nanobind::dlpack::dtype_code> codeOf(ElementType type);

/// True if the elements have that type, or with `isConverted` are unsigned
/// integers for a type that numpy lacks.
bool hasType(const InputArray &array, ElementType type, bool isConverted);
/// True if the array has C order without gaps.
bool isRowMajor(const InputArray &array);
std::vector<int64_t> shapeOf(const InputArray &array);

/// A numpy array that owns the bytes of the tensor. Types that numpy lacks are
/// integers of their width, of the same bits.
nanobind::object makeArray(Tensor tensor);

/// True if makeArray has numpy's own type for the elements.
bool hasNumpyType(ElementType type);

/// For each tensor (name, type, shape); an open dimension is its name, or None.
nanobind::list
describeTensors(const std::vector<runtime::ModelTensor> &tensors);

} // namespace gensyn::python

#endif
