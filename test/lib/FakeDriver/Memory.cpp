// Memory of the device and of the host, and copies.

#include "Machine.h"

#include <cstring>

namespace gensyn::cuda {

using namespace fakedriver;

/// The poison in fresh memory and in results that were not waited for.
static constexpr int unwritten = 0xDB;

static uint8_t *pointer(Address address) {
  return reinterpret_cast<uint8_t *>(address);
}

GENSYN_FAKE_EXPORT cuMemGetInfo_v2(size_t *free, size_t *total) {
  GENSYN_FAKE_BEGIN(Current);
  *free = machine.capacity - machine.used;
  *total = machine.capacity;
  return Success;
}

/// Values of CUpointer_attribute that are answered: the context, the kind of
/// memory and the device.
GENSYN_FAKE_EXPORT cuPointerGetAttribute(void *value, int attribute,
                                         Address address) {
  GENSYN_FAKE_BEGIN(Initialized);
  const Ranges::Range *device = machine.deviceMemory.find(address, 1);
  const Ranges::Range *range =
      device ? device : machine.pinnedMemory.find(address, 1);
  if (!range)
    return ErrorInvalidValue;
  switch (attribute) {
  case 1: // CU_POINTER_ATTRIBUTE_CONTEXT
    *static_cast<Context *>(value) = range->owner;
    return Success;
  case 2: // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
    *static_cast<unsigned *>(value) = device ? 2 : 1;
    return Success;
  case 9: // CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
    *static_cast<int *>(value) = machine.contexts[range->owner].device;
    return Success;
  default:
    return ErrorInvalidValue;
  }
}

GENSYN_FAKE_EXPORT cuMemAlloc_v2(Address *address, size_t bytes) {
  GENSYN_FAKE_BEGIN(Current, bytes);
  if (bytes == 0)
    return ErrorInvalidValue;
  if (machine.isCapturing())
    return ErrorCaptureUnsupported;
  if (bytes > machine.capacity - machine.used)
    return ErrorOutOfMemory;
  void *memory = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
  if (!memory)
    return ErrorOutOfMemory;
  std::memset(memory, unwritten, bytes);
  *address = reinterpret_cast<uintptr_t>(memory);
  machine.deviceMemory.add(*address, bytes, Machine::current());
  machine.used += bytes;
  return Success;
}

GENSYN_FAKE_EXPORT cuMemFree_v2(Address address) {
  GENSYN_FAKE_BEGIN(Current);
  // Waits for work that may use the memory, as the real driver does.
  if (Result error = machine.synchronizeAll())
    return error;
  auto bytes = machine.deviceMemory.remove(address);
  if (!bytes)
    return ErrorInvalidValue;
  machine.used -= *bytes;
  std::free(pointer(address));
  return Success;
}

static Result allocateHost(void **memory, size_t bytes) {
  if (bytes == 0)
    return ErrorInvalidValue;
  *memory = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (!*memory)
    return ErrorOutOfMemory;
  Machine::get().pinnedMemory.add(reinterpret_cast<uintptr_t>(*memory), bytes,
                                  Machine::current());
  return Success;
}

GENSYN_FAKE_EXPORT cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
  GENSYN_FAKE_BEGIN(Current, bytes);
  return allocateHost(memory, bytes);
}

GENSYN_FAKE_EXPORT cuMemAllocHost_v2(void **memory, size_t bytes) {
  GENSYN_FAKE_BEGIN(Current, bytes);
  return allocateHost(memory, bytes);
}

GENSYN_FAKE_EXPORT cuMemFreeHost(void *memory) {
  GENSYN_FAKE_BEGIN(Current);
  if (Result error = machine.synchronizeAll())
    return error;
  if (!machine.pinnedMemory.remove(reinterpret_cast<uintptr_t>(memory)))
    return ErrorInvalidValue;
  std::free(memory);
  return Success;
}

/// Copies on a device are checked when they are done: memory may have been
/// freed by then.
static Operation copy(uint8_t *to, const uint8_t *from, size_t bytes,
                      bool toDevice, bool fromDevice) {
  return [=]() -> Result {
    const Ranges &memory = Machine::get().deviceMemory;
    if ((toDevice && !memory.contains(uintptr_t(to), bytes)) ||
        (fromDevice && !memory.contains(uintptr_t(from), bytes)))
      return ErrorIllegalAddress;
    std::memmove(to, from, bytes);
    return Success;
  };
}

static Result copyToDevice(Address to, const void *from, size_t bytes,
                           StreamData *stream) {
  Machine &machine = Machine::get();
  if (!stream)
    return ErrorInvalidHandle;
  if (!machine.isMine(to, bytes))
    return ErrorInvalidValue;
  const auto *source = static_cast<const uint8_t *>(from);
  if (machine.pinnedMemory.contains(uintptr_t(from), bytes))
    return machine.add(*stream, copy(pointer(to), source, bytes, true, false));
  if (stream->capture)
    return ErrorCaptureUnsupported;
  // Pageable memory is read before the call returns.
  auto bytesNow =
      std::make_shared<std::vector<uint8_t>>(source, source + bytes);
  return machine.add(*stream, [=]() -> Result {
    return copy(pointer(to), bytesNow->data(), bytes, true, false)();
  });
}

static Result copyToHost(void *to, Address from, size_t bytes,
                         StreamData *stream) {
  Machine &machine = Machine::get();
  if (!stream)
    return ErrorInvalidHandle;
  if (!machine.isMine(from, bytes))
    return ErrorInvalidValue;
  auto *target = static_cast<uint8_t *>(to);
  if (machine.pinnedMemory.contains(uintptr_t(to), bytes)) {
    return machine.add(*stream,
                       copy(target, pointer(from), bytes, false, true));
  }
  if (stream->capture)
    return ErrorCaptureUnsupported;
  // Copies to pageable memory are not asynchronous.
  if (Result error =
          machine.add(*stream, copy(target, pointer(from), bytes, false, true)))
    return error;
  return machine.synchronize(*stream);
}

GENSYN_FAKE_EXPORT cuMemcpyHtoDAsync_v2(Address to, const void *from,
                                        size_t bytes, Stream stream) {
  GENSYN_FAKE_BEGIN(Current, bytes);
  return copyToDevice(to, from, bytes, machine.find(stream));
}

GENSYN_FAKE_EXPORT cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes,
                                        Stream stream) {
  GENSYN_FAKE_BEGIN(Current, bytes);
  StreamData *found = machine.find(stream);
  if (found && !found->capture &&
      machine.pinnedMemory.contains(uintptr_t(to), bytes))
    std::memset(to, unwritten, bytes);
  return copyToHost(to, from, bytes, found);
}

GENSYN_FAKE_EXPORT cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes,
                                        Stream stream) {
  GENSYN_FAKE_BEGIN(Current, bytes);
  StreamData *found = machine.find(stream);
  if (!found)
    return ErrorInvalidHandle;
  if (!machine.isMine(to, bytes) || !machine.isMine(from, bytes))
    return ErrorInvalidValue;
  return machine.add(*found,
                     copy(pointer(to), pointer(from), bytes, true, true));
}

GENSYN_FAKE_EXPORT cuMemcpyHtoD_v2(Address to, const void *from, size_t bytes) {
  GENSYN_FAKE_BEGIN(Current, bytes);
  if (Result error = copyToDevice(to, from, bytes, &machine.defaultStream))
    return error;
  return machine.synchronize(machine.defaultStream);
}

GENSYN_FAKE_EXPORT cuMemcpyDtoH_v2(void *to, Address from, size_t bytes) {
  GENSYN_FAKE_BEGIN(Current, bytes);
  if (Result error = copyToHost(to, from, bytes, &machine.defaultStream))
    return error;
  return machine.synchronize(machine.defaultStream);
}

GENSYN_FAKE_EXPORT cuMemcpyDtoD_v2(Address to, Address from, size_t bytes) {
  GENSYN_FAKE_BEGIN(Current, bytes);
  return cuMemcpyDtoDAsync_v2(to, from, bytes, nullptr);
}

template <class T>
static Result fill(Address to, T value, size_t count, Stream stream) {
  Machine &machine = Machine::get();
  StreamData *found = machine.find(stream);
  if (!found)
    return ErrorInvalidHandle;
  const size_t bytes = count * sizeof(T);
  if (to % sizeof(T) || !machine.isMine(to, bytes))
    return ErrorInvalidValue;
  return machine.add(*found, [=]() -> Result {
    if (!Machine::get().deviceMemory.contains(to, bytes))
      return ErrorIllegalAddress;
    for (size_t i = 0; i < count; ++i)
      std::memcpy(pointer(to) + i * sizeof(T), &value, sizeof(T));
    return Success;
  });
}

GENSYN_FAKE_EXPORT cuMemsetD8Async(Address to, unsigned char value,
                                   size_t count, Stream stream) {
  GENSYN_FAKE_BEGIN(Current, count);
  return fill(to, value, count, stream);
}

GENSYN_FAKE_EXPORT cuMemsetD32Async(Address to, unsigned value, size_t count,
                                    Stream stream) {
  GENSYN_FAKE_BEGIN(Current, count);
  return fill(to, value, count, stream);
}

GENSYN_FAKE_EXPORT cuMemsetD8_v2(Address to, unsigned char value,
                                 size_t count) {
  GENSYN_FAKE_BEGIN(Current, count);
  return fill(to, value, count, nullptr);
}

GENSYN_FAKE_EXPORT cuMemsetD32_v2(Address to, unsigned value, size_t count) {
  GENSYN_FAKE_BEGIN(Current, count);
  return fill(to, value, count, nullptr);
}

} // namespace gensyn::cuda
