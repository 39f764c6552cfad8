// Uninitialized bytes on a cache-line boundary.
#ifndef GENSYN_EXECUTABLE_SUPPORT_ALIGNEDMEMORY_H
#define GENSYN_EXECUTABLE_SUPPORT_ALIGNEDMEMORY_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace gensyn {

struct AlignedDelete {
  void operator()(uint8_t *bytes) const {
    ::operator delete(bytes, std::align_val_t(64));
  }
};

/// Owns bytes that start on a multiple of 64.
using AlignedBytes = std::unique_ptr<uint8_t[], AlignedDelete>;

/// Never null; throws std::bad_alloc.
inline AlignedBytes allocateAligned(size_t size) {
  return AlignedBytes(static_cast<uint8_t *>(
      ::operator new(size ? size : 1, std::align_val_t(64))));
}

/// The same of bytes that are read again and again: where they are many, and
/// the system has large pages, they are in such pages, whose addresses the
/// processor translates less often.
AlignedBytes allocateInLargePages(size_t size);

/// Gives the pages that lie in a range of memory back to the system. Their
/// bytes are undefined until they are written again.
void releasePages(void *begin, size_t size);

} // namespace gensyn

#endif
