// What replaces work on the bytes of messages: they take time in the simulation
// and none here.

#include "Addition.h"
#include "Checksum.h"
#include "SimulatedRank.h"

#include "gensyn/Executable/Support/AlignedMemory.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>
#include <unistd.h>

namespace gensyn {

namespace simulation {
/// Address space of so many bytes shows the same 64 MiB again and again.
std::byte *symbolicMemory(size_t size) {
  static constexpr size_t there = size_t(64) << 20, most = size_t(40) << 30;
  static std::byte *const begin = [] {
    const int file = memfd_create("symbolic", 0);
    void *space = mmap(nullptr, most, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    bool works =
        file >= 0 && ftruncate(file, there) == 0 && space != MAP_FAILED;
    for (size_t offset = 0; works && offset < most; offset += there)
      works = mmap(static_cast<std::byte *>(space) + offset, there,
                   PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                   0) != MAP_FAILED;
    if (!works) {
      std::perror("memory for messages");
      std::exit(6);
    }
    return static_cast<std::byte *>(space);
  }();
  if (size > most) {
    std::fprintf(stderr, "a model of %zu bytes, expected at most %zu\n", size,
                 most);
    std::exit(4);
  }
  return begin;
}
} // namespace simulation

/// Is allocateInLargePages() of SumExchange.cpp. The memory is never freed.
AlignedBytes allocateSymbolic(size_t size) {
  return AlignedBytes(
      reinterpret_cast<uint8_t *>(simulation::symbolicMemory(size)));
}

namespace communication {
static void charge(size_t bytes) {
  simulation::SimulatedRank &rank = simulation::SimulatedRank::current();
  const double rate = rank.costs().checksum;
  rank.charge(rate > 0 ? double(bytes) / rate : 0);
}

void Checksum::update(const std::byte *, size_t size) {
  charge(size);
  sum += size;
}

/// Of headers too.
uint64_t checksumOf(const void *, size_t size) { return size; }
} // namespace communication

namespace runtime {
Addition::Addition(std::vector<std::unique_ptr<Program>>) {}

void Addition::add(ElementType type, std::byte *, const std::byte *,
                   int64_t count) {
  simulation::SimulatedRank &rank = simulation::SimulatedRank::current();
  if (rank.costs().memory > 0)
    rank.charge(double(3 * count * byteWidth(type)) / rank.costs().memory);
}
} // namespace runtime

} // namespace gensyn
