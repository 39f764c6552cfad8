// The tensor value: the reference computes with it, checkpoints hold it, and
// programs take and return it.

#ifndef GENSYN_NUMERICS_TENSOR_H
#define GENSYN_NUMERICS_TENSOR_H

#include "gensyn/Numerics/Dispatch.h"
#include "gensyn/Numerics/ElementType.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gensyn {

/// The number of elements of a shape; nothing if an extent is negative or the
/// product overflows int64_t. Rank 0 has one element.
std::optional<int64_t> countElements(std::span<const int64_t> shape);

/// The size of a dense tensor in bytes; nothing as for `countElements`, or if
/// the size overflows int64_t.
std::optional<int64_t> countBytes(ElementType type,
                                  std::span<const int64_t> shape);

/// Strides in elements of a dense row-major tensor: the last one is 1. Extents
/// of 0 count as 1, so that strides stay positive.
std::vector<int64_t> rowMajorStrides(std::span<const int64_t> shape);

/// A dense row-major tensor with value semantics. Copies share their bytes, and
/// bytes that are shared or borrowed are copied before the first write. So
/// reads should go through a `const Tensor &`: the non-const `data` and `as`
/// may copy. To write from several threads, get the pointer once, before
/// starting them.
class Tensor {
public:
  /// An empty tensor: f32 of shape [0].
  Tensor() = default;

  /// Zeros, 64-byte aligned. Throws std::length_error if an extent is negative
  /// or the size overflows, std::bad_alloc if there is no memory.
  Tensor(ElementType type, std::vector<int64_t> shape);

  /// A tensor over bytes that `owner` keeps alive, e.g. a mapped file; they are
  /// never written. `data` should be aligned to the element and holds
  /// `countBytes(type, shape)` bytes. Throws std::length_error as above.
  static Tensor view(ElementType type, std::vector<int64_t> shape,
                     const void *data, std::shared_ptr<const void> owner);

  /// A tensor over bytes of the caller, which outlive it and are written in
  /// place as long as it has no copy. Throws std::length_error as above.
  static Tensor over(ElementType type, std::vector<int64_t> shape, void *data);

  /// A tensor with the given elements, in row-major order; as many as the shape
  /// has, or std::length_error. T is the C++ type of the elements.
  template <class T>
  static Tensor of(std::vector<int64_t> shape, std::span<const T> elements) {
    Tensor result(elementTypeOf<T>(), std::move(shape));
    result.fillFrom(std::as_bytes(elements));
    return result;
  }
  template <class T>
  static Tensor of(std::vector<int64_t> shape, const std::vector<T> &elements) {
    return of(std::move(shape), std::span<const T>(elements));
  }

  /// A rank-0 tensor.
  template <class T> static Tensor scalar(T value) {
    return of<T>({}, std::span<const T>(&value, 1));
  }

  ElementType elementType() const { return type; }
  const std::vector<int64_t> &shape() const { return extents; }
  int64_t rank() const { return static_cast<int64_t>(extents.size()); }
  int64_t numElements() const { return elements; }
  int64_t byteSize() const { return elements * byteWidth(type); }
  std::vector<int64_t> rowMajorStrides() const {
    return gensyn::rowMajorStrides(extents);
  }

  const std::byte *data() const { return bytes; }
  std::byte *data() {
    makeWritable();
    return const_cast<std::byte *>(bytes);
  }
  std::span<const std::byte> byteSpan() const {
    return {bytes, static_cast<size_t>(byteSize())};
  }

  /// The elements as T, which has the element's width in memory: bool for I1,
  /// float, double, an integer, a type of NarrowFloat.h. (Integers of the width
  /// read a float's bits.)
  template <class T> const T *as() const {
    assert(sizeof(T) == static_cast<size_t>(byteWidth(type)));
    return reinterpret_cast<const T *>(bytes);
  }
  template <class T> T *as() {
    assert(sizeof(T) == static_cast<size_t>(byteWidth(type)));
    return reinterpret_cast<T *>(data());
  }
  template <class T> std::span<const T> span() const {
    return {as<T>(), static_cast<size_t>(elements)};
  }
  template <class T> std::span<T> span() {
    return {as<T>(), static_cast<size_t>(elements)};
  }

  /// The same elements in row-major order under another shape, or the same bits
  /// under another type of the same width; bytes are shared. Throws
  /// std::length_error if the number of elements or the width differs.
  Tensor reshaped(std::vector<int64_t> shape) const;
  Tensor bitcast(ElementType type) const;

  /// Type, shape and every bit are equal. (No `==`: for floats it could be
  /// taken for a comparison of values.)
  bool bitEqual(const Tensor &other) const;

private:
  void makeWritable();
  void fillFrom(std::span<const std::byte> source);

  ElementType type = ElementType::F32;
  std::vector<int64_t> extents = {0};
  int64_t elements = 0;
  std::shared_ptr<const void> owner;
  const std::byte *bytes = nullptr;
  bool external = false;
};

} // namespace gensyn

#endif // GENSYN_NUMERICS_TENSOR_H
