// Storage of tensors: shared bytes, copied before a write.

#include "gensyn/Numerics/Tensor.h"

#include "gensyn/Numerics/Sizes.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

#include <sys/mman.h>

namespace gensyn {

std::optional<int64_t> countElements(std::span<const int64_t> shape) {
  std::optional<int64_t> count = boundedProduct(shape);
  if (count && std::find(shape.begin(), shape.end(), 0) != shape.end())
    return 0;
  return count;
}

std::optional<int64_t> countBytes(ElementType type,
                                  std::span<const int64_t> shape) {
  int64_t bytes = 0;
  std::optional<int64_t> count = countElements(shape);
  if (!count ||
      __builtin_mul_overflow(*count, int64_t{byteWidth(type)}, &bytes))
    return std::nullopt;
  return bytes;
}

std::vector<int64_t> rowMajorStrides(std::span<const int64_t> shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i] > 0 ? shape[i] : 1;
  }
  return strides;
}

namespace {
constexpr size_t kAlignment = 64; // a cache line, and the widest vector

int64_t requireElements(ElementType type, std::span<const int64_t> shape) {
  if (!countBytes(type, shape))
    throw std::length_error("tensor size is negative or overflows");
  return *countElements(shape);
}

std::shared_ptr<void> allocate(int64_t bytes) {
  const size_t size =
      (static_cast<size_t>(bytes) + kAlignment - 1) / kAlignment * kAlignment;
  void *memory = std::aligned_alloc(kAlignment, size ? size : kAlignment);
  if (!memory)
    throw std::bad_alloc();
  return {memory, std::free};
}

/// Zeros. Many of them are pages of the system that take no memory until they
/// are written.
std::shared_ptr<void> allocateZeros(int64_t bytes) {
  constexpr int64_t many = int64_t(4) << 20;
  const auto size = static_cast<size_t>(bytes);
  if (bytes < many) {
    std::shared_ptr<void> memory = allocate(bytes);
    std::memset(memory.get(), 0, size);
    return memory;
  }
  void *memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  return {memory, [size](void *begin) { ::munmap(begin, size); }};
}
} // namespace

Tensor::Tensor(ElementType type, std::vector<int64_t> shape)
    : type(type), extents(std::move(shape)),
      elements(requireElements(type, extents)) {
  std::shared_ptr<void> memory = allocateZeros(byteSize());
  bytes = static_cast<const std::byte *>(memory.get());
  owner = std::move(memory);
}

Tensor Tensor::view(ElementType type, std::vector<int64_t> shape,
                    const void *data, std::shared_ptr<const void> owner) {
  Tensor result;
  result.elements = requireElements(type, shape);
  result.type = type;
  result.extents = std::move(shape);
  result.owner = std::move(owner);
  result.bytes = static_cast<const std::byte *>(data);
  result.external = true;
  return result;
}

Tensor Tensor::over(ElementType type, std::vector<int64_t> shape, void *data) {
  Tensor result =
      view(type, std::move(shape), data, {data, [](const void *) {}});
  result.external = false;
  return result;
}

void Tensor::makeWritable() {
  if (!bytes || (!external && owner.use_count() == 1))
    return;
  std::shared_ptr<void> memory = allocate(byteSize());
  std::memcpy(memory.get(), bytes, static_cast<size_t>(byteSize()));
  bytes = static_cast<const std::byte *>(memory.get());
  owner = std::move(memory);
  external = false;
}

void Tensor::fillFrom(std::span<const std::byte> source) {
  if (source.size() != static_cast<size_t>(byteSize()))
    throw std::length_error("number of elements differs from the shape's");
  if (!source.empty())
    std::memcpy(data(), source.data(), source.size());
}

Tensor Tensor::reshaped(std::vector<int64_t> shape) const {
  if (requireElements(type, shape) != elements)
    throw std::length_error("reshape changes the number of elements");
  Tensor result = *this;
  result.extents = std::move(shape);
  return result;
}

Tensor Tensor::bitcast(ElementType to) const {
  if (bitWidth(to) != bitWidth(type))
    throw std::length_error("bitcast changes the width of elements");
  Tensor result = *this;
  result.type = to;
  return result;
}

bool Tensor::bitEqual(const Tensor &other) const {
  return type == other.type && extents == other.extents &&
         (elements == 0 || std::memcmp(bytes, other.bytes,
                                       static_cast<size_t>(byteSize())) == 0);
}

} // namespace gensyn
