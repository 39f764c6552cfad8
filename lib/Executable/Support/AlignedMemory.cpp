// See AlignedMemory.h.

#include "gensyn/Executable/Support/AlignedMemory.h"

#include <sys/mman.h>
#include <unistd.h>

namespace gensyn {

AlignedBytes allocateInLargePages(size_t size) {
  constexpr uintptr_t page = uintptr_t(2) << 20; // of x86-64, and of AArch64
  AlignedBytes bytes = allocateAligned(size);
  const auto begin = reinterpret_cast<uintptr_t>(bytes.get());
  const uintptr_t first = (begin + page - 1) / page * page,
                  last = (begin + size) / page * page;
  // A failure does no harm.
  if (first < last)
    ::madvise(bytes.get() + (first - begin), last - first, MADV_HUGEPAGE);
  return bytes;
}

void releasePages(void *start, size_t size) {
  static const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGE_SIZE));
  const auto begin = reinterpret_cast<uintptr_t>(start);
  const uintptr_t first = (begin + page - 1) / page * page,
                  last = (begin + size) / page * page;
  // A failure does no harm.
  if (first < last)
    ::madvise(reinterpret_cast<void *>(first), last - first, MADV_DONTNEED);
}

} // namespace gensyn
